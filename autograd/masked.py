"""Reductions of the entries that a mask lets through (``torch.masked``).

What is masked out is replaced by the value that changes nothing (0 in a sum, 1 in a product, minus infinity in a
maximum) and then reduced as usual, so gradients flow to what was let through and to nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .dispatch import make
from .dtypes import dtype as DType
from .dtypes import float32
from .ops import FUNCTIONS, LINALG, NEURAL
from .tensor import Tensor

Dim = int | tuple[int, ...] | None


def _lowest(kind: DType) -> Any:
    return -math.inf if kind.is_floating_point else 0 if kind.numpy.kind == "b" else int(np.iinfo(kind.numpy).min)


def _highest(kind: DType) -> Any:
    return math.inf if kind.is_floating_point else 1 if kind.numpy.kind == "b" else int(np.iinfo(kind.numpy).max)


def _dims(dim: Dim | list[int], ndim: int) -> tuple[int, ...]:
    """The dimensions to reduce, in order; all of them for None and for ()."""
    if dim is None or dim in ((), []):
        return tuple(range(ndim))
    rank = max(ndim, 1)
    found = []
    for d in (dim,) if isinstance(dim, int) else dim:
        if not -rank <= d < rank:
            raise IndexError(f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {d})")
        if d % rank in found:
            raise RuntimeError(f"dim={d % rank} appears multiple times in the list of dims")
        found.append(d % rank)
    return tuple(sorted(found)) if ndim else ()


def _spread(mask: Tensor, like: Tensor) -> Tensor:
    """``mask`` in the shape of ``like``."""
    if mask.ndim > like.ndim:
        raise IndexError("_input_mask expected broadcastable mask (got mask dimensionality higher than of the input)")
    return make(np.broadcast_to(mask.array.astype(bool), like.array.shape))


def _filled(input: Tensor, mask: Tensor | None, value: Any) -> Tensor:
    if mask is None:
        return input
    fill = make(input.array.dtype.type(value))
    result: Tensor = FUNCTIONS["where"](_spread(mask, input), input, fill)
    return result


def _cast(result: Tensor, dtype: Any) -> Tensor:
    return result if dtype is None else result.to(dtype)


def sum(input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Tensor:
    """The sum of the entries let through."""
    filled = _filled(input, mask, 0)
    return filled.sum(_dims(dim, input.ndim), bool(keepdim), dtype=dtype)  # type: ignore[no-any-return]


def prod(input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Tensor:
    """The product of the entries let through."""
    result = _filled(input, mask, 1)
    if not input.ndim:
        result = result.prod(dtype=dtype)
    for d in reversed(_dims(dim, input.ndim)):
        result = result.prod(d, bool(keepdim), dtype=dtype)
    return result


def amax(input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Tensor:
    """The largest entry let through."""
    return _cast(_filled(input, mask, _lowest(input.dtype)).amax(_dims(dim, input.ndim), bool(keepdim)), dtype)


def amin(input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Tensor:
    """The smallest entry let through."""
    return _cast(_filled(input, mask, _highest(input.dtype)).amin(_dims(dim, input.ndim), bool(keepdim)), dtype)


def argmax(
    input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None
) -> Tensor:
    """Where the largest entry let through is."""
    return _cast(_filled(input, mask, _lowest(input.dtype)).argmax(dim, bool(keepdim)), dtype or input.dtype)


def argmin(
    input: Tensor, dim: int | None = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None
) -> Tensor:
    """Where the smallest entry let through is."""
    return _cast(_filled(input, mask, _highest(input.dtype)).argmin(dim, bool(keepdim)), dtype or input.dtype)


def cumsum(input: Tensor, dim: int, *, dtype: Any = None, mask: Any = None) -> Tensor:
    """Sums of the entries let through, up to each place."""
    return _filled(input, mask, 0).cumsum(dim, dtype=dtype or input.dtype)  # type: ignore[no-any-return]


def cumprod(input: Tensor, dim: int, *, dtype: Any = None, mask: Any = None) -> Tensor:
    """Products of the entries let through, up to each place."""
    return _filled(input, mask, 1).cumprod(dim, dtype=dtype or input.dtype)  # type: ignore[no-any-return]


def _shares(name: str, unlikely: Callable[[DType], Any]) -> Callable[..., Tensor]:
    def function(input: Tensor, dim: int, *, dtype: Any = None, mask: Any = None) -> Tensor:
        return (FUNCTIONS.get(name) or NEURAL[name])(_filled(input, mask, unlikely(input.dtype)), dim, dtype=dtype)  # type: ignore[no-any-return]

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{name} over the entries let through."
    return function


softmax = _shares("softmax", _lowest)
log_softmax = _shares("log_softmax", _lowest)
softmin = _shares("softmin", _highest)


def _count(input: Tensor, dims: tuple[int, ...], keepdim: bool, mask: Tensor | None) -> Tensor:
    allowed = np.ones(input.array.shape, bool) if mask is None else _spread(mask, input).array
    return make(np.asarray(allowed.sum(dims, keepdims=keepdim)))


def mean(input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Tensor:
    """The mean of the entries let through; nan where there is none."""
    total = sum(input, dim, keepdim=keepdim, dtype=dtype or input.dtype, mask=mask)
    return total / _count(input, _dims(dim, input.ndim), bool(keepdim), mask)


def median(input: Tensor, dim: int = -1, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Tensor:
    """The median of the entries let through; nan where there is none."""
    if not input.is_floating_point():
        raise ValueError("input must be of floating point dtype")
    return _cast(_filled(input, mask, math.nan).nanmedian(dim, bool(keepdim)).values, dtype)


def norm(
    input: Tensor, ord: float = 2.0, dim: Dim = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None
) -> Tensor:
    """The norm of the entries let through."""
    filled = _filled(input, mask, math.inf if ord < 0 else 0)
    return LINALG["vector_norm"](filled, ord, _dims(dim, input.ndim), bool(keepdim), dtype=dtype)  # type: ignore[no-any-return]


def var(
    input: Tensor, dim: Dim = None, unbiased: bool | None = None, *, correction: float | None = None,
    keepdim: bool = False, dtype: Any = None, mask: Any = None,
) -> Tensor:  # fmt: skip
    """The variance of the entries let through."""
    if unbiased is not None and correction is not None:
        raise RuntimeError("Only one of unbiased and correction may be given")
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    kind = dtype or (input.dtype if input.is_floating_point() else float32)
    dims = _dims(dim, input.ndim)
    x = input.to(kind)
    away = x - sum(x, dim, keepdim=True, mask=mask) / _count(input, dims, True, mask)
    total = sum(away * away, dim, keepdim=keepdim, mask=mask)
    count = _count(input, dims, bool(keepdim), mask)
    return total / (count - correction).clamp(min=0) if correction else total / count


def std(
    input: Tensor, dim: Dim = None, unbiased: bool | None = None, *, correction: float | None = None,
    keepdim: bool = False, dtype: Any = None, mask: Any = None,
) -> Tensor:  # fmt: skip
    """The standard deviation of the entries let through."""
    squared = var(input, dim, unbiased, correction=correction, keepdim=keepdim, dtype=dtype, mask=mask)
    return squared.sqrt()  # type: ignore[no-any-return]


def logsumexp(input: Tensor, dim: Dim = None, *, keepdim: bool = False, dtype: Any = None, mask: Any = None) -> Tensor:
    """log Σ exp over the entries let through."""
    filled = _filled(input, mask, _lowest(input.dtype))
    return _cast(filled.logsumexp(_dims(dim, input.ndim), bool(keepdim)), dtype or input.dtype)


def logaddexp(
    input: Tensor, other: Tensor, *, dtype: Any = None, input_mask: Any = None, other_mask: Any = None
) -> Tensor:
    """log(exp(input) + exp(other)) without what the masks hold back."""
    parts = [_filled(x, m, _lowest(x.dtype)) for x, m in ((input, input_mask), (other, other_mask))]
    return _cast(FUNCTIONS["logaddexp"](*parts), dtype)


def normalize(
    input: Tensor, ord: float, dim: int, *, eps: float = 1e-12, dtype: Any = None, mask: Any = None
) -> Tensor:
    """The entries let through over their norm, zeros elsewhere."""
    length = norm(input, ord, dim, keepdim=True, dtype=dtype, mask=mask)
    floor = make(length.array.dtype.type(eps))
    return _filled(input, mask, 0) / FUNCTIONS["maximum"](length, floor)  # type: ignore[no-any-return]


__all__ = [
    "amax", "amin", "argmax", "argmin", "cumprod", "cumsum", "log_softmax", "logaddexp", "logsumexp", "mean", "median",
    "norm", "normalize", "prod", "softmax", "softmin", "std", "sum", "var",
]  # fmt: skip
