"""The order in which numbers are added.

Floating-point addition is not associative, and learners compare printed digits with PyTorch's. So sums of few numbers
are added in the order in which PyTorch's kernel adds them: four running sums side by side, and, from eight numbers on,
eight lanes of a vector each. Long sums are NumPy's, which are pairwise and at least as exact.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

LANES = {4: 8, 8: 4, 2: 16}
SIDE_BY_SIDE = 4
LONGEST = 512
NARROW = 64
_BLAS = "fd"  # float32 and float64


def _rows(a: Any) -> Any:
    """The sum over the first axis: four running sums over every fourth row, what is left over to the first, then
    all.
    """
    n = len(a)
    full = n // SIDE_BY_SIDE
    if full == 0:
        total = np.zeros(a.shape[1:], a.dtype)
        for row in a:
            total = total + row
        return total
    sums = [a[k] for k in range(SIDE_BY_SIDE)]
    for i in range(1, full):
        sums = [s + a[i * SIDE_BY_SIDE + k] for k, s in enumerate(sums)]
    for i in range(full * SIDE_BY_SIDE, n):
        sums[0] = sums[0] + a[i]
    total = sums[0]
    for s in sums[1:]:
        total = total + s
    return total


def sum_last(a: Any) -> Any:
    """The sum over the last axis of a float array, in PyTorch's order if that axis is short."""
    n = a.shape[-1]
    if n < 3 or n > LONGEST or a.dtype.kind != "f":
        return a.sum(axis=-1)
    a = np.moveaxis(a, -1, 0)
    lanes = LANES[a.dtype.itemsize]
    if n < lanes:
        return _rows(a)
    whole = n // lanes
    vector = _rows(a[: whole * lanes].reshape(whole, lanes, *a.shape[1:]))
    total = np.zeros(a.shape[1:], a.dtype)[()]
    for i in range(whole * lanes, n):
        total = total + a[i]
    for k in range(lanes):
        total = total + vector[k]
    return total


def by_blas(a: Any) -> bool:
    """Whether a product with ones is the quicker way to sum rows or columns: it uses all of a vector unit."""
    return a.ndim == 2 and a.size > LONGEST and a.dtype.char in _BLAS and a.flags.c_contiguous


@lru_cache(maxsize=8)
def ones(length: int, dtype: Any) -> Any:
    """Ones to multiply with; they are shared, so they are only read."""
    return np.ones(length, dtype)


def row_totals(a: Any) -> Any:
    """The sum over the last axis, which is kept, as one reads it inside a kernel."""
    return (a @ ones(a.shape[1], a.dtype))[:, None] if by_blas(a) else a.sum(axis=-1, keepdims=True)


def row_maxima(a: Any) -> Any:
    """The largest entry along the last axis, which is kept. NumPy is slow along a short axis that lies innermost, so
    the rows are laid side by side first.
    """
    if a.ndim == 2 and a.size > LONGEST and a.shape[1] <= NARROW:
        return np.maximum.reduce(np.ascontiguousarray(a.T))[:, None]
    return a.max(axis=-1, keepdims=True)


def summed(a: Any, axis: tuple[int, ...]) -> Any:
    """The sum over ``axis`` (which leaves no dimension out, or is the last one), in PyTorch's order where that is
    known.
    """
    if a.ndim and len(axis) == a.ndim:
        return sum_last(np.ravel(a)) if a.size <= LONGEST else a.sum()
    if axis == (a.ndim - 1,) and a.size <= 1 << 16:
        return sum_last(a)
    return ones(len(a), a.dtype) @ a if axis == (0,) and by_blas(a) else a.sum(axis=axis)
