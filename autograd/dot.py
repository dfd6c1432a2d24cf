"""The graph of a trace as DOT text, made with the graphviz package.

Ids are those of the trace (``n0``, ``e0``, in order of creation), so the same trace always gives the same text, byte
for byte. A node's label is a table: a heading row, then one row a slot (value, grad, .grad, version); its cells are
as wide as the longest text the slot will ever show, so that nothing moves when a step changes it. What a box is can
be told without colour: leaves are round and thick, operations square, constants have a folded corner, results without
history dotted; a cut edge is dashed and carries the name of what cut it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import graphviz

from autograd import notation
from autograd.frames import Frame, walk
from autograd.groups import Group, boxes, groups
from autograd.trace import Accumulate, LeafGrad, Mutate, Trace, TraceEdge, TraceNode

#: More boxes than this are not drawn; collapse parts of the graph instead.
DRAWN_LIMIT = 1500

#: More boxes than this are laid out with less searching for straight and uncrossed edges, which soon takes minutes.
CAREFUL_LIMIT = 60

#: Graphviz works on every rank that an edge passes; with more of them than this a layout takes many seconds.
PASSED_LIMIT = 30_000

#: With more edges than this, or more ranks that edges pass, labels get no place of their own in the layout: they stand
#: on the middle of their edge, and a wide picture is half as wide.
LABELLED_LIMIT, PASSED_LABELLED = 50, 100

#: Heights in points of a box's heading and of each of its rows, and the room it leaves below.
HEADING, ROW, FOOT = 30, 25, 6

#: Operations that only read a tensor's numbers, and those that often stand before such a reading.
READS = frozenset({"item", "tolist", "numpy"})
PASSED_ON = frozenset({"detach", "select", "view", "reshape", "argmax", "squeeze", "clone"})

TITLE_SIZE, SMALL_SIZE, KEY_SIZE, VALUE_SIZE, LABEL_SIZE = 17, 12, 13, 16, 14

#: How much wider bold text is.
BOLD = 1.12

LEAF, OPERATION, CONSTANT, EDGE, CUT = "#009E73", "#D55E00", "#6B7280", "#8A8F98", "#CC79A7"

_SMALLER = "Collapse modules or turns of a loop, or make the program smaller."

_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]")
_NARROW = frozenset("iljtfrI.,:;|!'()[]{} -·’‖")
_BROAD = frozenset("mwMW@%×∂→…")


class TooLarge(ValueError):
    """The graph has more boxes, or more long edges, than can be drawn."""


@dataclass(frozen=True, slots=True)
class Row:
    """One slot of a node's box: what it is called, its id in the picture, its last and its longest text."""

    key: str
    slot: str
    last: str
    longest: str


def dot(trace: Trace, *, collapse: Collection[str] = ()) -> str:
    """The graph of ``trace`` as DOT text, showing the state after the last step.

    ``collapse`` names groups (:mod:`autograd.groups`) that are drawn as one box. Raises :class:`TooLarge` above
    :data:`DRAWN_LIMIT` boxes or :data:`PASSED_LIMIT`, and ValueError for a group the trace does not have.
    """
    known = walk(trace)
    parts = groups(trace)
    hidden = boxes(trace, collapse)
    passing = left_out(trace)
    shown = [node for node in known.nodes if node.id not in hidden and node.id not in passing]
    folded = list({group.id: group for group in hidden.values()}.values())
    count = len(shown) + len(folded)
    if count > DRAWN_LIMIT:
        raise TooLarge(f"This graph has {count:,} boxes and at most {DRAWN_LIMIT:,} are drawn. {_SMALLER}")
    names = {group.id: f"g{place}" for place, group in enumerate(parts)}
    inside = {node: names[group.id] for node, group in hidden.items()} | dict.fromkeys(passing, "")
    edges = _edges(trace, inside)
    passed = _passed(edges)
    if passed > PASSED_LIMIT:
        raise TooLarge(f"This graph has {count:,} boxes and too many edges from one end to the other. {_SMALLER}")
    texts = _texts(known.frames, {node.id for node in shown} | {edge.id for edge, _, _ in edges})
    graph = graphviz.Digraph(
        "walk", graph_attr=_graph_attributes(count), node_attr=_node_attributes(), edge_attr=_edge_attributes()
    )
    _draw_nodes(graph, shown, _rows(trace, shown, texts))
    for group in folded:
        _draw_group(graph, names[group.id], group)
    labelled = len(trace.edges) <= LABELLED_LIMIT and passed <= PASSED_LABELLED
    _draw_edges(graph, trace, edges, texts if labelled else {})
    return str(graph.source)


