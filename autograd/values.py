"""Values in a trace: numbers, nested lists, summaries. Plain data, see :mod:`autograd.trace`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .tensor import Tensor
from .trace import FULL_VALUE_LIMIT, Value


def raw(x: Any) -> Any:
    """``x`` as it can be kept until the trace is written: 0-d values as they are, since nobody can change them."""
    array = x.array if isinstance(x, Tensor) else x
    if isinstance(array, np.generic) or array is None:
        return array
    return value_of(array)


def value_of(x: Any) -> Value:
    """``x`` (tensor, array, number or None) as plain data."""
    if x is None:
        return None
    array = x.array if isinstance(x, Tensor) else x
    if not isinstance(array, np.ndarray):
        return plain(array.item() if isinstance(array, np.generic) else array)
    if array.ndim == 0:
        return plain(array.item())
    if array.size <= FULL_VALUE_LIMIT:
        return _nested(array.tolist()) if array.dtype.kind == "f" else array.tolist()
    numbers = array.astype(np.float64)
    return {
        "shape": list(array.shape),
        "min": plain(float(numbers.min())),
        "max": plain(float(numbers.max())),
        "mean": plain(float(numbers.mean())),
        "norm": plain(float(np.sqrt((numbers * numbers).sum()))),
        "sample": [plain(v) for v in array.ravel()[:6].tolist()],
    }


def settled(kept: Any) -> Value:
    """What :func:`raw` kept, as plain data."""
    return plain(kept.item()) if isinstance(kept, np.generic) else kept


def plain(number: Any) -> Any:
    """A number that JSON can hold: nan and the infinities become strings."""
    if isinstance(number, float) and not math.isfinite(number):
        return "nan" if number != number else "inf" if number > 0 else "-inf"
    return number


def _nested(values: Any) -> Any:
    return [_nested(v) for v in values] if isinstance(values, list) else plain(values)


def numbers_in(source: Any) -> Any:
    """The numbers, arrays and tensors in ``source``, which may be nested lists."""
    if isinstance(source, (list, tuple)):
        for each in source:
            yield from numbers_in(each)
    elif source is not None:
        yield source
