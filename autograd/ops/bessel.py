"""Bessel functions, Airy's function and the zeta function of Hurwitz (``torch.special``).

Near zero their power series is summed, far out their asymptotic one; the functions that decay are integrals, done with
the trapezoidal rule, which for them is as exact as the numbers are. Without gradients, as in PyTorch.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from . import special as numbers
from .namespaces import SPECIAL
from .table import op

Array = np.ndarray[Any, np.dtype[Any]]

#: where the power series of J and Y give way to the asymptotic ones
FAR = 15.0


def _hankel(order: int, x: Array) -> tuple[Array, Array]:
    """The asymptotic J and Y: a wave whose amplitude and phase are series in 1/x."""
    even, odd, term = np.ones_like(x), np.zeros_like(x), np.ones_like(x)
    for k in range(1, 24):
        term = term * (4 * order * order - (2 * k - 1) ** 2) / (8 * k * x)
        signed = term * (-1) ** (k // 2)
        even, odd = (even + signed, odd) if k % 2 == 0 else (even, odd + signed)
    phase = x - (order / 2 + 0.25) * math.pi
    size = np.sqrt(2 / (math.pi * x))
    cos, sin = np.cos(phase), np.sin(phase)
    return size * (even * cos - odd * sin), size * (even * sin + odd * cos)


def _near(order: int, x: Array) -> tuple[Array, Array]:
    """J and Y of order 0 or 1 by their power series."""
    quarter = x * x / 4
    term = (x / 2) ** order
    harmonic = 0.0 if order == 0 else 0.5
    j, rest = term, term * harmonic
    for k in range(1, 60):
        term = -term * quarter / (k * (k + order))
        harmonic += 1 / k if order == 0 else (1 / k + 1 / (k + 1)) / 2
        j, rest = j + term, rest + term * harmonic
    y = 2 / math.pi * ((np.log(x / 2) + np.euler_gamma) * j - rest)
    return j, y if order == 0 else y - 2 / (math.pi * x)


def _first_kind(order: int) -> Callable[[Array], Array]:
    def j(x: Array) -> Array:
        size = np.abs(x)
        near, far = _near(order, np.minimum(size, FAR))[0], _hankel(order, np.maximum(size, FAR))[0]
        value = np.where(size <= FAR, near, far)
        return value if order == 0 else value * np.sign(x)

    return j


def _second_kind(order: int) -> Callable[[Array], Array]:
    def y(x: Array) -> Array:
        near, far = _near(order, np.clip(x, 0, FAR))[1], _hankel(order, np.maximum(x, FAR))[1]
        value = np.where(x <= FAR, near, far)
        return np.where(x < 0, np.nan, np.where(x == 0, -np.inf, value))

    return y


def _decaying(order: float, x: Array) -> Array:
    """exp(x) K_order(x), the integral of exp(-x (cosh t - 1)) cosh(order t)."""
    step = 0.1 / np.sqrt(np.maximum(x, 1))
    total = np.full_like(x, 0.5)
    for k in range(1, 400):
        t = step * k
        total = total + np.exp(-2 * x * np.sinh(t / 2) ** 2) * np.cosh(order * t)
    return total * step


def _modified_second_kind(order: int, scaled: bool) -> Callable[[Array], Array]:
    def k(x: Array) -> Array:
        value = _decaying(order, np.where((x > 0) & np.isfinite(x), x, 1.0))
        value = value if scaled else value * np.exp(-x)
        value = np.where(x == 0, np.inf, np.where(np.isinf(x), 0, value))
        return np.where(x >= 0, value, np.nan)

    return k


def _airy(x: Array) -> Array:
    """Ai: a series about 0, a wave far to the left, a decaying integral to the right."""
    f, g, cube = np.ones_like(x), np.clip(x, -7, 1), np.clip(x, -7, 1) ** 3
    near = 0.355028053887817239 * f - 0.258819403792806798 * g
    for k in range(1, 60):
        f, g = f * cube / ((3 * k - 1) * 3 * k), g * cube / (3 * k * (3 * k + 1))
        near = near + 0.355028053887817239 * f - 0.258819403792806798 * g
    left = np.maximum(-x, 7)
    place = 2 / 3 * left**1.5
    even, odd, term = np.ones_like(x), np.zeros_like(x), np.ones_like(x)
    for k in range(1, 20):
        term = term * (6 * k - 5) * (6 * k - 3) * (6 * k - 1) / (216 * k * (2 * k - 1) * place)
        signed = term * (-1) ** (k // 2)
        even, odd = (even + signed, odd) if k % 2 == 0 else (even, odd + signed)
    turn = place + math.pi / 4
    wave = (np.sin(turn) * even - np.cos(turn) * odd) / (math.sqrt(math.pi) * left**0.25)
    right = np.clip(x, 1, 200)
    place = 2 / 3 * right**1.5
    decay = np.sqrt(right / 3) / math.pi * _decaying(1 / 3, place) * np.exp(-place)
    value = np.where(x < -7, wave, np.where(x <= 1, near, decay))
    return np.where(np.isinf(x), np.nan, value)


def _spherical(x: Array) -> Array:
    return np.where(np.isinf(x), 0, np.sinc(x / math.pi))


def _in_double(function: Callable[[Array], Array]) -> Callable[[Any], Any]:
    def kernel(input: Any) -> Any:
        given = np.asarray(input)
        with np.errstate(all="ignore"):
            return function(given.astype(np.float64)).astype(given.dtype)[()]

    return kernel


def _define(name: str, function: Callable[[Array], Array]) -> None:
    SPECIAL[name] = op(
        name, None, _in_double(function), symbol=f"{name}({{input}})", promote="float", elementwise=True, method=False,
        public=False,
    ).function  # fmt: skip


for _order in (0, 1):
    _define(f"bessel_j{_order}", _first_kind(_order))
    _define(f"bessel_y{_order}", _second_kind(_order))
    _define(f"modified_bessel_i{_order}", (numbers.i0, numbers.i1)[_order])
    _define(f"modified_bessel_k{_order}", _modified_second_kind(_order, False))
    _define(f"scaled_modified_bessel_k{_order}", _modified_second_kind(_order, True))
_define("airy_ai", _airy)
_define("spherical_bessel_j0", _spherical)


def _zeta(input: Any, other: Any) -> Any:
    kind = np.result_type(input, other)
    return np.asarray(numbers.zeta(input, other)).astype(kind)[()]


def _refused(g: Any) -> Any:
    raise NotImplementedError("the derivative for 'zeta' is not implemented")


zeta = op(
    "zeta", "SpecialZetaBackward0", _zeta,
    vjp={"input": _refused, "other": lambda g, m, input, other: g * -input * m.zeta(input + 1, other)},
    local={"other": "-{input}·zeta({input} + 1, {other})"}, symbol="zeta({input}, {other})", promote="float",
    elementwise=True, method=False, public=False,
)  # fmt: skip
SPECIAL["zeta"] = zeta.function
