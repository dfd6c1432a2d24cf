"""Making tensors from numbers, lists, arrays and shapes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import errors
from .device import device as Device
from .dispatch import make, storage_of
from .dtypes import ALL, OF_NUMPY, get_default_dtype, int64, to_dtype
from .mode import modes, switch
from .placement import combined, named, placed
from .tensor import Tensor, meta_for
from .warn import once, scalar_conversion


def _finish(array: Any, requires_grad: bool, device: Any = None, source: Any = None) -> Tensor:
    """A tensor the user made, around ``array``, which must be its own."""
    if not isinstance(requires_grad, bool):
        raise TypeError(f"argument 'requires_grad' must be bool, not {type(requires_grad).__name__}")
    if device is not None:
        Device(device)
    if isinstance(array, np.ndarray) and array.ndim == 0:
        array = array[()]
    t = make(array)
    if requires_grad:
        if array.dtype.kind != "f":
            raise RuntimeError(errors.REQUIRES_GRAD_DTYPE)
        meta_for(t).requires_grad = True
    if switch.special and modes.recorder is not None:
        modes.recorder.created(t, source)
    return t


def _python_array(data: Any, wanted: Any = None) -> Any:
    """The array for (nested lists of) numbers or tensors, with the type PyTorch infers.

    When the caller is going to cast to ``wanted``, Python floats are read in that precision: a float64 that is asked
    for must not pass through float32.
    """
    floating = wanted if wanted is not None and wanted.kind == "f" else None
    if isinstance(data, Tensor):
        return np.array(data.array)
    if isinstance(data, (np.ndarray, np.generic)):
        return np.array(_usable(np.asarray(data)))
    if isinstance(data, bool):
        return np.array(data)
    if isinstance(data, int):
        return _integers(data)
    if isinstance(data, float):
        return np.array(data, floating or get_default_dtype().numpy)
    if isinstance(data, (list, tuple, range)):
        return _list_array(data, floating)
    if hasattr(data, "__array__"):
        return np.array(data.__array__())
    if isinstance(data, bytes):
        raise TypeError("new(): invalid data type 'bytes'")
    if hasattr(data, "__len__") and hasattr(data, "__getitem__") and not isinstance(data, dict):
        return _list_array(list(data), floating)
    raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")


def _shape_of(data: Any) -> tuple[int, ...]:
    shape: list[int] = []
    while isinstance(data, (list, tuple, range)) or (isinstance(data, np.ndarray) and data.ndim):
        shape.append(len(data))
        if not len(data):
            break
        data = data[0]
    return tuple(shape)


def _flatten(data: Any, shape: tuple[int, ...], depth: int, out: list[Any]) -> None:
    """Appends the numbers of nested lists to ``out``; ValueError where a list has another length than its siblings."""
    if depth == len(shape):
        if isinstance(data, (list, tuple)):
            raise TypeError(f"'{type(data).__name__}' object cannot be interpreted as an integer")
        if isinstance(data, Tensor):
            if data.array.size != 1:
                raise ValueError("only one element tensors can be converted to Python scalars")
            if data.requires_grad:
                scalar_conversion()
        out.append(data.item() if isinstance(data, (Tensor, np.generic, np.ndarray)) else data)
        return
    if not isinstance(data, (list, tuple, range, np.ndarray)):
        raise TypeError("not a sequence")
    if len(data) != shape[depth]:
        raise ValueError(f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})")
    for each in data:
        _flatten(each, shape, depth + 1, out)


def _list_array(data: Any, floating: Any) -> Any:
    shape = _shape_of(data)
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], np.ndarray):
        once(
            "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider converting the list to "
            "a single numpy.ndarray with numpy.array() before converting to a tensor. (Triggered internally at "
            "/__w/pytorch/pytorch/torch/csrc/utils/tensor_new.cpp:256.)"
        )
    out: list[Any] = []
    _flatten(data, shape, 0, out)
    kinds = {type(x) for x in out}
    for kind in kinds:
        if kind is str or not issubclass(kind, (bool, int, float, np.generic)):
            if issubclass(kind, str):
                raise TypeError("new(): invalid data type 'str'")
            raise RuntimeError(f"Could not infer dtype of {kind.__name__}")
    inner = _first(data)
    if float in kinds and floating is not None:
        wanted = floating
    elif float in kinds:
        wanted = inner.dtype if isinstance(inner, (Tensor, np.generic, np.ndarray)) else get_default_dtype()
        wanted = to_dtype(wanted).numpy
    elif kinds and kinds <= {bool}:
        wanted = np.dtype(bool)
    elif not kinds:
        wanted = get_default_dtype().numpy
    else:
        wanted = inner.array.dtype if isinstance(inner, Tensor) else np.dtype(np.int64)
    return (_integers(out) if wanted == np.int64 else np.array(out, wanted)).reshape(shape)


def _first(data: Any) -> Any:
    while isinstance(data, (list, tuple)) and len(data):
        data = data[0]
    return data


def _integers(data: Any) -> Any:
    try:
        return np.array(data, np.int64)
    except OverflowError:
        raise ValueError("Overflow when unpacking long long") from None


def _fits(array: Any, kind: Any) -> None:
    """RuntimeError if a number is too large for the integer type ``kind``; an unsigned one takes -1 as its largest."""
    limits = np.iinfo(kind)
    low = -limits.max if kind.kind == "u" else limits.min
    if array.size and not bool(((array >= low) & (array <= limits.max)).all()):
        raise RuntimeError(f"value cannot be converted to type {kind.name} without overflow")


def tensor(data: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """A new leaf with a copy of ``data``: a number, nested lists, an array or a tensor."""
    if isinstance(data, Tensor):
        import warnings

        warnings.warn(
            "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
            "sourceTensor.detach().clone().requires_grad_(True), rather than torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
    if requires_grad.__class__ is not bool:
        raise TypeError(f"tensor(): argument 'requires_grad' must be bool, not {type(requires_grad).__name__}")
    if isinstance(dtype, (str, type)) and dtype not in (float, int, bool):
        raise TypeError(f"tensor(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")
    wanted = None if dtype is None else to_dtype(dtype).numpy
    array = _python_array(data, wanted)
    if wanted is not None:
        if wanted.kind in "iu" and not isinstance(data, (np.ndarray, np.generic, Tensor)):
            _fits(array, wanted)
        array = array.astype(wanted)
    return _finish(array, requires_grad, device, source=data)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """``data`` as a tensor, sharing memory where it can: tensors as they are, arrays shared, the rest copied."""
    if isinstance(data, Tensor):
        if dtype is None or data.dtype is to_dtype(dtype):
            return data
        result: Tensor = data.to(dtype)
        return result
    if isinstance(data, np.ndarray) and (dtype is None or OF_NUMPY[data.dtype] is to_dtype(dtype)):
        return from_numpy(data)
    return tensor(data, dtype=dtype, device=device)


def _usable(array: Any) -> Any:
    """``array`` if it can be the memory of a tensor; TypeError for other types, ValueError for other layouts."""
    if array.dtype not in OF_NUMPY:
        if array.dtype.newbyteorder() in OF_NUMPY:
            raise ValueError(
                "given numpy array has byte order different from the native byte order. Conversion between byte orders "
                "is currently not supported."
            )
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{array.dtype.type.__name__}. The only supported types are: "
            "float64, float32, float16, int64, int32, int16, int8, uint8, and bool."
        )
    if any(stride < 0 for stride in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently supported. (You can probably work around this by making a copy of your array  with "
            "array.copy().) "
        )
    return array


def asarray(
    obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None, requires_grad: bool = False
) -> Tensor:
    """``obj`` as a tensor: it shares memory where it can, unless ``copy``; it must, if ``copy`` is False."""
    if copy:
        return tensor(obj.detach().array if isinstance(obj, Tensor) else obj, dtype=dtype, requires_grad=requires_grad)
    result = as_tensor(obj, dtype, device)
    if copy is False and not isinstance(obj, (Tensor, np.ndarray)):
        raise ValueError("can't alias arbitrary sequence into a tensor.")
    return result.requires_grad_() if requires_grad else result


def from_numpy(array: Any) -> Tensor:
    """A tensor that shares the memory of ``array``."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {errors.type_name(array)})")
    t = make(_usable(array))
    storage_of(t)
    if switch.special and modes.recorder is not None:
        modes.recorder.created(t, array)
    return t


