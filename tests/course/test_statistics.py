"""Facility and discrimination, against numbers worked out by hand and with NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course import exam, statistics
from course.statistics import Scored
from course.store import Attempt, Store


def test_facility_and_discrimination_of_a_small_class() -> None:
    answers = [Scored("q-1", "q", score, rest) for score, rest in [(1, 9), (1, 8), (0, 4), (0, 3)]]
    (item,) = statistics.by_question(answers)
    assert item.facility == 0.5
    assert item.discrimination == pytest.approx(np.corrcoef([1, 1, 0, 0], [9, 8, 4, 3])[0, 1])
    assert not item.enough


@given(st.lists(st.tuples(st.integers(0, 1), st.floats(0, 24)), min_size=2, max_size=60))
def test_discrimination_is_the_point_biserial_correlation(pairs: list[tuple[int, float]]) -> None:
    scores, rests = [float(score) for score, _ in pairs], [rest for _, rest in pairs]
    found = statistics.discrimination(scores, rests)
    if found is not None and np.std(rests) > 1e-6:
        assert found == pytest.approx(np.corrcoef(scores, rests)[0, 1], abs=1e-6)


def test_discrimination_needs_variation() -> None:
    assert statistics.discrimination([1, 1, 1], [1, 2, 3]) is None
    assert statistics.discrimination([1], [1]) is None


def test_thirty_answers_are_enough() -> None:
    answers = [Scored("q-1", "q", n % 2, n, ("slip",) if n % 2 == 0 else ()) for n in range(30)]
    (item,) = statistics.by_concept(answers)
    assert item.enough
    assert item.misconceptions == {"slip": 15}


@pytest.mark.usefixtures("small_course")
def test_first_attempts_stand_apart_and_uploads_are_left_out(store: Store) -> None:
    for learner, attempts in (("ada", 2), ("bob", 1)):
        for _ in range(attempts):
            exam.finish(store, learner, exam.start(store, learner).id)
    uploaded = exam.finish(store, "eve", exam.start(store, "eve").id)
    with store.writing() as session:
        row = session.get(Attempt, uploaded.id)
        assert row is not None
        row.imported = True
    exam.start(store, "zoe")
    assert len(statistics.scored(store, first_only=True)) == 2 * 3
    assert len(statistics.scored(store, first_only=False)) == 3 * 3
    table = {line.learner: line for line in statistics.overview(store)}
    assert table["ada"].attempts == 2
    assert table["ada"].best == 0
    assert table["zoe"].attempts == 0
    assert table["zoe"].latest is None
