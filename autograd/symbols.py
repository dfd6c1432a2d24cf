"""Expressions and rules as a reader writes them, with the learner's names: ``2 * x``, ``u + v``, ``2·x``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

LONGEST = 40


def literal(value: Any) -> str:
    """A number as it stands in an expression."""
    if isinstance(value, float):
        return f"{value:g}"
    return str(value)


def _plain(text: str) -> str:
    """``text`` without doubled brackets; a transposed transpose is the matrix itself."""
    text = text.replace("ᵀᵀ", "")
    start = text.find("((")
    while start >= 0:
        end = _closing(text, start)
        if _closing(text, start + 1) == end - 1:
            text = text[:start] + text[start + 1 : end] + text[end + 1 :]
        start = text.find("((", start + 1)
    return text


def _closing(text: str, start: int) -> int:
    """Where the bracket opened at ``start`` is closed."""
    depth = 0
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if depth == 0:
            return place
    return len(text)


def summed(rule: str, op: Any, upstream: Sequence[int], shape: Sequence[int]) -> str:
    """``rule`` with the sum that undoes broadcasting in front, where an operand of ``shape`` was repeated."""
    if op is None or "@" in rule or not (op.elementwise or op.name in _ADDING_A_PRODUCT):
        return rule
    extra = len(upstream) - len(shape)
    if extra < 0 or any(here not in (1, there) for here, there in zip(shape, upstream[extra:], strict=True)):
        return rule
    axes = [*range(extra), *(extra + i for i, n in enumerate(shape) if n == 1 and upstream[extra + i] != 1)]
    if not axes or not rule:
        return rule
    if len(axes) == len(upstream):
        return f"sum of {rule}"
    return f"sum over dim{'s' if len(axes) > 1 else ''} {', '.join(map(str, axes))} of {rule}"


#: Not elementwise, but what they add to the product is broadcast like it.
_ADDING_A_PRODUCT = frozenset({"addmm", "addmv", "addbmm", "baddbmm", "addr"})


class Writer:
    """Writes expressions of a trace's entries; each is worked out once."""

    def __init__(self, entries: list[Any]) -> None:
        self.entries = entries
        self.done: list[str | None] = [None] * len(entries)

    def expression(self, index: int) -> str:
        """How the operation of entry ``index`` is written; empty for leaves and constants."""
        # operands come before results, so working upwards needs no recursion
        entry = self.entries[index]
        if self.done[index] is None:
            self.done[index] = "" if entry.kind != "op" else self._write(entry)
        return self.done[index] or ""

    def operand(self, operand: Any, *, inner: bool = True) -> str:
        """An operand: its name, its number, or its own expression in brackets."""
        if not isinstance(operand, int):
            return literal(operand.value)
        entry = self.entries[operand]
        if entry.name:
            return str(entry.name)
        text = self.done[operand] or ""
        if not text or len(text) > LONGEST:
            return f"n{operand}"
        return f"({text})" if " " in text and inner else text

    def _key_part(self, part: Any) -> str:
        """One part of an index as it is written: ``1:3``, ``...``, ``mask``."""
        if isinstance(part, int):
            entry = self.entries[part]
            if not entry.name and entry.kind == "constant" and not entry.shape:
                return str(entry.kept)
            return self.operand(part, inner=False)
        value = part.value
        if isinstance(value, slice):
            ends = ["" if end is None else str(end) for end in (value.start, value.stop)]
            return ":".join(ends if value.step is None else [*ends, str(value.step)])
        return "..." if value is Ellipsis else str(value)

    def _names(self, entry: Any) -> dict[str, str]:
        op, params = entry.operation, entry.params
        names: dict[str, str] = {}
        if op.variadic:
            names[op.variadic] = ", ".join(self.operand(o, inner=False) for o in entry.operands)
        else:
            for name, operand in zip(op.input_names, entry.operands, strict=False):
                names[name] = self.operand(operand)
        for name, value in zip(op.param_names, params, strict=False):
            names[name] = literal(value) if not isinstance(value, tuple) else str(value)
        return names

    def _write(self, entry: Any) -> str:
        if entry.key is not None:
            source, parts = entry.key
            return f"{self.operand(source)}[{', '.join(self._key_part(p) for p in parts)}]"
        op = entry.operation
        if op is None:
            if entry.shown[:1].isupper():  # a custom function
                return f"{entry.shown}({', '.join(self.operand(o, inner=False) for o in entry.operands)})"
            first = self.operand(entry.operands[0]) if entry.operands else ""
            return f"{first}.{entry.shown}()" if first else str(entry.shown)
        symbol = op.symbol
        if entry.shown.endswith("_") and not op.name.endswith("_"):
            rest = ", ".join(self.operand(o, inner=False) for o in entry.operands[1:])
            return f"{self.operand(entry.operands[0])}.{entry.shown}({rest})"
        names = self._names(entry)
        if entry.reflected and len(entry.operands) == 2 and symbol and op.name in ("add", "mul"):
            a, b = op.input_names
            names[a], names[b] = names[b], names[a]
        if symbol is None:
            return f"{entry.shown}({', '.join(self.operand(o, inner=False) for o in entry.operands)})"
        if symbol.startswith(entry.shown + "("):
            inner = [self.operand(o, inner=False) for o in entry.operands]
            if not op.variadic:
                names.update(zip(op.input_names, inner, strict=False))
        try:
            return str(symbol.format(**names)).replace("[None:", "[:").replace(":None]", ":]")
        except (KeyError, IndexError, ValueError):
            return f"{entry.shown}({', '.join(names.values())})"

    def rule(self, op: Any, position: int, here: int, scalar: bool) -> str:
        """The local derivative (of a scalar) or the VJP (of an array) for input ``position``, in symbols."""
        if op is None:
            return "" if scalar else "Jᵀ·g"
        entry = self.entries[here]
        if op.variadic:
            return "1" if scalar else "its part of g"
        name = op.input_names[position] if position < len(op.input_names) else ""
        names = self._names(entry) if entry.operation is not None else {}
        if not scalar and name in op.rule:
            return self._fill(op.rule[name], names, entry)
        local = op.local.get(name)
        if local is None:
            return "" if scalar else "Jᵀ·g"
        text = self._fill(local, names, entry)
        if scalar:
            return text
        if not op.elementwise:
            return text if "g" in text.split() or "@" in text else "g" if text == "1" else f"g · {text}"
        whole = " " not in text or (text.startswith("(") and _closing(text, 0) == len(text) - 1)
        return "g" if text == "1" else "-g" if text == "-1" else f"g · {text}" if whole else f"g · ({text})"

    def _fill(self, template: Any, names: dict[str, str], entry: Any) -> str:
        if callable(template):
            op, params = entry.operation, entry.params
            values = dict(zip(op.param_names, params, strict=False))
            try:
                return _plain(str(template(names, values)))
            except (KeyError, TypeError):
                return ""
        try:
            return _plain(str(template.format(**names)))
        except (KeyError, IndexError):
            return str(template)
