"""Special functions on arrays, to double precision, where NumPy has none (SciPy is no dependency of this project)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]


def _by_element(function: Callable[[float], float]) -> Callable[[Array], Array]:
    """`function` of a float, applied to each entry in double precision; the dtype is kept."""
    applied = np.frompyfunc(function, 1, 1)

    def over(x: Array) -> Array:
        given = np.asarray(x)
        return np.asarray(applied(given.astype(np.float64)), dtype=np.float64).astype(given.dtype)[()]

    return over


def _lgamma(x: float) -> float:
    if x != x:
        return math.nan
    if x in (math.inf, -math.inf) or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.lgamma(x)


erf = _by_element(math.erf)
erfc = _by_element(math.erfc)
lgamma = _by_element(_lgamma)


def erfcx(x: Array) -> Array:
    """exp(x²) erfc(x), without overflow for large x (continued fraction there)."""
    return _by_element(_erfcx)(x)


def _erfcx(x: float) -> float:
    if x < 25:
        return math.exp(x * x) * math.erfc(x) if x > -26.7 else math.inf
    t = 1.0 / (2 * x * x)
    return (1 - t * (1 - 3 * t * (1 - 5 * t))) / (x * math.sqrt(math.pi))


def erfinv(x: Array) -> Array:
    """The inverse of erf on (-1, 1): Winitzki's start, then Halley steps, with erfc where erf is flat."""
    given = np.asarray(x)
    y = given.astype(np.float64)
    with np.errstate(all="ignore"):
        log = np.log((1 - y) * (1 + y))
        half = 2 / (math.pi * 0.147) + log / 2
        root = np.sign(y) * np.sqrt(np.sqrt(half * half - log / 0.147) - half)
        for _ in range(4):
            gap = np.where(y > 0, (1 - y) - erfc(root), erfc(-root) - (1 + y))
            step = gap / (2 / math.sqrt(math.pi) * np.exp(-root * root))
            step = np.where(np.isfinite(step), step, 0.0)
            root = root - step / (1 + root * step)
        root = np.where(np.abs(y) == 1, np.copysign(np.inf, y), np.where(np.abs(y) > 1, np.nan, root))
    return np.asarray(root).astype(given.dtype)[()]


def digamma(x: Array) -> Array:
    """The logarithmic derivative of the gamma function: recurrence up to 10, then its asymptotic series."""
    given = np.asarray(x)
    z = given.astype(np.float64)
    with np.errstate(all="ignore"):
        reflected = z <= 0
        pole = reflected & (z == np.floor(z))
        w = np.where(reflected, 1 - z, z)
        total = np.zeros_like(w)
        for _ in range(10):
            small = w < 10
            total = total - np.where(small, 1 / w, 0)
            w = np.where(small, w + 1, w)
        square = 1 / (w * w)
        series: Any = 0.0
        for coefficient in (1 / 12, -691 / 32760, 1 / 132, -1 / 240, 1 / 252, -1 / 120, 1 / 12):
            series = square * (coefficient + series)
        total = total + np.log(w) - 0.5 / w - series
        total = np.where(reflected, total - math.pi / np.tan(math.pi * z), total)
        total = np.where(pole, np.where(z == 0, -np.copysign(np.inf, z), np.nan), total)
    return np.asarray(total).astype(given.dtype)[()]


def zeta(s: Any, q: Array) -> Array:
    """Hurwitz's zeta, sum over k of (k + q)^-s, by Euler-Maclaurin after ten terms (s > 1, q > 0)."""
    exponent, start = np.broadcast_arrays(np.asarray(s, np.float64), np.asarray(q, np.float64))
    with np.errstate(all="ignore"):
        total = np.zeros(start.shape)
        for k in range(12):
            total = total + (start + k) ** -exponent
        w = start + 12
        total = total + w ** (1 - exponent) / (exponent - 1) + 0.5 * w**-exponent
        factor = exponent * w ** (-exponent - 1)
        for j, bernoulli in enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6), start=1):
            total = total + bernoulli / math.factorial(2 * j) * factor
            factor = factor * (exponent + 2 * j - 1) * (exponent + 2 * j) / (w * w)
        total = np.where((start <= 0) & (start == np.floor(start)), np.inf, total)
        total = np.where(exponent == 1, np.inf, np.where(exponent < 1, np.nan, total))
    return np.asarray(total)[()]


def polygamma(n: int, x: Array) -> Array:
    """The n-th derivative of digamma."""
    if n == 0:
        return digamma(x)
    given = np.asarray(x)
    z = given.astype(np.float64)
    if n == 1:  # reflection keeps negative arguments right
        with np.errstate(all="ignore"):
            reflected = z < 0.5
            value = zeta(np.float64(2), np.where(reflected, 1 - z, z))
            value = np.where(reflected, (math.pi / np.sin(math.pi * z)) ** 2 - value, value)
            value = np.where((z <= 0) & (z == np.floor(z)), np.inf, value)
    else:
        value = (-1) ** (n + 1) * math.factorial(n) * zeta(np.float64(n + 1), z)
    return np.asarray(value).astype(given.dtype)[()]


def _bessel(order: int, x: Array) -> Array:
    """exp(-|x|) I_order(x): the power series to 25, the asymptotic series beyond."""
    z = np.abs(np.asarray(x, np.float64))
    with np.errstate(all="ignore"):
        small = np.minimum(z, 25.0)
        quarter = small * small / 4
        term = (small / 2) ** order / math.factorial(order)
        near = term
        for k in range(1, 90):
            term = term * quarter / (k * (k + order))
            near = near + term
        near = near * np.exp(-small)
        large = np.maximum(z, 25.0)
        term = np.ones_like(large)
        far = term
        for k in range(1, 20):
            term = -term * (4 * order * order - (2 * k - 1) ** 2) / (k * 8 * large)
            far = far + term
        far = far / np.sqrt(2 * math.pi * large)
        return np.asarray(np.where(z <= 25, near, far))


def i0e(x: Array) -> Array:
    given = np.asarray(x)
    return _bessel(0, given).astype(given.dtype)[()]


def i1e(x: Array) -> Array:
    given = np.asarray(x)
    return (np.sign(given.astype(np.float64)) * _bessel(1, given)).astype(given.dtype)[()]


def i0(x: Array) -> Array:
    given = np.asarray(x)
    with np.errstate(over="ignore"):
        return (_bessel(0, given) * np.exp(np.abs(given.astype(np.float64)))).astype(given.dtype)[()]


def i1(x: Array) -> Array:
    given = np.asarray(x)
    with np.errstate(over="ignore"):
        wide = given.astype(np.float64)
        return (np.sign(wide) * _bessel(1, given) * np.exp(np.abs(wide))).astype(given.dtype)[()]


def ndtr(x: Array) -> Array:
    """The distribution function of the standard normal."""
    given = np.asarray(x)
    return (0.5 * erfc(-given.astype(np.float64) / math.sqrt(2))).astype(given.dtype)[()]


def ndtri(p: Array) -> Array:
    """The quantile function of the standard normal."""
    given = np.asarray(p)
    return (math.sqrt(2) * erfinv(2 * given.astype(np.float64) - 1)).astype(given.dtype)[()]


def log_ndtr(x: Array) -> Array:
    """log ndtr(x), also far in the left tail."""
    given = np.asarray(x)
    z = given.astype(np.float64)
    with np.errstate(all="ignore"):
        tail = np.log(erfcx(-z / math.sqrt(2)) / 2) - z * z / 2
        return np.where(z < -1, tail, np.log1p(-erfc(z / math.sqrt(2)) / 2)).astype(given.dtype)[()]
