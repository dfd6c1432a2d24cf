"""Indexing: ``x[...]`` as PyTorch takes it apart, into views for numbers and slices and one gather for tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import warn
from ..dtypes import OF_NUMPY
from ..errors import type_name
from ..mode import modes, switch
from ..tensor import Tensor
from .shaping import _expand, axis_of
from .table import METHODS, composite, op


def _at(input: Any, dim: int, key: Any) -> Any:
    return np.asarray(input)[(slice(None),) * dim + (key, ...)]


def _scatter_back(m: Any, g: Any, shape: tuple[int, ...], dim: int, key: Any) -> Any:
    """Zeros of ``shape`` with ``g`` where ``key`` of dimension ``dim`` looked."""
    return m.embed(g, shape, (slice(None),) * dim + (key, ...))


embed = op(
    "embed", "SliceScatterBackward0",
    lambda input, size, index: _embed(input, size, index),
    vjp={"input": lambda g, m, index: m.at(g, index)}, jvp="linear", method=False, public=False,
)  # fmt: skip


def _embed(part: Any, size: tuple[int, ...], index: Any) -> Any:
    whole = np.zeros(size, part.dtype)
    whole[index] = part
    return whole


at = op(
    "at", "SliceBackward0",
    lambda input, index: np.asarray(input)[index],
    vjp={"input": lambda g, m, input_shape, index: m.embed(g, input_shape, index)}, jvp="linear", method=False,
    public=False, view=True,
)  # fmt: skip


def _select(input: Any, dim: int, index: Any) -> Any:
    shape = np.shape(input)
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    axis = axis_of(dim, len(shape))
    if not -shape[axis] <= index < shape[axis]:
        raise IndexError(f"select(): index {index} out of range for tensor of size {list(shape)} at dimension {dim}")
    return _at(input, axis, int(index))


select = op(
    "select", "SelectBackward0", _select,
    vjp={
        "input": lambda g, m, input_shape, dim, index: _scatter_back(
            m, g, input_shape, axis_of(dim, len(input_shape)), int(index)
        )
    },
    jvp="linear", local={"input": "1"}, rule={"input": "g at [{index}], else 0"}, symbol="{input}[{index}]", view=True,
)  # fmt: skip

slice_ = op(
    "slice", "SliceBackward0",
    lambda input, dim=0, start=None, end=None, step=1: _at(input, axis_of(dim, np.ndim(input)),
        slice(start, end, step)),
    vjp={
        "input": lambda g, m, input_shape, dim, start, end, step: _scatter_back(
            m, g, input_shape, axis_of(dim, len(input_shape)), slice(start, end, step)
        )
    },
    jvp="linear", rule={"input": "g in [{start}:{end}], else 0"}, symbol="{input}[{start}:{end}]", view=True,
    method=False, public=False,
)  # fmt: skip


def narrow(input: Any, dim: int, start: Any, length: int) -> Any:
    """``length`` entries of dimension ``dim`` from ``start`` on, as a view."""
    if input.ndim == 0:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if isinstance(start, Tensor) and (start.ndim or start.array.dtype.kind not in "iu"):
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    n = input.shape[axis_of(dim, input.ndim)]
    start = int(start)
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if not -n <= start <= n:
        raise IndexError(f"start out of range (expected to be in range of [{-n}, {n}], but got {start})")
    start = start + n if start < 0 else start
    if start + length > n:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({n}).")
    if isinstance(input, Tensor):
        return slice_.function(input, dim, start, start + length, 1)
    return slice_.forward(input, dim, start, start + length, 1)


composite("narrow", narrow, array=narrow)

alias = op(
    "alias", "AliasBackward0",
    lambda input: np.asarray(input)[...],
    vjp={"input": lambda g: g}, jvp="linear", rule={"input": "g"}, symbol="{input}[...]", view=True, method=False,
    public=False,
)  # fmt: skip


def _gather_index(index: Any) -> Any:
    return tuple(i.array if isinstance(i, Tensor) else i for i in index)


def _chosen(input: Any, places: Any) -> Any:
    """What the index chooses; IndexError where its tensors do not broadcast."""
    try:
        return np.asarray(input)[places]
    except IndexError as error:
        shapes = ", ".join(str(list(i.shape)) for i in places if isinstance(i, np.ndarray))
        if "could not be broadcast" not in str(error):
            raise
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None


def _index(input: Any, index: Any) -> Any:
    return _chosen(input, _gather_index(index))


index = op(
    "index", "IndexBackward0",
    _index, inputs="input",
    vjp={"input": lambda g, m, input_shape, index: m.index_put_zeros(g, input_shape, index)}, jvp="linear",
    rule={"input": "g added at its places, else 0"}, symbol="{input}[{index}]", method=False, public=False,
)  # fmt: skip


def _put_zeros(input: Any, size: tuple[int, ...], index: Any) -> Any:
    whole = np.zeros(size, input.dtype)
    np.add.at(whole, _gather_index(index), input)
    return whole


index_put_zeros = op(
    "index_put_zeros", "IndexPutBackward0", _put_zeros,
    vjp={"input": lambda g, m, index: m.index(g, index)}, jvp="linear", method=False, public=False,
)  # fmt: skip


def _check_put(given: tuple[int, ...], wanted: tuple[int, ...]) -> None:
    """RuntimeError where values of shape ``given`` cannot be written where ``wanted`` is what the index chooses."""
    while len(given) > len(wanted) and given[0] == 1:
        given = given[1:]
    if len(given) > len(wanted) or any(n not in (1, m) for n, m in zip(given[::-1], wanted[::-1], strict=False)):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(given)} cannot be broadcast to indexing result of shape "
            f"{list(wanted)}"
        )


def _put(input: Any, values: Any, index: Any, accumulate: bool) -> Any:
    out = np.array(input)
    if np.ndim(values) and values.dtype != out.dtype:
        raise RuntimeError(
            f"Index put requires the source and destination dtypes match, got {OF_NUMPY[out.dtype].word} for the "
            f"destination and {OF_NUMPY[values.dtype].word} for the source."
        )
    if np.size(values) > 1:
        _check_put(values.shape, _chosen(out, _gather_index(index)).shape)
    if accumulate:
        np.add.at(out, _gather_index(index), values)
    else:
        out[_gather_index(index)] = values
    return out


def _put_input_vjp(g: Any, m: Any, index: Any, accumulate: bool) -> Any:
    return g if accumulate else m.index_clear(g, index)


def _clear(input: Any, index: Any) -> Any:
    out = np.array(input)
    out[_gather_index(index)] = 0
    return out


index_clear = op(
    "index_clear", "IndexPutBackward0", _clear,
    vjp={"input": lambda g, m, index: m.index_clear(g, index)}, jvp="linear", method=False, public=False,
)  # fmt: skip

index_put = op(
    "index_put", "IndexPutBackward0", _put,
    inputs="input values",
    vjp={"input": _put_input_vjp, "values": lambda g, m, index: m.index(g, index)},
    jvp={"input": lambda t, m, index, accumulate: _put_input_vjp(t, m, index, accumulate),
         "values": lambda t, m, input_shape, index: m.index_put_zeros(t, input_shape, index)},
    parse=lambda input, indices, values, accumulate=False: ((input, values), (tuple(indices), accumulate)),
    rule={"input": "g, 0 where written", "values": "g where written"}, symbol="{input} with [{index}] = {values}",
    inplace=True,
)  # fmt: skip


def _is_mask(key: Any) -> bool:
    return (isinstance(key, Tensor) and key.array.dtype.kind in "b") or (
        isinstance(key, np.ndarray) and key.dtype.kind == "b"
    )


NO_TUPLE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
    "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], "
    "which will result either in an error or a different result (Triggered internally at "
    "/__w/pytorch/pytorch/torch/csrc/autograd/python_variable_indexing.cpp:312.)"
)


def _is_part(k: Any) -> bool:
    """Whether ``k`` in a list makes that list an index for several dimensions."""
    return k is None or k is Ellipsis or isinstance(k, (Tensor, list, tuple, slice, str))


def _steps(x: Tensor, key: Any, alone: bool = False) -> tuple[Tensor, list[Any] | None]:
    """Applies the numbers, slices and Nones of ``key`` to ``x`` as views; returns what is left for tensors to
    index. A slice of everything is no step, unless it is ``alone``.
    """
    if isinstance(key, (list, str)) and len(key) < 32 and any(_is_part(k) for k in key):
        warn.once(NO_TUPLE)
        key = tuple(key)
    keys = list(key) if isinstance(key, tuple) else [key]
    used = _consumed([k for k in keys if k is not Ellipsis])
    if used > x.array.ndim:
        if x.array.ndim == 0 and len(keys) == 1:
            if isinstance(keys[0], slice):
                raise IndexError("slice() cannot be applied to a 0-dim tensor.")
            raise IndexError(
                "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "
                "convert a 0-dim tensor to a number"
            )
        raise IndexError(f"too many indices for tensor of dimension {x.array.ndim}")
    rest: list[Any] = []
    gathers = False
    dim = numbers = 0  # numbers: how many dimensions of the tensor as it was are gone
    for position, k in enumerate(keys):
        if k is Ellipsis:
            skip = x.array.ndim - dim - _consumed(keys[position + 1 :])
            rest += [slice(None)] * skip
            dim += skip
        elif k is None:
            x = x.unsqueeze(dim)
            rest.append(slice(None))
            dim += 1
        elif isinstance(k, bool) or (_is_mask(k) and k.ndim == 0):
            x = x.unsqueeze(dim)
            rest.append(np.array([bool(k)]))
            gathers = True
            dim += 1
        elif isinstance(k, slice):
            step = 1 if k.step is None else _int(k.step)
            if step <= 0:
                raise ValueError("slice step cannot be zero" if step == 0 else "step must be greater than zero")
            n = x.array.shape[dim]
            if alone or slice(k.start, k.stop, step).indices(n) != (0, n, 1):
                x = slice_.function(x, dim, _int(k.start), _int(k.stop), step)
            rest.append(slice(None))
            dim += 1
        elif isinstance(k, (int, np.integer)) or (
            isinstance(k, Tensor) and k.array.ndim == 0 and k.array.dtype.kind in "iu"
        ):
            k = int(k)
            n = x.array.shape[dim]
            if not -n <= k < n:
                raise IndexError(f"index {k} is out of bounds for dimension {dim + numbers} with size {n}")
            x = select.function(x, dim, k)
            numbers += 1
        else:
            array = _as_index(k)
            if array.dtype.kind == "b":
                for i, n in enumerate(array.shape):
                    if x.array.shape[dim + i] != n:
                        raise IndexError(
                            f"The shape of the mask {list(array.shape)} at index {i} does not match the shape of the "
                            f"indexed tensor {list(x.array.shape)} at index {dim + i}"
                        )
                dim += array.ndim
            else:
                n = x.array.shape[dim]
                bad = array[(array < -n) | (array >= n)] if array.size else array
                if bad.size:
                    raise IndexError(f"index {int(bad.ravel()[0])} is out of bounds for dimension {dim} with size {n}")
                dim += 1
            rest.append(array)
            gathers = True
    return x, (rest if gathers else None)


def _consumed(keys: list[Any]) -> int:
    return sum(0 if k is None or isinstance(k, bool) else k.ndim if _is_mask(k) else 1 for k in keys)


def _int(k: Any) -> Any:
    return k if k is None else int(k)


def _as_index(k: Any) -> Any:
    if isinstance(k, str):
        raise TypeError("new(): invalid data type 'str'")
    if not isinstance(k, (Tensor, np.ndarray, list, tuple, range)):
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got "
            f"{type(k).__name__})"
        )
    array = k.array if isinstance(k, Tensor) else np.asarray(k)
    array = np.asarray(array)
    if array.dtype.kind == "f" and (array.size == 0 or isinstance(k, (list, tuple))):
        array = array.astype(np.int64)
    if array.dtype.kind == "u":
        warn.once("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.")
        array = array.astype(bool)
    if array.dtype.kind not in "bi" or (isinstance(k, Tensor) and array.dtype.itemsize == 2):
        raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return array.copy()


def getitem(x: Tensor, key: Any) -> Tensor:
    """``x[key]``: a view for numbers, slices, None and ``...``; a copy as soon as a tensor or list is among them."""
    part, rest = _steps(x, key, alone=isinstance(key, slice))
    if rest is not None:
        part = index.function(part, tuple(rest))
    elif part is x:
        part = alias.function(x)
    if switch.special and modes.recorder is not None:
        modes.recorder.keyed(part, x, key)
    return part


def setitem(x: Tensor, key: Any, value: Any) -> None:
    """``x[key] = value``, recorded."""
    part, rest = _steps(x, key)
    if not isinstance(value, (Tensor, bool, int, float, np.generic)):
        kind = OF_NUMPY[x.array.dtype].tensor_type
        raise TypeError(f"can't assign a {type_name(value)} to a {kind}")
    if rest is not None:
        part.index_put_(tuple(rest), value)
    elif isinstance(value, Tensor):
        shape = value.array.shape
        while len(shape) > part.array.ndim and shape[0] == 1:
            shape = shape[1:]
        if shape != part.array.shape:
            _expand(np.reshape(value.array, shape), part.array.shape)  # raises where it does not fit
        part.copy_(value)
    else:
        part.fill_(value)


METHODS["__getitem__"] = getitem
METHODS["__setitem__"] = setitem