def left_out(trace: Trace) -> set[str]:
    """Tensors that would only clutter the picture: read to be printed, or made to fill another in place.

    Nameless, without history, and used by nothing that is drawn. They keep their steps and their rows in the tables.
    """
    users: dict[str, list[str]] = {}
    for edge in trace.edges:
        users.setdefault(edge.src, []).append(edge.dst)
    written = {event.line for event in trace.events if isinstance(event, Mutate)}
    out: set[str] = set()
    for node in reversed(trace.nodes):
        used_by = users.get(node.id, [])
        if node.name or node.requires_grad or (node.kind == "op" and node.recorded) or not out.issuperset(used_by):
            continue
        read = node.op in READS or (node.op in PASSED_ON and used_by)
        if node.kind == "constant" or read or node.line in written:
            out.add(node.id)
    return out if len(out) < len(trace.nodes) else set()


def drawn_as(trace: Trace, collapse: Collection[str]) -> dict[str, str]:
    """What stands for what is not drawn: node id -> id of its box, and edge id -> id of the edge drawn in its place."""
    known = groups(trace)
    names = {group.id: f"g{place}" for place, group in enumerate(known)}
    inside = {node: names[group.id] for node, group in boxes(trace, collapse).items()}
    return inside | _doubles(trace, inside)


def _doubles(trace: Trace, inside: Mapping[str, str]) -> dict[str, str]:
    """Edges of a collapsed box that run beside another one to the same place; one of them is enough to see."""
    first: dict[tuple[str, str, str | None], str] = {}
    doubles = {}
    for edge in trace.edges:
        if edge.src in inside or edge.dst in inside:
            ends = (inside.get(edge.src, edge.src), inside.get(edge.dst, edge.dst), edge.how)
            if ends[0] == ends[1]:
                continue
            if ends in first:
                doubles[edge.id] = first[ends]
            first.setdefault(ends, edge.id)
    return doubles


def width(text: str, size: float) -> float:
    """About how wide ``text`` is in points at font size ``size``: enough for the broad sans-serif fonts of browsers."""
    total = 0.0
    for letter in text:
        total += 0.36 if letter in _NARROW else 0.95 if letter in _BROAD else 0.72 if letter.isupper() else 0.6
    return total * size


def _graph_attributes(count: int) -> dict[str, str]:
    fast = {} if count <= CAREFUL_LIMIT else {"nslimit": "2", "mclimit": f"{max(CAREFUL_LIMIT / count, 0.1):.2f}"}
    return fast | {
        "rankdir": "LR",
        "nodesep": "0.35",
        "ranksep": "0.45",
        "bgcolor": "transparent",
        "fontname": "Helvetica",
        "fontsize": str(KEY_SIZE),
        "charset": "UTF-8",
    }


def _node_attributes() -> dict[str, str]:
    look = {"shape": "box", "margin": "0", "fixedsize": "true", "penwidth": "1.5"}
    return look | {"fontname": "Helvetica", "color": OPERATION}


def _edge_attributes() -> dict[str, str]:
    return {"fontname": "Helvetica", "fontsize": str(LABEL_SIZE), "color": EDGE, "arrowsize": "0.7"}


def _texts(frames: Sequence[Frame], drawn: Collection[str]) -> dict[str, tuple[str, str]]:
    """Slot of what is drawn -> (last text, widest text) over all frames."""
    texts: dict[str, tuple[str, str]] = {}
    for frame in frames:
        for slot, text in frame.texts.items():
            if slot.partition("-")[0] not in drawn:
                continue
            known = texts.get(slot)
            widest = text if known is None or width(text, 1) > width(known[1], 1) else known[1]
            texts[slot] = (text, widest)
    return texts


