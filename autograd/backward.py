"""The backward pass.

A node may run when every consumer of its result has sent its part. So the pass first counts, for every node that can be
reached, how many edges lead to it; then it runs nodes whose count is down to zero, each exactly once, and adds what
they send to what is already waiting at their inputs. There is no recursion: a chain of any length works, and a stack of
diamonds costs one visit a node.

Gradients are NumPy arrays here. With ``create_graph=True`` the same loop runs on tensors, and the rules, being written
against names that exist for both, record what they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .dispatch import edge_of, make
from .gradients import conform, conform_tensor, joined
from .leaves import accumulate
from .mode import modes, pause, switch, sync
from .node import NO_EDGE, AccumulateGrad, Edge, GradientEdge, Node
from .tensor import Tensor
from .warn import create_graph as warn_create_graph


def run(
    roots: Sequence[Edge],
    seeds: Sequence[Any],
    *,
    retain_graph: bool,
    on_tensors: bool,
    wanted: Sequence[Edge] | None = None,
    into_leaves: bool = True,
) -> list[Any]:
    """Sends ``seeds`` (arrays; tensors with ``on_tensors``) from ``roots`` back through the graph.

    With ``wanted``, only nodes on a way to those edges run; the gradients that arrive there are returned (None where
    none did), and with ``into_leaves`` added to ``.grad`` of the leaves among them instead.
    """
    recorder = modes.recorder if switch.special else None
    starts = list(dict.fromkeys(edge[0] for edge in roots))
    allowed = None if wanted is None else _on_the_way(starts, wanted)
    states = _count(starts, allowed)
    captured: dict[Node, Any] | None = None if wanted is None or into_leaves else {node: None for node, _ in wanted}
    for (node, number), seed in zip(roots, seeds, strict=True):
        state = states[node]
        state[1] = joined(state[1], seed, node.meta, number)
        if recorder is not None:
            recorder.arrive(node, number, seed, state[0])
    fit = conform_tensor if on_tensors else conform
    observer = modes.observer if switch.special else None
    watched = recorder is not None or observer is not None or captured is not None or allowed is not None
    anomaly = modes.anomaly if switch.special else False
    drop = not retain_graph
    ready = [states[node] for node in reversed(starts) if not states[node][0]]
    leaves: list[Any] = []
    follow: Any = None
    while True:
        grads = None
        if leaves:  # as in PyTorch a leaf that is complete gets its gradient at once
            state = leaves.pop(0)
        elif follow is not None:
            state = follow
            follow = None
        elif ready:
            state = ready.pop()
        else:
            break
        node, g = state[2], state[1]
        state[1] = None
        if node.extra is not None:
            from .hooks import before_node, current

            current.nodes = states
            g = before_node(node, node.extra, g, on_tensors)
            current.nodes = ()
        if watched:
            if captured is not None and node in captured:
                captured[node] = g
            if recorder is not None and g is not None and (allowed is None or node in allowed):
                recorder.visit(node, g)
        if type(node) is AccumulateGrad:
            if g is not None and captured is None:
                if recorder is not None:
                    recorder.leaf_complete(node, g)
                accumulate(node.variable, g, on_tensors)
            continue
        if observer is not None:
            observer.visited(node)
        edges = node.next_functions
        if g is None:
            grads = (None,) * len(edges)
        elif anomaly:
            grads = _watched(node, g, on_tensors)
        elif on_tensors:
            grads = node.backward_tensors(g)
        else:
            grads = node.backward(g)
        if node.extra is not None and node.extra.post_hooks:
            from .hooks import after_node

            grads = after_node(node, node.extra, grads, g, on_tensors)
        upstream = g
        base = position = -1
        for target, number in edges:
            position += 1
            if target is None:
                continue
            if watched and target not in states:  # not on the way to what is wanted
                continue
            g = grads[position]
            state = states[target]
            state[0] = left = state[0] - 1
            if g is not None:
                meta = target.meta
                if type(g) is not meta:
                    if type(meta) is list:
                        g = fit(g, meta[number])
                        state[1] = joined(state[1], g, meta, number)
                    else:
                        if on_tensors or type(meta) is not tuple or g.shape != meta[0] or g.dtype is not meta[1]:
                            g = fit(g, meta)
                        state[1] = g if state[1] is None else state[1] + g
                elif state[1] is None:
                    state[1] = g
                else:
                    state[1] = state[1] + g
                if recorder is not None:
                    recorder.contribute(node, position, upstream, g, state[1], left)
            if not left:
                # depth first. As in PyTorch what was made last goes on first: as a rule the last argument. A trace
                # takes the arguments in the order in which they are written, as they are read
                if type(target) is AccumulateGrad:
                    leaves.append(state)
                elif recorder is None:
                    if follow is not None:
                        ready.append(follow)
                    follow = state
                elif follow is None:
                    follow = state
                else:
                    base = len(ready) if base < 0 else base
                    ready.insert(base, state)
        upstream = g = None  # memory that is free is memory the next rule can use
        if drop and node.frees:
            if node.op is None:
                node.release()
            else:
                node.saved = None
            if recorder is not None:
                recorder.freed(node)
            if observer is not None:
                observer.released(id(node))
    if captured is None:
        return []
    assert wanted is not None
    return [_captured(captured[node], node, number) for node, number in wanted]


def _watched(node: Node, g: Any, on_tensors: bool) -> tuple[Any, ...]:
    """Runs ``node`` in anomaly mode: a failure, or nan in what it computes, comes with where its operation ran."""
    from .anomaly import check, tell

    try:
        grads = node.backward_tensors(g) if on_tensors else node.backward(g)
    except RuntimeError:
        tell(node)
        raise
    if modes.check_nan:
        check(node, grads)
    return grads


def _captured(g: Any, node: Node, number: int) -> Any:
    return g[number] if isinstance(g, list) and type(node.meta) is list else g


def _count(starts: list[Node], allowed: set[Node] | None) -> dict[Node, list[Any]]:
    """A state for every node that can be reached from ``starts``: [edges leading to it, gradient so far, the node]."""
    states: dict[Node, list[Any]] = {node: [0, None, node] for node in starts}
    stack = list(starts)
    while stack:
        for target, _ in stack.pop().next_functions:
            if target is not None:
                if target in states:
                    states[target][0] += 1
                elif allowed is None or target in allowed:
                    states[target] = [1, None, target]
                    stack.append(target)
    return states


def _on_the_way(starts: list[Node], wanted: Sequence[Edge]) -> set[Node]:
    """The nodes from which one of ``wanted`` can be reached, those included."""
    goals = {node for node, _ in wanted}
    parents: dict[Node, list[Node]] = {node: [] for node in starts}
    stack = list(starts)
    while stack:
        node = stack.pop()
        for target, _ in node.next_functions:
            if target is None:
                continue
            if target in parents:
                parents[target].append(node)
            else:
                parents[target] = [node]
                stack.append(target)
    found = {node for node in goals if node in parents}
    stack = list(found)
    while stack:
        for parent in parents[stack.pop()]:
            if parent not in found:
                found.add(parent)
                stack.append(parent)
    return found


def _place(t: Any) -> Edge:
    """Where a gradient for ``t``, a tensor or an edge, goes."""
    return (t.node, t.output_nr) if isinstance(t, GradientEdge) else edge_of(t)


def _stand_in(t: Any) -> Tensor:
    """``t``, or for an edge something of the shape and type of its gradient."""
    if not isinstance(t, GradientEdge):
        return t  # type: ignore[no-any-return]
    meta = t.node.meta[t.output_nr] if type(t.node.meta) is list else t.node.meta
    shape, kind = meta if type(meta) is tuple else ((), meta)
    return make(np.zeros(shape, kind)[()]).requires_grad_()


def _seed(output: Tensor, gradient: Tensor | None, index: int, on_tensors: bool) -> Any:
    """The gradient a pass starts with at ``output``."""
    array = output.array
    if gradient is None:
        if not output.requires_grad:
            raise RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn")
        if array.size != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        if array.dtype.kind != "f":
            raise RuntimeError("grad can be implicitly created only for real scalar outputs")
        seed = array.dtype.type(1) if array.ndim == 0 else np.ones_like(array)
        return make(seed) if on_tensors else seed
    if not isinstance(gradient, Tensor):
        raise TypeError(f"gradients can be either Tensors or None, but got {type(gradient).__name__}")
    if gradient.array.shape != array.shape:
        raise RuntimeError(
            f"Mismatch in shape: grad_output[{index}] has a shape of {gradient.shape} and output[{index}] has a shape "
            f"of {output.shape}."
        )
    if not output.requires_grad:
        raise RuntimeError(f"element {index} of tensors does not require grad and does not have a grad_fn")
    if on_tensors:
        return gradient
    seed = gradient.array
    if seed.dtype != array.dtype:
        seed = seed.astype(array.dtype)
    return seed[()] if seed.ndim == 0 else seed


def _tuple(tensors: Any) -> tuple[Any, ...]:
    return (tensors,) if isinstance(tensors, (Tensor, GradientEdge)) else tuple(tensors)


def _roots(outputs: tuple[Tensor, ...], gradients: Any, on_tensors: bool) -> tuple[list[Edge], list[Any]]:
    given = (None,) * len(outputs) if gradients is None else _tuple(gradients)
    for g in given:
        if g is not None and not isinstance(g, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(g).__name__}")
    if len(given) < len(outputs):  # more than enough are taken, as in PyTorch
        raise RuntimeError(f"got {len(outputs)} tensors and {len(given)} gradients")
    seeds = [_seed(_stand_in(t), g, i, on_tensors) for i, (t, g) in enumerate(zip(outputs, given, strict=False))]
    return [_place(t) for t in outputs], seeds


def refuse_inside_transforms() -> None:
    """RuntimeError while the function of a transform of ``torch.func`` runs."""
    if modes.transforms:
        raise RuntimeError(
            "backward() called inside a functorch transform. This is not supported, please use functorch.grad or "
            "functorch.vjp instead or call backward() outside of functorch transforms."
        )


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Any = None,
    inputs: Any = None,
) -> None:
    """Adds the gradients of ``tensors`` to ``.grad`` of the leaves they were computed from
    (``torch.autograd.backward``).

    ``grad_tensors`` are the gradients to start with; they may be left out for tensors of one entry. RuntimeError where
    PyTorch raises it: no graph, several entries without a gradient, a graph that was freed.
    """
    refuse_inside_transforms()
    outputs = _tuple(tensors)
    if inputs is not None and not _tuple(inputs):
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    retain = create_graph if retain_graph is None else retain_graph
    roots, seeds = _roots(outputs, grad_variables if grad_tensors is None else grad_tensors, _on_tensors(create_graph))
    wanted = None
    if inputs is not None:
        wanted = [_place(t) for t in _tuple(inputs)]
        if any(edge is NO_EDGE for edge in wanted):
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    if create_graph:
        warn_create_graph()
    if wanted is not None and any(type(node) is not AccumulateGrad for node, _ in wanted):
        found = _run_traced(outputs, roots, seeds, retain, create_graph, wanted, False)
        for t, (node, _), g in zip(_tuple(inputs), wanted, found, strict=True):
            if g is not None:
                accumulate(t if type(node) is not AccumulateGrad else node.variable, g, _on_tensors(create_graph))
        return
    _run_traced(outputs, roots, seeds, retain, create_graph, wanted, True)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Any, ...]:
    """The gradients of the sum of ``outputs`` with respect to ``inputs``, returned rather than accumulated.

    An input that the outputs do not depend on is an error unless ``allow_unused``, then None; with
    ``materialize_grads`` it is zeros.
    """
    if allow_unused is None:
        allow_unused = materialize_grads
    elif allow_unused is False and materialize_grads:
        raise ValueError(
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
    results, targets = _tuple(outputs), _tuple(inputs)
    if not targets:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    for target in targets:
        if not isinstance(target, (Tensor, GradientEdge)):
            raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(target).__name__}")
    retain = create_graph if retain_graph is None else retain_graph
    if is_grads_batched:
        return _batched(results, targets, grad_outputs, retain, create_graph, allow_unused, materialize_grads)
    roots, seeds = _roots(results, grad_outputs, _on_tensors(create_graph))
    wanted = [_place(t) for t in targets]
    if any(edge[0] is None for edge in wanted):
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    found = _run_traced(results, roots, seeds, retain, create_graph, wanted, False)
    out: list[Any] = []
    for index, (g, target) in enumerate(zip(found, targets, strict=True)):
        if g is None:
            if not allow_unused:
                raise RuntimeError(
                    f"The differentiated Tensor at index {index} appears to not have been used in the graph. Set "
                    "allow_unused=True if this is the desired behavior."
                )
            if materialize_grads:
                g = np.zeros_like(_stand_in(target).array)
        if g is None or isinstance(g, Tensor):
            out.append(g)
        else:
            out.append(make(g.copy() if isinstance(g, np.ndarray) and any(g is s for s in seeds) else g))
    return tuple(out)


def _batched(
    outputs: tuple[Tensor, ...], inputs: tuple[Tensor, ...], rows: Any, retain: bool, create_graph: bool,
    allow_unused: bool, materialize_grads: bool,
) -> tuple[Any, ...]:  # fmt: skip
    """:func:`grad` for each slice of ``rows`` along the first dimension, the results stacked."""
    from .ops.joining import stack

    given = _tuple(rows)
    count = len(given[0])
    found = [
        grad(
            outputs, inputs, tuple(g if g is None else g[i] for g in given), retain_graph=retain or i < count - 1,
            create_graph=create_graph, allow_unused=allow_unused, materialize_grads=materialize_grads,
        )
        for i in range(count)
    ]  # fmt: skip
    return tuple(None if column[0] is None else stack.function(column) for column in zip(*found, strict=True))


def _on_tensors(create_graph: bool) -> bool:
    """Whether a pass runs on tensors: when it is recorded, and when tangents of forward mode travel along."""
    return create_graph or bool(switch.special and modes.dual_level)


def _run_traced(
    outputs: tuple[Tensor, ...],
    roots: list[Edge],
    seeds: list[Any],
    retain: bool,
    create_graph: bool,
    wanted: list[Edge] | None,
    into_leaves: bool,
) -> list[Any]:
    if not roots:
        return []
    if wanted is not None and not modes.partial:
        modes.partial = True
        try:
            return _run_traced(outputs, roots, seeds, retain, create_graph, wanted, into_leaves)
        finally:
            modes.partial = False
    recorder = modes.recorder if switch.special else None
    if recorder is not None:
        recorder.backward_start(roots[0][0], seeds[0], retain)
    before, on_tensors = modes.grad, _on_tensors(create_graph)
    if before != create_graph:
        if before and not switch.special:
            pause()
        else:
            modes.grad = create_graph
            sync()
        try:
            found = run(
                roots, seeds, retain_graph=retain, on_tensors=on_tensors, wanted=wanted, into_leaves=into_leaves
            )
        finally:
            modes.grad = before
            sync()
    else:
        found = run(roots, seeds, retain_graph=retain, on_tensors=on_tensors, wanted=wanted, into_leaves=into_leaves)
    if recorder is not None:
        recorder.backward_end()
    return found
