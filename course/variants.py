"""One question as one learner gets it: parameters drawn, values computed by the engine, options shuffled.

What is shown (:class:`Variant`) and what must not be seen before the pick (:class:`Key`) are separate objects: a page
holds the first, grading asks for the second. Both depend on the question and the seed alone.
"""

from __future__ import annotations

import itertools
import random
import string
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from course import numbers
from course.schema import PLACEHOLDER, Kind, Option, Question

#: How many parameter combinations of one question are looked at.
COMBINATIONS = 256


class VariantError(Exception):
    """A question cannot be drawn: its program fails, or no combination of its parameters gives distinct options."""


class OptionsCoincide(VariantError):
    """For this combination of parameters two options are the same, so it is not drawn."""


class Ran(Protocol):
    """What the course reads of a run: ``snippets.Result`` is one."""

    @property
    def values(self) -> dict[str, Any]: ...
    @property
    def error(self) -> dict[str, Any] | None: ...
    @property
    def trace(self) -> Any: ...


@dataclass(frozen=True)
class Choice:
    """Something that can be picked: ``id`` says nothing about being right."""

    id: str
    text: str


@dataclass(frozen=True)
class Variant:
    """What a learner sees of a question. JSON-ready with :meth:`to_dict`.

    ``choices`` are the options of ``single`` and ``several``, the lines of ``order``, the nodes that can be picked of
    ``node`` (their ids are the graph's), and nothing for ``number``.
    """

    question: str
    seed: int
    kind: Kind
    prompt: str
    code: str
    choices: tuple[Choice, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "question": self.question,
            "seed": self.seed,
            "kind": self.kind,
            "prompt": self.prompt,
            "code": self.code,
            "choices": [[choice.id, choice.text] for choice in self.choices],
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Variant:
        """The inverse of :meth:`to_dict`."""
        return cls(**{**data, "choices": tuple(Choice(*pair) for pair in data["choices"])})


@dataclass(frozen=True)
class KeyOption:
    """One option with its truth. ``number`` is its value where the question asks for a number."""

    id: str
    text: str
    correct: bool
    why: str
    misconception: str | None = None
    number: float | None = None


@dataclass(frozen=True)
class Key:
    """The right answer and every explanation; stays on the server until the learner has picked.

    ``order`` lists the ids of an ``order`` question's lines in the right order.
    """

    explanation: str
    options: tuple[KeyOption, ...]
    order: tuple[str, ...] = ()
    tolerance: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "explanation": self.explanation,
            "options": [
                [one.id, one.text, one.correct, one.why, one.misconception, one.number] for one in self.options
            ],
            "order": list(self.order),
            "tolerance": self.tolerance,
        }

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Key:
        """The inverse of :meth:`to_dict`."""
        return cls(
            explanation=data["explanation"],
            options=tuple(KeyOption(*row) for row in data["options"]),
            order=tuple(data["order"]),
            tolerance=data["tolerance"],
        )


@dataclass(frozen=True)
class _Filled:
    """A question with one combination of its parameters put in and its values computed; not yet shuffled."""

    prompt: str
    code: str
    explanation: str
    options: tuple[Option, ...]
    numbers: tuple[float | None, ...]
    nodes: dict[str, str] = field(default_factory=dict)


def run(source: str, *, trace: bool = False) -> Ran:
    """Run a question's program on the engine."""
    from snippets import run as run_snippet

    return run_snippet(source, trace=trace, diagnose=False)


def draw(question: Question, seed: int) -> Variant:
    """The variant of ``question`` that ``seed`` gives. Raises VariantError."""
    return draw_with_key(question, seed)[0]


@lru_cache(maxsize=512)
def draw_with_key(question: Question, seed: int) -> tuple[Variant, Key]:
    """A variant and its key. Raises VariantError."""
    rng = random.Random(f"{question.id}/{seed}")
    filled = _first_usable(question, rng)
    order = list(range(len(filled.options)))
    if question.kind != "number":
        rng.shuffle(order)
    if question.kind == "order" and order == sorted(order):  # shown as the answer would be no question
        order = order[1:] + order[:1]
    if question.kind == "node":
        ids = [filled.nodes[filled.options[index].text] for index in order]
    else:
        ids = list(string.ascii_lowercase[: len(order)])
    options = tuple(
        KeyOption(
            id=name,
            text=filled.options[index].text,
            correct=filled.options[index].correct,
            why=filled.options[index].why,
            misconception=filled.options[index].misconception,
            number=filled.numbers[index],
        )
        for name, index in zip(ids, order, strict=True)
    )
    variant = Variant(
        question=question.id,
        seed=seed,
        kind=question.kind,
        prompt=filled.prompt,
        code=filled.code,
        choices=() if question.kind == "number" else tuple(Choice(one.id, one.text) for one in options),
    )
    by_text = {one.text: one.id for one in options}
    key = Key(
        explanation=filled.explanation,
        options=options,
        order=tuple(by_text[line] for line in question.lines),
        tolerance=float(question.tolerance or 0.0),
    )
    return variant, key


