"""How an operation runs: the one way through which every operation on tensors goes.

:func:`apply` computes the result, wraps it, and, when a gradient is wanted, leaves a node behind. The fast paths that
:mod:`autograd.ops.generate` writes do the same for 0-d tensors in default modes, in fewer steps.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from . import errors
from .dtypes import OF_NUMPY
from .mode import modes, switch
from .node import NO_EDGE, AccumulateGrad, Edge, Node, extra_of, meta_of
from .promotion import FLOATS, alike, promote
from .storage import Storage
from .tensor import Meta, Tensor, ViewInfo

if TYPE_CHECKING:
    from .ops.table import Operation

_new = object.__new__


def make(array: Any, like: type[Tensor] = Tensor) -> Tensor:
    """A tensor around ``array`` (shared, not copied) without history."""
    t: Tensor = _new(like)
    t.array = array
    t._edge = t._meta = t._storage = None
    if switch.special and modes.inference:
        t._meta = Meta()
        t._meta.inference = True
    return t


def edge_of(t: Tensor) -> Edge:
    """Where a gradient for ``t`` goes: ``(node, output number)``, or ``(None, 0)`` when it needs none."""
    edge = t._edge
    if edge is not None:
        return edge
    meta = t._meta
    if meta is None:
        return NO_EDGE
    if meta.view is not None:
        edge = meta.view.edge
        if edge is not None and meta.view.version == t._storage.version:  # type: ignore[union-attr]
            return edge
        from .views import view_edge

        edge = view_edge(t)
        if edge is not NO_EDGE or not meta.requires_grad:
            return edge
    if not meta.requires_grad:
        return NO_EDGE
    node = meta.accumulator() if meta.accumulator is not None else None
    if node is None:
        node = AccumulateGrad(t)
        meta.accumulator = weakref.ref(node)
        if meta.hooks is not None or meta.post_accumulate is not None:
            from .hooks import attach_to_leaf

            attach_to_leaf(t, node)
    return (node, 0)


def storage_of(t: Tensor) -> Storage:
    """The storage of ``t``, made now if it had none; results that rules saved are watched from here on."""
    storage = t._storage
    if storage is None:
        storage = t._storage = Storage()
        if not isinstance(t.array, np.ndarray):
            t.array = np.array(t.array)
        if t._edge is not None:
            node, number = t._edge
            if node.op is None or node.op.saves_output:
                watch(node, number, storage)
    return storage


def watch(node: Node, number: int, storage: Storage) -> None:
    """Notes that result ``number`` of ``node``, which its rules may read, now has a version that can change."""
    extra = extra_of(node)
    if extra.watch is None:
        extra.watch = {}
    extra.watch.setdefault(number, (storage, storage.version))


class SavedTensor:
    """A saved input whose storage had been shared or written before, with its version at that time."""

    __slots__ = ("tensor", "version")

    def __init__(self, tensor: Tensor, version: int) -> None:
        self.tensor = tensor
        self.version = version


class PackedTensor:
    """A saved tensor that a saved-tensors hook has packed into something else."""

    __slots__ = ("edge", "hook", "packed")

    def __init__(self, tensor: Tensor) -> None:
        pack, self.hook = modes.saved_hooks[-1]
        self.edge = edge_of(tensor)
        self.packed = pack(tensor)

    def unpack(self) -> Tensor:
        """What the hook makes of the packed tensor."""
        found = self.hook(self.packed)
        if not isinstance(found, Tensor):
            raise TypeError(
                "Output of saved tensor unpack_hook expected to be a Tensor but got result of type "
                + type(found).__name__
            )
        return found


def save(value: Any) -> Any:
    """An input as a node keeps it: the tensor itself, or with its version when that can matter; numbers as they are."""
    if not isinstance(value, Tensor):
        return value
    if modes.saved_hooks:
        return PackedTensor(value)
    meta = value._meta
    if meta is not None and meta.inference:
        raise RuntimeError(errors.INFERENCE_SAVED)
    storage = value._storage
    return value if storage is None else SavedTensor(value, storage.version)


def _check(tensor: Tensor, storage: Storage | None, expected: int) -> None:
    if storage is not None and storage.version != expected:
        edge = edge_of(tensor)
        source = ""
        if edge[0] is not None and not isinstance(edge[0], AccumulateGrad):
            source = f", which is output {edge[1]} of {plain_name(edge[0])},"
        raise errors.modified(tensor.array, source, storage.version, expected, modes.anomaly)


def plain_name(node: Node) -> str:
    """``Exp`` for ExpBackward0, ``Max1`` for MaxBackward1: how the message about in-place writes names a node."""
    name = node.name()
    head, _, number = name.rpartition("Backward")
    return name if number == "s" else head + ("" if number == "0" else number)


def unpack_array(node: Node, value: Any, kind: tuple[str, Any]) -> Any:
    """A saved value as an array, after checking that nobody wrote to it since."""
    if isinstance(value, tuple) and kind[0] == "input":
        return [unpack_array(node, v, kind) for v in value]
    if isinstance(value, SavedTensor):
        _check(value.tensor, value.tensor._storage, value.version)
        return value.tensor.array
    if isinstance(value, PackedTensor):
        array = value.unpack().array
        return array if array.ndim else array[()]
    if isinstance(value, Tensor):
        _check(value, value._storage, 0)
        return value.array
    if kind[0] == "output" and node.extra is not None and node.extra.watch is not None:
        watched = node.extra.watch.get(kind[1])
        if watched is not None and watched[0].version != watched[1]:
            source = f", which is output {kind[1]} of {plain_name(node)},"
            raise errors.modified(value, source, watched[0].version, watched[1], modes.anomaly)
    return value


def unpack_tensor(node: Node, value: Any, kind: tuple[str, Any]) -> Any:
    """A saved value as a tensor with its place in the graph."""
    if isinstance(value, tuple) and kind[0] == "input":
        return [unpack_tensor(node, v, kind) for v in value]
    if kind[0] == "output":
        if node.extra is not None and node.extra.results is not None:
            return node.extra.results[kind[1]]
        raw = unpack_array(node, value, kind)
        if not hasattr(raw, "dtype"):
            return raw
        result = make(raw)
        if kind[1] not in nondiff_positions(node):
            result._edge = (node, kind[1])
        if node.extra is not None and node.extra.duals is not None and kind[1] in node.extra.duals:
            result._meta = Meta()
            result._meta.duals = dict(node.extra.duals[kind[1]])
        return result
    if kind[0] != "input":
        return value
    if isinstance(value, PackedTensor):
        result = make(value.unpack().array)
        result._edge = value.edge if value.edge[0] is not None else None
        return result
    unpack_array(node, value, kind)
    return value.tensor if isinstance(value, SavedTensor) else value


def nondiff_positions(node: Node) -> frozenset[int]:
    """Which results of the node's operation carry no gradient."""
    op = node.op
    if op is None or not op.nondiff:
        return frozenset()
    return frozenset(i for i, name in enumerate(op.output_names) if name in op.nondiff)


