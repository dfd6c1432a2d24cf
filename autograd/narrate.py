"""The walk in words: one or two plain sentences for each thing that happens, with its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from autograd import notation
from autograd.trace import (
    Accumulate,
    BackwardStart,
    Contribute,
    Error,
    Forward,
    LeafGrad,
    Mutate,
    Step,
    TraceEdge,
    TraceNode,
    Value,
    ZeroGrad,
)

Nodes = Mapping[str, TraceNode]

#: A sentence names at most this many tensors, then says how many more there are.
NAMED = 4

_CUTS = {
    "no_grad": "It runs under no_grad, so nothing is recorded and no gradient will pass here.",
    "inference_mode": "It runs in inference mode, so nothing is recorded and no gradient will pass here.",
    "item": "A Python number comes out. It has no history, so no gradient will pass here.",
    "tolist": "Python numbers come out. They have no history, so no gradient will pass here.",
    "numpy": "A NumPy array comes out. It has no history, so no gradient will pass here.",
    "tensor": "A new tensor is made from the bare numbers. It starts without history.",
    "comparison": "A comparison only answers yes or no: it has no derivative, so no gradient will pass here.",
}


def value_text(value: Value) -> str:
    """A value inside a sentence: the number, a short array written out, or shape, mean and norm."""
    if not notation.is_array(value):
        return notation.number(value) if value is not None else "nothing"
    if isinstance(value, dict):
        return f"an array ({notation.summary(value)})"
    text = notation.full(value)
    return text if len(text) <= 40 else f"an array ({notation.summary(value)})"


def forward(event: Forward, node: TraceNode, inputs: Sequence[tuple[TraceEdge, TraceNode]]) -> str:
    """A tensor came into being."""
    name = notation.called(node)
    value = value_text(event.value)
    if node.kind == "leaf":
        return f"{name} is created: {value}. It requires grad, so what is computed from it will be recorded."
    if node.kind == "constant":
        return f"{name} is created: {value}. It does not require grad, so it gets no gradient."
    said = f"{notation.titled(node)} gives {value}."
    cut = next((edge for edge, _ in inputs if edge.how), None)
    if cut is not None and cut.how is not None:
        source = next(src for edge, src in inputs if edge is cut)
        if cut.how == "detach":
            return (
                f"{said} It shares the data of {notation.called(source)} but not the history: no gradient passes here."
            )
        reason = _CUTS.get(
            cut.how, f"{cut.how} has no derivative, so nothing is recorded and no gradient will pass here."
        )
        return f"{said} {reason}"
    if not node.recorded:
        return f"{said} No input requires grad, so nothing is recorded."
    kept = f", with {node.saved_bytes:,} bytes kept for the way back" if node.saved_bytes else ""
    return f"{said} {node.grad_fn or notation.operation(node)} is recorded{kept}."


def mutate(event: Mutate, node: TraceNode) -> str:
    """A tensor's memory was overwritten."""
    versions = f"its version goes from {event.version_before} to {event.version_after}"
    return f"{notation.called(node)} is changed in place to {value_text(event.value)}; {versions}."


def backward_start(event: BackwardStart, root: TraceNode) -> str:
    """A backward pass begins."""
    name = notation.called(root)
    kept = " retain_graph keeps the graph for another pass." if event.retain_graph else ""
    if notation.is_array(event.seed):
        return f"Backward pass {event.pass_} starts at {name} with the given gradient {value_text(event.seed)}.{kept}"
    seed = notation.number(event.seed)
    why = f"∂{name}/∂{name} = 1" if seed == "1" else f"the gradient {seed}"
    return f"Backward pass {event.pass_} starts at {name} with {why}.{kept}"


def product(event: Contribute) -> str:
    """``upstream × local = value``: ``1 × 2·x = 1 × 6 = 6``, ``1 × 2 = 2``; for arrays the rule and the shapes."""
    if isinstance(event.local, dict):
        rule = notation.expression(event.rule, 40)
        return f"{rule} = {value_text(event.value)}"
    upstream, local = notation.short(event.upstream), notation.short(event.local)
    symbol = notation.expression(event.rule, 24) if event.rule else local
    local = notation.factor(local)
    middle = f"{upstream} × {local} = " if notation.factor(symbol) != local else ""
    if middle and not notation.is_array(event.upstream):
        return f"{upstream} × {notation.factor(symbol)} = {middle}{notation.short(event.value)}"
    return f"{upstream} × {local} = {notation.short(event.value)}"


