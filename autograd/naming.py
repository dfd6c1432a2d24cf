"""Which names a program's statements assign, by line: so that a trace can call tensors by the learner's names."""

from __future__ import annotations

import ast
from types import FrameType
from typing import Any

#: for a line: the names its statement assigns, each with the way to reach it (``("net", "w")`` for ``net.w``)
Assignments = dict[int, list[tuple[str, tuple[str, ...]]]]


def assignments(source: str) -> Assignments:
    """The names that the statements of ``source`` assign, under every line that a statement touches."""
    found: Assignments = {}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return found
    for statement in ast.walk(tree):
        if isinstance(statement, ast.Assign):
            targets = statement.targets
        elif isinstance(statement, (ast.AugAssign, ast.AnnAssign, ast.NamedExpr)):
            targets = [statement.target]
        else:
            continue
        lines = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
        for target in targets:
            _note(target, lines, found)
    return found


def _note(target: ast.expr, lines: range, found: Assignments) -> None:
    if isinstance(target, (ast.Tuple, ast.List)):
        for each in target.elts:
            _note(each, lines, found)
        return
    if isinstance(target, ast.Starred):
        _note(target.value, lines, found)
        return
    path: list[str] = []
    at = target
    while isinstance(at, ast.Attribute):
        path.append(at.attr)
        at = at.value
    if isinstance(at, ast.Name):
        path.append(at.id)
        way = tuple(reversed(path))
        for line in lines:
            found.setdefault(line, []).append((".".join(way), way))


def value_at(frame: FrameType, way: tuple[str, ...]) -> Any:
    """What ``way`` leads to in ``frame``, through attributes that objects hold in their ``__dict__``; None if
    nothing.
    """
    value = frame.f_locals.get(way[0])
    for attribute in way[1:]:
        value = getattr(value, "__dict__", {}).get(attribute)
    return value
