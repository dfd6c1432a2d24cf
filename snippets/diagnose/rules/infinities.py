"""nan and infinity: the first operation, forward or backward, where one appeared."""

from __future__ import annotations

from collections.abc import Iterator

from autograd.trace import Contribute, Forward, LeafGrad
from snippets.diagnose.reading import Reading, entries, has_nan
from snippets.diagnose.report import Report, number


def nan_or_inf(r: Reading) -> Iterator[Report]:
    """The first operation, forward or backward, where nan or an infinity appeared."""
    bad_leaf = next((e for e in r.events(LeafGrad) if has_nan(e.after)), None)
    first_forward = next((e for e in r.events(Forward) if has_nan(e.value) and _made_it(r, e)), None)
    # What goes wrong in a pass shows in a .grad; passes of autograd.grad fill none.
    look = bad_leaf is not None or first_forward is not None or any(not p.leaf_grads for p in r.passes)
    contributions = r.events(Contribute) if look else []
    first_backward = next((e for e in contributions if has_nan(e.value) and not has_nan(e.upstream)), None)
    asked = any(has_nan(v.get("data")) for v in r.values.values() if isinstance(v, dict) and v.get("kind") == "tensor")
    asked = asked or any(has_nan(r.value.get(root)) for root in r.roots())
    computed = first_forward is not None and bool(r.into[first_forward.node])
    if bad_leaf is None and first_backward is None and not (computed and asked):
        return
    ends = f"; {r.name(bad_leaf.node)}.grad ends as {number(bad_leaf.after)}." if bad_leaf else "."
    spread = first_forward is not None and first_backward is not None and first_backward.t < first_forward.t
    if first_forward is not None and not spread:  # a step hands the nan of a backward to the next forward
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


def _made_it(r: Reading, event: Forward) -> bool:
    """Whether the operation itself produced nan, or an infinity that nobody wrote, from inputs without it."""
    inputs = [r.value.get(e.src) for e in r.into[event.node]]
    if _kind(event.value) == "nan":
        return not any(has_nan(value) and _kind(value) == "nan" for value in inputs)
    return not any(has_nan(value) for value in inputs) and not _meant_infinite(r, event.node)


def _meant_infinite(r: Reading, node_id: str) -> bool:
    """An infinity written by hand (a mask of -inf before softmax) is no accident."""
    return r.nodes[node_id].op in (None, "masked_fill", "masked_fill_", "where", "full", "fill_")


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
