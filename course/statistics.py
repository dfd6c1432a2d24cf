"""Item statistics for teachers: how hard each question is and how well it tells learners apart."""

from __future__ import annotations

import statistics
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import select

from course import concepts, mastery
from course.store import Attempt, Learner, Store

#: Below so many answers facility and discrimination are little more than chance.
ENOUGH = 30


@dataclass(frozen=True)
class ItemStatistics:
    """One question, or all questions of one concept.

    ``facility`` is the mean score (0 to 1); ``discrimination`` the corrected point-biserial: the correlation of the
    score on this item with the score on the rest of the test, None when either does not vary. ``misconceptions`` counts
    the named mistakes.
    """

    name: str
    concept: str
    answers: int
    facility: float
    discrimination: float | None
    misconceptions: dict[str, int] = field(default_factory=dict)

    @property
    def enough(self) -> bool:
        """Whether there are answers enough to rely on the two numbers."""
        return self.answers >= ENOUGH


@dataclass(frozen=True)
class Scored:
    """One graded question inside one attempt; ``rest`` is the score on the attempt's other questions."""

    question: str
    concept: str
    score: float
    rest: float
    misconceptions: tuple[str, ...] = ()


@dataclass(frozen=True)
class LearnerOverview:
    """One line of the class overview."""

    learner: str
    attempts: int
    first: float | None
    best: float | None
    latest: float | None
    learnt: int
    mastery: dict[str, float | None]


def scored(store: Store, *, first_only: bool) -> list[Scored]:
    """All graded answers given here (not uploaded ones); with ``first_only`` each learner's first attempt only."""
    out: list[Scored] = []
    with store.reading() as session:
        attempts = session.scalars(
            select(Attempt)
            .where(Attempt.finished.is_not(None), Attempt.imported.is_(False))
            .order_by(Attempt.started, Attempt.id)
        )
        met: set[str] = set()
        for attempt in attempts:
            if first_only and attempt.learner_id in met:
                continue
            met.add(attempt.learner_id)
            total = sum(item.score or 0.0 for item in attempt.items)
            out += [
                Scored(
                    item.question,
                    item.concept,
                    item.score or 0.0,
                    total - (item.score or 0.0),
                    tuple(item.misconceptions),
                )
                for item in attempt.items
            ]
    return out


def by_question(answers: Iterable[Scored]) -> list[ItemStatistics]:
    """The statistics of each question that was answered, hardest first."""
    return _grouped(answers, lambda one: one.question)


def by_concept(answers: Iterable[Scored]) -> list[ItemStatistics]:
    """The statistics of each concept that was tested, hardest first."""
    return _grouped(answers, lambda one: one.concept)


def discrimination(scores: Sequence[float], rests: Sequence[float]) -> float | None:
    """Corrected point-biserial correlation: item against the rest of the test without it."""
    if len(scores) < 2:
        return None
    try:
        return statistics.correlation(scores, rests)
    except statistics.StatisticsError:  # one of them does not vary
        return None


def overview(store: Store) -> list[LearnerOverview]:
    """Every learner with attempts, scores and mastery."""
    with store.reading() as session:
        ids = list(session.scalars(select(Learner.id).order_by(Learner.id)))
        finished = session.execute(
            select(Attempt.learner_id, Attempt.score).where(Attempt.finished.is_not(None)).order_by(Attempt.finished)
        )
        scores: dict[str, list[float]] = defaultdict(list)
        for learner, score in finished:
            scores[learner].append(score or 0.0)
    out = []
    for learner in ids:
        known = mastery.of(store, learner)
        mine = scores[learner]
        out.append(
            LearnerOverview(
                learner=learner,
                attempts=len(mine),
                first=mine[0] if mine else None,
                best=max(mine, default=None),
                latest=mine[-1] if mine else None,
                learnt=sum(one.state == "learnt" for one in known.values()),
                mastery={slug: one.value for slug, one in known.items()},
            )
        )
    return out


def _grouped(answers: Iterable[Scored], name_of: Callable[[Scored], str]) -> list[ItemStatistics]:
    groups: dict[str, list[Scored]] = defaultdict(list)
    for one in answers:
        groups[name_of(one)].append(one)
    order = {slug: number for number, slug in enumerate(concepts.SLUGS)}
    out = [
        ItemStatistics(
            name=name,
            concept=group[0].concept,
            answers=len(group),
            facility=statistics.fmean(one.score for one in group),
            discrimination=discrimination([one.score for one in group], [one.rest for one in group]),
            misconceptions=dict(Counter(name for one in group for name in one.misconceptions).most_common()),
        )
        for name, group in groups.items()
    ]
    return sorted(out, key=lambda one: (one.facility, order.get(one.concept, len(order)), one.name))
