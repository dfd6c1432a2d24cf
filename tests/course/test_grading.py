"""Grading of all five kinds."""

from __future__ import annotations

import pytest

from course import questions
from course.grading import Answer, Grade, complete, grade, grade_with_key
from course.variants import Key, Variant, draw_with_key

pytestmark = pytest.mark.usefixtures("small_course")


def drawn(number: int, seed: int = 5) -> tuple[Variant, Key]:
    return draw_with_key(questions.get(f"recording-{number}"), seed)


def answer_with(number: int, *texts: str) -> tuple[Grade, Answer]:
    variant, key = drawn(number)
    ids = [next(option.id for option in key.options if option.text == text) for text in texts]
    given: Answer = ids if variant.kind in ("several", "order") else ids[0]
    return grade(variant, given), given


def test_a_single_choice_right() -> None:
    variant, key = drawn(1)
    right = next(option for option in key.options if option.correct)
    result = grade(variant, right.id)
    assert (result.score, result.correct, result.given, result.right) == (1.0, True, right.text, right.text)
    assert result.picked[0].why.startswith("right-single")


def test_a_single_choice_wrong_names_the_misconception() -> None:
    result, _ = answer_with(1, "none of these")
    assert (result.score, result.misconceptions) == (0.0, ("gave-up",))
    assert result.picked[0].why.startswith("none-single")
    assert len(result.options) == 3
    assert all(option.why for option in result.options)


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("given", [None, "zz", [], ["zz"], ""])
def test_no_answer_scores_nothing_and_still_explains(number: int, given: Answer) -> None:
    variant, key = drawn(number)
    result = grade(variant, given)
    assert (result.score, result.correct) == (0.0, False)
    assert result.explanation == key.explanation
    assert not complete(variant, given)


@pytest.mark.parametrize(
    ("texts", "score"),
    [
        (["two", "four"], 1.0),
        (["two"], 0.5),
        (["two", "four", "five"], 0.0),
        (["two", "five"], 0.0),
        (["five"], 0.0),
    ],
)
def test_several_choices_score_in_part(texts: list[str], score: float) -> None:
    result, _ = answer_with(2, *texts)
    assert result.score == pytest.approx(score)
    assert result.correct == (score == 1.0)


def test_a_number_within_the_tolerance_is_right() -> None:
    variant, key = drawn(3)
    half = next(option.number for option in key.options if option.correct)
    assert half is not None
    assert grade(variant, str(half + 0.009)).correct
    assert grade(variant, f"{int(half * 2)}/2").correct
    assert not grade(variant, str(half + 0.011)).correct


def test_a_known_wrong_number_is_recognised_and_explained() -> None:
    variant, key = drawn(3)
    double = next(option for option in key.options if not option.correct)
    result = grade(variant, f" {double.number} ")
    assert result.misconceptions == ("doubled",)
    assert [option.why for option in result.picked] == ["why-double"]


def test_an_unknown_wrong_number_is_wrong_without_a_name() -> None:
    variant, _ = drawn(3)
    result = grade(variant, "1000")
    assert (result.score, result.picked, result.misconceptions) == (0.0, (), ())


def test_float32_noise_does_not_make_a_right_number_wrong() -> None:
    variant, key = drawn(3)
    exact = Key(key.explanation, tuple(key.options), tolerance=0.0)
    half = next(option.number for option in key.options if option.correct)
    assert grade_with_key(variant.kind, exact, str((half or 0) + 1e-8)).correct


@pytest.mark.parametrize(
    ("texts", "score"),
    [
        (["one()", "two()", "three()"], 1.0),
        (["one()", "three()", "two()"], 0.5),
        (["three()", "two()", "one()"], 0.0),
        (["one()", "two()"], 0.0),
    ],
)
def test_lines_score_by_how_many_stand_in_order(texts: list[str], score: float) -> None:
    result, given = answer_with(4, *texts)
    assert result.score == pytest.approx(score)
    assert result.correct == (score == 1.0)
    variant, _ = drawn(4)
    assert complete(variant, given) == (len(texts) == 3)


def test_ordered_lines_are_explained_in_the_right_order() -> None:
    result, _ = answer_with(4, "two()", "one()", "three()")
    assert [option.text for option in result.options] == ["one()", "two()", "three()"]
    assert [option.correct for option in result.options] == [False, False, True]


def test_a_clicked_node_is_graded() -> None:
    assert grade(drawn(5)[0], "n0").correct
    assert answer_with(5, "v")[0].picked[0].why == "why-v"
