"""The computed questions get from our engine the numbers that PyTorch gives (tests/golden/questions.json)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from course import questions
from course.schema import Question
from course.variants import combinations, substitute
from snippets import run

GOLDEN: dict[str, list[dict[str, Any]]] = json.loads(
    (Path(__file__).parent / "golden" / "questions.json").read_text(encoding="utf-8")
)
COMPUTED = {question.id: question for bank in questions.bank().values() for question in bank if question.computed}


def numbers(value: Any) -> Any:
    """A value of a run reduced to the numbers that a question shows of it."""
    if isinstance(value, dict):
        return numbers(value["data"] if "data" in value else value["items"])
    if isinstance(value, list):
        return [numbers(item) for item in value]
    return value


def close(got: Any, want: Any) -> bool:
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(close, got, want))
    if isinstance(want, bool | str) or want is None:
        return type(got) is type(want) and got == want
    return isinstance(got, int | float) and abs(got - want) <= 1e-6 + 1e-5 * abs(want)


def engine_values(question: Question, parameters: dict[str, Any]) -> dict[str, Any]:
    """What the engine computes for one combination of the parameters."""
    literals = {name: value if isinstance(value, str) else repr(value) for name, value in parameters.items()}
    asked = [f"{name} = {substitute(expression, literals)}" for name, expression in question.compute.items()]
    result = run("\n".join([substitute(question.code, literals), *asked, ""]), trace=False, diagnose=False)
    assert result.error is None, (parameters, result.error)
    return {name: numbers(result.values[name]) for name in question.compute}


@pytest.mark.parametrize("name", sorted(COMPUTED))
def test_computed_question_agrees_with_pytorch(name: str) -> None:
    question = COMPUTED[name]
    wanted = GOLDEN[name]
    assert [one["parameters"] for one in wanted] == list(combinations(question)), "run tests/golden/make_questions.py"
    for one in wanted:
        got = engine_values(question, one["parameters"])
        assert close(list(got.values()), [one["values"][key] for key in got]), (one, got)


def test_every_golden_value_belongs_to_a_question() -> None:
    assert set(GOLDEN) == set(COMPUTED)
