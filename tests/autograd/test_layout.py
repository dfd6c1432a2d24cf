"""The picture: safe, complete, keyed by id, and the same from many threads."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

import pytest

from autograd.dot import dot
from autograd.layout import layout, standalone
from autograd.trace import Trace
from tests.autograd import sketch

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {"svg", "g", "path", "rect", "text"}
ATTRIBUTES = {"id", "class", "d", "x", "y", "width", "height", "rx", "viewBox", "font-size", "text-anchor"}


@pytest.mark.parametrize("name", sketch.ALL)
def test_only_harmless_elements_and_attributes(name: str) -> None:
    root = ET.fromstring(layout(dot(sketch.ALL[name]())).svg)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ALLOWED
        assert set(element.attrib) <= ATTRIBUTES


@pytest.mark.parametrize("name", sketch.ALL)
def test_every_node_edge_and_slot_has_its_id_once(name: str) -> None:
    trace = sketch.ALL[name]()
    ids = re.findall(r'\bid="([^"]+)"', layout(dot(trace)).svg)
    assert len(ids) == len(set(ids))
    assert {node.id for node in trace.nodes} <= set(ids)
    assert {f"{node.id}-value" for node in trace.nodes} <= set(ids)
    assert {edge.id for edge in trace.edges} <= set(ids)
    assert {f"{edge.id}-label" for edge in trace.edges} <= set(ids)


def test_names_are_shown_as_text() -> None:
    svg = layout(dot(sketch.broken())).svg
    texts = [element.text for element in ET.fromstring(svg).iter(f"{SVG}text")]
    assert any(text and text.startswith("</text><script>") for text in texts)


def test_cut_edges_carry_a_mark() -> None:
    assert layout(dot(sketch.cuts())).svg.count('class="severed"') == 3


def test_nodes_do_not_overlap_and_lie_inside() -> None:
    svg = layout(dot(sketch.cuts())).svg
    root = ET.fromstring(svg)
    left, top, width, height = (float(n) for n in str(root.get("viewBox")).split())
    boxes = []
    for group in root.iter(f"{SVG}g"):
        box = group.find(f"{SVG}rect")
        if str(group.get("class")).startswith("node") and box is not None:
            x, y, w, h = (float(str(box.get(key))) for key in ("x", "y", "width", "height"))
            assert left <= x and x + w <= left + width and top <= y and y + h <= top + height  # noqa: PT018
            boxes.append((x, y, x + w, y + h))
    for i, a in enumerate(boxes):
        for b in boxes[i + 1 :]:
            assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


def test_the_gradient_end_of_an_edge_is_at_its_source() -> None:
    """The arrowhead of the way back stands where the edge leaves its source."""
    root = ET.fromstring(layout(dot(sketch.square())).svg)
    for group in root.iter(f"{SVG}g"):
        if str(group.get("class")).startswith("edge"):
            line, back = (next(p for p in group if p.get("class") == name) for name in ("line", "back"))
            start = re.match(r"M([-\d.]+),([-\d.]+)", str(line.get("d")))
            tip = re.match(r"M([-\d.]+),([-\d.]+)", str(back.get("d")))
            assert start is not None
            assert tip is not None
            assert [float(n) for n in tip.groups()] == pytest.approx([float(n) for n in start.groups()], abs=0.1)


def test_threads_get_the_same_picture() -> None:
    texts = [dot(sketch.ALL[name]()) for name in sketch.ALL] * 4
    alone = [layout(text).svg for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert [made.svg for made in pool.map(layout, texts)] == alone


def test_an_empty_trace_and_a_lone_leaf_draw() -> None:
    assert layout(dot(Trace("", (), (), ()))).svg.endswith("</svg>")
    assert 'id="n0-value"' in layout(dot(sketch.alone())).svg


def test_bad_dot_is_a_value_error() -> None:
    with pytest.raises(ValueError):  # noqa: PT011
        layout("digraph { ")


def test_collapsed_groups_can_be_picked_by_id() -> None:
    svg = layout(dot(sketch.arrays(), collapse=["module:net"])).svg
    assert 'id="g0" class="node group"' in svg


def test_a_standalone_picture_brings_its_colours() -> None:
    svg = standalone(layout(dot(sketch.cuts())).svg)
    root = ET.fromstring(svg)
    assert root[0].tag == f"{SVG}style"
    assert "stroke:#009e73" in str(root[0].text)
