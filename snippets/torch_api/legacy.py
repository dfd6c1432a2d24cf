"""The constructors of old programs: ``torch.FloatTensor([1, 2])`` and its sisters."""

from __future__ import annotations

from typing import Any

import autograd
from autograd.dtypes import dtype


class _LegacyType(type):
    """A type that makes tensors of one dtype, and that ``isinstance`` recognises by the dtype."""

    kind: dtype

    def __call__(cls, *arguments: Any) -> autograd.Tensor:
        """From a list, an array or a tensor: its numbers. From sizes: an empty tensor of that shape."""
        if len(arguments) == 1 and not isinstance(arguments[0], int):
            return autograd.tensor(arguments[0], dtype=cls.kind)
        return autograd.empty(*arguments, dtype=cls.kind) if arguments else autograd.empty(0, dtype=cls.kind)

    def __instancecheck__(cls, thing: Any) -> bool:
        return isinstance(thing, autograd.Tensor) and thing.dtype == cls.kind


def _types() -> dict[str, type]:
    kinds = {
        "FloatTensor": autograd.float32, "DoubleTensor": autograd.float64, "HalfTensor": autograd.float16,
        "LongTensor": autograd.int64, "IntTensor": autograd.int32, "ShortTensor": autograd.int16,
        "CharTensor": autograd.int8, "ByteTensor": autograd.uint8, "BoolTensor": autograd.bool_,
    }  # fmt: skip
    made: dict[str, type] = {}
    for name, kind in kinds.items():
        made[name] = _LegacyType(
            name, (), {"kind": kind, "__module__": "torch", "__doc__": f"Makes a tensor of {kind}."}
        )
    return made


LEGACY_TYPES = _types()
