"""QTI 2.1: the questions as a content package, which Canvas, Brightspace, Blackboard, TAO and others import.

The package is a zip file: a manifest, one item a question, and a test with a section for each concept. What was picked
is explained by feedback of its own; the explanation of the whole is always shown. A node question becomes a choice
between the names of its nodes. Elements and response processing are those of the IMS QTI 2.1 information model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from io import BytesIO
from itertools import groupby
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement
from zipfile import ZIP_DEFLATED, ZipFile

from markdown_it import MarkdownIt

from course import concepts
from course.exports.bank import Exported, in_order, printable, text_of

ITEM = "http://www.imsglobal.org/xsd/imsqti_v2p1"
PACKAGE = "http://www.imsglobal.org/xsd/imscp_v1p1"
_EXPLANATION = "explanation"
_markdown = MarkdownIt("commonmark", {"html": False, "xhtmlOut": True})


def qti_package(exported: Iterable[Exported]) -> bytes:
    """The questions as a zip file in QTI 2.1."""
    questions = list(exported)
    files = {f"items/{_identifier(one)}.xml": _item(one) for one in questions}
    files = {"imsmanifest.xml": _manifest(questions), "test.xml": _test(questions), **files}
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as package:
        for name, root in files.items():
            package.writestr(name, ElementTree.tostring(root, encoding="UTF-8", xml_declaration=True))
    return out.getvalue()


def _identifier(one: Exported) -> str:
    return "q-" + re.sub(r"[^A-Za-z0-9]+", "-", one.name).strip("-")


def _manifest(questions: list[Exported]) -> Element:
    manifest = Element("manifest", xmlns=PACKAGE, identifier="backstep")
    metadata = SubElement(manifest, "metadata")
    SubElement(metadata, "schema").text = "QTIv2.1 Package"
    SubElement(metadata, "schemaversion").text = "1.0.0"
    SubElement(manifest, "organizations")
    resources = SubElement(manifest, "resources")
    names = [_identifier(one) for one in questions]
    test = _resource(resources, "test", "imsqti_test_xmlv2p1", "test.xml")
    for name in names:
        SubElement(test, "dependency", identifierref=name)
        _resource(resources, name, "imsqti_item_xmlv2p1", f"items/{name}.xml")
    return manifest


def _resource(resources: Element, identifier: str, kind: str, path: str) -> Element:
    resource = SubElement(resources, "resource", identifier=identifier, type=kind, href=path)
    SubElement(resource, "file", href=path)
    return resource


def _test(questions: list[Exported]) -> Element:
    test = Element("assessmentTest", xmlns=ITEM, identifier="backstep", title="Automatic differentiation")
    part = SubElement(test, "testPart", identifier="part", navigationMode="nonlinear", submissionMode="individual")
    for slug, found in groupby(questions, key=lambda one: one.concept):
        section = SubElement(
            part, "assessmentSection", identifier=f"s-{slug}", title=concepts.get(slug).title, visible="true"
        )
        for one in found:
            name = _identifier(one)
            SubElement(section, "assessmentItemRef", identifier=name, href=f"items/{name}.xml")
    return test


def _item(one: Exported) -> Element:
    item = Element(
        "assessmentItem",
        xmlns=ITEM,
        identifier=_identifier(one),
        title=one.name,
        adaptive="false",
        timeDependent="false",
    )
    _declarations(item, one)
    body = SubElement(item, "itemBody")
    _written(body, text_of(one.variant))
    _interaction(body, one)
    _processing(item, one)
    for option in one.key.options:
        _feedback(item, option.id, option.why)
    _feedback(item, _EXPLANATION, one.key.explanation)
    return item


def _declarations(item: Element, one: Exported) -> None:
    kind, key = one.variant.kind, one.key
    response = SubElement(
        item,
        "responseDeclaration",
        identifier="RESPONSE",
        cardinality={"several": "multiple", "order": "ordered"}.get(kind, "single"),
        baseType="float" if kind == "number" else "identifier",
    )
    right = [option for option in key.options if option.correct]
    correct = SubElement(response, "correctResponse")
    for value in key.order or [repr(option.number) if kind == "number" else option.id for option in right]:
        SubElement(correct, "value").text = value
    if kind == "several":
        mapping = SubElement(response, "mapping", lowerBound="0", upperBound="1", defaultValue="0")
        wrong = len(key.options) - len(right)
        for option in key.options:
            share = 1 / len(right) if option.correct else -1 / wrong
            SubElement(mapping, "mapEntry", mapKey=option.id, mappedValue=f"{share:.6f}")
    score = SubElement(item, "outcomeDeclaration", identifier="SCORE", cardinality="single", baseType="float")
    SubElement(SubElement(score, "defaultValue"), "value").text = "0"
    SubElement(item, "outcomeDeclaration", identifier="FEEDBACK", cardinality="multiple", baseType="identifier")


def _interaction(body: Element, one: Exported) -> None:
    kind, choices = one.variant.kind, one.variant.choices
    if kind == "number":
        SubElement(SubElement(body, "p"), "textEntryInteraction", responseIdentifier="RESPONSE", expectedLength="12")
        return
    if kind == "order":
        asked = SubElement(body, "orderInteraction", responseIdentifier="RESPONSE", shuffle="false")
    else:
        most = "0" if kind == "several" else "1"
        asked = SubElement(body, "choiceInteraction", responseIdentifier="RESPONSE", shuffle="true", maxChoices=most)
    for choice in choices:
        text = f"`{choice.text}`" if kind in ("order", "node") else choice.text
        _written(SubElement(asked, "simpleChoice", identifier=choice.id), text)


def _processing(item: Element, one: Exported) -> None:
    """The score, then the feedback: that of each option picked, and the explanation."""
    processing = SubElement(item, "responseProcessing")
    if one.variant.kind == "several":
        answered = SubElement(SubElement(processing, "responseCondition"), "responseIf")
        SubElement(SubElement(SubElement(answered, "not"), "isNull"), "variable", identifier="RESPONSE")
        SubElement(_outcome(answered, "SCORE"), "mapResponse", identifier="RESPONSE")
    elif one.variant.kind == "number":
        for option in sorted(one.key.options, key=lambda option: not option.correct):
            met = SubElement(SubElement(processing, "responseCondition"), "responseIf")
            tolerance = f"{one.key.tolerance!r} {one.key.tolerance!r}"
            equal = SubElement(met, "equal", toleranceMode="absolute", tolerance=tolerance)
            SubElement(equal, "variable", identifier="RESPONSE")
            SubElement(equal, "baseValue", baseType="float").text = repr(option.number)
            if option.correct:
                SubElement(_outcome(met, "SCORE"), "baseValue", baseType="float").text = "1"
            _told(met, option.id)
    else:
        met = SubElement(SubElement(processing, "responseCondition"), "responseIf")
        match = SubElement(met, "match")
        SubElement(match, "variable", identifier="RESPONSE")
        SubElement(match, "correct", identifier="RESPONSE")
        SubElement(_outcome(met, "SCORE"), "baseValue", baseType="float").text = "1"
    if one.variant.kind in ("single", "several", "node"):
        picked = SubElement(_outcome(processing, "FEEDBACK"), "multiple")
        SubElement(picked, "variable", identifier="RESPONSE")
    if one.variant.kind == "order":
        for option in in_order(one):
            _told(processing, option.id)
    _told(processing, _EXPLANATION)


def _told(parent: Element, feedback: str) -> None:
    """Adds ``feedback`` to what is shown."""
    both = SubElement(_outcome(parent, "FEEDBACK"), "multiple")
    SubElement(both, "variable", identifier="FEEDBACK")
    SubElement(both, "baseValue", baseType="identifier").text = feedback


def _outcome(parent: Element, name: str) -> Element:
    return SubElement(parent, "setOutcomeValue", identifier=name)


def _feedback(item: Element, identifier: str, text: str) -> None:
    shown = SubElement(item, "modalFeedback", outcomeIdentifier="FEEDBACK", identifier=identifier, showHide="show")
    _written(shown, text)


def _written(parent: Element, text: str) -> None:
    """Markdown as the XHTML that QTI's bodies are made of. What the text itself has of markup stays text."""
    parent.extend(ElementTree.fromstring(f"<div>{_markdown.render(printable(text))}</div>"))