def run_kernel(op: Operation, inputs: Any, params: tuple[Any, ...]) -> Any:
    """The result of ``op`` as an array (or a tuple of arrays)."""
    values = [x.array if isinstance(x, Tensor) else x for x in inputs]
    if op.promote != "none" and not alike(values):
        values, _ = promote(op, values)
    try:
        return op.forward(values, *params) if op.variadic else _call(op, values, params)
    except ValueError as error:
        shapes = [v.shape for v in values if hasattr(v, "shape")]
        mismatch = op.elementwise or str(error).startswith("operands could not be broadcast")
        better = errors.broadcast(shapes) if mismatch else None
        if better is not None:
            raise better from None
        raise RuntimeError(str(error)) from error
    except TypeError as error:
        raise errors.wrong_type(op, values, error) from error


def _call(op: Operation, values: list[Any], params: tuple[Any, ...]) -> Any:
    if op.has_keywords and not (len(params) == 1 and params[0] is op.param_defaults[0]):
        return op.forward(*values, **dict(zip(op.param_names, params, strict=True)))
    return op.forward(*values) if op.has_keywords else op.forward(*values, *params)


def as_input(value: Any) -> Any:
    """An argument of an operation: tensors and Python numbers as they are, NumPy values as tensors."""
    if isinstance(value, np.generic) and value.dtype in OF_NUMPY:
        return value.item()  # PyTorch takes a NumPy number for a Python number
    if isinstance(value, Tensor) or value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, np.ndarray) and value.dtype in OF_NUMPY:
        return make(value)
    raise TypeError(f"expected a Tensor or a number, but got {type(value).__name__}")


