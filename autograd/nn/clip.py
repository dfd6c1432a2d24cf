"""Clipping gradients before a step: by the norm of all of them together, or value by value."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from autograd.dispatch import make
from autograd.nn.writing import memory, values, wrote
from autograd.tensor import Tensor


def _list_of(parameters: Iterable[Tensor] | Tensor) -> list[Tensor]:
    return [parameters] if isinstance(parameters, Tensor) else list(parameters)


def _norm(array: Any, norm_type: float) -> Any:
    if norm_type == math.inf:
        return np.abs(array).max() if array.size else array.dtype.type(0)
    if norm_type == 2:
        return np.sqrt((array * array).sum())
    return (np.abs(array) ** norm_type).sum() ** (1.0 / norm_type)


def get_total_norm(
    tensors: Iterable[Tensor] | Tensor,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """The norm of all entries of all ``tensors``, as a 0-d tensor. Raises RuntimeError when asked to and not finite."""
    arrays = [values(t) for t in _list_of(tensors)]
    if not arrays:
        return make(np.float32(0))
    total = _norm(np.stack([_norm(array, float(norm_type)) for array in arrays]), float(norm_type))
    if error_if_nonfinite and not np.isfinite(total):
        raise RuntimeError(
            f"The total norm of order {float(norm_type)} for gradients from `parameters` is non-finite, so it cannot "
            "be clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
            "`error_if_nonfinite=False`"
        )
    return make(total)


def clip_grads_with_norm_(
    parameters: Iterable[Tensor] | Tensor, max_norm: float, total_norm: Tensor, foreach: bool | None = None
) -> None:
    """Multiply every gradient by max_norm / (total_norm + 1e-6), but by 1 at most."""
    gradients = _gradients(parameters)
    if gradients:
        coefficient = np.minimum(float(max_norm) / (values(total_norm) + np.float32(1e-6)), 1.0)
        for gradient in gradients:
            memory(gradient)[...] *= coefficient.astype(gradient.array.dtype)
            wrote(gradient)


def _gradients(parameters: Iterable[Tensor] | Tensor) -> Sequence[Tensor]:
    found = [p.grad for p in _list_of(parameters)]
    return [gradient for gradient in found if gradient is not None]


def clip_grad_norm_(
    parameters: Iterable[Tensor] | Tensor,
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients together so that their common norm is at most ``max_norm``; returns the norm before."""
    parameters = _list_of(parameters)
    total = get_total_norm(_gradients(parameters), norm_type, error_if_nonfinite)
    clip_grads_with_norm_(parameters, max_norm, total)
    return total


def clip_grad_value_(parameters: Iterable[Tensor] | Tensor, clip_value: float, foreach: bool | None = None) -> None:
    """Clamp every entry of every gradient to between -clip_value and clip_value."""
    for gradient in _gradients(parameters):
        array = memory(gradient)
        np.clip(array, -float(clip_value), float(clip_value), out=array)
        wrote(gradient)
