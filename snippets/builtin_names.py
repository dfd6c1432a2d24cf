"""The built-in functions of a snippet: those that only compute, and clear answers in place of the others."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from snippets.errors import LimitReached, NotAllowed
from snippets.guards import Guards, PlainType

_KEPT = """
None False True Ellipsis NotImplemented abs all any ascii bin bool bytearray bytes callable chr classmethod complex
dict divmod enumerate filter float format frozenset hash hex id int isinstance issubclass iter len list map max min
next object oct ord pow property range repr reversed round set slice sorted staticmethod str sum super tuple zip
aiter anext
"""

_ABSENT = {
    "open": "there are no files; write the data into the program",
    "input": "nobody can type while a snippet runs; give the value a name at the top of the program",
    "eval": "text cannot be run as code; write the expression itself",
    "exec": "text cannot be run as code; write the statements themselves",
    "compile": "text cannot be run as code; write the statements themselves",
    "globals": "use the variables by their names",
    "locals": "use the variables by their names",
    "vars": "use the attributes by their names, or getattr",
    "dir": "look the names up in PyTorch's documentation",
    "help": "look the names up in PyTorch's documentation",
    "breakpoint": "step through the walk instead",
    "memoryview": "use a list or a tensor",
    "exit": "let the program run to its end, or use return or break",
    "quit": "let the program run to its end, or use return or break",
}


def _absent(name: str, way: str) -> Callable[..., Any]:
    def refuse(*arguments: Any, **keywords: Any) -> Any:
        raise NotAllowed(f"{name}() cannot be used in a snippet: {way}")

    refuse.__name__ = refuse.__qualname__ = name
    return refuse


def builtin_names(guards: Guards, printer: Callable[..., None], importer: Callable[..., Any]) -> dict[str, Any]:
    """The dict that stands as ``__builtins__``, with the guards of ``guards`` under names no snippet can spell."""
    names: dict[str, Any] = {name: getattr(builtins, name) for name in _KEPT.split() if hasattr(builtins, name)}
    for name, value in vars(builtins).items():
        if isinstance(value, type) and issubclass(value, BaseException) and not name.endswith("Group"):
            names[name] = value
    for name, way in _ABSENT.items():
        names[name] = _absent(name, way)
    names.update(
        __build_class__=guards.build_class,
        __import__=importer,
        __guard_load__=guards.load,
        __guard_private__=guards.private,
        __guard_write__=guards.write,
        __guard_limit__=LimitReached,
        getattr=guards.getattr,
        hasattr=guards.hasattr,
        setattr=guards.setattr,
        delattr=guards.delattr,
        type=PlainType,
        print=printer,
    )
    return names
