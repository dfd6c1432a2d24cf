"""What the numbers say: nan and inf, zero derivatives, kinks, silent broadcasting, losses fed with the wrong thing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd.trace import Accumulate, Contribute, Forward, LeafGrad, TraceNode
from snippets.diagnose.reading import Reading, entries, has_nan, is_zero
from snippets.diagnose.report import FAULT, NOTE, Report, number
from snippets.diagnose.source import called, keyword

FLAT = {"sign", "sgn", "round", "floor", "ceil", "trunc", "heaviside", "floor_divide"}
BOUNDED = {"clamp", "clamp_min", "clamp_max", "hardtanh", "relu6", "hardsigmoid", "relu", "clip", "threshold"}
SATURATING = {"sigmoid", "tanh", "softmax"}


def nan_or_inf(r: Reading) -> Iterator[Report]:
    """The first operation, forward or backward, where nan or an infinity appeared."""
    bad_leaf = next((e for e in r.events(LeafGrad) if has_nan(e.after)), None)
    first_forward = next((e for e in r.events(Forward) if has_nan(e.value) and _made_it(r, e.node)), None)
    first_backward = next((e for e in r.events(Contribute) if has_nan(e.value) and not has_nan(e.upstream)), None)
    asked = any(has_nan(v.get("data")) for v in r.values.values() if isinstance(v, dict) and v.get("kind") == "tensor")
    computed = first_forward is not None and bool(r.into[first_forward.node])
    if bad_leaf is None and first_backward is None and not (computed and asked):
        return
    if (
        bad_leaf is None
        and first_backward is None
        and first_forward is not None
        and _meant_infinite(r, first_forward.node)
    ):
        return
    ends = f"; {r.name(bad_leaf.node)}.grad ends as {number(bad_leaf.after)}." if bad_leaf else "."
    if first_forward is not None and not _meant_infinite(r, first_forward.node):
        node = r.nodes[first_forward.node]
        inputs = ", ".join(f"{r.name(e.src)} = {number(r.value.get(e.src))}" for e in r.into[node.id])
        later = (
            f"; in backward, at {r.name(r.edges[first_backward.edge].dst)}, {_why_backward(r, first_backward)}"
            if first_backward
            else ""
        )
        yield Report(
            "nan-gradient",
            f"The first {_kind(first_forward.value)} appears in the forward pass, at {r.name(node.id)} (line "
            f"{node.line}){later}.",
            f"{r.name(node.id)} = {number(first_forward.value)} from {inputs or 'the data itself'}{ends}",
            _repair(node.op or "", r.source.line(node.line)),
            line=node.line,
            node=node.id,
            event=first_forward.t,
        )
        return
    if first_backward is None:
        return
    edge = r.edges[first_backward.edge]
    node, source = r.nodes[edge.dst], r.nodes[edge.src]
    yield Report(
        "nan-gradient",
        f"The first {_kind(first_backward.value)} of the backward pass appears at {r.name(edge.dst)} "
        f"({node.op}, line {node.line}): "
        f"{_why_backward(r, first_backward)}.",
        f"upstream {number(first_backward.upstream)}, input {r.name(source.id)} = "
        f"{number(r.value.get(source.id))}, contribution "
        f"{number(first_backward.value)}{ends}",
        _repair(node.op or "", r.source.line(node.line)),
        line=node.line,
        node=node.id,
        event=first_backward.t,
    )


def _made_it(r: Reading, node_id: str) -> bool:
    """Whether the operation itself produced nan or inf from finite inputs (data that holds nan counts too)."""
    return not any(has_nan(r.value.get(e.src)) for e in r.into[node_id])


def _meant_infinite(r: Reading, node_id: str) -> bool:
    """An infinity written by hand (a mask of -inf before softmax) is no accident."""
    node = r.nodes[node_id]
    return node.op in (None, "masked_fill", "masked_fill_", "where", "full", "fill_") and "nan" not in entries(
        r.value.get(node_id)
    )


def _kind(value: object) -> str:
    return "nan" if "nan" in entries(value) or (isinstance(value, dict) and "nan" in str(value)) else "infinity"


def _why_backward(r: Reading, event: Contribute) -> str:
    local = event.local
    if isinstance(local, str | int | float):
        if event.upstream == 0 and isinstance(local, str):
            return f"0 × {local} is nan"
        return f"the local derivative is {number(local)} here"
    op = r.nodes[r.edges[event.edge].dst].op
    if any(v == 0 for v in entries(event.upstream)):
        return (
            f"0 × inf is nan, in the rule of {op} ({event.rule})"
            if event.rule
            else f"0 × inf is nan, in the rule of {op}"
        )
    return f"the rule of {op} ({event.rule}) is infinite here" if event.rule else f"the rule of {op} is infinite here"


def _repair(op: str, line: str) -> str:
    if op in ("sqrt", "rsqrt", "pow", "norm", "std"):
        return "add a small number under the root: torch.sqrt(x + 1e-12)"
    if op in ("log", "log2", "log10", "log1p", "xlogy"):
        return "keep the argument away from 0: torch.log(x.clamp(min=1e-6))"
    if op in ("exp", "expm1", "exp2", "cosh", "sinh"):
        return "limit the argument before exp: torch.exp(x.clamp(max=...)), also when another branch is chosen"
    if op in ("div", "reciprocal"):
        return "add a small number to the denominator, or choose a safe denominator with torch.where first"
    if op in ("where", "mul", "index", "getitem", "masked_fill"):
        return "make the unused branch finite before choosing (the double-where trick)"
    return "select or clamp the values before this operation"


def flat_operation(r: Reading) -> Iterator[Report]:
    """An operation with zero derivative where it was used: sign, round, clamp outside its range, a "
    "saturated sigmoid."""
    for p in r.passes:
        if p.end is None:
            continue
        for landed in p.leaf_grads:
            if not is_zero(landed.added) or _cancelled(r, p.number, landed.node):
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
            elif node.op in SATURATING and _saturated(node.op, r.value.get(node.id)):
                why, fix = (
                    f"{node.op} is saturated at {number(value)}: its derivative rounds to 0",
                    "scale the input down, or use a loss on logits",
                )
            else:
                continue
            yield Report(
                "zero-gradient-op",
                f"The gradient of {r.name(landed.node)} is 0 since {why}.",
                f"line {node.line}: upstream {number(stop.upstream)} goes in, {number(stop.value)} comes out.",
                fix,
                line=node.line,
                node=node.id,
                event=stop.t,
            )
            return


