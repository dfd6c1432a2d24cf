"""The symptoms: whole paths, and programs that show what they say."""

from __future__ import annotations

import difflib

import pytest

from course import concepts
from snippets import run, symptoms
from snippets.symptoms import Symptom

ALL = [pytest.param(symptom, id=symptom.slug) for symptom in symptoms.all()]


def test_the_nine_symptoms_are_there() -> None:
    assert [symptom.title for symptom in symptoms.all()] == [
        "loss does not require grad",
        "second backward",
        ".grad is None",
        "gradients too large",
        "modified by an in-place operation",
        "nan",
        "loss does not go down",
        "memory grows",
        "parameter does not change",
    ]


@pytest.mark.parametrize("symptom", ALL)
def test_every_question_is_reached_and_every_way_ends(symptom: Symptom) -> None:
    assert 2 <= len(symptom.questions) <= 4
    waiting, seen = [symptom.questions[0].id], set()
    while waiting:
        question = symptom.question(waiting.pop())
        assert question.id not in seen, "a path goes round"
        seen.add(question.id)
        assert len(question.answers) >= 2
        waiting += [answer.next for answer in question.answers if answer.next]
    assert seen == {question.id for question in symptom.questions}
    for question in symptom.questions:
        for answer in question.answers:
            assert answer.means
            assert answer.next or answer.fix or answer.concept or "Paste the program" in answer.means
            assert answer.concept in (None, *concepts.slugs())
    assert symptom.concept in concepts.slugs()


@pytest.mark.parametrize("symptom", ALL)
def test_the_broken_program_gets_the_report_it_is_there_for(symptom: Symptom) -> None:
    first = run(symptom.broken).diagnosis[0]
    assert (first["category"], first["severity"]) == (symptom.category, "fault")
    assert first["line"]


@pytest.mark.parametrize("symptom", ALL)
def test_the_repaired_program_runs_and_nothing_is_said_about_it(symptom: Symptom) -> None:
    result = run(symptom.repaired)
    assert result.error is None
    assert result.diagnosis == []


@pytest.mark.parametrize("symptom", ALL)
def test_the_programs_differ_in_few_lines(symptom: Symptom) -> None:
    left, right = symptom.broken.splitlines(), symptom.repaired.splitlines()
    ways = difflib.SequenceMatcher(None, left, right).get_opcodes()
    changed = sum(max(a1 - a0, b1 - b0) for way, a0, a1, b0, b1 in ways if way != "equal")
    assert 1 <= changed <= 5
