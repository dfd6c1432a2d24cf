"""Questions for other systems: well-formed, complete, with every explanation."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from zipfile import ZipFile

import pytest

from course.exports import Exported, drawn, gift, moodle_xml, qti_package

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


QTI = {"q": "http://www.imsglobal.org/xsd/imsqti_v2p1", "p": "http://www.imsglobal.org/xsd/imscp_v1p1"}


@pytest.fixture
def items(exported: list[Exported]) -> dict[str, Element]:
    """The items of the QTI package by their titles."""
    with ZipFile(BytesIO(qti_package(exported))) as package:
        roots = [ElementTree.fromstring(package.read(name)) for name in package.namelist() if name.startswith("items/")]
    return {str(root.get("title")): root for root in roots}


def test_qti_manifest_and_test_name_every_file(exported: list[Exported]) -> None:
    with ZipFile(BytesIO(qti_package(exported))) as package:
        files = set(package.namelist())
        manifest = ElementTree.fromstring(package.read("imsmanifest.xml"))
        test = ElementTree.fromstring(package.read("test.xml"))
    hrefs = [one.get("href") for one in manifest.iterfind(".//p:resource", QTI)]
    assert {*hrefs, "imsmanifest.xml"} == files
    asked = [one.get("href") for one in test.iterfind(".//q:assessmentItemRef", QTI)]
    assert len(asked) == len(exported)
    assert {*asked, "test.xml"} == set(hrefs)
    assert len(test.findall(".//q:assessmentSection", QTI)) == len({one.concept for one in exported})


def test_qti_explains_every_option(exported: list[Exported], items: dict[str, Element]) -> None:
    for one in exported:
        told = {
            feedback.get("identifier"): "".join(feedback.itertext())
            for feedback in items[one.name].iterfind("q:modalFeedback", QTI)
        }
        assert set(told) == {"explanation", *(option.id for option in one.key.options)}
        assert all(text.strip() for text in told.values())


def test_qti_keys(exported: list[Exported], items: dict[str, Element]) -> None:
    for one in exported:
        declared = items[one.name].find("q:responseDeclaration", QTI)
        assert declared is not None
        values = [value.text for value in declared.iterfind("q:correctResponse/q:value", QTI)]
        if one.variant.kind == "order":
            assert declared.get("cardinality") == "ordered"
            assert values == list(one.key.order)
        elif one.variant.kind == "number":
            assert [float(str(value)) for value in values] == [
                option.number for option in one.key.options if option.correct
            ]
        else:
            assert values == [option.id for option in one.key.options if option.correct]


def test_qti_numbers_are_compared_with_their_tolerance(items: dict[str, Element]) -> None:
    compared = [equal for item in items.values() for equal in item.iterfind(".//q:equal", QTI)]
    assert compared
    assert {equal.get("tolerance") for equal in compared} == {"0.01 0.01"}


def test_qti_markup_in_a_text_stays_text(exported: list[Exported]) -> None:
    one = next(one for one in exported if one.variant.kind == "single")
    wicked = replace(one, variant=replace(one.variant, prompt="Is `a<b` and <b>bold</b> & \x07?"))
    with ZipFile(BytesIO(qti_package([wicked]))) as package:
        name = next(name for name in package.namelist() if name.startswith("items/"))
        body = ElementTree.fromstring(package.read(name)).find("q:itemBody", QTI)
    assert body is not None
    assert "".join(body.itertext()).startswith("Is a<b and <b>bold</b> & ?")
    assert body.find(".//q:b", QTI) is None
