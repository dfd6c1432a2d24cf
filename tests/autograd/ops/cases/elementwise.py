"""Cases of operations that work element by element, and their kinks and corners."""

from __future__ import annotations

from .inputs import Case, Input, between, booleans, case, fault, integers, positive, real, unit, values

Maker = type(real)


def shapes(make: Maker) -> list[Input]:
    return [make(), make(3), make(2, 3).transposed, make(2, 3).strided, make(0, 3), make(2, 3).double, make(2, 3)]


def off(*shape: int) -> Input:
    """Away from zero, so that kinks and poles are not hit."""
    return between(0.3, 2.2, *shape)


def above_one(*shape: int) -> Input:
    return between(1.1, 3.0, *shape)


def zero_one(*shape: int) -> Input:
    return between(0.1, 0.9, *shape)


UNARY: dict[str, Maker] = {
    "torch.exp(x)": real, "torch.exp2(x)": real, "torch.expm1(x)": real, "torch.log(x)": positive,
    "torch.log2(x)": positive, "torch.log10(x)": positive, "torch.log1p(x)": positive, "torch.sqrt(x)": positive,
    "torch.rsqrt(x)": positive, "torch.square(x)": real, "torch.reciprocal(x)": off, "-x": real, "torch.neg(x)": real,
    "torch.abs(x)": real, "torch.sin(x)": real, "torch.cos(x)": real, "torch.tan(x)": unit, "torch.asin(x)": unit,
    "torch.acos(x)": unit, "torch.atan(x)": real, "torch.sinh(x)": real, "torch.cosh(x)": real, "torch.tanh(x)": real,
    "torch.asinh(x)": real, "torch.acosh(x)": above_one, "torch.atanh(x)": unit, "torch.sigmoid(x)": real,
    "torch.erf(x)": real, "torch.erfc(x)": real, "torch.erfinv(x)": unit, "torch.lgamma(x)": off,
    "torch.digamma(x)": off, "torch.sinc(x)": real, "torch.logit(x)": zero_one, "torch.sign(x)": real,
    "torch.sgn(x)": real, "torch.round(x)": real, "torch.floor(x)": real, "torch.ceil(x)": real, "torch.trunc(x)": real,
    "torch.frac(x)": real, "torch.deg2rad(x)": real, "torch.rad2deg(x)": real, "torch.nan_to_num(x)": real,
    "torch.positive(x)": real, "torch.relu(x)": real, "F.relu(x)": real, "F.relu6(x)": real,
    "F.leaky_relu(x, 0.1)": real,
    "F.elu(x, 1.5)": real, "F.celu(x, 1.5)": real, "F.selu(x)": real, "F.gelu(x)": real,
    "F.gelu(x, approximate='tanh')": real, "F.silu(x)": real, "F.mish(x)": real, "F.softplus(x)": real,
    "F.softplus(x, beta=2, threshold=1)": real, "F.softsign(x)": real, "F.softshrink(x)": real, "F.hardshrink(x)": real,
    "F.tanhshrink(x)": real, "F.hardtanh(x)": real, "F.hardsigmoid(x)": real, "F.hardswish(x)": real,
    "F.logsigmoid(x)": real, "F.threshold(x, 0.1, 20)": real, "torch.clamp(x, -1, 1)": real,
    "torch.clamp(x, min=-0.5)": real, "torch.clamp_max(x, 0.5)": real, "x ** 2": real, "x ** 3": real,
    "x ** 0.5": positive,
    "x ** -1": off, "x ** 0": real, "x.pow(2.5)": positive, "2 ** x": real, "torch.pow(3.0, x)": real, "2 - x": real,
    "3 / x": off, "x / 4": real, "2 * x + 1": real, "x - 1": real, "torch.rsub(x, 1)": real,
    "torch.add(x, 3, alpha=2)": real,
    "x // 0.7": real, "x % 0.7": real, "torch.fmod(x, 0.7)": real,
    "x.clone()": real, "x.double()": real, "x.to(torch.float64)": real, "x.half()": real, "torch.xlogy(x, 2.0)": off,
    "torch.round(x, decimals=1)": real, "torch.exp(x) * x": real, "torch.polygamma(1, x)": off,
    "torch.special.expit(x)": real, "torch.special.i0e(x)": real, "torch.i0(x)": real, "torch.special.ndtr(x)": real,
    "torch.special.entr(x)": zero_one,
    "x.float()": real,
}  # fmt: skip

