"""Questions about the text of a snippet: which statement, which loop, which call, which names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property


class Source:
    """The syntax tree of a snippet with parent links. ``tree`` is empty when the text does not parse."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = text.splitlines()
        try:
            self.tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            self.tree = ast.parse("")
        self.parent: dict[ast.AST, ast.AST] = {}
        self.all: list[ast.AST] = []
        stack: list[ast.AST] = [self.tree]
        while stack:
            node = stack.pop()
            self.all.append(node)
            for child in ast.iter_child_nodes(node):
                self.parent[child] = node
                stack.append(child)
        self.all.sort(key=lambda n: (getattr(n, "lineno", 0), getattr(n, "col_offset", 0)))

    def line(self, number: int | None) -> str:
        """The text of a line, stripped of indentation and comment; empty when there is none."""
        if number is None or not 1 <= number <= len(self.lines):
            return ""
        text = self.lines[number - 1]
        for statement in self.all:
            if isinstance(statement, ast.stmt) and statement.lineno == number and statement.end_lineno == number:
                segment = ast.get_source_segment(self.text, statement)
                if segment:
                    return segment
        return text.split("  #")[0].strip()

    def calls(self, *names: str) -> Iterator[ast.Call]:
        """Every call whose function's last name is one of ``names``, top to bottom."""
        for node in self.all:
            if isinstance(node, ast.Call) and called(node) in names:
                yield node

    def attributes(self, name: str) -> Iterator[ast.Attribute]:
        """Every ``<something>.name``, top to bottom."""
        for node in self.all:
            if isinstance(node, ast.Attribute) and node.attr == name:
                yield node

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement around ``node`` (itself when it is one)."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = self.parent.get(current)
        return current

    def statement_at(self, line: int | None) -> ast.stmt | None:
        """The innermost statement that covers ``line``."""
        return None if line is None else self._innermost.get(line)

    @cached_property
    def _innermost(self) -> dict[int, ast.stmt]:
        """The innermost statement of each line; of several on one line the last."""
        out: dict[int, ast.stmt] = {}
        for node in self.all:  # in the order of their lines, so that inner statements come later
            if isinstance(node, ast.stmt):
                out.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), node))
        return out

    def around(self, node: ast.AST, *types: type) -> list[ast.AST]:
        """The enclosing nodes of the given types, innermost first."""
        out = []
        current = self.parent.get(node)
        while current is not None:
            if isinstance(current, types):
                out.append(current)
            current = self.parent.get(current)
        return out

    def loops(self, node: ast.AST) -> list[ast.AST]:
        """The for and while loops around ``node``, innermost first."""
        return self.around(node, ast.For, ast.While)

    def segment(self, node: ast.AST) -> str:
        """The text of ``node``."""
        return ast.get_source_segment(self.text, node) or ast.unparse(node)

    def with_argument(self, call: ast.Call, argument: str) -> str:
        """The text of a call with one more argument at its end."""
        text = self.segment(call)[:-1].rstrip().rstrip(",")
        return f"{text}{', ' if call.args or call.keywords else ''}{argument})"

    def line_with(self, line: int | None, old: ast.AST, new: str) -> str:
        """The statement of a line with ``new`` in place of a node of it."""
        text, part = self.line(line), self.segment(old)
        at = -1
        if line is not None and first_line(old) == line:
            raw = self.lines[line - 1]
            at = getattr(old, "col_offset", 0) - (len(raw) - len(raw.lstrip()))
        exact = at >= 0 and text[at : at + len(part)] == part
        return text[:at] + new + text[at + len(part) :] if exact else text.replace(part, new, 1)

    def reads(self, name: str, attribute: str | None = None) -> list[ast.AST]:
        """Where ``name`` (or ``name.attribute``) is read."""
        out: list[ast.AST] = []
        for node in self.all:
            if attribute is None:
                if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load):
                    out.append(node)
            elif (
                isinstance(node, ast.Attribute)
                and node.attr == attribute
                and isinstance(node.ctx, ast.Load)
                and ast.unparse(node.value) == name
            ):
                out.append(node)
        return out

    def assigned(self, statement: ast.AST) -> set[str]:
        """The plain names that ``statement`` binds (not those bound in nested functions)."""
        targets: list[ast.AST] = []
        if isinstance(statement, ast.Assign):
            targets = list(statement.targets)
        elif isinstance(statement, ast.AugAssign | ast.AnnAssign):
            targets = [statement.target]
        return {n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

    def marked_on(self, name: str) -> list[int]:
        """The lines that turn requires_grad on for ``name``."""
        calls = [c.lineno for c in self.calls("requires_grad_") if receiver(c) == name]
        flags = [
            s.lineno
            for s in self.all
            if isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == f"{name}.requires_grad"
        ]
        return sorted(calls + flags)

    def under_no_grad(self, node: ast.AST) -> bool:
        """Whether ``node`` stands in a ``with`` block (or decorated function) that records nothing."""
        for block in self.around(node, ast.With, ast.FunctionDef):
            managers = (
                [item.context_expr for item in block.items]
                if isinstance(block, ast.With)
                else list(block.decorator_list)  # type: ignore[attr-defined]
            )
            for manager in managers:
                if mentions(manager, "no_grad") or mentions(manager, "inference_mode"):
                    return True
        return False

    def under_no_grad_line(self, line: int | None) -> bool:
        """Whether the statement at ``line`` stands where nothing is recorded."""
        statement = self.statement_at(line)
        return statement is not None and self.under_no_grad(statement)


def first_line(node: ast.AST) -> int:
    """The line on which ``node`` begins (0 when it has none)."""
    return getattr(node, "lineno", 0)


def last_line(node: ast.AST) -> int:
    """The line on which ``node`` ends (0 when it has none)."""
    return getattr(node, "end_lineno", None) or first_line(node)


def covers(node: ast.AST, line: int | None) -> bool:
    """Whether ``line`` lies within ``node``; everything lies within a module."""
    return line is not None and (isinstance(node, ast.Module) or first_line(node) <= line <= last_line(node))


def called(call: ast.Call) -> str:
    """The last name of what is called: ``backward`` for ``loss.backward()``."""
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def receiver(call: ast.Call) -> str:
    """What a method is called on, as text: ``loss`` for ``loss.backward()``; empty for a plain function."""
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """The value of a keyword argument, or None."""
    return next((k.value for k in call.keywords if k.arg == name), None)


def mentions(node: ast.AST, name: str) -> bool:
    """Whether a name or attribute ``name`` occurs in ``node``."""
    return any(
        (isinstance(n, ast.Name) and n.id == name) or (isinstance(n, ast.Attribute) and n.attr == name)
        for n in ast.walk(node)
    )


def names(node: ast.AST) -> set[str]:
    """The plain names read in ``node``."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}


def target_of_write(statement: ast.stmt) -> str | None:
    """What a statement writes to in place, as text: ``x`` for ``x.add_(1)``, ``x += 1`` and ``x[0] = 1``; else None."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        name = called(statement.value)
        return receiver(statement.value).split("[")[0] if name.endswith("_") and not name.endswith("__") else None
    if isinstance(statement, ast.AugAssign):
        return ast.unparse(statement.target).split("[")[0]
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        return ast.unparse(statement.targets[0].value)
    return None
