"""Which names a value reaches, followed through the source: also where no tensor carries it."""

from __future__ import annotations

import ast
from collections.abc import Set

from snippets.diagnose.source import Source, called, names, receiver


def bound_by(source: Source, statement: ast.AST | None) -> set[str]:
    """The names that receive a value in a statement: targets, the list of an append, the function of a return."""
    if isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return {part.id for target in targets for part in ast.walk(target) if isinstance(part, ast.Name)} - {
            index.id
            for target in targets
            for part in ast.walk(target)
            if isinstance(part, ast.Subscript)
            for index in ast.walk(part.slice)
            if isinstance(index, ast.Name)
        }
    if (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and called(statement.value) in ("append", "extend", "insert", "copy_", "fill_", "add_")
    ):
        return {receiver(statement.value).split(".")[0].split("[")[0]}
    if isinstance(statement, ast.Return):
        return {function.name for function in source.around(statement, ast.FunctionDef)[:1]}  # type: ignore[attr-defined]
    if isinstance(statement, ast.For):
        return {part.id for part in ast.walk(statement.target) if isinstance(part, ast.Name)}
    return set()


def computed_from(source: Source, start: set[str], *, stop: Set[str] = frozenset()) -> set[str]:
    """``start`` and every name that is computed from it, whatever the order of the lines (a loop comes round again).

    Names in ``stop`` do not pass it on.
    """
    reached, before = set(start) - stop, -1
    while len(reached) != before:
        before = len(reached)
        for statement in source.all:
            read = _read_by(statement)
            if read is not None and names(read) & reached:
                reached |= bound_by(source, statement) - stop
    return reached


def _read_by(statement: ast.AST) -> ast.AST | None:
    if isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Return):
        return statement.value
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        return ast.Tuple(elts=list(statement.value.args), ctx=ast.Load())
    return statement.iter if isinstance(statement, ast.For) else None