BINARY: dict[str, tuple[Maker, Maker]] = {
    "x + y": (real, real), "x - y": (real, real), "x * y": (real, real), "x / y": (real, off),
    "torch.pow(x, y)": (positive, real), "x ** y": (positive, real), "torch.atan2(x, y)": (real, off),
    "torch.maximum(x, y)": (real, real), "torch.minimum(x, y)": (real, real), "torch.max(x, y)": (real, real),
    "torch.fmax(x, y)": (real, real), "torch.fmin(x, y)": (real, real), "torch.remainder(x, y)": (real, off),
    "torch.fmod(x, y)": (real, off), "torch.hypot(x, y)": (real, real), "torch.logaddexp(x, y)": (real, real),
    "torch.logaddexp2(x, y)": (real, real), "torch.xlogy(x, y)": (off, off), "torch.copysign(x, y)": (real, real),
    "torch.lerp(x, y, 0.3)": (real, real), "torch.lerp(x, y, torch.tensor(0.7))": (real, real),
    "torch.sub(x, y, alpha=2)": (real, real), "torch.addcmul(x, y, y, value=0.5)": (real, real),
    "torch.addcdiv(x, x, y, value=0.5)": (real, off), "torch.where(x > 0, x, y)": (real, real),
    "x // y": (real, off), "torch.div(x, y, rounding_mode='trunc')": (real, off),
    "torch.float_power(x, y)": (positive, real), "torch.special.xlog1py(x, y)": (off, off),
    "torch.ldexp(x, y)": (real, real),
    "x * y + y * x": (real, real), "(x + y) * (x * y)": (real, real),
}  # fmt: skip


def pairs(first: Maker, second: Maker) -> list[tuple[Input, Input]]:
    return [
        (first(), second()),
        (first(3), second()),
        (first(2, 3), second(3)),
        (first(2, 1), second(1, 3)),
        (first(2, 3).transposed, second(2, 3).strided),
        (first(0, 3), second(3)),
        (first(2, 3).double, second(3)),
        (first(4, 3).double, second(4, 1).double),
    ]


def op_of(expression: str) -> str:
    """The family name a case stands under: the function called, or the operator."""
    for sign, name in {" ** ": "pow", " // ": "floor_divide", " % ": "remainder", " / ": "div", " + ": "add",
                       " - ": "sub", " * ": "mul"}.items():  # fmt: skip
        if sign in expression and "(" not in expression.split(sign)[0]:
            return name
    head = expression.split("(")[0]
    return "neg" if head.startswith("-") else head.rsplit(".", 1)[-1]


COMPARISONS = [f"x {sign} y" for sign in ("==", "!=", "<", "<=", ">", ">=")]
NUMBERS = [0.0, 1.0, -1.0, float("inf"), float("-inf"), float("nan")]

