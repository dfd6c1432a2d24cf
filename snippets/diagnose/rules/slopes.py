"""Slopes of zero, and gradients taken exactly at a kink or a tie."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import numpy as np

from autograd.trace import Contribute, TraceNode
from snippets.diagnose.reading import Pass, Reading, entries, is_zero
from snippets.diagnose.report import FAULT, NOTE, Report, number
from snippets.diagnose.source import called

FLAT = {"sign", "sgn", "round", "floor", "ceil", "trunc", "heaviside", "floor_divide"}


BOUNDED = {"clamp", "clamp_min", "clamp_max", "hardtanh", "relu6", "hardsigmoid", "relu", "clip", "threshold"}


#: Operations that a clamp before them keeps away from where they are not defined.
GUARDED = {"sqrt", "rsqrt", "log", "log2", "log10", "div", "reciprocal", "pow", "acos", "asin", "norm"}


SATURATING = {"sigmoid", "tanh", "softmax"}


def flat_operation(r: Reading) -> Iterator[Report]:
    """An operation with zero derivative where it was used: sign, round, clamp outside its range, a
    saturated sigmoid.
    """
    refused = re.search(r"derivative for (?:aten::)?'?(\w+)'? is not implemented", r.message)
    if refused and refused.group(1) != "target":
        node = next((n for n in reversed(r.trace.nodes) if n.op == refused.group(1)), None)
        yield Report(
            "zero-gradient-op",
            f"{refused.group(1)} is a step function: PyTorch gives it no derivative, so backward stops there.",
            f"line {node.line if node else r.error_line}: {r.message}.",
            "use a smooth step such as torch.sigmoid(k * x), or detach the step (straight-through)",
            line=node.line if node else r.error_line,
            node=node.id if node else None,
            event=r.born.get(node.id) if node else None,
        )
        return
    for p in r.some_passes:
        for landed in p.leaf_grads:
            if not is_zero(landed.added) or _cancelled(p, landed.node):
                continue
            stop = next(
                (
                    e
                    for e in p.contributions
                    if is_zero(e.value) and not is_zero(e.upstream) and _leads(r, landed.node, e)
                ),
                None,
            )
            if stop is None:
                continue
            edge = r.edges[stop.edge]
            node = r.nodes[edge.dst]
            value = r.value.get(edge.src)
            if node.op in FLAT:
                why, fix = (
                    f"{node.op} is flat: its derivative is 0 everywhere",
                    "use a smooth step such as torch.sigmoid(k * x) or torch.tanh(k * x)",
                )
            elif node.op in BOUNDED and not _at_kink(r, node, edge.src):
                why = (
                    f"{node.op} has derivative 0 outside its range, and {r.name(edge.src)} = {number(value)} is outside"
                )
                fix = "limit the parameter after the step, under no_grad, instead of in the forward pass"
                if node.op == "relu":
                    why = f"relu has derivative 0 for negative input, and {r.name(edge.src)} is {number(value)}"
                    fix = "start from another value, or use leaky_relu so that a little gradient passes"
            elif node.op == "mul" and _masked(r, node, edge.src):
                why, fix = (
                    "it is multiplied by a mask that is 0 everywhere, and a mask made by a comparison does not learn",
                    "use a soft mask such as torch.sigmoid(k * (x - threshold))",
                )
            elif node.op in SATURATING and _saturated(node.op, r.value.get(node.id)):
                why, fix = (
                    f"{node.op} is saturated at {number(value)}: its derivative rounds to 0",
                    "scale the input down, or use a loss on logits",
                )
            else:
                continue
            # Where a clamp keeps a root or a logarithm away from 0, the 0 beyond its bound is the price that was meant.
            guard = node.op in BOUNDED and any(r.nodes[e.dst].op in GUARDED for e in r.out_of[node.id])
            yield Report(
                "zero-gradient-op",
                f"The gradient of {r.name(landed.node)} is 0 since {why}.",
                f"line {node.line}: upstream {number(stop.upstream)} goes in, {number(stop.value)} comes out.",
                fix,
                line=node.line,
                node=node.id,
                event=stop.t,
                severity=NOTE if guard or node.op == "mul" else FAULT,
            )
            return


def _cancelled(p: Pass, leaf: str) -> bool:
    """Whether the zero is a sum of contributions that are not zero."""
    return any(e.node == leaf and not is_zero(e.added) for e in p.accumulated)


def _masked(r: Reading, node: TraceNode, source: str) -> bool:
    """Whether the other factor is a mask of zeros that a comparison made."""
    other = next((e.src for e in r.into[node.id] if e.src != source), None)
    if other is None or not is_zero(r.value.get(other)):
        return False
    made = r.behind(other, through_cuts=True) | {other}
    return any(r.nodes[n].op in ("gt", "lt", "ge", "le", "eq", "ne") for n in made)


def _saturated(op: str, result: object) -> bool:
    """Whether the result stands at the end of the range, within float32's resolution."""
    found = [v for v in entries(result) if isinstance(v, int | float)]
    if op == "softmax":
        return bool(found) and max(found) > 1 - 1e-6
    ends = (0.0, 1.0) if op == "sigmoid" else (-1.0, 1.0)
    return bool(found) and all(min(abs(v - end) for end in ends) < 1e-6 for v in found)


