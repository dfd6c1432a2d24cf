"""Absolute value and sign, rounding, remainders: functions that are flat or linear between their jumps and kinks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import argument_of, broadcast
from ..tensor import Tensor
from . import generate
from .arithmetic import div
from .table import FUNCTIONS, METHODS, Operation, composite, op


def flat(
    name: str, kernel: Callable[[Any], Any], node: str | None = None, aliases: str = "", **entry: Any
) -> Operation:
    """A step function: its derivative is 0 wherever it has one, and PyTorch takes 0 at the jumps too."""
    return op(
        name, node or f"{name.capitalize()}Backward0", lambda input: kernel(input),
        vjp={"input": lambda g, m: m.zeros_like(g)}, local={"input": "0"}, symbol=f"{name}({{input}})",
        elementwise=True, inplace=True, aliases=aliases, **entry,
    )  # fmt: skip


def _sign(x: Any) -> Any:
    if x.dtype.kind == "f":
        return np.where(np.isnan(x), x.dtype.type(0), np.sign(x))  # nan has no sign
    return x if x.dtype.kind == "b" else np.sign(x)


def _keeping_integers(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: function(x) if x.dtype.kind == "f" else np.array(x)


def _abs(input: Any) -> Any:
    if input.dtype.kind == "b":
        raise NotImplementedError("\"abs_cpu\" not implemented for 'Bool'")
    return np.abs(input)


abs = op(
    "abs", "AbsBackward0", _abs,
    vjp={"input": lambda g, m, input: g * m.sgn(input)}, local={"input": "sign({input})"}, symbol="|{input}|",
    elementwise=True, inplace=True, aliases="absolute",
)  # fmt: skip
METHODS["__abs__"] = abs.function
sign = flat("sign", _sign)
sgn = op(
    "sgn", "SgnBackward0", lambda input: _sign(input), vjp={"input": lambda g, m, input, result: m.zeros_like(g)},
    local={"input": "0"}, symbol="sgn({input})", elementwise=True, inplace=True,
)  # fmt: skip
floor = flat("floor", _keeping_integers(np.floor))
ceil = flat("ceil", _keeping_integers(np.ceil))
trunc = flat("trunc", _keeping_integers(np.trunc), aliases="fix")


def _round(input: Any, *, decimals: int = 0) -> Any:
    """To the nearest, halves to the even neighbour."""
    if input.dtype.kind != "f":
        return np.array(input)
    if decimals == 0:
        return np.rint(input)
    scale = input.dtype.type(10.0 ** abs_int(decimals))
    return np.rint(input * scale) / scale if decimals > 0 else np.rint(input / scale) * scale


def abs_int(n: int) -> int:
    """|n|, since this module's own ``abs`` is the operation."""
    return n if n >= 0 else -n


round = op(
    "round", "RoundBackward0 RoundBackward1", _round,
    vjp={"input": lambda g, m: m.zeros_like(g)}, local={"input": "0"}, symbol="round({input})", elementwise=True,
    inplace=True,
    variant=lambda inputs, params: int(params[0] != 0),
)  # fmt: skip

frac = op(
    "frac", "FracBackward0",
    lambda input: input - np.trunc(input),
    vjp={"input": lambda g: g}, local={"input": "1"}, symbol="frac({input})", elementwise=True, inplace=True,
)  # fmt: skip
positive = composite("positive", lambda input: input, array=lambda x: x)
METHODS["__pos__"] = positive


def _nan_to_num(input: Any, nan: Any = None, posinf: Any = None, neginf: Any = None) -> Any:
    if input.dtype.kind != "f":
        return np.array(input)
    return np.nan_to_num(input, nan=0.0 if nan is None else nan, posinf=posinf, neginf=neginf)


nan_to_num = op(
    "nan_to_num", "NanToNumBackward0", _nan_to_num,
    vjp={"input": lambda g, m, input: g * m.isfinite(input)}, local={"input": "1 where finite, else 0"},
    symbol="nan_to_num({input})", elementwise=True, inplace=True,
)  # fmt: skip