def _rows(trace: Trace, nodes: Sequence[TraceNode], texts: Mapping[str, tuple[str, str]]) -> dict[str, list[Row]]:
    """The slots of each of the ``nodes``: value always, the others where the walk ever uses them."""
    versions = any(isinstance(event, Mutate) for event in trace.events)
    reached = {event.node for event in trace.events if isinstance(event, Accumulate)}
    filled = {event.node for event in trace.events if isinstance(event, LeafGrad)}
    rows: dict[str, list[Row]] = {}
    for node in nodes:
        slots = [("value", "value", notation.NOTHING)]
        if node.requires_grad or node.id in reached:
            slots.append(("grad", "grad", notation.NOTHING))
        if node.id in filled or (node.is_leaf and node.requires_grad):
            slots.append((".grad", "dotgrad", "None"))
        if versions:
            slots.append(("version", "version", "0"))
        rows[node.id] = [
            Row(key, f"{node.id}-{slot}", *_wider(texts.get(f"{node.id}-{slot}"), start)) for key, slot, start in slots
        ]
    return rows


def _wider(known: tuple[str, str] | None, start: str) -> tuple[str, str]:
    if known is None:
        return start, start
    last, widest = known
    return last, widest if width(widest, 1) >= width(start, 1) else start


def _draw_nodes(graph: graphviz.Digraph, shown: Sequence[TraceNode], rows: Mapping[str, Sequence[Row]]) -> None:
    """Nodes in order of creation, inside nested clusters for their modules."""
    tree: dict[str, list[TraceNode]] = {}
    for node in shown:
        tree.setdefault(node.scope, []).append(node)
    for node in tree.pop("", []):
        graph.node(node.id, **_node_look(node), **_label(node, rows[node.id]))
    paths = sorted({path for scope in tree for path in _ancestors(scope)})
    clusters: dict[str, graphviz.Digraph] = {}
    for place, path in enumerate(paths):
        cluster = graphviz.Digraph(f"cluster_{place}")
        title = graphviz.escape(_clean(path))
        cluster.attr(
            id=f"c{place}", label=title, style="rounded", color=EDGE, fontcolor=CONSTANT, labeljust="l", margin="12"
        )
        for node in tree.get(path, []):
            cluster.node(node.id, **_node_look(node), **_label(node, rows[node.id]))
        clusters[path] = cluster
    for path in reversed(paths):
        parent = path.rpartition(".")[0]
        clusters.get(parent, graph).subgraph(clusters[path])


def _ancestors(scope: str) -> list[str]:
    parts = scope.split(".")
    return [".".join(parts[:depth]) for depth in range(1, len(parts) + 1)]


def _node_look(node: TraceNode) -> dict[str, str]:
    look = {"id": node.id, "class": _kind(node)}
    if node.kind == "leaf":
        return look | {"color": LEAF, "style": "rounded", "penwidth": "3"}
    if node.kind == "constant":
        return look | {"color": CONSTANT, "shape": "note"}
    return look if node.recorded else look | {"color": CONSTANT, "style": "dotted"}


def _kind(node: TraceNode) -> str:
    return node.kind if node.kind != "op" or node.recorded else "op unrecorded"


def _label(node: TraceNode, rows: Sequence[Row]) -> dict[str, str]:
    """The node's label, a table with the heading and one row a slot, and the size of the box around it."""
    title, kind = _clean(notation.titled(node)), _clean(notation.operation(node))
    if node.shape:
        kind = f"{kind} {notation.shape(node.shape)}"
    key = max(width(row.key, KEY_SIZE) for row in rows) + 12
    value = max(width(row.longest, VALUE_SIZE) for row in rows) * BOLD + 20
    heading = width(title, TITLE_SIZE) * BOLD + width(kind, SMALL_SIZE) + (46 if node.kind == "constant" else 30)
    value = max(value, heading - key)
    lines = [
        f'<TR><TD ALIGN="LEFT" HEIGHT="{HEADING}">{_font(title, TITLE_SIZE, bold=True)}</TD>'
        f'<TD ALIGN="RIGHT">{_font(kind, SMALL_SIZE)}</TD></TR>'
    ]
    lines.extend(
        f'<TR><TD ALIGN="LEFT" HEIGHT="{ROW}">{_font(row.key, KEY_SIZE)}</TD>'
        f'<TD ALIGN="RIGHT">{_font(_clean(row.last) or notation.NOTHING, VALUE_SIZE)}</TD></TR>'
        for row in rows
    )
    return _sized(lines, key + value, HEADING + ROW * len(rows) + FOOT)


