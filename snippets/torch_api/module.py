"""Modules that carry PyTorch's names."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from autograd.unsupported import INSTEAD
from snippets.raw_memory import RAW_MEMORY
from snippets.torch_api.names import Source


class TorchModule(ModuleType):
    """One module of the torch-like namespace; an unknown name is answered with the nearest ones there are."""

    def __init__(self, name: str, names: Mapping[str, Any]) -> None:
        super().__init__(name, f"The engine's names of {name}.")
        vars(self).update({key: value for key, value in names.items() if key not in RAW_MEMORY})
        vars(self)["__all__"] = sorted(key for key in names if not key.startswith("_"))
        vars(self)["__path__"] = []

    def __getattr__(self, name: str) -> Any:
        message = f"module '{self.__name__}' has no attribute '{name}'"
        if not name.startswith("_"):
            message += _hint(name, self)
        raise AttributeError(message, name=name, obj=None)

    def __repr__(self) -> str:
        return f"<module '{self.__name__}'>"


def _hint(name: str, module: ModuleType) -> str:
    if name in INSTEAD:
        return f": {INSTEAD[name]}"
    known = [key for key in vars(module) if not key.startswith("_")]
    lower = {key.lower(): key for key in known}
    if name.lower() in lower:
        return f"; did you mean '{lower[name.lower()]}'?"
    inside = [
        f"{value.__name__}.{name}"
        for value in vars(module).values()
        if isinstance(value, TorchModule) and name in vars(value)
    ]
    if inside:
        return f" here; there is {', '.join(inside)}"
    near = difflib.get_close_matches(name, known, 3, 0.7)
    if near:
        return f" here; the nearest there are: {', '.join(near)}"
    return " here: this app's engine covers what autograd needs, on the CPU"


def build(modules: Mapping[str, Source]) -> TorchModule:
    """The modules of the table, each placed in its parent; returns the topmost."""
    made: dict[str, TorchModule] = {}
    for name, source in modules.items():
        module = made[name] = TorchModule(name, _names(source))
        parent, _, own = name.rpartition(".")
        if parent:
            vars(made[parent])[own] = module
            vars(made[parent])["__all__"] = sorted({*vars(made[parent])["__all__"], own})
    return next(iter(made.values()))


def _names(source: Source) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for path in source.whole:
        module = importlib.import_module(path)
        for name in module.__all__:
            value = getattr(module, name)
            if name not in source.without and not isinstance(value, ModuleType):
                found[name] = value
    for path, names in source.some.items():
        module = importlib.import_module(path)
        for name in names.split():
            own, _, theirs = name.partition("=")
            found[own] = getattr(module, theirs or own)
    found.update(source.values)
    return found
