"""Padding around the last dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from autograd.nn import functional as F
from autograd.nn.module import Module
from autograd.tensor import Tensor

Sizes = int | Sequence[int]


class _Pad(Module):
    ndim: ClassVar[int]
    mode: ClassVar[str]

    def __init__(self, padding: Sizes) -> None:
        super().__init__()
        self.padding = (padding,) * (2 * self.ndim) if isinstance(padding, int) else tuple(padding)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class _ConstantPad(_Pad):
    mode = "constant"

    def __init__(self, padding: Sizes, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad1d(_ConstantPad):
    """``value`` on both sides of the last dimension."""

    ndim = 1


class ConstantPad2d(_ConstantPad):
    """``value`` around the last two dimensions."""

    ndim = 2


class ConstantPad3d(_ConstantPad):
    """``value`` around the last three dimensions."""

    ndim = 3


class _ZeroPad(_ConstantPad):
    def __init__(self, padding: Sizes) -> None:
        super().__init__(padding, 0.0)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad1d(_ZeroPad):
    """Zeros on both sides of the last dimension."""

    ndim = 1


class ZeroPad2d(_ZeroPad):
    """Zeros around the last two dimensions."""

    ndim = 2


class ZeroPad3d(_ZeroPad):
    """Zeros around the last three dimensions."""

    ndim = 3


class ReflectionPad1d(_Pad):
    """The values mirrored at the edge of the last dimension."""

    ndim = 1
    mode = "reflect"


class ReflectionPad2d(_Pad):
    """The values mirrored at the edges of the last two dimensions."""

    ndim = 2
    mode = "reflect"


class ReplicationPad1d(_Pad):
    """The edge value repeated on both sides of the last dimension."""

    ndim = 1
    mode = "replicate"


class ReplicationPad2d(_Pad):
    """The edge values repeated around the last two dimensions."""

    ndim = 2
    mode = "replicate"


class CircularPad1d(_Pad):
    """The last dimension continued from its other end."""

    ndim = 1
    mode = "circular"


class CircularPad2d(_Pad):
    """The last two dimensions continued from their other ends."""

    ndim = 2
    mode = "circular"


class ReflectionPad3d(_Pad):
    """The values mirrored at the edges of the last three dimensions."""

    ndim = 3
    mode = "reflect"


class ReplicationPad3d(_Pad):
    """The edge values repeated around the last three dimensions."""

    ndim = 3
    mode = "replicate"


class CircularPad3d(_Pad):
    """The last three dimensions continued from their other ends."""

    ndim = 3
    mode = "circular"
