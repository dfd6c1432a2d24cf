"""A part of a page that is drawn anew only once the browser has painted what matters more.

The server sends a walk in milliseconds, but a chart or a table sent with it keeps the browser from painting it. So
they stand in a fragment of their own, which the browser asks for afterwards.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_SCRIPT = Path(__file__).resolve().parent.parent / "assets" / "after_paint" / "after_paint.js"

_component = st.components.v2.component(
    "backstep_after_paint", html="<span hidden></span>\n", js=_SCRIPT.read_text(encoding="utf-8")
)


def rerun(fragment: str, *, token: str) -> None:
    """Rerun the fragment with the key ``fragment`` when what is sent in this run has been painted.

    Nothing happens while ``token`` stays the same, nor at the first run of a page, which draws the fragment itself.
    """
    with st.container(key="unseen-after-paint"):
        _component(key=f"after-paint-{fragment}", data={"token": token}, on_painted_change=lambda: st.rerun(fragment))
