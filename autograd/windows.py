"""Window functions: what a stretch of a signal is weighted with (``torch.signal.windows``, ``torch.hann_window``)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .creation import _finish, _numpy
from .tensor import Tensor

Array = np.ndarray[Any, np.dtype[Any]]


def _window(formula: Callable[..., Array]) -> Callable[..., Tensor]:
    """The public function for ``formula``, which gets the places 0, 1, ... and the last of a symmetric window."""

    def function(
        M: int, *, sym: bool = True, dtype: Any = None, layout: Any = None, device: Any = None,
        requires_grad: bool = False, **shape: Any,
    ) -> Tensor:  # fmt: skip
        if M < 0:
            raise ValueError(f"{name} requires non-negative window length, got M={M}")
        kind = _numpy(dtype)
        if kind not in (np.float32, np.float64):
            raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")
        values = np.ones(M) if M < 2 else formula(np.arange(M, dtype=np.float64), M - 1 if sym else M, **shape)
        return _finish(values.astype(kind), requires_grad)

    name = function.__name__ = function.__qualname__ = formula.__name__.lstrip("_")
    function.__doc__ = formula.__doc__
    return function


def _cosines(k: Array, last: int, a: Sequence[float]) -> Array:
    return np.asarray(np.sum([(-1) ** i * c * np.cos(2 * math.pi * i * k / last) for i, c in enumerate(a)], axis=0))


@_window
def general_cosine(k: Array, last: int, a: Sequence[float]) -> Array:
    """A sum of cosines with the weights ``a``."""
    return _cosines(k, last, a)


@_window
def general_hamming(k: Array, last: int, alpha: float = 0.54) -> Array:
    """``alpha`` - (1 - ``alpha``) cos."""
    return _cosines(k, last, (alpha, 1 - alpha))


@_window
def hamming(k: Array, last: int) -> Array:
    """Hamming's window."""
    return _cosines(k, last, (0.54, 0.46))


@_window
def hann(k: Array, last: int) -> Array:
    """Hann's window: half a cosine, zero at the ends."""
    return _cosines(k, last, (0.5, 0.5))


@_window
def blackman(k: Array, last: int) -> Array:
    """Blackman's window."""
    return _cosines(k, last, (0.42, 0.5, 0.08))


@_window
def nuttall(k: Array, last: int) -> Array:
    """Nuttall's window, with the least side lobes of four terms."""
    return _cosines(k, last, (0.3635819, 0.4891775, 0.1365995, 0.0106411))


@_window
def bartlett(k: Array, last: int) -> Array:
    """A triangle, zero at the ends."""
    return 1 - np.abs(2 * k / last - 1)


@_window
def cosine(k: Array, last: int) -> Array:
    """Half a sine wave."""
    return np.asarray(np.sin(math.pi * (k + 0.5) / (last + 1)))


@_window
def exponential(k: Array, last: int, center: float | None = None, tau: float = 1.0) -> Array:
    """exp(-|k - center| / tau)."""
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    return np.asarray(np.exp(-np.abs(k - (last / 2 if center is None else center)) / tau))


@_window
def gaussian(k: Array, last: int, std: float = 1.0) -> Array:
    """The bell curve of the given width."""
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    return np.asarray(np.exp(-(((k - last / 2) / std) ** 2) / 2))


@_window
def kaiser(k: Array, last: int, beta: float = 12.0) -> Array:
    """Kaiser's window of shape ``beta``."""
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    return np.asarray(np.i0(beta * np.sqrt(np.maximum(1 - (2 * k / last - 1) ** 2, 0))) / np.i0(beta))


__all__ = [
    "bartlett", "blackman", "cosine", "exponential", "gaussian", "general_cosine", "general_hamming", "hamming", "hann",
    "kaiser", "nuttall",
]  # fmt: skip


def _older(window: Callable[..., Tensor], *shape: str) -> Callable[..., Tensor]:
    """``torch.hann_window(length, periodic=True)`` from ``hann``; ``shape`` are the names of further arguments."""

    def function(window_length: int, periodic: bool = True, *args: float, **options: Any) -> Tensor:
        options.update(zip(shape, args, strict=False))
        return window(window_length, sym=not periodic, **options)

    function.__name__ = function.__qualname__ = f"{window.__name__}_window"
    return function


bartlett_window = _older(bartlett)
blackman_window = _older(blackman)
hamming_window = _older(hamming)
hann_window = _older(hann)
kaiser_window = _older(kaiser, "beta")
