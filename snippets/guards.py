"""What the first wall asks at run time; see :mod:`snippets.policy` for where the questions come from."""

from __future__ import annotations

import dataclasses
import functools
import operator
import string
import typing
from collections.abc import Callable, Mapping
from types import (
    BuiltinFunctionType,
    FunctionType,
    GenericAlias,
    MethodDescriptorType,
    MethodType,
    ModuleType,
    TracebackType,
)
from typing import Any
from weakref import WeakSet

import numpy

from autograd.tensor import Tensor
from snippets.errors import NotAllowed
from snippets.policy import ASKED_AT_RUN_TIME, is_dunder, is_plain, is_private, refusal_of_attribute
from snippets.raw_memory import RAW_MEMORY

_ARRAY_EXITS = {"tofile": "files", "dump": "files", "dumps": "pickles", "ctypes": "memory addresses"}
_MISSING = object()
#: The classes that programs made, and may change.
_MADE: WeakSet[type] = WeakSet()
#: Modules whose objects turn the names in their attributes into code, or into other attributes.
_MACHINERY = frozenset({"dataclasses", "functools", "typing", "contextlib", "abc"})
#: Objects of these that a program calls as its own functions.
_WRAPPED = (functools.partial, type(functools.lru_cache(len)))


def adopt(made: type) -> None:
    """Note that ``made`` is a class of the program's own."""
    _MADE.add(made)


class Guards:
    """The guards of one run. It knows the classes and functions that the program made, which it may change."""

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace

    # What belongs to the program

    def _owns(self, thing: object) -> bool:
        if isinstance(thing, FunctionType):
            return thing.__globals__ is self._namespace
        kind = type(thing)
        return kind in _MADE or (isinstance(thing, type) and thing in _MADE)

    def build_class(self, body: Callable[..., Any], name: str, *bases: Any, **keywords: Any) -> Any:
        """``__build_class__``: makes a class and notes that it is the program's own."""
        for base in bases:
            if base is PlainType or (isinstance(base, type) and issubclass(base, type)):
                raise NotAllowed("a class of a snippet cannot be a metaclass; use a decorator or a base class")
            if base is PlainArray:
                raise NotAllowed("a class of a snippet cannot be an array; keep the array in an attribute")
            if isinstance(base, _StandIn) or (isinstance(base, type) and issubclass(base, _NOT_MADE)):
                raise NotAllowed(f"a class of a snippet cannot be a {base.__name__}; keep one in an attribute")
        if "metaclass" in keywords:
            raise NotAllowed("a class of a snippet cannot have a metaclass; use a decorator or a base class")
        made = __build_class__(body, name, *bases, **keywords)
        if isinstance(made, type):
            adopt(made)
            if RAW_MEMORY & vars(made).keys():
                raise NotAllowed("a class of a snippet cannot tell NumPy of memory; define __array__ instead")
            if "__getattr__" in vars(made):
                made.__getattr__ = _without_memory(vars(made)["__getattr__"])  # type: ignore[attr-defined]
        return made

    # Attributes

    def private(self, thing: Any, name: str) -> Any:
        """``thing``, if its attribute ``name``, which begins with an underscore, may be read."""
        if self._owns(thing) or type(thing) is super or isinstance(thing, FunctionType):
            return thing
        raise NotAllowed(f"'{name}' begins with an underscore and is private to {_kind(thing)}; use its public names")

    def write(self, thing: Any, name: str) -> Any:
        """``thing``, if its attribute ``name`` may be set or deleted."""
        if name == "array" and isinstance(thing, Tensor):
            raise NotAllowed("'array' of a tensor is the engine's own; assign to .data")
        if self._owns(thing):
            return thing
        if isinstance(thing, (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType, MethodDescriptorType)):
            raise NotAllowed(
                f"{_kind(thing)} is shared and cannot be changed (attribute '{name}'); "
                "make a class or a variable of your own and change that"
            )
        machinery = type(thing).__module__ in _MACHINERY and not isinstance(thing, _WRAPPED)
        bits = name == "state" and isinstance(thing, numpy.random.BitGenerator)
        if machinery or bits or is_private(name) or (name in ASKED_AT_RUN_TIME and name != "data"):
            raise NotAllowed(f"'{name}' cannot be set on {_kind(thing)}; choose another name")
        return thing

    def load(self, thing: Any, name: str) -> Any:
        """The attribute ``name``, one of those that are harmless on most objects and not on some."""
        if name == "__class__":
            return type_of(thing)
        while type(thing) is MethodType and not hasattr(MethodType, name):  # answers with what its function has
            thing = thing.__func__
        if name in ("format", "format_map"):
            return _safe_format_of(getattr(thing, name), name)
        if isinstance(thing, BaseException) and name == "obj" and not self._owns(thing):
            raise NotAllowed("'obj' of an exception leads into the library; the message says what was missing")
        if name in ("ctypes", "cffi", "capsule") and not self._owns(thing):
            raise NotAllowed(f"'{name}' gives memory addresses, which a snippet cannot use")
        if name == "mro" and isinstance(getattr(thing, name), (BuiltinFunctionType, MethodDescriptorType)):
            raise NotAllowed("'mro' leads to the classes behind a class; issubclass tells what it descends from")
        if name == "resize" and _is_array(thing):
            return _resize_of(thing)
        if name in ("data", "byteswap") and _is_array(thing) and (isinstance(thing, type) or holds_objects(thing)):
            raise NotAllowed(f"'{name}' of an array of objects reaches into memory; work on its items")
        if name == "set_state" and isinstance(thing, numpy.random.RandomState):
            return functools.partial(set_state, thing)
        if name in _ARRAY_EXITS and _is_array(thing):
            raise NotAllowed(
                f"arrays cannot make {_ARRAY_EXITS[name]} in a snippet; print the numbers, or use tolist()"
            )
        return getattr(thing, name)

    # The built-in functions for attributes by name

    def _checked(self, thing: Any, name: Any) -> str:
        if type(name) is not str:
            raise TypeError(f"attribute name must be a plain string, not {type(name).__name__}")
        refusal = refusal_of_attribute(name)
        if refusal is not None:
            raise NotAllowed(refusal)
        return name

    def getattr(self, thing: Any, name: Any, default: Any = _MISSING, /) -> Any:
        """``getattr``, under the same rules as ``thing.name``."""
        self._checked(thing, name)
        if not is_dunder(name) and is_private(name):
            self.private(thing, name)
        try:
            return self.load(thing, name) if name in ASKED_AT_RUN_TIME else getattr(thing, name)
        except AttributeError:
            if default is _MISSING:
                raise
            return default

    def hasattr(self, thing: Any, name: Any, /) -> bool:
        """``hasattr``; what cannot be reached is not there."""
        try:
            self.getattr(thing, name)
        except (AttributeError, NotAllowed):
            return False
        return True

    def setattr(self, thing: Any, name: Any, value: Any, /) -> None:
        """``setattr``, under the same rules as an assignment."""
        self._checked(thing, name)
        if is_dunder(name):
            raise NotAllowed(f"'{name}' cannot be changed in a snippet; leave it as it is")
        setattr(self.write(thing, name), name, value)

    def delattr(self, thing: Any, name: Any, /) -> None:
        """``delattr``, under the same rules as ``del thing.name``."""
        self._checked(thing, name)
        if is_dunder(name):
            raise NotAllowed(f"'{name}' cannot be deleted in a snippet; leave it as it is")
        delattr(self.write(thing, name), name)


