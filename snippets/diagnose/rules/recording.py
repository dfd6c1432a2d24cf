"""What was never recorded, and where a history was cut."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autograd.trace import TraceEdge, TraceNode
from snippets.diagnose.reading import Reading
from snippets.diagnose.report import FAULT, NOTE, Report, number
from snippets.diagnose.source import called, keyword, mentions, names, receiver

#: Cuts that a reader wrote on purpose when they wrote them at all.
DELIBERATE = {"detach", "no_grad", "data"}
#: Cuts that copy values out of the graph and back in.
COPIES = {"item", "tolist", "numpy", "tensor", "as_tensor", "new_tensor"}

INSTEAD = {
    "item": "keep the tensor; call .item() only for printing",
    "tolist": "keep the tensor; call .tolist() only for printing",
    "numpy": "stay with torch operations; .detach().numpy() only for plotting and reports",
    "tensor": "torch.stack([...]) keeps the history of the tensors in it",
    "as_tensor": "torch.stack([...]) keeps the history of the tensors in it",
    "no_grad": "run this line outside torch.no_grad()",
    "detach": "leave .detach() out on the way from the parameters to the loss",
    "argmax": "pass soft weights on, such as torch.softmax(scores, dim=-1)",
    "comparison": "use a smooth step such as torch.sigmoid(k * (a - b)), or multiply the mask by the values",
}


def backward_without_history(r: Reading) -> Iterator[Report]:
    """backward or grad was refused since the result has no history: find out who lost it."""
    if "does not require grad and does not have a grad_fn" not in r.message:
        return
    if any("None of the inputs have requires_grad" in w["message"] for w in r.warnings):
        return  # the checkpointing rule explains this one
    root = refused_root(r)
    if root is None or _is_a_gradient(r, refused_text(r)):
        return  # the higher-order rule explains this one
    marked = [leaf for leaf in r.learners if leaf.id in r.behind(root.id, through_cuts=True) | {root.id}]
    if marked:
        yield _cut(r, marked, root)
        return
    outside = _values_that_left(r)
    if outside is not None:
        yield outside
        return
    inputs = [
        n
        for n in r.trace.nodes
        if n.id in r.behind(root.id, through_cuts=True) | {root.id} and not r.into[n.id] and n.dtype.startswith("float")
    ]
    named = [n for n in inputs if n.name]
    shown = ", ".join(n.name or "" for n in named[:4]) or "none of its inputs"
    first = named[-1] if named else None
    yield Report(
        "nothing-requires-grad",
        f"Nothing that {r.name(root.id)} was computed from requires grad, so the forward pass recorded nothing.",
        f"{r.name(root.id)} = {number(r.value.get(root.id))} has requires_grad=False; so have its inputs: {shown}.",
        f"{first.name} = torch.tensor(..., requires_grad=True)" if first else "torch.tensor(..., requires_grad=True)",
        line=first.line if first else root.line,
        node=first.id if first else root.id,
        event=r.born.get(root.id),
    )


def untracked_refused(r: Reading) -> Iterator[Report]:
    """retain_grad or a hook was refused on a tensor that is not tracked."""
    phrases = (
        "can't retain_grad on Tensor that has requires_grad=False",
        "cannot register a hook on a tensor that doesn't require gradient",
    )
    if not any(phrase in r.message for phrase in phrases):
        return
    statement = r.source.statement_at(r.error_line)
    calls = [c for c in ast.walk(statement) if isinstance(c, ast.Call) and receiver(c)] if statement else []
    name = receiver(calls[0]) if calls else "the tensor"
    nodes = r.named(name)
    yield Report(
        "nothing-requires-grad",
        f"{name} is not tracked, so no gradient will ever arrive at it.",
        f"line {r.error_line}: {r.message}.",
        f"give requires_grad=True to {name} or to what it is computed from",
        line=nodes[-1].line if nodes else r.error_line,
        node=nodes[-1].id if nodes else None,
    )


def refused_text(r: Reading) -> str:
    """What the failing line called backward or grad on, as text; empty when it does neither."""
    statement = r.source.statement_at(r.error_line)
    for node in ast.walk(statement) if statement is not None else ():
        if isinstance(node, ast.Call) and called(node) in ("backward", "grad"):
            if called(node) == "backward" and receiver(node) != "torch.autograd":
                return receiver(node)
            if node.args:
                return ast.unparse(node.args[0])
    return ""


def refused_root(r: Reading) -> TraceNode | None:
    """The tensor on which the failing line called backward or grad."""
    found = r.named(refused_text(r))
    if found:
        return found[-1]
    on_line = [n for n in r.trace.nodes if n.line == r.error_line]
    if on_line:
        return on_line[-1]
    ops = [n for n in r.trace.nodes if n.kind == "op"]
    return (ops or list(r.trace.nodes) or [None])[-1]  # type: ignore[list-item]


def _is_a_gradient(r: Reading, name: str) -> bool:
    """Whether ``name`` was bound to the result of autograd.grad or to some .grad."""
    for node in r.source.all:
        if isinstance(node, ast.Assign) and name in r.source.assigned(node):
            value = node.value
            if any(isinstance(n, ast.Call) and called(n) == "grad" for n in ast.walk(value)):
                return True
            if isinstance(value, ast.Attribute) and value.attr == "grad":
                return True
    return False


def _cut(r: Reading, leaves: list[TraceNode], root: TraceNode, severity: str = FAULT) -> Report:
    """The report on a history that was cut between ``leaves`` and ``root``."""
    cuts = [edge for leaf in leaves for edge in r.cuts_between(leaf.id, root.id)]
    who = ", ".join(dict.fromkeys(r.name(leaf.id) for leaf in leaves))
    if not cuts:
        return Report(
            "graph-cut",
            f"The history between {who} and {r.name(root.id)} is lost.",
            f"{r.name(root.id)} does not require grad.",
            "keep tensors on the whole way from the parameters to the loss",
            line=root.line,
            node=root.id,
        )
    edge = min(cuts, key=lambda e: r.born.get(e.dst, 0))
    place = r.nodes[edge.dst]
    how = edge.how or place.op or ""
    if edge.how is None and place.op is not None:
        marked = next(
            (line for leaf in leaves for line in _marked_on(r, leaf.name or "") if line > (place.line or 0)), None
        )
        late = f" It was marked on line {marked}, after that." if marked else ""
        return Report(
            "nothing-requires-grad",
            f"{who} did not require grad when {r.name(place.id)} was computed, so its use was not recorded.",
            f"line {place.line} (`{r.source.line(place.line)}`) kept no edge to {who}.{late}",
            f"mark {who} first (requires_grad=True), then run the forward pass",
            line=marked or place.line,
            node=place.id,
            event=r.born.get(place.id),
            severity=severity,
        )
    if how == "no_grad" and _all_inside_no_grad(r, root):
        return Report(
            "nothing-requires-grad",
            f"Everything up to {r.name(root.id)} ran under no_grad, so nothing was recorded for backward.",
            f"{who} {'require' if ', ' in who else 'requires'} grad, but line {place.line} "
            f"(`{r.source.line(place.line)}`) ran with recording off; "
            f"{r.name(root.id)} has no grad_fn.",
            "with torch.enable_grad(): around the lines whose gradient is wanted",
            line=place.line,
            node=place.id,
            event=r.born.get(place.id),
            severity=severity,
        )
    return Report(
        "graph-cut",
        f"The path from {r.name(root.id)} back to {who} ends at line {place.line}: {_what_cut(how)}.",
        f"`{r.source.line(place.line)}` gives a value without history ({number(r.value.get(place.id))}); "
        f".grad of {who} stays None.",
        INSTEAD.get(how, f"use a differentiable operation in place of {how or 'this one'}"),
        line=place.line,
        node=place.id,
        event=r.born.get(place.id),
        severity=severity,
    )


def _what_cut(how: str) -> str:
    return {
        "item": ".item() makes a Python number",
        "tolist": ".tolist() makes Python numbers",
        "numpy": ".numpy() leaves the graph",
        "tensor": "torch.tensor(...) copies values into a new leaf",
        "as_tensor": "torch.as_tensor(...) copies values into a new leaf",
        "no_grad": "it ran under no_grad",
        "detach": ".detach() drops the history",
        "argmax": "indices carry no derivative",
        "comparison": "a comparison gives booleans, which carry no derivative",
    }.get(how, f"{how} carries no derivative")


def _all_inside_no_grad(r: Reading, root: TraceNode) -> bool:
    """Whether the result itself was computed with recording off."""
    return not root.recorded and root.op not in COPIES and r.source.statement_at(root.line) is not None


def _values_that_left(r: Reading) -> Report | None:
    """A value that left the graph as a Python number or array before the loss was made from it."""
    learners = {leaf.id for leaf in r.learners}
    for node in r.trace.nodes:
        if node.op in COPIES and learners & r.behind(node.id, through_cuts=True):
            who = ", ".join(r.name(i) for i in learners & r.behind(node.id, through_cuts=True))
            return Report(
                "graph-cut",
                f"The history of {who} ends at line {node.line}: {_what_cut(node.op)}.",
                f"`{r.source.line(node.line)}` gives {number(r.value.get(node.id))}; the loss built from it has no "
                "history.",
                INSTEAD.get(node.op, "keep the tensor"),
                line=node.line,
                node=node.id,
                event=r.born.get(node.id),
            )
    return None


def numpy_on_recorded(r: Reading) -> Iterator[Report]:
    """.numpy() was called on a tensor that requires grad."""
    if "Can't call numpy() on Tensor that requires grad" not in r.message:
        return
    call = next(
        (
            c
            for c in r.source.calls("numpy", "array", "asarray")
            if c.lineno <= (r.error_line or 0) <= (c.end_lineno or 0)
        ),
        None,
    )
    what = receiver(call) if call is not None and called(call) == "numpy" else "the tensor"
    yield Report(
        "graph-cut",
        f"NumPy can not carry a history, and {what} has one: the graph would be cut here.",
        f"line {r.error_line}: `{r.source.line(r.error_line)}`; {what} requires grad.",
        f"{what}.detach().numpy() for a report; stay with torch operations where a gradient is wanted",
        line=r.error_line,
    )


def leaf_behind_a_cut(r: Reading) -> Iterator[Report]:
    """A leaf that should learn got no gradient from any pass, though the loss depends on it by value."""
    finished = [p for p in r.passes if p.end is not None]
    if not finished:
        return
    roots = list(dict.fromkeys(p.start.root for p in finished))
    by_cut: dict[tuple[str, str], list[TraceNode]] = {}
    for leaf in r.learners:
        if leaf.id in r.reached or any(leaf.id in r.behind(root) for root in roots):
            continue
        for root in roots:
            cuts = r.cuts_between(leaf.id, root)
            if cuts:
                by_cut.setdefault((cuts[0].id, root), []).append(leaf)
                break
    for (edge_id, root), leaves in by_cut.items():
        severity = _how_bad(r, r.edges[edge_id], leaves)
        if severity:
            yield _cut(r, leaves, r.nodes[root], severity)


def _how_bad(r: Reading, edge: TraceEdge, leaves: list[TraceNode]) -> str | None:
    """A fault, a note, or nothing: a deliberate cut before weights that nobody trains is good practice."""
    if edge.how not in DELIBERATE:
        return FAULT
    trained = any(r.optimizer_holds(leaf.id) for leaf in leaves) and bool(r.steps)
    if trained:
        return FAULT
    asked = any(_grad_is_read(r, leaf) for leaf in leaves)
    if not asked or r.facts.get("optimizers"):
        return None
    if edge.how == "no_grad" and _feeds_learnable(r, edge.dst):
        return FAULT
    return NOTE


def _grad_is_read(r: Reading, leaf: TraceNode) -> bool:
    name = leaf.name or ""
    return any(ast.unparse(a.value) == name for a in r.source.attributes("grad"))


def _feeds_learnable(r: Reading, node_id: str) -> bool:
    """Whether a value behind a cut meets weights that learn, as the features of an encoder meet a head."""
    learners = {leaf.id for leaf in r.learners}
    front = {node_id} | {n for n in r.ahead(node_id, through_cuts=True) if r.nodes[n].op in _PASSES_ON}
    return any(
        r.nodes[use.dst].op in _WEIGHTS
        and any(e.src in learners or r.behind(e.src) & learners for e in r.into[use.dst])
        for n in front
        for use in r.out_of[n]
        if use.recorded or use.dst != node_id
    )


_PASSES_ON = {
    "reshape",
    "view",
    "transpose",
    "t",
    "flatten",
    "float",
    "unsqueeze",
    "squeeze",
    "relu",
    "tanh",
    "sigmoid",
}
_WEIGHTS = {"linear", "matmul", "mm", "mv", "addmm", "bmm", "mul", "conv1d", "conv2d", "embedding"}


def state_cut_in_loop(r: Reading) -> Iterator[Report]:
    """A loop-carried state is detached at every turn although one backward follows the whole loop."""
    for call in r.source.calls("detach", "detach_"):
        loops = r.source.loops(call)
        statement = r.source.statement(call)
        if not loops or statement is None:
            continue
        state = receiver(call)
        carried = state in r.source.assigned(statement) or any(
            state in r.source.assigned(s) and mentions_name(s, state)
            for s in ast.walk(loops[0])
            if isinstance(s, ast.Assign | ast.AugAssign)
        )
        backward_inside = any(isinstance(n, ast.Call) and called(n) in ("backward", "grad") for n in ast.walk(loops[0]))
        turns = [n for n in r.trace.nodes if n.op in ("detach", "detach_") and n.line == call.lineno]
        if not carried or backward_inside or len(turns) < 2 or not r.passes or r.source.under_no_grad(call):
            continue
        cut = turns[-1]
        behind = r.behind(cut.id, through_cuts=True)
        lost = [leaf for leaf in r.learners if leaf.id in behind]
        if not lost:
            continue
        who = ", ".join(r.name(leaf.id) for leaf in lost)
        yield Report(
            "graph-cut",
            f"{state} is detached at every turn of the loop, so no gradient flows through time to {who}.",
            f"`{r.source.line(call.lineno)}` cut the history {len(turns)} times before the one backward of line "
            f"{r.passes[-1].start.line}; only the last turn reaches {who}.",
            f"use {state} instead of {state}.detach() here; detach once, between two backward passes",
            line=call.lineno,
            node=cut.id,
            event=r.born.get(cut.id),
        )
        return


def mentions_name(statement: ast.stmt, name: str) -> bool:
    """Whether the value of an assignment reads ``name``."""
    value = getattr(statement, "value", None)
    return value is not None and (name in names(value) or name in {ast.unparse(n) for n in ast.walk(value)})


def gradient_of_unmarked(r: Reading) -> Iterator[Report]:
    """.grad of an input is read that was never marked with requires_grad."""
    if not any(p.end is not None for p in r.passes):
        return
    for attribute in r.source.attributes("grad"):
        name = ast.unparse(attribute.value)
        nodes = r.named(name)
        if (
            not nodes
            or not isinstance(attribute.ctx, ast.Load)
            or any(n.requires_grad for n in nodes)
            or nodes[-1].kind == "op"
            or not nodes[-1].dtype.startswith("float")
            or _frozen_on_purpose(r, name)
        ):
            continue
        roots = [root for root in r.roots() if nodes[-1].id in r.behind(root, through_cuts=True)]
        if roots:
            yield Report(
                "nothing-requires-grad",
                f"{name} was never marked with requires_grad=True, so its .grad stays None.",
                f"{r.name(roots[0])} depends on {name} = {number(r.value.get(nodes[-1].id))}, but "
                f"{name}.requires_grad is "
                "False.",
                f"{name} = torch.tensor(..., requires_grad=True)",
                line=nodes[-1].line,
                node=nodes[-1].id,
                event=r.born.get(nodes[-1].id),
                severity=NOTE,
            )
            return


def _frozen_on_purpose(r: Reading, name: str) -> bool:
    """Whether the source turns tracking of ``name`` off or detaches it."""
    for node in r.source.all:
        if isinstance(node, ast.Assign) and any(ast.unparse(t) == f"{name}.requires_grad" for t in node.targets):
            return True
        if (
            isinstance(node, ast.Call)
            and called(node) in ("requires_grad_", "detach_")
            and receiver(node).startswith(name)
        ):
            return True
        if isinstance(node, ast.Assign) and name in r.source.assigned(node):
            flag = next((keyword(c, "requires_grad") for c in ast.walk(node.value) if isinstance(c, ast.Call)), None)
            if flag is not None and ast.unparse(flag) == "False":
                return True
            if mentions(node.value, "detach") or mentions(node.value, "data"):
                return True
    return False


def not_in_graph(r: Reading) -> Iterator[Report]:
    """A gradient was asked for with respect to something the result does not depend on."""
    if (
        "appears to not have been used in the graph" not in r.message
        and "One of the differentiated Tensors does not require grad" not in r.message
    ):
        return
    wanted = _wanted(r)
    position = re.search(r"at index (\d+)", r.message)
    if position and int(position.group(1)) < len(wanted):
        wanted = [wanted[int(position.group(1))]]
    root = refused_root(r)
    for name in wanted:
        nodes = r.named(name)
        if not nodes or root is None:
            continue
        node = nodes[-1]
        across = {n.id for n in nodes} & r.behind(root.id, through_cuts=True)
        if across or "does not require grad" in r.message:
            late = next((line for line in _marked_on(r, name) if line > (root.line or 0)), None)
            extra = f" It was marked on line {late}, after the forward pass." if late else ""
            yield Report(
                "nothing-requires-grad",
                f"{name} did not require grad when {r.name(root.id)} was computed, so its use was not recorded.",
                f"line {node.line} made {name}; the operations that read it kept no edge to it.{extra}",
                f"mark {name} first (requires_grad=True), then run the forward pass",
                line=late or node.line,
                node=node.id,
                event=r.born.get(node.id),
            )
        else:
            yield Report(
                "not-in-graph",
                f"{r.name(root.id)} was not computed from {name}, so it has no gradient with respect to it.",
                f"{name} (line {node.line}) is not among the inputs of {r.name(root.id)} (line {root.line}); "
                "a later copy or "
                "packing of the same values does not count.",
                f"compute {r.name(root.id)} from {name}, or ask for the tensors it was computed from",
                line=r.error_line,
                node=node.id,
                event=r.born.get(node.id),
            )
        return
    yield Report(
        "not-in-graph",
        "A gradient was asked for with respect to a tensor that the result does not depend on.",
        f"line {r.error_line}: `{r.source.line(r.error_line)}`",
        "ask for tensors that the result was computed from, or pass allow_unused=True to get None",
        line=r.error_line,
    )


def _marked_on(r: Reading, name: str) -> list[int]:
    """The lines that turn requires_grad on for ``name``."""
    calls = [c.lineno for c in r.source.calls("requires_grad_") if receiver(c) == name]
    flags = [
        s.lineno
        for s in r.source.all
        if isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == f"{name}.requires_grad"
    ]
    return sorted(calls + flags)


def _wanted(r: Reading) -> list[str]:
    """The names with respect to which the failing line asked for gradients."""
    statement = r.source.statement_at(r.error_line)
    if statement is None:
        return []
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and called(node) in ("grad", "backward"):
            target = keyword(node, "inputs") or (
                node.args[1] if called(node) == "grad" and len(node.args) > 1 else None
            )
            if isinstance(target, ast.Tuple | ast.List):
                return [ast.unparse(item) for item in target.elts]
            if target is not None:
                return [ast.unparse(target)]
    return []


def python_value(r: Reading) -> Iterator[Report]:
    """backward was called on a Python number, tuple, list or None."""
    message = r.message
    for kind in ("float", "int", "bool", "tuple", "list", "dict", "NoneType", "str", "numpy.ndarray", "ndarray"):
        if f"'{kind}' object has no attribute 'backward'" in message or (
            message.startswith(f"'{kind}' object")
            and "backward" in r.source.line(r.error_line)
            and "'grad" not in message
        ):
            break
    else:
        return
    statement = r.source.statement_at(r.error_line)
    call = (
        next((c for c in ast.walk(statement) if isinstance(c, ast.Call) and called(c) == "backward"), None)
        if statement
        else None
    )
    name = receiver(call) if call else "the loss"
    made = _where_bound(r, name)
    if kind in ("tuple", "list", "dict"):
        fix = f"{name}, *rest = ...  # or {name}[0].backward()"
        why = f"`{name}` is a {kind} of several values"
    else:
        leak = next((c for c in r.source.calls("item", "tolist") if c.lineno <= (r.error_line or 0)), None)
        if leak is not None and made is None:
            made = leak.lineno
        made = leak.lineno if leak is not None else made
        why = f"`{name}` is {'a Python number' if kind != 'NoneType' else 'None'}, which has no history"
        fix = f"keep tensors on the way to {name}, and call .item() only for printing"
    yield Report(
        "python-value-not-tensor",
        f"{why}: only a tensor has backward.",
        f"line {made or r.error_line}: `{r.source.line(made or r.error_line)}` makes it a {kind}.",
        fix,
        line=made or r.error_line,
    )


def _where_bound(r: Reading, name: str) -> int | None:
    lines = [s.lineno for s in r.source.all if isinstance(s, ast.Assign) and name in r.source.assigned(s)]
    return max((line for line in lines if line <= (r.error_line or 0)), default=None)
