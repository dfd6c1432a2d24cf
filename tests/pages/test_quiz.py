"""Questions on a card and in the test: every kind answered, saved and explained, and no key sent before the pick."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from course import concepts, exam, mastery, questions
from course.schema import Question
from course.store import Attempt, Store
from course.variants import Key, draw_with_key
from tests.pages.conftest import Opened, refuse_faults, sent

CARDS = [(slug, questions.get(concepts.get(slug).card.question)) for slug in concepts.SLUGS]


def of_kind(kind: str) -> tuple[str, Question]:
    return next((slug, question) for slug, question in CARDS if question.kind == kind)


def key_of(app: AppTest, question: Question) -> Key:
    return draw_with_key(question, app.session_state[f"card-{question.id}-seed"])[1]


def leaks(text: str, key: Key) -> list[str]:
    """The explanations of ``key`` that are somewhere in ``text``."""
    secrets = [key.explanation, *(option.why for option in key.options)]
    return [secret for secret in secrets if any(form in text for form in written(secret))]


def written(secret: str) -> set[str]:
    """How a text may stand in a message: as it is, and inside JSON."""
    return {secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}


@pytest.mark.parametrize(("slug", "question"), CARDS, ids=[slug for slug, _ in CARDS])
def test_a_card_sends_nothing_of_its_key_before_the_pick(opened: Opened, slug: str, question: Question) -> None:
    app = refuse_faults(opened("concepts", concept=slug))
    key = key_of(app, question)
    assert question.prompt[:10] in sent(app) or "{" in question.prompt[:10], "the messages are read at all"
    assert leaks(sent(app), key) == []


def test_each_option_of_a_choice_explains_itself_once_picked(opened: Opened, store: Store) -> None:
    slug, question = of_kind("single")
    app = refuse_faults(opened("concepts", concept=slug))
    key = key_of(app, question)
    wrong_first = sorted(key.options, key=lambda option: option.correct)
    name = f"card-{question.id}-{app.session_state[f'card-{question.id}-seed']}"
    for option in wrong_first:
        app.radio(key=name).set_value(option.id).run()
        refuse_faults(app)
        box = (app.success if option.correct else app.warning)[0].value
        assert option.why in box
    assert all(option.why in sent(app) for option in key.options)
    known = mastery.of(store, "local")[slug]
    assert (known.answers, known.value) == (1, 0.0), "only the first pick counts"


def test_the_answer_is_shown_on_demand(opened: Opened) -> None:
    slug, question = of_kind("single")
    app = refuse_faults(opened("concepts", concept=slug))
    key = key_of(app, question)
    wrong = next(option for option in key.options if not option.correct)
    name = f"card-{question.id}-{app.session_state[f'card-{question.id}-seed']}"
    app.radio(key=name).set_value(wrong.id).run()
    assert key.explanation not in sent(app)
    app.button(key=f"card-{question.id}-show").click().run()
    assert key.explanation in [markdown.value for markdown in app.markdown]


def test_other_numbers_can_be_drawn(opened: Opened) -> None:
    slug, question = next((slug, one) for slug, one in CARDS if one.computed and one.kind == "single")
    app = refuse_faults(opened("concepts", concept=slug))
    seed = app.session_state[f"card-{question.id}-seed"]
    app.radio(key=f"card-{question.id}-{seed}").set_value("a").run()
    app.button(key=f"card-{question.id}-again").click().run()
    refuse_faults(app)
    assert app.session_state[f"card-{question.id}-seed"] != seed
    assert not app.success
    assert not app.warning


def start(opened: Opened) -> AppTest:
    app = refuse_faults(opened("test"))
    app.button(key="start-test").click().run()
    return refuse_faults(app)


def right_answer(kind: str, key: Key) -> str | list[str]:
    right = [option for option in key.options if option.correct]
    match kind:
        case "order":
            return list(key.order)
        case "several":
            return [option.id for option in right]
        case "number":
            return repr(right[0].number)
    return right[0].id


def give(app: AppTest, paper: exam.Paper, position: int, answer: str | list[str]) -> None:
    """Answer the question on the page as a learner would."""
    variant = paper.questions[position].variant
    name = f"test-{paper.id}-{position}"
    match variant.kind:
        case "several":
            for choice in variant.choices:
                if choice.id in answer:
                    app.checkbox(key=f"{name}-{choice.id}").check().run()
        case "number":
            assert isinstance(answer, str)
            app.text_input(key=name).set_value(answer).run()
        case "order":
            app.session_state[name] = {"order": list(answer)}
            app.run()
        case _:
            app.radio(key=name).set_value(answer).run()
    refuse_faults(app)


def keys_of(store: Store, paper: exam.Paper) -> list[Key]:
    with store.reading() as session:
        attempt = session.get(Attempt, paper.id)
        assert attempt is not None
        return [Key.from_dict(item.key) for item in attempt.items]


def test_the_whole_test_question_by_question_without_a_leak(opened: Opened, store: Store) -> None:
    app = start(opened)
    paper = exam.current(store, "local")
    assert paper is not None
    keys = keys_of(store, paper)
    for asked, key in zip(paper.questions, keys, strict=True):
        assert f"Question {asked.position + 1} of 25" in sent(app)
        for other in keys:
            assert leaks(sent(app), other) == []
        if asked.variant.kind != "order":  # the component's report comes from a real browser
            give(app, paper, asked.position, right_answer(asked.variant.kind, key))
        else:
            exam.answer(store, "local", paper.id, asked.position, right_answer("order", key))
        saved = exam.current(store, "local")
        assert saved is not None
        assert saved.questions[asked.position].answered
        if asked.position < 24:
            app.button(key="test-next").click().run()
            refuse_faults(app)
    app.button(key="test-hand-in").click().run()
    app.button(key="test-hand-in-now").click().run()
    refuse_faults(app)
    assert [metric.value for metric in app.metric][:2] == ["100%", "25 of 25"]
    app.segmented_control[0].set_value("all").run()
    refuse_faults(app)
    for key in keys:
        assert key.explanation in [markdown.value for markdown in app.markdown]
        assert all(option.why in sent(app) for option in key.options)
    app.button(key="retake").click().run()
    refuse_faults(app)
    again = exam.current(store, "local")
    assert again is not None
    assert not {one.variant for one in again.questions} & {one.variant for one in paper.questions}


def test_a_new_session_goes_on_where_the_old_one_stopped(opened: Opened, store: Store) -> None:
    start(opened)
    paper = exam.current(store, "local")
    assert paper is not None
    for position, key in enumerate(keys_of(store, paper)[:3]):
        exam.answer(store, "local", paper.id, position, right_answer(paper.questions[position].variant.kind, key))
    app = refuse_faults(opened("test"))
    assert "Question 4 of 25" in sent(app)
    assert "3 of 25 answered" in sent(app)


def test_answers_given_elsewhere_show_here(opened: Opened, store: Store) -> None:
    app = start(opened)
    paper = exam.current(store, "local")
    assert paper is not None
    position = next(one.position for one in paper.questions if one.variant.kind in ("single", "node"))
    exam.answer(store, "local", paper.id, position, paper.questions[position].variant.choices[1].id)
    app.query_params["question"] = str(position + 1)
    app.run()
    assert app.radio(key=f"test-{paper.id}-{position}").value == paper.questions[position].variant.choices[1].id


def test_handing_in_twice_from_two_windows(opened: Opened, store: Store) -> None:
    first, second = start(opened), opened("test")
    paper = exam.current(store, "local")
    assert paper is not None
    for app in (first, second):
        app.button(key="test-hand-in").click().run()
        assert "25 questions are not answered yet" in sent(app)
    for app in (first, second):
        app.button(key="test-hand-in-now").click().run()
        refuse_faults(app)
        assert app.metric[0].value == "0%"


@pytest.mark.parametrize("number", ["0", "26", "-1", "x", "1e3", "٣", "9" * 400])
def test_a_question_number_that_is_none_opens_the_first_open_one(opened: Opened, number: str) -> None:
    start(opened)
    assert "Question 1 of 25" in sent(refuse_faults(opened("test", question=number)))


@pytest.mark.parametrize("attempt", ["nonsense", "0" * 32, "' OR 1=1 --"])
def test_an_unknown_attempt_is_said(opened: Opened, attempt: str) -> None:
    app = refuse_faults(opened("test", attempt=attempt))
    assert "There is no such test here" in app.warning[0].value


def test_a_typed_number_that_is_none_is_said_beside_the_field(opened: Opened, store: Store) -> None:
    app = start(opened)
    paper = exam.current(store, "local")
    assert paper is not None
    position = next((one.position for one in paper.questions if one.variant.kind == "number"), None)
    while position is None:  # the draw had no number question: draw again
        exam.finish(store, "local", paper.id)
        paper = exam.start(store, "local")
        position = next((one.position for one in paper.questions if one.variant.kind == "number"), None)
    app = opened("test", question=str(position + 1))
    app.text_input(key=f"test-{paper.id}-{position}").set_value("eight").run()
    refuse_faults(app)
    assert "is not a number" in app.warning[0].value
    assert "Not answered yet." in [caption.value for caption in app.caption]


def test_a_pick_whose_callback_was_dropped_is_saved_at_the_next_run(opened: Opened, store: Store) -> None:
    start(opened)
    paper = exam.current(store, "local")
    assert paper is not None
    asked = next(one for one in paper.questions if one.variant.kind == "single" and one.position < 24)
    app = refuse_faults(opened("test", question=str(asked.position + 1)))
    app.session_state[f"test-{paper.id}-{asked.position}"] = asked.variant.choices[1].id  # no callback is called
    app.button(key="test-next").click().run()
    refuse_faults(app)
    assert f"Question {asked.position + 2} of 25" in sent(app)
    saved = exam.current(store, "local")
    assert saved is not None
    assert saved.questions[asked.position].answer == asked.variant.choices[1].id
