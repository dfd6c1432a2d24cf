"""The activations of ``torch.nn.functional``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY
from ..errors import only_floats
from ..random import numpy_generator
from ..tensor import Tensor
from . import generate
from .elementary import _sigmoid, relu, sigmoid, tanh
from .namespaces import NEURAL, neural
from .shaping import axis_of
from .table import FUNCTIONS, METHODS, Operation, op


def activation(
    name: str, node: str, kernel: Callable[..., Any], rule: Callable[..., Any], local: str, **entry: Any
) -> Operation:
    """An activation: an elementwise operation of ``torch.nn.functional``, with an ``inplace`` argument."""
    given = {"elementwise": True, "method": False, "public": False, "symbol": f"{name}({{input}})", **entry}
    operation = op(name, node, kernel, inputs="input", vjp={"input": rule}, local={"input": local}, **given)
    NEURAL[name] = with_inplace(operation)
    return operation


def with_inplace(operation: Operation) -> Callable[..., Any]:
    """The public function, which takes ``inplace`` besides its parameters."""
    write = generate.in_place(operation)

    def function(input: Tensor, *args: Any, inplace: bool = False, **kwargs: Any) -> Any:
        if args and isinstance(args[-1], bool):
            *rest, inplace = args
            args = tuple(rest)
        return write(input, *args, **kwargs) if inplace else operation.function(input, *args, **kwargs)

    function.__name__ = operation.name
    return function


NEURAL["relu"] = with_inplace(relu)
NEURAL["relu_"] = METHODS["relu_"]
NEURAL["sigmoid"], NEURAL["tanh"] = sigmoid.function, tanh.function


def _leaky_relu(input: Any, negative_slope: float = 0.01) -> Any:
    only_floats("leaky_relu_cpu", input)
    return np.where(input > 0, input, input * negative_slope).astype(input.dtype)


leaky_relu = activation(
    "leaky_relu", "LeakyReluBackward0 LeakyReluBackward1", _leaky_relu,
    lambda g, m, input, negative_slope: m.pieces(m.where(input > 0, g, g * negative_slope), input, "LeakyRelu"),
    "1 where {input} > 0, else {negative_slope}", symbol="leaky_relu({input}, {negative_slope})", in_place_nodes=1,
)  # fmt: skip


def _hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0) -> Any:
    if input.dtype.kind != "f":
        min_val, max_val = int(min_val), int(max_val)
    return np.minimum(np.maximum(input, min_val), max_val)


hardtanh = activation(
    "hardtanh", "HardtanhBackward0", _hardtanh,
    lambda g, m, input, min_val, max_val: m.pieces(
        m.where((input <= min_val) | (input >= max_val), 0.0, g), input, "Hardtanh"
    ),
    "1 strictly between {min_val} and {max_val}, else 0", symbol="hardtanh({input}, {min_val}, {max_val})",
)  # fmt: skip


_bounded = NEURAL["hardtanh"]


@neural
def hardtanh_checked(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """``input`` kept between ``min_val`` and ``max_val``; ValueError if these are in the wrong order."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    result: Tensor = _bounded(input, min_val, max_val, inplace=inplace)
    return result


hardtanh_checked.__name__ = "hardtanh"
NEURAL["hardtanh"] = NEURAL.pop("hardtanh_checked")


