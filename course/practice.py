"""What a learner does on the concept cards: opening them and answering their question."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

from sqlalchemy import func, select

from course import questions
from course.grading import Answer, Grade, grade
from course.learners import ensure
from course.store import Practice, Seen, Store
from course.variants import Variant


def saw(store: Store, learner: str, concept: str) -> None:
    """Remember that ``learner`` opened the card of ``concept``."""
    now = datetime.now(UTC)
    with store.writing() as session:
        ensure(session, learner)
        row = session.get(Seen, (learner, concept))
        if row is None:
            session.add(Seen(learner_id=learner, concept=concept, first=now, last=now))
        else:
            row.last = now


def answered(store: Store, learner: str, variant: Variant, given: Answer) -> Grade:
    """Grade an answer to a card's question and remember it."""
    result = grade(variant, given)
    with store.writing() as session:
        ensure(session, learner)
        session.add(
            Practice(
                id=uuid.uuid4().hex,
                learner_id=learner,
                concept=questions.concept_of(variant.question),
                question=variant.question,
                seed=variant.seed,
                answer=given,
                score=result.score,
                misconceptions=list(result.misconceptions),
                at=datetime.now(UTC),
            )
        )
    return result


def times(store: Store, learner: str, question: str) -> int:
    """How often ``learner`` answered ``question`` on its card."""
    with store.reading() as session:
        counted = session.scalar(
            select(func.count())
            .select_from(Practice)
            .where(Practice.learner_id == learner, Practice.question == question)
        )
        return int(counted or 0)