def _leads(r: Reading, leaf: str, event: Contribute) -> bool:
    source = r.edges[event.edge].src
    return source == leaf or leaf in r.behind(source)


def _at_kink(r: Reading, node: TraceNode, source: str) -> bool:
    """Whether an entry lies exactly where two slopes meet: the zero there is a convention."""
    value = r.value.get(source)
    if node.op == "relu":
        return is_zero(value)
    return any(v in _bounds(node.expr) | _bounds_in_source(r, node) for v in entries(value))


def kink_or_tie(r: Reading) -> Iterator[Report]:
    """The gradient was taken exactly at a kink or a tie, where a convention decides."""
    for p in r.some_passes:
        for event in p.contributions:
            edge = r.edges[event.edge]
            node = r.nodes[edge.dst]
            inputs = [e.src for e in r.into[node.id]]
            value = entries(r.value.get(edge.src))
            why = None
            if node.op in (
                "abs",
                "relu",
                "l1_loss",
                "leaky_relu",
                "elu",
                "prelu",
                "hardshrink",
                "softshrink",
            ) and not _upstream_zero_there(event):
                points = value
                if node.op == "l1_loss" and len(inputs) > 1:
                    points = [
                        a - b
                        for a, b in zip(value, entries(r.value.get(inputs[1])), strict=False)
                        if not isinstance(a, str) and not isinstance(b, str)
                    ]
                if any(v == 0 for v in points):
                    taken = "abs" if node.op == "l1_loss" else node.op
                    convention = {"abs": "sign(0) = 0", "relu": "0"}.get(taken or "", "the value on one side")
                    why = f"{taken} has a kink at 0, where PyTorch takes {convention}"
            elif node.op in ("maximum", "minimum", "max", "min", "amax", "amin", "fmax", "fmin"):
                if len(inputs) > 1:
                    pairs = zip(*(entries(r.value.get(i)) for i in inputs[:2]), strict=False)
                    if any(a == b for a, b in pairs):
                        why = f"{node.op} meets a tie, and PyTorch gives each side half of the gradient"
                elif len(value) <= 64:
                    tie = _tied(r, node, edge.src)
                    if tie > 1:
                        whole = node.shape == () or node.op in ("amax", "amin")
                        rule = "shared evenly" if whole else "given to one of them"
                        why = f"{node.op} meets a tie of {tie} entries; the gradient is {rule}"
            elif node.op == "norm" and is_zero(r.value.get(node.id)) and not is_zero(event.upstream):
                why = "a norm has a kink at 0, where PyTorch takes 0"
            elif node.op in ("clamp", "hardtanh", "relu6", "clip"):
                edges = _bounds(node.expr) | _bounds_in_source(r, node)
                if any(v in edges for v in value):
                    why = (
                        f"{node.op} has a kink at its bounds, where PyTorch lets the gradient pass"
                        if node.op == "clamp"
                        else f"{node.op} has a kink at its bounds, where PyTorch takes 0"
                    )
            if why:
                yield Report(
                    "subgradient",
                    f"The gradient at {r.name(node.id)} (line {node.line}) is a convention: {why}.",
                    f"{r.name(edge.src)} = {number(r.value.get(edge.src))}; contribution {number(event.value)}.",
                    "move off the kink, choose the side with torch.where, or use a smooth function",
                    line=node.line,
                    node=node.id,
                    event=event.t,
                    severity=NOTE,
                )
                return


def _tied(r: Reading, node: TraceNode, source: str) -> int:
    """How many entries share the largest (or smallest) value, over everything or along the reduced dimension."""
    try:
        values = np.asarray(r.value.get(source), dtype=float)
        extreme = np.asarray(r.value.get(node.id), dtype=float)
    except (TypeError, ValueError):
        return 0
    if extreme.size == 1:
        return int((values == extreme.reshape(())).sum())
    ties = [0]
    for axis in range(values.ndim):
        kept = np.expand_dims(extreme, axis) if extreme.ndim < values.ndim else extreme
        if kept.shape == (*values.shape[:axis], 1, *values.shape[axis + 1 :]):
            here = (values == kept).sum(axis=axis)
            if (here > 0).all():
                ties.append(int(here.max()))
    return max(ties)


def _upstream_zero_there(event: Contribute) -> bool:
    return is_zero(event.upstream)


def _bounds_in_source(r: Reading, node: TraceNode) -> set[float]:
    """The bounds of a clamp as the source gives them, or its defaults."""
    default = {"hardtanh": {-1.0, 1.0}, "relu6": {0.0, 6.0}}.get(node.op or "", set())
    for call in r.source.calls("hardtanh", "Hardtanh", "clamp", "clip"):
        given = _bounds(ast.unparse(call))
        if given and (call.lineno == node.line or called(call) == "Hardtanh"):
            return given
    return default


def _bounds(expression: str) -> set[float]:
    try:
        tree = ast.parse(expression, mode="eval")
    except SyntaxError:
        return set()
    out: set[float] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            out.add(-float(node.operand.value))  # type: ignore[arg-type]
        elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
            out.add(float(node.value))
    return out
