"""Where a history was cut between a leaf that should learn and the result."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd.trace import TraceEdge, TraceNode
from snippets.diagnose.flow import bound_by, computed_from
from snippets.diagnose.reading import Reading
from snippets.diagnose.report import FAULT, NOTE, Report, number
from snippets.diagnose.source import called, names, receiver

#: Cuts that a reader wrote on purpose when they wrote them at all.
DELIBERATE = {"detach", "no_grad", "data"}
#: Cuts that copy values out of the graph and back in.
COPIES = {"item", "tolist", "numpy", "tensor", "as_tensor", "new_tensor"}

#: Distributions of classes and counts, which have no ``rsample``.
OF_CLASSES = ("Bernoulli", "Binomial", "Categorical", "Geometric", "OneHotCategorical", "Poisson")

INSTEAD = {
    "item": "keep the tensor; call .item() only for printing",
    "tolist": "keep the tensor; call .tolist() only for printing",
    "numpy": "stay with torch operations; .detach().numpy() only for plotting and reports",
    "tensor": "torch.stack([...]) keeps the history of the tensors in it",
    "as_tensor": "torch.stack([...]) keeps the history of the tensors in it",
    "no_grad": "run this line outside torch.no_grad()",
    "detach": "leave .detach() out on the way from the parameters to the loss",
    "topk": "pass the values on, not the indices, or soft weights",
    "argmax": "pass soft weights on, such as torch.softmax(scores, dim=-1)",
    "comparison": "use a smooth step such as torch.sigmoid(k * (a - b)), or multiply the mask by the values",
}


def cut(r: Reading, leaves: list[TraceNode], root: TraceNode, severity: str = FAULT) -> Report:
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
            (line for leaf in leaves for line in r.source.marked_on(leaf.name or "") if line > (place.line or 0)), None
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
    if _is_draw(r, place):
        return _drawn(r, place, who, severity)
    if how == "no_grad" and _all_inside_no_grad(r, root):
        return Report(
            "nothing-requires-grad",
            f"Everything up to {r.name(root.id)} ran under no_grad, so nothing was recorded for backward.",
            f"{who} {'require' if ', ' in who else 'requires'} grad, but line {place.line} "
            f"(`{r.source.line(place.line)}`) ran with recording off; "
            f"{r.name(root.id)} has no grad_fn.",
            f"with torch.enable_grad():\n    {r.source.line(place.line)}",
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


def _is_draw(r: Reading, place: TraceNode) -> bool:
    """Whether ``place`` comes from the ``sample()`` of a distribution, which turns recording off by itself."""
    statement = r.source.statement_at(place.line)
    if statement is None or "distributions" not in r.source.text or r.source.under_no_grad_line(place.line):
        return False
    calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return any(called(call) == "sample" and receiver(call) for call in calls)


def _drawn(r: Reading, place: TraceNode, who: str, severity: str) -> Report:
    """The report on a draw between the parameters of a distribution and the loss."""
    line = r.source.line(place.line)
    instead = line.replace(".sample(", ".rsample(")
    if any(r.source.calls(*OF_CLASSES)):
        instead = "put .log_prob() of what was drawn into the loss; a draw of classes or counts has no derivative"
    return Report(
        "graph-cut",
        f"The history of {who} ends at line {place.line}: .sample() draws without history.",
        f"`{line}` gives plain values; no gradient gets through a draw to {who}.",
        instead,
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
        "topk": "indices carry no derivative",
        "argsort": "indices carry no derivative",
        "sort": "indices carry no derivative",
        "multinomial": "a drawn index carries no derivative",
        "argmax": "indices carry no derivative",
        "comparison": "a comparison gives booleans, which carry no derivative",
    }.get(how, f"{how} carries no derivative")


def _all_inside_no_grad(r: Reading, root: TraceNode) -> bool:
    """Whether the result itself was computed with recording off."""
    return not root.recorded and root.op not in COPIES and r.source.statement_at(root.line) is not None


def values_that_left(r: Reading) -> Report | None:
    """A value that left the graph as a Python number or array before the loss was made from it."""
    learners = {leaf.id for leaf in r.learners}
    for node in r.trace.nodes:
        lost = learners & r.behind(node.id, through_cuts=True) if node.op in COPIES else set()
        if lost:
            leaves = [leaf for leaf in r.learners if leaf.id in lost]
            ends = [r.nodes[edge.dst] for leaf in leaves for edge in r.cuts_between(leaf.id, node.id)]
            draw = next((place for place in ends if _is_draw(r, place)), None)
            if draw is not None:
                return _drawn(r, draw, ", ".join(dict.fromkeys(r.name(leaf.id) for leaf in leaves)), FAULT)
            return _left(r, node, node.op or "", leaves)
    return None


def lost_by_value(r: Reading) -> Iterator[Report]:
    """A leaf's value goes on as a plain number, array or index, and the loss is made from that: no gradient returns."""
    finished = [p for p in r.passes if p.end is not None]
    roots = list(dict.fromkeys(p.start.root for p in finished))
    wanted = {r.nodes[root].name for root in roots}
    for line in {p.start.line for p in finished}:
        statement = r.source.statement_at(line)
        wanted |= names(statement) if isinstance(statement, ast.Expr) else set()
    returned = {"forward"} if r.facts.get("modules") else set()  # what a module gives back reaches the loss
    missed = [
        leaf
        for leaf in r.learners
        if leaf.id not in r.reached and not any(r.cuts_between(leaf.id, root) for root in roots)
    ]
    for leaf in missed if roots else ():
        recorded = r.ahead(leaf.id) | {leaf.id}
        leaving = [edge for edge in r.trace.edges if not edge.recorded and edge.src in recorded]
        for edge in sorted(leaving, key=lambda e: r.born.get(e.dst, 0)):
            place = r.nodes[edge.dst]
            bound = bound_by(r.source, r.source.statement_at(place.line))
            if not bound or not computed_from(r.source, bound) & (wanted | returned):
                continue
            together = [other for other in missed if other.id in r.behind(edge.src) | {edge.src}]
            severity = _how_bad(r, edge, together)
            if severity:
                severity = FAULT if any(_grad_is_read(r, leaf) for leaf in together) else severity
                yield _left(r, place, edge.how or place.op or "", together, severity)
                return


