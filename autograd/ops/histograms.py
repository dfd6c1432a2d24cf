"""Histograms with chosen edges, in one dimension and in several. Counting has no gradient."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..tensor import Tensor
from .table import composite, several


def _returned(name: str) -> Any:
    made = namedtuple(name, "hist bin_edges")  # type: ignore[misc]
    made.__module__ = "torch.return_types"
    made.__repr__ = several  # type: ignore[method-assign]
    return made


_Histogram, _Histogramdd = _returned("histogram"), _returned("histogramdd")


def _edges(values: Any, bins: Any, limits: Any) -> Any:
    """The borders of the bins along one coordinate."""
    if isinstance(bins, Tensor):
        return bins.array
    if limits is None and not values.size:
        limits = (0.0, 1.0)
    low, high = limits if limits is not None else (values.min(), values.max())
    if low == high:
        low, high = low - 0.5 if limits is None else low, high + (0.5 if limits is None else 1)
    return np.linspace(low, high, int(bins) + 1, dtype=np.float64).astype(values.dtype)


def _counted(points: Any, edges: list[Any], weight: Tensor | None, density: bool) -> Any:
    given = None if weight is None else weight.array.reshape(-1)
    inside = np.ones(len(points), bool)
    place: Any = 0
    for axis, each in enumerate(edges):
        x, count = points[:, axis], len(each) - 1
        inside &= (x >= each[0]) & (x <= each[-1])
        found = np.clip(np.searchsorted(each, x, side="right") - 1, 0, count - 1)
        place = place * count + found
    shape = [len(each) - 1 for each in edges]
    counts = np.bincount(place[inside], None if given is None else given[inside], int(np.prod(shape))).reshape(shape)
    if density:
        volume = 1.0
        for axis, each in enumerate(edges):
            volume = volume * np.diff(each).reshape([-1 if i == axis else 1 for i in range(len(edges))])
        counts = counts / volume / counts.sum()
    return counts.astype(points.dtype)


def histogram(
    input: Tensor, bins: Any, *, range: Any = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """How many entries (or what weight) fall between neighbouring edges; ``bins`` is their number or the edges."""
    from ..dispatch import make

    values = input.array.reshape(-1)
    edges = _edges(values, bins, range)
    return _Histogram(make(_counted(values[:, None], [edges], weight, density)), make(edges))


def histogramdd(
    input: Tensor, bins: Any, *, range: Any = None, weight: Tensor | None = None, density: bool = False
) -> Any:
    """:func:`histogram` of points: the last dimension of ``input`` holds their coordinates."""
    from ..dispatch import make

    points = input.array.reshape(-1, input.shape[-1])
    each = [bins] * points.shape[1] if isinstance(bins, int) else list(bins)
    limits = [None] * len(each) if range is None else list(zip(range[::2], range[1::2], strict=True))
    edges = [_edges(points[:, i], b, r) for i, (b, r) in enumerate(zip(each, limits, strict=True))]
    return _Histogramdd(make(_counted(points, edges, weight, density)), tuple(make(e) for e in edges))


composite("histogram", histogram)
composite("histogramdd", histogramdd, method=False)
