"""The stepper: a walk through a trace, forward and backward, in the browser."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Literal

import streamlit as st

from autograd.dot import TooLarge
from autograd.presentation import Presentation, packed, present
from autograd.trace import Trace
from snippets import html as walk_html

#: Walks with more characters than this are sent compressed.
PACKED_FROM = 200_000

_HTML, _CSS, _SCRIPT = walk_html.front_end()
_component = st.components.v2.component("backstep_stepper", html=_HTML, css=_CSS, js=_SCRIPT)


def stepper(
    trace: Trace,
    *,
    key: str,
    step: int = 0,
    height: int | Literal["stretch", "content"] = "content",
    title: str = "walk",
    place: str = "",
    command: int = 0,
    address: bool = False,
    collapse: Collection[str] | None = None,
    notes: Sequence[str] = (),
    reports: Sequence[dict[str, Any]] | None = None,
    on_step: Callable[[], None] | None = None,
    on_node: Callable[[], None] | None = None,
    on_open: Callable[[], None] | None = None,
) -> Any:
    """Show the walk of ``trace``; the result has ``.step`` (index of the step shown) and ``.node`` (id of the tensor
    picked).

    ``step`` is where a new walk opens, counted from 0. ``place`` says which program this is: while it stays the same,
    a new trace keeps the step. A changed ``command`` moves an open walk to ``step``. With ``address`` the step (from
    1) is kept in the address bar. ``notes`` stand under the values, ``reports`` are the Doctor's. Nothing is shown
    but a message when the graph is too large to draw.
    """
    try:
        shown = present(trace, collapse)
    except TooLarge as error:
        st.warning(str(error), icon=":material/zoom_out_map:")
        return None
    data = _payload(trace, shown, collapse) | {
        "step": step,
        "title": title,
        "place": place or key,
        "command": command,
        "address": address,
        "report": on_step is not None or on_node is not None or on_open is not None,
        "notes": list(notes),
        "reports": None if reports is None else [dict(report) for report in reports],
    }
    return _component(
        key=key,
        data=data,
        default={"step": step},
        height=height,
        on_step_change=on_step or _nothing,
        on_node_change=on_node or _nothing,
        on_open_change=on_open or _nothing,
    )


def _payload(trace: Trace, shown: Presentation, collapse: Collection[str] | None) -> dict[str, Any]:
    if len(shown.walk.text) < PACKED_FROM:
        return shown.payload()
    return {"id": shown.walk.id, "packed": packed(trace, None if collapse is None else frozenset(collapse))}


def _nothing() -> None:
    """The callback of a value nobody listens to."""
