"""The variables of a program, as plain data."""

from __future__ import annotations

import math
from types import FunctionType, ModuleType
from typing import Any

import numpy

from autograd.nn import Module
from autograd.tensor import Tensor
from snippets.errors import LimitReached

#: Arrays with more entries are left out; so are lists with more items.
LARGEST = 100_000
DEEPEST = 20


class _LeftOut(Exception):
    """This value has no plain form."""


def values_of(namespace: dict[str, Any]) -> dict[str, Any]:
    """The plain form of each variable whose name does not begin with an underscore.

    Tensors, modules, arrays, lists and tuples of these, numbers, strings, booleans and None; others are left out.
    """
    out: dict[str, Any] = {}
    budget = _Budget()
    for name, value in list(namespace.items()):
        if not isinstance(name, str) or name.startswith("_"):
            continue
        try:
            out[name] = budget.plain(value, 0)
        except LimitReached:
            raise
        except BaseException:  # a variable whose own code fails when it is looked at has no plain form either
            continue
    return out


def number(value: float) -> float | str:
    """A float; nan and the infinities as strings."""
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def nested(array: Any) -> Any:
    """The entries of an array as nested lists of numbers."""
    items = numpy.asarray(array).tolist()
    return _clean(items) if numpy.asarray(array).dtype.kind in "fc" else items


def _clean(items: Any) -> Any:
    if isinstance(items, list):
        return [_clean(item) for item in items]
    if isinstance(items, complex):
        return {"real": number(items.real), "imag": number(items.imag)}
    return number(items)


class _Budget:
    """Counts the entries handed out, so that the answer stays of a sensible size."""

    def __init__(self) -> None:
        self._left = 20 * LARGEST

    def _spend(self, count: int) -> None:
        self._left -= count
        if count > LARGEST or self._left < 0:
            raise _LeftOut

    def plain(self, value: Any, depth: int) -> Any:
        if depth > DEEPEST or isinstance(value, (ModuleType, FunctionType, type)):
            raise _LeftOut
        if value is None or isinstance(value, bool):
            return value
        kind = type(value)
        if kind is int or kind is str:
            self._spend(value.bit_length() // 64 if kind is int else len(value))
            if kind is int and value.bit_length() > 10_000:
                raise _LeftOut
            return value
        if kind is float:
            return number(value)
        if isinstance(value, Tensor):
            return self._tensor(value)
        if isinstance(value, Module):
            return self._module(value)
        if isinstance(value, numpy.ndarray):
            value = numpy.asarray(value)
            self._spend(value.size)
            if value.dtype.kind not in "biufc":
                raise _LeftOut
            return {"kind": "ndarray", "data": nested(value)}
        if isinstance(value, numpy.generic) and value.dtype.kind in "biuf":
            return self.plain(value.item(), depth)
        if isinstance(value, (list, tuple)):
            own: Any = list if isinstance(value, list) else tuple  # not what a class of the program makes of it
            self._spend(own.__len__(value))
            return {"kind": "list", "items": [self.plain(item, depth + 1) for item in own.__iter__(value)]}
        raise _LeftOut

    def _tensor(self, tensor: Any) -> dict[str, Any]:
        array = tensor.array
        self._spend(array.size)
        meta = tensor._meta  # reading .grad would warn where PyTorch warns
        gradient = None if meta is None else meta.grad
        return {
            "kind": "tensor",
            "dtype": str(tensor.dtype).removeprefix("torch."),
            "shape": list(array.shape),
            "data": nested(array),
            "requires_grad": bool(tensor.requires_grad),
            "is_leaf": bool(tensor.is_leaf),
            "grad": None if gradient is None else nested(gradient.array),
        }

    def _module(self, module: Any) -> dict[str, Any]:
        state = {name: self._tensor(tensor) for name, tensor in module.named_parameters()}
        state.update({name: self._tensor(tensor) for name, tensor in module.named_buffers()})
        return {"kind": "module", "training": bool(module.training), "state": state}
