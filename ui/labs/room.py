"""One lab: what to watch, the lab itself, and the ways on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import streamlit as st

from course import concepts
from course.labs import catalogue
from course.labs.catalogue import Lab
from course.labs.programs import NotMeasured
from ui import guard, links
from ui.labs import edges, graph, memory, recording, shapes, training

_STYLE = Path(__file__).resolve().parents[2] / "assets" / "labs" / "labs.css"

BODIES: dict[str, Callable[[], None]] = {
    **graph.LABS,
    **shapes.LABS,
    **training.LABS,
    **memory.LABS,
    **recording.LABS,
    **edges.LABS,
}


@cache
def _style() -> str:
    return f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style>"


def style() -> None:
    """The labs' own style sheet."""
    st.html(_style())


def show(lab: Lab) -> None:
    """The whole lab."""
    _ways(lab, "top")
    st.title(lab.title, anchor=False)
    with st.container(key="reading-watch"):
        st.markdown(lab.watch)
    _body(lab.slug)
    _ways(lab, "bottom")


@st.fragment
def _body(slug: str) -> None:
    """The lab itself: a control reruns only this."""
    with guard.guarded():
        try:
            BODIES[slug]()
        except NotMeasured as reason:
            st.warning(f"This could not be measured just now: {reason}.", icon=":material/science:")


def _ways(lab: Lab, where: str) -> None:
    with st.container(horizontal=True, horizontal_alignment="distribute", key=f"ways-lab-{where}"):
        st.page_link("pages/labs.py", label="All labs", icon=":material/apps:")
        if where == "top":
            for concept in lab.concepts:
                links.to_card(concept, f"Card: {concepts.get(concept).title}")
        after = _next(lab)
        if where == "bottom" and after:
            st.page_link(
                "pages/labs.py",
                label=after.title,
                icon=":material/arrow_forward:",
                icon_position="right",
                query_params={"lab": after.slug},
            )


def _next(lab: Lab) -> Lab | None:
    slugs = catalogue.slugs()
    place = slugs.index(lab.slug) + 1
    return catalogue.get(slugs[place]) if place < len(slugs) else None
