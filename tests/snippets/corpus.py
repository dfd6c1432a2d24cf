"""Reads the attacks: one file a family, each attack under a heading.

``(first)`` marks those that only the first wall stops.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "attacks"


@dataclass(frozen=True)
class Attack:
    """One attack; it prints WON when it got what it wanted."""

    family: str
    name: str
    first_wall_only: bool
    source: str

    def __str__(self) -> str:
        return f"{self.family}: {self.name}"

    def aimed(self, canary: Path, target: Path, port: int) -> str:
        """The program with the file to read, the file to write and the port to connect to put in."""
        source = self.source
        for mark, value in (("{canary}", canary), ("{target}", target), ("{port}", port)):
            source = source.replace(mark, str(value))
        return source


def attacks(*families: str) -> list[Attack]:
    """The attacks of the families named, or all."""
    found = []
    for path in sorted(FOLDER.glob("*.py")):
        if families and path.stem not in families:
            continue
        for part in path.read_text(encoding="utf-8").split("#### ")[1:]:
            head, source = part.split("\n", 1)
            first = head.endswith("(first)")
            found.append(Attack(path.stem, head.removesuffix("(first)").strip(), first, source))
    return found
