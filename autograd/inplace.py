"""In-place operations: the same kernels and rules, with the result written into the first input.

What makes them special is everything around: leaves that want a gradient refuse, views rewrite the history of their
base, and the version of the storage goes up, so that a rule which saved the old values notices.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.lib.array_utils import byte_bounds

from . import errors
from .dispatch import PackedTensor, as_input, edge_of, make, run_kernel, saved_values, storage_of, watch
from .dtypes import OF_NUMPY, can_cast, result_type
from .mode import modes, switch
from .node import NO_EDGE, extra_of, meta_of
from .storage import Storage
from .tensor import Tensor, meta_for

if TYPE_CHECKING:
    from .ops.table import Operation


def written(t: Tensor) -> None:
    """Notes that the memory of ``t`` was written."""
    storage_of(t).version += 1


def replace_scalar(t: Tensor, value: Any) -> None:
    """Writes ``value`` into a 0-d tensor."""
    storage = storage_of(t)
    t.array[...] = value
    storage.version += 1


def check_writable(t: Tensor, *others: Any) -> None:
    """Raises RuntimeError if ``t`` may not be written in place now."""
    meta = t._meta
    if meta is not None:
        if meta.inference and not modes.inference:
            raise RuntimeError(errors.INFERENCE_IN_PLACE)
        view = meta.view
        if modes.grad and (t.requires_grad or any(isinstance(x, Tensor) and x.requires_grad for x in others)):
            if view is not None:
                from .views import refuse_view_write

                refuse_view_write(view)
                if t.requires_grad and view.base.is_leaf:
                    raise RuntimeError(errors.VIEW_OF_LEAF_IN_PLACE)
            if t.requires_grad and t.is_leaf:
                raise RuntimeError(errors.LEAF_IN_PLACE)
    array = t.array
    if isinstance(array, np.ndarray):
        for n, stride in zip(array.shape, array.strides, strict=True):
            if stride == 0 and n > 1 and array.size:
                raise RuntimeError(errors.OVERLAP)
        for x in others:
            shared = isinstance(x, Tensor) and x is not t and x._storage is not None and x._storage is t._storage
            if shared and _partly_the_same(array, x.array):
                raise RuntimeError(errors.PARTIAL_OVERLAP)


def _partly_the_same(a: Any, b: Any) -> bool:
    """Whether two views share some of their memory without being the same view. As in PyTorch
    (``at::get_overlap_status``) only views without gaps are looked at.
    """
    spans = [byte_bounds(a), byte_bounds(b)]
    if not (a.size and b.size) or any(high - low != v.nbytes for v, (low, high) in zip((a, b), spans, strict=True)):
        return False
    (low, high), (least, most) = spans
    if spans[0] == spans[1]:
        return bool(a.strides != b.strides)
    return bool(low < most and least < high)


def apply(op: Operation, inputs: tuple[Any, ...], params: tuple[Any, ...]) -> Tensor:
    """Runs ``op`` and writes the result into ``inputs[0]``, which is returned.

    RuntimeError if that tensor may not be written, or if the result's shape or type does not fit into it.
    """
    t: Tensor = inputs[0]
    inputs = (t, *(as_input(x) for x in inputs[1:]))
    check_writable(t, *inputs[1:])
    tangents: dict[int, Tensor] | None = None
    if switch.special and modes.dual_level:
        from .forward import tangents_of

        tangents = tangents_of(op, inputs, params)
    result = run_kernel(op, inputs, params)
    array = t.array
    shape = np.shape(result)
    if shape != array.shape and np.broadcast_shapes(shape, array.shape) != array.shape:
        raise RuntimeError(f"output with shape {list(array.shape)} doesn't match the broadcast shape {list(shape)}")
    kind = OF_NUMPY[np.asarray(result).dtype]
    if op.promote != "none" and op.differentiable:
        target = OF_NUMPY[array.dtype]
        if op.promote == "numeric":
            kind = result_type([x.array if isinstance(x, Tensor) else x for x in inputs])
        if not can_cast(kind, target):
            raise RuntimeError(f"result type {kind.word} can't be cast to the desired output type {target.word}")
    asked = op.differentiable and modes.grad  # else no edge is looked for: it may not be had from a view
    edges = tuple([edge_of(x) if isinstance(x, Tensor) else NO_EDGE for x in inputs]) if asked else ()
    tracked = (
        asked
        and array.dtype.kind == "f"
        and (any(e[0] is not None for e in edges) or any(isinstance(x, Tensor) and x.requires_grad for x in inputs))
    )
    node = None
    recorder = modes.recorder if switch.special else None
    before = recorder.before_write(t) if recorder is not None else None
    if tracked:
        assert op.node_class is not None
        number = 0 if op.variant is None else op.variant(inputs, params)
        node = op.node_classes[number + op.in_place_nodes]()
        node.extra = None
        node.next_functions = edges
        old = t
        if any(source == ("input", 0) for source in op.saved):
            # the rules want the value from before: keep a copy of it, at its place in the graph
            old = make(array.copy())
            old._edge = edges[0] if edges[0][0] is not None else None
            if tangents is not None:
                from .forward import copied

                meta_for(old).duals = copied(t)
        node.saved = saved_values(op, (old, *inputs[1:]), params, [make(None)], edges)
        node.meta = meta_of(array)
        if modes.saved_hooks:
            extra_of(node)
    storage: Storage = storage_of(t)
    t.array[...] = result
    storage.version += 1
    if node is not None:
        if op.saves_output:
            node.saved = tuple(
                (PackedTensor(make(t.array)) if modes.saved_hooks else t.array) if source[0] == "output" else value
                for source, value in zip(op.saved, node.saved, strict=True)
            )
            watch(node, 0, storage)
        attach(t, node)
    if switch.special:
        if tangents is not None:
            from .forward import copied, write_tangents

            write_tangents(t, tangents)
            if node is not None and op.saves_output:
                extra_of(node).duals = {0: copied(t)}
        if modes.observer is not None:
            modes.observer.operation(op, inputs, params, [t])
        if recorder is not None:
            recorder.after_write(t, op, inputs, params, before, node)
    return t


def attach(t: Tensor, node: Any) -> None:
    """Makes ``node`` the history of ``t`` after a write; through the base if ``t`` is a view."""
    meta = t._meta
    if meta is not None and meta.view is not None:
        from .views import rebase

        rebase(t, node)
    else:
        if meta is not None and (meta.hooks is not None or meta.retains):
            from .hooks import follow

            follow(t, (node, 0))
        t._edge = (node, 0)
