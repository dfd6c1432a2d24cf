"""Faults in content files are named with file and field, in the writer's words."""

from __future__ import annotations

from pathlib import Path

import pytest

from course.schema import ContentError, read_concept, read_questions

CARD = """
slug = "diamond"
order = 9
title = "Two paths, one sum"
claims = ["C17"]
idea = "An idea."
experiment = "Try it."
[walk]
example = "diamond"
event = "accumulate"
node = "x"
occurrence = 2
[card]
question = "diamond-1"
"""

QUESTION = """
[[question]]
id = "diamond-1"
kind = "single"
prompt = "What is {a}?"
code = "x = {a}"
explanation = "It is {answer}."
[question.parameters]
a = [1, 2]
[question.compute]
answer = "x"
wrong = "x + 1"
[[question.option]]
text = "{answer}"
correct = true
why = "Yes."
[[question.option]]
text = "{wrong}"
correct = false
misconception = "one-too-many"
why = "No."
"""


def faults_of_card(tmp_path: Path, old: str = "", new: str = "") -> list[str]:
    folder = tmp_path / "concepts"
    folder.mkdir(exist_ok=True)
    path = folder / "diamond.toml"
    assert old in CARD
    path.write_text(CARD.replace(old, new, 1), encoding="utf-8")
    try:
        read_concept(path)
    except ContentError as error:
        return [str(fault) for fault in error.faults]
    return []


def faults_of_question(tmp_path: Path, old: str = "", new: str = "") -> list[str]:
    folder = tmp_path / "questions"
    folder.mkdir(exist_ok=True)
    path = folder / "diamond.toml"
    assert old in QUESTION
    path.write_text(QUESTION.replace(old, new, 1), encoding="utf-8")
    try:
        read_questions(path)
    except ContentError as error:
        return [str(fault) for fault in error.faults]
    return []


def test_good_files_are_read(tmp_path: Path) -> None:
    assert faults_of_card(tmp_path) == []
    assert faults_of_question(tmp_path) == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('title = "Two paths, one sum"\n', "", "concepts/diamond.toml: title: Field required"),
        ("order = 9", "order = 9\ncolour = 1", "concepts/diamond.toml: colour: this key is not known"),
        ('"An idea."', '"  "', "concepts/diamond.toml: idea: must not be empty"),
        ('"An idea."', f'"{"word " * 121}"', "concepts/diamond.toml: idea: has 121 words, at most 120 are allowed"),
        ('slug = "diamond"', 'slug = "other"', "concepts/diamond.toml: slug: is 'other', the file is named 'diamond'"),
        ('"accumulate"', '"jump"', "concepts/diamond.toml: walk, event: "),
        (
            'node = "x"\n',
            "",
            "concepts/diamond.toml: walk, node: the event 'accumulate' needs the variable it happens at",
        ),
        ('"accumulate"', '"backward_end"', "concepts/diamond.toml: walk, node: leave it out"),
        ("occurrence = 2", "occurrence = 0", "concepts/diamond.toml: walk, occurrence: counts from 1"),
        ('["C17"]', "[]", "concepts/diamond.toml: claims: at least one is needed"),
        ("order = 9", "order = ", "concepts/diamond.toml: is not valid TOML: "),
        ("order = 9", 'order = "9"', "concepts/diamond.toml: order: "),
    ],
)
def test_faults_of_a_card(tmp_path: Path, old: str, new: str, fault: str) -> None:
    found = faults_of_card(tmp_path, old, new)
    assert any(one.startswith(fault) for one in found), found


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('why = "No."', 'why = ""', 'question "diamond-1", option 2, why: must not be empty'),
        ('why = "No."\n', "", 'question "diamond-1", option 2, why: Field required'),
        (
            'misconception = "one-too-many"\n',
            "",
            'question "diamond-1", option 2, misconception: a wrong option of a computed question names one',
        ),
        ('"one-too-many"', '"One Too Many"', 'question "diamond-1", option 2, misconception: must be lower-case words'),
        (
            "correct = false",
            "correct = true",
            "question \"diamond-1\", option: 2 are correct, the kind 'single' needs exactly one",
        ),
        ('"It is {answer}."', '"It is {anser}."', 'question "diamond-1", explanation: {anser} is neither a parameter'),
        ('answer = "x"', 'answer = "x +"', 'question "diamond-1", compute.answer: not a Python expression'),
        (
            'answer = "x"',
            'a = "x"\nanswer = "x"',
            'question "diamond-1", compute: a already named in [question.parameters]',
        ),
        ("a = [1, 2]", "a = []", 'question "diamond-1", parameters, a: List should have at least 1 item'),
        ('"{wrong}"', '"{answer}"', 'question "diamond-1", option 2, text: the same as another option\'s'),
        ('kind = "single"', 'kind = "number"', 'question "diamond-1", answer, tolerance: both are needed'),
        ('kind = "single"', 'kind = "order"', 'question "diamond-1", lines: at least three are needed'),
        ('kind = "single"', 'kind = "several"', 'question "diamond-1", option: at least three are needed'),
        ('kind = "single"', 'kind = "essay"', 'question "diamond-1", kind: '),
        ('id = "diamond-1"', 'id = "square-1"', 'question "square-1", id: must be diamond-NUMBER'),
        ('code = "x = {a}"\n', "", 'question "diamond-1", code: a question with [question.compute] needs a program'),
        (
            'prompt = "What is {a}?"',
            'prompt = "What is {a}?"\nhint = "h"',
            'question "diamond-1", hint: this key is not',
        ),
    ],
)
def test_faults_of_a_question(tmp_path: Path, old: str, new: str, fault: str) -> None:
    found = faults_of_question(tmp_path, old, new)
    assert any(one.startswith(f"questions/diamond.toml: {fault}") for one in found), found


def test_an_id_used_twice_is_named(tmp_path: Path) -> None:
    found = faults_of_question(tmp_path, QUESTION, QUESTION + QUESTION)
    assert found == ['questions/diamond.toml: question "diamond-1", id: is used twice']


def test_a_missing_and_an_unreadable_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(ContentError, match="does not exist"):
        read_concept(tmp_path / "concepts" / "diamond.toml")
    path = tmp_path / "diamond.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ContentError, match="UTF-8"):
        read_questions(path)
