"""The graph of a lab's program as a picture, some nodes marked."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import streamlit as st

from autograd.dot import TooLarge, dot
from autograd.groups import groups
from autograd.layout import layout
from autograd.trace import Trace
from course.labs.programs import Ran, ran

_ASSETS = Path(__file__).resolve().parents[2] / "assets" / "labs"

_component = st.components.v2.component(
    "backstep_lab_picture",
    html="<div class='picture'>\n</div>",
    css=(_ASSETS / "picture.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "picture.js").read_text(encoding="utf-8"),
)


@lru_cache(maxsize=64)
def _svg(source: str, collapse: tuple[str, ...], leaves: bool) -> str:
    trace = ran(source).trace
    return layout(dot(trace if leaves else _without_leaves(trace), collapse=collapse)).svg


def _without_leaves(trace: Trace) -> Trace:
    """The trace with no parameters on it."""
    gone = {node.id for node in trace.nodes if node.kind == "leaf"}
    edges = tuple(edge for edge in trace.edges if edge.src not in gone and edge.dst not in gone)
    nodes = tuple(node for node in trace.nodes if node.id not in gone and (node.recorded or node.kind != "op"))
    kept = {node.id for node in nodes} | {edge.id for edge in edges}
    edges = tuple(edge for edge in edges if edge.src in kept and edge.dst in kept)
    kept = {node.id for node in nodes} | {edge.id for edge in edges}
    events = tuple(
        event
        for event in trace.events
        if getattr(event, "node", None) in {None, *kept} and getattr(event, "edge", None) in {None, *kept}
    )
    return replace(trace, nodes=nodes, edges=edges, events=events)


def blocks(run: Ran) -> tuple[str, ...]:
    """The parts right inside the outermost module of a run, each to be drawn as one box."""
    return tuple(group.id for group in groups(run.trace) if group.kind == "module" and group.title.count(".") == 1)


def picture(
    run: Ran,
    *,
    key: str,
    label: str,
    marked: Collection[str] = (),
    collapse: tuple[str, ...] = (),
    leaves: bool = True,
) -> None:
    """The graph of ``run``. ``label`` says in words what it shows; ``marked`` nodes have a dashed border.

    Without ``leaves`` the parameters are left out.
    """
    try:
        svg = _svg(run.source, collapse, leaves)
    except TooLarge as error:
        st.info(str(error), icon=":material/zoom_out_map:")
        return
    _component(key=key, data={"svg": svg, "marked": list(marked), "label": label})