def size_of(size: tuple[Any, ...], name: str = "new") -> tuple[int, ...]:
    """The shape that ``zeros(2, 3)`` or ``zeros((2, 3))`` names; RuntimeError for negative extents."""
    given = size
    if len(size) == 1 and isinstance(size[0], (tuple, list)):
        size = tuple(size[0])
    shape = []
    for position, n in enumerate(size):
        n = n.item() if isinstance(n, Tensor) else n
        if not isinstance(n, (int, np.integer)) or isinstance(n, bool):
            raise TypeError(f"{name}(): argument 'size' {_no_extent(given, position, type(n).__name__)}")
        if n < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {n}: {list(map(int, size))}")
        shape.append(int(n))
    return tuple(shape)


def _no_extent(given: tuple[Any, ...], position: int, kind: str) -> str:
    if position:
        return (
            f'failed to unpack the object at pos {position + 1} with error "type must be tuple of ints,but got {kind}"'
        )
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        return f"(position 1) must be tuple of ints, but found element of type {kind} at pos 0"
    return f"(position 1) must be tuple of ints, not {kind}"


def _numpy(d: Any) -> Any:
    return (get_default_dtype() if d is None else to_dtype(d)).numpy


@placed
def zeros(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Zeros of the given shape."""
    if any(isinstance(n, int) and n < 0 for n in size):
        raise RuntimeError("zeros: Dimension size must be non-negative.")
    return _finish(np.zeros(size_of(_.get("size", size), "zeros"), _numpy(dtype)), requires_grad, device)


@placed
def ones(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Ones of the given shape."""
    return _finish(np.ones(size_of(_.get("size", size), "ones"), _numpy(dtype)), requires_grad, device)


@placed
def empty(*size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """A tensor of the given shape whose content is not to be relied on (zeros)."""
    return _finish(np.zeros(size_of(_.get("size", size), "empty"), _numpy(dtype)), requires_grad, device)


@named
def full(size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """``fill_value`` everywhere; its Python type decides the data type unless one is given."""
    value = fill_value.item() if isinstance(fill_value, Tensor) and fill_value.ndim == 0 else fill_value
    if not isinstance(value, (bool, int, float, np.generic)):
        raise TypeError(f"full(): argument 'fill_value' (position 2) must be Number, not {errors.type_name(value)}")
    if isinstance(size, int):
        raise TypeError("full(): argument 'size' (position 1) must be tuple of ints, not int")
    if dtype is None:
        kind = get_default_dtype().numpy if isinstance(value, float) else np.asarray(value).dtype
    else:
        kind = _numpy(dtype)
    shape = size_of((size,), "full")
    return _finish(np.full(shape, value, kind), requires_grad, device)


def _like(input: Tensor, dtype: Any) -> Any:
    return input.array.dtype if dtype is None else to_dtype(dtype).numpy


@placed
def zeros_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Zeros of the shape and type of ``input``."""
    return _finish(np.zeros(input.array.shape, _like(input, dtype)), requires_grad)


@placed
def ones_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Ones of the shape and type of ``input``."""
    return _finish(np.ones(input.array.shape, _like(input, dtype)), requires_grad)


@placed
def empty_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """As :func:`zeros_like`."""
    return zeros_like(input, dtype=dtype, requires_grad=requires_grad)


@placed
def full_like(input: Tensor, fill_value: Any, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """``fill_value`` in the shape and type of ``input``."""
    return _finish(np.full(input.array.shape, fill_value, _like(input, dtype)), requires_grad)


def _ends(name: str, start: Any, end: Any) -> None:
    """RuntimeError unless what a range goes from and to is a number, or a tensor of one."""
    ranks = [each.ndim if isinstance(each, Tensor) else 0 for each in (start, end)]
    if any(ranks):
        raise RuntimeError(
            f"{name} only supports 0-dimensional start and end tensors, but got start with {ranks[0]} dimension(s) and "
            f"end with {ranks[1]} dimension(s)."
        )


def _number(value: Any) -> Any:
    return value.item() if isinstance(value, Tensor) else value


@named
def arange(
    start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None, device: Any = None,
    requires_grad: bool = False,
) -> Tensor:  # fmt: skip
    """``start, start + step, ...`` up to but without ``end``; int64 if all three are integers."""
    start, end, step = _number(start), _number(end), _number(step)
    if end is None:
        start, end = 0, start
    for value in (start, end, step):
        if not isinstance(value, (int, float, np.generic)):
            given = errors.type_name(value)
            raise TypeError(f"arange(): argument 'end' (position 1) must be Number, not {given}")
    if not math.isfinite(start) or not math.isfinite(end):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    integers = all(isinstance(x, int) for x in (start, end, step))
    kind = _numpy(dtype) if dtype is not None else (int64 if integers else get_default_dtype()).numpy
    if dtype is not None and not to_dtype(dtype).is_floating_point:
        start, end, step = int(start), int(end), int(step)  # each is cut to the type first, as in PyTorch
    count = max(0, math.ceil((end - start) / step))
    values = start + step * np.arange(count)
    return _finish(values.astype(kind), requires_grad, device)


def _spaced(start: Any, end: Any, steps: int, kind: Any) -> Any:
    """Evenly spaced numbers computed as PyTorch does: from either end to the middle, in the wanted type."""
    steps = errors.whole("steps", steps)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    narrow = np.dtype(np.float64) if kind.kind in "iu" else np.dtype(np.float32) if kind.itemsize == 2 else kind
    low, high = (narrow.type(kind.type(_number(each))) for each in (start, end))
    # multiply and add are one step there, rounded once
    wide: Any = np.longdouble if narrow == np.float64 else np.float64
    step: Any = wide((high - low) / narrow.type(max(steps - 1, 1)))
    place: Any = np.arange(steps).astype(wide)
    values = np.where(place < max(steps // 2, steps == 1), low + step * place, high - step * (steps - 1 - place))
    return values.astype(narrow)


@named
def linspace(
    start: Any, end: Any, steps: int, *, dtype: Any = None, device: Any = None, requires_grad: bool = False
) -> Tensor:
    """``steps`` evenly spaced numbers from ``start`` to ``end``, both included."""
    kind = _numpy(dtype)
    _ends("linspace", start, end)
    return _finish(_spaced(start, end, steps, kind).astype(kind), requires_grad, device)


@combined
def logspace(start: Any, end: Any, steps: int, base: float = 10.0, *, dtype: Any = None, **_: Any) -> Tensor:
    """``base`` to the power of ``steps`` evenly spaced exponents."""
    kind = _numpy(dtype)
    _ends("logspace", start, end)
    low, high = (kind.type(_number(each)) for each in (start, end))
    exponents = _spaced(low, high, steps, np.dtype(np.float64))
    return _finish(np.power(np.float64(base), exponents).astype(kind), False)


@named
def eye(n: int, m: int | None = None, *, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Tensor:
    """The identity matrix."""
    for position, (name, extent) in enumerate((("n", n), ("m", m)), 1):
        if extent is not None and not isinstance(extent, (int, np.integer)):
            kind = type(extent).__name__
            raise TypeError(f"eye(): argument '{name}' (position {position}) must be int, not {kind}")
        if extent is not None and extent < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {extent}")
    return _finish(np.eye(n, m, dtype=_numpy(dtype)), requires_grad, device)


def legacy_tensor(cls: type[Tensor], *args: Any, **kwargs: Any) -> Tensor:
    """``torch.Tensor(2, 3)`` (uninitialised) or ``torch.Tensor([1, 2])``: float32."""
    kind = np.dtype(np.float32)
    if kwargs.keys() - {"device", "size"}:
        on = "*, torch.device device = None"
        raise errors.no_form("new", args, kwargs, forms=f"{on}\ntuple of ints size, {on}\nobject data, {on}")
    if not args and not kwargs:
        array: Any = np.zeros(0, kind)
    elif len(args) == 1 and isinstance(args[0], Tensor):
        array = args[0].array
    elif len(args) == 1 and isinstance(args[0], range):
        array = np.array(args[0], kind)
    elif len(args) == 1 and isinstance(args[0], str):
        raise TypeError("new(): invalid data type 'str'")
    elif len(args) == 1 and isinstance(args[0], (float, bool, type(None))):
        raise TypeError(f"new(): data must be a sequence (got {type(args[0]).__name__})")
    elif len(args) == 1 and isinstance(args[0], (list, tuple, np.ndarray)) and not hasattr(args[0], "numel"):
        array = _python_array(args[0], kind).astype(kind)
    else:
        array = np.zeros(size_of(args), kind)
    t = make(array if array.ndim else array[()], cls)
    if switch.special and modes.recorder is not None:
        modes.recorder.created(t, args[0] if args else None)
    return t


def Variable(data: Any, requires_grad: bool = False, volatile: bool | None = None) -> Tensor:
    """The old name for a tensor that may require grad; an alias of ``data``'s memory."""
    if not isinstance(data, Tensor):
        raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
    t = data.detach()
    if requires_grad:
        if t.array.dtype.kind != "f":
            raise RuntimeError(errors.REQUIRES_GRAD_DTYPE)
        t.requires_grad_()
    return t


class _TypedTensorType(type):
    """``isinstance(x, torch.FloatTensor)`` asks for a data type, not for a class."""

    kind: Any

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Tensor) and instance.dtype is cls.kind

    def __call__(cls, *args: Any, **kwargs: Any) -> Tensor:
        if len(args) == 1 and isinstance(args[0], (float, bool, type(None))):
            raise TypeError(f"new(): data must be a sequence (got {type(args[0]).__name__})")
        if len(args) == 1 and isinstance(args[0], (list, tuple, np.ndarray)):
            return _finish(_python_array(args[0], cls.kind.numpy).astype(cls.kind.numpy), False, source=args[0])
        if len(args) == 1 and isinstance(args[0], Tensor):
            return args[0]
        return _finish(np.zeros(size_of(args), cls.kind.numpy), False)


class TypedTensor(metaclass=_TypedTensorType):
    """The old way to say the type: ``torch.FloatTensor([1, 2])``, ``torch.LongTensor(3)``."""

    kind: Any = None


TYPED = {
    kind.tensor_type.removeprefix("torch."): type(
        kind.tensor_type.removeprefix("torch."), (TypedTensor,), {"kind": kind}
    )
    for kind in ALL
}
