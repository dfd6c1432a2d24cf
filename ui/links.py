"""Links between pages that carry their address with them."""

from __future__ import annotations

import streamlit as st

from course import concepts
from course.labs import catalogue
from snippets import share


def to_card(slug: str, label: str | None = None) -> None:
    """A link to a concept's card."""
    st.page_link(
        "pages/concepts.py",
        label=label or concepts.get(slug).title,
        icon=":material/style:",
        query_params={"concept": slug},
    )


def to_walk(example: str, step: int | None = None, label: str = "Open the walk") -> None:
    """A link to an example in the stepper, at a step (counted from 0; the address counts from 1)."""
    query = {"example": example} | ({"step": str(step + 1)} if step is not None else {})
    st.page_link("pages/step.py", label=label, icon=":material/footprint:", query_params=query)


def to_program(source: str, label: str, step: int | None = None) -> None:
    """A link to the Step page with ``source``; nothing when it is too long for a link."""
    try:
        query = {"code": share.pack(source)} | ({"step": str(step + 1)} if step is not None else {})
    except ValueError:
        return
    st.page_link("pages/step.py", label=label, icon=":material/footprint:", query_params=query)


def to_labs(concept: str) -> None:
    """A link to each lab that belongs to a concept; nothing when there is none."""
    for lab in catalogue.of_concept(concept):
        st.page_link(
            "pages/labs.py", label=f"Lab: {lab.title}", icon=":material/science:", query_params={"lab": lab.slug}
        )


def to_page(name: str, label: str, icon: str | None = None) -> None:
    """A link to a page of the app by the name of its file."""
    st.page_link(f"pages/{name}.py", label=label, icon=icon)
