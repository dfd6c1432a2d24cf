"""Sliding windows on arrays: what convolution and pooling are made of, in any number of spatial dimensions.

Shapes follow PyTorch: input (N, C, *size), weight (C_out, C_in / groups, *kernel). A window array is a view, so that
the heavy part of each function is one matrix product.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..strided import strided

Array = np.ndarray[Any, np.dtype[Any]]
Sizes = tuple[int, ...]


@dataclass(frozen=True)
class Geometry:
    """How windows lie on the input: one number a spatial dimension in each field."""

    kernel: Sizes
    stride: Sizes
    padding: Sizes
    dilation: Sizes

    def extent(self, axis: int) -> int:
        """How many entries a window spans."""
        return self.dilation[axis] * (self.kernel[axis] - 1) + 1

    def output(self, size: Sizes, ceil_mode: bool = False) -> Sizes:
        """Number of windows along each spatial dimension."""
        counts = []
        for axis, n in enumerate(size):
            room = n + 2 * self.padding[axis] - self.extent(axis)
            count = (-(-room // self.stride[axis]) if ceil_mode else room // self.stride[axis]) + 1
            if ceil_mode and (count - 1) * self.stride[axis] >= n + self.padding[axis]:
                count -= 1  # the last window must start inside the input or its left padding
            counts.append(count)
        return tuple(counts)


def padded(x: Array, geometry: Geometry, counts: Sizes, fill: float = 0.0) -> Array:
    """x with `fill` around it, exactly as far as `counts` windows reach."""
    widths = [(0, 0)] * (x.ndim - len(counts))
    for axis, count in enumerate(counts):
        before = geometry.padding[axis]
        reach = (count - 1) * geometry.stride[axis] + geometry.extent(axis)
        widths.append((before, max(0, reach - before - x.shape[axis - len(counts)])))
    if not any(any(width) for width in widths):
        return x
    return np.pad(x, widths, constant_values=fill)


def windows(x: Array, geometry: Geometry, counts: Sizes) -> Array:
    """A view of the padded input, shaped (..., *counts, *kernel)."""
    rank = len(counts)
    lead, strides = x.strides[:-rank], x.strides[-rank:]
    shape = (*x.shape[:-rank], *counts, *geometry.kernel)
    steps = (
        *lead,
        *(s * t for s, t in zip(strides, geometry.stride, strict=True)),
        *(s * t for s, t in zip(strides, geometry.dilation, strict=True)),
    )
    view: Array = strided(x, shape, steps, writeable=False)
    return view


def spread(columns: Array, size: Sizes, geometry: Geometry) -> Array:
    """The adjoint of :func:`windows`: adds each window's entries back where they came from; (..., *size)."""
    rank = len(size)
    counts = columns.shape[-2 * rank : -rank]
    reach = tuple(
        max(size[a] + 2 * geometry.padding[a], (counts[a] - 1) * geometry.stride[a] + geometry.extent(a))
        for a in range(rank)
    )
    total: Any = np.zeros((*columns.shape[: -2 * rank], *reach), columns.dtype)
    for place in np.ndindex(*geometry.kernel):
        where = tuple(
            slice(
                p * geometry.dilation[a],
                p * geometry.dilation[a] + (counts[a] - 1) * geometry.stride[a] + 1,
                geometry.stride[a],
            )
            for a, p in enumerate(place)
        )
        total[(..., *where)] += columns[(..., *place)]
    return total[(..., *(slice(geometry.padding[a], geometry.padding[a] + size[a]) for a in range(rank)))]  # type: ignore[no-any-return]


