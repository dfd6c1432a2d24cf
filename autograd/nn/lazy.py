"""Layers that learn their input size from the first batch, and become the ordinary layers then."""

from __future__ import annotations

from typing import Any, NoReturn, Self

import numpy as np

from autograd.device import device as Device
from autograd.dispatch import make
from autograd.dtypes import get_default_dtype, to_dtype
from autograd.nn.batchnorm import BatchNorm1d, BatchNorm2d, _BatchNorm
from autograd.nn.conv import Conv1d, Conv2d, Sizes, _Conv
from autograd.nn.linear import Linear
from autograd.nn.module import Module
from autograd.nn.parameter import Parameter, zeros
from autograd.tensor import Size, Tensor, meta_for


class UninitializedParameter(Parameter):
    """A parameter whose shape is not known yet; it keeps its identity when it gets one.

    Raises RuntimeError when its shape is asked for before.
    """

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Self:
        if device is not None:
            Device(device)
        kind = get_default_dtype() if dtype is None else to_dtype(dtype)
        parameter: Any = make(np.empty(0, kind.numpy), cls)
        meta_for(parameter).requires_grad = requires_grad
        made: Self = parameter
        return made

    @property
    def shape(self) -> Size:
        """There is none yet: raises RuntimeError."""
        _no_shape()

    def materialize(self, shape: tuple[int, ...]) -> None:
        """Be an ordinary parameter of this ``shape`` from here on."""
        self.array = np.zeros(shape, self.array.dtype)
        self.__class__ = Parameter  # type: ignore[assignment]

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        copy: Self = memo.setdefault(id(self), type(self)(self.requires_grad, dtype=self.dtype))
        return copy

    def __repr__(self) -> str:  # type: ignore[override]
        return f"<{type(self).__name__}>"

    __str__ = __repr__  # type: ignore[assignment]


def _no_shape() -> NoReturn:
    raise RuntimeError(
        "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
        "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` to "
        "initialize the parameters before accessing their attributes."
    )


def is_lazy(param: Any) -> bool:
    """Has ``param`` still no shape?"""
    return isinstance(param, UninitializedParameter)


def _settle(module: Any, becomes: type[Module], input: Tensor) -> Any:
    """Turn ``module`` into an ordinary ``becomes`` now that its parameters have shapes, and run it."""
    module.reset_parameters()
    module.__class__ = becomes
    return module.forward(input)


class LazyLinear(Linear):
    """Linear whose in_features is that of its first input."""

    weight: Parameter
    bias: Parameter | None

    def __init__(self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None) -> None:
        Module.__init__(self)
        self.in_features = 0
        self.out_features = out_features
        self.weight = UninitializedParameter(True, device, dtype)
        if bias:
            self.bias = UninitializedParameter(True, device, dtype)
        else:
            self.register_parameter("bias", None)

    def forward(self, input: Tensor) -> Tensor:
        self.in_features = input.shape[-1]
        if isinstance(self.weight, UninitializedParameter):
            self.weight.materialize((self.out_features, self.in_features))
        if isinstance(self.bias, UninitializedParameter):
            self.bias.materialize((self.out_features,))
        out: Tensor = _settle(self, Linear, input)
        return out


class _LazyConv(_Conv):
    becomes: type[_Conv]

    def __init__(
        self,
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
        super().__init__(
            groups, out_channels, kernel_size, stride, padding, dilation, groups, bias, padding_mode, device, dtype
        )
        self.in_channels = 0
        self.weight = UninitializedParameter(True, device, dtype)
        if bias:
            self.bias = UninitializedParameter(True, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        self.in_channels = input.shape[-self.ndim - 1]
        if isinstance(self.weight, UninitializedParameter):
            self.weight.materialize((self.out_channels, self.in_channels // self.groups, *self.kernel_size))
        if isinstance(self.bias, UninitializedParameter):
            self.bias.materialize((self.out_channels,))
        out: Tensor = _settle(self, self.becomes, input)
        return out


class LazyConv1d(_LazyConv):
    """Conv1d whose in_channels is that of its first input."""

    ndim = 1
    becomes = Conv1d


class LazyConv2d(_LazyConv):
    """Conv2d whose in_channels is that of its first input."""

    ndim = 2
    becomes = Conv2d


class _LazyBatchNorm(_BatchNorm):
    becomes: type[_BatchNorm]

    def __init__(
        self,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: Any = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(0, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        if affine:
            self.weight = UninitializedParameter(True, device, dtype)
        if affine and bias:
            self.bias = UninitializedParameter(True, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        self.num_features = input.shape[1]
        for param in (self.weight, self.bias):
            if isinstance(param, UninitializedParameter):
                param.materialize((self.num_features,))
        for name in ("running_mean", "running_var"):
            buffer = self._buffers[name]
            if buffer is not None:
                self._buffers[name] = zeros((self.num_features,), buffer.dtype)
        out: Tensor = _settle(self, self.becomes, input)
        return out


class LazyBatchNorm1d(_LazyBatchNorm):
    """BatchNorm1d whose num_features is that of its first input."""

    becomes = BatchNorm1d


class LazyBatchNorm2d(_LazyBatchNorm):
    """BatchNorm2d whose num_features is that of its first input."""

    becomes = BatchNorm2d