def combinations(question: Question) -> Iterator[dict[str, Any]]:
    """Every combination of the parameters (at most :data:`COMBINATIONS`); one empty one when there are none."""
    names = list(question.parameters)
    product = itertools.product(*(question.parameters[name] for name in names))
    for values in itertools.islice(product, COMBINATIONS):
        yield dict(zip(names, values, strict=True))


def unusable(question: Question) -> list[tuple[dict[str, Any], VariantError]]:
    """The combinations that cannot be drawn, with the reason; for ``course check``."""
    out = []
    for combination in combinations(question):
        try:
            fill(question, tuple(combination.items()))
        except VariantError as error:
            out.append((combination, error))
    return out


def _first_usable(question: Question, rng: random.Random) -> _Filled:
    every = list(combinations(question))
    rng.shuffle(every)
    reason = ""
    for combination in every:
        try:
            return fill(question, tuple(combination.items()))
        except VariantError as error:
            reason = str(error)
    raise VariantError(f"question {question.id}: no combination of its parameters can be used: {reason}")


@lru_cache(maxsize=2048)
def fill(question: Question, combination: tuple[tuple[str, Any], ...]) -> _Filled:
    """``question`` with one combination of its parameters. Raises VariantError with the reason it cannot be used."""
    given = {name: _literal(value) for name, value in combination}
    code = substitute(question.code, given).strip("\n")
    names = dict(given)
    values: dict[str, Any] = {}
    nodes: dict[str, str] = {}
    if question.compute:
        asked = [f"{name} = {substitute(expression, given)}" for name, expression in question.compute.items()]
        values = _values(code + "\n" + "\n".join(asked) + "\n", list(question.compute))
        names |= {name: _shown(name, value) for name, value in values.items()}
    if question.kind == "node":
        nodes = _nodes(code, [option.text for option in question.option])
    options = tuple(
        option.model_copy(
            update={
                "text": option.text if question.kind == "order" else substitute(option.text, names),
                "why": substitute(option.why, names),
            }
        )
        for option in question.option
    )
    filled = _Filled(
        prompt=substitute(question.prompt, names),
        code=code,
        explanation=substitute(question.explanation, names),
        options=options,
        numbers=_option_numbers(question, options, values),
        nodes=nodes,
    )
    _must_differ(question, filled)
    return filled


def substitute(text: str, names: dict[str, str]) -> str:
    """``text`` with ``{name}`` replaced for each of ``names``; other braces stay as they are."""
    return PLACEHOLDER.sub(lambda match: names.get(match[1], match[0]), text)


def _literal(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def _ran(source: str, *, trace: bool = False) -> Ran:
    result = run(source, trace=trace)
    if result.error is not None:
        error = result.error
        raise VariantError(f"its program stops in line {error['line']}: {error['type']}: {error['message']}")
    return result


def _values(source: str, names: list[str]) -> dict[str, Any]:
    result = _ran(source)
    missing = [name for name in names if name not in result.values]
    if missing:
        raise VariantError(f"computed but not a value that can be shown: {', '.join(missing)}")
    return {name: result.values[name] for name in names}


def _shown(name: str, value: Any) -> str:
    try:
        return numbers.show(value)
    except TypeError as error:
        raise VariantError(f"compute.{name}: {error}") from None


def _nodes(code: str, wanted: list[str]) -> dict[str, str]:
    """The ids of the graph's nodes that carry the wanted variable names (the latest node where a name was reused)."""
    result = _ran(code + "\n", trace=True)
    if result.trace is None:
        raise VariantError("its program left no graph")
    ids = {node.name: node.id for node in result.trace.nodes if node.name}
    missing = [name for name in wanted if name not in ids]
    if missing:
        raise VariantError(f"its graph has no node named {', '.join(missing)}")
    return {name: ids[name] for name in wanted}


def _option_numbers(
    question: Question, options: tuple[Option, ...], values: dict[str, Any]
) -> tuple[float | None, ...]:
    """The number each option of a ``number`` question stands for; the computed value itself where there is one."""
    if question.kind != "number":
        return (None,) * len(options)
    out: list[float | None] = []
    for source, option in zip(question.option, options, strict=True):
        alone = PLACEHOLDER.fullmatch(source.text.strip())
        try:
            if option.correct and question.answer is not None:
                answer = values[question.answer] if isinstance(question.answer, str) else question.answer
                out.append(numbers.as_number(answer))
            elif alone and alone[1] in values:
                out.append(numbers.as_number(values[alone[1]]))
            else:
                out.append(numbers.read(option.text))
        except (TypeError, ValueError) as error:
            raise VariantError(f"option {option.text!r} of a number question: {error}") from None
    return tuple(out)


def _must_differ(question: Question, filled: _Filled) -> None:
    if question.kind == "number":
        tolerance = max(float(question.tolerance or 0.0), 1e-9)
        for (one, a), (two, b) in itertools.combinations(zip(filled.options, filled.numbers, strict=True), 2):
            if a is None or b is None or not abs(a - b) > 2 * tolerance:
                raise OptionsCoincide(f"the numbers {one.text} and {two.text} are not told apart by the tolerance")
        return
    texts = [option.text for option in filled.options]
    same = sorted({text for text in texts if texts.count(text) > 1})
    if same:
        raise OptionsCoincide(f"two options read {same[0]!r}")