KINKS: list[Case] = [
    case("rsub", "torch.rsub(x, y)", x=real(3), y=real(3)),
    case("rsub", "torch.rsub(x, y, alpha=2)", x=real(2, 3), y=real(3)),
    case("clamp_min", "torch.clamp_min(x, y)", x=real(2, 3), y=real(3)),
    case("clamp_max", "torch.clamp_max(x, y)", x=real(2, 3), y=real(3)),
    case("nextafter", "torch.nextafter(x, y)", second=False, x=real(3), y=real(3)),
    case("angle", "torch.angle(x)", x=real(3)),
    case("frexp", "torch.frexp(x)", second=False, x=real(3)),
    case("erfcx", "torch.special.erfcx(x)", x=real(3)),
    case("ndtri", "torch.special.ndtri(x)", x=zero_one(3)),
    case("log_ndtr", "torch.special.log_ndtr(x)", second=False, x=real(3)),
    case("i1", "torch.special.i1(x)", x=real(3)),
    case("i1e", "torch.special.i1e(x)", x=real(3)),
    case("abs", "x.abs()", x=values([-2.0, 0.0, 2.0])),
    case("relu", "torch.relu(x)", x=values([-1.0, 0.0, 1.0, float("nan")])),
    case("_pieces", "torch.relu(x) ** 2", x=real(5)),
    case("relu6", "F.relu6(x)", x=values([-1.0, 0.0, 3.0, 6.0, 7.0])),
    case("leaky_relu", "F.leaky_relu(x)", x=values([-1.0, 0.0, 1.0])),
    case("hardtanh", "F.hardtanh(x)", x=values([-2.0, -1.0, 0.0, 1.0, 2.0])),
    case("hardswish", "F.hardswish(x)", second=False, x=values([-4.0, -3.0, 0.0, 3.0, 4.0])),
    case("hardsigmoid", "F.hardsigmoid(x)", x=values([-4.0, -3.0, 0.0, 3.0, 4.0])),
    case("hardshrink", "F.hardshrink(x)", x=values([-1.0, -0.5, 0.0, 0.5, 1.0])),
    case("softshrink", "F.softshrink(x)", x=values([-1.0, -0.5, 0.0, 0.5, 1.0])),
    case("threshold", "F.threshold(x, 1.0, 5.0)", x=values([0.0, 1.0, 2.0])),
    case("elu", "F.elu(x)", second=False, x=values([-1.0, 0.0, 1.0])),
    case("celu", "F.celu(x)", second=False, x=values([-1.0, 0.0, 1.0])),
    case("selu", "F.selu(x)", second=False, x=values([-1.0, 0.0, 1.0])),
    case("prelu", "F.prelu(x, w)", second=False, x=values([-1.0, 0.0, 1.0]), w=values([0.25])),
    case("softplus", "F.softplus(x)", x=values([-100.0, 0.0, 20.0, 21.0])),
    case("logsigmoid", "F.logsigmoid(x)", x=values([-100.0, 0.0, 100.0])),
    case("sigmoid", "torch.sigmoid(x)", x=values([-100.0, 0.0, 100.0])),
    case("tanh", "torch.tanh(x)", x=values([-100.0, 0.0, 100.0])),
    case("maximum", "torch.maximum(x, y)", x=values([1.0, 2.0, 3.0]), y=values([1.0, 3.0, 2.0])),
    case("minimum", "torch.minimum(x, y)", x=values([1.0, 2.0, 3.0]), y=values([1.0, 3.0, 2.0])),
    case("maximum", "torch.maximum(x, y)", x=values([1.0, float("nan")]), y=values([float("nan"), 1.0])),
    case("fmax", "torch.fmax(x, y)", x=values([1.0, float("nan"), 2.0]), y=values([float("nan"), 1.0, 2.0])),
    case("fmin", "torch.fmin(x, y)", x=values([1.0, float("nan"), 2.0]), y=values([float("nan"), 1.0, 2.0])),
    case("clamp", "torch.clamp(x, -1, 1)", x=values([-2.0, -1.0, 0.0, 1.0, 2.0])),
    case("clamp", "torch.clamp(x, min=0)", x=values([-1.0, 0.0, 1.0, float("nan")])),
    case("clamp", "torch.clamp(x, 1, -1)", x=values([-2.0, 0.0, 2.0])),
    case("clamp", "torch.clamp(x, y, z)", x=values([-2.0, 0.0, 1.0, 2.0]), y=values([-1.0] * 4), z=values([1.0] * 4)),
    case("clamp_min", "torch.clamp_min(x, 0.0)", x=values([-1.0, 0.0, 1.0])),
    case("sqrt", "torch.sqrt(x)", x=values([0.0, 4.0, -1.0, float("inf")])),
    case("rsqrt", "torch.rsqrt(x)", x=values([0.0, 4.0, -1.0])),
    case("log", "torch.log(x)", x=values([0.0, 1.0, -1.0, float("inf")])),
    case("log1p", "torch.log1p(x)", x=values([-1.0, 0.0])),
    case("log2", "torch.log2(x)", x=values([0.0, 1.0])),
    case("reciprocal", "x.reciprocal()", x=values([0.0, 2.0])),
    case("div", "x / y", x=values([0.0, 1.0, -1.0]), y=values([0.0, 0.0, 0.0])),
    case("pow", "x ** 2", x=values(NUMBERS)),
    case("pow", "x ** 0", x=values(NUMBERS)),
    case("pow", "x ** 1", x=values([0.0, 2.0])),
    case("pow", "x ** 0.5", x=values([0.0, 4.0, -4.0])),
    case("pow", "x ** -1", x=values([0.0, 4.0, -4.0])),
    case("pow", "x ** 3", x=values([0.0, -2.0])),
    case("pow", "0 ** x", second=False, x=values([0.0, 1.0, 2.0, -1.0])),
    case("pow", "x ** y", second=False, x=values([0.0, 0.0, 0.0, -2.0, 2.0, 1.0]),
        y=values([0.0, 1.0, -1.0, 2.0, 0.0, 0.0])),
    case("pow", "x ** x", x=values([1.0, 2.0, 0.5])),
    case("pow", "x ** 2", x=values([1, 2, 3], dtype="int64")),
    case("pow", "x ** 0.5", x=values([1, 4], dtype="int64")),
    case("atan2", "torch.atan2(x, y)", second=False, x=values([0.0, 0.0, 1.0, -1.0]), y=values([0.0, -1.0, 0.0, 0.0])),
    case("hypot", "torch.hypot(x, y)", x=values([0.0, 3.0]), y=values([0.0, 4.0])),
    case("xlogy", "torch.xlogy(x, y)", x=values([0.0, 0.0, 1.0, 0.0]), y=values([0.0, 2.0, 0.0, float("nan")])),
    case("mul", "x * torch.log(x)", x=values([0.0, 1.0])),
    case("logaddexp", "torch.logaddexp(x, y)", second=False, x=values([float("-inf"), 0.0]), y=values([1.0, 0.0])),
    case("where", "torch.where(x > 0, x.sqrt(), 0)", x=values([-1.0, 0.0, 4.0])),
    case("where", "torch.where(x > 0, torch.log(x), torch.zeros_like(x))", x=values([0.0, 2.0])),
    case("where", "torch.where(torch.tensor([True, False]), x, y)", x=values([1.0, 2.0]), y=values(5.0)),
    case("where", "torch.where(x > 0, 1.0, 0.0)", x=values([1.0, -2.0])),
    case("where", "torch.where(x > 0, x, 0)", x=values([1.0, -2.0])),
    case("where", "x.where(x > 0, y)", x=values([1.0, -2.0]), y=values([3.0, 4.0])),
    case("sign", "x.sign()", x=values([-2.0, 0.0, 3.0])),
    case("round", "x.round()", x=values([0.5, 1.5, 2.5, -0.5, -1.5])),
    case("frac", "x.frac()", x=values([1.5, -1.5, 0.0])),
    case("copysign", "torch.copysign(x, y)", second=False, x=values([0.0, 1.0, -1.0]), y=values([1.0, -1.0, 0.0])),
    case("remainder", "torch.remainder(x, y)", x=values([5.0, -5.0, 5.0, -5.0]), y=values([3.0, 3.0, -3.0, -3.0])),
    case("fmod", "torch.fmod(x, y)", x=values([5.0, -5.0, 5.0, -5.0]), y=values([3.0, 3.0, -3.0, -3.0])),
    case("floor_divide", "x // y", x=values([5.0, -5.0]), y=values([3.0, 3.0])),
    case("floor_divide", "x // 2", x=values([5, -5], dtype="int64")),
    case("remainder", "x % 3", x=values([5, -5], dtype="int64")),
    case("acos", "torch.acos(x)", x=values([-1.0, 1.0, 0.0])),
    case("asin", "torch.asin(x)", x=values([-1.0, 1.0, 0.0])),
    case("acosh", "torch.acosh(x)", x=values([1.0, 2.0])),
    case("atanh", "torch.atanh(x)", x=values([1.0, -1.0])),
    case("sinc", "torch.sinc(x)", second=False, x=values([0.0, 1.0, 0.5])),
    case("logit", "torch.logit(x, 0.1)", x=values([0.05, 0.1, 0.5, 0.95])),
    case("nan_to_num", "torch.nan_to_num(x, 1.0, 2.0, 3.0)", x=values([float("nan"), float("inf"), float("-inf"),
        5.0])),
    case("erfinv", "torch.erfinv(x)", x=values([0.0, 1.0, -1.0])),
    case("exp", "torch.exp(x)", x=values([100.0, -200.0])),
    case("where", "torch.where(x > 50, torch.zeros_like(x), torch.exp(x))", x=values([1.0, 100.0])),
    case("clone", "x.clone()", x=values(2.0)),
    case("float", "x.float()", x=values([1, 2], dtype="int64")),
    case("long", "x.long()", x=values([1.7, -1.7])),
    case("bool", "x.bool()", x=values([0.0, -1.7])),
    case("int", "x.int()", x=values([1.7, -1.7])),
    case("type", "x.type(torch.float64)", x=real(2)),
    case("type_as", "x.type_as(torch.zeros(1, dtype=torch.float64))", x=real(2)),
    case("lerp", "torch.lerp(x, y, w)", x=real(3), y=real(3), w=unit(3)),
    case("prelu", "F.prelu(x, w)", x=real(2, 3, 2), w=real(3)),
    case("prelu", "F.prelu(x, w)", x=real(2, 3), w=real(1)),
    case("glu", "F.glu(x)", x=real(2, 4)),
    case("glu", "F.glu(x, 0)", x=real(2, 3)),
    case("softmin", "F.softmin(x, dim=1)", x=real(2, 3)),
    case("rrelu", "F.rrelu(x, 0.1, 0.3, training=False)", x=real(3)),
    case("addcmul", "torch.addcmul(x, y, z)", x=real(2, 3), y=real(3), z=real(2, 1)),
    case("addcdiv", "torch.addcdiv(x, y, z, value=-2)", x=real(2, 3), y=real(3), z=off(2, 1)),
    case("heaviside", "torch.heaviside(x, torch.tensor(0.5))", x=values([-1.0, 0.0, 1.0]).constant),
]  # fmt: skip