@neural
def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(0, x), 6)."""
    result: Tensor = NEURAL["hardtanh"](input, 0.0, 6.0, inplace=inplace)
    return result


def _elu(input: Any, alpha: float = 1.0, scale: float = 1.0, input_scale: float = 1.0) -> Any:
    only_floats("elu_cpu", input)
    return np.where(input <= 0, np.expm1(input * input_scale) * (alpha * scale), input * scale).astype(input.dtype)


def _elu_rule(g: Any, m: Any, input: Any, alpha: float, scale: float, input_scale: float) -> Any:
    """At 0 the slope is that from below, and a constant: the second derivative there is 0."""
    below, above = input_scale * alpha * scale, m.ones_like(input) * scale
    return g * m.where(
        input < 0, below * m.exp(input * input_scale), m.where(input == 0, m.ones_like(input) * below, above)
    )


elu_op = activation(
    "elu", "EluBackward0 EluBackward1", _elu, _elu_rule, "1 where {input} > 0, else {alpha}·exp({input})",
    in_place_nodes=1,
)  # fmt: skip
celu = activation(
    "celu", "CeluBackward0",
    lambda input, alpha=1.0: _elu(input, alpha, 1.0, 1 / alpha),
    lambda g, m, input, alpha: _elu_rule(g, m, input, alpha, 1.0, 1 / alpha),
    "1 where {input} > 0, else exp({input}/{alpha})",
)  # fmt: skip
SELU_ALPHA, SELU_SCALE = 1.6732632423543772, 1.0507009873554805


@neural
def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """elu with the constants that keep mean 0 and variance 1 from layer to layer."""
    result: Tensor = NEURAL["elu"](input, SELU_ALPHA, SELU_SCALE, inplace=inplace)
    return result


@neural
def elu(input: Tensor, alpha: float = 1.0, *args: Any, inplace: bool = False) -> Tensor:
    """x where positive, else alpha·(exp(x) - 1)."""
    if args and isinstance(args[0], bool):
        inplace, args = args[0], ()
    result: Tensor = (_write_elu if inplace else elu_op.function)(input, alpha, *args)
    return result


_write_elu = generate.in_place(elu_op)

ROOT = math.sqrt(2 / math.pi)


def _gelu(input: Any, approximate: str = "none") -> Any:
    only_floats("GeluKernelImpl", input)
    if approximate == "tanh":
        return 0.5 * input * (1 + np.tanh(ROOT * (input + 0.044715 * input * input * input)))
    if approximate != "none":
        raise RuntimeError("approximate argument must be either none or tanh.")
    from .special import erf

    return 0.5 * input * (1 + erf(input * math.sqrt(0.5)))


def _gelu_rule(g: Any, m: Any, input: Any, approximate: str) -> Any:
    if approximate == "tanh":
        inner = m.tanh(ROOT * (input + 0.044715 * input * input * input))
        return g * (0.5 * (1 + inner) + 0.5 * input * (1 - inner * inner) * ROOT * (1 + 3 * 0.044715 * input * input))
    density = m.exp(input * input * -0.5) * (1 / math.sqrt(2 * math.pi))
    return g * (0.5 * (1 + m.erf(input * math.sqrt(0.5))) + input * density)


gelu = activation(
    "gelu",
    "GeluBackward0",
    lambda input, *, approximate="none": _gelu(input, approximate),
    _gelu_rule,
    "Φ({input}) + {input}·φ({input})",
)
NEURAL["gelu"] = gelu.function


def _silu_rule(g: Any, m: Any, input: Any) -> Any:
    s = m.sigmoid(input)
    return g * (s * (1 + input * (1 - s)))


silu = activation(
    "silu", "SiluBackward0", lambda input: input * _sigmoid(input), _silu_rule,
    "σ({input})·(1 + {input}·(1-σ({input})))",
)  # fmt: skip


def _softplus(input: Any, beta: float = 1.0, threshold: float = 20.0) -> Any:
    only_floats("softplus_cpu", input)
    scaled = input * beta
    return np.where(scaled > threshold, input, np.log1p(np.exp(np.minimum(scaled, threshold))) / beta).astype(
        input.dtype
    )


softplus = activation(
    "softplus", "SoftplusBackward0", _softplus,
    lambda g, m, input, beta, threshold: m.where(input * beta > threshold, g, g * m.sigmoid(input * beta)),
    "σ({beta}·{input})",
)  # fmt: skip
NEURAL["softplus"] = softplus.function


def _mish(input: Any) -> Any:
    return input * np.tanh(np.logaddexp(input, input.dtype.type(0)))


def _mish_rule(g: Any, m: Any, input: Any) -> Any:
    inner = m.tanh(m.softplus(input, 1.0, 40.0))
    return g * (inner + input * m.sigmoid(input) * (1 - inner * inner))


mish = activation(
    "mish", "MishBackward0", _mish, _mish_rule, "t + {input}·σ({input})·(1-t²), t = tanh(softplus({input}))"
)

hardswish = activation(
    "hardswish", "HardswishBackward0",
    lambda input: input * np.minimum(np.maximum(input + 3, 0), 6) / 6,
    lambda g, m, input: m.where(input <= -3, 0.0, m.where(input < 3, g * (input / 3 + 0.5), g)),
    "0 up to -3, {input}/3 + 1/2 up to 3, then 1",
)  # fmt: skip
hardsigmoid = activation(
    "hardsigmoid", "HardsigmoidBackward0",
    lambda input: np.minimum(np.maximum(input + 3, 0), 6) / 6,
    lambda g, m, input: m.where((input > -3) & (input < 3), g / 6, 0.0), "1/6 from -3 to 3, else 0",
)  # fmt: skip
hardshrink = activation(
    "hardshrink", "HardshrinkBackward0",
    lambda input, lambd=0.5: np.where((input >= -lambd) & (input <= lambd), 0, input).astype(input.dtype),
    lambda g, m, input, lambd: m.pieces(m.where((input >= -lambd) & (input <= lambd), 0.0, g), input, "Hardshrink"),
    "0 from -{lambd} to {lambd}, else 1", symbol="hardshrink({input}, {lambd})",
    method=True, public=True,
)  # fmt: skip


def _softshrink(input: Any, lambd: float = 0.5) -> Any:
    if lambd < 0:
        raise RuntimeError(
            f"lambda must be in range [0, {np.finfo(input.dtype).max:g}] for input dtype "
            f"{OF_NUMPY[input.dtype].word}, but found {lambd:g}"
        )
    return np.where(input > lambd, input - lambd, np.where(input < -lambd, input + lambd, input * 0)).astype(
        input.dtype
    )


softshrink = activation(
    "softshrink", "SoftshrinkBackward0", _softshrink,
    lambda g, m, input, lambd: m.pieces(m.where((input >= -lambd) & (input <= lambd), 0.0, g), input, "Softshrink"),
    "0 from -{lambd} to {lambd}, else 1", symbol="softshrink({input}, {lambd})",
)  # fmt: skip
threshold = activation(
    "threshold", "ThresholdBackward0",
    lambda input, threshold, value: np.where(input <= threshold, input.dtype.type(value), input),
    lambda g, m, input, threshold: m.pieces(m.where(input <= threshold, 0.0, g), input, "Threshold"),
    "1 where {input} > {threshold}, else 0", symbol="threshold({input}, {threshold}, {value})",
    public=True,
)  # fmt: skip
NEURAL["threshold_"] = generate.in_place(threshold)
logsigmoid = activation(
    "logsigmoid", "LogSigmoidBackward0",
    lambda input: np.minimum(input, 0) - np.log1p(np.exp(-np.abs(input))),
    lambda g, m, input: g * m.sigmoid(-input), "1 - σ({input})",
)  # fmt: skip
NEURAL["logsigmoid"] = logsigmoid.function


def _prelu_rule(g: Any, m: Any, input: Any, weight: Any) -> Any:
    return m.pieces(m.where(input > 0, g, g * weight), input, "PreluKernel")


prelu_kernel = op(
    "prelu_kernel", "PreluKernelBackward0",
    lambda input, weight: np.where(input > 0, input, input * weight), inputs="input weight",
    vjp={"input": _prelu_rule, "weight": lambda g, m, input: m.where(input > 0, 0.0, g * input)},
    local={"input": "1 where {input} > 0, else {weight}", "weight": "0 where {input} > 0, else {input}"},
    symbol="prelu({input}, {weight})", elementwise=True, method=False, public=False, shown="prelu",
)  # fmt: skip


@neural
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """x where positive, else weight·x, with one weight or one a channel (dimension 1)."""
    if input.dtype is not weight.dtype:
        raise RuntimeError(f"prelu: Type promoting not supported. Got {input.dtype.name} and {weight.dtype.name}")
    if weight.ndim > 1:
        raise RuntimeError(f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.ndim}")
    if weight.array.size != 1:
        if input.ndim == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = input.shape[1] if input.ndim > 1 else 1
        if weight.array.size != channels:
            raise RuntimeError(
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{weight.array.size} and channel size = {channels}."
            )
        weight = weight.reshape((1, -1) + (1,) * (input.ndim - 2))
    elif weight.ndim:
        weight = weight.reshape((1,) * input.ndim)
    result: Tensor = prelu_kernel.function(input, weight)
    return result


FUNCTIONS["prelu"] = METHODS["prelu"] = prelu


def _halves(x: Any, dim: int) -> tuple[Any, Any]:
    return np.split(x, 2, axis=dim)[0], np.split(x, 2, axis=dim)[1]


def _glu(input: Any, dim: int = -1) -> Any:
    if np.ndim(input) == 0:
        raise RuntimeError("glu does not support 0-dimensional tensors")
    axis = axis_of(dim, np.ndim(input))
    if input.shape[axis] % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {axis} is size {input.shape[axis]}")
    a, b = _halves(input, axis)
    return a * _sigmoid(b)


def _glu_rule(g: Any, m: Any, input: Any, dim: int) -> Any:
    axis = axis_of(dim, len(input.shape))
    half = input.shape[axis] // 2
    a, gate = m.narrow(input, axis, 0, half), m.sigmoid(m.narrow(input, axis, half, half))
    return m.cat([g * gate, g * a * gate * (1 - gate)], axis)


glu = op(
    "glu", "GluBackward0", _glu, vjp={"input": _glu_rule}, local={"input": "σ(b), and a·σ'(b)"},
    rule={"input": "g·σ(b), and g·a·σ'(b)"}, symbol="glu({input})",
    method=False,
    public=False,
)  # fmt: skip
NEURAL["glu"] = glu.function


@neural
def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|)."""
    return input / (input.abs() + 1)  # type: ignore[no-any-return]


