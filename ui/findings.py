"""What stands below the walk on the Step page: its file, what the program printed and left, and checks of gradients."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from autograd.dot import TooLarge
from autograd.frames import walk
from autograd.presentation import present
from autograd.trace import Trace
from snippets import Result
from snippets import html as walk_html
from ui import gradient_check, run_report, walk_plots
from ui.program import Program

#: Key of the fragment.
FINDINGS = "findings"


@dataclass(frozen=True, slots=True)
class Shown:
    """What the page shows.

    ``result`` is the last run, ``good`` the run whose walk is shown: the last that left one, None when there is none.
    ``folded`` names the parts drawn as one box, as :func:`autograd.presentation.present` takes them.
    """

    program: Program
    result: Result
    good: Result | None
    folded: tuple[str, ...] | None


def keep(shown: Shown) -> None:
    """Tell the fragment what it is about."""
    st.session_state["shown"] = shown


@st.fragment(key=FINDINGS)
def findings() -> None:
    """The fragment. It runs with the page, and by itself after a new walk was painted."""
    shown: Shown = st.session_state["shown"]
    good = shown.good
    if good is not None and good.trace is not None:
        _files(shown, good, good.trace)
    with st.container(key="findings-report"):
        run_report.report(shown.result)
    if good is not None and good.trace is not None:
        _checks(good, good.trace)


def _files(shown: Shown, good: Result, trace: Trace) -> None:
    try:
        boxes = present(trace, shown.folded).boxes
    except TooLarge:
        return
    name = shown.program.example
    with st.container(horizontal=True):
        st.download_button(
            "Save the walk as one HTML file",
            data=lambda: walk_html.page(
                trace, shown.program.title, diagnosis=good.diagnosis, collapse=list(boxes.values())
            ),
            file_name=f"{name or 'walk'}.html",
            mime="text/html",
            icon=":material/download:",
            key="save-html",
            on_click="ignore",
        )


def _checks(good: Result, trace: Trace) -> None:
    left, right = st.columns(2)
    with left:
        st.header("Check a gradient", anchor=False)
        st.caption(
            "A derivative can be measured without calculus: move the leaf a little up and down and watch the result."
        )
        if st.toggle("Compare with central differences", key="check"):
            gradient_check.gradient_check(trace.source, good)
    with right:
        st.header("Size of the gradient along the walk", anchor=False)
        walk_plots.gradient_sizes(trace, walk(trace))
