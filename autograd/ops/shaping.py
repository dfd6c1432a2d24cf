"""Views and other changes of shape: what is moved, not computed."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

import numpy as np

from .. import warn
from ..dtypes import dtype as DType
from ..errors import broadcast, no_form, type_name, whole
from ..strided import strided
from ..tensor import Tensor
from .table import METHODS, arrays, composite, op


def size_of(size: Any, name: str = "", argument: str = "size") -> tuple[int, ...]:
    """The shape given as ``(2, 3)`` or as ``2, 3`` to the function ``name``."""
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = size[0]
    for n in size:
        if not isinstance(n, (int, np.integer, Tensor)):
            if name == "view":
                raise no_form("view", size, forms="torch.dtype dtype\ntuple of ints size")
            start = f"{name}(): " if name else ""
            raise TypeError(f"{start}argument '{argument}' (position 1) must be tuple of ints, not {type_name(n)}")
    return tuple(int(n) for n in size)


def axis_of(dim: int, ndim: int) -> int:
    """``dim`` counted from the front; IndexError if there is no such dimension."""
    rank = max(ndim, 1)
    if dim.__class__ is not int:
        dim = whole("dim", dim)
    if not -rank <= dim < rank:
        raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {dim})")
    return dim % rank


def infer(size: tuple[int, ...], count: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """``size`` with its -1, if any, worked out for ``count`` entries; RuntimeError if they do not fit."""
    if size.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    known = 1
    for n in size:
        if n != -1:
            known *= n
    if size.count(-1) == 1 and known == count == 0:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(size)} because the unspecified dimension size -1 "
            "can be any value and is ambiguous"
        )
    if size.count(-1) == 1 and known > 0 and count % known == 0:
        return tuple(count // known if n == -1 else n for n in size)
    if known != count or -1 in size:
        raise RuntimeError(f"shape '{list(size)}' is invalid for input of size {count}")
    return size


def _view(input: Any, size: tuple[int, ...]) -> Any:
    array = np.asarray(input)
    shape = infer(size, array.size, array.shape)
    try:
        return np.reshape(array, shape, copy=False)
    except ValueError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one dimension spans across "
            "two contiguous subspaces). Use .reshape(...) instead."
        ) from None


def parse_view(input: Tensor, *size: Any, dtype: Any = None) -> Any:
    """``view(2, 3)``, ``view((2, 3))``, or ``view(dtype)``, which reads the same bytes as another type."""
    if size and isinstance(size[0], DType):
        dtype = size[0]
    if dtype is None:
        return (input,), (size_of(size, "view"),)
    from ..dispatch import make, storage_of

    storage = storage_of(input)
    other = make(input.array.view(dtype.numpy))
    other._storage = storage
    return (other,), (other.array.shape,)


view = op(
    "view", "ViewBackward0", _view,
    vjp={"input": lambda g, input_shape: g.reshape(input_shape)}, jvp="linear",
    rule={"input": "g in the shape of {input}"}, symbol="{input}.view{size}", view=True, public=False,
    parse=parse_view,
)  # fmt: skip

unsafe_view = op(
    "_unsafe_view", "UnsafeViewBackward0",
    lambda input, size: np.array(input).reshape(infer(size, np.size(input), np.shape(input))),
    vjp={"input": lambda g, input_shape: g.reshape(input_shape)}, jvp="linear",
    rule={"input": "g in the shape of {input}"}, symbol="{input}.reshape{size}", method=False, public=False,
    shown="reshape",
)  # fmt: skip


def reshape(input: Tensor, *shape: Any) -> Tensor:
    """``input`` in another shape: a view where the strides allow it, else a copy."""
    size = size_of(shape, "reshape", "shape")
    infer(size, input.array.size, input.array.shape)
    try:
        result: Tensor = view.function(input, size)
    except RuntimeError:
        result = unsafe_view.function(input, size)
    return result


composite("reshape", reshape, array=lambda input, *shape: np.reshape(input, size_of(shape)))


def _strided(array: Any, shape: tuple[int, ...]) -> Any:
    """``array`` broadcast to ``shape`` without a copy, and, unlike NumPy's own, not marked read-only."""
    array = np.asarray(array)
    strides = [0] * (len(shape) - array.ndim) + [
        s if n == m else 0 for s, n, m in zip(array.strides, array.shape, shape[len(shape) - array.ndim :], strict=True)
    ]
    return strided(array, shape, strides)


