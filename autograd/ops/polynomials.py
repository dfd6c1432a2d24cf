"""Orthogonal polynomials (``torch.special``), each by its three-term recurrence. Without gradients, as in PyTorch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .namespaces import SPECIAL
from .table import op

Array = np.ndarray[Any, np.dtype[Any]]
#: the polynomial of degree k + 1, from k, x and the two before it
Next = Callable[[int, Array, Array, Array], Array]

#: no degree beyond is computed; the values would overflow long before
HIGHEST = 512


def _define(name: str, first: Callable[[Array], Array], following: Next, shifted: bool = False) -> None:
    """``special.name(x, n)``: degree 0 is 1, degree 1 is ``first``; ``shifted`` lives on [0, 1] in place of [-1, 1]."""

    def kernel(input: Any, n: Any) -> Any:
        given, degree = np.broadcast_arrays(input, np.trunc(n))
        x = given.astype(np.float64)
        x = 2 * x - 1 if shifted else x
        with np.errstate(all="ignore"):
            before, now = np.ones_like(x), first(x)
            value = np.where(degree < 0, 0, np.where(degree == 0, before, np.where(degree == 1, now, np.nan)))
            for k in range(1, int(min(degree.max(initial=0), HIGHEST))):
                before, now = now, following(k, x, before, now)
                value = np.where(degree == k + 1, now, value)
            return value.astype(given.dtype)[()]

    SPECIAL[name] = op(
        name, None, kernel, inputs="input n", symbol=f"{name}({{input}}, {{n}})", promote="float", elementwise=True,
        method=False, public=False,
    ).function  # fmt: skip


def _chebyshev(k: int, x: Array, before: Array, now: Array) -> Array:
    return 2 * x * now - before


_FIRST: dict[str, Callable[[Array], Array]] = {
    "t": lambda x: x,
    "u": lambda x: 2 * x,
    "v": lambda x: 2 * x - 1,
    "w": lambda x: 2 * x + 1,
}
for _kind, _first in _FIRST.items():
    _define(f"chebyshev_polynomial_{_kind}", _first, _chebyshev)
    _define(f"shifted_chebyshev_polynomial_{_kind}", _first, _chebyshev, shifted=True)
_define("hermite_polynomial_h", lambda x: 2 * x, lambda k, x, before, now: 2 * x * now - 2 * k * before)
_define("hermite_polynomial_he", lambda x: x, lambda k, x, before, now: x * now - k * before)
_define(
    "laguerre_polynomial_l",
    lambda x: 1 - x,
    lambda k, x, before, now: ((2 * k + 1 - x) * now - k * before) / (k + 1),
)
_define(
    "legendre_polynomial_p",
    lambda x: x,
    lambda k, x, before, now: ((2 * k + 1) * x * now - k * before) / (k + 1),
)
