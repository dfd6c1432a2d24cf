"""The graded test: one question a concept, answers saved as they are given, graded at the end.

What a page gets of an open attempt (:class:`Paper`) holds no key; keys are read from the store only to grade.
"""

from __future__ import annotations

import itertools
import random
import secrets
import uuid
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from course import questions
from course.grading import Answer, Grade, complete, grade_with_key
from course.learners import ensure
from course.schema import Question
from course.store import Attempt, Item, Store
from course.variants import Key, Variant, VariantError, draw_with_key


class ExamError(Exception):
    """The attempt cannot be used like this; the message is for the learner."""


class NoSuchAttempt(ExamError):
    """There is no attempt with this id, or it is somebody else's."""


class AttemptFinished(ExamError):
    """The attempt was handed in already, perhaps in another window; its answers do not change any more."""


class AttemptOpen(ExamError):
    """The attempt is not handed in yet, so nothing of its key is shown."""


class _Turns:
    """Who came last, by key."""

    _KEPT = 10_000

    def __init__(self) -> None:
        self._numbers = itertools.count()
        self._last: dict[tuple[str, str, int], int] = {}

    def take(self, key: tuple[str, str, int]) -> Callable[[], bool]:
        """Take a turn; gives a function that says whether somebody took a later one meanwhile."""
        mine = next(self._numbers)
        self._last.pop(key, None)
        self._last[key] = mine
        while len(self._last) > self._KEPT:
            self._last.pop(next(iter(self._last)), None)
        return lambda: self._last.get(key, mine) > mine


_turns = _Turns()


@dataclass(frozen=True)
class Asked:
    """One question of an attempt as the learner sees it, with the answer saved so far."""

    position: int
    concept: str
    variant: Variant
    answer: Answer

    @property
    def answered(self) -> bool:
        """Whether the saved answer is a whole one."""
        return complete(self.variant, self.answer)


@dataclass(frozen=True)
class Paper:
    """An attempt without its key."""

    id: str
    started: datetime
    finished: datetime | None
    score: float | None
    questions: tuple[Asked, ...]

    @property
    def answered(self) -> int:
        """How many questions have a whole answer."""
        return sum(asked.answered for asked in self.questions)


@dataclass(frozen=True)
class Reviewed:
    """One question of a finished attempt with its grade and every explanation."""

    position: int
    concept: str
    variant: Variant
    grade: Grade


def current(store: Store, learner: str) -> Paper | None:
    """The learner's open attempt."""
    with store.reading() as session:
        attempt = _open_attempt(session, learner)
        return _paper(attempt) if attempt is not None else None


def start(store: Store, learner: str, *, seed: int | None = None) -> Paper:
    """The learner's open attempt, or a new one.

    A new attempt asks, of each concept, a question this learner was asked least often. Raises VariantError when a
    concept has no question that can be drawn, StoreError when nothing can be saved.
    """
    paper = current(store, learner)
    if paper is not None:
        return paper
    seed = secrets.randbits(62) if seed is None else seed
    with store.reading() as session:
        asked = _times_asked(session, learner)
    items = [
        Item(position=position, concept=slug, question=variant.question, variant=variant.to_dict(), key=key.to_dict())
        for position, (slug, variant, key) in enumerate(_drawn(seed, asked))
    ]
    with store.writing() as session:
        ensure(session, learner)
        attempt = _open_attempt(session, learner)  # another window may have been quicker
        if attempt is None:
            attempt = Attempt(
                id=uuid.uuid4().hex,
                learner_id=learner,
                seed=seed,
                started=datetime.now(UTC),
                finished=None,
                score=None,
                imported=False,
                items=items,
            )
            session.add(attempt)
            session.flush()
        return _paper(attempt)


def load(store: Store, learner: str, attempt_id: str) -> Paper:
    """An attempt of this learner. Raises NoSuchAttempt."""
    with store.reading() as session:
        return _paper(_attempt(session, learner, attempt_id))


def finished(store: Store, learner: str) -> list[Paper]:
    """The attempts this learner handed in, the newest first."""
    with store.reading() as session:
        found = session.scalars(
            select(Attempt)
            .where(Attempt.learner_id == learner, Attempt.finished.is_not(None))
            .order_by(Attempt.finished.desc())
        )
        return [_paper(attempt) for attempt in found]


