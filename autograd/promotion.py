"""The type an operation computes in: its inputs are brought to their common type first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import errors
from .dtypes import dtype, get_default_dtype, result_type

if TYPE_CHECKING:
    from .ops.table import Operation

#: the dtype of each NumPy float scalar
FLOATS: dict[Any, Any] = {kind: np.dtype(kind) for kind in (np.float16, np.float32, np.float64)}


def promote(op: Operation, values: list[Any]) -> tuple[list[Any], dtype]:
    """The inputs in the type PyTorch computes in. Python numbers stay as they are where NumPy treats them alike."""
    if op.promote == "where":
        rest, common = _promoted(values[1:], result_type(values[1:]))
        return [values[0], *rest], common
    common = result_type(values)
    if op.name in ("sub", "rsub") and common.category == 1:
        errors.not_with_truths(values)
    if op.promote == "float" and not common.is_floating_point:
        common = get_default_dtype()
    return _promoted(values, common)


def _promoted(values: list[Any], common: dtype) -> tuple[list[Any], dtype]:
    target = common.numpy
    weak = any(hasattr(value, "dtype") for value in values)
    out: list[Any] = []
    for value in values:
        if value is None:
            out.append(value)
        elif type(value) in (bool, int, float):
            out.append(value if weak and common.is_floating_point else np.asarray(value).astype(target)[()])
        elif value.dtype != target:
            out.append(value.astype(target))
        else:
            out.append(value)
    return out, common


def alike(values: list[Any]) -> bool:
    """Whether ``values`` are of one float type, besides Python numbers: then there is nothing to promote."""
    kind: Any = None
    for value in values:
        t = type(value)
        if t is np.ndarray:
            t = value.dtype
        elif t is float or t is int:
            continue
        elif t not in FLOATS:
            return False
        else:
            t = FLOATS[t]
        if kind is None:
            kind = t
        elif t is not kind:
            return False
    return kind is not None and kind.kind == "f"
