"""Views with strides of one's own, which stay inside the memory they are views of.

NumPy's ``as_strided`` looks wherever it is told to. What it is told here comes from programs: kernel sizes, steps,
offsets. So the reach of every view is computed before it is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

import numpy as np


def strided(array: Any, shape: Iterable[Any], strides: Iterable[Any], *, writeable: bool = True) -> Any:
    """The view of ``array`` that has ``shape`` and ``strides`` (in bytes).

    Raises RuntimeError when it would reach beyond the entries of ``array``.
    """
    shape, strides = tuple(map(index, shape)), tuple(map(index, strides))
    if min(shape, default=0) < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {min(shape)}: {list(shape)}")
    if 0 not in shape:
        low, high = _reach(shape, strides)
        least, most = _reach(array.shape, array.strides)
        if not array.size or low < least or high > most:
            raise RuntimeError(f"a view of shape {list(shape)} would reach beyond its tensor of {array.size} entries")
    return np.lib.stride_tricks.as_strided(array, shape, strides, writeable=writeable)


def memory(array: Any) -> Any:
    """The array that owns the entries of ``array``: itself, or what it is a view of, through any number of views."""
    found = array
    while True:
        below = found.base
        if not isinstance(below, np.ndarray):  # NumPy's as_strided puts an object of its own between
            below = getattr(below, "base", None)
        if not isinstance(below, np.ndarray) or below.dtype != array.dtype:
            return found
        found = below


def _reach(shape: Sequence[int], strides: Sequence[int]) -> tuple[int, int]:
    """The first and the last entry of a view, in bytes from the entry with all indices zero."""
    ways = [(n - 1) * s for n, s in zip(shape, strides, strict=True)]
    return sum(w for w in ways if w < 0), sum(w for w in ways if w > 0)