def _cancelled(r: Reading, number_of_pass: int, leaf: str) -> bool:
    """Whether the zero is a sum of contributions that are not zero."""
    return any(e.node == leaf and e.pass_ == number_of_pass and not is_zero(e.added) for e in r.events(Accumulate))


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
    for p in r.passes:
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
                elif node.shape == () or len(value) <= 64:
                    extreme = entries(r.value.get(node.id))
                    if len(extreme) == 1 and value.count(extreme[0]) > 1:
                        rule = "shared evenly" if node.op in ("max", "min", "amax", "amin") else "given to one of them"
                        why = f"{node.op} meets a tie of {value.count(extreme[0])} entries; the gradient is {rule}"
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


def silent_broadcast(r: Reading) -> Iterator[Report]:
    """Shapes such as (N, 1) and (N,) broadcast to (N, N) inside a loss."""
    roots = [p.start.root for p in r.passes] or [n.id for n in r.trace.nodes[-1:]]
    relevant = set().union(*((r.behind(root, through_cuts=True) | {root}) for root in roots)) if roots else set()
    warned = any("Using a target size" in w["message"] for w in r.warnings)
    for node in r.trace.nodes:
        if node.id not in relevant or node.op not in (
            "sub",
            "rsub",
            "mul",
            "add",
            "mse_loss",
            "l1_loss",
            "smooth_l1_loss",
            "huber_loss",
            "binary_cross_entropy",
        ):
            continue
        arguments = [r.nodes[_before_expand(r, e.src)] for e in r.into[node.id]]
        if len(arguments) < 2:
            continue
        a, b = arguments[0].shape, arguments[1].shape
        spread = _outer(a, b)
        if node.op in ("mul", "add") or spread is None or all(_shaped_for_pairs(r, n) for n in arguments[:2]):
            continue
        if not warned and not _reduced(r, node.id):
            continue
        yield Report(
            "broadcasting",
            f"{r.name(arguments[0].id)} {a} and {r.name(arguments[1].id)} {b} broadcast to {spread}: every "
            "row meets every entry.",
            f"line {node.line}: {_count(spread)} differences enter the loss instead of {max(_count(a), _count(b))}.",
            "give both the same shape: y.unsqueeze(1), or pred.squeeze(1)",
            line=node.line,
            node=node.id,
            event=r.born.get(node.id),
        )
        return


