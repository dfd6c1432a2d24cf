"""Elementary functions of one variable: exp, log, tanh, sigmoid, relu."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .table import op


def scalar(function: Any, fallback: Any) -> Any:
    """The kernel for 0-d floats: ``math`` is several times faster there than NumPy; outside its domain NumPy answers."""

    def kernel(x: Any) -> Any:
        try:
            return type(x)(function(x))
        except (ValueError, OverflowError):
            return fallback(x)

    return kernel


exp = op(
    "exp", "ExpBackward0",
    lambda input: np.exp(input),
    vjp={"input": lambda g, result: g * result},
    local={"input": "exp({input})"}, symbol="exp({input})",
    promote="float", elementwise=True, inplace=True, scalar=scalar(math.exp, np.exp),
)  # fmt: skip

log = op(
    "log", "LogBackward0",
    lambda input: np.log(input),
    vjp={"input": lambda g, input: g / input},
    local={"input": "1/{input}"}, symbol="log({input})",
    promote="float", elementwise=True, inplace=True, scalar=scalar(math.log, np.log),
)  # fmt: skip

tanh = op(
    "tanh", "TanhBackward0",
    lambda input: np.tanh(input),
    vjp={"input": lambda g, result: g * (1 - result * result)},
    local={"input": "1-tanh({input})²"}, symbol="tanh({input})",
    promote="float", elementwise=True, inplace=True, scalar=scalar(math.tanh, np.tanh),
)  # fmt: skip


def _sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)) without overflow on either side."""
    e = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + e), e / (1 + e)).astype(x.dtype)


sigmoid = op(
    "sigmoid", "SigmoidBackward0",
    lambda input: _sigmoid(input),
    vjp={"input": lambda g, result: g * ((1 - result) * result)},
    local={"input": "σ({input})·(1-σ({input}))"}, symbol="sigmoid({input})",
    promote="float", elementwise=True, inplace=True,
    scalar=scalar(lambda x: 1 / (1 + math.exp(-x)), lambda x: _sigmoid(x)[()]),
)  # fmt: skip

relu = op(
    "relu", "ReluBackward0",
    lambda input: np.maximum(input, 0),
    vjp={"input": lambda g, result: g * (result > 0)},
    local={"input": "[{input} > 0]"}, symbol="relu({input})",
    elementwise=True, inplace=True, scalar=lambda x: x if x > 0 or x != x else x * 0,
)  # fmt: skip
