"""The symptoms the Doctor page begins from: a decision path for each, a broken program and its repaired twin.

``assets/symptoms/<slug>.toml`` holds the path, ``<slug>_broken.py`` and ``<slug>_repaired.py`` the programs.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "symptoms"


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer: what it means, the repair as code, a concept card, and the question it leads to (None at an end)."""

    says: str
    means: str
    fix: str | None
    concept: str | None
    next: str | None


@dataclass(frozen=True, slots=True)
class Question:
    """A question of the path; ``how`` is a line of code that answers it, or None."""

    id: str
    ask: str
    how: str | None
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Symptom:
    """A symptom as people meet it. ``category`` is what the Doctor says about the broken program."""

    slug: str
    order: int
    title: str
    short: str
    means: str
    concept: str
    category: str
    questions: tuple[Question, ...]
    broken: str
    repaired: str

    def question(self, id: str) -> Question:
        """The question of that id; KeyError when there is none."""
        for question in self.questions:
            if question.id == id:
                return question
        raise KeyError(id)


@lru_cache(maxsize=1)
def all() -> tuple[Symptom, ...]:
    """Every symptom, in the order of the page."""
    found = [_read(path) for path in FOLDER.glob("*.toml") if path.name != "messages.toml"]
    return tuple(sorted(found, key=lambda symptom: symptom.order))


def slugs() -> list[str]:
    """The slugs, in the order of the page."""
    return [symptom.slug for symptom in all()]


def get(slug: str) -> Symptom:
    """The symptom of that slug; KeyError when there is none."""
    for symptom in all():
        if symptom.slug == slug:
            return symptom
    raise KeyError(slug)


def _read(path: Path) -> Symptom:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    stem = path.stem.replace("-", "_")
    programs = [(FOLDER / f"{stem}_{kind}.py").read_text(encoding="utf-8") for kind in ("broken", "repaired")]
    return Symptom(
        slug=data["slug"],
        order=data["order"],
        title=data["title"],
        short=data["short"],
        means=data["means"].strip(),
        concept=data["concept"],
        category=data["category"],
        questions=tuple(map(_question, data["question"])),
        broken=programs[0],
        repaired=programs[1],
    )


def _question(data: dict[str, Any]) -> Question:
    answers = tuple(
        Answer(one["says"], one["means"], one.get("fix"), one.get("concept"), one.get("next")) for one in data["answer"]
    )
    return Question(data["id"], data["ask"], data.get("try"), answers)