def _takes_numbers(op: Operation, position: int) -> bool:
    return op.numbers is True or (op.numbers == "other" and position > 1)


def checked_inputs(op: Operation, inputs: Any) -> tuple[Any, ...]:
    """The inputs of ``op`` as tensors, numbers and Nones; TypeError for anything else, and where only a tensor will
    do.
    """
    alone = len(inputs) == 1 and not op.variadic
    checked = []
    for position, x in enumerate(inputs, 1):
        if not isinstance(x, Tensor):
            if isinstance(x, np.generic) and x.dtype in OF_NUMPY:
                x = x.item()  # PyTorch takes a NumPy number for a Python number
            if isinstance(x, np.ndarray) and x.dtype in OF_NUMPY:
                x = make(x)
            elif x is None:
                if op.elementwise and len(inputs) <= 2:
                    raise errors.argument(op, position, x)
            elif alone or not isinstance(x, (int, float)) or not _takes_numbers(op, position):
                raise errors.argument(op, position, x)
        checked.append(x)
    return tuple(checked)


def apply(op: Operation, inputs: Any, params: tuple[Any, ...] = ()) -> Any:
    """Runs ``op`` on ``inputs`` (tensors and numbers) with its other parameters in order; returns tensors."""
    if not switch.special and op.keep is not None:
        result = look(op, inputs[0], params) if op.view else _direct(op, inputs, params)
        if result is not None:
            return result
    if (
        modes.only_recorder
        and op.quick is not None
        and modes.recorder is not None
        and (not op.plain or params == op.param_defaults)
    ):
        quick = op.quick(*inputs, *params)
        if quick is not None:
            modes.recorder.quick(op, inputs, params, quick)
            return quick
    if modes.only_no_grad and op.quick is not None and (not op.plain or params == op.param_defaults):
        value = _scalar_value(op, inputs, params)
        if value is not None:
            return make(value)
    for x in inputs:
        if not isinstance(x, Tensor):
            inputs = checked_inputs(op, inputs)
            break
    result = run_kernel(op, inputs, params)
    if op.multi:
        outputs = [wrap(op, inputs, array, params, i) for i, array in enumerate(result)]
    else:
        outputs = [wrap(op, inputs, result, params, 0)]
    if op.differentiable and modes.grad:
        record(op, inputs, params, outputs)
    if switch.special:
        if modes.dual_level:
            from .forward import push

            push(op, inputs, params, outputs)
        if modes.observer is not None:
            modes.observer.operation(op, inputs, params, outputs)
        if modes.recorder is not None:
            modes.recorder.operation(op, inputs, params, outputs)
    if not op.multi:
        return outputs[0]
    return op.returns(*outputs) if op.returns is not None else tuple(outputs)


