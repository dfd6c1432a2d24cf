"""Grading: one answer to one variant, with the explanation of what was picked."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Any

from course import numbers, questions
from course.schema import Kind
from course.variants import Key, KeyOption, Variant, draw_with_key

#: An answer as it is stored: an option id, a list of ids, the text of a number, or None when there is none.
Answer = str | list[str] | None


@dataclass(frozen=True)
class Feedback:
    """One option after the pick."""

    text: str
    correct: bool
    picked: bool
    why: str


@dataclass(frozen=True)
class Grade:
    """What an answer is worth and why.

    ``score`` is 0 to 1, ``correct`` means full marks. ``picked`` explains what the learner chose, ``options`` every
    option. ``given`` and ``right`` are both answers in words; ``misconceptions`` names the mistakes the answer shows.
    """

    score: float
    correct: bool
    given: str
    right: str
    explanation: str
    options: tuple[Feedback, ...]
    misconceptions: tuple[str, ...] = ()

    @property
    def picked(self) -> tuple[Feedback, ...]:
        """The options the learner chose."""
        return tuple(option for option in self.options if option.picked)


def grade(variant: Variant, answer: Answer) -> Grade:
    """Grade ``answer`` to ``variant``, whose key is drawn again from its question and seed.

    Raises KeyError when the bank no longer has the question.
    """
    _, key = draw_with_key(questions.get(variant.question), variant.seed)
    return grade_with_key(variant.kind, key, answer)


def grade_with_key(kind: Kind, key: Key, answer: Answer) -> Grade:
    """Grade ``answer`` against a key that was kept. An answer that names no option counts as none."""
    match kind:
        case "number":
            return _number(key, answer if isinstance(answer, str) else None)
        case "order":
            return _order(key, answer if isinstance(answer, list) else [])
        case "several":
            return _several(key, answer if isinstance(answer, list) else [])
        case _:
            return _single(key, answer if isinstance(answer, str) else None)


def complete(variant: Variant, answer: Any) -> bool:
    """Whether ``answer`` is a whole answer to ``variant``: of the right shape, naming options there are."""
    ids = {choice.id for choice in variant.choices}
    match variant.kind:
        case "number":
            try:
                numbers.read(answer if isinstance(answer, str) else "")
            except ValueError:
                return False
            return True
        case "order":
            return isinstance(answer, list) and sorted(answer) == sorted(ids)
        case "several":
            return isinstance(answer, list) and bool(answer) and set(answer) <= ids
        case _:
            return isinstance(answer, str) and answer in ids


def _feedback(key: Key, picked: set[str]) -> tuple[Feedback, ...]:
    return tuple(Feedback(one.text, one.correct, one.id in picked, one.why) for one in key.options)


def _misconceptions(options: list[KeyOption]) -> tuple[str, ...]:
    return tuple(one.misconception for one in options if not one.correct and one.misconception)


def _single(key: Key, answer: str | None) -> Grade:
    chosen = [one for one in key.options if one.id == answer]
    correct = any(one.correct for one in chosen)
    return Grade(
        score=float(correct),
        correct=correct,
        given=chosen[0].text if chosen else "",
        right=next(one.text for one in key.options if one.correct),
        explanation=key.explanation,
        options=_feedback(key, {one.id for one in chosen}),
        misconceptions=_misconceptions(chosen),
    )


def _several(key: Key, answer: list[str]) -> Grade:
    """Share of the correct ones picked, less the share of the wrong ones picked, not below 0."""
    chosen = [one for one in key.options if one.id in answer]
    right = [one for one in key.options if one.correct]
    wrong_count = len(key.options) - len(right)
    hits = sum(one.correct for one in chosen)
    misses = len(chosen) - hits
    score = max(0.0, hits / len(right) - (misses / wrong_count if wrong_count else 0.0))
    return Grade(
        score=score,
        correct=hits == len(right) and misses == 0,
        given="; ".join(one.text for one in chosen),
        right="; ".join(one.text for one in right),
        explanation=key.explanation,
        options=_feedback(key, {one.id for one in chosen}),
        misconceptions=_misconceptions(chosen),
    )


def _order(key: Key, answer: list[str]) -> Grade:
    """The longest run of lines already in the right order, counted so that a reversed list scores 0."""
    rank = {name: index for index, name in enumerate(key.order)}
    given = [rank[name] for name in answer if name in rank]
    whole = sorted(given) == list(range(len(key.order)))
    score = (_longest_increasing(given) - 1) / (len(key.order) - 1) if whole else 0.0
    texts = {one.id: one for one in key.options}
    return Grade(
        score=score,
        correct=whole and given == sorted(given),
        given=" → ".join(texts[name].text for name in answer if name in texts),
        right=" → ".join(texts[name].text for name in key.order),
        explanation=key.explanation,
        options=tuple(
            Feedback(
                texts[name].text,
                correct=whole and answer[place] == name,
                picked=True,
                why=texts[name].why,
            )
            for place, name in enumerate(key.order)
        ),
    )


def _longest_increasing(ranks: list[int]) -> int:
    tails: list[int] = []
    for rank in ranks:
        place = bisect_left(tails, rank)
        tails[place : place + 1] = [rank]
    return len(tails)


def _number(key: Key, answer: str | None) -> Grade:
    """Within the tolerance of the right number; else the known wrong number it is nearest to, if within tolerance."""
    right = next(one for one in key.options if one.correct)
    try:
        given = numbers.read(answer or "")
    except ValueError:
        given = None
    chosen: KeyOption | None = None
    if given is not None:
        near = [one for one in key.options if one.number is not None and _close(given, one.number, key.tolerance)]
        chosen = min(near, key=lambda one: (not one.correct, abs(given - (one.number or 0.0))), default=None)
    correct = chosen is right
    return Grade(
        score=float(correct),
        correct=correct,
        given=(answer or "").strip(),
        right=right.text,
        explanation=key.explanation,
        options=_feedback(key, {chosen.id} if chosen else set()),
        misconceptions=_misconceptions([chosen]) if chosen else (),
    )


def _close(given: float, wanted: float, tolerance: float) -> bool:
    return abs(given - wanted) <= tolerance + 1e-6 * max(1.0, abs(wanted))
