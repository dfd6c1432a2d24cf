"""Moodle XML: choices, numbers and orderings with every explanation as feedback.

Texts are Markdown, which Moodle knows as a format. A node question becomes a choice between the names of its nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from course import concepts
from course.exports.bank import Exported, in_order, printable, text_of
from course.variants import KeyOption


def moodle_xml(exported: Iterable[Exported]) -> str:
    """The questions as one Moodle XML file, a category for each concept."""
    quiz = Element("quiz")
    category = None
    for one in exported:
        if one.concept != category:
            category = one.concept
            _category(quiz, one.concept)
        _question(quiz, one)
    ElementTree.indent(quiz)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(quiz, encoding="unicode") + "\n"


def _category(quiz: Element, concept: str) -> None:
    number = concepts.SLUGS.index(concept) + 1
    question = SubElement(quiz, "question", type="category")
    _text(SubElement(question, "category"), f"$course$/top/Backstep/{number:02d} {concept}")


def _question(quiz: Element, one: Exported) -> None:
    kind = {"number": "numerical", "order": "ordering"}.get(one.variant.kind, "multichoice")
    question = SubElement(quiz, "question", type=kind)
    _text(SubElement(question, "name"), one.name)
    _text(SubElement(question, "questiontext", format="markdown"), text_of(one.variant))
    explanation = one.key.explanation
    if kind == "ordering":
        explanation += "\n\n" + "\n".join(f"- `{option.text}`: {option.why}" for option in in_order(one))
    _text(SubElement(question, "generalfeedback", format="markdown"), explanation)
    SubElement(question, "defaultgrade").text = "1"
    SubElement(question, "penalty").text = "0.3333333"
    SubElement(question, "hidden").text = "0"
    match kind:
        case "numerical":
            _numerical(question, one)
        case "ordering":
            _ordering(question, one)
        case _:
            _multichoice(question, one)


def _multichoice(question: Element, one: Exported) -> None:
    several = one.variant.kind == "several"
    SubElement(question, "single").text = "false" if several else "true"
    SubElement(question, "shuffleanswers").text = "1"
    SubElement(question, "answernumbering").text = "abc"
    right = sum(option.correct for option in one.key.options)
    wrong = len(one.key.options) - right
    for option in one.key.options:
        share = 100 / right if option.correct else (-100 / wrong if several else 0.0)
        answer = _answer(question, option, f"{share:.5f}".rstrip("0").rstrip("."))
        answer.set("format", "markdown")


def _numerical(question: Element, one: Exported) -> None:
    for option in sorted(one.key.options, key=lambda option: not option.correct):
        answer = _answer(question, option, "100" if option.correct else "0", text=repr(option.number))
        SubElement(answer, "tolerance").text = repr(one.key.tolerance)


def _ordering(question: Element, one: Exported) -> None:
    for name, value in (
        ("layouttype", "VERTICAL"),
        ("selecttype", "ALL"),
        ("selectcount", "0"),
        ("gradingtype", "LONGEST_ORDERED_SUBSET"),
        ("showgrading", "SHOW"),
        ("numberingstyle", "none"),
    ):
        SubElement(question, name).text = value
    for place, option in enumerate(in_order(one), start=1):
        _text(SubElement(question, "answer", fraction=f"{place}.0000000", format="markdown"), f"`{option.text}`")


def _answer(question: Element, option: KeyOption, fraction: str, *, text: str | None = None) -> Element:
    answer = SubElement(question, "answer", fraction=fraction)
    _text(answer, option.text if text is None else text)
    _text(SubElement(answer, "feedback", format="markdown"), option.why)
    return answer


def _text(parent: Element, text: str) -> None:
    SubElement(parent, "text").text = printable(text)
