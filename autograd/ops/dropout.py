"""Dropout: entries struck out at random while training, the rest scaled so that the mean stays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..random import numpy_generator
from ..tensor import Tensor
from . import generate
from .namespaces import neural, neural_of_tensors
from .table import FUNCTIONS, op

times = op(
    "dropout", "MulBackward0",
    lambda input, mask: input * mask, inputs="input",
    vjp={"input": lambda g, m, mask: g * (m.asarray(mask) if np.ndim(mask) else mask)},
    local={"input": "1/(1-p) where kept, 0 where struck out"}, symbol="dropout({input})", elementwise=True,
    method=False, public=False,
)  # fmt: skip
_drop_in_place = generate.in_place(times)


def _probability(p: float) -> None:
    if not 0 <= p <= 1:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def _mask(shape: tuple[int, ...], p: float, dtype: Any) -> Any:
    """1/(1-p) with probability 1-p, else 0."""
    if p == 1:
        return np.zeros(shape, dtype)
    kept = numpy_generator().random(shape) >= p
    return np.asarray(kept * (1 / (1 - p))).astype(dtype)


@neural_of_tensors
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Zeros with probability ``p``, the rest over 1 - p; nothing happens unless ``training``."""
    _probability(p)
    if not training or input.array.size == 0:
        return input
    if p == 0:
        return input
    if not input.is_floating_point():
        raise RuntimeError(f"result type Float can't be cast to the desired output type {input.dtype.word}")
    mask = _mask(input.array.shape, p, input.array.dtype)
    result: Tensor = _drop_in_place(input, mask) if inplace else times.function(input, mask)
    return result


def _feature_mask(input: Tensor, p: float) -> Any:
    """One draw a channel: a whole feature map is kept or struck out."""
    return _mask((*input.shape[:2], *(1,) * (input.ndim - 2)), p, input.array.dtype)


def _features(name: str, least: int) -> Any:
    def function(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
        """Strikes out whole channels."""
        _probability(p)
        if not training:
            return input
        single = input.ndim == least
        batch = input.unsqueeze(0) if single else input
        result: Tensor = (_drop_in_place if inplace else times.function)(batch, _feature_mask(batch, p))
        return result.squeeze(0) if single else result

    function.__name__ = name
    return function


dropout1d, dropout2d, dropout3d = (
    neural(_features("dropout1d", 2)), neural(_features("dropout2d", 3)), neural(_features("dropout3d", 4)),
)  # fmt: skip


def _alpha(input: Tensor, p: float, kept: Any) -> Tensor:
    """Struck-out entries take selu's lowest value; then mean and variance are restored."""
    from ..dispatch import make

    low = -1.7580993408473766
    scale = 1 / np.sqrt((1 - p) * (1 + p * low * low)) if p < 1 else 0.0
    dtype = input.array.dtype
    shift = make((np.where(kept, 0, low) * scale - scale * low * p).astype(dtype))
    return input * make((kept * scale).astype(dtype)) + shift


@neural
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """Dropout that keeps the mean and variance of selu networks."""
    _probability(p)
    if not training or p == 0:
        return input
    return _alpha(input, p, numpy_generator().random(input.array.shape) >= p)


@neural
def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Tensor:
    """:func:`alpha_dropout` of whole channels."""
    _probability(p)
    if not training or p == 0:
        return input
    shape = (*input.shape[:2], *(1,) * (input.ndim - 2))
    return _alpha(input, p, np.broadcast_to(numpy_generator().random(shape) >= p, input.array.shape))


def _dropout(input: Tensor, p: float, train: bool) -> Tensor:
    """``torch.dropout``."""
    result: Tensor = dropout(input, p, train)
    return result


FUNCTIONS["dropout"] = _dropout
