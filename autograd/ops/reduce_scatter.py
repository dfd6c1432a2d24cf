"""Scatter with a reduction other than the sum: mean, product, largest, smallest."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor
from .selection import _compatible, _source, padded, places
from .shaping import axis_of
from .table import op

AT: dict[str, Any] = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}


def _counts(shape: tuple[int, ...], index: Any, axis: int, include_self: bool) -> Any:
    counts = np.full(shape, int(include_self), np.int64)
    np.add.at(counts, places(shape, axis, index), 1)
    return counts


def _scatter_reduce(input: Any, index: Any, src: Any, dim: int, reduce: str, include_self: bool = True) -> Any:
    if reduce not in AT:
        raise RuntimeError("reduce argument must be either sum, prod, mean, amax or amin, got " + str(reduce))
    axis = axis_of(dim, np.ndim(input))
    _compatible("scatter_reduce", np.shape(input), axis, index, src)
    out = np.array(input)
    if not np.size(index):
        return out
    where, values = places(out.shape, axis, index), _source(src, index)
    if not include_self:
        empty: Any = {"sum": 0, "mean": 0, "prod": 1}.get(reduce)
        if empty is None:
            lowest, highest = (-np.inf, np.inf) if out.dtype.kind == "f" else _bounds(out.dtype)
            empty = lowest if reduce == "amax" else highest
        out[where] = empty
    AT[reduce].at(out, where, values)
    if reduce == "mean":
        counts = np.maximum(_counts(out.shape, index, axis, include_self), 1)
        out = (out / counts).astype(out.dtype) if out.dtype.kind == "f" else out // counts
    return out


def _bounds(dtype: Any) -> tuple[Any, Any]:
    return (False, True) if dtype.kind == "b" else (np.iinfo(dtype).min, np.iinfo(dtype).max)


def _touched(shape: tuple[int, ...], index: Any, axis: int) -> Any:
    written = np.zeros(shape, bool)
    written[places(shape, axis, index)] = True
    return written


def _raw(index: Any) -> Any:
    return index.array if isinstance(index, Tensor) else index


def _rule(
    g: Any, m: Any, needs: Any, input: Any, index: Any, src: Any, result: Any, dim: int, reduce: str, include_self: bool
) -> tuple[Any, Any]:
    shape = input.shape
    axis = axis_of(dim, len(shape))
    raw = _raw(index)
    if not raw.size:
        return g, m.zeros_like(src)

    def spread(x: Any) -> Any:
        return padded(m, m.gather(x, axis, index), src.shape)

    written = m.asarray(_touched(shape, raw, axis))
    if reduce == "sum":
        own, given = g, spread(g)
    elif reduce == "mean":
        counts = m.asarray(np.maximum(_counts(shape, raw, axis, include_self), 1))
        own, given = g / counts, spread(g / counts)
    elif reduce == "prod":
        own, given = _product(m, g, input, index, src, axis, include_self, shape)
    else:
        same_input, same_src = input == result, spread_equal(m, src, result, axis, index)
        zeros = m.zeros(shape, g)
        ones = m.where(same_src, m.ones_like(g_like(m, g, src)), 0.0)
        winners = m.scatter_add(m.where(same_input, m.ones_like(g), 0.0) if include_self else zeros, axis, index, ones)
        share = g / m.where(winners == 0, 1.0, winners)
        own, given = m.where(same_input, share, 0.0), m.where(same_src, spread(share), 0.0)
    return own if include_self else m.where(written, 0.0, g), given


def g_like(m: Any, g: Any, src: Any) -> Any:
    return m.zeros(src.shape, g)


def spread_equal(m: Any, src: Any, result: Any, axis: int, index: Any) -> Any:
    return src == padded(m, m.gather(result, axis, index), src.shape)


def _product(
    m: Any, g: Any, input: Any, index: Any, src: Any, axis: int, include_self: bool, shape: tuple[int, ...]
) -> Any:
    """g times the product of the others, with zeros counted apart so that nothing is divided by zero."""
    own_zero = input == 0
    src_zero = src == 0
    base = m.where(own_zero, 1.0, input) if include_self else m.ones_like(input)
    logs = m.scatter_reduce(base, axis, index, m.where(src_zero, 1.0, src), "prod")
    start = m.where(own_zero, m.ones_like(g), 0.0) if include_self else m.zeros(shape, g)
    zeros = m.scatter_add(start, axis, index, m.where(src_zero, m.ones_like(g_like(m, g, src)), 0.0))

    def others(x: Any, is_zero: Any, product: Any, count: Any) -> Any:
        safe = m.where(is_zero, 1.0, x)
        left = m.where(is_zero, count - 1, count)
        return m.where(left == 0, product / safe, 0.0)

    def spread(x: Any) -> Any:
        return padded(m, m.gather(x, axis, index), src.shape)

    return g * others(input, own_zero, logs, zeros), spread(g) * others(src, src_zero, spread(logs), spread(zeros))


scatter_reduce = op(
    "scatter_reduce", "ScatterReduceBackward0", _scatter_reduce, inputs="input index src", vjp={"input src": _rule},
    local={"input": "by {reduce}", "src": "by {reduce}"},
    rule={"input": "g by its share in the {reduce}", "src": "g by its share in the {reduce}"},
    symbol="{input}.scatter_reduce({dim}, {index}, {src}, {reduce})", inplace=True,
    parse=lambda input, dim, index, src, reduce, *, include_self=True: ((input, index, src),
        (dim, reduce, include_self)),
)  # fmt: skip
