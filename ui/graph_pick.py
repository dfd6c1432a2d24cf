"""A graph picture in which a node can be clicked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import streamlit as st

from autograd.dot import dot
from autograd.layout import layout
from autograd.trace import Forward, Trace
from course import walks

_ASSETS = Path(__file__).resolve().parent.parent / "assets" / "quiz"

_component = st.components.v2.component(
    "backstep_graph_pick",
    html="<div class='graph'>\n</div>",
    css=(_ASSETS / "graph.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "graph.js").read_text(encoding="utf-8"),
)


@lru_cache(maxsize=64)
def picture(code: str) -> str:
    """The graph of a program as SVG, laid out once: names and values, and nothing that gives an answer away."""
    return layout(dot(_neutral(walks.traced(code)))).svg


def _neutral(trace: Trace) -> Trace:
    """The forward pass alone, every tensor drawn alike: not which are leaves, recorded, cut, or get a gradient."""
    return replace(
        trace,
        nodes=tuple(replace(one, kind="op", recorded=False, requires_grad=False, is_leaf=False) for one in trace.nodes),
        edges=tuple(replace(one, recorded=True, how=None) for one in trace.edges),
        events=tuple(event for event in trace.events if isinstance(event, Forward)),
    )


def graph_pick(code: str, choices: Sequence[str], picked: str | None, *, key: str, on_click: Callable[[], None]) -> Any:
    """Show the graph of ``code``; ``.clicked`` of the result tells ``id`` and ``count`` of the last click."""
    return _component(
        key=key,
        data={
            "svg": picture(code),
            "choices": list(choices),
            "picked": picked,
            "label": "The graph of the program above. Choose a node here or with the radio buttons below.",
        },
        on_clicked_change=on_click,
    )
