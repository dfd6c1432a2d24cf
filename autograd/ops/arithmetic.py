"""Arithmetic: + - * / ** and their kin."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ..dtypes import get_default_dtype, int64
from ..errors import no_form
from ..tensor import Tensor
from .generate import SCALARS, in_place
from .table import FUNCTIONS, METHODS, composite, op


def _times(alpha: Any, x: Any) -> Any:
    """``alpha`` times ``x``, in the type of ``x`` where that is one of integers."""
    kind = getattr(x, "dtype", None)
    if kind is None or kind.kind == "f":
        return alpha * x
    if isinstance(alpha, float):
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    return x * kind.type(alpha)


add = op(
    "add", "AddBackward0",
    lambda input, other, *, alpha=1: input + (other if alpha == 1 else _times(alpha, other)),
    vjp={"input": "g", "other": "g if alpha == 1 else g * alpha"},
    local={"input": "1", "other": "{alpha}"}, symbol="{input} + {other}",
    promote="numeric", elementwise=True, inplace=True, operator="add", scalar=operator.add,
)  # fmt: skip

sub = op(
    "sub", "SubBackward0",
    lambda input, other, *, alpha=1: input - (other if alpha == 1 else _times(alpha, other)),
    vjp={"input": "g", "other": "-g if alpha == 1 else -g * alpha"},
    local={"input": "1", "other": "-{alpha}"}, symbol="{input} - {other}",
    promote="numeric", elementwise=True, inplace=True, operator="sub", reflected="_rsub", scalar=operator.sub,
    aliases="subtract",
)  # fmt: skip

rsub = op(
    "rsub", "RsubBackward1",
    lambda input, other, *, alpha=1: other - (input if alpha == 1 else _times(alpha, input)),
    vjp={"input": "-g if alpha == 1 else -g * alpha", "other": "g"},
    local={"input": "-{alpha}", "other": "1"}, symbol="{other} - {input}",
    promote="numeric", elementwise=True, numbers="other", scalar=lambda input, other: other - input,
)  # fmt: skip

rsub_tensor = op(
    "rsub_tensor", "RsubBackward0",
    lambda input, other, *, alpha=1: other - (input if alpha == 1 else _times(alpha, input)),
    vjp={"input": "-g if alpha == 1 else -g * alpha", "other": "g"},
    local={"input": "-{alpha}", "other": "1"}, symbol="{other} - {input}",
    promote="numeric", elementwise=True, numbers="other", method=False, public=False, shown="rsub",
)  # fmt: skip


def _subtracted_from(input: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
    """``other - alpha * input``."""
    result: Tensor = (rsub_tensor if isinstance(other, Tensor) else rsub).function(input, other, alpha=alpha)
    return result


_subtracted_from.__name__ = "rsub"
FUNCTIONS["rsub"] = _subtracted_from
FUNCTIONS["_rsub"] = rsub.function

mul = op(
    "mul", "MulBackward0",
    lambda input, other: input * other,
    vjp={"input": "g * other", "other": "g * input"},
    local={"input": "{other}", "other": "{input}"}, symbol="{input} * {other}",
    promote="numeric", elementwise=True, inplace=True, operator="mul", scalar=operator.mul, aliases="multiply",
)  # fmt: skip

div = op(
    "div", "DivBackward0",
    lambda input, other: input / other,
    vjp={"input": "g / other", "other": "-g * ((input / other) / other)"},
    local={"input": "1/{other}", "other": "-{input}/{other}²"}, symbol="{input} / {other}",
    promote="float", elementwise=True, inplace=True, operator="truediv", reflected="_rdiv", scalar=operator.truediv,
    aliases="divide true_divide",
)  # fmt: skip

reciprocal = op(
    "reciprocal", "ReciprocalBackward0",
    lambda input: 1 / input,
    vjp={"input": "-g * (result * result)"},
    local={"input": "-1/{input}²"}, symbol="1 / {input}",
    promote="float", elementwise=True, inplace=True,
)  # fmt: skip

FUNCTIONS["_rdiv"] = lambda self, number: reciprocal.function(self) * number

neg = op(
    "neg", "NegBackward0",
    lambda input: -input,
    vjp={"input": "-g"},
    local={"input": "-1"}, symbol="-{input}",
    promote="numeric", elementwise=True, inplace=True, scalar=operator.neg, aliases="negative",
)  # fmt: skip
METHODS["__neg__"] = neg.function


def power(input: Any, exponent: Any) -> Any:
    """``input ** exponent`` for a number: squares and cubes are products, as in PyTorch, down to the last digit."""
    if exponent == 2:
        return input * input
    if exponent == 3:
        return input * input * input
    if exponent == -2 and input.dtype.kind == "f":
        return 1 / (input * input)
    if exponent == 0.5 and input.dtype.kind == "f":
        return np.sqrt(input)
    return input**exponent


def _scalar_power(x: Any, exponent: Any) -> Any:
    if exponent == 0.5 and x >= 0:
        return type(x)(math.sqrt(x))
    return power(x, exponent)


def _pow_scalar_vjp(g: Any, m: Any, input: Any, exponent: Any) -> Any:
    if exponent == 0:
        return m.zeros_like(g)
    if exponent == 2 and not isinstance(input, Tensor):
        return g * (2 * input)
    return g * (exponent * input ** (exponent - 1))


def _pow_symbol(exponent: Any, input: str) -> str:
    less = exponent - 1
    tail = (
        "" if less == 0 else f"·{input}" if less == 1 else f"·{input}^{less:g}" if less > 0 else f"·{input}^({less:g})"
    )
    return f"{exponent:g}{tail}"


pow_scalar = op(
    "pow", "PowBackward0",
    lambda input, exponent: power(input, exponent),
    inputs="input",
    vjp={"input": _pow_scalar_vjp},
    local={"input": lambda names, values: _pow_symbol(values["exponent"], names["input"])},
    symbol="{input} ** {exponent}", elementwise=True, method=False, public=False, scalar=_scalar_power,
)  # fmt: skip


def _pow(input: Any, exponent: Any) -> Any:
    """Between integers, 1 / x**n is what is left of it without its fraction: 0, or ±1 for x = ±1."""
    if np.result_type(input, exponent).kind == "f":
        return input**exponent
    whole = np.asarray(input) ** np.abs(exponent)
    return np.where(np.less(exponent, 0), np.where(np.abs(whole) == 1, whole, 0), whole).astype(whole.dtype)


def _pow_slope(g: Any, m: Any, input: Any, exponent: Any) -> Any:
    """0 where the exponent is 0; what is masked is computed from harmless numbers, so that it can be differentiated."""
    constant = exponent == 0
    safe = m.where(constant, 1.0, exponent)
    return m.where(constant, 0.0, g * (safe * input ** (safe - 1)))


def _pow_growth(g: Any, m: Any, input: Any, exponent: Any, result: Any) -> Any:
    """0 where the base is 0 and stays it."""
    stays = (input == 0) & (exponent >= 0)
    return m.where(stays, 0.0, g * (result * m.log(m.where(stays, m.ones_like(input), input))))


pow_tensor = op(
    "pow_tensor", "PowBackward1", _pow,
    inputs="input exponent",
    vjp={
        "input": lambda g, m, input, exponent: _pow_slope(g, m, input, exponent),
        "exponent": lambda g, m, input, exponent, result: _pow_growth(g, m, input, exponent, result),
    },
    local={"input": "{exponent}·{input}^({exponent}-1)", "exponent": "{input}^{exponent}·log({input})"},
    symbol="{input} ** {exponent}", promote="numeric", elementwise=True, method=False, public=False, shown="pow",
)  # fmt: skip

pow_base = op(
    "pow_base", "PowBackward2",
    lambda exponent, input: input**exponent,
    inputs="exponent",
    vjp={
        "exponent": lambda g, m, input, exponent, result: g * m.where(exponent >= 0, 0.0, -math.inf)
        if input == 0 else g * (result * float(np.log(input)))
    },
    local={"exponent": "{input}^{exponent}·log({input})"},
    symbol="{input} ** {exponent}", elementwise=True, method=False, public=False, shown="pow",
)  # fmt: skip


def _base(input: Any, exponent: Any) -> Any:
    """An integer tensor with a float exponent becomes a float tensor first."""
    if isinstance(exponent, float) and input.array.dtype.kind in "biu":
        return input.to(get_default_dtype())
    if isinstance(exponent, int) and input.array.dtype.kind == "b":
        return input.to(int64)
    return input


def pow(input: Any, exponent: Any) -> Tensor:
    """``input ** exponent``; either may be a number."""
    if isinstance(exponent, str) or not (isinstance(input, Tensor) or isinstance(exponent, Tensor)):
        raise no_form("pow", (input, exponent), forms="Tensor exponent\nNumber exponent")
    if isinstance(exponent, Tensor):
        if isinstance(input, Tensor):
            if input.array.dtype.kind == exponent.array.dtype.kind == "b":
                raise NotImplementedError("\"pow\" not implemented for 'Bool'")
            result: Tensor = pow_tensor.function(input, exponent)
        else:
            result = pow_base.function(_base(exponent, input), input)
        return result
    return pow_scalar.function(_base(input, exponent), exponent)  # type: ignore[no-any-return]


_pow_scalar_in_place = in_place(pow_scalar)
_pow_tensor_in_place = in_place(pow_tensor)


def pow_(input: Tensor, exponent: Any) -> Tensor:
    """``input ** exponent``, written into ``input``."""
    write = _pow_tensor_in_place if isinstance(exponent, Tensor) else _pow_scalar_in_place
    if isinstance(exponent, float) and input.array.dtype.kind != "f":
        raise RuntimeError(f"result type Float can't be cast to the desired output type {input.dtype.word}")
    result: Tensor = write(input, exponent)
    return result


composite("pow", pow, array=lambda input, exponent: input**exponent)
_NUMBERS = (Tensor, int, float, np.ndarray, np.generic)
METHODS["__rdiv__"] = METHODS["__rtruediv__"]


def _power_operator(self: Any, exponent: Any) -> Any:
    kind = type(exponent)
    if (kind is int or kind is float) and type(self.array) in SCALARS:
        return pow_scalar.function(self, exponent)
    return pow(self, exponent) if isinstance(exponent, _NUMBERS) else NotImplemented


METHODS["__pow__"] = _power_operator
METHODS["__rpow__"] = lambda self, number: pow(number, self) if isinstance(number, _NUMBERS) else NotImplemented
METHODS["pow_"] = METHODS["__ipow__"] = pow_
