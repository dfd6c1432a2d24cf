"""DOT to SVG: Graphviz lays the graph out in this process, once a trace, and the picture is drawn anew from the
places it gives.

The SVG holds only ``svg``, ``g``, ``path``, ``rect`` and ``text`` with ids and classes of ours: no script, link,
style or foreign markup can come through, whatever names a program uses. Ids are ``n0`` (a node), ``n0-value`` (one of
its texts), ``e0`` (an edge), ``e0-label``, ``c0`` (a module's cluster) and ``g0`` (a collapsed group).
"""

from __future__ import annotations

import math
import re
import threading
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape

import pygraphviz

from autograd.dot import HEADING, KEY_SIZE, LABEL_SIZE, ROW, SMALL_SIZE, TITLE_SIZE, VALUE_SIZE

#: libgraphviz is not documented as safe to call from two threads at once.
_GRAPHVIZ = threading.Lock()

_SVG = "{http://www.w3.org/2000/svg}"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e-?\d+)?")
_ID = re.compile(r"[nceg]\d+")
_MARGIN = 8.0
_INSET = 9.0
_FOLD = 13.0
_TABLE = re.compile(r"^(\t+([ng]\d+) \[.*?)label=<<TABLE[^>]*>(.*)</TABLE>>", re.MULTILINE)
_CELL = re.compile(r"<FONT[^>]*>(?:<B>)?([^<]*)(?:</B>)?</FONT>")
_SLOTS = {"value": "value", "grad": "grad", ".grad": "dotgrad", "version": "version"}

#: Colours for a picture outside the stepper.
_STYLE = (
    "text{font-family:'Source Sans 3','Source Sans Pro',Helvetica,Arial,sans-serif;fill:#1c1f26}"
    ".title{font-weight:700}.kind,.key,.scope{fill:#555b66}"
    ".box{fill:#fff;stroke:#d55e00;stroke-width:1.6}.leaf .box{fill:#ebf6f2;stroke:#009e73;stroke-width:2.8}"
    ".constant .box,.unrecorded .box,.group .box,.crease{stroke:#6b7280}.crease{fill:none}"
    ".unrecorded .box{stroke-dasharray:2 4;stroke-linecap:round}.cluster .box{fill:#f7f7f8;stroke:#c9cdd4}"
    ".line{fill:none;stroke:#8a8f98;stroke-width:1.5}.head{fill:#8a8f98}.back{display:none}"
    ".still .line{stroke-dasharray:1 4;stroke-linecap:round}.cut .line{stroke-dasharray:6 5}"
    ".severed{fill:none;stroke:#a3457c;stroke-width:2.6}"
    ".label{fill:#a84a00;stroke:#fff;stroke-width:4px;paint-order:stroke}.cut .label{fill:#8c3a6a}"
)

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Layout:
    """A laid out picture: the SVG text and its size in CSS pixels (at zoom 1)."""

    svg: str
    width: float
    height: float


def layout(dot_text: str) -> Layout:
    """Lay out DOT text made by :func:`autograd.dot.dot`.

    Raises ValueError when Graphviz cannot read or lay out the text.
    """
    cells: dict[str, list[str]] = {}

    def lift(match: re.Match[str]) -> str:
        cells[match[2]] = _CELL.findall(match[3])
        return f'{match[1]}label=""'

    # The boxes have fixed sizes, so Graphviz need not measure their text: faster, and the same with any fonts.
    root = ET.fromstring(_render(_TABLE.sub(lift, dot_text)))
    graph = root.find(f"{_SVG}g")
    if graph is None:
        raise ValueError("Graphviz returned a picture without a graph")
    parts: dict[str, list[str]] = {"cluster": [], "edge": [], "node": []}
    bounds = _Bounds()
    for group in graph.iter(f"{_SVG}g"):
        kinds = (group.get("class") or "").split()
        if not kinds or kinds[0] not in parts or not _ID.fullmatch(group.get("id") or ""):
            continue
        if kinds[0] == "node":
            parts["node"].append(_node(group, kinds[1:], cells.get(str(group.get("id")), []), bounds))
        else:
            parts[kinds[0]].append((_cluster if kinds[0] == "cluster" else _edge)(group, kinds[1:], bounds))
    left, top, right, bottom = bounds.box()
    broad, high = right - left + 2 * _MARGIN, bottom - top + 2 * _MARGIN
    body = "".join("".join(parts[kind]) for kind in ("cluster", "edge", "node"))
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="walk" '
        f'viewBox="{_n(left - _MARGIN)} {_n(top - _MARGIN)} {_n(broad)} {_n(high)}" '
        f'width="{_n(broad)}" height="{_n(high)}"><g class="all">{body}</g></svg>'
    )
    return Layout(svg, round(broad, 1), round(high, 1))