def _before_expand(r: Reading, node_id: str) -> str:
    """What a loss broadcast to a common shape before it began."""
    if r.nodes[node_id].op == "expand":
        return next((e.src for e in r.into[node_id]), node_id)
    return node_id


def _shaped_for_pairs(r: Reading, node: TraceNode) -> bool:
    """Whether an axis of length 1 was put in by hand, as for all pairs of differences."""
    return (
        node.op in ("unsqueeze", "view", "reshape", "getitem", "index", "slice", "t", "transpose")
        or "None" in node.expr
    )


def _count(shape: tuple[int, ...]) -> int:
    out = 1
    for extent in shape:
        out *= extent
    return out


def _outer(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...] | None:
    """The broadcast shape when it has more entries than either side and both hold the same number; else None."""
    if a == b or not a or not b or _count(a) != _count(b) or _count(a) < 2:
        return None
    length = max(len(a), len(b))
    left, right = (1,) * (length - len(a)) + a, (1,) * (length - len(b)) + b
    out = []
    for x, y in zip(left, right, strict=True):
        if x != y and 1 not in (x, y):
            return None
        out.append(max(x, y))
    return tuple(out) if _count(tuple(out)) > _count(a) else None


def _reduced(r: Reading, node_id: str) -> bool:
    """Whether the result is soon reduced to a loss."""
    if r.nodes[node_id].op in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy"):
        return True
    frontier = [node_id]
    for _ in range(4):
        frontier = [e.dst for n in frontier for e in r.out_of[n]]
        if any(r.nodes[n].op in ("mean", "sum") for n in frontier):
            return True
    return False


def misused_loss(r: Reading) -> Iterator[Report]:
    """softmax before cross_entropy, sigmoid before bce_with_logits, probabilities to nll_loss, softmax over "
    "the batch."""
    for node in r.trace.nodes:
        if node.op == "nll_loss":
            source = next((e.src for e in r.into[node.id]), None)
            if source is None:
                continue
            first = r.nodes[source]
            if first.op == "log_softmax" and first.line == node.line and not _calls_itself(r, node.line, "log_softmax"):
                inner = _through(r, source)
                if inner is not None and r.nodes[inner].op in ("softmax", "log_softmax", "sigmoid"):
                    yield _double(r, node.id, inner, "cross_entropy", "log_softmax")
                    return
            elif first.op == "softmax" or (
                first.op not in ("log_softmax", "log", "logsigmoid") and _probabilities(r, source)
            ):
                yield Report(
                    "loss-misuse",
                    f"nll_loss gets probabilities ({r.name(source)}), but expects log-probabilities: it only "
                    "negates the picked entry.",
                    f"line {node.line}: the loss is {number(r.value.get(node.id))}, a negative probability.",
                    "torch.log_softmax(logits, dim=1), or F.cross_entropy(logits, target)",
                    line=node.line,
                    node=node.id,
                    event=r.born.get(node.id),
                )
                return
        if node.op in ("cross_entropy", "cross_entropy_loss", "binary_cross_entropy_with_logits"):
            source = next((e.src for e in r.into[node.id]), None)
            inner = _through_self(r, source)
            wanted = ("softmax", "log_softmax", "sigmoid") if "binary" not in node.op else ("sigmoid", "softmax")
            if inner is not None and r.nodes[inner].op in wanted:
                yield _double(r, node.id, inner, node.op, "sigmoid" if "binary" in node.op else "log_softmax")
                return
        if node.op in ("softmax", "log_softmax"):
            batch = _softmax_over_batch(r, node.id)
            if batch:
                yield Report(
                    "loss-misuse",
                    f"`{r.source.line(node.line)}` normalises over the batch: each column sums to 1, not each sample.",
                    f"{r.name(node.id)} has shape {node.shape}; dimension {batch[0]} counts samples.",
                    "dim=1 (or dim=-1), the dimension of the classes",
                    line=node.line,
                    node=node.id,
                    event=r.born.get(node.id),
                )
                return