class _StandIn(type):
    """The type of a class that stands for another, ``real``, which can do more than a snippet may."""

    real: type

    def __instancecheck__(cls, thing: Any) -> bool:
        return isinstance(thing, cls.real)

    def __subclasscheck__(cls, kind: Any) -> bool:
        return isinstance(kind, type) and (kind is cls or issubclass(kind, cls.real))

    def __eq__(cls, other: object) -> bool:
        return other is cls or other is cls.real

    def __hash__(cls) -> int:
        return hash(cls.real)

    def __repr__(cls) -> str:
        return repr(cls.real)

    def __or__(cls, other: Any) -> Any:
        return cls.real | other

    def __getitem__(cls, item: Any) -> Any:
        return cls  # an alias of the real one could be called


class _TypeOfTypes(_StandIn):
    """Makes ``type`` answer as it does in Python, short of making classes from strings."""

    def __call__(cls, *arguments: Any) -> Any:
        if len(arguments) != 1:
            raise NotAllowed("type() with three arguments makes a class in secret; write a class statement")
        return type_of(arguments[0])


class PlainType(metaclass=_TypeOfTypes):
    """What ``type`` means in a snippet: ``type(x)`` and ``isinstance(x, type)``. It is no subclass of the real one,
    whose methods it would have.
    """

    real = type


PlainType.__name__ = PlainType.__qualname__ = "type"
PlainType.__module__ = "builtins"


class _TypeOfArrays(_StandIn):
    """Makes ``numpy.ndarray`` answer as it does in NumPy, short of arrays over somebody's memory."""

    def __call__(cls, shape: Any, dtype: Any = float, *others: Any, **named: Any) -> Any:
        if others or set(named) - {"order"}:
            raise NotAllowed("ndarray() over a buffer reaches into memory; make the array with array() or frombuffer()")
        return numpy.ndarray(shape, dtype, **named)

    def __getattr__(cls, name: str) -> Any:
        if is_dunder(name):
            raise AttributeError(name)
        return getattr(numpy.ndarray, name)


class PlainArray(metaclass=_TypeOfArrays):
    """What ``numpy.ndarray`` means in a snippet."""

    real = numpy.ndarray


PlainArray.__name__ = PlainArray.__qualname__ = "ndarray"
PlainArray.__module__ = "numpy"


class _TypeToCompare(_StandIn):
    """Makes the type of something answer what is of that type, and make nothing."""

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        raise NotAllowed(f"a {cls.__name__} cannot be made by its type in a snippet; write it as Python has it")


