"""Reductions: many numbers become one."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY, to_dtype
from ..errors import whole
from ..summation import summed
from .shaping import axis_of
from .table import arrays, op, tensors


def axes(dim: Any) -> Any:
    """``dim`` as a tuple of ints, or None for all dimensions."""
    if dim is None:
        return None
    if isinstance(dim, (tuple, list)):
        return tuple(whole("dim", d) for d in dim)
    return (whole("dim", dim),)


def axes_of(dim: Any, ndim: int) -> Any:
    """The axes to reduce, counted from the front."""
    if not dim:  # None or an empty list: all of them
        return tuple(range(ndim))
    found = tuple(axis_of(d, ndim) for d in dim)
    if len(set(found)) != len(found):
        raise RuntimeError(
            f"dim {next(d for d in found if found.count(d) > 1)} appears multiple times in the list of dims"
        )
    return found if ndim else ()


def _spread(m: Any) -> Any:
    def spread(g: Any, shape: tuple[int, ...], dim: Any, keepdim: bool) -> Any:
        """A reduced ``g`` back in the shape it was reduced from: every entry that was summed gets the same."""
        if not keepdim and dim is not None and shape:
            kept = axes_of(dim, len(shape))
            g = g.reshape(tuple(1 if i in kept else n for i, n in enumerate(shape)))
        return m.broadcast_to(g, shape)

    return spread


arrays.spread, tensors.spread = _spread(arrays), _spread(tensors)


def _sum(input: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    kind = dtype.numpy if dtype is not None else np.int64 if input.dtype.kind in "biu" else None
    axis = axes_of(dim, input.ndim)
    if kind is None and not keepdim and input.ndim:
        return summed(input, axis)
    return np.sum(input, axis=axis, keepdims=keepdim, dtype=kind)


def parse_reduction(
    input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, axis: Any = None,
    keepdims: bool = False, out: None = None,
) -> Any:  # fmt: skip
    """The arguments of sum and mean, in one form."""
    if dim is not None and axis is not None:
        raise TypeError("got an unexpected keyword argument 'axis'")
    keepdim = keepdim or keepdims
    return (input,), (axes(dim if axis is None else axis), keepdim, None if dtype is None else to_dtype(dtype))


def by_dim(inputs: Any, params: Any) -> int:
    """PyTorch counts the forms with and without ``dim`` as two: SumBackward0 and SumBackward1."""
    return int(params[0] is not None)


sum = op(
    "sum", "SumBackward0 SumBackward1", _sum,
    vjp={"input": lambda g, m, input_shape, dim, keepdim: m.spread(g, input_shape, dim, keepdim)}, jvp="linear",
    local={"input": "1"}, symbol="{input}.sum()", parse=parse_reduction, variant=by_dim,
    flops=lambda input: input.size,
)  # fmt: skip


def count(shape: tuple[int, ...], dim: Any) -> int:
    """How many entries one result of a reduction is made of."""
    n = 1
    for axis in axes_of(dim, len(shape)):
        n *= shape[axis]
    return n


def _mean(input: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    if dtype is None and input.dtype.kind != "f":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. "
            f"Got: {OF_NUMPY[input.dtype].word}"
        )
    if dtype is not None and not dtype.is_floating_point:
        raise RuntimeError(
            "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. "
            f"Got: {dtype.word}"
        )
    total = _sum(input, dim, keepdim, dtype)
    n = count(np.shape(input), dim)
    return total / n if n else total * np.nan


mean = op(
    "mean", "MeanBackward0 MeanBackward1", _mean,
    vjp={
        "input": lambda g, m, input_shape, dim, keepdim: m.spread(g, input_shape, dim, keepdim)
        / max(count(input_shape, dim), 1)
    },
    jvp="linear", local={"input": "1/n"}, symbol="{input}.mean()", parse=parse_reduction, variant=by_dim,
    flops=lambda input: input.size,
)  # fmt: skip