def answer(store: Store, learner: str, attempt_id: str, position: int, given: Answer) -> None:
    """Save one answer as it is given; None takes it back.

    Quick changes may be saved by several threads, and the database lets them in in any order; an answer that was
    overtaken by a later one to the same question is not written any more.

    Raises AttemptFinished, NoSuchAttempt, or ExamError for an answer that does not belong to the question.
    """
    overtaken = _turns.take((store.where, attempt_id, position))
    with store.writing() as session:
        if overtaken():
            return
        attempt = _attempt(session, learner, attempt_id)
        if attempt.finished is not None:
            raise AttemptFinished("This test was handed in already; its answers cannot be changed any more.")
        item = next((one for one in attempt.items if one.position == position), None)
        if item is None:
            raise ExamError(f"This test has no question {position + 1}.")
        variant = Variant.from_dict(item.variant)
        if not _belongs(variant, given):
            raise ExamError("This answer does not belong to the question.")
        item.answer = given
        item.answered = datetime.now(UTC) if given is not None else None


def finish(store: Store, learner: str, attempt_id: str) -> Paper:
    """Hand the attempt in and grade it; handing in twice changes nothing. Raises NoSuchAttempt."""
    with store.writing() as session:
        attempt = _attempt(session, learner, attempt_id)
        if attempt.finished is None:
            for item in attempt.items:
                grade = _graded(item)
                item.score = grade.score
                item.misconceptions = list(grade.misconceptions)
            attempt.score = sum(item.score or 0.0 for item in attempt.items) / max(1, len(attempt.items))
            attempt.finished = datetime.now(UTC)
        return _paper(attempt)


def review(store: Store, learner: str, attempt_id: str) -> list[Reviewed]:
    """Every question of a finished attempt, graded and explained. Raises NoSuchAttempt, AttemptOpen."""
    with store.reading() as session:
        attempt = _attempt(session, learner, attempt_id)
        if attempt.finished is None:
            raise AttemptOpen("The answers are explained once the test is handed in.")
        return [
            Reviewed(item.position, item.concept, Variant.from_dict(item.variant), _graded(item))
            for item in attempt.items
        ]


def _drawn(seed: int, asked: Counter[str]) -> Iterable[tuple[str, Variant, Key]]:
    for slug, group in questions.bank().items():
        rng = random.Random(f"{seed}/{slug}")
        variant, key = _first_drawable(slug, _least_asked_first(group, asked, rng), rng)
        yield slug, variant, key


def _least_asked_first(group: Iterable[Question], asked: Counter[str], rng: random.Random) -> list[Question]:
    order = list(group)
    rng.shuffle(order)
    return sorted(order, key=lambda question: asked[question.id])


def _first_drawable(slug: str, group: list[Question], rng: random.Random) -> tuple[Variant, Key]:
    reason = "there are no questions"
    for question in group:
        try:
            return draw_with_key(question, rng.getrandbits(31))
        except VariantError as error:
            reason = str(error)
    raise VariantError(f"concept {slug}: no question can be drawn: {reason}")


def _times_asked(session: Session, learner: str) -> Counter[str]:
    rows = session.scalars(select(Item.question).join(Attempt).where(Attempt.learner_id == learner))
    return Counter(rows)


def _open_attempt(session: Session, learner: str) -> Attempt | None:
    return session.scalars(
        select(Attempt).where(Attempt.learner_id == learner, Attempt.finished.is_(None))
    ).one_or_none()


def _attempt(session: Session, learner: str, attempt_id: str) -> Attempt:
    attempt = session.get(Attempt, attempt_id)
    if attempt is None or attempt.learner_id != learner:
        raise NoSuchAttempt("There is no such test here. Start a new one, or open one from the Progress page.")
    return attempt


def _graded(item: Item) -> Grade:
    return grade_with_key(item.variant["kind"], Key.from_dict(item.key), item.answer)


def _belongs(variant: Variant, given: Any) -> bool:
    """Whether ``given`` can be (a beginning of) an answer: a half-typed number may be saved, a foreign option not."""
    ids = {choice.id for choice in variant.choices}
    if given is None:
        return True
    match variant.kind:
        case "number":
            return isinstance(given, str) and len(given) <= 200
        case "several" | "order":
            return isinstance(given, list) and len(set(given)) == len(given) and set(given) <= ids
        case _:
            return isinstance(given, str) and given in ids


def _paper(attempt: Attempt) -> Paper:
    return Paper(
        id=attempt.id,
        started=attempt.started,
        finished=attempt.finished,
        score=attempt.score,
        questions=tuple(
            Asked(item.position, item.concept, Variant.from_dict(item.variant), item.answer) for item in attempt.items
        ),
    )