def _expand(input: Any, size: tuple[int, ...]) -> Any:
    shape = np.shape(input)
    if len(size) < len(shape):
        raise RuntimeError(
            f"expand(torch.FloatTensor{{{list(shape)}}}, size={list(size)}): the number of sizes provided "
            f"({len(size)}) must be greater or equal to the number of dimensions in the tensor ({len(shape)})"
        )
    lead = len(size) - len(shape)
    target = []
    for i, n in enumerate(size):
        have = shape[i - lead] if i >= lead else None
        if n == -1:
            if have is None:
                raise RuntimeError(
                    f"The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {i}"
                )
            n = have
        elif have is not None and have not in (1, n):
            raise RuntimeError(
                f"The expanded size of the tensor ({n}) must match the existing size ({have}) at non-singleton "
                f"dimension {i}.  Target sizes: {list(size)}.  Tensor sizes: {list(shape)}"
            )
        target.append(n)
    return _strided(input, tuple(target))


expand = op(
    "expand", "ExpandBackward0", _expand,
    vjp={"input": lambda g: g}, jvp="linear",
    rule={"input": "Σ g over the copies"}, symbol="{input}.expand{size}", view=True, public=False,
    parse=lambda input, *size: ((input,), (size_of(size, "expand"),)),
)  # fmt: skip
composite("broadcast_to", lambda input, size: expand.function(input, size), array=np.broadcast_to)
composite("expand_as", lambda input, other: expand.function(input, other.shape), public=False)


def _t(input: Any) -> Any:
    if input.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D")
    return input.T


t = op(
    "t", "TBackward0 TBackward1", _t,
    vjp={"input": lambda g, m: m.t(g)}, jvp="linear", rule={"input": "gᵀ"}, symbol="{input}ᵀ", view=True,
    in_place_nodes=1,
)  # fmt: skip
arrays.t = attrgetter("T")  # rules turn what has at most two dimensions


def _swap(input: Any, dim0: int, dim1: int) -> Any:
    n = np.ndim(input)
    a, b = axis_of(dim0, n), axis_of(dim1, n)
    return np.swapaxes(input, a, b) if n else np.asarray(input)


transpose = op(
    "transpose", "TransposeBackward0 TransposeBackward1", _swap,
    vjp={"input": lambda g, m, dim0, dim1: m.transpose(g, dim0, dim1)}, jvp="linear",
    rule={"input": "g, {dim0} and {dim1} swapped back"}, symbol="{input}.transpose({dim0}, {dim1})", view=True,
    in_place_nodes=1,
    aliases="swapaxes swapdims",
)  # fmt: skip


def _permute(input: Any, dims: tuple[int, ...]) -> Any:
    n = np.ndim(input)
    if len(dims) != n:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {n} is not equal to len(dims) = {len(dims)}"
        )
    order = [axis_of(d, n) for d in dims]
    if len(set(order)) != n:
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return np.transpose(input, order)


def _back(dims: tuple[int, ...]) -> tuple[int, ...]:
    order = [d % len(dims) for d in dims]
    return tuple(order.index(i) for i in range(len(order)))


permute = op(
    "permute", "PermuteBackward0", _permute,
    vjp={"input": lambda g, m, dims: m.permute(g, _back(dims))}, jvp="linear",
    rule={"input": "g, dimensions back in order"}, symbol="{input}.permute{dims}", view=True,
    parse=lambda input, *dims: ((input,), (size_of(dims, "permute", "dims"),)),
)  # fmt: skip


def _unsqueeze(input: Any, dim: int) -> Any:
    return np.expand_dims(input, axis_of(dim, np.ndim(input) + 1))


def _squeeze(input: Any, dim: Any = None) -> Any:
    shape = np.shape(input)
    n = len(shape)
    axes = range(n) if dim is None else [axis_of(d, n) for d in (dim if isinstance(dim, (tuple, list)) else (dim,))]
    return np.reshape(input, [m for i, m in enumerate(shape) if not (m == 1 and i in axes)])