def standalone(svg: str) -> str:
    """A picture that looks right by itself: the colours the stepper would give it, for a white page, written in."""
    start = svg.index(">") + 1
    return f"{svg[:start]}<style>{_STYLE}</style>{svg[start:]}"


def _render(dot_text: str) -> str:
    """Graphviz's own SVG of the text."""
    with _GRAPHVIZ, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph = pygraphviz.AGraph(string=dot_text)
        try:
            return str(graph.draw(format="svg", prog="dot").decode("utf-8"))
        finally:
            graph.close()


class _Bounds:
    """The box around everything drawn."""

    def __init__(self) -> None:
        self.xs: list[float] = []
        self.ys: list[float] = []

    def add(self, *points: Point) -> None:
        for x, y in points:
            self.xs.append(x)
            self.ys.append(y)

    def box(self) -> tuple[float, float, float, float]:
        if not self.xs:
            return 0.0, 0.0, 100.0, 40.0
        return min(self.xs), min(self.ys), max(self.xs), max(self.ys)


def _cluster(group: ET.Element, _kinds: list[str], bounds: _Bounds) -> str:
    left, top, right, bottom = _box(group)
    bounds.add((left, top), (right, bottom))
    title = "".join(_words(text) for text in group.findall(f"{_SVG}text"))
    return (
        f'<g id="{group.get("id")}" class="cluster">{_rect(left, top, right, bottom, 10)}'
        f'<text class="scope" x="{_n(left + 10)}" y="{_n(top + 16)}" font-size="{KEY_SIZE}">{title}</text></g>'
    )


def _node(group: ET.Element, kinds: list[str], cells: list[str], bounds: _Bounds) -> str:
    """A box with its texts; ``cells`` are its label's, escaped: heading, kind, then key and value of each row."""
    name = str(group.get("id"))
    left, top, right, bottom = _box(group)
    bounds.add((left, top), (right, bottom))
    drawn = [_shape(kinds, left, top, right, bottom)]
    if "group" in kinds:
        middle = (left + right) / 2
        for place, (text, size, role) in enumerate(zip(cells, (TITLE_SIZE, KEY_SIZE), ("title", "key"), strict=False)):
            drawn.append(_text(role, middle, top + HEADING - 8 + place * ROW, size, text, anchor="middle"))
        return f'<g id="{name}" class="node group">{"".join(drawn)}</g>'
    for place, (key, value) in enumerate(zip(cells[::2], cells[1::2], strict=False)):
        y = top + HEADING - 8 + place * ROW
        if not place:
            drawn.append(_text("title", left + _INSET, y, TITLE_SIZE, key))
            edge = right - _INSET - (_FOLD if "constant" in kinds else 0)
            drawn.append(_text("kind", edge, y, SMALL_SIZE, value, anchor="end"))
            continue
        slot = _SLOTS[key]
        drawn.append(_text("key", left + _INSET, y, KEY_SIZE, key))
        drawn.append(_text(f"slot {slot}", right - _INSET, y, VALUE_SIZE, value, anchor="end", slot=f"{name}-{slot}"))
    return f'<g id="{name}" class="node {" ".join(kinds)}">{"".join(drawn)}</g>'


def _edge(group: ET.Element, kinds: list[str], bounds: _Bounds) -> str:
    name = str(group.get("id"))
    path = group.find(f"{_SVG}path")
    way = (path.get("d") if path is not None else None) or "M0,0"
    points = list(_points(way))
    bounds.add(*points)
    middle, slope = _middle(points)
    drawn = [f'<path class="line" d="{escape(way)}"/>']
    head = group.find(f"{_SVG}polygon")
    if head is not None:
        drawn.append(f'<path class="head" d="{_polygon(_points(head.get("points") or ""))}"/>')
    drawn.append(f'<path class="back" d="{_polygon(_arrow(points))}"/>')
    if "cut" in kinds:
        drawn.append(_severed(middle, slope))
    text = group.find(f"{_SVG}text")
    if text is not None:
        x, y = float(text.get("x") or 0), _y(text)
        half = len(text.text or "") * LABEL_SIZE * 0.3
        bounds.add((x - half, y - LABEL_SIZE), (x + half, y + 4))
    else:
        x, y = middle[0], middle[1] - 6
    said = _words(text).strip().strip("\u00a0") if text is not None else ""
    drawn.append(_text("label", x, y, LABEL_SIZE, said, anchor="middle", slot=f"{name}-label"))
    return f'<g id="{name}" class="edge{"".join(" " + kind for kind in kinds)}">{"".join(drawn)}</g>'