def contribute(event: Contribute, giver: TraceNode, taker: TraceNode) -> str:
    """A gradient travels one edge."""
    if isinstance(event.local, dict):
        sizes = notation.shape(event.local.get("upstream_shape") or ())
        turned = notation.shape(event.local.get("shape") or ())
        rule = notation.expression(event.rule, 40)
        way = f"the gradient ({sizes})" if sizes == turned else f"the gradient ({sizes} in, {turned} out)"
        return (
            f"{notation.called(giver)} passes {way} on to {notation.called(taker)} by its rule {rule}: "
            f"{value_text(event.value)}."
        )
    return f"{notation.called(giver)} passes {product(event)} to {notation.called(taker)}."


def accumulate(event: Accumulate, node: TraceNode, position: int, total: int) -> str:
    """A contribution arrived at a node that has ``total`` of them in this pass; "" when there is only one."""
    if total < 2:
        return ""
    name = notation.called(node)
    pending = event.pending
    more = "One more is to come." if pending == 1 else f"{pending} more are to come."
    if event.before is None:
        return f"It is the first of {total} contributions to {name}. {more}" if pending else ""
    before, added, after = (value_text(v) for v in (event.before, event.added, event.after))
    if notation.is_array(event.after):
        held = f"{name} adds it to what it already holds and now holds {after}."
    else:
        held = f"{name} already holds {before}, so it now holds {before} + {notation.factor(added)} = {after}."
    return f"{held} {more}" if pending else f"{held} Nothing more is to come."


def leaf_grad(event: LeafGrad, node: TraceNode) -> str:
    """A gradient landed in ``.grad``."""
    name = notation.called(node)
    added, after = value_text(event.added), value_text(event.after)
    if not node.is_leaf:
        return f"{name} is not a leaf, but retain_grad asked to keep its gradient: {name}.grad = {after}."
    if event.before is None:
        return f"{name} is a leaf and its gradient is complete: {name}.grad = {after}."
    before = value_text(event.before)
    if notation.is_array(event.after):
        return f"{name}.grad already held {before}. The new gradient is added, not put in its place: {after}."
    return (
        f"{name}.grad already held {before}. The new gradient {added} is added, not put in its place: "
        f"{before} + {notation.factor(added)} = {after}."
    )


def free(name: str, size: int) -> str:
    """A node let go of what it had saved."""
    return f"{name} lets go of the {size:,} bytes it had saved."


def backward_end(number: int, grads: Sequence[tuple[str, Value]]) -> str:
    """A backward pass is over; ``grads`` are the (name, .grad) pairs it filled."""
    if not grads:
        return f"Backward pass {number} is over. It filled no .grad."
    said = [f"{name}.grad = {value_text(value)}" for name, value in grads[:NAMED]]
    rest = f", and {len(grads) - NAMED} more" if len(grads) > NAMED else ""
    return f"Backward pass {number} is over. {', '.join(said)}{rest}."


def zero_grad(event: ZeroGrad, nodes: Nodes) -> str:
    """Gradients were cleared."""
    who = f"{event.optimizer}.zero_grad()" if event.optimizer else "zero_grad()"
    said = []
    for entry in event.parameters[:NAMED]:
        before = value_text(entry.get("before")) if entry.get("before") is not None else "None"
        after = value_text(entry.get("after")) if entry.get("after") is not None else "None"
        name = f"{_name(entry, nodes)}.grad"
        said.append(f"{name} stays {after}" if before == after else f"{name} goes from {before} to {after}")
    return f"{who} clears the gradients: {_listed(said, len(event.parameters))}."


def step(event: Step, nodes: Nodes) -> str:
    """An optimizer moved its parameters."""
    said = []
    for entry in event.parameters[:NAMED]:
        name = _name(entry, nodes)
        if entry.get("grad") is None:
            said.append(f"{name} stays (its .grad is None)")
            continue
        before, after, grad = (value_text(entry.get(key)) for key in ("before", "after", "grad"))
        said.append(f"{name} goes from {before} to {after} (.grad {grad})")
    return f"{event.optimizer or 'The optimizer'} steps: {_listed(said, len(event.parameters))}."


def error(event: Error) -> str:
    """The program stopped."""
    message = event.message if len(event.message) <= 400 else event.message[:399] + "…"
    return f"The program stops here with {event.type}: {message}"


def _name(entry: Mapping[str, Any], nodes: Nodes) -> str:
    node = nodes.get(str(entry.get("node")))
    return notation.called(node) if node is not None else str(entry.get("name") or entry.get("node"))


def _listed(said: Sequence[str], total: int) -> str:
    if not said:
        return "there are no parameters"
    rest = f"; and {total - len(said)} more" if total > len(said) else ""
    return "; ".join(said) + rest
