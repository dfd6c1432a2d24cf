"""Initial values for parameters, in place and outside of what is recorded.

Random values come from the engine's seeded generator: PyTorch's distributions, not its stream of numbers.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from autograd.nn.writing import fill, memory, wrote
from autograd.random import Generator, numpy_generator
from autograd.tensor import Tensor

__all__ = [
    "calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_", "kaiming_normal", "kaiming_normal_",
    "kaiming_uniform", "kaiming_uniform_", "normal", "normal_", "ones_", "orthogonal", "orthogonal_", "sparse",
    "sparse_", "trunc_normal_", "uniform", "uniform_", "xavier_normal", "xavier_normal_", "xavier_uniform",
    "xavier_uniform_", "zeros_",
]  # fmt: skip

_LINEAR = ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d")


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """By what to scale weights so that the activation after them keeps the variance. Raises ValueError if unknown."""
    if nonlinearity in _LINEAR or nonlinearity == "sigmoid":
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        if isinstance(slope, bool) or not isinstance(slope, (int, float)):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Uniform between ``a`` and ``b``."""
    fill(tensor, numpy_generator(generator).uniform(a, b, tensor.shape))
    return tensor


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normal with ``mean`` and ``std``."""
    fill(tensor, numpy_generator(generator).normal(mean, std, tensor.shape))
    return tensor


def trunc_normal_(
    tensor: Tensor,
    mean: float = 0.0,
    std: float = 1.0,
    a: float = -2.0,
    b: float = 2.0,
    generator: Generator | None = None,
) -> Tensor:
    """Normal, with values outside ``a`` to ``b`` drawn again."""
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn(
            "mean is more than 2 std from [a, b] in nn.init.trunc_normal_. "
            "The distribution of values may be incorrect.",
            stacklevel=2,
        )
    source = numpy_generator(generator)
    values = np.asarray(source.normal(mean, std, tensor.shape))
    for _ in range(10_000):
        outside = (values < a) | (values > b)
        if not outside.any():
            break
        values[outside] = source.normal(mean, std, int(outside.sum()))
    fill(tensor, np.clip(values, a, b))
    return tensor


def constant_(tensor: Tensor, val: float) -> Tensor:
    """``val`` everywhere."""
    fill(tensor, val)
    return tensor


def ones_(tensor: Tensor) -> Tensor:
    """1 everywhere."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """0 everywhere."""
    return constant_(tensor, 0.0)


def eye_(tensor: Tensor) -> Tensor:
    """The identity. Raises ValueError unless there are two dimensions."""
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    fill(tensor, np.eye(*tensor.shape))
    return tensor


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """The convolution that changes nothing. Raises ValueError unless there are three to five dimensions."""
    if tensor.dim() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if tensor.shape[0] % groups != 0:
        raise ValueError("dim 0 must be divisible by groups")
    array = memory(tensor)
    array[...] = 0
    middle = tuple(n // 2 for n in array.shape[2:])
    outputs = array.shape[0] // groups
    for group in range(groups):
        for channel in range(min(outputs, array.shape[1])):
            array[(group * outputs + channel, channel, *middle)] = 1
    wrote(tensor)
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs feed one output and how many outputs one input feeds. Raises ValueError below two dimensions."""
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(tensor.shape[2:])
    return tensor.shape[1] * field, tensor.shape[0] * field


def _fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    valid = ["fan_in", "fan_out"]
    if mode not in valid:
        raise ValueError(f"Mode {mode} not supported, please use one of {valid}")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Glorot: uniform with variance gain^2 * 2 / (fan_in + fan_out)."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / float(fan_in + fan_out))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Glorot: normal with variance gain^2 * 2 / (fan_in + fan_out)."""
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / float(fan_in + fan_out)), generator)


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """He: uniform with variance gain^2 / fan, gain from ``nonlinearity`` (``a`` is the slope of a leaky relu)."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    bound = math.sqrt(3.0) * calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """He: normal with variance gain^2 / fan, gain from ``nonlinearity`` (``a`` is the slope of a leaky relu)."""
    if 0 in tensor.shape:
        warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=2)
        return tensor
    return normal_(tensor, 0.0, calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode)), generator)


def orthogonal_(tensor: Tensor, gain: float = 1, generator: Generator | None = None) -> Tensor:
    """A random (semi-)orthogonal matrix times ``gain``; dimensions after the first count as one.

    Raises ValueError below two dimensions.
    """
    if tensor.dim() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if tensor.array.size == 0:
        return tensor
    rows = tensor.shape[0]
    columns = tensor.array.size // rows
    flat = numpy_generator(generator).normal(0, 1, (rows, columns))
    q, r = np.linalg.qr(flat.T if rows < columns else flat)
    q = q * np.sign(np.diag(r))  # makes the distribution uniform over all orthogonal matrices
    fill(tensor, gain * (q.T if rows < columns else q).reshape(tensor.shape))
    return tensor


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Generator | None = None) -> Tensor:
    """Normal with ``std``, and in each column the share ``sparsity`` of entries set to 0."""
    if tensor.dim() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    source = numpy_generator(generator)
    values = np.asarray(source.normal(0, std, tensor.shape))
    zeros = math.ceil(sparsity * tensor.shape[0])
    for column in range(tensor.shape[1]):
        values[source.permutation(tensor.shape[0])[:zeros], column] = 0
    fill(tensor, values)
    return tensor


def _old(name: str) -> Any:
    """The name before PyTorch 0.4, without the underscore, with its warning."""
    function = globals()[name + "_"]

    def deprecated(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    deprecated.__name__ = name
    deprecated.__doc__ = f"The old name of :func:`{name}_`."
    return deprecated


uniform = _old("uniform")
normal = _old("normal")
constant = _old("constant")
eye = _old("eye")
dirac = _old("dirac")
xavier_uniform = _old("xavier_uniform")
xavier_normal = _old("xavier_normal")
kaiming_uniform = _old("kaiming_uniform")
kaiming_normal = _old("kaiming_normal")
orthogonal = _old("orthogonal")
sparse = _old("sparse")
