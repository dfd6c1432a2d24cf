"""Casting to another type, and filling memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..device import device
from ..dtypes import bool_ as boolean
from ..dtypes import dtype as DType
from ..dtypes import float16, float32, float64, int8, int16, int32, int64, to_dtype, uint8
from ..placement import combined
from ..tensor import Tensor
from . import generate
from .table import FUNCTIONS, METHODS, arrays, composite, op, tensors

cast = op(
    "_to_copy", "ToCopyBackward0",
    lambda input, dtype: np.asarray(input).astype(dtype.numpy),
    vjp={"input": lambda g: g}, jvp="linear", local={"input": "1"}, symbol="{input}.to({dtype})", method=False,
    public=False, shown="to",
)  # fmt: skip


@combined
def to(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, copy: bool = False, **_: Any) -> Tensor:
    """``self`` in another type (or itself if it has that type already). The device can only be the CPU."""
    for argument in args:
        if isinstance(argument, Tensor):
            dtype = argument.dtype
        elif isinstance(argument, DType) or argument in (float, int, bool):
            dtype = argument
        elif isinstance(argument, bool):
            continue
        else:
            device = argument
    if device is not None:
        _device(device)
    wanted = self.dtype if dtype is None else to_dtype(dtype)
    if wanted is self.dtype:
        return self.clone() if copy else self
    return cast.function(self, wanted)  # type: ignore[no-any-return]


_device = device
composite("to", to, array=lambda array, dtype: array.astype(dtype.numpy), public=False)
for _name, _kind in {
    "float": float32, "double": float64, "half": float16, "long": int64, "int": int32, "short": int16, "char": int8,
    "byte": uint8, "bool": boolean,
}.items():  # fmt: skip
    composite(_name, lambda self, memory_format=None, *, kind=_kind: to(self, kind), public=False)
composite("type_as", lambda self, other: to(self, other.dtype), public=False)
composite("cpu", lambda self: self, public=False)


def cuda(self: Tensor, device: Any = None) -> Tensor:
    """AssertionError, as in PyTorch's build without GPU."""
    raise AssertionError("Torch not compiled with CUDA enabled: this engine runs on the CPU; leave .cuda() out")


composite("cuda", cuda, public=False)


def _fill(input: Any, value: Any) -> Any:
    if np.ndim(value):
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {np.ndim(value)} dimensions."
        )
    return np.full(np.shape(input), value, input.dtype)


fill = op(
    "fill", "FillBackward0 FillBackward1 FillBackward2 FillBackward3",
    _fill, inputs="input value", vjp={"input": lambda g, m: m.zeros_like(g), "value": lambda g: g},
    local={"input": "0", "value": "1"}, rule={"input": "0", "value": "Σ g"}, symbol="{value}", inplace=True,
    variant=lambda inputs, params: int(isinstance(inputs[1], Tensor)), in_place_nodes=2,
)  # fmt: skip

zero = op(
    "zero", "ZeroBackward0",
    lambda input: np.zeros_like(input),
    vjp={"input": lambda g, m: m.zeros_like(g)}, local={"input": "0"}, rule={"input": "0"}, symbol="0", inplace=True,
    method=False,
    public=False,
)  # fmt: skip
METHODS["zero_"] = FUNCTIONS["zero_"] = generate.in_place(zero)
from .shaping import copy as _copy  # noqa: E402

METHODS["copy_"] = generate.in_place(_copy)


def _arrays_zeros(shape: Any, like: Any = None) -> Any:
    return np.zeros(shape, None if like is None else like.dtype)


arrays.zeros = _arrays_zeros
arrays.zeros_like, arrays.ones_like = np.zeros_like, np.ones_like


def _tensors_zeros(shape: Any, like: Any = None) -> Any:
    from ..creation import zeros

    return zeros(shape, dtype=None if like is None else like.dtype)


def _zeros_like(x: Any) -> Any:
    from ..creation import zeros_like

    return zeros_like(x)


def _ones_like(x: Any) -> Any:
    from ..creation import ones_like

    return ones_like(x)


def _as_tensor(array: Any) -> Tensor:
    from ..dispatch import make

    return make(array)


tensors.zeros, tensors.zeros_like, tensors.ones_like = _tensors_zeros, _zeros_like, _ones_like
arrays.asarray, tensors.asarray = np.asarray, _as_tensor
arrays.eye = lambda n, like: np.eye(n, dtype=like.dtype)
tensors.eye = lambda n, like: _as_tensor(np.eye(n, dtype=like.array.dtype))