def _double(r: Reading, loss: str, inner: str, name: str, applied: str) -> Report:
    op = r.nodes[inner].op
    return Report(
        "loss-misuse",
        f"{name} applies {applied} itself, and it is given the output of {op}: the {op} of line "
        f"{r.nodes[inner].line} is one too many.",
        f"{r.name(inner)} = {number(r.value.get(inner))} lies between fixed bounds, so the loss "
        f"{number(r.value.get(loss))} can hardly fall.",
        f"pass the raw logits ({_source_name(r, inner)}) to {name}",
        line=r.nodes[loss].line,
        node=inner,
        event=r.born.get(inner),
    )


def _source_name(r: Reading, node_id: str) -> str:
    source = next((e.src for e in r.into[node_id]), None)
    return r.name(source) if source else "logits"


def _through(r: Reading, node_id: str) -> str | None:
    """The node behind ``node_id``, skipping shape changes."""
    return _through_self(r, next((e.src for e in r.into[node_id]), None))


def _through_self(r: Reading, node_id: str | None) -> str | None:
    while node_id is not None and r.nodes[node_id].op in (
        "view",
        "reshape",
        "squeeze",
        "unsqueeze",
        "flatten",
        "getitem",
        "select",
        "clone",
    ):
        node_id = next((e.src for e in r.into[node_id]), None)
    return node_id


def _calls_itself(r: Reading, line: int | None, name: str) -> bool:
    return any(c.lineno == line for c in r.source.calls(name, "LogSoftmax"))


def _probabilities(r: Reading, node_id: str) -> bool:
    """Whether every row is positive and sums to 1."""
    value = r.value.get(node_id)
    rows = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
    for row in rows:
        numbers = [v for v in entries(row) if isinstance(v, int | float)]
        if not numbers or any(v < 0 for v in numbers) or abs(sum(numbers) - 1) > 1e-4:
            return False
    return True


def _softmax_over_batch(r: Reading, node_id: str) -> tuple[int] | None:
    node = r.nodes[node_id]
    if len(node.shape) != 2 or node.shape[0] < 2:
        return None
    for call in r.source.calls("softmax", "log_softmax", "Softmax", "LogSoftmax"):
        dim = keyword(call, "dim") or (call.args[-1] if call.args and isinstance(call.args[-1], ast.Constant) else None)
        on_line = call.lineno == node.line or called(call) in ("Softmax", "LogSoftmax")
        if on_line and isinstance(dim, ast.Constant) and dim.value == 0:
            feeds_loss = any(
                r.nodes[e.dst].op in ("nll_loss", "cross_entropy", "mul", "log", "getitem", "gather", "index", "kl_div")
                for e in r.out_of[node_id]
            )
            labels = any(n.dtype == "int64" and n.shape == (node.shape[0],) for n in r.trace.nodes)
            if feeds_loss and labels:
                return (0,)
    return None


def scalar_wanted(r: Reading) -> Iterator[Report]:
    """backward or grad was called on a result with more than one element without an upstream vector."""
    if "can be implicitly created only for scalar outputs" not in r.message:
        return
    from snippets.diagnose.rules.recording import refused_root

    root = refused_root(r)
    unreduced = next(
        (
            c
            for c in r.source.calls(
                *(
                    c
                    for c in (
                        "mse_loss",
                        "cross_entropy",
                        "l1_loss",
                        "nll_loss",
                        "MSELoss",
                        "L1Loss",
                        "BCELoss",
                        "CrossEntropyLoss",
                        "binary_cross_entropy",
                        "binary_cross_entropy_with_logits",
                    )
                )
            )
            if _is_none_reduction(c)
        ),
        None,
    )
    name = r.name(root.id) if root else "the result"
    yield Report(
        "non-scalar-backward",
        f"{name} has {_count(root.shape) if root else 'several'} elements, and backward starts from one number.",
        f"shape {root.shape if root else '?'}"
        + (
            f"; reduction='none' on line {unreduced.lineno} keeps one loss per element."
            if unreduced
            else f" on line {r.error_line}."
        ),
        f"{name}.sum().backward() or {name}.mean().backward(); or pass an upstream vector: "
        f"{name}.backward(torch.ones_like({name}))",
        line=r.error_line,
        node=root.id if root else None,
        event=r.born.get(root.id) if root else None,
    )


