"""Comparing tensors in tests (``torch.testing``): closeness with PyTorch's tolerances, and messages that show the
difference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .creation import tensor
from .dtypes import OF_NUMPY, float16, float32, float64
from .random import numpy_generator
from .tensor import Size, Tensor

#: (relative, absolute) tolerance of each type
TOLERANCES = {float16: (1e-3, 1e-5), float32: (1.3e-6, 1e-5), float64: (1e-7, 1e-7)}


def _numbers(value: Any) -> Any:
    if isinstance(value, Tensor):
        return np.asarray(value.array)
    return np.asarray(value)


def assert_close(
    actual: Any,
    expected: Any,
    *,
    allow_subclasses: bool = True,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_device: bool = True,
    check_dtype: bool = True,
    check_layout: bool = True,
    check_stride: bool = False,
    msg: str | Callable[[str], str] | None = None,
) -> None:
    """Raises AssertionError unless ``actual`` and ``expected`` (tensors, numbers, or nests of them) are close.

    Close means ``|actual - expected| <= atol + rtol * |expected|`` entry by entry; the tolerances depend on the type.
    """
    if (rtol is None) != (atol is None):
        raise ValueError(
            f"rtol and atol must both be specified or both be unspecified, but got rtol={rtol} and atol={atol} instead."
        )
    try:
        _compare(actual, expected, rtol, atol, equal_nan, check_dtype)
    except AssertionError as error:
        if msg is None:
            raise
        raise AssertionError(msg(str(error)) if callable(msg) else msg) from None


def _compare(actual: Any, expected: Any, rtol: Any, atol: Any, equal_nan: bool, check_dtype: bool) -> None:
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        if actual.keys() != expected.keys():
            raise AssertionError(f"The keys of the mappings do not match: {sorted(actual)} != {sorted(expected)}")
        for key in expected:
            _compare(actual[key], expected[key], rtol, atol, equal_nan, check_dtype)
        return
    if isinstance(expected, Sequence) and isinstance(actual, Sequence) and not isinstance(expected, str):
        if len(actual) != len(expected):
            raise AssertionError(f"The length of the sequences mismatch: {len(actual)} != {len(expected)}")
        for a, b in zip(actual, expected, strict=True):
            _compare(a, b, rtol, atol, equal_nan, check_dtype)
        return
    if actual is None and expected is None:
        return
    if isinstance(actual, Tensor) != isinstance(expected, Tensor):
        raise AssertionError(f"{type(actual)} and {type(expected)} cannot be compared")
    a, b = _numbers(actual), _numbers(expected)
    if a.shape != b.shape:
        raise AssertionError(f"The values for attribute 'shape' do not match: {Size(a.shape)} != {Size(b.shape)}.")
    if isinstance(actual, Tensor) and check_dtype and a.dtype != b.dtype:
        kinds = f"{OF_NUMPY[a.dtype]!r} != {OF_NUMPY[b.dtype]!r}"
        raise AssertionError(f"The values for attribute 'dtype' do not match: {kinds}.")
    if rtol is None:
        found = [TOLERANCES.get(OF_NUMPY[x.dtype], (0.0, 0.0)) for x in (a, b) if x.dtype in OF_NUMPY]
        rtol, atol = max(r for r, _ in found), max(t for _, t in found)
    x, y = a.astype(np.float64), b.astype(np.float64)
    with np.errstate(all="ignore"):
        gap = np.abs(x - y)
        close = (gap <= atol + rtol * np.abs(y)) | (x == y)
    if equal_nan:
        close |= np.isnan(x) & np.isnan(y)
    if close.all():
        return
    if a.ndim == 0:
        raise AssertionError(
            f"Scalars are not close!\n\nExpected {y.item()} but got {x.item()}.\nAbsolute difference: {gap.item()} (up "
            f"to {atol} allowed)\nRelative difference: {(gap / np.abs(y)).item()} (up to {rtol} allowed)"
        )
    bad = int((~close).sum())
    worst = np.unravel_index(int(np.argmax(np.where(close, -1, np.nan_to_num(gap, nan=np.inf)))), gap.shape)
    relative = np.where(close, -1, np.nan_to_num(gap / np.abs(y), nan=np.inf))
    where = np.unravel_index(int(np.argmax(relative)), gap.shape)
    raise AssertionError(
        f"Tensor-likes are not close!\n\nMismatched elements: {bad} / {a.size} ({100 * bad / a.size:.1f}%)\n"
        f"Greatest absolute difference: {gap[worst]} at index {tuple(map(int, worst))} (up to {atol} allowed)\n"
        f"Greatest relative difference: {relative[where]} at index {tuple(map(int, where))} (up to {rtol} allowed)"
    )


def assert_allclose(actual: Any, expected: Any, rtol: float | None = None, atol: float | None = None, **_: Any) -> None:
    """The old name of :func:`assert_close`; ``expected`` may be numbers."""
    if not isinstance(actual, Tensor):
        actual = tensor(actual)
    if not isinstance(expected, Tensor):
        expected = tensor(expected, dtype=actual.dtype)
    assert_close(actual, expected, rtol=rtol, atol=atol, equal_nan=True, check_dtype=False)


def make_tensor(
    *shape: Any, dtype: Any, device: Any = "cpu", low: float | None = None, high: float | None = None,
    requires_grad: bool = False, **_: Any,
) -> Tensor:  # fmt: skip
    """A tensor of the given shape and type with random entries from ``low`` to ``high`` (-9 to 9 unless given)."""
    size = tuple(shape[0]) if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape
    low, high = (-9.0 if low is None else low), (9.0 if high is None else high)
    values = numpy_generator().uniform(low, high, size)
    made = tensor(values if dtype.is_floating_point else np.floor(values), dtype=dtype)
    return made.requires_grad_(requires_grad)
