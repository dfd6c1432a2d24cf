"""How well a learner knows each concept, and what to do next."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import select

from course import concepts
from course.store import Attempt, Item, Practice, Seen, Store

#: From this mastery on a concept counts as learnt.
LEARNT = 0.75

State = Literal["new", "seen", "shaky", "learnt"]


@dataclass(frozen=True)
class Mastery:
    """What is known about one concept. ``value`` is 0 to 1, None before the first answer."""

    concept: str
    state: State
    value: float | None
    answers: int
    last: datetime | None


@dataclass(frozen=True)
class NextThing:
    """What to do next: open a card (``concept``), or the test."""

    kind: Literal["first", "continue-test", "repeat", "next", "test", "retake"]
    concept: str | None = None


def of(store: Store, learner: str) -> dict[str, Mastery]:
    """The learner's mastery of every concept, in the order of the concepts."""
    evidence: dict[str, list[tuple[datetime, float]]] = defaultdict(list)
    with store.reading() as session:
        opened = session.execute(select(Seen.concept, Seen.last).where(Seen.learner_id == learner))
        seen = {row.concept: row.last for row in opened}
        cards = session.execute(
            select(Practice.concept, Practice.at, Practice.score).where(Practice.learner_id == learner)
        )
        tests = session.execute(
            select(Item.concept, Attempt.finished, Item.score)
            .join(Attempt)
            .where(Attempt.learner_id == learner, Attempt.finished.is_not(None))
        )
        for concept, at, score in [*cards, *tests]:
            if at is not None:
                evidence[concept].append((at, score or 0.0))
    return {slug: _mastery(slug, evidence[slug], seen.get(slug)) for slug in concepts.SLUGS}


def weigh(scores: Iterable[float]) -> float:
    """One number from scores given newest first: each counts half as much as the one after it."""
    total = weights = 0.0
    for age, score in enumerate(scores):
        weight = 0.5**age
        total += weight * score
        weights += weight
    return total / weights if weights else 0.0


def weakest(known: Mapping[str, Mastery], count: int = 3) -> list[Mastery]:
    """The concepts answered worst so far, the worst first; learnt ones are left out."""
    shaky = [one for one in known.values() if one.state == "shaky"]
    return sorted(shaky, key=lambda one: one.value or 0.0)[:count]


def next_thing(known: Mapping[str, Mastery], *, open_test: bool, tests: int) -> NextThing:
    """What helps most now: an open test, then the weakest concept, then the next new one, then the test."""
    if open_test:
        return NextThing("continue-test")
    if all(one.state == "new" for one in known.values()):
        return NextThing("first", next(iter(known)))
    shaky = weakest(known, 1)
    if shaky:
        return NextThing("repeat", shaky[0].concept)
    rest = [one.concept for one in known.values() if one.state != "learnt"]
    if rest:
        return NextThing("next", rest[0])
    return NextThing("retake" if tests else "test")


def _mastery(slug: str, evidence: list[tuple[datetime, float]], seen: datetime | None) -> Mastery:
    newest_first = sorted(evidence, reverse=True)
    if not newest_first:
        return Mastery(slug, "seen" if seen else "new", None, 0, seen)
    value = weigh(score for _, score in newest_first)
    last = max(moment for moment in (newest_first[0][0], seen) if moment is not None)
    return Mastery(slug, "learnt" if value >= LEARNT else "shaky", value, len(newest_first), last)
