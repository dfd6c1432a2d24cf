"""The incomplete gamma functions: the share of the gamma integral below, or above, a point."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import special as numbers
from .namespaces import SPECIAL
from .table import op


def _lower(a: Any, x: Any) -> Any:
    """x^a e^-x / Γ(a) times Σ xⁿ / (a (a+1) ... (a+n)); for x up to about a."""
    term = 1 / a
    total = term
    for n in range(1, 400):
        term = term * x / (a + n)
        total = total + term
    return total * np.exp(a * np.log(x) - x - numbers.lgamma(a))


def _upper(a: Any, x: Any) -> Any:
    """x^a e^-x / Γ(a) times a continued fraction, evaluated from the front (Lentz); for x beyond about a."""
    tiny = 1e-300
    b = x + 1 - a
    c, d = np.full_like(x, 1 / tiny), 1 / b
    h = d
    for i in range(1, 400):
        weight = -i * (i - a)
        b = b + 2
        d = weight * d + b
        c = b + weight / c
        d = 1 / np.where(np.abs(d) < tiny, tiny, d)
        c = np.where(np.abs(c) < tiny, tiny, c)
        h = h * d * c
    return h * np.exp(a * np.log(x) - x - numbers.lgamma(a))


def _share(input: Any, other: Any, below: bool) -> Any:
    kind = np.result_type(input, other)
    a, x = np.broadcast_arrays(np.asarray(input, np.float64), np.asarray(other, np.float64))
    with np.errstate(all="ignore"):
        sound = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
        a1, x1 = np.where(sound, a, 1.0), np.where(sound, x, 1.0)
        near = x1 < a1 + 1
        p = np.where(near, _lower(a1, np.where(near, x1, a1)), 1 - _upper(a1, np.where(near, a1 + 1, x1)))
        p = np.where(sound, p, np.where((x == 0) & (a > 0), 0.0, np.where((a == 0) & (x > 0), 1.0, np.nan)))
        p = np.where(np.isinf(x) & (x > 0) & np.isfinite(a) & (a >= 0), 1.0, p)
        p = np.where(np.isinf(a) & (a > 0) & np.isfinite(x) & (x >= 0), 0.0, p)
        q = np.where(sound & ~near, _upper(a1, np.where(near, a1 + 1, x1)), 1 - p)
    return (p if below else q).astype(kind)[()]


def _density(g: Any, m: Any, input: Any, other: Any) -> Any:
    return g * m.exp((input - 1) * m.log(other) - other - m.lgamma(input))


def _refused(name: str) -> Any:
    def rule(g: Any) -> Any:
        raise NotImplementedError(f"the derivative for '{name}: input' is not implemented")

    return rule


igamma = op(
    "igamma", "IgammaBackward0", lambda input, other: _share(input, other, True),
    vjp={"input": _refused("igamma"), "other": _density},
    local={"other": "{other}^({input}-1)·exp(-{other})/Γ({input})"}, symbol="P({input}, {other})", promote="float",
    elementwise=True, numbers=False, inplace=True,
)  # fmt: skip
igammac = op(
    "igammac", "IgammacBackward0", lambda input, other: _share(input, other, False),
    vjp={"input": _refused("igammac"), "other": lambda g, m, input, other: -_density(g, m, input, other)},
    local={"other": "-{other}^({input}-1)·exp(-{other})/Γ({input})"}, symbol="Q({input}, {other})", promote="float",
    elementwise=True, numbers=False, inplace=True,
)  # fmt: skip
SPECIAL.update(gammainc=igamma.function, gammaincc=igammac.function)
