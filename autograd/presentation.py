"""Everything a stepper needs to show a trace: the picture, and the walk as JSON text."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from autograd import notation
from autograd.dot import dot, drawn_as
from autograd.frames import walk
from autograd.groups import groups, suggested
from autograd.kept import kept
from autograd.layout import layout
from autograd.trace import Trace, TraceNode

#: Graphs with more tensors than this open with modules and turns of loops collapsed.
OPEN_LIMIT = 120


@dataclass(frozen=True, slots=True)
class WalkText:
    """The walk through a trace as JSON text, however its picture is folded: frames, ledgers, passes, nodes, edges,
    source and error. ``id`` changes when the text does.
    """

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Presentation:
    """A trace made ready to be shown.

    ``alias`` maps hidden nodes to the box drawn for them; ``boxes`` maps those boxes to group ids.
    """

    walk: WalkText
    svg: str
    dot: str
    alias: dict[str, str]
    boxes: dict[str, str]

    def payload(self) -> dict[str, Any]:
        """What the stepper's script is given."""
        return {"id": self.walk.id, "walk": self.walk.text, "svg": self.svg, "dot": self.dot, "alias": self.alias}


def present(trace: Trace, collapse: Collection[str] | None = None) -> Presentation:
    """Lay out ``trace`` and write its walk. ``collapse`` None picks what to collapse by the size of the graph.

    Raises :class:`autograd.dot.TooLarge` when even then there are too many boxes.
    """
    return _presented(trace, frozenset(suggested(trace, OPEN_LIMIT) if collapse is None else collapse))


@kept
def _presented(trace: Trace, collapse: frozenset[str]) -> Presentation:
    text = dot(trace, collapse=collapse)
    names = {f"g{place}": group.id for place, group in enumerate(groups(trace)) if group.id in collapse}
    return Presentation(walk_text(trace), layout(text).svg, text, drawn_as(trace, collapse), names)


@kept
def packed(trace: Trace, collapse: frozenset[str] | None = None) -> str:
    """The payload of :func:`present` (its walk as JSON, not as text of JSON) in UTF-8, compressed and in base64.

    A walk of 1,000 operations has a megabyte of text, and a tenth of that when compressed (zlib, RFC 1950).
    """
    shown = present(trace, collapse)
    rest = json.dumps({"svg": shown.svg, "dot": shown.dot, "alias": shown.alias}, separators=(",", ":"))
    text = f'{{"walk":{shown.walk.text},{rest[1:]}'
    return base64.b64encode(zlib.compress(text.encode("utf-8", "replace"), 1)).decode("ascii")


@kept
def walk_text(trace: Trace) -> WalkText:
    """The walk through ``trace`` as the stepper's script reads it."""
    known = walk(trace)
    whole = known.to_dict() | {
        "nodes": [_node(node) for node in known.nodes],
        "edges": [{"id": edge.id, "src": edge.src, "dst": edge.dst, "how": edge.how} for edge in trace.edges],
        "source": trace.source,
        "error": trace.error,
    }
    said = json.dumps(whole, separators=(",", ":"), allow_nan=False, ensure_ascii=False)
    return WalkText(hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:16], said)


def _node(node: TraceNode) -> dict[str, Any]:
    """A node for the tables and the details panel; what is empty is left out."""
    out: dict[str, Any] = {
        "id": node.id,
        "name": notation.called(node),
        "title": notation.titled(node),
        "kind": node.kind,
        "kindWord": notation.operation(node),
        "dtype": node.dtype,
    }
    for key, value in (
        ("op", node.op),
        ("fn", node.grad_fn),
        ("expr", notation.expression(node.expr)),
        ("line", node.line),
        ("scope", node.scope),
        ("shape", list(node.shape)),
        ("saved", node.saved_bytes),
        ("grad", node.requires_grad),
        ("leaf", node.is_leaf and node.requires_grad),
    ):
        if value:
            out[key] = value
    return out
