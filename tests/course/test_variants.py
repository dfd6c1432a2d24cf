"""Drawing questions: the same seed gives the same question, and nothing of the key is in what is shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from course import questions, variants
from course.variants import Key, OptionsCoincide, Variant, VariantError, draw, draw_with_key

pytestmark = pytest.mark.usefixtures("small_course")


def test_a_seed_always_gives_the_same_variant() -> None:
    question = questions.get("recording-1")
    first = draw_with_key(question, 7)
    variants.fill.cache_clear()
    draw_with_key.cache_clear()
    assert draw_with_key(question, 7) == first


def test_seeds_give_different_parameters_and_orders() -> None:
    question = questions.get("recording-1")
    drawn = [draw(question, seed) for seed in range(40)]
    assert len({variant.prompt for variant in drawn}) == 6
    assert len({tuple(c.text for c in v.choices) for v in drawn if v.prompt == drawn[0].prompt}) > 1


def test_the_answer_is_computed_and_put_into_the_texts() -> None:
    for seed in range(10):
        variant, key = draw_with_key(questions.get("recording-1"), seed)
        a, b = (int(word) for word in variant.prompt.removeprefix("What is ").removesuffix("?").split(" + "))
        right = next(option for option in key.options if option.correct)
        assert right.text == str(a + b)
        assert variant.code == f"x = {a} + {b}"
        assert key.explanation == f"{a} + {b} = {a + b}"


def test_what_is_shown_holds_nothing_of_the_key() -> None:
    for number in range(1, 6):
        variant, key = draw_with_key(questions.get(f"recording-{number}"), 3)
        shown = json.dumps(variant.to_dict())
        assert key.explanation not in shown
        assert not any(option.why in shown for option in key.options)
        assert "correct" not in shown
        if variant.kind == "number":
            assert variant.choices == ()


def test_the_place_of_the_right_option_is_no_hint() -> None:
    places = [
        [option.correct for option in draw_with_key(questions.get("recording-1"), seed)[1].options].index(True)
        for seed in range(300)
    ]
    assert all(70 < places.count(place) < 130 for place in range(3)), places


def test_lines_to_order_are_never_shown_in_order() -> None:
    for seed in range(50):
        variant, key = draw_with_key(questions.get("recording-4"), seed)
        assert [choice.id for choice in variant.choices] != list(key.order)


def test_node_choices_carry_the_ids_of_the_graph() -> None:
    variant = draw(questions.get("recording-5"), 1)
    assert {(choice.id, choice.text) for choice in variant.choices} == {("n0", "u"), ("n1", "v")}


def test_a_combination_with_two_equal_options_is_never_drawn() -> None:
    question = questions.get("recording-1").model_copy(update={"parameters": {"a": [2, 3], "b": [2]}})
    assert [(one["a"], type(error)) for one, error in variants.unusable(question)] == [(2, OptionsCoincide)]
    assert {draw(question, seed).prompt for seed in range(20)} == {"What is 3 + 2?"}


def test_a_question_without_a_usable_combination_says_so() -> None:
    question = questions.get("recording-1").model_copy(update={"parameters": {"a": [2], "b": [2]}})
    with pytest.raises(VariantError, match=r"recording-1: no combination .* two options read '4'"):
        draw(question, 1)


def test_a_program_that_stops_is_reported_with_its_line() -> None:
    question = questions.get("recording-1").model_copy(update={"code": "x = 1 / 0"})
    with pytest.raises(VariantError, match="stops in line 1: ZeroDivisionError"):
        draw(question, 1)


def test_a_missing_node_is_reported() -> None:
    question = questions.get("recording-5")
    changed = question.model_copy(
        update={"option": (question.option[0], question.option[1].model_copy(update={"text": "w"}))}
    )
    with pytest.raises(VariantError, match="no node named w"):
        draw(changed, 1)


def test_numbers_within_the_tolerance_of_each_other_are_not_drawn() -> None:
    question = questions.get("recording-3").model_copy(update={"tolerance": 3.0})
    assert [one["a"] for one, _ in variants.unusable(question)] == [3]


def test_variants_and_keys_survive_json() -> None:
    for number in range(1, 6):
        variant, key = draw_with_key(questions.get(f"recording-{number}"), 11)
        assert Variant.from_dict(json.loads(json.dumps(variant.to_dict()))) == variant
        assert Key.from_dict(json.loads(json.dumps(key.to_dict()))) == key


def test_only_known_names_are_replaced() -> None:
    assert variants.substitute("f'{x}' {a} {} {0}", {"a": "2"}) == "f'{x}' 2 {} {0}"


def test_the_sample_bank_has_every_kind(small_course: Path) -> None:
    assert {question.kind for question in questions.of("recording")} == {"single", "several", "number", "order", "node"}
