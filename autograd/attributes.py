"""What can be asked of a tensor besides its numbers: size, strides, type, identity; and tensors made in its
likeness.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import creation, dtypes, formats
from .dtypes import dtype
from .errors import argument_of
from .ops.table import FUNCTIONS, METHODS
from .placement import placed
from .tensor import Size, Tensor


def size(self: Tensor, dim: int | None = None) -> Any:
    """The shape, or the extent of one dimension."""
    if dim is None:
        return self.shape
    from .ops.shaping import axis_of

    if not isinstance(dim, (int, np.integer)):
        raise TypeError(f"size(): argument 'dim' (position 1) must be int, not {type(dim).__name__}")
    if self.ndim == 0:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return self.shape[axis_of(dim, self.ndim)]


def numel(input: Tensor) -> int:
    """The number of entries."""
    if not isinstance(input, Tensor):
        raise argument_of("numel", "input", 1, input)
    return int(input.array.size)


def stride(self: Tensor, dim: int | None = None) -> Any:
    """How many entries lie between neighbours of each dimension in memory (or of one dimension)."""
    array = self.array
    steps = tuple(s // array.itemsize for s in array.strides) if isinstance(array, np.ndarray) else ()
    return steps if dim is None else steps[dim]


def storage_offset(self: Tensor) -> int:
    """How many entries into its storage the tensor begins."""
    base = self._base
    if base is None:
        return 0 if self._meta is None else self._meta.offset
    return int(storage_offset(base) + (data_ptr(self) - data_ptr(base)) // self.array.itemsize)


def data_ptr(self: Tensor) -> int:
    """The address of the first entry; equal for tensors that begin at the same place in memory."""
    array = self.array
    return int(array.__array_interface__["data"][0]) if isinstance(array, np.ndarray) else id(array)


def is_floating_point(input: Tensor) -> bool:
    """Whether the type is a float type."""
    return bool(input.array.dtype.kind == "f")


def is_nonzero(input: Tensor) -> bool:
    """Whether the only entry is not zero."""
    if input.array.size != 1:
        raise RuntimeError(
            f"Boolean value of Tensor with {'more than one' if input.array.size else 'no'} value is ambiguous"
        )
    return bool(input.array.item())


def type_(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """The name of the tensor's type (``torch.FloatTensor``), or the tensor cast to another."""
    if dtype is None:
        return self.dtype.tensor_type
    if isinstance(dtype, str):
        for kind in dtypes.ALL:
            if kind.tensor_type == dtype:
                return self.to(kind)
        raise ValueError(f"invalid type: '{dtype}'")
    if isinstance(dtype, type) and hasattr(dtype, "kind"):  # torch.LongTensor and the like
        return self.to(dtype.kind)
    return self.to(dtype)


def is_same_size(self: Tensor, other: Tensor) -> bool:
    """Whether the shapes are equal."""
    return bool(self.array.shape == other.array.shape)


def is_set_to(self: Tensor, tensor: Tensor) -> bool:
    """Whether both are the same part of the same memory."""
    return data_ptr(self) == data_ptr(tensor) and self.array.shape == tensor.array.shape


def new(self: Tensor, *args: Any) -> Tensor:
    """The oldest way to a new tensor of the same type: from a list, or uninitialised from sizes."""
    if len(args) == 1 and not isinstance(args[0], (int, Size)):
        return creation.tensor(args[0], dtype=self.dtype)
    return creation.empty(*(args or (0,)), dtype=self.dtype)


