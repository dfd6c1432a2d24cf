"""Data types: ``float32`` and its kin, and which type an operation on several of them has.

Promotion is PyTorch's. A type belongs to a category (bool < integer < float). Tensors with dimensions outrank 0-d
tensors, which outrank Python numbers; a lower rank matters only when its category is higher. ``int_tensor * 2.5`` is
float32, and
``float32_tensor * float64_scalar_tensor`` stays float32.
"""

from __future__ import annotations

from typing import Any

import numpy as np


class dtype:
    """One data type; there is a single object for each. Prints as ``torch.float32``."""

    __module__ = "torch"

    __slots__ = ("category", "itemsize", "name", "numpy", "scalar", "tensor_type", "word")

    def __init__(self, name: str, category: int, word: str) -> None:
        self.name = name
        self.numpy: np.dtype[Any] = np.dtype(name)
        self.scalar: type[np.generic] = self.numpy.type
        self.category = category
        self.itemsize = self.numpy.itemsize
        self.word = word  # how error messages name the type: Float, Long
        self.tensor_type = f"torch.{word}Tensor"

    @property
    def is_floating_point(self) -> bool:
        """Whether it is one of the float types."""
        return self.category == 2

    @property
    def is_complex(self) -> bool:
        """Always False: complex numbers are not supported."""
        return False

    @property
    def c_name(self) -> str:
        """What C++ calls it, as some error messages do: ``long int``."""
        return {"Char": "signed char", "Short": "short int", "Long": "long int", "Half": "c10::Half"}.get(
            self.word, "unsigned char" if self.word == "Byte" else self.word.lower()
        )

    @property
    def is_signed(self) -> bool:
        """Whether negative numbers exist in it."""
        return self.numpy.kind in "if"

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    def __reduce__(self) -> str:
        return "bool_" if self.name == "bool" else self.name


float64 = dtype("float64", 2, "Double")
float32 = dtype("float32", 2, "Float")
float16 = dtype("float16", 2, "Half")
int64 = dtype("int64", 1, "Long")
int32 = dtype("int32", 1, "Int")
int16 = dtype("int16", 1, "Short")
int8 = dtype("int8", 1, "Char")
uint8 = dtype("uint8", 1, "Byte")
bool_ = dtype("bool", 0, "Bool")

ALL = (float64, float32, float16, int64, int32, int16, int8, uint8, bool_)
OF_NUMPY: dict[Any, dtype] = {d.numpy: d for d in ALL}
OF_SCALAR: dict[type, dtype] = {d.scalar: d for d in ALL}
OF_PYTHON: dict[type, dtype] = {float: float32, int: int64, bool: bool_}
_PYTHON_CATEGORY = {float: 2, int: 1, bool: 0}

_default = float32


def get_default_dtype() -> dtype:
    """The type of ``tensor(1.0)``: float32 unless :func:`set_default_dtype` said otherwise."""
    return _default


def set_default_dtype(d: dtype) -> None:
    """Makes ``d``, a float type, the type that Python floats get."""
    global _default
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    _default = d


def to_dtype(d: Any) -> dtype:
    """The dtype object that ``d`` (a dtype, ``float``, ``int``, ``bool`` or NumPy's ``dtype``) stands for."""
    if isinstance(d, dtype):
        return d
    if d is float:
        return float64
    if d is int:
        return int64
    if d is bool:
        return bool_
    if not isinstance(d, np.dtype):
        raise TypeError(f"argument 'dtype' must be torch.dtype, not {type(d).__name__}")
    return OF_NUMPY[d]


def promote_types(a: dtype, b: dtype) -> dtype:
    """The smallest type that holds both, by PyTorch's table (``int64`` with ``float16`` is ``float16``)."""
    if a is b:
        return a
    if a.category != b.category:
        return a if a.category > b.category else b
    return OF_NUMPY[np.promote_types(a.numpy, b.numpy)]


def result_type(values: Any) -> dtype:
    """The type an operation on ``values`` (arrays, NumPy scalars, Python numbers) computes in."""
    ranks: list[dtype | None] = [None, None, None]
    for value in values:
        kind = type(value)
        if kind in _PYTHON_CATEGORY:
            rank, found = 2, (_default if kind is float else OF_PYTHON[kind])
        elif value is None:
            continue
        else:
            rank, found = (0 if value.ndim else 1), OF_NUMPY[value.dtype]
        current = ranks[rank]
        ranks[rank] = found if current is None else promote_types(current, found)
    result = ranks[0]
    for lower in ranks[1:]:
        if lower is not None and (result is None or lower.category > result.category):
            # a weak float next to integers gives the default float type, not its own
            result = lower
    assert result is not None
    return result


def can_cast(from_: dtype, to: dtype) -> bool:
    """Whether an in-place result of type ``from_`` may be written into ``to``."""
    return from_.category <= to.category


class finfo:
    """Limits of a float type: ``eps``, ``max``, ``min``, ``tiny``, ``resolution``, ``bits``."""

    def __init__(self, d: dtype | None = None) -> None:
        kind = d or _default
        if not kind.is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'"
            )
        found = np.finfo(kind.numpy)
        self.bits, self.dtype = int(found.bits), found.dtype.name
        self.eps, self.max, self.min = float(found.eps), float(found.max), float(found.min)
        self.tiny = self.smallest_normal = float(found.tiny)
        self.resolution = float(f"{float(found.resolution):g}")

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        return f"finfo({', '.join(f'{name}={getattr(self, name):g}' for name in names)}, dtype={self.dtype})"


def iinfo(d: dtype) -> Any:
    """Limits of an integer type."""
    if d.category != 1:
        raise TypeError("torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'")
    return np.iinfo(d.numpy)
