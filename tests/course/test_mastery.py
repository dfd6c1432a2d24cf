"""Mastery by concept, and what to do next."""

from __future__ import annotations

import pytest

from course import concepts, exam, mastery, practice, questions
from course.mastery import Mastery, NextThing, next_thing
from course.store import Store
from course.variants import draw_with_key

pytestmark = pytest.mark.usefixtures("small_course")


def answer(store: Store, *, right: bool, question: str = "recording-1") -> None:
    variant, key = draw_with_key(questions.get(question), 1)
    practice.answered(store, "local", variant, next(one.id for one in key.options if one.correct is right))


def test_everything_is_new_at_first(store: Store) -> None:
    known = mastery.of(store, "local")
    assert list(known) == list(concepts.SLUGS)
    assert {one.state for one in known.values()} == {"new"}
    assert next_thing(known, open_test=False, tests=0) == NextThing("first", "recording")


def test_a_card_that_was_opened_is_seen(store: Store) -> None:
    practice.saw(store, "local", "recording")
    practice.saw(store, "local", "recording")
    known = mastery.of(store, "local")
    assert known["recording"].state == "seen"
    assert next_thing(known, open_test=False, tests=0) == NextThing("next", "recording")


def test_a_right_answer_is_learnt_and_a_wrong_one_shaky(store: Store) -> None:
    answer(store, right=True)
    answer(store, right=False, question="dag-1")
    known = mastery.of(store, "local")
    assert (known["recording"].state, known["recording"].value) == ("learnt", 1.0)
    assert (known["dag"].state, known["dag"].value) == ("shaky", 0.0)
    assert [one.concept for one in mastery.weakest(known)] == ["dag"]
    assert next_thing(known, open_test=False, tests=0) == NextThing("repeat", "dag")


def test_newer_answers_weigh_more(store: Store) -> None:
    answer(store, right=False)
    answer(store, right=True)
    assert mastery.of(store, "local")["recording"].value == pytest.approx(2 / 3)
    assert mastery.weigh([1, 0, 0]) == pytest.approx(4 / 7)
    assert mastery.weigh([]) == 0


def test_test_answers_count_once_handed_in(store: Store) -> None:
    paper = exam.start(store, "local")
    assert mastery.of(store, "local")["dag"].state == "new"
    exam.finish(store, "local", paper.id)
    assert mastery.of(store, "local")["dag"].state == "shaky"


def test_other_learners_do_not_count(store: Store) -> None:
    answer(store, right=True)
    assert mastery.of(store, "ada@example.org")["recording"].state == "new"


def test_an_open_test_comes_first_and_the_test_last() -> None:
    learnt = {slug: Mastery(slug, "learnt", 1.0, 1, None) for slug in concepts.SLUGS}
    assert next_thing(learnt, open_test=True, tests=0).kind == "continue-test"
    assert next_thing(learnt, open_test=False, tests=0).kind == "test"
    assert next_thing(learnt, open_test=False, tests=2).kind == "retake"


def test_practice_is_counted(store: Store) -> None:
    answer(store, right=True)
    answer(store, right=True)
    assert practice.times(store, "local", "recording-1") == 2
