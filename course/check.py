"""Is the content fit to be shown? Every fault, with the file and the field it is in."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from course import concepts, paths, questions
from course.schema import Concept, ContentError, Fault, Question
from course.variants import OptionsCoincide, combinations, unusable
from course.walks import step_of

QUESTIONS_A_CONCEPT = 4
COMPUTED_A_CONCEPT = 2


def check(only: Collection[str] = ()) -> list[Fault]:
    """The faults of the content, of all of it or of the concepts named in ``only``."""
    faults: list[Fault] = []
    for number, slug in enumerate(concepts.SLUGS, start=1):
        if only and slug not in only:
            continue
        faults += _check_concept(slug, number)
    return faults + _strangers()


def _check_concept(slug: str, number: int) -> list[Fault]:
    faults: list[Fault] = []
    card: Concept | None = None
    bank: tuple[Question, ...] = ()
    try:
        card = concepts.get(slug)
    except ContentError as error:
        faults += error.faults
    try:
        bank = questions.of(slug)
    except ContentError as error:
        faults += error.faults
    if card is not None:
        faults += _check_card(card, number, bank)
    if bank:
        faults += _check_bank(slug, bank)
        for question in bank:
            faults += _check_variants(slug, question)
    return faults


def _check_card(card: Concept, number: int, bank: tuple[Question, ...]) -> list[Fault]:
    file = f"concepts/{card.slug}.toml"
    faults = []
    if card.order != number:
        faults.append(Fault(file, "order", f"is {card.order}, this concept is number {number}"))
    example = paths.EXAMPLES / f"{card.walk.example.replace('-', '_')}.py"
    if example.exists():
        faults += _check_walk(card)
    else:
        faults.append(Fault(file, "walk, example", f"there is no assets/examples/{example.name}"))
    if bank and card.card.question not in {question.id for question in bank}:
        faults.append(Fault(file, "card, question", f"there is no question {card.card.question!r}"))
    return faults


def _check_bank(slug: str, bank: tuple[Question, ...]) -> list[Fault]:
    file = f"questions/{slug}.toml"
    faults = []
    if len(bank) < QUESTIONS_A_CONCEPT:
        faults.append(Fault(file, "question", f"{len(bank)} questions, at least {QUESTIONS_A_CONCEPT} are needed"))
    computed = sum(question.computed for question in bank)
    if computed < COMPUTED_A_CONCEPT:
        faults.append(Fault(file, "question", f"{computed} computed, at least {COMPUTED_A_CONCEPT} are needed"))
    return faults


def _check_walk(card: Concept) -> list[Fault]:
    """Does the walk have the step the card opens at?"""
    try:
        step_of(card)
    except LookupError as error:
        return [Fault(f"concepts/{card.slug}.toml", "walk", str(error))]
    return []


def _check_variants(slug: str, question: Question) -> list[Fault]:
    """Run the question for each combination of its parameters."""
    place = f'question "{question.id}"'
    file = f"questions/{slug}.toml"
    every = sum(1 for _ in combinations(question))
    bad = unusable(question)
    broken: dict[str, list[dict[str, Any]]] = {}
    for combination, error in bad:
        if not isinstance(error, OptionsCoincide):
            broken.setdefault(str(error), []).append(combination)
    faults = [
        Fault(
            file, place, (f"for {len(where)} of {every} combinations, such as {where[0]}: " if where[0] else "") + text
        )
        for text, where in broken.items()
    ]
    if bad and not faults and every - len(bad) < min(2, every):
        faults.append(
            Fault(file, place, f"only {every - len(bad)} of {every} parameter combinations can be drawn: {bad[0][1]}")
        )
    return faults


def _strangers() -> list[Fault]:
    return [
        Fault(f"{folder.name}/{path.name}", "", "is not named after one of the 25 concepts")
        for folder in (paths.CONCEPTS, paths.QUESTIONS)
        for path in sorted(folder.glob("*.toml"))
        if path.stem not in concepts.SLUGS
    ]