PROMOTION: list[Case] = [
    case("add", "x + 1.5", x=values([1, 2], dtype="int64")),
    case("add", "x + 1", x=values([1, 2], dtype="int64")),
    case("add", "x + True", x=values([True, False], dtype="bool")),
    case("mul", "x * 2.5", x=values([True, False], dtype="bool")),
    case("div", "x / 2", x=values([1, 2], dtype="int64")),
    case("add", "x + y", x=values([1, 2], dtype="int64"), y=real(2)),
    case("add", "x + y", x=values([1, 2], dtype="int64"), y=real()),
    case("add", "x + y", x=real(2), y=real().double),
    case("add", "x + y", x=real(2).half, y=real()),
    case("add", "x + y", x=real(2).half, y=real(2)),
    case("mul", "x * y", x=values([1, 2], dtype="int32"), y=values([1, 2], dtype="int64")),
    case("mul", "x * y", x=values([1, 2], dtype="uint8"), y=values([1, 2], dtype="int8")),
    case("add", "x + y", x=values([1, 2], dtype="int32"), y=values(3, dtype="int64")),
    case("add", "x + y", x=values([1, 2], dtype="int64"), y=values([1, 2], dtype="bool")),
    case("exp", "torch.exp(x)", x=values([0, 1], dtype="int64")),
    case("sqrt", "torch.sqrt(x)", x=values([0, 1], dtype="bool")),
    case("sigmoid", "torch.sigmoid(x)", x=values([0, 1], dtype="int64")),
    case("where", "torch.where(x > 0, x, y)", x=real(2), y=real(2).double),
    case("where", "torch.where(x > 1, x, 0.5)", x=values([1, 2], dtype="int64")),
    case("maximum", "torch.maximum(x, y)", x=real(2), y=values([0, 1], dtype="int64")),
    case("pow", "x ** y", x=real(2).double, y=values(2, dtype="int64")),
    case("logical_and", "torch.logical_and(x, y)", x=real(2), y=booleans(2)),
    case("logical_or", "torch.logical_or(x, y)", x=real(2), y=booleans(2)),
    case("logical_xor", "torch.logical_xor(x, y)", x=real(2), y=booleans(2)),
    case("logical_not", "torch.logical_not(x)", x=values([0.0, 2.0])),
    case("bitwise_and", "x & y", x=booleans(4), y=booleans(4)),
    case("bitwise_or", "x | y", x=integers(4, high=9), y=integers(4, high=9)),
    case("bitwise_xor", "x ^ y", x=booleans(4), y=booleans(4)),
    case("bitwise_not", "~x", x=booleans(4)),
    case("isnan", "torch.isnan(x)", x=values(NUMBERS)),
    case("isinf", "torch.isinf(x)", x=values(NUMBERS)),
    case("isfinite", "torch.isfinite(x)", x=values(NUMBERS)),
    case("isclose", "torch.isclose(x, y)", x=values([1.0, 2.0]), y=values([1.0, 2.1])),
    case("isposinf", "torch.isposinf(x)", x=values(NUMBERS)),
    case("isneginf", "torch.isneginf(x)", x=values(NUMBERS)),
    case("gcd", "torch.gcd(x, y)", x=integers(4, low=1, high=20), y=integers(4, low=1, high=20)),
    case("lcm", "torch.lcm(x, y)", x=integers(4, low=1, high=20), y=integers(4, low=1, high=20)),
    case("bitwise_left_shift", "x << 2", x=integers(4)),
    case("bitwise_right_shift", "x >> 1", x=integers(4, high=9)),
    case("pow", "x ** y", x=values([1, -1, 2, 3], dtype="int64"), y=values([-1, -3, -1, 2], dtype="int64")),
    case("pow", "x ** 2", x=booleans(3)),
    case("signbit", "torch.signbit(x)", x=values([-0.0, 0.0, -1.0])),
]  # fmt: skip

