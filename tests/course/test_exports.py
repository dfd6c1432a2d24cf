"""Questions for other systems: well-formed, complete, with every explanation."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from course.exports import Exported, drawn, gift, moodle_xml

pytestmark = pytest.mark.usefixtures("small_course")


@pytest.fixture
def exported() -> list[Exported]:
    return drawn(variants=2)


def test_computed_questions_come_in_several_variants(exported: list[Exported]) -> None:
    names = [one.name for one in exported if one.concept == "dag"]
    assert names == ["dag-1 (1)", "dag-1 (2)", "dag-2", "dag-3 (1)", "dag-3 (2)", "dag-4", "dag-5"]
    assert drawn(variants=2) == exported


def test_moodle_xml_holds_every_question_and_explanation(exported: list[Exported]) -> None:
    root = ElementTree.fromstring(moodle_xml(exported).encode())
    questions = [one for one in root if one.get("type") != "category"]
    assert len(questions) == len(exported)
    for element, one in zip(questions, exported, strict=True):
        text = "".join(element.itertext())
        assert one.key.explanation in text
        assert all(option.why in text for option in one.key.options)


def test_moodle_fractions_add_up(exported: list[Exported]) -> None:
    root = ElementTree.fromstring(moodle_xml(exported).encode())
    for element in root.findall("question[@type='multichoice']"):
        fractions = [float(answer.get("fraction", "0")) for answer in element.findall("answer")]
        assert sum(one for one in fractions if one > 0) == pytest.approx(100, abs=0.001)
        if element.findtext("single") == "false":
            assert sum(one for one in fractions if one < 0) == pytest.approx(-100, abs=0.001)


def test_moodle_orderings_stand_in_the_right_order(exported: list[Exported]) -> None:
    root = ElementTree.fromstring(moodle_xml(exported).encode())
    element = root.find("question[@type='ordering']")
    assert element is not None
    assert [answer.findtext("text") for answer in element.findall("answer")] == ["`one()`", "`two()`", "`three()`"]
    assert [answer.get("fraction") for answer in element.findall("answer")] == ["1.0000000", "2.0000000", "3.0000000"]


def test_moodle_numbers_have_their_tolerance(exported: list[Exported]) -> None:
    root = ElementTree.fromstring(moodle_xml(exported).encode())
    element = root.find("question[@type='numerical']")
    assert element is not None
    first, second = element.findall("answer")
    assert (first.get("fraction"), second.get("fraction")) == ("100", "0")
    assert first.findtext("tolerance") == "0.01"


def test_gift_escapes_what_it_uses_itself(exported: list[Exported]) -> None:
    text = gift(exported)
    assert text.count("$CATEGORY:") == 3
    assert "[markdown]What is " in text
    assert "\\=" in text  # the program's x = ...
    assert "=1. -> one()" in text
    for block in text.split("\n\n"):
        bare = re.sub(r"\\.", "", block)
        assert bare.count("{") == bare.count("}") == (0 if block.startswith("$") else 1)