def _grouped(x: Array, groups: int) -> Array:
    return x.reshape(x.shape[0], groups, x.shape[1] // groups, *x.shape[2:])


def convolve(x: Array, weight: Array, geometry: Geometry, groups: int) -> Array:
    """Cross-correlation of (N, C, *size) with (O, C / groups, *kernel): (N, O, *counts)."""
    counts = geometry.output(x.shape[2:])
    rank = len(counts)
    n, o = x.shape[0], weight.shape[0]
    view = windows(padded(_grouped(x, groups), geometry, counts), geometry, counts)  # N G C *counts *kernel
    inner = (2, *range(3 + rank, 3 + 2 * rank))
    depth = math.prod(weight.shape[1:])
    columns = view.transpose(1, 0, *range(3, 3 + rank), *inner).reshape(groups, n * math.prod(counts), depth)
    kernels = weight.reshape(groups, o // groups, depth)
    product = columns @ kernels.transpose(0, 2, 1)  # (groups, N * counts, O / groups)
    shaped = product.reshape(groups, n, *counts, o // groups)
    return np.ascontiguousarray(shaped.transpose(1, 0, shaped.ndim - 1, *range(2, 2 + rank)).reshape(n, o, *counts))


def convolve_input(g: Array, weight: Array, size: Sizes, geometry: Geometry, groups: int) -> Array:
    """The adjoint of :func:`convolve` in x: what a transposed convolution computes. (N, C, *size)."""
    n, o, *counts = g.shape
    rank = len(counts)
    per_group = weight.shape[1]
    kernels = weight.reshape(groups, o // groups, math.prod(weight.shape[1:]))
    pulled = (
        _grouped(g, groups).transpose(1, 0, *range(3, 3 + rank), 2).reshape(groups, n * math.prod(counts), o // groups)
    )
    columns = (pulled @ kernels).reshape(groups, n, *counts, per_group, *geometry.kernel)
    columns = columns.transpose(1, 0, 2 + rank, *range(2, 2 + rank), *range(3 + rank, 3 + 2 * rank))
    return np.ascontiguousarray(spread(columns, size, geometry).reshape(n, groups * per_group, *size))


def convolve_weight(x: Array, g: Array, geometry: Geometry, groups: int) -> Array:
    """The adjoint of :func:`convolve` in the weight: (O, C / groups, *kernel)."""
    n, o, *counts = g.shape
    rank = len(counts)
    view = windows(padded(_grouped(x, groups), geometry, tuple(counts)), geometry, tuple(counts))
    inner = (2, *range(3 + rank, 3 + 2 * rank))
    depth = x.shape[1] // groups * math.prod(geometry.kernel)
    columns = view.transpose(1, 0, *range(3, 3 + rank), *inner).reshape(groups, n * math.prod(counts), depth)
    pulled = (
        _grouped(g, groups).transpose(1, 2, 0, *range(3, 3 + rank)).reshape(groups, o // groups, n * math.prod(counts))
    )
    return np.ascontiguousarray((pulled @ columns).reshape(o, x.shape[1] // groups, *geometry.kernel))


def unfolded(x: Array, geometry: Geometry) -> Array:
    """(N, C, *size) to columns (N, C * prod(kernel), prod(counts))."""
    counts = geometry.output(x.shape[2:])
    rank = len(counts)
    view = windows(padded(x, geometry, counts), geometry, counts)
    moved = view.transpose(0, 1, *range(2 + rank, 2 + 2 * rank), *range(2, 2 + rank))
    return moved.reshape(x.shape[0], x.shape[1] * math.prod(geometry.kernel), math.prod(counts))


def folded(columns: Array, size: Sizes, geometry: Geometry) -> Array:
    """The adjoint of :func:`unfolded`: (N, C, *size)."""
    counts = geometry.output(size)
    rank = len(size)
    channels = columns.shape[1] // math.prod(geometry.kernel)
    parts = columns.reshape(columns.shape[0], channels, *geometry.kernel, *counts)
    moved = parts.transpose(0, 1, *range(2 + rank, 2 + 2 * rank), *range(2, 2 + rank))
    return spread(moved, size, geometry)


def pooled_places(x: Array, geometry: Geometry, ceil_mode: bool) -> Array:
    """For each window of (..., *size), the place of its (first) largest entry in the flattened spatial dimensions."""
    size = x.shape[-len(geometry.kernel) :]
    counts = geometry.output(size, ceil_mode)
    rank = len(size)
    worst: Any = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    view = windows(padded(x, geometry, counts, worst), geometry, counts)
    flat = view.reshape(*view.shape[:-rank], math.prod(geometry.kernel))
    best = np.argmax(flat, axis=-1)
    top = np.take_along_axis(flat, best[..., None], -1)[..., 0] if best.size else best
    if any(geometry.padding) and (top == worst).any():  # only padding was larger: the first entry inside is chosen
        inside = windows(padded(np.ones(size, bool), geometry, counts, False), geometry, counts).reshape(*counts, -1)
        best = np.where(top == worst, np.argmax(inside, axis=-1), best)
    offsets = np.unravel_index(best, geometry.kernel)
    place = np.zeros(best.shape, np.int64)
    for axis in range(rank):
        start = np.arange(counts[axis]) * geometry.stride[axis] - geometry.padding[axis]
        at = start.reshape(-1, *[1] * (rank - axis - 1)) + offsets[axis] * geometry.dilation[axis]
        place = place * size[axis] + at
    return place


def averaged(x: Array, geometry: Geometry, counts: Sizes, divisor: Array) -> Array:
    """The mean (by `divisor`, one number a window) over the windows of (..., *size)."""
    rank = len(counts)
    view = windows(padded(x, geometry, counts), geometry, counts)
    return np.asarray(view.sum(axis=tuple(range(-rank, 0)), dtype=x.dtype) / divisor).astype(x.dtype)


def averaged_adjoint(g: Array, size: Sizes, geometry: Geometry, divisor: Array) -> Array:
    """The adjoint of :func:`averaged`."""
    rank = len(size)
    shares = (g / divisor).astype(g.dtype)
    columns = np.broadcast_to(shares.reshape(*g.shape, *[1] * rank), (*g.shape, *geometry.kernel))
    return spread(columns, size, geometry)


def divisors(size: Sizes, geometry: Geometry, counts: Sizes, count_include_pad: bool) -> Array:
    """How many entries each window averages over, as PyTorch counts them at the borders."""
    result: Any = 1
    for axis, count in enumerate(counts):
        start = np.arange(count) * geometry.stride[axis] - geometry.padding[axis]
        end = np.minimum(start + geometry.kernel[axis], size[axis] + geometry.padding[axis])
        if not count_include_pad:
            start, end = np.maximum(start, 0), np.minimum(end, size[axis])
        result = np.multiply.outer(result, end - start)
    return np.asarray(result)
