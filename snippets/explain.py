"""Explains an error message in plain words: what PyTorch means by it, its usual causes, and what to look at.

The table is ``assets/symptoms/messages.toml``. A message it does not know gets no made-up answer.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

TABLE = Path(__file__).resolve().parent.parent / "assets" / "symptoms" / "messages.toml"

#: Longer texts are cut: a traceback's end is what matters.
LONGEST = 20_000

_FRAME = re.compile(r'File "(?P<file>[^"\n]+)", line (?P<line>\d+)(?:, in \S+)?\n\s*(?P<code>[^\n]+)')
_ENDING = re.compile(
    r"^(?P<type>[A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Iteration)): ?(?P<said>.*)$", re.MULTILINE
)

#: What an exception says by its type alone, for messages that are not in the table.
TYPES = {
    "NameError": "Python met a name that nothing has been assigned to: a misspelling, or a line that did not run yet.",
    "UnboundLocalError": "A local variable is read before it is assigned in this function.",
    "KeyError": "A dictionary has no such key.",
    "IndexError": "An index lies beyond the end.",
    "AttributeError": "The object has no such attribute or method: a misspelling, or an object of another kind.",
    "ModuleNotFoundError": "Python found no module of that name in this environment.",
    "ImportError": "The module is there, but not the name that is imported from it.",
    "SyntaxError": "Python cannot read the line: often a bracket or a colon is missing on the line before.",
    "IndentationError": "The line is not indented as its block is.",
    "ZeroDivisionError": "A Python number was divided by zero.",
    "TypeError": "A function or operator got a value of a kind it does not take, or another number of arguments.",
    "ValueError": "The kind of the value is right, the value itself is not.",
    "AssertionError": "An assert in the program did not hold.",
    "NotImplementedError": "The operation exists, but not for these arguments.",
    "RecursionError": "A function calls itself too many times.",
    "FileNotFoundError": "There is no such file, seen from the folder the program runs in.",
}


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a message means. ``said`` is the sentence of PyTorch's that was recognised.

    ``concept`` is the slug of a card and ``symptom`` that of a decision path, or None. ``where`` is (file, line, code)
    of the last place in the reader's own code that the traceback names.
    """

    title: str
    means: str
    causes: tuple[str, ...]
    look: tuple[str, ...]
    said: str
    concept: str | None = None
    symptom: str | None = None
    where: tuple[str, int, str] | None = None


@dataclass(frozen=True, slots=True)
class Unknown:
    """A message that is not in the table: what its type alone says (None when there is none), and the place."""

    type: str | None
    general: str | None
    where: tuple[str, int, str] | None = None


def explain(text: str) -> Explanation | Unknown | None:
    """The explanation of a pasted message, warning or traceback; None when nothing was pasted."""
    text = text.strip()[-LONGEST:]
    if not text:
        return None
    where = _where(text)
    flat = re.sub(r"\s+", " ", text)
    for pattern, entry in _table():
        found = pattern.search(flat)
        if found:
            return _filled(entry, found, where)
    endings = list(_ENDING.finditer(text))
    kind = endings[-1]["type"].rpartition(".")[2] if endings else None
    return Unknown(kind, TYPES.get(kind or ""), where)


def patterns() -> list[str]:
    """The expressions of the table, in order."""
    return [pattern.pattern for pattern, _ in _table()]


@lru_cache(maxsize=1)
def _table() -> list[tuple[re.Pattern[str], dict[str, Any]]]:
    entries = tomllib.loads(TABLE.read_text(encoding="utf-8"))["message"]
    return [(re.compile(entry["match"]), entry) for entry in entries]


def _filled(entry: dict[str, Any], found: re.Match[str], where: tuple[str, int, str] | None) -> Explanation:
    groups = {name: value or "value" for name, value in found.groupdict().items()}
    first = next((group for group in found.groups() if group), "value") if found.groups() else "value"

    def fill(text: str) -> str:
        for name, value in groups.items():
            text = text.replace("{" + name + "}", value)
        return text.replace("{0}", first)

    return Explanation(
        title=fill(entry["title"]),
        means=fill(entry["means"]),
        causes=tuple(map(fill, entry["causes"])),
        look=tuple(map(fill, entry["look"])),
        said=found.group(0),
        concept=entry.get("concept"),
        symptom=entry.get("symptom"),
        where=where,
    )


def _where(text: str) -> tuple[str, int, str] | None:
    """The last frame of a traceback that is not inside an installed package."""
    own = [
        frame
        for frame in _FRAME.finditer(text)
        if "site-packages" not in frame["file"] and "/lib/python" not in frame["file"]
    ]
    if not own:
        return None
    return own[-1]["file"].replace("\\", "/").rpartition("/")[2], int(own[-1]["line"]), own[-1]["code"].strip()


__all__ = ["Explanation", "Unknown", "explain", "patterns"]
