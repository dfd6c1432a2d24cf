"""Functions made from source text, and rules that are written as text."""

from __future__ import annotations

import ast
import inspect
import linecache
from collections.abc import Callable
from typing import Any


def compiled(name: str, source: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    """The function ``name`` that ``source`` defines; ``__source__`` and tracebacks show its text."""
    filename = f"<autograd operation {name}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    exec(compile(source, filename, "exec"), namespace)
    made: Callable[..., Any] = namespace[name]
    made.__source__ = source  # type: ignore[attr-defined]
    return made


def as_rule(given: Callable[..., Any] | str) -> Callable[..., Any]:
    """A rule as a function; one written as text, such as ``"g * other"``, takes the names it mentions."""
    if not isinstance(given, str):
        return given
    names = [node.id for node in ast.walk(ast.parse(given, mode="eval")) if isinstance(node, ast.Name)]
    arguments = ", ".join(dict.fromkeys(["g", *names]))
    made = compiled("rule", f"def rule({arguments}):\n    return {given}", {})
    made.text = given  # type: ignore[attr-defined]
    return made


class _Renamed(ast.NodeTransformer):
    """The text of a rule with the names that a backward function has for what the rule reads."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def called(rule: Callable[..., Any], number: int, arguments: list[str]) -> str:
    """Source of what the rule returns: a call of it, or, where it is text, that text itself."""
    text = getattr(rule, "text", None)
    if text is None:
        return f"rule{number}({', '.join(arguments)})"
    names = dict(zip(inspect.signature(rule).parameters, arguments, strict=True))
    return f"({ast.unparse(_Renamed(names).visit(ast.parse(text, mode='eval')))})"
