"""Parameter: a leaf tensor that a module trains. Buffer: a tensor that a module keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self, cast

import numpy as np

from autograd import errors
from autograd.device import device as Device
from autograd.dispatch import make, storage_of
from autograd.dtypes import dtype as DType
from autograd.dtypes import get_default_dtype, to_dtype
from autograd.mode import modes, switch
from autograd.tensor import Tensor, meta_for

if TYPE_CHECKING:
    from autograd.record import Recorder


class Parameter(Tensor):
    """A leaf tensor that registers itself as a parameter when it is assigned to an attribute of a module.

    It shares the memory of ``data`` (None: empty) and requires a gradient unless told otherwise, also under no_grad.
    Raises RuntimeError when a gradient is wanted of integers.
    """

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Self:
        parameter: Self = _sharing(cls, data)
        if requires_grad:
            if parameter.array.dtype.kind != "f":
                raise RuntimeError(errors.REQUIRES_GRAD_DTYPE)
            meta_for(parameter).requires_grad = True
        if switch.special and modes.recorder is not None:
            _tell(modes.recorder, parameter, data)
        return parameter

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        if id(self) not in memo:
            copy = make(np.array(self.array), type(self))
            meta_for(copy).requires_grad = self.requires_grad
            memo[id(self)] = copy
        copied: Self = memo[id(self)]
        return copied


class Buffer(Tensor):
    """A tensor that registers itself as a buffer when it is assigned to an attribute of a module."""

    persistent: bool

    def __new__(cls, data: Tensor | None = None, *, persistent: bool = True) -> Self:
        buffer: Self = _sharing(cls, data)
        buffer.persistent = persistent
        return buffer


def _tell(recorder: Recorder, parameter: Tensor, data: Tensor | None) -> None:
    """Enter a parameter in a trace: as what ``nn.Parameter(torch.randn(3))`` made a moment ago, or of its own."""
    last = len(recorder.entries) - 1
    marked: Any = parameter
    latest: Any = recorder.entries[last] if recorder.entries else None
    if data is not None and recorder.index_if_known(data) == last and latest.kind == "constant":
        marked._trace = data._trace
        recorder.leaf(parameter)
    else:
        recorder.created(parameter, data)


def _sharing(cls: Any, data: Any) -> Any:
    """A ``cls`` over the memory of ``data``, without history."""
    if data is None:
        return make(np.empty(0, get_default_dtype().numpy), cls)
    if not isinstance(data, Tensor):
        kind = "numpy.ndarray" if isinstance(data, np.ndarray) else type(data).__name__
        raise AttributeError(f"'{kind}' object has no attribute 'detach'")
    storage = storage_of(data)
    out = make(data.array, cls)
    out._storage = storage
    return out


def new_parameter(
    shape: tuple[int, ...], dtype: Any = None, device: Any = None, requires_grad: bool = True
) -> Parameter:
    """A parameter of a module, zero until it is initialised; a trace meets it when it is first used."""
    parameter = cast(Parameter, make(zeros(shape, dtype, device).array, Parameter))
    meta_for(parameter).requires_grad = requires_grad
    return parameter


def new_buffer(shape: tuple[int, ...], dtype: Any = None, device: Any = None) -> Tensor:
    """A buffer of a module, zero until it is initialised."""
    return zeros(shape, dtype, device)


def zeros(shape: tuple[int, ...], dtype: DType | Any = None, device: Any = None) -> Tensor:
    """Zeros without a word to a trace."""
    if device is not None:
        Device(device)
    for place, size in enumerate(shape):
        if isinstance(size, bool) or not hasattr(size, "__index__"):
            raise TypeError(
                f"empty(): argument 'size' failed to unpack the object at pos {place + 1} with error "
                f'"type must be tuple of ints,but got {type(size).__name__}"'
            )
        if size < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {size}: {list(shape)}")
    kind = get_default_dtype() if dtype is None else to_dtype(dtype)
    return make(np.zeros(shape, kind.numpy))
