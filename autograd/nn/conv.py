"""Convolutions (cross-correlations, as everywhere in the field) and their transposes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from autograd.nn import functional as F
from autograd.nn import init
from autograd.nn.module import Module
from autograd.nn.parameter import Parameter, new_parameter
from autograd.tensor import Tensor

Sizes = int | Sequence[int]


def repeated(value: Any, n: int) -> Any:
    """``value`` as a tuple of ``n``: repeated if it is a number, as given otherwise."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,) * n


class _ConvNd(Module):
    """What convolutions of any number of dimensions share.

    Weight (out_channels, in_channels / groups, *kernel_size), first two swapped when transposed; weight and bias start
    uniform within 1 / sqrt(fan_in). Raises ValueError for channels and groups that do not fit.
    """

    ndim: ClassVar[int]
    weight: Parameter
    bias: Parameter | None
    stride: tuple[int, ...]
    padding: tuple[int, ...] | str
    kernel_size: tuple[int, ...]
    dilation: tuple[int, ...]
    output_padding: tuple[int, ...]

    def _set_up(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes,
        padding: Sizes | str,
        dilation: Sizes,
        transposed: bool,
        output_padding: Sizes,
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any,
        dtype: Any,
    ) -> None:
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(step != 1 for step in repeated(stride, self.ndim)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in ("zeros", "reflect", "replicate", "circular"):
            raise ValueError(
                "padding_mode must be one of {'zeros', 'reflect', 'replicate', 'circular'}, but got "
                f"padding_mode='{padding_mode}'"
            )
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = repeated(kernel_size, self.ndim)
        self.stride = repeated(stride, self.ndim)
        self.padding = padding if isinstance(padding, str) else repeated(padding, self.ndim)
        self.dilation = repeated(dilation, self.ndim)
        self.transposed = transposed
        self.output_padding = repeated(output_padding, self.ndim)
        self.groups = groups
        self.padding_mode = padding_mode
        first, second = (in_channels, out_channels) if transposed else (out_channels, in_channels)
        self.weight = new_parameter((first, second // groups, *self.kernel_size), dtype, device)
        if bias:
            self.bias = new_parameter((out_channels,), dtype, device)
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def _pad(self) -> list[int]:
        """The padding as ``F.pad`` takes it: both sides of the last dimension first."""
        out: list[int] = []
        for axis in reversed(range(self.ndim)):
            if isinstance(self.padding, str):
                total = self.dilation[axis] * (self.kernel_size[axis] - 1) if self.padding == "same" else 0
                out += [total // 2, total - total // 2]
            else:
                out += [self.padding[axis]] * 2
        return out

    def extra_repr(self) -> str:
        parts = [f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"]
        if self.padding != (0,) * len(self.padding):
            parts.append(f"padding={self.padding}")
        if self.dilation != (1,) * self.ndim:
            parts.append(f"dilation={self.dilation}")
        if self.output_padding != (0,) * self.ndim:
            parts.append(f"output_padding={self.output_padding}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        if self.padding_mode != "zeros":
            parts.append(f"padding_mode={self.padding_mode}")
        return ", ".join(parts)


class _Conv(_ConvNd):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes | str = 0,
        dilation: Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self._set_up(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            False,
            0,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor) -> Tensor:
        function = (F.conv1d, F.conv2d, F.conv3d)[self.ndim - 1]
        padding: Any = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._pad(), mode=self.padding_mode)
            padding = 0
        return function(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class Conv1d(_Conv):
    """Convolution of (N, C, L) or (C, L)."""

    ndim = 1


class Conv2d(_Conv):
    """Convolution of (N, C, H, W) or (C, H, W)."""

    ndim = 2


class Conv3d(_Conv):
    """Convolution of (N, C, D, H, W) or (C, D, H, W)."""

    ndim = 3


class _ConvTranspose(_ConvNd):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Sizes,
        stride: Sizes = 1,
        padding: Sizes = 0,
        output_padding: Sizes = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Sizes = 1,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__()
        self._set_up(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            True,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        function = (F.conv_transpose1d, F.conv_transpose2d, F.conv_transpose3d)[self.ndim - 1]
        extra = self.output_padding if output_size is None else self._fill_up(input, output_size)
        return function(input, self.weight, self.bias, self.stride, self.padding, extra, self.groups, self.dilation)

    def _fill_up(self, input: Tensor, output_size: Sequence[int]) -> tuple[int, ...]:
        """The output padding that leads to ``output_size``. Raises ValueError when none does."""
        wanted = list(output_size)[-self.ndim :]
        out = []
        for axis, size in enumerate(input.shape[-self.ndim :]):
            padding = self.padding[axis]
            assert isinstance(padding, int)
            least = (
                (size - 1) * self.stride[axis] - 2 * padding + self.dilation[axis] * (self.kernel_size[axis] - 1) + 1
            )
            if not least <= wanted[axis] <= least + self.stride[axis] - 1:
                raise ValueError(
                    f"requested an output size of {wanted}, but valid sizes range from {least} to "
                    f"{least + self.stride[axis] - 1} in dimension {axis} (for an input of {list(input.shape[2:])})"
                )
            out.append(wanted[axis] - least)
        return tuple(out)


class ConvTranspose1d(_ConvTranspose):
    """The transpose of Conv1d as a linear map."""

    ndim = 1


class ConvTranspose2d(_ConvTranspose):
    """The transpose of Conv2d as a linear map."""

    ndim = 2


class ConvTranspose3d(_ConvTranspose):
    """The transpose of Conv3d as a linear map."""

    ndim = 3
