"""The example programs in ``assets/examples``: PyTorch programs with a title and a line or two about them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_NAME = re.compile(r"[a-z0-9-]+")
FOLDER = Path(__file__).resolve().parent.parent / "assets" / "examples"


@dataclass(frozen=True, slots=True)
class Example:
    """One example; ``source`` begins at its first line of code, so that line numbers are those the reader sees."""

    name: str
    title: str
    summary: str
    source: str


class UnknownExample(KeyError):
    """There is no example of that name."""

    def __str__(self) -> str:
        return str(self.args[0])


def names() -> list[str]:
    """The names of all examples, in alphabetical order."""
    return sorted(path.stem.replace("_", "-") for path in FOLDER.glob("*.py"))


def load(name: str) -> Example:
    """The example ``name``; :class:`UnknownExample` when there is none."""
    path = FOLDER / f"{name.replace('-', '_')}.py"
    if not _NAME.fullmatch(name) or not path.is_file():
        raise UnknownExample(f"there is no example called {name!r}")
    return _read(name, path, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _read(name: str, path: Path, changed: int) -> Example:
    lines = path.read_text(encoding="utf-8").splitlines()
    head = 0
    while head < len(lines) and lines[head].startswith("#"):
        head += 1
    comments = [line.removeprefix("#").strip() for line in lines[:head]]
    while head < len(lines) and not lines[head].strip():
        head += 1
    title = comments[0] if comments else name
    return Example(name, title, " ".join(comments[1:]), "\n".join(lines[head:]) + "\n")
