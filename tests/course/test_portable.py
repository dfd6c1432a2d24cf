"""Progress as a file: down, up, merged, refused, erased."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from course import exam, learners, mastery, portable, practice, questions
from course.portable import ImportRefused
from course.store import Store, open_store
from course.variants import draw_with_key
from tests.course.test_exam import right_answers

pytestmark = pytest.mark.usefixtures("small_course")


@pytest.fixture
def other(tmp_path: Path) -> Store:
    return open_store(f"sqlite:///{tmp_path / 'other.db'}")


def learn(store: Store) -> None:
    practice.saw(store, "local", "recording")
    variant, key = draw_with_key(questions.get("dag-1"), 1)
    practice.answered(store, "local", variant, next(one.id for one in key.options if one.correct))
    paper = exam.start(store, "local")
    right_answers(store, paper)
    exam.finish(store, "local", paper.id)


def test_a_download_uploaded_elsewhere_gives_the_same_progress(store: Store, other: Store) -> None:
    learn(store)
    merged = portable.upload(other, "ada", portable.download(store, "local"))
    assert (merged.attempts, merged.practice, merged.cards, merged.left_out) == (1, 1, 1, 0)
    assert mastery.of(other, "ada") == mastery.of(store, "local")
    assert exam.finished(other, "ada") == exam.finished(store, "local")


def test_uploading_twice_changes_nothing(store: Store, other: Store) -> None:
    learn(store)
    text = portable.download(store, "local")
    portable.upload(other, "local", text)
    again = portable.upload(other, "local", text)
    assert (again.attempts, again.practice, again.cards) == (0, 0, 0)
    assert portable.upload(store, "local", text).attempts == 0


def test_an_open_attempt_travels_without_its_key(store: Store, other: Store) -> None:
    paper = exam.start(store, "local")
    right_answers(store, paper)
    text = portable.download(store, "local")
    assert "why-" not in text
    assert "-single" not in text
    assert portable.upload(other, "local", text).attempts == 1
    assert exam.finish(other, "local", paper.id).score == 1.0


def test_scores_in_a_file_are_graded_again(store: Store, other: Store) -> None:
    paper = exam.start(store, "local")
    exam.finish(store, "local", paper.id)
    portable.upload(other, "local", portable.download(store, "local"))
    assert exam.load(other, "local", paper.id).score == 0.0


def test_a_second_open_attempt_is_left_out_and_said(store: Store, other: Store) -> None:
    mine = exam.start(other, "local")
    exam.start(store, "local")
    merged = portable.upload(other, "local", portable.download(store, "local"))
    assert (merged.attempts, merged.left_out) == (0, 1)
    assert "Left out: 1" in str(merged)
    kept = exam.current(other, "local")
    assert kept is not None
    assert kept.id == mine.id


def test_the_newer_answers_of_one_open_attempt_win(store: Store, other: Store) -> None:
    paper = exam.start(store, "local")
    portable.upload(other, "local", portable.download(store, "local"))
    right_answers(other, paper)
    portable.upload(store, "local", portable.download(other, "local"))
    resumed = exam.current(store, "local")
    assert resumed is not None
    assert resumed.answered == 3


def test_a_handed_in_attempt_wins_over_the_open_one(store: Store, other: Store) -> None:
    paper = exam.start(store, "local")
    portable.upload(other, "local", portable.download(store, "local"))
    right_answers(other, paper)
    exam.finish(other, "local", paper.id)
    portable.upload(store, "local", portable.download(other, "local"))
    assert exam.load(store, "local", paper.id).score == 1.0


def spoilt(store: Store, **changes: Any) -> str:
    return json.dumps({**json.loads(portable.download(store, "local")), **changes})


def test_files_that_are_no_progress_are_refused(store: Store) -> None:
    learn(store)
    before = portable.download(store, "local")
    for text in (
        "",
        "[1, 2]",
        "{}",
        "no json",
        '{"format": "other"}',
        "[" * 100_000,
        b"\xff\xfe\x00",
        spoilt(store, version=99),
        spoilt(store, seen=[{"concept": "nonsense", "first": "2026-01-01T00:00:00Z", "last": "2026-01-01T00:00:00Z"}]),
        spoilt(store, practice=[{"id": "x"}]),
        spoilt(store, extra=1),
        " " * 20_000_001,
    ):
        with pytest.raises(ImportRefused):
            portable.upload(store, "local", text)
    after = portable.download(store, "local")
    assert {**json.loads(before), "exported": ""} == {**json.loads(after), "exported": ""}


def test_a_key_that_was_tampered_with_is_left_out(store: Store, other: Store) -> None:
    learn(store)
    data = json.loads(portable.download(store, "local"))
    data["attempts"][0]["items"][0]["key"] = {"options": []}
    assert portable.upload(other, "local", json.dumps(data)).left_out == 1


def test_erase_removes_one_learner_only(store: Store) -> None:
    learn(store)
    practice.saw(store, "ada", "dag")
    portable.erase(store, "local")
    assert learners.everyone(store) == ["ada"]
    assert exam.finished(store, "local") == []
    portable.erase(store, "nobody")
