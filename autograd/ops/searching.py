"""Where values are, and how often: nonzero, unique, searchsorted. Integers come out, so no gradient flows."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..tensor import Tensor
from .table import composite, op


def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """Where ``input`` is not zero: one row of indices an entry, or a tuple of index tensors."""
    from ..dispatch import make

    found = np.nonzero(np.atleast_1d(input.array))
    if as_tuple:
        return tuple(make(i) for i in found)
    if input.ndim == 0:
        return make(np.zeros((len(found[0]), 0), np.int64))
    return make(np.stack(found, axis=1))


composite("nonzero", nonzero)
composite("argwhere", lambda input: nonzero(input))


def _refused(g: Any, dim: int | None) -> Any:
    name = "_unique2" if dim is None else "unique_dim"
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")


unique_values = op(
    "unique_values", "Unique2Backward0 UniqueDimBackward0",
    lambda input, dim=None: np.unique(input, axis=dim, equal_nan=False), inputs="input", vjp={"input": _refused},
    variant=lambda inputs, params: int(params[0] is not None), symbol="unique({input})", method=False, public=False,
    shown="unique",
)  # fmt: skip


def unique(
    input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """The distinct entries in order; with where each came from, and how often, if asked."""
    from ..dispatch import make

    results = [unique_values.function(input, dim)]
    if not (return_inverse or return_counts):
        return results[0]
    _, inverse, counts = np.unique(input.array, return_inverse=True, return_counts=True, axis=dim, equal_nan=False)
    if return_inverse:
        results.append(make(np.reshape(inverse, np.shape(input.array) if dim is None else -1)))
    if return_counts:
        results.append(make(counts))
    return tuple(results)


composite("unique", unique, array=lambda x: np.unique(x))


def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: Any = None
) -> Any:
    """As :func:`unique`, but only neighbours that are equal become one."""
    from ..dispatch import make

    line = np.ravel(input.array) if dim is None else np.moveaxis(input.array, dim, 0)
    if len(line):
        differs = np.array([bool(np.any(a != b)) for a, b in itertools.pairwise(line)], bool)
        new = np.concatenate([[True], differs])
    else:
        new = np.zeros(0, bool)
    starts = np.flatnonzero(new)
    values = line[starts]
    results = [make(values if dim is None else np.moveaxis(values, 0, dim))]
    if return_inverse:
        inverse = np.cumsum(new) - 1
        results.append(make(inverse.reshape(input.shape) if dim is None else inverse))
    if return_counts:
        results.append(make(np.diff(np.append(starts, len(line)))))
    return results[0] if len(results) == 1 else tuple(results)


composite("unique_consecutive", unique_consecutive)


def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each non-negative integer occurs."""
    from ..dispatch import make

    if input.is_floating_point():
        raise NotImplementedError(f"\"bincount_cpu\" not implemented for '{input.dtype.word}'")
    if input.ndim != 1 or (input.array.size and input.array.min() < 0):
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    given = None if weights is None else weights.array
    counts = np.bincount(input.array, given, minlength)
    return make(counts if given is None or given.dtype != np.float32 else counts.astype(np.float32))


composite("bincount", bincount)


def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False) -> Tensor:
    """Where ``elements`` are among ``test_elements``."""
    from ..dispatch import make

    raw = [x.array if isinstance(x, Tensor) else np.asarray(x) for x in (elements, test_elements)]
    return make(np.isin(raw[0], raw[1], invert=invert))


composite("isin", isin, method=False)


def searchsorted(
    sorted_sequence: Tensor,
    input: Any,
    *,
    out_int32: bool = False,
    right: bool = False,
    side: str | None = None,
    sorter: Any = None,
) -> Tensor:
    """Where in the sorted rows each value would be inserted."""
    from ..dispatch import make

    if side is not None and side not in ("left", "right"):
        raise RuntimeError(f"torch.searchsorted(): side can only be 'left' or 'right' but got {side}")
    where: Any = "right" if right or side == "right" else "left"
    rows = sorted_sequence.array if sorter is None else np.take_along_axis(sorted_sequence.array, sorter.array, -1)
    values = input.array if isinstance(input, Tensor) else np.asarray(input)
    if rows.ndim == 1:
        found = np.searchsorted(rows, values, where)
    else:
        shape = values.shape
        found = np.zeros(shape, np.int64)
        flat_rows, flat = rows.reshape(-1, rows.shape[-1]), values.reshape(-1, shape[-1])
        found = np.stack([np.searchsorted(r, v, where) for r, v in zip(flat_rows, flat, strict=True)]).reshape(shape)
    return make(np.asarray(found).astype(np.int32 if out_int32 else np.int64))


def bucketize(input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False) -> Tensor:
    """In which of the buckets between ``boundaries`` each value lies."""
    if boundaries.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries.ndim})")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right)


composite("searchsorted", searchsorted, method=False)
composite("bucketize", bucketize, method=False)
