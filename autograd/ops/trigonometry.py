"""Circular and hyperbolic functions and their inverses."""

from __future__ import annotations

import math

import numpy as np

from .exponential import smooth
from .table import FUNCTIONS, METHODS, op

# fmt: off
sin = smooth("sin", np.sin, lambda g, m, input: g * m.cos(input), "cos({input})", math.sin)
cos = smooth("cos", np.cos, lambda g, m, input: -g * m.sin(input), "-sin({input})", math.cos)
tan = smooth("tan", np.tan, lambda g, result: g * (1 + result * result), "1 + tan({input})²", math.tan)
asin = smooth("asin", np.arcsin, lambda g, m, input: g * m.rsqrt(1 - input * input),
    "1/√(1-{input}²)", aliases="arcsin")
acos = smooth("acos", np.arccos, lambda g, m, input: -g * m.rsqrt(1 - input * input),
    "-1/√(1-{input}²)", aliases="arccos")
atan = smooth("atan", np.arctan, lambda g, input: g / (input * input + 1), "1/({input}²+1)", aliases="arctan")
sinh = smooth("sinh", np.sinh, lambda g, m, input: g * m.cosh(input), "cosh({input})")
cosh = smooth("cosh", np.cosh, lambda g, m, input: g * m.sinh(input), "sinh({input})")
asinh = smooth("asinh", np.arcsinh, lambda g, m, input: g * m.rsqrt(input * input + 1),
    "1/√({input}²+1)", aliases="arcsinh")
acosh = smooth("acosh", np.arccosh, lambda g, m, input: g * m.rsqrt(input * input - 1),
    "1/√({input}²-1)", aliases="arccosh")
atanh = smooth("atanh", np.arctanh, lambda g, input: g / (1 - input * input), "1/(1-{input}²)", aliases="arctanh")
# fmt: on

DEGREE = math.pi / 180
deg2rad = smooth("deg2rad", lambda x: x * x.dtype.type(DEGREE), lambda g: g * DEGREE, "π/180")
rad2deg = smooth("rad2deg", lambda x: x * x.dtype.type(1 / DEGREE), lambda g: g * (1 / DEGREE), "180/π")

atan2 = op(
    "atan2", "Atan2Backward0",
    lambda input, other: np.arctan2(input, other),
    vjp={
        "input": lambda g, m, input, other: g * (other * _inverse_square(m, input, other)),
        "other": lambda g, m, input, other: g * (-input * _inverse_square(m, input, other)),
    },
    local={"input": "{other}/({input}²+{other}²)", "other": "-{input}/({input}²+{other}²)"},
    symbol="atan2({input}, {other})", promote="float", elementwise=True, numbers=False, inplace=True, aliases="arctan2",
)  # fmt: skip


def _inverse_square(m: object, input: object, other: object) -> object:
    """1 / (x² + y²), and 0 where both are 0."""
    total = input * input + other * other  # type: ignore[operator]
    return m.where(total == 0, 0.0, 1 / m.where(total == 0, 1.0, total))  # type: ignore[attr-defined]


hypot = op(
    "hypot", "HypotBackward0",
    lambda input, other: np.hypot(input, other),
    vjp={"input": lambda g, input, result: g * (input / result),
    "other": lambda g, other, result: g * (other / result)},
    local={"input": "{input}/√({input}²+{other}²)", "other": "{other}/√({input}²+{other}²)"},
    symbol="√({input}² + {other}²)", promote="numeric", elementwise=True, numbers=False, inplace=True,
)  # fmt: skip

for _name in ("arcsin", "arccos", "arctan", "arcsinh", "arccosh", "arctanh"):
    METHODS[_name + "_"] = METHODS["a" + _name[3:] + "_"]
    FUNCTIONS[_name + "_"] = METHODS[_name + "_"]
