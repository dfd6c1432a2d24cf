"""Tensors by how their entries lie in memory: shapes changed in place, writes at strides."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import argument_of, type_name
from ..mode import modes, switch
from ..strided import memory, strided
from ..tensor import Tensor
from .arrangement import _as_strided, _strided_index
from .patterns import empty_strided
from .table import FUNCTIONS, METHODS, op


def resize(t: Tensor, shape: tuple[int, ...]) -> None:
    """Gives ``t`` another shape in place: the entries in the order of memory, and zeros where there were too few."""
    from ..dispatch import storage_of
    from ..tensor import meta_for

    storage, offset = storage_of(t), t.storage_offset()
    base = memory(t.array)
    line = strided(base, (base.size,), (base.itemsize,)) if base.flags.forc else t.array.reshape(-1)
    line = line[(t.array.__array_interface__["data"][0] - line.__array_interface__["data"][0]) // line.itemsize :]
    count = math.prod(shape)
    if count > line.size:
        line = np.concatenate([line, np.zeros(count - line.size, line.dtype)])
    before = modes.recorder.before_write(t) if switch.special and modes.recorder is not None else None
    t.array = line[:count].reshape(shape)
    storage.version += 1
    if t._meta is not None and t._meta.view is not None:
        t._meta.view = None
        meta_for(t).offset = offset
    if before is not None and modes.recorder is not None:
        modes.recorder.after_write(t, None, (t,), (), before, None)


def resize_(self: Tensor, *size: Any, memory_format: Any = None) -> Tensor:
    """The entries of ``self`` in the order of memory in another shape, in place; RuntimeError if it requires grad."""
    if not size:
        raise TypeError('resize_() missing 1 required positional arguments: "size"')
    listed = tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size
    for each in listed:
        if not isinstance(each, (int, np.integer)):
            raise TypeError(f"resize_(): argument 'size' (position 1) must be tuple of ints, not {type_name(each)}")
    if self.requires_grad:
        raise RuntimeError("cannot resize variables that require grad")
    if min(listed, default=0) < 0:
        raise RuntimeError("numel: integer multiplication overflow")
    if listed != tuple(self.shape):
        resize(self, tuple(map(int, listed)))
    return self


def resize_as_(self: Tensor, the_template: Tensor, *, memory_format: Any = None) -> Tensor:
    """:func:`resize_` to the shape of another tensor."""
    if not isinstance(the_template, Tensor):
        raise argument_of("resize_as_", "the_template", 1, the_template)
    return resize_(self, tuple(the_template.shape))


def _scattered(input: Any, src: Any, size: tuple[int, ...], stride: tuple[int, ...], storage_offset: int | None) -> Any:
    result = np.array(input, order="C")
    place = _as_strided(result, size, stride, storage_offset or 0)
    if place.shape != np.shape(src):
        raise RuntimeError(
            f"expected src to have a size equal to the slice of self. src size = {list(np.shape(src))}, slice size = "
            f"{list(place.shape)}"
        )
    place[...] = src
    return result


def _kept(g: Any, m: Any, input_shape: Any, size: Any, stride: Any, storage_offset: Any) -> Any:
    """``g`` where ``src`` was written, else 0: not the derivative, which is the other way round, but what PyTorch 2.13
    computes.
    """
    index = m.asarray(_strided_index(size, stride, storage_offset or 0))
    return m.put(m.zeros(input_shape, g), index, m.take(g, index))


as_strided_scatter = op(
    "as_strided_scatter", "AsStridedScatterBackward0", _scattered, inputs="input src",
    vjp={
        "input": _kept,
        "src": lambda g, m, size, stride, storage_offset: m.take(
            g, m.asarray(_strided_index(size, stride, storage_offset or 0))
        ),
    },
    rule={"input": "g where written, else 0 (as PyTorch has it)", "src": "g where it went"},
    symbol="{input}.as_strided_scatter({src}, {size}, {stride})",
    parse=lambda input, src, size, stride, storage_offset=None: (
        (input, src), (tuple(size), tuple(stride), storage_offset)
    ),
)  # fmt: skip


def new_empty_strided(self: Tensor, size: Any, stride: Any, *, dtype: Any = None, **_: Any) -> Tensor:
    """A tensor of the same type whose entries lie in memory as ``stride`` says."""
    return empty_strided(size, stride, dtype=dtype or self.dtype, **_)


METHODS.update(resize_=resize_, resize_as_=resize_as_, new_empty_strided=new_empty_strided)
FUNCTIONS["resize_as_"] = resize_as_