def _left(r: Reading, place: TraceNode, how: str, leaves: list[TraceNode], severity: str = FAULT) -> Report:
    """The report on a value that left the graph at ``place``."""
    who = ", ".join(dict.fromkeys(r.name(leaf.id) for leaf in leaves))
    return Report(
        "graph-cut",
        f"The history of {who} ends at line {place.line}: {_what_cut(how)}.",
        f"`{r.source.line(place.line)}` hands on {number(r.value.get(place.id))} without history; the loss made from "
        "it can not lead back.",
        INSTEAD.get(how, "keep tensors, and operations that have a derivative, on the way to the loss"),
        line=place.line,
        node=place.id,
        event=r.born.get(place.id),
        severity=severity,
    )


#: Words of names that say that a term is there to be minimised.
_TERMS = {"reg", "regularizer", "penalty", "l1", "l2", "kl", "aux", "loss", "decay", "smoothness", "tv", "entropy"}


def term_without_history(r: Reading) -> Iterator[Report]:
    """One term of a loss is a value without history: it changes the loss, and teaches nothing."""
    learners = {leaf.id for leaf in r.learners}
    left = [n for n in r.trace.nodes if n.op in COPIES and learners & r.behind(n.id, through_cuts=True)]
    for p in r.some_passes:
        stack, sums = [p.start.root], []
        while stack:
            node_id = stack.pop()
            if r.nodes[node_id].op in ("add", "sub"):
                sums.append(node_id)
                stack += [e.src for e in r.into[node_id] if e.recorded]
        for node_id in sums:
            terms = [r.nodes[e.src] for e in r.into[node_id]]
            lost = next(
                (t for t in terms if not t.requires_grad and learners & r.behind(t.id, through_cuts=True)), None
            )
            place = lost or next((n for n in left if _enters(r, n, node_id)), None)
            beside = {source for term in terms if term is not lost for source in r.behind(term.id) | {term.id}}
            if place is None or any(e.src in beside and r.nodes[e.src].kind == "op" for e in r.into[place.id]):
                continue  # x + (f(x) - x).detach(), loss - loss.detach(): the value is there with its history as well
            yield _term(r, p.start.root, place)
            return


def _enters(r: Reading, left: TraceNode, node_id: str) -> bool:
    """Whether a sum reads a number that left the graph: on its own line, or by the name of it."""
    line = r.nodes[node_id].line
    statement = r.source.statement_at(line)
    if left.line == line or statement is None or len([e for e in r.into[node_id] if e.recorded]) > 1:
        return left.line == line and len(r.into[node_id]) < 2
    bound = bound_by(r.source, r.source.statement_at(left.line))
    return bool(computed_from(r.source, bound) & names(statement))


