"""How the course writes values and reads the numbers that learners type."""

from __future__ import annotations

import math
from typing import Any

_MINUS = str.maketrans({"−": "-", "–": "-", ",": "."})


def show(value: Any) -> str:
    """A value of a run as a learner reads it.

    ``value`` is an entry of ``Result.values`` (numbers, strings, booleans, None, and the dicts that stand for tensors,
    arrays and lists). Numbers get at least four significant digits and no trailing zeros: 0.30000001 is "0.3".
    """
    match value:
        case None | bool():
            return str(value)
        case str():
            return value
        case int():
            return str(value)
        case float():
            return _number(value)
        case {"kind": "tensor" | "ndarray", "data": data}:
            return show(data)
        case {"kind": "list", "items": items}:
            return show(items)
        case list() | tuple():
            return "[" + ", ".join(show(item) for item in value) + "]"
    raise TypeError(f"a value of this kind cannot be shown in a question: {value!r}")


def _number(value: float) -> str:
    if not math.isfinite(value):
        return {math.inf: "inf", -math.inf: "-inf"}.get(value, "nan")
    size = abs(value)
    if value == 0:
        return "0"
    if size >= 1e9 or size < 1e-5:
        return f"{value:.4g}"
    before_point = max(1, math.floor(math.log10(size)) + 1) if size >= 1 else math.floor(math.log10(size)) + 1
    text = f"{value:.{max(2 if size >= 1 else 4, 4 - before_point)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text in ("-0", "") else text


def as_number(value: Any) -> float:
    """A value of a run that is one number. Raises TypeError when it is not."""
    if isinstance(value, dict) and value.get("kind") in ("tensor", "ndarray"):
        return as_number(value["data"])
    if value in ("nan", "inf", "-inf"):
        return float(value)
    if isinstance(value, int | float):
        return float(value)
    raise TypeError(f"not a number: {value!r}")


def read(text: str) -> float:
    """The number a learner typed: ``8``, ``-0.5``, ``1e-3``, ``1/3``; a decimal comma is accepted.

    Raises ValueError with a message for the learner.
    """
    cleaned = text.strip().translate(_MINUS)
    if not cleaned:
        raise ValueError("Type a number.")
    top, slash, bottom = cleaned.partition("/")
    try:
        number = float(top) / float(bottom) if slash else float(cleaned)
    except ZeroDivisionError:
        raise ValueError("Dividing by zero gives no number.") from None
    except (ValueError, OverflowError):
        raise ValueError(f"“{text.strip()[:40]}” is not a number. Write it like 8, -0.5 or 1/3.") from None
    if not math.isfinite(number):
        raise ValueError("The answer is an ordinary finite number.")
    return number
