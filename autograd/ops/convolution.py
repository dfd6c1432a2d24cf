"""Convolution in one, two and three dimensions.

It is linear in the input and in the weight. So three operations are closed under differentiation: the convolution
itself, its transpose in the input, and its transpose in the weight. Each rule names two of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..tensor import Tensor
from .arrangement import constant_pad_nd
from .masking import C_NAMES
from .namespaces import NEURAL, neural
from .table import FUNCTIONS, op
from .windows import Geometry, Sizes, convolve, convolve_input, convolve_weight, folded, unfolded


def sizes(value: Any, rank: int, name: str = "") -> Sizes:
    """One number a spatial dimension."""
    if isinstance(value, (int, np.integer)):
        return (int(value),) * rank
    listed = tuple(int(n) for n in value)
    if len(listed) == 1:
        return listed * rank
    if len(listed) != rank:
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {rank} values to match the convolution "
            f"dimensions, but got {name}={list(listed)}"
        )
    return listed


def _bias_sum(m: Any, g: Any) -> Any:
    return m.sum(g, (0, *range(2, len(g.shape))), False)


def _with_bias(value: Any, bias: Any) -> Any:
    return value if bias is None else value + np.reshape(bias, (1, -1) + (1,) * (value.ndim - 2))


def _first(m: Any, x: Any, shape: tuple[int, ...]) -> Any:
    """The leading part of x that has ``shape``: a larger output may leave room for windows that were not there."""
    for axis, n in enumerate(shape):
        if axis != 1 and x.shape[axis] != n:
            x = m.narrow(x, axis, 0, n)
    return x


def _multiply_adds(x: Any, weight: Any, *_: Any) -> int:
    return int(x.shape[0] * weight.size * math.prod(x.shape[2:]))


def _products(x: Any, weight: Any, *, result: Any) -> int:
    return int(result.shape[0] * weight.size * math.prod(result.shape[2:]))


convolution = op(
    "convolution", "ConvolutionBackward0",
    lambda input, weight, bias, geometry, groups: _with_bias(convolve(input, weight, geometry, groups), bias),
    inputs="input weight bias",
    vjp={
        "input": lambda g, m, weight, input_shape, geometry, groups: m.convolution_input(g, weight, None,
            input_shape[2:], geometry, groups),
        "weight": lambda g, m, input, geometry, groups: m.convolution_weight(input, g, geometry, groups),
        "bias": lambda g, m: _bias_sum(m, g),
    },
    local={"input": "g ⋆ᵀ {weight}", "weight": "{input} ⋆ g", "bias": "Σ g"}, symbol="{input} ⋆ {weight}",
    method=False, public=False,
    shown="conv", flops=_products,
)  # fmt: skip
transposed = op(
    "convolution_input", "ConvolutionBackward0",
    lambda input, weight, bias, size, geometry, groups: _with_bias(convolve_input(input, weight, size, geometry,
        groups), bias),
    inputs="input weight bias",
    vjp={
        "input": lambda g, m, weight, input_shape, geometry, groups: _first(m,
            m.convolution(g, weight, None, geometry, groups), input_shape),
        "weight": lambda g, m, input, geometry, groups: m.convolution_weight(g, input, geometry, groups),
        "bias": lambda g, m: _bias_sum(m, g),
    }, local={"input": "g ⋆ {weight}", "weight": "g ⋆ {input}"}, symbol="{input} ⋆ᵀ {weight}", method=False,
    public=False,
    shown="conv_transpose", flops=_multiply_adds,
)  # fmt: skip
weight_side = op(
    "convolution_weight", "ConvolutionBackward0",
    lambda input, grad, geometry, groups: convolve_weight(input, grad, geometry, groups), inputs="input grad",
    vjp={
        "input": lambda g, m, grad, input_shape, geometry, groups: m.convolution_input(grad, g, None, input_shape[2:],
            geometry, groups),
        "grad": lambda g, m, input, geometry, groups: m.convolution(input, g, None, geometry, groups),
    },
    jvp="bilinear", local={"input": "{grad} ⋆ᵀ g", "grad": "{input} ⋆ g"}, symbol="{input} ⋆ {grad}", method=False,
    public=False,
    shown="conv", flops=_multiply_adds,
)  # fmt: skip


def _same_types(input: Tensor, weight: Tensor, bias: Tensor | None) -> None:
    if bias is not None and input.dtype is not bias.dtype:
        words = [C_NAMES[x.dtype.name] for x in (input, bias)]
        raise RuntimeError(f"Input type ({words[0]}) and bias type ({words[1]}) should be the same")
    if input.dtype is not weight.dtype:
        word, other = input.dtype.word, weight.dtype.word
        raise RuntimeError(f"expected scalar type {word} but found {other}")


def _batched(name: str, rank: int, input: Tensor) -> tuple[Tensor, bool]:
    if input.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {name}, but got input of size: "
            f"{list(input.shape)}"
        )
    single = input.ndim == rank + 1
    return (input.unsqueeze(0) if single else input), single


def _check_weight(
    rank: int, input: Tensor, weight: Tensor, bias: Any, groups: int, padding: Sizes, dilation: Sizes
) -> None:
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if weight.shape[0] < groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got weight of size "
            f"{list(weight.shape)} instead"
        )
    if weight.shape[0] % groups:
        raise RuntimeError(
            f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but got weight of "
            f"size [{list(weight.shape)}] instead"
        )
    if input.shape[1] != weight.shape[1] * groups:
        raise RuntimeError(
            f"Given groups={groups}, weight of size {list(weight.shape)}, expected input{list(input.shape)} to have "
            f"{weight.shape[1] * groups} channels, but got {input.shape[1]} channels instead"
        )
    if bias is not None and (bias.ndim != 1 or bias.shape[0] != weight.shape[0]):
        raise RuntimeError(
            f"Given weight of size {list(weight.shape)}, expected bias to be 1-dimensional with {weight.shape[0]} "
            f"elements, but got bias of size {list(bias.shape)} instead"
        )
    extents = [d * (k - 1) + 1 for d, k in zip(dilation, weight.shape[2:], strict=True)]
    whole = [n + 2 * p for n, p in zip(input.shape[2:], padding, strict=True)]
    if any(n < k for n, k in zip(whole, extents, strict=True)):
        raise RuntimeError(
            f"Calculated padded input size per channel: ({' x '.join(map(str, whole))}). Kernel size: "
            f"({' x '.join(map(str, extents))}). Kernel size can't be greater than actual input size"
        )


def _conv(rank: int) -> Callable[..., Tensor]:
    def conv(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Tensor:
        """Cross-correlation of (N, C, *size) with kernels (O, C / groups, *kernel)."""
        batch, single = _batched(f"conv{rank}d", rank, input)
        if weight.ndim < 3:
            raise RuntimeError("weight should have at least three dimensions")
        stride, dilation = sizes(stride, rank, "stride"), sizes(dilation, rank, "dilation")
        if weight.ndim != rank + 2:
            raise RuntimeError(
                f"expected stride to be a single integer value or a list of {weight.ndim - 2} values to match the "
                f"convolution dimensions, but got stride={list(stride)}"
            )
        if any(s <= 0 for s in stride):
            raise RuntimeError("non-positive stride is not supported")
        if any(d <= 0 for d in dilation):
            listed = "" if any(d < 0 for d in dilation) else f", but got {list(dilation)}"
            raise RuntimeError(f"dilation should be greater than zero{listed}")
        if isinstance(padding, str):
            batch, padding = _named_padding(batch, weight, padding, stride, dilation)
        padding = sizes(padding, rank, "padding")
        if any(p < 0 for p in padding):
            raise RuntimeError("negative padding is not supported")
        _check_weight(rank, batch, weight, bias, groups, padding, dilation)
        _same_types(input, weight, bias)
        geometry = Geometry(tuple(weight.shape[2:]), stride, padding, dilation)
        result = convolution.function(batch, weight, bias, geometry, groups)
        return result.squeeze(0) if single else result  # type: ignore[no-any-return]

    conv.__name__ = f"conv{rank}d"
    return conv


def _named_padding(input: Tensor, weight: Tensor, name: str, stride: Sizes, dilation: Sizes) -> tuple[Tensor, Any]:
    if name == "valid":
        return input, 0
    if name != "same":
        raise RuntimeError(f"Invalid padding string: '{name}'")
    if any(s != 1 for s in stride):
        raise RuntimeError("padding='same' is not supported for strided convolutions")
    total = [d * (k - 1) for d, k in zip(dilation, weight.shape[2:], strict=True)]
    if any(n % 2 for n in total):  # PyTorch pads one more on the far side
        pads: list[int] = []
        for n in reversed(total):
            pads += [0, n % 2]
        input = constant_pad_nd.function(input, pads, 0)
    return input, tuple(n // 2 for n in total)


def _conv_transpose(rank: int) -> Callable[..., Tensor]:
    def conv_transpose(
        input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1, dilation: Any = 1,
    ) -> Tensor:  # fmt: skip
        """The transpose of convolution, which spreads (N, O, *) over a larger grid; weight (O, C / groups,
        *kernel).
        """
        batch, single = _batched(f"conv_transpose{rank}d", rank, input)
        stride, padding, dilation, extra = (sizes(v, rank) for v in (stride, padding, dilation, output_padding))
        if batch.shape[1] != weight.shape[0]:
            raise RuntimeError(
                f"Given transposed=1, weight of size {list(weight.shape)}, expected input{list(batch.shape)} to have "
                f"{weight.shape[0]} channels, but got {batch.shape[1]} channels instead"
            )
        _same_types(input, weight, bias)
        geometry = Geometry(tuple(weight.shape[2:]), stride, padding, dilation)
        size = tuple(
            (n - 1) * stride[a] - 2 * padding[a] + geometry.extent(a) + extra[a] for a, n in enumerate(batch.shape[2:])
        )
        result: Tensor = transposed.function(batch, weight, bias, size, geometry, groups)
        return result.squeeze(0) if single else result

    conv_transpose.__name__ = f"conv_transpose{rank}d"
    return conv_transpose


for _rank in (1, 2, 3):
    for _made in (_conv(_rank), _conv_transpose(_rank)):
        NEURAL[_made.__name__] = FUNCTIONS[_made.__name__] = _made
conv1d, conv2d, conv3d = NEURAL["conv1d"], NEURAL["conv2d"], NEURAL["conv3d"]

im2col = op(
    "im2col", "Im2ColBackward0", lambda input, geometry: unfolded(input, geometry), inputs="input",
    vjp={"input": lambda g, m, input_shape, geometry: m.col2im(g, input_shape[2:], geometry)}, jvp="linear",
    rule={"input": "Σ g over the windows"}, symbol="unfold({input})", method=False, public=False, shown="unfold",
)  # fmt: skip
col2im = op(
    "col2im", "Col2ImBackward0", lambda input, size, geometry: folded(input, size, geometry), inputs="input",
    vjp={"input": lambda g, m, geometry: m.im2col(g, geometry)}, jvp="linear",
    rule={"input": "the windows of g"}, symbol="fold({input})", method=False, public=False, shown="fold",
)  # fmt: skip


def _window_geometry(kernel_size: Any, dilation: Any, padding: Any, stride: Any) -> Geometry:
    return Geometry(sizes(kernel_size, 2), sizes(stride, 2), sizes(padding, 2), sizes(dilation, 2))


@neural
def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The windows of an image as columns: (N, C, H, W) to (N, C·k², L)."""
    batch, single = _batched("unfold", 2, input)
    geometry = _window_geometry(kernel_size, dilation, padding, stride)
    if any(n <= 0 for n in geometry.output(tuple(batch.shape[2:]))):
        raise RuntimeError(
            f"Given input with spatial size {tuple(batch.shape[2:])}, the calculated shape of the array of sliding "
            "blocks is too small (non-positive)"
        )
    result = im2col.function(batch, geometry)
    return result.squeeze(0) if single else result  # type: ignore[no-any-return]


@neural
def fold(
    input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1
) -> Tensor:
    """Adds columns back into an image: the transpose of :func:`unfold`."""
    single = input.ndim == 2
    batch = input.unsqueeze(0) if single else input
    geometry = _window_geometry(kernel_size, dilation, padding, stride)
    size = sizes(output_size, 2)
    if batch.shape[1] % math.prod(geometry.kernel):
        raise RuntimeError(
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            f"input.size(1)={batch.shape[1]} and kernel_size={geometry.kernel}."
        )
    if batch.shape[2] != math.prod(geometry.output(size)):
        raise RuntimeError(
            f"Given output_size={size}, kernel_size={geometry.kernel}, dilation={geometry.dilation}, "
            f"padding={geometry.padding}, stride={geometry.stride}, expected size of input's dimension 2 to match the "
            f"calculated number of sliding blocks {' * '.join(map(str, geometry.output(size)))} = "
            f"{math.prod(geometry.output(size))}, but got input.size(2)={batch.shape[2]}."
        )
    result = col2im.function(batch, size, geometry)
    return result.squeeze(0) if single else result  # type: ignore[no-any-return]
