"""Running sums, products and extremes along a dimension."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import to_dtype
from ..tensor import Tensor
from .shaping import axis_of
from .table import Operation, composite, op


def _parse(input: Any, dim: int, *, dtype: Any = None) -> Any:
    return (input,), (dim, None if dtype is None else to_dtype(dtype))


def _running(function: Callable[..., Any]) -> Callable[..., Any]:
    def forward(input: Any, dim: int, dtype: Any = None) -> Any:
        axis = axis_of(dim, np.ndim(input))
        kind = dtype.numpy if dtype is not None else np.int64 if input.dtype.kind in "biu" else input.dtype
        if np.ndim(input) == 0:
            return np.asarray(input).astype(kind)
        return function(input.astype(kind, copy=False), axis=axis, dtype=kind)

    return forward


def _backwards(m: Any, function: Callable[..., Any], x: Any, dim: int) -> Any:
    """`function` from the last entry to the first."""
    return m.flip(function(m.flip(x, (dim,)), dim), (dim,))


cumsum = op(
    "cumsum", "CumsumBackward0", _running(np.cumsum), inputs="input",
    vjp={"input": lambda g, m, dim: _backwards(m, m.cumsum, g, dim)}, jvp="linear",
    local={"input": "1 for every later sum"}, rule={"input": "Σ g of this sum and all later ones"},
    symbol="cumsum({input})", parse=_parse, inplace=True,
)  # fmt: skip


def _cumprod_rule(g: Any, m: Any, input: Any, result: Any, dim: int) -> Any:
    """Each entry is in all later products: their g times product, over the entry. Around zeros, without dividing."""
    if not input.shape:
        return g
    axis = axis_of(dim, len(input.shape))
    if not bool((input == 0).any()):
        return _backwards(m, m.cumsum, g * result, axis) / input
    columns = []
    for k in range(input.shape[axis]):
        before = m.narrow(input, axis, 0, k)
        after = m.narrow(input, axis, k + 1, input.shape[axis] - k - 1)
        product = m.prod(before, axis, True) if k else m.ones_like(m.narrow(input, axis, 0, 1))
        running = m.cumprod(m.cat([product, after], axis), axis)
        columns.append(m.sum(m.narrow(g, axis, k, input.shape[axis] - k) * running, (axis,), True))
    return m.cat(columns, axis)


cumprod = op(
    "cumprod", "CumprodBackward0", _running(np.cumprod), inputs="input", vjp={"input": _cumprod_rule},
    local={"input": "product without it, for every later product"},
    rule={"input": "Σ g · product without it, of all later ones"}, symbol="cumprod({input})", parse=_parse,
    inplace=True,
)  # fmt: skip


def _record_holder(better: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    def forward(input: Any, dim: int) -> Any:
        axis = axis_of(dim, np.ndim(input))
        if np.ndim(input) == 0:
            return np.array(input), np.zeros((), np.int64)
        line = np.moveaxis(input, axis, 0)
        values, indices = np.array(line), np.zeros(line.shape, np.int64)
        for i in range(1, len(line)):
            wins = better(line[i], values[i - 1])
            if line.dtype.kind == "f":
                wins = np.isnan(line[i]) | (wins & ~np.isnan(values[i - 1]))
            values[i] = np.where(wins, line[i], values[i - 1])
            indices[i] = np.where(wins, i, indices[i - 1])
        return np.moveaxis(values, 0, axis), np.moveaxis(indices, 0, axis)

    return forward


def _record_rule(g: Any, m: Any, input: Any, indices: Any, dim: int) -> Any:
    if not input.shape:
        return g[0]
    return m.scatter_add(m.zeros(input.shape, g[0]), axis_of(dim, len(input.shape)), indices, g[0])


def _record(name: str, better: Callable[[Any, Any], Any]) -> Operation:
    return op(
        name, f"{name.capitalize()}Backward0", _record_holder(better), outputs="values indices", nondiff="indices",
        inputs="input",
        vjp={"input": _record_rule}, local={"input": "1"}, rule={"input": "Σ g of the results it holds"},
        symbol=f"{name}({{input}})",
    )  # fmt: skip


cummax = _record("cummax", lambda a, b: a >= b)
cummin = _record("cummin", lambda a, b: a <= b)


def _logcumsumexp(input: Any, dim: int) -> Any:
    axis = axis_of(dim, np.ndim(input))
    return np.array(input) if np.ndim(input) == 0 else np.logaddexp.accumulate(input, axis=axis)


def _logcumsumexp_rule(g: Any, m: Any, input: Any, result: Any, dim: int) -> Any:
    """exp(x) · the reversed running sum of g·exp(-result), by logarithms, positive and negative g apart."""
    if not input.shape:
        return g
    axis = axis_of(dim, len(input.shape))
    if 0 in input.shape:
        return g
    parts = []
    for sign in (1, -1):
        size = m.log(m.clamp(g * sign, 0.0, None)) - result
        size = m.where(result == -np.inf, -np.inf, size)
        parts.append(m.exp(_backwards(m, m.logcumsumexp, size, axis) + input))
    return parts[0] - parts[1]


logcumsumexp = op(
    "logcumsumexp", "LogcumsumexpBackward0", _logcumsumexp, inputs="input", vjp={"input": _logcumsumexp_rule},
    local={"input": "exp({input} - result) for every later result"},
    rule={"input": "Σ g · exp({input} - result), of all later ones"}, symbol="logcumsumexp({input})",
)  # fmt: skip


def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Differences of neighbours, ``n`` times over."""
    from .joining import cat

    if input.ndim == 0:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    axis = axis_of(dim, input.ndim)
    if n == 0:
        return input
    parts = [x for x in (prepend, input, append) if x is not None]
    line: Tensor = cat.function(parts, axis) if len(parts) > 1 else input
    for _ in range(min(n, line.shape[axis])):
        size = line.shape[axis]
        if size == 0:
            break
        later, earlier = line.narrow(axis, 1, size - 1), line.narrow(axis, 0, size - 1)
        line = later.logical_xor(earlier) if line.array.dtype.kind == "b" else later - earlier
    return line


