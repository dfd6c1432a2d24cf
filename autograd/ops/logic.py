"""Comparisons and choices."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY
from ..errors import Unsupported, no_form
from ..tensor import Tensor
from .table import FUNCTIONS, METHODS, op


def _comparison(name: str, symbol: str, compare: Any, aliases: str = "") -> None:
    made = op(
        name, None, lambda input, other: compare(input, other), promote="numeric", elementwise=True, numbers="other",
        cut="comparison", symbol=f"{{input}} {symbol} {{other}}", inplace=True, aliases=aliases,
    )  # fmt: skip

    def method(self: Tensor, other: Any) -> Any:
        if not isinstance(other, (Tensor, bool, int, float, np.ndarray, np.generic)):
            return NotImplemented
        return made.function(self, other)

    METHODS[f"__{name}__"] = method


_comparison("eq", "==", operator.eq)
_comparison("ne", "!=", operator.ne, "not_equal")
_comparison("lt", "<", operator.lt, "less")
_comparison("le", "<=", operator.le, "less_equal")
_comparison("gt", ">", operator.gt, "greater")
_comparison("ge", ">=", operator.ge, "greater_equal")


def _logical(name: str, method: str, symbol: str, function: Any) -> None:
    made = op(
        name, None, lambda input, other: function(input, other), promote="numeric", elementwise=True,
        symbol=f"{{input}} {symbol} {{other}}", inplace=True,
    )  # fmt: skip
    METHODS[f"__{method}__"] = METHODS[f"__r{method}__"] = made.function
    METHODS[f"__i{method}__"] = METHODS[name + "_"]


_logical("bitwise_and", "and", "&", np.bitwise_and)
_logical("bitwise_or", "or", "|", np.bitwise_or)
_logical("bitwise_xor", "xor", "^", np.bitwise_xor)

bitwise_not = op("bitwise_not", None, lambda input: np.invert(input), symbol="~{input}", elementwise=True, inplace=True)


def _invert(self: Tensor) -> Tensor:
    if self.array.dtype.kind == "f":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    result: Tensor = bitwise_not.function(self)
    return result


METHODS["__invert__"] = _invert


def _where(condition: Any, input: Any, other: Any) -> Any:
    if type(condition) is np.bool_ and not isinstance(input, np.ndarray) and not isinstance(other, np.ndarray):
        chosen, rest = (input, other) if condition else (other, input)
        return chosen if hasattr(chosen, "dtype") or not hasattr(rest, "dtype") else rest.dtype.type(chosen)
    if condition.dtype.kind != "b" and condition.dtype != np.uint8:
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype "
            f"{OF_NUMPY[condition.dtype].word}"
        )
    return np.where(condition, input, other)


where = op(
    "where", "WhereBackward0", _where,
    inputs="condition input other",
    vjp={
        "input": lambda g, m, condition: m.where(condition, g, 0.0),
        "other": lambda g, m, condition: m.where(condition, 0.0, g),
    },
    local={"input": "1 where {condition}, else 0", "other": "0 where {condition}, else 1"},
    symbol="where({condition}, {input}, {other})", elementwise=True, promote="where", method=False, public=False,
)  # fmt: skip
METHODS["where"] = lambda self, condition, other: where.function(condition, self, other)


def choose(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """``input`` where ``condition`` is true, else ``other``; with the condition alone, the indices where it is
    true.
    """
    if input is None and other is None:
        return FUNCTIONS["nonzero"](condition, as_tuple=True)
    try:
        return where.function(condition, input, other)
    except (Unsupported, AttributeError):
        if all(isinstance(x, (Tensor, np.ndarray)) for x in (condition, input, other)):
            raise
        pairs = ("Tensor input, Tensor other", "Number self, Tensor other", "Tensor input, Number other")
        forms = "\n".join(["Tensor condition", *(f"Tensor condition, {pair}" for pair in pairs)])
        raise no_form("where", (condition, input, other), forms=forms) from None


FUNCTIONS["where"] = choose