def _is_none_reduction(call: ast.Call) -> bool:
    value = keyword(call, "reduction")
    return isinstance(value, ast.Constant) and value.value == "none"


def misread_upstream(r: Reading) -> Iterator[Report]:
    """The upstream argument was misread: its shape is the output's; ones give column sums; rows pile up in .grad."""
    if "Mismatch in shape: grad_output" in r.message or "Mismatch in shape" in r.message:
        yield Report(
            "jacobian",
            "The upstream vector must have the shape of the output: it weights the outputs, it does not ask "
            "for a matrix.",
            r.message.splitlines()[0],
            "one row of the Jacobian at a time: one-hot vectors of the output's shape, or "
            "torch.autograd.functional.jacobian",
            line=r.error_line,
        )
        return
    if r.error:
        return
    vectors = [p for p in r.passes if isinstance(p.start.seed, list) and len(entries(p.start.seed)) > 1]
    piles = [
        landed
        for p in vectors[1:]
        for landed in p.leaf_grads
        if landed.before is not None and not is_zero(landed.before)
    ]
    roots = {p.start.root for p in vectors}
    if len(vectors) > 1 and piles and len(roots) == 1:
        landed = piles[0]
        yield Report(
            "jacobian",
            f"Each backward adds its row to {r.name(landed.node)}.grad, so the rows of the Jacobian pile up.",
            f"{r.name(landed.node)}.grad was {number(landed.before)}, + {number(landed.added)} = "
            f"{number(landed.after)}.",
            "torch.autograd.grad(y, x, v, retain_graph=True)[0] for each row, or clear .grad between",
            line=landed.line,
            node=landed.node,
            event=landed.t,
        )
        return
    yield from _rows_through_entries(r)
    for p in vectors:
        seed = entries(p.start.seed)
        if not all(v == 1 for v in seed) or not _coupled(r, p.start.root):
            continue
        statement = r.source.statement_at(p.start.line)
        named = r.source.assigned(statement) if statement is not None else set()
        wanted = {"j", "jac", "jacobian", "jacob"}
        called_so = any(n.lower().strip("_") in wanted or "jac" in n.lower() for n in named)
        yield Report(
            "jacobian",
            f"An upstream of ones gives the sum of the rows of the Jacobian of {r.name(p.start.root)}, not "
            "the Jacobian.",
            f"upstream {number(p.start.seed)}: the result has the input's shape and adds up all outputs.",
            "one row per one-hot upstream vector, or torch.autograd.functional.jacobian(f, x)",
            line=p.start.line,
            node=p.start.root,
            event=p.start.t,
            severity=FAULT if called_so else NOTE,
        )
        return


def _rows_through_entries(r: Reading) -> Iterator[Report]:
    """backward from one entry of a vector after the other, all adding into the same .grad."""
    by_vector: dict[str, list[LeafGrad]] = {}
    for p in r.passes:
        root = r.nodes[p.start.root]
        source = next((e.src for e in r.into[root.id]), None)
        if root.op in ("select", "index", "getitem") and source is not None:
            by_vector.setdefault(source, []).extend(p.leaf_grads)
    for vector, landed in by_vector.items():
        piled = [e for e in landed if e.before is not None and not is_zero(e.before)]
        if piled:
            name = r.name(piled[0].node)
            yield Report(
                "jacobian",
                f"backward from one entry of {r.name(vector)} after another adds row upon row into {name}.grad.",
                f"{name}.grad was {number(piled[0].before)}, + {number(piled[0].added)} = {number(piled[0].after)}.",
                "torch.autograd.grad(y[i], x, retain_graph=True)[0] for each row, or clear .grad between",
                line=piled[0].line,
                node=piled[0].node,
                event=piled[0].t,
                severity=NOTE,
            )
            return


def _coupled(r: Reading, root: str) -> bool:
    """Whether outputs share inputs: a matrix product, a stack of combinations; not entry by entry."""
    return any(
        r.nodes[n].op in ("matmul", "mm", "mv", "stack", "cat", "linear", "softmax", "cumsum", "bmm", "einsum", "outer")
        for n in (r.behind(root) | {root})
    )