composite("diff", diff)


def _steps(y: Tensor, x: Any, dx: Any, dim: int) -> tuple[Tensor, Any]:
    """Sums of neighbours of y, and the widths between them."""
    axis = axis_of(dim, y.ndim)
    size = y.shape[axis]
    pairs = y.narrow(axis, 1, size - 1) + y.narrow(axis, 0, size - 1)
    if x is None:
        return pairs, dx
    if x.ndim == 1 and y.ndim > 1:
        x = x.reshape(tuple(-1 if i == axis else 1 for i in range(y.ndim)))
        return pairs, x.narrow(axis, 1, size - 1) - x.narrow(axis, 0, size - 1)
    along = axis - y.ndim
    return pairs, x.narrow(along, 1, size - 1) - x.narrow(along, 0, size - 1)


def trapezoid(y: Tensor, x: Any = None, *, dx: Any = 1, dim: int = -1) -> Tensor:
    """The integral of ``y`` over ``x`` by the trapezoidal rule."""
    pairs, widths = _steps(y, x, dx, dim)
    if x is None:
        return pairs.sum(dim) * (dx / 2.0)  # type: ignore[no-any-return]
    return (pairs * widths).sum(dim) / 2.0  # type: ignore[no-any-return]


def cumulative_trapezoid(y: Tensor, x: Any = None, *, dx: Any = 1, dim: int = -1) -> Tensor:
    """The running integral of ``y`` over ``x`` by the trapezoidal rule."""
    pairs, widths = _steps(y, x, dx, dim)
    if x is None:
        return pairs.cumsum(dim) * (dx / 2.0)  # type: ignore[no-any-return]
    return (pairs * widths).cumsum(dim) / 2.0  # type: ignore[no-any-return]


composite("trapezoid", trapezoid, method=False, aliases="trapz")
composite("cumulative_trapezoid", cumulative_trapezoid, method=False)