FAULTS: list[Case] = [
    fault("add", "x + y", x=real(2), y=real(3)),
    fault("mul", "x * y", x=real(2, 3), y=real(2)),
    fault("add", "x + 'a'", "unsupported operand type(s) for +", x=real(2)),
    fault("add", "torch.add(x, 'a')", "must be Tensor, not str", x=real(2)),
    fault("relu", "torch.relu(2.0)", "must be Tensor, not float"),
    fault("exp", "torch.exp(2.0)", "must be Tensor, not float"),
    fault("where", "torch.where(x, x, x)", x=real(2)),
    fault("clamp", "torch.clamp(x)", x=real(2)),
    fault("sub", "x - x", x=booleans(2)),
    fault("neg", "-x", x=booleans(2)),
    fault("pow", "x ** -1", x=integers(2)),
    fault("bitwise_and", "x & x", "not implemented for 'Float'", x=real(2)),
    fault("add_", "x.add_(1.5)", x=integers(2)),
    fault("div_", "x.div_(2)", x=integers(2)),
    fault("exp_", "x.exp_()", x=integers(2)),
    fault("add_", "x.add_(y)", x=real(2).constant, y=real(3)),
    fault("dropout", "F.dropout(x, p=1.5)", x=real(2)),
    fault("glu", "F.glu(x)", x=real(3)),
    fault("prelu", "F.prelu(x, torch.ones(2))", x=real(3)),
    fault("requires_grad", "x.bool().requires_grad_()", x=real(3)),
]  # fmt: skip

