"""The program a lab ran: its text, the way to the stepper, and the walk itself."""

from __future__ import annotations

import streamlit as st

from course.labs.programs import ran
from snippets import share
from ui import walk


def to_stepper(source: str, label: str = "Open in the stepper") -> None:
    """A link to the Step page with this program."""
    st.page_link("pages/step.py", label=label, icon=":material/footprint:", query_params={"code": share.pack(source)})


def program(source: str, *, key: str, walkable: bool = True, title: str = "The program that ran") -> None:
    """The program, folded, with its walk when that is asked for."""
    with st.expander(title, key=f"program-{key}"):
        st.code(source, language="python", line_numbers=True, wrap_lines=True)
        if walkable:
            to_stepper(source)
    if walkable and st.toggle("Walk through it here", key=f"walk-{key}"):
        walk.show(ran(source).trace, key=f"stepper-{key}")


def outcome(error: str | None, otherwise: str) -> None:
    """What came of a program: its error, or what it did."""
    if error is None:
        st.success(otherwise, icon=":material/check:")
    else:
        st.error(error.splitlines()[0], icon=":material/block:")
