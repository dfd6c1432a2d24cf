"""How numbers, arrays, shapes and expressions are written for a reader.

Everything that shows a trace (pictures, narration, tables, the command line) writes through this module, so that a
number looks the same wherever it stands.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from autograd.trace import TraceNode, Value

#: What stands where there is no value yet.
NOTHING = "–"

#: An array is written out in a picture up to this many characters, otherwise it is summarised.
SHORT_WIDTH = 16

_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
_POWER = re.compile(r"\s*\*\*\s*(-?\d{1,2})(?![\w.])")
_TIMES = re.compile(r"\s*(?<!\*)\*(?!\*)\s*")
_SPACES = re.compile(r"\s+")


def number(value: float | int | bool | str) -> str:
    """A scalar in at most five significant digits: ``6``, ``0.33333``, ``1.5e-08``, ``nan``, ``True``."""
    if isinstance(value, (str, bool)):
        return str(value)
    if isinstance(value, int):
        return str(value) if abs(value) < 10**9 else f"{value:.4e}"
    if value != value or value in (float("inf"), float("-inf")):
        return str(value)
    if value == int(value) and abs(value) < 1e6:
        return str(int(value))
    text = f"{value:.5g}"
    mantissa, _, exponent = text.partition("e")
    return f"{mantissa}e{int(exponent)}" if exponent else text


def shape(sizes: tuple[int, ...] | list[int]) -> str:
    """A shape as a reader says it: ``2×3``; ``scalar`` for no dimensions; ``3`` for one."""
    return "×".join(str(size) for size in sizes) if sizes else "scalar"


def is_array(value: Value) -> bool:
    """Whether a traced value is an array (a list or the summary of a large one)."""
    return isinstance(value, (list, tuple, dict))


def shape_of(value: Value) -> tuple[int, ...]:
    """The shape of a traced value."""
    if isinstance(value, dict):
        return tuple(value.get("shape", ()))
    sizes = []
    while isinstance(value, (list, tuple)):
        sizes.append(len(value))
        if not value:
            break
        value = value[0]
    return tuple(sizes)


def entries(value: Value) -> list[Any]:
    """The entries of a traced value in row-major order (the sample of a large array)."""
    if isinstance(value, dict):
        value = value.get("sample", [])
    flat, stack = [], [value]
    while stack:
        item = stack.pop()
        if isinstance(item, (list, tuple)):
            stack.extend(reversed(item))
        elif item is not None:
            flat.append(item)
    return flat


def full(value: Value) -> str:
    """A traced value written out: ``[[1, 2], [3, 4]]``; a large array as its summary."""
    if value is None:
        return NOTHING
    if isinstance(value, dict):
        return summary(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(full(item) for item in value) + "]"
    return number(value)


def summary(value: Value) -> str:
    """An array in a few words: shape, mean and Euclidean norm."""
    sizes = shape_of(value)
    if isinstance(value, dict):
        mean, norm = value.get("mean"), value.get("norm")
    else:
        flat = entries(value)
        if not flat or any(isinstance(item, str) for item in flat):
            return f"{shape(sizes)} " + (", ".join(number(item) for item in flat[:3]) + ", …" if flat else "(empty)")
        mean, norm = sum(flat) / len(flat), sum(item * item for item in flat) ** 0.5
    parts = [shape(sizes)]
    if mean is not None:
        parts.append(f"mean {number(mean)}")
    if norm is not None:
        parts.append(f"norm {number(norm)}")
    return ", ".join(parts)


def short(value: Value, width: int = SHORT_WIDTH) -> str:
    """A traced value for a small place: written out when it fits in ``width`` characters, otherwise shape and norm."""
    if value is None:
        return NOTHING
    if not is_array(value):
        return number(value)
    if not isinstance(value, dict):
        flat = entries(value)
        if len(flat) * 3 <= width + 2:
            text = full(value)
            if len(text) <= width:
                return text
    size = magnitude(value)
    sizes = shape(shape_of(value))
    return f"{sizes} ‖{number(float(f'{size:.3g}'))}‖" if size is not None else f"{sizes} nan"


def magnitude(value: Value) -> float | None:
    """The Euclidean norm of a traced value; None when it holds nan or infinity, or when there is none."""
    if value is None:
        return None
    if isinstance(value, dict):
        norm = value.get("norm")
        return float(norm) if isinstance(norm, (int, float)) else None
    flat = entries(value)
    if any(isinstance(item, str) for item in flat):
        return None
    return float(sum(float(item) ** 2 for item in flat) ** 0.5)


@lru_cache(maxsize=4096)
def expression(text: str, width: int = 26) -> str:
    """Code as mathematics, shortened: ``x ** 2`` becomes ``x²`` and ``2 * x`` becomes ``2·x``."""
    text = _SPACES.sub(" ", text.strip())
    text = _POWER.sub(lambda match: match.group(1).translate(_SUPERSCRIPT), text)
    text = _TIMES.sub("·", text)
    return text if len(text) <= width else text[: width - 1].rstrip() + "…"


def factor(text: str) -> str:
    """A number or symbol as it stands behind × or +: sums and negative numbers get parentheses."""
    depth = 0
    for place, letter in enumerate(text):
        depth += letter in "([{"
        depth -= letter in ")]}"
        if depth == 0 and letter in "+-−/" and (not place or text[place - 1] not in "eE(·×^⁻"):
            return f"({text})"
    return text


def operation(node: TraceNode) -> str:
    """What a node is, in one word: ``Pow``, ``leaf``, ``constant``."""
    if node.kind != "op":
        return node.kind
    if node.grad_fn:
        return _without_backward(node.grad_fn)
    return node.op or "op"


@lru_cache(maxsize=512)
def _without_backward(grad_fn: str) -> str:
    return re.sub(r"Backward\d*$", "", grad_fn)


def called(node: TraceNode, width: int = 22) -> str:
    """What a sentence calls a node: the learner's name for it, or its expression, or the operation's name."""
    if node.name:
        return node.name if len(node.name) <= width else node.name[: width - 1] + "…"
    if node.expr:
        written = expression(node.expr, 400)
        # The result of a layer is better known by its module than by all that went into it.
        return f"{node.scope} {operation(node)}" if len(written) > width and node.scope else expression(written, width)
    return f"{operation(node)} ({node.id})"


def titled(node: TraceNode) -> str:
    """The heading of a node's box: ``u = x²``, ``x``, or just the expression of a nameless result."""
    if node.name and node.expr:
        return f"{called(node)} = {expression(node.expr)}"
    return called(node, 26)
