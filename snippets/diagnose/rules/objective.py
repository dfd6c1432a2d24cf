"""The objective: does a minimiser move it the right way?"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from snippets.diagnose.reading import Reading, entries
from snippets.diagnose.report import Report
from snippets.diagnose.rules.signs import meant_uphill
from snippets.diagnose.source import first_line
from snippets.diagnose.trend import course, loss_numbers, over_steps


def wrong_sign(r: Reading) -> Iterator[Report]:
    """The optimizer minimises something that looks like an objective to be maximised."""
    finished = [p for p in r.passes if p.end is not None and p.leaf_grads]
    if not finished or "maximize=True" in r.trace.source:
        return
    if not r.steps:
        yield from _wrong_way_update(r)
        return
    chains = [_linear_chain(r, p.start.root) for p in finished]
    turning = len({chain[0] for chain in chains if chain is not None}) > 1  # weighted by an advantage, as in REINFORCE
    for p, chain in zip(finished, chains, strict=True):
        if chain is None or turning:
            continue
        sign, node_id = chain
        node = r.nodes[node_id]
        if (
            sign > 0
            and node.op in ("log_softmax", "log_sigmoid", "logsigmoid", "log", "log_prob")
            and _probability(r, node_id)
        ):
            yield Report(
                "sign",
                f"{r.name(p.start.root)} is a log-probability, and the optimizer minimises it: training "
                "pushes it down.",
                over_steps(r, r.name(p.start.root), finished),
                f"(-{r.nodes[p.start.root].name or 'objective'}).backward()",
                line=p.start.line,
                node=p.start.root,
                event=p.start.t,
            )
            return
        if sign < 0 and node.op in (
            "pow",
            "mse_loss",
            "abs",
            "square",
            "cross_entropy",
            "nll_loss",
            "l1_loss",
            "binary_cross_entropy",
        ):
            if node.op == "nll_loss" and any(r.nodes[e.src].op != "log_softmax" for e in r.into[node_id][:1]):
                continue
            yield Report(
                "sign",
                f"{r.name(p.start.root)} is a distance with a minus sign: the optimizer makes the distance larger.",
                over_steps(r, r.name(p.start.root), finished),
                _without_minus(r, p.start.root),
                line=p.start.line,
                node=p.start.root,
                event=p.start.t,
            )
            return
    name = r.nodes[finished[0].start.root].name or ""
    if any(
        word in name.lower()
        for word in (
            "reward",
            "objective",
            "likelihood",
            "accuracy",
            "score",
            "log_prob",
            "logp",
            "elbo",
            "utility",
            "gain",
        )
    ):
        values = loss_numbers(r, finished)
        if len(values) > 1 and values[-1] < values[0]:
            yield Report(
                "sign",
                f"{name} is minimised: an optimizer goes downhill, and by its name it should grow.",
                f"{name} goes {course(r, finished)} over {len(r.steps)} steps.",
                f"(-{name}).backward()",
                line=finished[0].start.line,
                node=finished[0].start.root,
                event=finished[0].start.t,
            )
            return
    yield from _wrong_way_update(r)


def _without_minus(r: Reading, root: str) -> str:
    """The line that makes the loss, without the minus before it."""
    line = r.nodes[root].line
    statement = r.source.statement_at(line)
    value = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(value, ast.UnaryOp):
        return "leave the minus out"
    return r.source.line_with(line, value, r.source.segment(value.operand))


def _wrong_way_update(r: Reading) -> Iterator[Report]:
    """``w += lr * w.grad`` climbs the loss."""
    finished = [p for p in r.passes if p.end is not None]
    values = loss_numbers(r, finished)
    name = r.nodes[finished[0].start.root].name or "" if finished else ""
    if len(values) < 2 or values[-1] <= values[0] or "loss" not in name:
        return
    for statement in r.source.all:
        added = _gradient_added(statement)
        if added is not None:
            yield Report(
                "sign",
                f"`{r.source.line(first_line(statement))}` adds the gradient: the loss goes up.",
                f"{name} goes {course(r, finished)}.",
                added,
                line=first_line(statement),
            )
            return


def _gradient_added(statement: ast.AST) -> str | None:
    """The repaired line when a statement adds a gradient, with no minus in it, to what it is the gradient of."""
    target: ast.expr
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        target, value, fix = statement.target, ast.unparse(statement.value), "{} -= {}"
    elif (
        isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.BinOp)
        and isinstance(statement.value.op, ast.Add)
        and ast.unparse(statement.value.left).removesuffix(".data").removesuffix(".detach()")
        == ast.unparse(statement.targets[0]).removesuffix(".data")
    ):
        target, value, fix = statement.targets[0], ast.unparse(statement.value.right), "{} -= {}"
    elif (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and isinstance(statement.value.func, ast.Attribute)
        and statement.value.func.attr == "add_"
    ):
        call = statement.value
        arguments = [ast.unparse(a) for a in call.args] + [f"{k.arg}={ast.unparse(k.value)}" for k in call.keywords]
        target, value, fix = statement.value.func.value, ", ".join(arguments), "{}.sub_({})"
    else:
        return None
    climbs = ".grad" in value and "-" not in value and not meant_uphill(ast.unparse(target), value)
    return fix.format(ast.unparse(target), value) if climbs else None


def _linear_chain(r: Reading, root: str) -> tuple[int, str] | None:
    """(sign, node): follow sums, means, picks and scalings from the root down to the first other operation."""
    sign, node_id = 1, root
    for _ in range(40):
        node = r.nodes[node_id]
        incoming = [e for e in r.into[node_id] if e.recorded and r.nodes[e.src].requires_grad]
        if node.op in (
            "sum",
            "mean",
            "getitem",
            "select",
            "gather",
            "index",
            "squeeze",
            "view",
            "reshape",
            "index_select",
            "diagonal",
            "diag",
            "unsqueeze",
            "flatten",
            "masked_select",
            "clone",
        ):
            pass
        elif node.op == "neg":
            sign = -sign
        elif node.op in ("mul", "div") and len(incoming) == 1:
            constant = next((r.value.get(e.src) for e in r.into[node_id] if e.src != incoming[0].src), None)
            factor = _leading_number(node.expr) if constant is None else _sign_of(constant)
            if factor is None:
                return None
            sign *= factor
        else:
            return sign, node_id
        if not incoming:
            return None
        node_id = incoming[0].src
    return None


def _sign_of(value: Any) -> int | None:
    found = [v for v in entries(value) if isinstance(v, int | float)]
    if found and all(v > 0 for v in found):
        return 1
    if found and all(v < 0 for v in found):
        return -1
    return None


def _leading_number(expression: str) -> int | None:
    try:
        tree = ast.parse(expression, mode="eval").body
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return -1
    factors = [tree.left, tree.right] if isinstance(tree, ast.BinOp) else []
    return 1 if any(isinstance(factor, ast.Constant) for factor in factors) else None


def _probability(r: Reading, node_id: str) -> bool:
    """Whether a log is taken of something between 0 and 1."""
    node = r.nodes[node_id]
    if node.op != "log":
        return True
    source = next((e.src for e in r.into[node_id]), None)
    if source is None or r.nodes[source].op not in ("softmax", "sigmoid", "getitem", "select", "gather", "clamp"):
        return False
    values = [v for v in entries(r.value.get(source)) if isinstance(v, int | float)]
    return bool(values) and all(0 <= v <= 1 for v in values)