def _direct(op: Operation, inputs: Any, params: tuple[Any, ...]) -> Any:
    """The steps of :func:`apply` for the case that is common in training, in one go: no views, arrays of one type
    and numbers, in default modes. None where it is not that simple, or where the kernel objects.
    """
    values: list[Any] = []
    edges: list[Edge] = []
    node_wanted = False
    kind: Any = None
    for x in inputs:
        if isinstance(x, Tensor):
            a = x.array
            if type(a) is not np.ndarray:
                return None
            if kind is None:
                kind = a.dtype
            elif a.dtype is not kind and op.promote != "none":
                return None
            edge = x._edge
            if edge is None:
                edge = NO_EDGE if x._meta is None else edge_of(x)
                if edge is NO_EDGE and x._meta is not None and x._meta.view is not None:
                    return None
            if edge[0] is not None:
                node_wanted = True
            edges.append(edge)
            values.append(a)
        elif ((type(x) is float or type(x) is int) and (op.numbers is True or (op.numbers and values))) or (
            x is None and not op.elementwise
        ):
            edges.append(NO_EDGE)
            values.append(x)
        else:
            return None
    if kind is None or (op.promote != "none" and kind.kind != "f"):
        return None
    try:
        value = _call(op, values, params) if op.has_keywords else op.forward(*values, *params)
    except (ValueError, TypeError):
        return None
    results = [unpacked(v) for v in value] if op.multi else [unpacked(value)]
    tensors = [make(result) for result in results]
    if node_wanted and (op.multi or results[0].dtype.kind == "f"):
        node = _node(op, inputs, params)
        node.extra = None
        node.next_functions = tuple(edges)
        node.saved = op.keep(inputs, params, results, edges)  # type: ignore[misc]
        if op.multi:
            node.meta = [meta_of(result) for result in results]
            for number, t in enumerate(tensors):
                if op.output_names[number] not in op.nondiff and t.array.dtype.kind == "f":
                    t._edge = (node, number)
        else:
            node.meta = meta_of(results[0])
            tensors[0]._edge = (node, 0)
    return op.returns(*tensors) if op.multi else tensors[0]


def look(op: Operation, source: Any, params: tuple[Any, ...] = ()) -> Any:
    """:func:`_direct` for the view ``op`` of an array; None where the kernel objects or looks at no array."""
    if not isinstance(source, Tensor) or type(source.array) is not np.ndarray:
        return None
    try:
        array = _call(op, [source.array], params) if op.has_keywords else op.forward(source.array, *params)
    except (ValueError, TypeError):
        return None
    if type(array) is not np.ndarray:
        return None
    t: Tensor = _new(Tensor)
    t.array = array
    t._edge = None
    t._storage = source._storage or storage_of(source)
    t._meta = Meta()
    view = t._meta.view = ViewInfo(source, op, params, 0, True, False)
    edge = edge_of(source)
    if edge[0] is not None and array.dtype.kind == "f":
        node = _node(op, (source,), params)
        node.extra = None
        node.next_functions = (edge,)
        node.saved = op.keep((source,), params, (), (edge,)) if op.saved else ()  # type: ignore[misc]
        node.meta = (array.shape, array.dtype) if array.ndim else array.dtype.type
        view.edge = (node, 0)
    return t


def unpacked(array: Any) -> Any:
    """What a kernel returned, 0-d values as NumPy scalars."""
    if type(array) is np.ndarray:
        return array if array.ndim else array[()]
    return array if isinstance(array, np.generic) else np.asarray(array)[()]


def _scalar_value(op: Operation, inputs: Any, params: tuple[Any, ...]) -> Any:
    """The result for 0-d floats of one type and numbers, by the kernel for those; None if the inputs are others."""
    values = []
    kind: Any = None
    for x in inputs:
        t = type(x)
        if t is float or t is int:
            values.append(x)
            continue
        if t is not Tensor:
            return None
        t = type(x.array)
        if t not in FLOATS or (kind is not None and t is not kind):
            return None
        kind = t
        values.append(x.array)
    value = op.scalar(*values) if op.plain else op.scalar(*values, *params)
    return value if type(value) is kind else None


def wrap(op: Operation, inputs: Any, array: Any, params: tuple[Any, ...], number: int) -> Tensor:
    """A kernel's result as a tensor; results of views share the storage of what they look at."""
    view = op.view
    if view:
        source = inputs[0]
        if view is True or (isinstance(source.array, np.ndarray) and np.may_share_memory(array, source.array)):
            return make_view(source, array, op, params, number)
    if not isinstance(array, np.ndarray):
        if not isinstance(array, np.generic):
            array = np.asarray(array)[()]
    elif array.ndim == 0:
        array = array[()]
    return make(array)