@neural
def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""
    return input - input.tanh()  # type: ignore[no-any-return]


def _rrelu(input: Any, slope: Any) -> Any:
    return np.where(input <= 0, input * slope, input).astype(input.dtype)


rrelu_op = op(
    "rrelu", "RreluWithNoiseBackward0", _rrelu, inputs="input",
    vjp={"input": lambda g, m, input, slope: m.pieces(m.where(input > 0, g,
        g * (m.asarray(slope) if np.ndim(slope) else slope)), input, "RreluWithNoise")},
    local={"input": "1 where {input} > 0, else its random slope"}, symbol="rrelu({input})", elementwise=True,
    method=False, public=False,
)  # fmt: skip


@neural
def rrelu(
    input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    """leaky_relu with a random slope for each entry while training, and the mean of the bounds otherwise."""
    if training:
        slope: Any = numpy_generator().uniform(lower, upper, input.shape).astype(input.array.dtype)
    else:
        slope = (lower + upper) / 2
    result: Tensor = (_write_rrelu if inplace else rrelu_op.function)(input, slope)
    return result


_write_rrelu = generate.in_place(rrelu_op)
FUNCTIONS["rrelu"] = rrelu
FUNCTIONS["celu"], FUNCTIONS["selu"] = NEURAL["celu"], selu
for _name in ("leaky_relu", "hardtanh", "elu"):
    NEURAL[_name + "_"] = generate.in_place({"leaky_relu": leaky_relu, "hardtanh": hardtanh, "elu": elu_op}[_name])
NEURAL["celu_"] = generate.in_place(celu)
NEURAL["selu_"] = lambda input: selu(input, inplace=True)
NEURAL["rrelu_"] = lambda input, lower=1 / 8, upper=1 / 3, training=False: rrelu(input, lower, upper, training, True)