def new_tensor(
    self: Tensor, data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """A new leaf with ``data``, of the same type as ``self``."""
    return creation.tensor(data, dtype=dtype or self.dtype, device=device, requires_grad=requires_grad)


@placed
def new_zeros(self: Tensor, *size: Any, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Zeros of another shape and the same type."""
    return creation.zeros(*size, dtype=dtype or self.dtype, requires_grad=requires_grad, **_)


@placed
def new_ones(self: Tensor, *size: Any, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Ones of another shape and the same type."""
    return creation.ones(*size, dtype=dtype or self.dtype, requires_grad=requires_grad, **_)


@placed
def new_full(
    self: Tensor, size: Any, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False, **_: Any
) -> Tensor:
    """``fill_value`` in another shape and the same type."""
    return creation.full(size, fill_value, dtype=dtype or self.dtype, requires_grad=requires_grad)


def is_tensor(obj: Any) -> bool:
    """Whether ``obj`` is a tensor."""
    return isinstance(obj, Tensor)


def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """The type that an operation on the two would compute in."""
    return dtypes.result_type([x.array if isinstance(x, Tensor) else x for x in (tensor1, tensor2)])


def can_cast(from_: dtype, to: dtype) -> bool:
    """Whether a result of type ``from_`` may be written in place into one of type ``to``."""
    return dtypes.can_cast(from_, to)


def apply_(self: Tensor, callable: Any) -> Tensor:
    """Replaces every entry by what ``callable`` makes of it; not recorded, so RuntimeError if ``self`` requires
    grad.
    """
    from .inplace import written

    if self.requires_grad:
        raise RuntimeError("Can't call apply_() on Variable that requires grad. Use var.detach().apply_() instead.")
    written(self)
    flat = [callable(v) for v in self.array.ravel().tolist()]
    self.array[...] = np.array(flat, self.array.dtype).reshape(self.array.shape)
    return self


def map_(self: Tensor, tensor: Tensor, callable: Any) -> Tensor:
    """Replaces every entry by ``callable`` of it and of the entry of ``tensor`` there, in place."""
    others = iter(np.broadcast_to(tensor.array, self.array.shape).ravel().tolist())
    return apply_(self, lambda value: callable(value, next(others)))


for _function in (
    size, numel, stride, storage_offset, data_ptr, is_floating_point, is_nonzero, is_same_size, is_set_to, new,
    new_tensor, new_zeros, new_ones, new_full, apply_, map_,
):  # fmt: skip
    METHODS[_function.__name__] = _function
METHODS["type"] = type_
METHODS["nelement"] = numel
METHODS["new_empty"] = new_zeros
METHODS["dim"] = METHODS["ndimension"] = lambda self: self.array.ndim
METHODS["element_size"] = lambda self: self.array.itemsize
METHODS["get_device"] = lambda self: -1
METHODS["is_complex"] = lambda self: False
METHODS["is_signed"] = lambda self: self.dtype.is_signed
METHODS["is_pinned"] = lambda self: False
METHODS["untyped_storage"] = lambda self: Memory(self)
METHODS["storage"] = METHODS["untyped_storage"]


class Memory:
    """The memory behind a tensor, for comparing addresses and counting bytes."""

    def __init__(self, tensor: Tensor) -> None:
        array = tensor.array
        while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
            array = array.base
        self._array = array

    def data_ptr(self) -> int:
        """The address of the memory."""
        array = self._array
        return int(array.__array_interface__["data"][0]) if isinstance(array, np.ndarray) else id(array)

    def nbytes(self) -> int:
        """The number of bytes."""
        return int(self._array.nbytes)

    def size(self) -> int:
        """The number of entries."""
        return int(self._array.size)

    __len__ = size


def _property(name: str, get: Any) -> None:
    METHODS[name] = property(get)  # type: ignore[assignment]


_property("itemsize", lambda self: self.array.itemsize)
_property("nbytes", lambda self: self.array.nbytes)
_property("is_cuda", lambda self: False)
_property("is_mps", lambda self: False)
_property("is_sparse", lambda self: False)
_property("is_quantized", lambda self: False)
_property("is_meta", lambda self: False)
_property("is_cpu", lambda self: True)
_property("layout", lambda self: formats.strided)
_property("names", lambda self: (None,) * self.array.ndim)
_property("real", lambda self: self)

for _public in (numel, is_floating_point, is_nonzero, is_tensor, result_type, can_cast):
    FUNCTIONS[_public.__name__] = _public
FUNCTIONS["promote_types"] = dtypes.promote_types
FUNCTIONS["is_complex"] = lambda input: False
FUNCTIONS["is_storage"] = lambda obj: isinstance(obj, Memory)