#: What forwards to any object, wraps any memory or runs any code, once somebody can make it of parts.
_NOT_MADE = (
    FunctionType, MethodType, GenericAlias, typing._BaseGenericAlias,  # type: ignore[attr-defined]
    TracebackType, memoryview, numpy.ndarray, numpy.random.BitGenerator, functools.cached_property,
    dataclasses.Field, operator.attrgetter, operator.methodcaller,
)  # fmt: skip


@functools.cache
def _to_compare(kind: type) -> Any:
    return _TypeToCompare(kind.__name__, (), {"real": kind, "__module__": kind.__module__})


def type_of(thing: Any) -> Any:
    """``type(thing)``; what stands for it where the real one could do more than a snippet may."""
    kind = type(thing)
    if issubclass(kind, type):
        return PlainType
    if issubclass(kind, ModuleType):
        return ModuleType
    if kind is numpy.ndarray:
        return PlainArray
    return _to_compare(kind) if issubclass(kind, _NOT_MADE) and kind not in _MADE else kind  # type: ignore[arg-type]


def _without_memory(method: Callable[[Any, str], Any]) -> Callable[[Any, str], Any]:
    """A ``__getattr__`` that is not asked for what would be taken for an address."""

    @functools.wraps(method)
    def asked(thing: Any, name: str) -> Any:
        if name in RAW_MEMORY:
            raise AttributeError(name)
        return method(thing, name)

    return asked


def _resize_of(thing: Any) -> Callable[..., None]:
    """``resize`` of arrays, which looks whether somebody else uses the memory: without, it would be read after it is
    freed.
    """
    given: list[Any] = [thing] if isinstance(thing, numpy.ndarray) else []

    def resize(*arguments: Any, refcheck: Any = True) -> None:
        if not refcheck:
            raise NotAllowed("resize() without refcheck leaves others with memory that is gone; use numpy.reshape()")
        array, *shape = (*given, *arguments)
        array.resize(*shape)

    return resize


def holds_objects(memory: Any) -> bool:
    """Whether ``memory``, anything with a buffer, holds objects of Python: as bytes, they would be addresses."""
    if isinstance(memory, (numpy.ndarray, numpy.generic)):
        return bool(memory.dtype.hasobject)
    return "O" in memoryview(memory).format


def set_state(generator: Any, state: Any) -> None:
    """``set_state`` of NumPy's older generator, which itself takes any position and would read there."""
    if isinstance(state, dict):
        inner = state["state"]
        state = (state["bit_generator"], inner["key"], inner["pos"], state["has_gauss"], state["gauss"])
    name, key, position, *rest = state
    position = int(position)
    if not 0 <= position <= 624:
        raise ValueError(f"a state's position is between 0 and 624, not {position}")
    generator.set_state((name, numpy.array(key), position, *rest))


class _SafeFormatter(string.Formatter):
    """``str.format`` with the attribute rules of the policy."""

    def get_field(self, field_name: str, args: Any, kwargs: Any) -> Any:
        first, rest = string._string.formatter_field_name_split(field_name)  # type: ignore[attr-defined]
        thing = self.get_value(first, args, kwargs)
        for is_attribute, name in rest:
            if not is_attribute:
                thing = thing[name]
                continue
            if not (is_plain(name) or (name == "data" and not _is_array(thing))):
                raise NotAllowed(f"a format string cannot reach the attribute '{name}'; put the value itself in")
            thing = getattr(thing, name)
        return thing, first


def _safe_format_of(found: Any, name: str) -> Any:
    """A stand-in for ``str.format`` and ``str.format_map``; anything else of that name is given back as it is."""
    if isinstance(found, MethodDescriptorType) and issubclass(found.__objclass__, str):
        if name == "format_map":
            return lambda text, mapping: _format(text, (), mapping)
        return lambda text, *arguments, **named: _format(text, arguments, named)
    if isinstance(found, BuiltinFunctionType) and isinstance(found.__self__, str):
        text = found.__self__
        if name == "format_map":
            return lambda mapping: _format(text, (), mapping)
        return lambda *arguments, **named: _format(text, arguments, named)
    return found


def _format(text: Any, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> str:
    if not isinstance(text, str):
        raise TypeError(f"descriptor 'format' for 'str' objects doesn't apply to a '{type(text).__name__}' object")
    return _SafeFormatter().vformat(str.__str__(text), arguments, named)


def _is_array(thing: Any) -> bool:
    kind = thing if isinstance(thing, type) else type(thing)
    return issubclass(kind, (numpy.ndarray, numpy.generic, PlainArray)) or type(thing) is super


def _kind(thing: Any) -> str:
    if isinstance(thing, ModuleType):
        return f"the module {thing.__name__}"
    if isinstance(thing, type):
        return f"the class {thing.__name__}"
    name = getattr(thing, "__name__", None)
    if callable(thing) and isinstance(name, str):
        return f"the function {name}"
    return f"a {type(thing).__name__}"
