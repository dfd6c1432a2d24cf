"""Sorting: the values in order, and where they came from."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import whole
from ..tensor import Tensor
from .extrema import chosen, placed
from .products import squeezed
from .shaping import axis_of
from .table import composite, op
from .ties import LONGEST, kth_smallest, largest_or_smallest


def order(x: Any, axis: int, descending: bool) -> Any:
    """The stable sorting permutation; nan counts as larger than every number, as in PyTorch."""
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    backwards = np.argsort(np.flip(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(backwards, axis)


def _sort(input: Any, dim: int = -1, descending: bool = False, stable: Any = None) -> Any:
    axis = axis_of(dim, np.ndim(input))
    if np.ndim(input) == 0:
        return np.array(input), np.zeros((), np.int64)
    permutation = order(input, axis, descending)
    return np.take_along_axis(input, permutation, axis), permutation


def parse_sort(input: Any, *args: Any, dim: int = -1, descending: bool = False, stable: Any = None) -> Any:
    """``sort(dim, descending)``, or ``sort(stable=..., dim=...)``."""
    if args:
        dim = args[0]
    if len(args) > 1:
        descending = args[1]
    return (input,), (dim, bool(descending), stable)


sort = op(
    "sort", "SortBackward0 SortBackward1", _sort, outputs="values indices", nondiff="indices",
    vjp={"input": lambda g, m, input_shape, dim, indices: placed(g[0], m, input_shape, dim, indices, True)},
    local={"input": "the gradient of each value goes back to where it came from"},
    rule={"input": "g, each back where it came from"}, symbol="sort({input})",
    parse=parse_sort, variant=lambda inputs, params: int(params[2] is not None),
)  # fmt: skip
composite("argsort", lambda input, *args, **kwargs: sort.function(input, *args, **kwargs)[1])
composite("msort", lambda input: sort.function(input, 0)[0])


def _topk(input: Any, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    axis = axis_of(dim, np.ndim(input))
    size = input.shape[axis] if np.ndim(input) else 1
    k = whole("k", k)
    if not 0 <= k <= size:
        raise RuntimeError("selected index k out of range")
    if np.ndim(input) == 0:
        return np.array(input), np.zeros((), np.int64)
    whole_order = order(input, axis, largest)
    permutation = np.take(whole_order, range(k), axis)
    if k and 64 * k > size and size <= LONGEST:
        ranked = np.moveaxis(np.take_along_axis(input, whole_order, axis), axis, -1)[..., : k + 1]
        tied = (ranked[..., 1:] == ranked[..., :-1]).any(-1)
        rows, places = np.moveaxis(input, axis, -1), np.moveaxis(permutation, axis, -1)
        for row in np.argwhere(tied if sorted else np.ones_like(tied)):
            places[tuple(row)] = largest_or_smallest(rows[tuple(row)], k, largest, sorted)
    return np.take_along_axis(input, permutation, axis), permutation


topk = op(
    "topk", "TopkBackward0", _topk, outputs="values indices", nondiff="indices", inputs="input",
    vjp={"input": lambda g, m, input_shape, dim, indices: placed(g[0], m, input_shape, dim, indices, True)},
    local={"input": "1 for the {k} chosen, else 0"}, rule={"input": "g at the {k} chosen, else 0"},
    symbol="topk({input}, {k})",
)  # fmt: skip


def _kthvalue(input: Any, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    axis = axis_of(dim, np.ndim(input))
    size = input.shape[axis] if np.ndim(input) else 1
    if not 1 <= k <= size:
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {axis}")
    if np.ndim(input) == 0:
        return np.array(input), np.zeros((), np.int64)
    ranks = np.argsort(input, axis=axis, kind="stable")
    places = np.asarray(np.take(ranks, k - 1, axis))
    if size <= LONGEST:
        rows = np.moveaxis(input, axis, -1)
        taken = np.expand_dims(np.take_along_axis(rows, places[..., None], -1)[..., 0], -1)
        for row in np.argwhere((rows == taken).sum(-1) > 1):
            places[tuple(row)] = kth_smallest(rows[tuple(row)], k - 1)
    return chosen(input, axis, places, keepdim)


kthvalue = op(
    "kthvalue", "KthvalueBackward0", _kthvalue, outputs="values indices", nondiff="indices", inputs="input",
    vjp={"input": lambda g, m, input_shape, dim, indices, keepdim: placed(g[0], m, input_shape, dim, indices, keepdim)},
    local={"input": "1 for the one chosen, else 0"}, rule={"input": "g at the one chosen, else 0"},
    symbol="kthvalue({input}, {k})",
)  # fmt: skip


def _quantile(ignore_nan: bool) -> Any:
    def quantile(
        input: Tensor, q: Any, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
    ) -> Tensor:
        """The value below which a share ``q`` of the entries lies, between neighbours by ``interpolation``."""
        from ..creation import tensor

        if input.array.dtype not in (np.float32, np.float64):
            raise RuntimeError("quantile() input tensor must be either float or double dtype")
        if not isinstance(q, Tensor) and not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        shares = q if isinstance(q, Tensor) else tensor(q, dtype=input.dtype)
        if shares.dtype is not input.dtype:
            raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
        flat = input.reshape(-1) if dim is None else input.movedim(dim, -1) if input.ndim else input.reshape(-1)
        ordered = sort.function(flat, -1)[0]
        known = ~np.isnan(ordered.array)
        count = known.sum(-1, keepdims=True) if ignore_nan else np.full((*ordered.shape[:-1], 1), ordered.shape[-1])
        rank = np.asarray(shares.array).reshape(-1) * np.maximum(count - 1, 0).astype(input.array.dtype)
        if not ignore_nan:
            rank = np.where(known.all(-1, keepdims=True), rank, ordered.shape[-1] - 1)
        rank = _interpolated(rank, interpolation)
        low = tensor(np.floor(rank).astype(np.int64))
        result: Tensor = ordered.gather(-1, low)
        if interpolation in ("linear", "midpoint"):
            high = tensor(np.ceil(rank).astype(np.int64))
            weight = tensor((rank - np.floor(rank)).astype(input.array.dtype))
            if interpolation == "linear":  # then the share itself moves the place between the neighbours
                moved = shares.reshape(-1) * tensor(np.maximum(count - 1, 0).astype(input.array.dtype))
                weight = moved - tensor(np.floor(rank).astype(input.array.dtype))
            result = result.lerp(ordered.gather(-1, high), weight)
        result = result.movedim(-1, 0) if shares.ndim else squeezed.function(result, -1)
        if keepdim and input.ndim:
            where = tuple(range(input.ndim)) if dim is None else (axis_of(dim, input.ndim),)
            for axis in where:
                result = result.unsqueeze(axis + (1 if shares.ndim else 0))
        return result

    return quantile


def _interpolated(rank: Any, interpolation: str) -> Any:
    if interpolation == "lower":
        return np.floor(rank)
    if interpolation == "higher":
        return np.ceil(rank)
    if interpolation == "nearest":
        return np.rint(rank)
    if interpolation == "midpoint":
        return np.where(rank == np.floor(rank), rank, np.floor(rank) + 0.5)
    return rank


composite("quantile", _quantile(False))
composite("nanquantile", _quantile(True))