def _term(r: Reading, root: str, place: TraceNode) -> Report:
    behind = r.behind(place.id, through_cuts=True)
    who = ", ".join(dict.fromkeys(r.name(leaf.id) for leaf in r.learners if leaf.id in behind))
    named = bound_by(r.source, r.source.statement_at(place.line)) | {place.name or ""}
    meant = any(set(name.lower().split("_")) & _TERMS for name in named - {r.nodes[root].name})
    cut = next((e for leaf in r.learners for e in r.cuts_between(leaf.id, place.id)), None)
    how = cut.how if cut is not None and cut.how else place.op or ""
    where = r.nodes[cut.dst] if cut is not None else place
    return Report(
        "graph-cut",
        f"A term of {r.name(root)} has no history: {_what_cut(how)} (line {where.line}).",
        f"`{r.source.line(where.line)}` hands on {number(r.value.get(where.id))}; it changes the loss, and no gradient "
        f"goes through it to {who}.",
        INSTEAD.get(how, "keep the tensor"),
        line=where.line,
        node=where.id,
        event=r.born.get(where.id),
        severity=FAULT if meant else NOTE,
    )


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
            yield cut(r, leaves, r.nodes[root], severity)


def gradient_not_returned(r: Reading) -> Iterator[Report]:
    """The backward of a custom Function returns None for an input that should learn."""
    written = {
        c.name: c
        for c in r.source.all
        if isinstance(c, ast.ClassDef) and any(ast.unparse(base).endswith("Function") for base in c.bases)
    }
    passed = {e.edge for p in r.passes for e in p.contributions} if written else set()
    for node in r.trace.nodes if written and not r.error else ():
        made = written.get(node.op or "")
        if made is None or node.id not in r.reached:
            continue
        silent = [e.src for e in r.into[node.id] if e.recorded and e.id not in passed and r.nodes[e.src].requires_grad]
        lost = {i for source in silent for i in r.behind(source) | {source}} - r.reached
        leaves = [leaf for leaf in r.learners if leaf.id in lost]
        back = next((f for f in made.body if isinstance(f, ast.FunctionDef) and f.name == "backward"), None)
        if not leaves or back is None:
            continue
        returned = next((s for s in reversed(back.body) if isinstance(s, ast.Return)), back)
        who = ", ".join(dict.fromkeys(r.name(leaf.id) for leaf in leaves))
        yield Report(
            "graph-cut",
            f"The backward of {made.name} returns None for {who}: no gradient gets there.",
            f"`{r.source.line(returned.lineno)}`; line {node.line} used {made.name} with an input that requires grad.",
            "return one gradient for each input of forward; None only for what needs none",
            line=returned.lineno,
            node=node.id,
            event=r.born.get(node.id),
            severity=FAULT if any(r.optimizer_holds(leaf.id) or _grad_is_read(r, leaf) for leaf in leaves) else NOTE,
        )
        return


def _how_bad(r: Reading, edge: TraceEdge, leaves: list[TraceNode]) -> str | None:
    """A fault, a note, or nothing: a deliberate cut before weights that nobody trains is good practice."""
    trained = any(r.optimizer_holds(leaf.id) for leaf in leaves) and bool(r.steps)
    asked = any(_grad_is_read(r, leaf) for leaf in leaves)
    if edge.how not in DELIBERATE:
        only_labels = bool(r.facts.get("optimizers")) and not trained and not asked  # as a teacher's hard labels
        return None if only_labels else FAULT
    if trained:
        return FAULT
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
    """A state that turn after turn is computed from is detached at each, although one backward follows them all."""
    for call in r.source.calls("detach", "detach_"):
        turns = [n for n in r.trace.nodes if n.op in ("detach", "detach_") and n.line == call.lineno]
        if len(turns) < 2 or r.source.under_no_grad(call):
            continue
        behind = r.behind(turns[-1].id, through_cuts=True)
        born = [r.born.get(turn.id, 0) for turn in turns]
        after = next((p for p in r.passes if p.start.t > born[-1]), None)
        if turns[-2].id not in behind or after is None or any(born[0] < p.start.t < born[-1] for p in r.passes):
            continue
        root = after.start.root
        source = next((e.src for e in r.into[turns[-1].id]), None)
        lost = [leaf for leaf in r.learners if leaf.id in behind]
        # A straight-through step detaches a difference; the state itself goes on beside it.
        if turns[-1].id not in r.behind(root, through_cuts=True) or source in r.behind(root) or not lost:
            continue
        who, state = ", ".join(r.name(leaf.id) for leaf in lost), receiver(call)
        yield Report(
            "graph-cut",
            f"{state} is detached at every turn, so no gradient flows through time to {who}.",
            f"`{r.source.line(call.lineno)}` cut the history {len(turns)} times before the one backward of line "
            f"{after.start.line}; only the last turn reaches {who}.",
            f"use {state} instead of {state}.detach() here; detach once, between two backward passes",
            line=call.lineno,
            node=turns[-1].id,
            event=r.born.get(turns[-1].id),
        )
        return
