"""Choosing entries by a mask of truth values, and writing where it is true."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY
from ..errors import broadcast
from ..tensor import Tensor
from .selection import padded
from .table import composite, op

#: how C calls the types that are no masks
C_NAMES = {
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int", "int32": "int", "int64": "long int",
    "float16": "c10::Half", "float32": "float", "float64": "double",
}  # fmt: skip


def _mask(name: str, mask: Any) -> None:
    if mask.dtype != np.bool_:
        raise RuntimeError(f"{name} only supports boolean masks, but got mask with dtype {C_NAMES[mask.dtype.name]}")


def _masked_fill(input: Any, mask: Any, value: Any) -> Any:
    _mask("masked_fill_", mask)
    if np.ndim(value):
        raise RuntimeError(
            f"masked_fill_ only supports a 0-dimensional value tensor, but got tensor with {np.ndim(value)} "
            "dimension(s)."
        )
    kind = input.dtype.type
    return np.where(mask, kind(value), input)


masked_fill = op(
    "masked_fill", "MaskedFillBackward0 MaskedFillBackward1", _masked_fill, inputs="input mask value",
    vjp={"input": lambda g, m, mask: m.where(mask, 0.0, g), "value": lambda g, m, mask: m.where(mask, g, 0.0)},
    local={"input": "0 where {mask}, else 1", "value": "1 where {mask}"}, symbol="{input}.masked_fill({mask}, {value})",
    inplace=True, elementwise=True, variant=lambda inputs, params: int(isinstance(inputs[2], Tensor)),
)  # fmt: skip


def _broadcast(input: Any, mask: Any) -> tuple[Any, Any]:
    problem = broadcast([np.shape(mask), np.shape(input)])
    if problem is not None:
        raise problem
    shape = np.broadcast_shapes(np.shape(input), np.shape(mask))
    return np.broadcast_to(input, shape), np.broadcast_to(mask, shape)


def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """The entries of ``input`` where ``mask`` is true, as a 1-d tensor."""
    if mask.array.dtype != np.bool_:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    return masked_selected.function(input, mask)  # type: ignore[no-any-return]


def _select_masked(input: Any, mask: Any) -> Any:
    x, chosen = _broadcast(input, mask)
    return x[chosen]


def _unselected(m: Any, g: Any, shape: tuple[int, ...], mask: Any) -> Any:
    return m.masked_scatter(m.zeros(np.broadcast_shapes(tuple(shape), tuple(mask.shape)), g), mask, g)


masked_selected = op(
    "masked_select", "MaskedSelectBackward0", _select_masked, inputs="input mask",
    vjp={"input": lambda g, m, input, mask: _unselected(m, g, input.shape, mask)},
    local={"input": "1 where {mask}, else 0"}, rule={"input": "g where {mask}, else 0"}, symbol="{input}[{mask}]",
    method=False, public=False,
)  # fmt: skip
composite("masked_select", masked_select, array=_select_masked)


def _masked_scatter(input: Any, mask: Any, source: Any) -> Any:
    if mask.dtype != np.bool_:
        raise RuntimeError(
            f"masked_scatter_ only supports boolean masks, but got mask with dtype {OF_NUMPY[mask.dtype].word}"
        )
    x, chosen = _broadcast(input, mask)
    out = np.array(x)
    count = int(chosen.sum())
    if np.size(source) < count:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    out[chosen] = np.ravel(source)[:count]
    return out


def _masked_source(g: Any, m: Any, mask: Any, source_shape: tuple[int, ...]) -> Any:
    taken = m.masked_select(g, mask)
    size = int(np.prod(source_shape))
    return padded(m, taken, (size,)).reshape(source_shape)


masked_scatter = op(
    "masked_scatter", "MaskedScatterBackward0", _masked_scatter, inputs="input mask source",
    vjp={"input": lambda g, m, mask: m.where(mask, 0.0, g), "source": _masked_source},
    local={"input": "0 where {mask}, else 1", "source": "1"},
    rule={"input": "g, 0 where {mask}", "source": "g where it went"}, symbol="{input}.masked_scatter({mask}, {source})",
    inplace=True,
)  # fmt: skip