def _shape(kinds: list[str], left: float, top: float, right: float, bottom: float) -> str:
    """The outline that tells what a node is."""
    if "leaf" in kinds:
        return _rect(left, top, right, bottom, 16)
    if "constant" in kinds:
        outline = f"M{_n(left)},{_n(top)}H{_n(right - _FOLD)}L{_n(right)},{_n(top + _FOLD)}V{_n(bottom)}H{_n(left)}Z"
        crease = f"M{_n(right - _FOLD)},{_n(top)}V{_n(top + _FOLD)}H{_n(right)}"
        return f'<path class="box" d="{outline}"/><path class="crease" d="{crease}"/>'
    if "group" in kinds:
        behind = _rect(left + 4, top - 4, right + 4, bottom - 4, 6)
        return behind + _rect(left, top, right, bottom, 6)
    return _rect(left, top, right, bottom, 5)


def _severed(middle: Point, slope: Point) -> str:
    """Two short strokes across the middle of a cut edge."""
    x, y = middle
    along, across = slope, (-slope[1], slope[0])
    strokes = []
    for shift in (-3.0, 3.0):
        cx, cy = x + along[0] * shift, y + along[1] * shift
        dx, dy = across[0] * 8 + along[0] * 3, across[1] * 8 + along[1] * 3
        strokes.append(f"M{_n(cx - dx)},{_n(cy - dy)}L{_n(cx + dx)},{_n(cy + dy)}")
    return f'<path class="severed" d="{"".join(strokes)}"/>'


def _arrow(points: list[Point]) -> list[Point]:
    """A small arrowhead at the start of the path, pointing against it: the way of the gradient."""
    if len(points) < 2:
        return []
    (x, y), (u, v) = points[0], points[1]
    length = math.hypot(u - x, v - y) or 1.0
    dx, dy = (u - x) / length, (v - y) / length
    return [(x, y), (x + 9 * dx - 4 * dy, y + 9 * dy + 4 * dx), (x + 9 * dx + 4 * dy, y + 9 * dy - 4 * dx)]


def _middle(points: list[Point]) -> tuple[Point, Point]:
    """The middle of a path of cubic Bézier pieces, and its direction there (a unit vector)."""
    if len(points) < 4:
        return (points[0] if points else (0.0, 0.0)), (1.0, 0.0)
    pieces = (len(points) - 1) // 3
    start = 3 * (pieces // 2 if pieces % 2 else max(pieces // 2 - 1, 0))
    a, b, c, d = points[start : start + 4]
    if pieces % 2:
        x, y = ((a[i] + 3 * b[i] + 3 * c[i] + d[i]) / 8 for i in (0, 1))
        dx, dy = (d[i] + c[i] - b[i] - a[i] for i in (0, 1))
    else:
        (x, y), (dx, dy) = d, (d[0] - c[0], d[1] - c[1])
    length = math.hypot(dx, dy) or 1.0
    return (x, y), (dx / length, dy / length)


def _points(text: str) -> Iterator[Point]:
    numbers = [float(found) for found in _NUMBER.findall(text)]
    return zip(numbers[::2], numbers[1::2], strict=False)


def _box(group: ET.Element) -> tuple[float, float, float, float]:
    """The box around a group's outline."""
    points: list[Point] = []
    for child in group:
        if child.tag == f"{_SVG}path":
            points.extend(_points(child.get("d") or ""))
        elif child.tag in (f"{_SVG}polygon", f"{_SVG}polyline"):
            points.extend(_points(child.get("points") or ""))
    xs, ys = [x for x, _ in points] or [0.0], [y for _, y in points] or [0.0]
    return min(xs), min(ys), max(xs), max(ys)


def _polygon(points: Iterator[Point] | list[Point]) -> str:
    return "M" + "L".join(f"{_n(x)},{_n(y)}" for x, y in points) + "Z"


def _rect(left: float, top: float, right: float, bottom: float, radius: float) -> str:
    return (
        f'<rect class="box" x="{_n(left)}" y="{_n(top)}" width="{_n(right - left)}" height="{_n(bottom - top)}" '
        f'rx="{_n(radius)}"/>'
    )


def _text(role: str, x: float, y: float, size: float, inner: str, *, anchor: str = "", slot: str = "") -> str:
    named = f' id="{slot}"' if slot else ""
    anchored = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text{named} class="{role}" x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"{anchored}>{inner}</text>'


def _words(text: ET.Element) -> str:
    return escape(text.text or "")


def _y(text: ET.Element) -> float:
    return float(text.get("y") or 0)


def _n(value: float) -> str:
    """A coordinate with at most one decimal."""
    return f"{value:.1f}".removesuffix(".0")
