"""A learner's progress as one JSON file: download, upload (merged into what is there) and erase.

Uploading the same file twice changes nothing the second time. What is graded already travels with its key; an open
attempt travels without it, and its questions are drawn again from their seeds.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from course import concepts, questions
from course.grading import Answer, grade_with_key
from course.learners import ensure, erase
from course.store import Attempt, Item, Practice, Seen, Store
from course.variants import Key, Variant, VariantError, draw_with_key

__all__ = ["ImportRefused", "Merged", "download", "erase", "upload"]

FORMAT = "backstep-progress"
VERSION = 1

#: An upload larger than this is refused unread.
LARGEST = 20_000_000


class ImportRefused(ValueError):
    """The file cannot be taken in; the message says why, for the learner. Nothing was changed."""


@dataclass(frozen=True)
class Merged:
    """What an upload added."""

    cards: int
    practice: int
    attempts: int
    left_out: int

    def __str__(self) -> str:
        added = f"Added {self.attempts} tests, {self.practice} card answers and {self.cards} opened cards."
        return added + (f" Left out: {self.left_out} that cannot be read any more." if self.left_out else "")


def _known(slug: str) -> str:
    if slug not in concepts.SLUGS:
        raise ValueError(f"there is no concept {slug!r}")
    return slug


Concept = Annotated[str, AfterValidator(_known)]
Id = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$")]
Seed = Annotated[int, Field(ge=-(2**63), lt=2**63)]
QuestionId = Annotated[str, Field(min_length=1, max_length=80)]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Seen(_Part):
    concept: Concept
    first: AwareDatetime
    last: AwareDatetime


class _Practice(_Part):
    id: Id
    question: QuestionId
    seed: Seed
    answer: Answer
    score: float = Field(ge=0, le=1)
    misconceptions: list[str]
    at: AwareDatetime


class _Item(_Part):
    concept: Concept
    question: QuestionId
    variant: dict[str, Any]
    key: dict[str, Any] | None
    answer: Answer
    answered: AwareDatetime | None


class _Attempt(_Part):
    id: Id
    seed: Seed
    started: AwareDatetime
    finished: AwareDatetime | None
    items: list[_Item] = Field(max_length=200)


class _Progress(_Part):
    format: Literal["backstep-progress"]
    version: int
    exported: AwareDatetime
    seen: list[_Seen]
    practice: list[_Practice]
    attempts: list[_Attempt]


def download(store: Store, learner: str) -> str:
    """Everything stored about ``learner``, as JSON text."""
    with store.reading() as session:
        seen = session.scalars(select(Seen).where(Seen.learner_id == learner).order_by(Seen.first))
        practice = session.scalars(select(Practice).where(Practice.learner_id == learner).order_by(Practice.at))
        attempts = session.scalars(select(Attempt).where(Attempt.learner_id == learner).order_by(Attempt.started))
        progress = _Progress(
            format=FORMAT,
            version=VERSION,
            exported=datetime.now(UTC),
            seen=[_Seen(concept=row.concept, first=row.first, last=row.last) for row in seen],
            practice=[
                _Practice(
                    id=row.id,
                    question=row.question,
                    seed=row.seed,
                    answer=row.answer,
                    score=row.score,
                    misconceptions=row.misconceptions,
                    at=row.at,
                )
                for row in practice
            ],
            attempts=[
                _Attempt(
                    id=row.id,
                    seed=row.seed,
                    started=row.started,
                    finished=row.finished,
                    items=[
                        _Item(
                            concept=item.concept,
                            question=item.question,
                            variant=item.variant,
                            key=item.key if row.finished is not None else None,
                            answer=item.answer,
                            answered=item.answered,
                        )
                        for item in row.items
                    ],
                )
                for row in attempts
            ],
        )
    return progress.model_dump_json(indent=1)


def upload(store: Store, learner: str, text: str | bytes) -> Merged:
    """Merge a downloaded file into ``learner``'s progress: all of it or nothing.

    Of an attempt that is here too, the handed-in one wins, and of two open ones the newer answer to each question.
    Raises ImportRefused, StoreError.
    """
    progress = _read(text)
    attempts = [(one, _items(one)) for one in sorted(progress.attempts, key=lambda one: one.finished is None)]
    left_out = 0
    with store.writing() as session:
        ensure(session, learner)
        cards = sum(_merge_seen(session, learner, one) for one in progress.seen)
        practice = sum(_merge_practice(session, learner, one) for one in progress.practice)
        added = 0
        for attempt, items in attempts:
            merged = _merge_attempt(session, learner, attempt, items) if items is not None else None
            left_out += merged is None
            added += bool(merged)
    return Merged(cards=cards, practice=practice, attempts=added, left_out=left_out)


def _read(text: str | bytes) -> _Progress:
    if len(text) > LARGEST:
        raise ImportRefused("This file is too large to be a Backstep progress file.")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise ImportRefused("This file is not JSON, so it is not a Backstep progress file.") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ImportRefused("This file is not a Backstep progress file.")
    version = data.get("version")
    if isinstance(version, int) and version > VERSION:
        raise ImportRefused("This file was written by a newer version of Backstep. Update Backstep, then upload it.")
    try:
        return _Progress.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        place = " → ".join(str(step) for step in first["loc"])
        raise ImportRefused(f"This progress file is damaged at {place}: {first['msg']}. Nothing was changed.") from None


def _merge_seen(session: Session, learner: str, one: _Seen) -> bool:
    row = session.get(Seen, (learner, one.concept))
    if row is None:
        session.add(Seen(learner_id=learner, concept=one.concept, first=one.first, last=one.last))
        session.flush()
        return True
    row.first = min(row.first, one.first)
    row.last = max(row.last, one.last)
    return False


def _merge_practice(session: Session, learner: str, one: _Practice) -> bool:
    concept = questions.concept_of(one.question)
    if concept not in concepts.SLUGS:
        return False
    row = session.get(Practice, one.id)
    if row is not None:
        return False
    session.add(
        Practice(
            id=one.id,
            learner_id=learner,
            concept=concept,
            question=one.question,
            seed=one.seed,
            answer=one.answer,
            score=one.score,
            misconceptions=one.misconceptions,
            at=one.at,
        )
    )
    session.flush()
    return True


def _merge_attempt(session: Session, learner: str, one: _Attempt, items: list[Item]) -> bool | None:
    """True when it was added or completed, False when it was here already, None when it cannot be taken in."""
    here = session.get(Attempt, one.id)
    if here is not None:
        return _merge_into(here, one, items) if here.learner_id == learner else None
    if one.finished is None and _has_open(session, learner):
        return None
    attempt = Attempt(
        id=one.id,
        learner_id=learner,
        seed=one.seed,
        started=one.started,
        finished=one.finished,
        score=None,
        imported=True,
        items=items,
    )
    _grade(attempt)
    session.add(attempt)
    session.flush()
    return True


def _merge_into(here: Attempt, one: _Attempt, items: list[Item]) -> bool:
    if here.finished is not None:
        return False
    newer = {item.position: item for item in items}
    changed = False
    for item in here.items:
        other = newer.get(item.position)
        if other is None or other.variant != item.variant or other.answered is None:
            continue
        if one.finished is not None or item.answered is None or other.answered > item.answered:
            changed |= item.answer != other.answer
            item.answer, item.answered = other.answer, other.answered
    if one.finished is not None:
        here.finished, here.imported, changed = one.finished, True, True
        _grade(here)
    return changed


def _has_open(session: Session, learner: str) -> bool:
    open_one = select(Attempt.id).where(Attempt.learner_id == learner, Attempt.finished.is_(None))
    return session.scalars(open_one).first() is not None


def _grade(attempt: Attempt) -> None:
    """Scores are never believed from a file: they are graded again."""
    if attempt.finished is None:
        return
    for item in attempt.items:
        grade = grade_with_key(item.variant["kind"], Key.from_dict(item.key), item.answer)
        item.score, item.misconceptions = grade.score, list(grade.misconceptions)
    attempt.score = sum(item.score or 0.0 for item in attempt.items) / max(1, len(attempt.items))


def _items(attempt: _Attempt) -> list[Item] | None:
    out = []
    for position, one in enumerate(attempt.items):
        pair = _variant_and_key(one)
        if pair is None:
            return None
        variant, key = pair
        out.append(
            Item(
                position=position,
                concept=one.concept,
                question=one.question,
                variant=variant.to_dict(),
                key=key.to_dict(),
                answer=one.answer,
                answered=one.answered,
                misconceptions=[],
            )
        )
    return out


def _variant_and_key(one: _Item) -> tuple[Variant, Key] | None:
    try:
        variant = Variant.from_dict(one.variant)
        if one.key is not None:
            key = Key.from_dict(one.key)
            grade_with_key(variant.kind, key, one.answer)
            return variant, key
        redrawn, key = draw_with_key(questions.get(one.question), variant.seed)
        return (redrawn, key) if redrawn == variant else None
    except (KeyError, TypeError, ValueError, StopIteration, ZeroDivisionError, VariantError):
        return None
