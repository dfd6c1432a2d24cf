"""Gradients in transit: every gradient takes the shape and type of what it is a gradient of, here and nowhere else.

Rules need not care about broadcasting. ``ones(3) * ones(4, 3)`` broadcasts, so the rule's gradient for the first factor
has shape (4, 3); :func:`conform` sums it back to (3,).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .summation import by_blas, ones, summed


def unbroadcast(g: Any, shape: tuple[int, ...]) -> Any:
    """Sums ``g`` over the axes along which an array of ``shape`` was broadcast to the shape of ``g``."""
    extra = g.ndim - len(shape)
    if extra < 0:
        return np.broadcast_to(g, shape)
    axes = tuple(range(extra)) + tuple(extra + i for i, n in enumerate(shape) if n == 1 and g.shape[extra + i] != 1)
    if axes:
        g = summed(g, axes)
    # what was summed has extent 1 in the target, or is not there at all
    count = g.size if axes else -1
    wanted = math.prod(shape)
    if count == wanted:
        return g.reshape(shape)
    if axes:
        g = np.expand_dims(g, axes)
    g = g.reshape(g.shape[extra:])
    return g if g.shape == shape else np.broadcast_to(g, shape)


def conform(g: Any, meta: Any) -> Any:
    """The gradient ``g``, an array, with the shape and type that ``meta`` asks for."""
    if type(meta) is tuple:
        shape, dtype = meta
        if g.shape != shape:
            if g.shape[1:] == shape:  # a bias, added to every row
                g = ones(len(g), g.dtype) @ g if by_blas(g) else summed(g, (0,))
            else:
                g = unbroadcast(g, shape)
        return g if g.dtype == dtype else g.astype(dtype)
    if getattr(g, "ndim", 0):
        g = summed(g, tuple(range(g.ndim)))
    return meta(g)


def conform_tensor(g: Any, meta: Any) -> Any:
    """:func:`conform` for a gradient that is a tensor, by recorded operations."""
    if type(meta) is tuple:
        shape, dtype = meta
    else:
        shape, dtype = (), np.dtype(meta)
    if not hasattr(g, "_edge"):
        from .dispatch import make

        g = make(np.asarray(g, dtype)[()])
    if g.array.shape != shape:
        extra = g.array.ndim - len(shape)
        axes = list(range(max(extra, 0))) + [
            extra + i for i, n in enumerate(shape) if extra >= 0 and n == 1 and g.array.shape[extra + i] != 1
        ]
        if axes:
            g = g.sum(axes, keepdim=True)
        if extra > 0:
            g = g.reshape(g.array.shape[extra:])
        if g.array.shape != shape:
            g = g.expand(shape)
    if g.array.dtype != dtype:
        from .dtypes import OF_NUMPY

        g = g.to(OF_NUMPY[np.dtype(dtype)])
    return g


def add(a: Any, b: Any) -> Any:
    """The sum of two gradients, either of which may be missing."""
    return b if a is None else a if b is None else a + b


def joined(held: Any, g: Any, meta: Any, number: int) -> Any:
    """``held`` with ``g`` added, at output ``number`` if the node has several."""
    if type(meta) is not list:
        return g if held is None else held + g
    slots = [None] * len(meta) if held is None else held
    slots[number] = g if slots[number] is None else slots[number] + g
    return slots