def make_view(source: Tensor, array: Any, op: Operation, params: tuple[Any, ...], number: int) -> Tensor:
    """A tensor that looks at the memory of ``source``; in-place writes through either are seen by both."""
    storage = source._storage
    if storage is None:
        was_scalar = not isinstance(source.array, np.ndarray)
        storage = storage_of(source)
        if was_scalar or not isinstance(array, np.ndarray):
            array = op.forward(source.array, *params)
    elif not isinstance(array, np.ndarray):
        array = op.forward(source.array, *params)
    if op.multi and isinstance(array, (tuple, list)):
        array = array[number]
    t = make(array)
    t._storage = storage
    if t._meta is None:
        t._meta = Meta()
    if op.name != "detach":
        t._meta.view = ViewInfo(source, op, params, number, modes.grad, modes.inference)
    return t


def record(op: Operation, inputs: Any, params: tuple[Any, ...], outputs: list[Tensor]) -> None:
    """Leaves a node behind if any input needs a gradient, and points the outputs to it."""
    edges = tuple([edge_of(x) if isinstance(x, Tensor) else NO_EDGE for x in inputs])
    for edge in edges:
        if edge[0] is not None:
            break
    else:
        if not any(isinstance(x, Tensor) and x._meta is not None and x.requires_grad for x in inputs):
            return
    if not op.multi and outputs[0].array.dtype.kind != "f":
        return
    node = _node(op, inputs, params)
    node.extra = None
    node.next_functions = edges
    node.saved = saved_values(op, inputs, params, outputs, edges)
    if modes.saved_hooks:
        extra_of(node)  # tells the rule to look before it takes a saved result for an array
    node.meta = [meta_of(t.array) for t in outputs] if op.multi else meta_of(outputs[0].array)
    for number, t in enumerate(outputs):
        if op.nondiff and op.output_names[number] in op.nondiff:
            continue
        if t.array.dtype.kind != "f":
            continue
        if t._meta is not None and t._meta.view is not None:
            t._meta.view.edge = (node, number)
        else:
            t._edge = (node, number)
            if t._storage is not None and op.saves_output:
                watch(node, number, t._storage)
    if modes.anomaly:
        from .anomaly import remember

        remember(node)


def _node(op: Operation, inputs: Any, params: tuple[Any, ...]) -> Node:
    made: Node = op.node_classes[0 if op.variant is None else op.variant(inputs, params)]()
    return made


def saved_values(
    op: Operation, inputs: Any, params: tuple[Any, ...], outputs: list[Tensor], edges: tuple[Edge, ...]
) -> tuple[Any, ...]:
    """What the rules of ``op`` will read, and only if a gradient that reads it is wanted."""
    saved: list[Any] = []
    for (kind, where), readers in zip(op.saved, op.readers, strict=True):
        if op.variadic:
            if kind == "input":
                saved.append(tuple(save(x) for x in inputs))
                continue
            if kind == "size":
                saved.append(len(inputs))
                continue
            if kind in ("shape", "dtype"):
                saved.append([getattr(x.array, kind) for x in inputs])
                continue
        elif kind == "input":
            for reader in readers:
                if edges[reader][0] is not None:
                    saved.append(save(inputs[where]))
                    break
            else:
                saved.append(None)
            continue
        if kind == "output":
            value = outputs[where]
            saved.append(PackedTensor(make(value.array)) if modes.saved_hooks else value.array)
        elif kind == "param":
            saved.append(params[where])
        elif kind == "shape":
            x = inputs[where]
            saved.append(x.array.shape if isinstance(x, Tensor) else ())
        elif kind == "dtype":
            x = inputs[where]
            saved.append(x.array.dtype if isinstance(x, Tensor) else None)
    return tuple(saved)
