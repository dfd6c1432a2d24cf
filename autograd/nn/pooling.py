"""Pooling: the largest or the average value in windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from autograd.nn import functional as F
from autograd.nn.conv import repeated
from autograd.nn.module import Module
from autograd.tensor import Tensor

Sizes = int | Sequence[int]


class _MaxPool(Module):
    ndim: ClassVar[int]

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        dilation: Sizes = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Any:
        function = (F.max_pool1d, F.max_pool2d, F.max_pool3d)[self.ndim - 1]
        return function(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class MaxPool1d(_MaxPool):
    """Largest value in windows along the last dimension."""

    ndim = 1


class MaxPool2d(_MaxPool):
    """Largest value in windows over the last two dimensions."""

    ndim = 2


class MaxPool3d(_MaxPool):
    """Largest value in windows over the last three dimensions."""

    ndim = 3


class _MaxUnpool(Module):
    ndim: ClassVar[int]

    def __init__(self, kernel_size: Sizes, stride: Sizes | None = None, padding: Sizes = 0) -> None:
        super().__init__()
        self.kernel_size = repeated(kernel_size, self.ndim)
        self.stride = repeated(stride if stride is not None else kernel_size, self.ndim)
        self.padding = repeated(padding, self.ndim)

    def forward(self, input: Tensor, indices: Tensor, output_size: Sequence[int] | None = None) -> Tensor:
        function = (F.max_unpool1d, F.max_unpool2d, F.max_unpool3d)[self.ndim - 1]
        return function(input, indices, self.kernel_size, self.stride, self.padding, output_size)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxUnpool1d(_MaxUnpool):
    """Values put back to the places that MaxPool1d took them from."""

    ndim = 1


class MaxUnpool2d(_MaxUnpool):
    """Values put back to the places that MaxPool2d took them from."""

    ndim = 2


class MaxUnpool3d(_MaxUnpool):
    """Values put back to the places that MaxPool3d took them from."""

    ndim = 3


class AvgPool1d(Module):
    """Average in windows along the last dimension."""

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        super().__init__()
        one = [v[0] if isinstance(v, (tuple, list)) else v for v in (kernel_size, stride, padding)]
        self.kernel_size = (one[0],)
        self.stride = (one[0] if one[1] is None else one[1],)
        self.padding = (one[2],)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Tensor) -> Tensor:
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class _AvgPool(Module):
    ndim: ClassVar[int]

    def __init__(
        self,
        kernel_size: Sizes,
        stride: Sizes | None = None,
        padding: Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Tensor) -> Tensor:
        function = (F.avg_pool2d, F.avg_pool3d)[self.ndim - 2]
        return function(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.ceil_mode,
            self.count_include_pad,
            self.divisor_override,
        )

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool2d(_AvgPool):
    """Average in windows over the last two dimensions."""

    ndim = 2


class AvgPool3d(_AvgPool):
    """Average in windows over the last three dimensions."""

    ndim = 3


class _LPPool(Module):
    ndim: ClassVar[int]

    def __init__(
        self, norm_type: float, kernel_size: Sizes, stride: Sizes | None = None, ceil_mode: bool = False
    ) -> None:
        super().__init__()
        self.norm_type = norm_type
        self.kernel_size = kernel_size
        self.stride = stride
        self.ceil_mode = ceil_mode

    def forward(self, input: Tensor) -> Tensor:
        function = (F.lp_pool1d, F.lp_pool2d, F.lp_pool3d)[self.ndim - 1]
        return function(input, float(self.norm_type), self.kernel_size, self.stride, self.ceil_mode)

    def extra_repr(self) -> str:
        return (
            f"norm_type={self.norm_type}, kernel_size={self.kernel_size}, stride={self.stride}, "
            f"ceil_mode={self.ceil_mode}"
        )


class LPPool1d(_LPPool):
    """The p-norm of windows along the last dimension."""

    ndim = 1


class LPPool2d(_LPPool):
    """The p-norm of windows over the last two dimensions."""

    ndim = 2


class LPPool3d(_LPPool):
    """The p-norm of windows over the last three dimensions."""

    ndim = 3


class _AdaptivePool(Module):
    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(_AdaptivePool):
    """Average in as many windows as the output shall have entries."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(_AdaptivePool):
    """Average in as many windows as the output shall have entries, over two dimensions."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.output_size)


class AdaptiveAvgPool3d(_AdaptivePool):
    """Average in as many windows as the output shall have entries, over three dimensions."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool3d(input, self.output_size)


class _AdaptiveMaxPool(_AdaptivePool):
    def __init__(self, output_size: Any, return_indices: bool = False) -> None:
        super().__init__(output_size)
        self.return_indices = return_indices


class AdaptiveMaxPool1d(_AdaptiveMaxPool):
    """Largest value in as many windows as the output shall have entries."""

    def forward(self, input: Tensor) -> Any:
        return F.adaptive_max_pool1d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool2d(_AdaptiveMaxPool):
    """Largest value in as many windows as the output shall have entries, over two dimensions."""

    def forward(self, input: Tensor) -> Any:
        return F.adaptive_max_pool2d(input, self.output_size, self.return_indices)


class AdaptiveMaxPool3d(_AdaptiveMaxPool):
    """Largest value in as many windows as the output shall have entries, over three dimensions."""

    def forward(self, input: Tensor) -> Any:
        return F.adaptive_max_pool3d(input, self.output_size, self.return_indices)


class _FractionalMaxPool(Module):
    ndim: ClassVar[int]

    def __init__(
        self,
        kernel_size: Sizes,
        output_size: Sizes | None = None,
        output_ratio: float | Sequence[float] | None = None,
        return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> None:
        super().__init__()
        if self.ndim == 3 and min(repeated(kernel_size, 3)) <= 0:
            raise ValueError(f"kernel_size must be greater than 0, but got {kernel_size}")
        self.kernel_size = repeated(kernel_size, self.ndim)
        self.return_indices = return_indices
        self.register_buffer("_random_samples", _random_samples)
        self.output_size = repeated(output_size, self.ndim) if output_size is not None else None
        self.output_ratio: Any = repeated(output_ratio, self.ndim) if output_ratio is not None else None
        if output_size is None and output_ratio is None:
            raise ValueError(
                f"FractionalMaxPool{self.ndim}d requires specifying either an output size, or a pooling ratio"
            )
        if output_size is not None and output_ratio is not None:
            raise ValueError("only one of output_size and output_ratio may be specified")
        if self.output_ratio is not None and not all(0 < ratio < 1 for ratio in self.output_ratio):
            raise ValueError(f"output_ratio must be between 0 and 1 (got {output_ratio})")

    def forward(self, input: Tensor) -> Any:
        function = (F.fractional_max_pool2d, F.fractional_max_pool3d)[self.ndim - 2]
        return function(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


class FractionalMaxPool2d(_FractionalMaxPool):
    """Largest value in windows with steps drawn anew each time, over the last two dimensions."""

    ndim = 2


class FractionalMaxPool3d(_FractionalMaxPool):
    """Largest value in windows with steps drawn anew each time, over the last three dimensions."""

    ndim = 3
