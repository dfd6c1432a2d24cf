"""What of ``torch.fft`` needs no complex numbers: the order of frequencies and the frequencies themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from .creation import _finish, _numpy
from .placement import placed
from .tensor import Tensor


def _axes(input: Tensor, dim: Any) -> list[int]:
    return list(range(input.ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)


def fftshift(input: Tensor, dim: Any = None) -> Tensor:
    """Moves frequency zero from the front to the middle."""
    axes = _axes(input, dim)
    return input.roll([input.shape[d] // 2 for d in axes], axes) if axes else input.clone()  # type: ignore[no-any-return]


def ifftshift(input: Tensor, dim: Any = None) -> Tensor:
    """Moves frequency zero from the middle to the front."""
    axes = _axes(input, dim)
    return input.roll([(input.shape[d] + 1) // 2 for d in axes], axes) if axes else input.clone()  # type: ignore[no-any-return]


@placed
def fftfreq(n: int, d: float = 1.0, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """The frequencies of a transform of ``n`` samples that are ``d`` apart."""
    return _finish(np.fft.fftfreq(n, d).astype(_numpy(dtype)), requires_grad)


@placed
def rfftfreq(n: int, d: float = 1.0, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """The frequencies of a transform of ``n`` real samples that are ``d`` apart."""
    return _finish(np.fft.rfftfreq(n, d).astype(_numpy(dtype)), requires_grad)


__all__ = ["fftfreq", "fftshift", "ifftshift", "rfftfreq"]
