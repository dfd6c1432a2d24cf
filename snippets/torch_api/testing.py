"""``torch.testing.assert_close``: are two results the same, up to rounding?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autograd import Tensor, as_tensor

#: Relative and absolute tolerance by dtype, as in PyTorch; whole numbers must be equal.
TOLERANCES = {"float16": (1e-3, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}


def assert_close(
    actual: Any,
    expected: Any,
    *,
    rtol: float | None = None,
    atol: float | None = None,
    equal_nan: bool = False,
    check_dtype: bool = True,
    msg: Any = None,
    **_: Any,
) -> None:
    """Raises AssertionError unless ``actual`` and ``expected`` have the same structure, shape, dtype and numbers.

    Numbers are the same when ``|actual - expected| <= atol + rtol * |expected|``; without ``rtol`` and ``atol`` the
    dtype decides (:data:`TOLERANCES`). Sequences and mappings are compared item by item.
    """
    if (rtol is None) != (atol is None):
        raise ValueError("Both 'rtol' and 'atol' must be either specified or unspecified.")
    fault = _difference(actual, expected, rtol, atol, equal_nan, check_dtype)
    if fault is not None:
        raise AssertionError(msg(fault) if callable(msg) else msg or fault)


def _difference(
    actual: Any, expected: Any, rtol: float | None, atol: float | None, equal_nan: bool, check_dtype: bool
) -> str | None:
    options = (rtol, atol, equal_nan, check_dtype)
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if actual.keys() != expected.keys():
            return "The keys of the mappings do not match"
        found = ((f"[{key!r}]", _difference(actual[key], expected[key], *options)) for key in actual)
    elif _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            return f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
        found = ((f"[{i}]", _difference(a, b, *options)) for i, (a, b) in enumerate(zip(actual, expected, strict=True)))
    elif actual is None or expected is None:
        return None if actual is expected else f"None mismatch: {actual} is not {expected}"
    else:
        return _tensors_differ(
            as_tensor(actual), as_tensor(expected), *options, both_numbers=_numbers(actual, expected)
        )
    return next((f"{fault}\n\nThe failure occurred for item {where}" for where, fault in found if fault), None)


def _is_sequence(thing: Any) -> bool:
    return isinstance(thing, Sequence) and not isinstance(thing, str)


def _numbers(actual: Any, expected: Any) -> bool:
    return not isinstance(actual, Tensor) and not isinstance(expected, Tensor)


def _tensors_differ(
    actual: Tensor,
    expected: Tensor,
    rtol: float | None,
    atol: float | None,
    equal_nan: bool,
    check_dtype: bool,
    both_numbers: bool,
) -> str | None:
    if tuple(actual.shape) != tuple(expected.shape):
        return f"The values for attribute 'shape' do not match: {actual.shape} != {expected.shape}."
    if check_dtype and actual.dtype != expected.dtype:
        return f"The values for attribute 'dtype' do not match: {actual.dtype} != {expected.dtype}."
    if rtol is None or atol is None:
        kinds = [TOLERANCES.get(str(t.dtype).removeprefix("torch."), (0.0, 0.0)) for t in (actual, expected)]
        rtol, atol = max(kind[0] for kind in kinds), max(kind[1] for kind in kinds)
    a, b = np.asarray(actual.array, np.float64), np.asarray(expected.array, np.float64)
    with np.errstate(all="ignore"):
        same = (np.abs(a - b) <= atol + rtol * np.abs(b)) | (a == b)
    if equal_nan:
        same |= np.isnan(a) & np.isnan(b)
    if same.all():
        return None
    what = "Scalars" if both_numbers else "Tensor-likes"
    if not (rtol or atol):
        head = f"{what} are not equal!"
    else:
        head = f"{what} are not close!"
    wrong = int((~same).sum())
    difference = np.where(same, 0.0, np.abs(a - b))
    worst = np.unravel_index(int(np.nanargmax(np.nan_to_num(difference, nan=np.inf))), a.shape)
    return (
        f"{head}\n\nMismatched elements: {wrong} / {a.size} ({100 * wrong / a.size:.1f}%)\n"
        f"Greatest absolute difference: {difference[worst]} at index {tuple(int(i) for i in worst)} "
        f"(up to {atol} allowed)\nExpected {b[worst]} but got {a[worst]}."
    )
