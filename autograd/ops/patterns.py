"""Tensors with a pattern: indices of triangles, and the window functions of signal processing."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from ..dtypes import get_default_dtype, int64, to_dtype
from ..placement import combined, placed
from ..strided import strided
from ..tensor import Tensor
from .table import FUNCTIONS


def _made(array: Any, dtype: Any = None, requires_grad: bool = False) -> Tensor:
    from ..dispatch import make

    t = make(np.asarray(array, (get_default_dtype() if dtype is None else to_dtype(dtype)).numpy))
    return t.requires_grad_() if requires_grad else t


def tril_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Row and column numbers of the lower triangle."""
    return _made(np.stack(np.tril_indices(row, offset, col)), int64 if dtype is None else dtype)


def triu_indices(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None) -> Tensor:
    """Row and column numbers of the upper triangle."""
    return _made(np.stack(np.triu_indices(row, offset, col)), int64 if dtype is None else dtype)


@combined
def range_(start: Any, end: Any = None, step: Any = 1, *, dtype: Any = None, **_: Any) -> Tensor:
    """``torch.range``: like arange, with ``end`` included; deprecated."""
    warnings.warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent "
        "with Python's range builtin. Instead, use torch.arange, which produces values in [start, end).",
        UserWarning,
        stacklevel=2,
    )
    first, last = (0, start) if end is None else (start, end)
    return _made(first + step * np.arange(int((last - first) / step) + 1), dtype)


FUNCTIONS["range"] = range_


def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A 0-d tensor of the default type."""
    return _made(s, dtype, requires_grad)


def _angles(n: int, periodic: bool) -> Any:
    return 2 * math.pi * np.arange(n) / max(n if periodic else n - 1, 1)


def _window(name: str, shape: Any) -> None:
    def window(
        window_length: int,
        periodic: bool = True,
        *args: Any,
        dtype: Any = None,
        requires_grad: bool = False,
        **more: Any,
    ) -> Tensor:
        n = int(window_length)
        if n < 0:
            raise RuntimeError(f"{name} requires non-negative window_length, got window_length={n}")
        return _made(
            np.ones(n) if n == 1 else shape(n, periodic, *args, **{k: v for k, v in more.items() if k != "device"}),
            dtype,
            requires_grad,
        )

    window.__name__ = name
    window.__doc__ = f"The {name.removesuffix('_window')} window of so many points."
    FUNCTIONS[name] = window


def _hamming(n: int, periodic: bool, alpha: float = 0.54, beta: float = 0.46) -> Any:
    return alpha - beta * np.cos(_angles(n, periodic))


def _blackman(n: int, periodic: bool) -> Any:
    x = _angles(n, periodic)
    return 0.42 - 0.5 * np.cos(x) + 0.08 * np.cos(2 * x)


def _kaiser(n: int, periodic: bool, beta: float = 12.0) -> Any:
    return np.kaiser(n + periodic, beta)[:n]


def _bartlett(n: int, periodic: bool) -> Any:
    return 1 - np.abs(2 * np.arange(n) / (n if periodic else n - 1) - 1)


_window("hann_window", lambda n, periodic: 0.5 - 0.5 * np.cos(_angles(n, periodic)))
_window("hamming_window", _hamming)
_window("blackman_window", _blackman)
_window("bartlett_window", _bartlett)
_window("kaiser_window", _kaiser)
FUNCTIONS.update(tril_indices=tril_indices, triu_indices=triu_indices, scalar_tensor=scalar_tensor)


@placed
def empty_strided(size: Any, stride: Any, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """A tensor of the given shape whose entries lie in memory as ``stride`` says."""
    from ..dispatch import make

    kind = (get_default_dtype() if dtype is None else to_dtype(dtype)).numpy
    reach = sum((n - 1) * s for n, s in zip(size, stride, strict=True)) + 1 if all(size) else 0
    flat = np.zeros(reach, kind)
    t = make(strided(flat, tuple(size), tuple(s * kind.itemsize for s in stride)))
    return t.requires_grad_() if requires_grad else t


@placed
def empty_permuted(
    size: Any, physical_layout: Any, *, dtype: Any = None, requires_grad: bool = False, **_: Any
) -> Tensor:
    """A tensor of the given shape whose dimensions lie in memory in the given order."""
    from ..dispatch import make

    kind = (get_default_dtype() if dtype is None else to_dtype(dtype)).numpy
    order = list(physical_layout)
    flat = np.zeros([size[d] for d in order], kind)
    t = make(np.transpose(flat, np.argsort(order)) if order else flat[()])
    return t.requires_grad_() if requires_grad else t


FUNCTIONS.update(empty_strided=empty_strided, empty_permuted=empty_permuted)
