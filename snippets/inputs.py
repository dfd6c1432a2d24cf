"""The numbers at the top of a program that a reader may want to change, found and replaced in its text."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

#: Calls whose first argument is the value of a tensor.
_MAKERS = {"torch.tensor", "torch.as_tensor", "tensor", "nn.Parameter", "torch.nn.Parameter"}
LARGEST = 64
LONGEST = 24


@dataclass(frozen=True, slots=True)
class Input:
    """One literal: ``x = torch.tensor(<literal>)`` or ``k = <number>`` at the top level.

    ``value`` is a number or nested lists of numbers; ``start`` and ``end`` are the literal's place in the text.
    """

    name: str
    line: int
    value: Any
    start: int
    end: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the value, ``()`` for a number."""
        return _shape(self.value)


def find(source: str) -> list[Input]:
    """The inputs of a program in the order of its lines; none when it is no Python.

    A name that is given a literal twice is an input at its first place only.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    starts = _line_starts(source)
    found: dict[str, Input] = {}
    for statement in tree.body:
        target, value = _assignment(statement)
        if target is None or value is None or target in found:
            continue
        literal = _literal(value)
        if literal is None:
            continue
        try:
            number = _number(literal)
        except ValueError:
            continue
        begin = _place(source, starts, literal.lineno, literal.col_offset)
        end = _place(source, starts, literal.end_lineno or literal.lineno, literal.end_col_offset or 0)
        found[target] = Input(target, literal.lineno, number, begin, end)
    return list(found.values())


def replace(source: str, values: Mapping[str, Any]) -> str:
    """``source`` with the literals of the inputs named in ``values`` replaced; everything else stays as it is.

    ValueError, with a message for the reader, when a name is no input, or a value is no number or has another shape.
    """
    inputs = {item.name: item for item in find(source)}
    edits = []
    for name, value in values.items():
        item = inputs.get(name)
        if item is None:
            known = ", ".join(inputs) or "none"
            raise ValueError(f"{name} is no input of this program (its inputs: {known})")
        edits.append((item.start, item.end, text_of(name, value, item)))
    for start, end, text in sorted(edits, reverse=True):
        source = source[:start] + text + source[end:]
    return source


def parse(text: str) -> Any:
    """What a reader typed into a field: a number, or nested lists of numbers. ValueError says what is wrong."""
    text = text.strip().replace("\N{MINUS SIGN}", "-")
    if not text:
        raise ValueError("A number is missing here")
    if len(text) > 4000:
        raise ValueError("This is too long for an input")
    if text.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        raise ValueError("nan and inf are no numbers to start from; type an ordinary number")
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{text[:40]!r} is not a number") from None
    return _number(node)


def text_of(name: str, value: Any, like: Input) -> str:
    """The literal that puts ``value`` in the place of ``like``; integers stay integers only where one stood before."""
    if isinstance(value, str):
        value = parse(value)
    whole = _all_whole(like.value)
    plain = _checked(name, value, whole)
    if _shape(plain) != like.shape:
        raise ValueError(f"{name} is {_words(like.shape)}, and this is {_words(_shape(plain))}")
    return repr(plain)


def _checked(name: str, value: Any, whole: bool) -> Any:
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_checked(name, item, whole) for item in value]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{name} must be a number, not {str(value)[:40]!r}")
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} must be a finite number, not {value}")
    if abs(value) > 1e30:
        raise ValueError(f"{name} is too large; stay below 1e30")
    if whole:
        if value != int(value):
            raise ValueError(f"{name} must be a whole number, as it is in the program")
        return int(value)
    return float(value)


def _assignment(statement: ast.stmt) -> tuple[str | None, ast.expr | None]:
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return None, None
    if not isinstance(target, ast.Name) or target.id.startswith("_"):
        return None, None
    return target.id, value


def _literal(value: ast.expr) -> ast.expr | None:
    """The literal behind ``value``: itself, or the first argument of a call that makes a tensor of it."""
    while isinstance(value, ast.Call):
        name = _dotted(value.func)
        if name in _MAKERS and value.args and not isinstance(value.args[0], ast.Starred):
            value = value.args[0]
            continue
        return None
    return value


def _dotted(node: ast.expr) -> str:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(parts)])


def _number(node: ast.expr) -> Any:
    count = sum(1 for part in ast.walk(node) if isinstance(part, ast.Constant))
    if count > LARGEST:
        raise ValueError(f"At most {LARGEST} numbers can be changed")
    return _value(node)


def _value(node: ast.expr) -> Any:
    if isinstance(node, (ast.List, ast.Tuple)) and node.elts:
        items = [_value(item) for item in node.elts]
        if len({_shape(item) for item in items}) != 1:
            raise ValueError("The rows have different lengths")
        return items
    sign = 1
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        sign = -sign if isinstance(node.op, ast.USub) else sign
        node = node.operand
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, (int, float)) and not isinstance(value, bool) and len(repr(value)) <= LONGEST:
        if math.isfinite(value):
            return sign * value
        raise ValueError("This number is too large")
    raise ValueError("This is not a number")


def _shape(value: Any) -> tuple[int, ...]:
    if isinstance(value, (list, tuple)):
        return (len(value), *(_shape(value[0]) if value else ()))
    return ()


def _all_whole(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_all_whole(item) for item in value)
    return isinstance(value, int)


def _words(shape: tuple[int, ...]) -> str:
    return f"an array of {' x '.join(map(str, shape))} numbers" if shape else "a single number"


def _line_starts(source: str) -> list[int]:
    starts = [0]
    starts += [end.end() for end in re.finditer(r"\r\n|\r|\n", source)]  # what Python counts as ends of lines
    return starts


def _place(source: str, starts: list[int], line: int, column: int) -> int:
    """The index into ``source`` of a place that Python's parser gives in bytes of UTF-8."""
    start = starts[line - 1]
    text = source[start : starts[line]] if line < len(starts) else source[start:]
    return start + len(text.encode("utf-8")[:column].decode("utf-8"))
