"""An attempt at the test: saved as given, resumed anywhere, graded once."""

from __future__ import annotations

import threading

import pytest

from course import exam, questions
from course.exam import AttemptFinished, AttemptOpen, ExamError, NoSuchAttempt, Paper
from course.store import Attempt, Store, open_store
from course.variants import Key, draw_with_key

pytestmark = pytest.mark.usefixtures("small_course")


def right_answers(store: Store, paper: Paper) -> None:
    for asked in paper.questions:
        _, key = draw_with_key(questions.get(asked.variant.question), asked.variant.seed)
        exam.answer(store, "local", paper.id, asked.position, right_answer(asked.variant.kind, key))


def right_answer(kind: str, key: Key) -> str | list[str]:
    right = [option for option in key.options if option.correct]
    match kind:
        case "order":
            return list(key.order)
        case "several":
            return [option.id for option in right]
        case "number":
            return right[0].text
    return right[0].id


def test_one_question_of_each_concept_is_asked(store: Store) -> None:
    paper = exam.start(store, "local")
    assert [asked.concept for asked in paper.questions] == ["recording", "dag", "requires-grad"]
    assert paper.answered == 0


def test_starting_again_resumes_the_open_attempt(store: Store) -> None:
    assert exam.start(store, "local").id == exam.start(store, "local").id


def test_two_windows_starting_at_once_get_the_same_attempt(store: Store) -> None:
    papers: list[Paper] = []
    barrier = threading.Barrier(4)

    def start() -> None:
        barrier.wait()
        papers.append(exam.start(store, "local"))

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(papers) == 4
    assert len({paper.id for paper in papers}) == 1


def test_every_answer_is_there_after_the_server_is_gone(store: Store) -> None:
    paper = exam.start(store, "local")
    right_answers(store, paper)
    url = f"sqlite:///{store.where}"
    store.close()
    again = open_store(url)
    resumed = exam.current(again, "local")
    assert resumed is not None
    assert resumed.answered == 3
    assert [asked.variant for asked in resumed.questions] == [asked.variant for asked in paper.questions]
    again.close()


def test_an_answer_overtaken_by_a_later_one_does_not_undo_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    paper = exam.start(store, "local")
    asked = next(one for one in paper.questions if one.variant.choices and one.variant.kind != "order")
    several = asked.variant.kind == "several"
    first, second = ([one.id] if several else one.id for one in asked.variant.choices[:2])
    held, go_on = threading.Event(), threading.Event()
    writing = store.writing

    def slow_writing() -> object:  # the first writer waits until the second is done
        monkeypatch.setattr(store, "writing", writing)
        held.set()
        go_on.wait(10)
        return writing()

    monkeypatch.setattr(store, "writing", slow_writing)
    early = threading.Thread(target=exam.answer, args=(store, "local", paper.id, asked.position, first))
    early.start()
    held.wait(10)
    exam.answer(store, "local", paper.id, asked.position, second)
    go_on.set()
    early.join()
    assert exam.load(store, "local", paper.id).questions[asked.position].answer == second


def test_answers_are_graded_at_the_end(store: Store) -> None:
    paper = exam.start(store, "local")
    right_answers(store, paper)
    exam.answer(store, "local", paper.id, 0, None)
    done = exam.finish(store, "local", paper.id)
    assert done.score == pytest.approx(2 / 3)
    reviewed = exam.review(store, "local", paper.id)
    assert [one.grade.correct for one in reviewed] == [False, True, True]
    assert all(option.why for one in reviewed for option in one.grade.options)
    assert exam.current(store, "local") is None
    assert [one.id for one in exam.finished(store, "local")] == [paper.id]


def test_a_finished_attempt_takes_no_more_answers_and_is_graded_once(store: Store) -> None:
    paper = exam.start(store, "local")
    first = exam.finish(store, "local", paper.id)
    with pytest.raises(AttemptFinished):
        exam.answer(store, "local", paper.id, 0, None)
    assert exam.finish(store, "local", paper.id) == first


def test_nothing_is_explained_before_the_end(store: Store) -> None:
    paper = exam.start(store, "local")
    with pytest.raises(AttemptOpen):
        exam.review(store, "local", paper.id)
    assert "why-" not in repr(paper)
    assert "-single" not in repr(paper)


def test_other_peoples_attempts_cannot_be_opened(store: Store) -> None:
    paper = exam.start(store, "ada@example.org")
    for call in (exam.load, exam.finish, exam.review):
        with pytest.raises(NoSuchAttempt):
            call(store, "eve@example.org", paper.id)
    with pytest.raises(NoSuchAttempt):
        exam.answer(store, "eve@example.org", paper.id, 0, None)


def test_an_answer_that_is_not_among_the_options_is_refused(store: Store) -> None:
    paper = exam.start(store, "local")
    for asked in paper.questions:
        foreign = {"several": ["zz"], "order": ["zz"], "number": "1" * 300}.get(asked.variant.kind, "zz")
        with pytest.raises(ExamError):
            exam.answer(store, "local", paper.id, asked.position, foreign)
    with pytest.raises(ExamError):
        exam.answer(store, "local", paper.id, 99, None)


def test_a_retake_asks_other_questions(store: Store) -> None:
    seen: list[set[str]] = []
    for _ in range(5):
        paper = exam.start(store, "local")
        seen.append({asked.variant.question for asked in paper.questions})
        exam.finish(store, "local", paper.id)
    assert len(set.union(*seen)) == 15


def test_an_attempt_stays_as_drawn_when_the_content_changes(store: Store) -> None:
    paper = exam.start(store, "local")
    right_answers(store, paper)
    with store.reading() as session:
        before = session.get(Attempt, paper.id)
    questions.of.cache_clear()
    for slug in ("recording", "dag", "requires-grad"):
        (questions.paths.QUESTIONS / f"{slug}.toml").unlink()
    assert before is not None
    assert exam.finish(store, "local", paper.id).score == 1.0
