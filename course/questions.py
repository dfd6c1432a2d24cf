"""The question bank, read from assets/questions."""

from __future__ import annotations

from functools import cache

from course import concepts, paths
from course.schema import Question, read_questions


@cache
def of(slug: str) -> tuple[Question, ...]:
    """The questions about the concept ``slug``. Raises ContentError; KeyError for an unknown slug."""
    if slug not in concepts.SLUGS:
        raise KeyError(slug)
    return read_questions(paths.QUESTIONS / f"{slug}.toml")


def bank() -> dict[str, tuple[Question, ...]]:
    """Every question, by concept, in the order of the concepts. Raises ContentError."""
    return {slug: of(slug) for slug in concepts.SLUGS if (paths.QUESTIONS / f"{slug}.toml").exists()}


def get(question_id: str) -> Question:
    """The question with this id. Raises KeyError."""
    for question in of(concept_of(question_id)):
        if question.id == question_id:
            return question
    raise KeyError(question_id)


def concept_of(question_id: str) -> str:
    """The slug a question belongs to: its id without the number."""
    return question_id.rpartition("-")[0]