unsqueeze = op(
    "unsqueeze", "UnsqueezeBackward0 UnsqueezeBackward1", _unsqueeze,
    vjp={"input": lambda g, input_shape: g.reshape(input_shape)}, jvp="linear",
    rule={"input": "g in the shape of {input}"}, symbol="{input}.unsqueeze({dim})", view=True, in_place_nodes=1,
)  # fmt: skip
squeeze = op(
    "squeeze", " ".join(f"SqueezeBackward{number}" for number in range(6)), _squeeze,
    vjp={"input": lambda g, input_shape: g.reshape(input_shape)}, jvp="linear",
    rule={"input": "g in the shape of {input}"}, symbol="{input}.squeeze()", view=True, in_place_nodes=3,
    variant=lambda inputs, params: 0 if params[0] is None else 1 + (not isinstance(params[0], int)),
)  # fmt: skip

clone = op(
    "clone", "CloneBackward0",
    lambda input, *, memory_format=None: np.array(input),
    vjp={"input": lambda g: g}, jvp="linear", symbol="{input}.clone()", local={"input": "1"},
)  # fmt: skip

copy = op(
    "copy", "CopyBackwards",
    lambda input, other, non_blocking=False: _fit(other, input),
    inputs="input other", vjp={"input": lambda g, m: m.zeros_like(g), "other": lambda g: g},
    local={"input": "0", "other": "1"}, rule={"input": "0", "other": "g"}, symbol="{other}", inplace=True,
    method=False, public=False,
)  # fmt: skip


def _fit(value: Any, target: Any) -> Any:
    """``value`` in the shape and type of ``target``; RuntimeError if it does not broadcast to it."""
    shape, wanted = np.shape(value), np.shape(target)
    extra = len(shape) - len(wanted)
    if extra > 0 and all(n == 1 for n in shape[:extra]):
        value = np.reshape(value, shape[extra:])
        shape = np.shape(value)
    problem = broadcast([wanted, shape])
    if problem is not None:
        raise problem
    if np.broadcast_shapes(shape, wanted) != wanted:
        raise RuntimeError(f"output with shape {list(wanted)} doesn't match the broadcast shape {list(shape)}")
    return np.asarray(value).astype(target.dtype)


def contiguous(input: Tensor, *, memory_format: Any = None) -> Tensor:
    """``input`` itself if its memory is in order, else a copy that is."""
    if is_contiguous(input):
        return input
    result: Tensor = clone_in_order.function(input)
    return result


clone_in_order = op(
    "_clone_contiguous", "CloneBackward0",
    lambda input: np.array(input, order="C"),
    vjp={"input": lambda g: g}, jvp="linear", rule={"input": "g"}, symbol="{input}.contiguous()", method=False,
    public=False,
    shown="contiguous",
)  # fmt: skip


def is_contiguous(input: Tensor, memory_format: Any = None) -> bool:
    """Whether the entries lie in memory in the order of their indices."""
    return not isinstance(input.array, np.ndarray) or bool(input.array.flags.c_contiguous)


composite("contiguous", contiguous, array=np.ascontiguousarray, public=False)
composite("is_contiguous", is_contiguous, public=False)


def _flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Merges the dimensions from ``start_dim`` to ``end_dim``."""
    shape = input.array.shape
    n = len(shape)
    first, last = axis_of(start_dim, n), axis_of(end_dim, n)
    if n == 0:
        return reshape(input, (1,))
    if first > last:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if first == last:
        return input
    middle = 1
    for k in shape[first : last + 1]:
        middle *= k
    return reshape(input, (*shape[:first], middle, *shape[last + 1 :]))


composite("flatten", _flatten)
composite("view_as", lambda input, other: view.function(input, other.shape), public=False)
composite("reshape_as", lambda input, other: reshape(input, other.shape), public=False)
composite("ravel", lambda input: reshape(contiguous(input), (-1,)), array=np.ravel)


def _reverse_all(input: Tensor) -> Tensor:
    if input.array.ndim != 2:
        _deprecated(input.array.ndim)
    result: Tensor = permute.function(input, tuple(reversed(range(input.array.ndim))))
    return result


def _deprecated(ndim: int) -> None:
    if ndim == 0:
        warn.once("Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.")
        return
    warn.once(
        "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will "
        "throw an error in a future release. Consider `x.mT` to transpose batches of matrices or "
        "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor."
    )


def _matrices_turned(input: Tensor) -> Tensor:
    if input.array.ndim < 2:
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. Got {input.array.ndim}-D tensor."
        )
    result: Tensor = transpose.function(input, -2, -1)
    return result


METHODS["T"] = property(_reverse_all)  # type: ignore[assignment]
METHODS["mT"] = property(_matrices_turned)  # type: ignore[assignment]
