"""Elementary functions of one variable: exp, log, tanh, sigmoid, relu."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .table import arrays, op, tensors


def scalar(function: Any, fallback: Any) -> Any:
    """The kernel for 0-d floats: ``math`` is several times faster there than NumPy; outside its domain NumPy
    answers.
    """

    def kernel(x: Any) -> Any:
        try:
            return type(x)(function(x))
        except (ValueError, OverflowError):
            return fallback(x)

    return kernel


#: up to this many entries float32 results are rounded from float64, as exact as they can be; NumPy's own float32
#: functions are faster and up to 2 units in the last place off, which shows when a learner compares digits
EXACT_UP_TO = 512


def precise(function: Any) -> Any:
    """``function`` of NumPy, rounded correctly for small float32 arrays, and computed in float32 for float16."""

    def kernel(x: Any) -> Any:
        kind = x.dtype.char
        if kind == "f" and x.size <= EXACT_UP_TO:
            return function(x.astype(np.float64)).astype(np.float32)
        if kind == "e":
            return function(x.astype(np.float32)).astype(np.float16)
        return function(x)

    return kernel


_exp, _log, _tanh = precise(np.exp), precise(np.log), precise(np.tanh)

exp = op(
    "exp", "ExpBackward0",
    lambda input: _exp(input),
    vjp={"input": "g * result"},
    local={"input": "exp({input})"}, symbol="exp({input})",
    promote="float", elementwise=True, inplace=True, scalar=scalar(math.exp, np.exp),
)  # fmt: skip

log = op(
    "log", "LogBackward0",
    lambda input: _log(input),
    vjp={"input": "g / input"},
    local={"input": "1/{input}"}, symbol="log({input})",
    promote="float", elementwise=True, inplace=True, scalar=scalar(math.log, np.log),
)  # fmt: skip

tanh = op(
    "tanh", "TanhBackward0",
    lambda input: _tanh(input),
    vjp={"input": "g * (1 - result * result)"},
    local={"input": "1-tanh({input})²"}, symbol="tanh({input})",
    promote="float", elementwise=True, inplace=True, scalar=scalar(math.tanh, np.tanh),
)  # fmt: skip


def _sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)), step by step in the type of ``x``, as PyTorch computes it. exp may overflow: 1/inf is
    right.
    """
    if x.dtype == np.float16:
        return _sigmoid(x.astype(np.float32)).astype(np.float16)
    return 1 / (1 + _exp(-x))


def _scalar_sigmoid(x: Any) -> Any:
    try:
        return 1 / (1 + type(x)(math.exp(-x)))
    except OverflowError:
        return x * 0


sigmoid = op(
    "sigmoid", "SigmoidBackward0",
    lambda input: _sigmoid(input),
    vjp={"input": "g * ((1 - result) * result)"},
    local={"input": "σ({input})·(1-σ({input}))"}, symbol="sigmoid({input})",
    promote="float", elementwise=True, inplace=True,
    scalar=_scalar_sigmoid,
)  # fmt: skip


_BITS: dict[int, Any] = {2: np.dtype(np.int16), 4: np.dtype(np.int32), 8: np.dtype(np.int64)}


#: Slopes that are constant in pieces, in the order in which :data:`pieces` counts them.
PIECES = ("Threshold", "LeakyRelu", "Hardtanh", "Softshrink", "Hardshrink", "PreluKernel", "RreluWithNoise")

pieces = op(
    "_pieces", " ".join(f"{name}BackwardBackward0" for name in PIECES),
    lambda gradient, input, kind: np.positive(gradient),
    vjp={"gradient": lambda g: g, "input": lambda g, m, input: m.zeros_like(input)},
    local={"gradient": "1", "input": "0"}, symbol="{gradient}", method=False, public=False,
    variant=lambda inputs, params: params[0],
)  # fmt: skip
arrays.pieces = lambda gradient, input, kind: gradient
tensors.pieces = lambda gradient, input, kind: pieces.function(gradient, input, PIECES.index(kind))


def _rectified(g: Any, result: Any) -> Any:
    """0 where ``result`` is at most 0, else ``g``. The bits of ``g``, read as integers, and all ones or all zeros:
    exact for inf and nan as well, and many times faster than a choice.
    """
    mask = result <= 0
    if not isinstance(g, np.ndarray) or g.shape != mask.shape:
        return (0.0 if mask else g) if type(mask) is np.bool_ else np.where(mask, g.dtype.type(0), g)
    bits = _BITS[g.dtype.itemsize]
    kept = (mask.view(np.int8) - 1).astype(bits)
    kept &= g.view(bits)
    return kept.view(g.dtype)


arrays.rectified = _rectified
tensors.rectified = lambda g, result: tensors.pieces(tensors.where(result <= 0, 0.0, g), result, "Threshold")


def _relu(input: Any) -> Any:
    if input.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    # of a whole array and one number, NumPy compares many times faster in clip than in maximum
    return input.clip(0, np.inf) if input.dtype.kind == "f" else np.maximum(input, 0)


relu = op(
    "relu", "ReluBackward0", _relu,
    vjp={"input": "m.rectified(g, result)"},
    local={"input": "[{input} > 0]"}, symbol="relu({input})",
    elementwise=True, inplace=True, scalar=lambda x: type(x)(0) if x < 0 else x,
)  # fmt: skip
