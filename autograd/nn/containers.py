"""Modules that hold modules: a chain, a list, a dict. What they hold is registered; a plain Python list's is not."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from itertools import chain
from typing import Any, Self, overload

from autograd.nn.module import Module, _indented


def _numbered_without_digits(keys: list[str]) -> list[str]:
    return [key for key in keys if not key.isdigit()]


class Sequential(Module):
    """Modules applied one after the other. Takes modules or one OrderedDict of them."""

    _modules: dict[str, Module]  # type: ignore[assignment]

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for index, module in enumerate(args):
                self.add_module(str(index), module)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def _key(self, index: int) -> str:
        size = len(self)
        index = operator.index(index)
        if not -size <= index < size:
            raise IndexError(f"index {index} is out of range")
        return list(self._modules)[index]

    @overload
    def __getitem__(self, idx: int) -> Any: ...
    @overload
    def __getitem__(self, idx: slice) -> Self: ...
    def __getitem__(self, idx: int | slice) -> Any:
        """The module at ``idx`` (also negative), or a Sequential of a slice that shares the modules."""
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return self._modules[self._key(idx)]

    def __setitem__(self, idx: int, module: Module) -> None:
        setattr(self, self._key(idx), module)

    def __delitem__(self, idx: int | slice) -> None:
        keys = list(self._modules)[idx] if isinstance(idx, slice) else [self._key(idx)]
        for key in keys:
            delattr(self, key)
        self._modules = {str(i): module for i, module in enumerate(self._modules.values())}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return _numbered_without_digits(super().__dir__())

    def __add__(self, other: Sequential) -> Sequential:
        _check_sequential(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Sequential) -> Self:
        _check_sequential(other)
        return self.extend(list(other))

    def __mul__(self, other: int) -> Sequential:
        _check_factor(self, other)
        return Sequential(*list(self) * other)

    def __rmul__(self, other: int) -> Sequential:
        return self * other

    def __imul__(self, other: int) -> Self:
        _check_factor(self, other)
        return self.extend(list(self) * (other - 1))

    def append(self, module: Module) -> Self:
        """Add ``module`` at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> Self:
        """Put ``module`` before position ``index``."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        size = len(self)
        if not -size <= index <= size:
            raise IndexError(f"Index out of range: {index}")
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._modules = {str(i): one for i, one in enumerate(modules)}
        return self

    def extend(self, sequential: Iterable[Module]) -> Self:
        """Add the modules of ``sequential`` at the end."""
        for module in sequential:
            self.append(module)
        return self

    def pop(self, key: int | slice) -> Any:
        """Take out and return the module (or modules) at ``key``."""
        module = self[key]
        del self[key]
        return module


def _check_sequential(other: Any) -> None:
    if not isinstance(other, Sequential):
        raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")


def _check_factor(sequential: Sequential, factor: Any) -> None:
    if not isinstance(factor, int):
        raise TypeError(f"unsupported operand type(s) for *: {type(sequential)} and {type(factor)}")
    if factor <= 0:
        raise ValueError(f"Non-positive multiplication factor {factor} for {type(sequential)}")


class ModuleList(Module):
    """A list of modules whose parameters are found; it cannot be called."""

    _modules: dict[str, Module]  # type: ignore[assignment]

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def _key(self, index: int) -> str:
        return str(_absolute(index, len(self)))

    @overload
    def __getitem__(self, idx: int) -> Any: ...
    @overload
    def __getitem__(self, idx: slice) -> Self: ...
    def __getitem__(self, idx: int | slice) -> Any:
        """The module at ``idx`` (also negative), or a ModuleList of a slice that shares the modules."""
        if isinstance(idx, slice):
            return type(self)(list(self._modules.values())[idx])
        return self._modules[self._key(idx)]

    def __setitem__(self, idx: int, module: Module) -> None:
        setattr(self, self._key(idx), module)

    def __delitem__(self, idx: int | slice) -> None:
        keys = list(self._modules)[idx] if isinstance(idx, slice) else [self._key(idx)]
        for key in keys:
            delattr(self, key)
        self._modules = {str(i): module for i, module in enumerate(self._modules.values())}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return _numbered_without_digits(super().__dir__())

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList(chain(self, other))

    def __iadd__(self, modules: Iterable[Module]) -> Self:
        return self.extend(modules)

    def append(self, module: Module) -> Self:
        """Add ``module`` at the end."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module: Module) -> None:
        """Put ``module`` before position ``index``."""
        modules = list(self._modules.values())
        modules.insert(index, module)
        self._modules = {str(i): one for i, one in enumerate(modules)}

    def extend(self, modules: Iterable[Module]) -> Self:
        """Add ``modules`` at the end. Raises TypeError when it is not iterable."""
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self

    def pop(self, key: int | slice) -> Any:
        """Take out and return the module (or modules) at ``key``."""
        module = self[key]
        del self[key]
        return module

    def __repr__(self) -> str:
        """Neighbours that print alike are shown once, as ``(0-2): 3 x Linear(...)``."""
        runs: list[tuple[int, int, str]] = []
        for index, module in enumerate(self):
            text = repr(module)
            if runs and runs[-1][2] == text:
                runs[-1] = (runs[-1][0], index, text)
            else:
                runs.append((index, index, text))
        if not runs:
            return f"{self._get_name()}()"
        lines = [
            _indented(f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}")
            for first, last, text in runs
        ]
        inside = "\n  ".join(lines)
        return f"{self._get_name()}(\n  {inside}\n)"


def _absolute(index: int, size: int) -> int:
    index = operator.index(index)
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of range")
    return index % size


class ModuleDict(Module):
    """A dict from names to modules whose parameters are found; it cannot be called."""

    _modules: dict[str, Module]  # type: ignore[assignment]

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove everything."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Take out and return the module ``key``."""
        return self._modules.pop(key)

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._modules.keys()

    def items(self) -> ItemsView[str, Any]:
        """Pairs of name and module."""
        return self._modules.items()

    def values(self) -> ValuesView[Any]:
        """The modules."""
        return self._modules.values()

    def update(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] | ModuleDict) -> None:
        """Add every pair of a mapping or of an iterable of pairs. Raises TypeError or ValueError when it is neither."""
        for key, module in _pairs("ModuleDict", "ModuleDict", modules, ordered=True):
            self[key] = module


def _pairs(cls: str, method_cls: str, source: Any, ordered: bool) -> list[tuple[str, Any]]:
    """The key/value pairs in ``source``: a mapping (sorted unless ``ordered`` or an OrderedDict) or an iterable."""
    if not isinstance(source, Iterable):
        raise TypeError(
            f"{method_cls}.update should be called with an iterable of key/value pairs, but got {type(source).__name__}"
        )
    if isinstance(source, (OrderedDict, ModuleDict)) or hasattr(source, "_keys"):
        return list(source.items())  # type: ignore[union-attr]
    if isinstance(source, Mapping):
        return list(source.items()) if ordered else sorted(source.items())
    pairs = []
    for place, item in enumerate(source):
        if not isinstance(item, Iterable):
            raise TypeError(f"{cls} update sequence element #{place} should be Iterable; is{type(item).__name__}")
        pair = list(item)
        if len(pair) != 2:
            raise ValueError(f"{cls} update sequence element #{place} has length {len(pair)}; 2 is required")
        pairs.append((pair[0], pair[1]))
    return pairs