def _no_gradient(name: str) -> Callable[[Any], Any]:
    def refuse(g: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    return refuse


def _divisible(function: Any) -> Any:
    """``function``, which refuses to divide an integer by zero."""

    def checked(input: Any, other: Any) -> Any:
        if np.asarray(input).dtype.kind != "f" and (np.asarray(other) == 0).any():
            raise RuntimeError("ZeroDivisionError")
        return function(input, other)

    return checked


_whole = _divisible(np.floor_divide)


floor_divide = op(
    "floor_divide", "NotImplemented", _whole,
    vjp={"input": _no_gradient("floor_divide"), "other": _no_gradient("floor_divide")},
    symbol="{input} // {other}", promote="numeric", elementwise=True, inplace=True, operator="floordiv",
    reflected="_rfloordiv",
)  # fmt: skip
FUNCTIONS["_rfloordiv"] = lambda self, number: floor_divide.function(_like(number, self), self)


def _like(number: Any, tensor: Tensor) -> Any:
    """A Python number as a 0-d tensor that leaves the type of ``tensor`` alone, as a number would."""
    from ..creation import tensor as new

    if isinstance(number, Tensor):
        return number
    return new(number, dtype=tensor.dtype if tensor.is_floating_point() or isinstance(number, int) else None)


remainder = op(
    "remainder", "RemainderBackward0 RemainderBackward1",
    _divisible(np.remainder),
    vjp={"input": lambda g: g, "other": lambda g, m, input, other: -g * m.div_rounded(input, other, "floor")},
    local={"input": "1", "other": "-floor({input}/{other})"}, symbol="{input} % {other}",
    promote="numeric", elementwise=True, inplace=True, operator="mod", reflected="_rmod",
    variant=lambda inputs, params: int(isinstance(inputs[1], Tensor)),
)  # fmt: skip
FUNCTIONS["_rmod"] = lambda self, number: remainder.function(_like(number, self), self)
fmod = op(
    "fmod", "FmodBackward0 FmodBackward1",
    _divisible(np.fmod),
    vjp={"input": lambda g: g, "other": lambda g, m, input, other: -g * m.trunc(input / other)},
    local={"input": "1", "other": "-trunc({input}/{other})"}, symbol="fmod({input}, {other})",
    promote="numeric", elementwise=True, numbers="other", inplace=True,
    variant=lambda inputs, params: int(isinstance(inputs[1], Tensor)),
)  # fmt: skip


def _div_rounded(input: Any, other: Any, rounding_mode: str) -> Any:
    if rounding_mode == "floor":
        return _whole(input, other)
    if np.asarray(input).dtype.kind == "f":
        return np.trunc(input / other)
    whole = _whole(np.abs(input), np.abs(other))
    return np.where((np.asarray(input) < 0) != (np.asarray(other) < 0), -whole, whole).astype(np.asarray(input).dtype)


div_rounded = op(
    "div_rounded", "DivBackward2", _div_rounded,
    vjp={"input": lambda g, m, input, other: m.zeros_like(g), "other": lambda g, m, input, other: m.zeros_like(g)},
    local={"input": "0", "other": "0"},
    symbol="{rounding_mode}({input} / {other})", promote="numeric", elementwise=True, method=False, public=False,
    shown="div",
)  # fmt: skip
_plain_in_place, _rounded_in_place = METHODS["div_"], generate.in_place(div_rounded)


def _mode(rounding_mode: Any) -> Any:
    if rounding_mode not in (None, "floor", "trunc"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )
    return rounding_mode


def divide(input: Any, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """``input / other``, rounded down (``"floor"``) or towards zero (``"trunc"``) if asked."""
    if _mode(rounding_mode) is None:
        result: Tensor = div.function(input, other)
    else:
        result = div_rounded.function(input, other, rounding_mode)
    return result


def divide_(input: Tensor, other: Any, *, rounding_mode: str | None = None) -> Tensor:
    """:func:`divide`, written into ``input``."""
    if _mode(rounding_mode) is None:
        result: Tensor = _plain_in_place(input, other)
    else:
        result = _rounded_in_place(input, other, rounding_mode)
    return result


for _name in ("div", "divide"):
    FUNCTIONS[_name] = METHODS[_name] = divide
    METHODS[_name + "_"] = divide_

copysign = op(
    "copysign", "CopysignBackward0 CopysignBackward1",
    lambda input, other: np.copysign(input, other),
    vjp={"input": lambda g, m, input, result: g * m.where(input == 0, 0.0, m.sgn(input) * m.sgn(result)),
        "other": lambda g, m: m.zeros_like(g)},
    local={"input": "sign({input})·sign({other})", "other": "0"}, symbol="copysign({input}, {other})",
    promote="float", elementwise=True, numbers="other", inplace=True,
    variant=lambda inputs, params: int(not isinstance(inputs[1], Tensor)),
)  # fmt: skip

for _entry, _kernel in {
    "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite, "isposinf": np.isposinf, "isneginf": np.isneginf,
    "signbit": np.signbit, "logical_not": np.logical_not,
}.items():  # fmt: skip
    op(
        _entry,
        None,
        lambda input, kernel=_kernel: kernel(input),
        inputs="input",
        symbol=f"{_entry}({{input}})",
        elementwise=True,
        inplace=_entry == "logical_not",
    )


def isreal(input: Tensor) -> Any:
    """True everywhere: there are no complex numbers here."""
    from ..creation import ones_like
    from ..dtypes import bool_

    return ones_like(input, dtype=bool_)


composite("isreal", isreal)
for _entry, _logical in {
    "logical_and": np.logical_and,
    "logical_or": np.logical_or,
    "logical_xor": np.logical_xor,
}.items():
    op(
        _entry, None, lambda input, other, kernel=_logical: kernel(input, other), inputs="input other",
        elementwise=True, numbers=False,
        symbol=f"{_entry}({{input}}, {{other}})", inplace=True,
    )  # fmt: skip


def _heaviside(input: Any, values: Any) -> Any:
    if input.dtype != values.dtype:
        raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")
    return np.heaviside(input, values).astype(input.dtype)


heaviside = op(
    "heaviside", "NotImplemented",
    _heaviside,
    vjp={"input": _no_gradient("heaviside"), "values": _no_gradient("heaviside")}, symbol="heaviside({input})",
    elementwise=True, numbers=False,
)  # fmt: skip


def isclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Tensor:
    """Where |input - other| <= atol + rtol·|other|."""
    from ..dispatch import make

    for position, (name, given) in enumerate((("input", input), ("other", other)), 1):
        if not isinstance(given, Tensor):
            raise argument_of("isclose", name, position, given)
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.word} did not match {other.dtype.word}")
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if tolerance < 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {tolerance:g}")
    return make(np.isclose(input.array, other.array, rtol, atol, equal_nan))


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> bool:
    """Whether :func:`isclose` holds everywhere."""
    for position, (name, given) in enumerate((("input", input), ("other", other)), 1):
        if not isinstance(given, Tensor):
            raise argument_of("allclose", name, position, given)
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.word} did not match {other.dtype.word}")
    error = broadcast([input.array.shape, other.array.shape])
    if error is not None:
        raise error
    return bool(np.allclose(input.array, other.array, rtol, atol, equal_nan))


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether shapes and entries are the same."""
    if not isinstance(other, Tensor):
        raise argument_of("equal", "other", 2, other)
    return bool(np.array_equal(input.array, other.array))


composite("isclose", isclose)
composite("allclose", allclose)
composite("equal", equal)
NAN = math.nan