INPLACE: list[Case] = [
    case(op_of(expression), f"x.clone().{expression}", x=make(2, 3))
    for expression, make in {
        "add_(1)": real, "sub_(2)": real, "mul_(3)": real, "div_(2)": real, "pow_(2)": real, "exp_()": real,
        "log_()": positive,
        "sqrt_()": positive, "sigmoid_()": real, "tanh_()": real, "relu_()": real, "abs_()": real, "neg_()": real,
        "sin_()": real,
        "cos_()": real, "clamp_(-1, 1)": real, "clamp_min_(0)": real, "zero_()": real, "fill_(2)": real,
        "round_()": real, "floor_()": real,
        "reciprocal_()": off, "square_()": real, "rsqrt_()": positive, "masked_fill_(x > 0, 1.0)": real,
        "sign_()": real,
        "add_(x, alpha=2)": real, "mul_(x)": real, "lerp_(x * 2, 0.5)": real, "addcmul_(x, x)": real, "t_()": real,
        "unsqueeze_(0)": real,
        "copy_(x * 2)": real, "remainder_(0.7)": real, "fmod_(0.7)": real, "erf_()": real, "expm1_()": real,
        "ceil_()": real, "trunc_()": real,
        "atan_()": real, "sinh_()": real, "cosh_()": real,
    }.items()
]  # fmt: skip

ELEMENTWISE: list[Case] = [
    *(case(op_of(e), e, x=given) for e, make in UNARY.items() for given in shapes(make)),
    *(
        case(op_of(e), e, x=x, y=y)
        for e, makes in BINARY.items()
        for x, y in pairs(*makes)
        if "lerp" not in e or x.dtype == y.dtype
    ),
    *(
        case(e.split()[1], e, x=x, y=y)
        for e in COMPARISONS
        for x, y in [(integers(3), integers(3)), (real(2, 1), real(3))]
    ),
    *KINKS,
    *PROMOTION,
    *INPLACE,
    *FAULTS,
]
