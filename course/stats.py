"""The content, counted."""

from __future__ import annotations

from typing import Any

from course import concepts, questions


def stats() -> dict[str, Any]:
    """How many concepts, questions and computed questions there are. Raises ContentError."""
    bank = questions.bank()
    every = [question for group in bank.values() for question in group]
    return {
        "concepts": len(concepts.all()),
        "questions": len(every),
        "computed_questions": sum(question.computed for question in every),
        "options_without_explanation": sum(not option.why.strip() for question in every for option in question.option),
        "questions_by_concept": {slug: len(group) for slug, group in bank.items()},
    }