def _sized(lines: Sequence[str], broad: float, high: float) -> dict[str, str]:
    """A table as label, and the fixed size (Graphviz counts in inches of 72 points) of the box that holds it."""
    table = f'<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0" WIDTH="{broad - 14:.0f}">'
    return {
        "label": f"<{table}{''.join(lines)}</TABLE>>",
        "width": f"{broad / 72:.3f}",
        "height": f"{high / 72:.3f}",
    }


def _font(text: str, size: int, *, bold: bool = False) -> str:
    inner = escape(text)
    return f'<FONT POINT-SIZE="{size}">{f"<B>{inner}</B>" if bold else inner}</FONT>'


def _draw_group(graph: graphviz.Digraph, name: str, group: Group) -> None:
    title = _clean(group.title)
    count = f"{len(group.nodes)} tensors"
    broad = max(width(title, TITLE_SIZE) * BOLD, width(count, KEY_SIZE)) + 20
    lines = [
        f'<TR><TD HEIGHT="{HEADING}">{_font(title, TITLE_SIZE, bold=True)}</TD></TR>',
        f'<TR><TD HEIGHT="{ROW}">{_font(count, KEY_SIZE)}</TD></TR>',
    ]
    graph.node(
        name, id=name, shape="box3d", color=CONSTANT, **{"class": "group"}, **_sized(lines, broad, HEADING + ROW + FOOT)
    )


def _edges(trace: Trace, inside: Mapping[str, str]) -> list[tuple[TraceEdge, str, str]]:
    """One edge a use, with its ends; edges inside a collapsed group vanish, those into it end at its box."""
    doubles = _doubles(trace, inside)
    ends = [(edge, inside.get(edge.src, edge.src), inside.get(edge.dst, edge.dst)) for edge in trace.edges]
    return [(e, src, dst) for e, src, dst in ends if e.id not in doubles and src and dst and src != dst]


def _passed(edges: Sequence[tuple[TraceEdge, str, str]]) -> int:
    """How many ranks all edges together pass between their ends."""
    ranks: dict[str, int] = {}
    for _, source, target in edges:
        ranks[target] = max(ranks.get(target, 0), ranks.get(source, 0) + 1)
    return sum(max(0, ranks[target] - ranks.get(source, 0) - 1) for _, source, target in edges)


def _draw_edges(
    graph: graphviz.Digraph,
    trace: Trace,
    edges: Sequence[tuple[TraceEdge, str, str]],
    texts: Mapping[str, tuple[str, str]],
) -> None:
    lively = {node.id for node in trace.nodes if node.requires_grad}
    for edge, source, target in edges:
        look = {"id": edge.id, "class": "cut" if edge.how else "" if edge.recorded and edge.src in lively else "still"}
        if edge.how:
            look |= {"style": "dashed", "color": CUT, "fontcolor": CUT, "arrowhead": "onormal"}
            look["label"] = graphviz.escape(f"✂ {_clean(edge.how)}")
        elif texts.get(f"{edge.id}-label", ("", ""))[1]:
            look["label"] = graphviz.escape(_clean(_padded(texts[f"{edge.id}-label"][1])))
        graph.edge(source, target, **{key: value for key, value in look.items() if value})


def _padded(text: str) -> str:
    """The text, made longer by blanks where Graphviz's font is narrower than the browser's bold one."""
    return "\u00a0" + text + "\u00a0" * max(1, round((width(text, 1.12) - 0.52 * len(text)) / 0.28 / 2))


def _clean(text: str) -> str:
    """Text without the characters XML forbids; line breaks become blanks."""
    return _CONTROL.sub(" ", text)
