"""Powers of e and 2, logarithms, roots, and the special functions built on them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import float64
from ..tensor import Tensor
from . import special as numbers
from .arithmetic import pow as power
from .arithmetic import pow_
from .elementary import precise, scalar, sigmoid
from .namespaces import SPECIAL
from .table import FUNCTIONS, METHODS, Operation, composite, op

LN2, LN10 = math.log(2), math.log(10)
SLOPE, ROOT_TAU = 2 / math.sqrt(math.pi), math.sqrt(2 * math.pi)
Kernel = Callable[[Any], Any]


def smooth(
    name: str, kernel: Kernel, rule: Callable[..., Any], local: str, fast: Kernel | None = None, **entry: Any
) -> Operation:
    """An operation of one float variable: kernel, rule, derivative in symbols; ``fast`` is a kernel for one number."""
    given: dict[str, Any] = {
        "symbol": f"{name}({{input}})",
        "promote": "float",
        "elementwise": True,
        "inplace": True,
        **entry,
    }
    if fast is not None:
        given["scalar"] = scalar(fast, kernel)
    node = given.pop("node", re.sub(r"(?<=\d)[a-z]", lambda letter: letter[0].upper(), name.capitalize())) + "Backward0"
    exact = precise(kernel) if isinstance(kernel, np.ufunc) else kernel
    return op(name, node, lambda input: exact(input), vjp={"input": rule}, local={"input": local}, **given)


def apart(name: str, kernel: Kernel, rule: Callable[..., Any], local: str) -> Operation:
    """As :func:`smooth`, for functions that are only found in ``torch.special``."""
    node = "Special" + "".join(part.capitalize() for part in re.sub(r"(\d)", r"\1_", name).split("_"))
    return smooth(name, kernel, rule, local, node=node, method=False, public=False, inplace=False)


# fmt: off
exp2 = smooth("exp2", np.exp2, lambda g, result: g * (result * LN2), "2^{input}·log(2)")
expm1 = smooth("expm1", np.expm1, lambda g, result: g * (result + 1), "exp({input})", math.expm1)
log2 = smooth("log2", np.log2, lambda g, input: g / (input * LN2), "1/({input}·log(2))")
log10 = smooth("log10", np.log10, lambda g, input: g / (input * LN10), "1/({input}·log(10))")
log1p = smooth("log1p", np.log1p, lambda g, input: g / (input + 1), "1/({input}+1)", math.log1p)
sqrt = smooth("sqrt", np.sqrt, lambda g, result: g / (2 * result), "1/(2·√{input})", math.sqrt)
rsqrt = smooth("rsqrt", lambda x: 1 / np.sqrt(x), lambda g, result: -0.5 * g * result * result * result,
    "-1/(2·{input}^1.5)")

erf = smooth("erf", numbers.erf, lambda g, m, input: SLOPE * m.exp(-(input * input)) * g, "2/√π·exp(-{input}²)")
erfc = smooth("erfc", numbers.erfc, lambda g, m, input: -SLOPE * m.exp(-(input * input)) * g, "-2/√π·exp(-{input}²)")
erfinv = smooth("erfinv", numbers.erfinv, lambda g, m, input: m.exp(m.square(m.erfinv(input))) / SLOPE * g,
    "√π/2·exp(erfinv({input})²)")
lgamma = smooth("lgamma", numbers.lgamma, lambda g, m, input: g * m.digamma(input), "digamma({input})")
digamma = smooth("digamma", numbers.digamma, lambda g, m, input: g * m.polygamma(1, input), "polygamma(1, {input})")
i0 = smooth("i0", numbers.i0, lambda g, m, input: g * m.i1(input), "i1({input})")

i1 = apart("i1", numbers.i1, lambda g, m, input, result: _i1_rule(g, m, input, result),
    "i0({input}) - i1({input})/{input}")
i0e = apart("i0e", numbers.i0e, lambda g, m, input, result: g * (m.i1e(input) - m.sgn(input) * result),
    "i1e({input}) - sgn({input})·i0e({input})")
i1e = apart("i1e", numbers.i1e, lambda g, m, input, result: _i1e_rule(g, m, input, result),
    "i0e({input}) - i1e({input})·(sgn({input}) + 1/{input})")
ndtri = apart("ndtri", numbers.ndtri, lambda g, m, result: g * (ROOT_TAU * m.exp(result * result * 0.5)),
    "√(2π)·exp(ndtri({input})²/2)")
log_ndtr = apart("log_ndtr", numbers.log_ndtr,
    lambda g, m, input: g / m.erfcx(input * -math.sqrt(0.5)) * math.sqrt(2 / math.pi), "√(2/π)/erfcx(-{input}/√2)")
erfcx = apart("erfcx", numbers.erfcx, lambda g, input, result: (2 * input * result - SLOPE) * g,
    "2·{input}·erfcx({input}) - 2/√π")
# fmt: on


def _i1_rule(g: Any, m: Any, input: Any, result: Any) -> Any:
    return g * m.where(input == 0, 0.5, m.i0(input) - result / m.where(input == 0, 1.0, input))


def _i1e_rule(g: Any, m: Any, input: Any, result: Any) -> Any:
    return g * m.where(input == 0, 0.5, m.i0e(input) - result * (m.sgn(input) + 1 / m.where(input == 0, 1.0, input)))


polygamma = op(
    "polygamma", "PolygammaBackward0",
    lambda input, n: numbers.polygamma(n, input),
    vjp={"input": lambda g, m, input, n: g * m.polygamma(n + 1, input)}, local={"input": "polygamma({n}+1, {input})"},
    symbol="polygamma({n}, {input})", promote="float", elementwise=True, inputs="input", method=False, public=False,
)  # fmt: skip
composite(
    "polygamma", lambda n, input: polygamma.function(input, n), array=lambda n, x: numbers.polygamma(n, x), method=False
)
METHODS["polygamma"] = lambda self, n: polygamma.function(self, n)


def _sinc_rule(g: Any, m: Any, input: Any) -> Any:
    angle = input * math.pi
    safe = m.where(input == 0, 1.0, input)
    return g * m.where(input == 0, 0.0, (m.cos(angle) * angle - m.sin(angle)) / (math.pi * safe * safe))


sinc = smooth("sinc", np.sinc, _sinc_rule, "(cos(π·{input})·π·{input} - sin(π·{input}))/(π·{input}²)")


def _logit(input: Any, eps: Any = None) -> Any:
    x = input if eps is None else np.clip(input, eps, 1 - eps)
    return np.log(x / (1 - x))


def _logit_rule(g: Any, m: Any, input: Any, eps: Any) -> Any:
    slope = 1 / (input * (1 - input))
    if eps is None:
        return g * m.where((input < 0) | (input > 1), math.nan, slope)
    return g * m.where((input < eps) | (input > 1 - eps), 0.0, slope)


logit = op(
    "logit", "LogitBackward0", _logit,
    vjp={"input": _logit_rule}, local={"input": "1/({input}·(1-{input}))"}, symbol="logit({input})",
    promote="float", elementwise=True, inplace=True,
)  # fmt: skip

logaddexp = op(
    "logaddexp", "LogaddexpBackward0",
    lambda input, other: np.logaddexp(input, other),
    vjp={
        "input": lambda g, m, input, other: g / (1 + m.exp(other - input)),
        "other": lambda g, m, input, other: g / (1 + m.exp(input - other)),
    },
    local={"input": "σ({input}-{other})", "other": "σ({other}-{input})"}, symbol="log(exp({input}) + exp({other}))",
    promote="float", elementwise=True, numbers=False,
)  # fmt: skip
logaddexp2 = op(
    "logaddexp2", "Logaddexp2Backward0",
    lambda input, other: np.logaddexp2(input, other),
    vjp={
        "input": lambda g, m, input, other: g / (1 + m.exp2(other - input)),
        "other": lambda g, m, input, other: g / (1 + m.exp2(input - other)),
    },
    local={"input": "1/(1+2^({other}-{input}))", "other": "1/(1+2^({input}-{other}))"},
    symbol="log2(2^{input} + 2^{other})", promote="float", elementwise=True, numbers=False,
)  # fmt: skip


def _times_log(logarithm: Callable[[Any], Any]) -> Callable[[Any, Any], Any]:
    def kernel(input: Any, other: Any) -> Any:
        """input · log(other), with 0 · log(anything) = 0; nan stays nan."""
        kind = np.result_type(input, other)
        product = input * logarithm(np.asarray(other, kind))
        return np.where((input == 0) & ~np.isnan(other), 0, product).astype(kind)

    return kernel


xlogy = op(
    "xlogy", "XlogyBackward0 XlogyBackward1 XlogyBackward2", _times_log(np.log),
    vjp={
        "input": lambda g, m, input, other: m.where((input == 0) & (other <= 0), 0.0, m.xlogy(g, other)),
        "other": lambda g, input, other: g * input / other,
    },
    local={"input": "log({other})", "other": "{input}/{other}"}, symbol="{input}·log({other})",
    promote="float", elementwise=True, inplace=True,
    variant=lambda inputs, params: 1 if not isinstance(inputs[0], Tensor) else 2 * (not isinstance(inputs[1], Tensor)),
)  # fmt: skip
xlog1py = op(
    "xlog1py", "SpecialXlog1PyBackward0", _times_log(np.log1p),
    vjp={
        "input": lambda g, m, input, other: m.where((input == 0) & (other <= -1), 0.0, m.xlog1py(g, other)),
        "other": lambda g, input, other: g * input / (other + 1),
    },
    local={"input": "log1p({other})", "other": "{input}/(1+{other})"}, symbol="{input}·log1p({other})",
    promote="float", elementwise=True, method=False, public=False,
)  # fmt: skip


def _entr(x: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.where(x > 0, -x * np.log(x), np.where(x == 0, 0, np.where(np.isnan(x), x, -np.inf))).astype(x.dtype)


entr = apart(
    "entr", _entr, lambda g, m, input: g * m.where(input > 0, -m.log(m.where(input > 0, input, 1.0)) - 1, math.inf),
    "-log({input}) - 1",
)  # fmt: skip


def _square(input: Tensor) -> Tensor:
    """``input ** 2``."""
    return power(input, 2)


composite("square", _square, array=lambda x: x * x)
METHODS["square_"] = lambda self: pow_(self, 2)


def float_power(input: Any, exponent: Any) -> Tensor:
    """``input ** exponent`` computed in float64."""
    first, second = (x.to(float64) if isinstance(x, Tensor) else float(x) for x in (input, exponent))
    return power(first, second)


composite("float_power", float_power)


ldexp = op(
    "ldexp", "LdexpBackward0",
    lambda input, other: input * np.exp2(other),
    vjp={"input": lambda g, m, other: g * m.exp2(other), "other": lambda g, result: g * (result * LN2)},
    local={"input": "2^{other}", "other": "{input}·2^{other}·log(2)"}, symbol="{input}·2^{other}",
    promote="float", elementwise=True, numbers=False, inplace=True,
)  # fmt: skip


def ndtr(input: Tensor) -> Tensor:
    """The distribution function of the standard normal."""
    result: Tensor = 0.5 * erfc.function(input * -math.sqrt(0.5))
    return result


SPECIAL.update(
    entr=entr.function, erf=erf.function, erfc=erfc.function, erfcx=erfcx.function, erfinv=erfinv.function,
    exp2=exp2.function, expit=sigmoid.function, expm1=expm1.function, gammaln=lgamma.function, digamma=digamma.function,
    psi=digamma.function, polygamma=FUNCTIONS["polygamma"], i0=i0.function, i0e=i0e.function, i1=i1.function,
    i1e=i1e.function, log1p=log1p.function, logit=logit.function, log_ndtr=log_ndtr.function, ndtr=ndtr,
    ndtri=ndtri.function, sinc=sinc.function, xlogy=xlogy.function, xlog1py=xlog1py.function,
)  # fmt: skip
