"""Labs about the edges: kinks, integers, other libraries."""

from __future__ import annotations

import math
from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st

from course.labs import kinks, outside
from course.labs.kinks import Convention
from ui.labs import charts, controls, listing
from ui.plots import GREEN, VERMILLION


def conventions() -> None:
    """A kink, its slopes on both sides, and what autograd gives there."""
    with controls.row("kinks"):
        slug = controls.one_of("Operation and point", "kink", {one.slug: one.title for one in kinks.KINKS}, "relu")
    found = kinks.measure(slug)
    charts.figures(
        {
            "slope from the left": _side(found.left, found.left_jumps),
            "slope from the right": _side(found.right, found.right_jumps),
            "autograd": found.autograd,
        },
        key="kinks",
    )
    _drawn(found)
    st.caption(_said(found))
    with st.expander("All conventions, measured", key="all-kinks"):
        every = [kinks.measure(one.slug) for one in kinks.KINKS]
        charts.table(
            [
                {
                    "operation": one.kink.title,
                    "from the left": _side(one.left, one.left_jumps),
                    "from the right": _side(one.right, one.right_jumps),
                    "autograd": one.autograd,
                }
                for one in every
            ]
        )
    listing.program(kinks.program(slug), key="kinks")


def _side(slope: float | None, jumps: bool) -> str:
    if slope is None:
        return "not defined"
    return "jumps" if jumps else charts.word(slope)


def _said(found: Convention) -> str:
    if found.left_jumps or found.right_jumps:
        return "The function jumps here and is flat beside the jump; autograd gives the slope of the flat part."
    if found.left is None:
        return "There is nothing to the left, and the slope grows without end from the right: autograd says ∞."
    if found.autograd == found.left:
        which = "the slope from the left"
    elif found.autograd == found.right:
        which = "the slope from the right"
    else:
        which = "a number between the two"
    return f"The two slopes differ, so there is no derivative here. Autograd gives {found.autograd:g}, {which}."


def _drawn(found: Convention) -> None:
    figure = go.Figure()
    figure.add_scatter(
        name="the function",
        x=found.xs,
        y=found.ys,
        mode="lines" if not (found.left_jumps or found.right_jumps) else "markers",
        line={"color": charts.blue(), "width": 3},
        marker={"size": 4, "color": charts.blue()},
        hovertemplate="%{x:.3g}, %{y:.4g}<extra></extra>",
    )
    at, value = found.kink.at, found.value
    sides = (
        ("slope from the left", found.left, found.left_jumps, -1.2, VERMILLION, "dash"),
        ("slope from the right", found.right, found.right_jumps, 1.2, charts.ORANGE, "dot"),
    )
    for name, slope, jumps, reach, colour, dash in sides:
        if slope is not None and math.isfinite(slope) and not jumps:
            # Past the kink as well, so that it can be told from the function.
            figure.add_scatter(
                name=f"{name}: {slope:g}",
                x=[at - reach / 2, at + reach],
                y=[value - slope * reach / 2, value + slope * reach],
                mode="lines",
                line={"color": colour, "width": 2, "dash": dash},
                hoverinfo="skip",
            )
    if math.isfinite(found.autograd):
        figure.add_scatter(
            name=f"autograd: {found.autograd:g}",
            x=[at - 0.9, at + 0.9],
            y=[value - found.autograd * 0.9, value + found.autograd * 0.9],
            mode="lines",
            line={"color": GREEN, "width": 2.5, "dash": "longdash"},
            hoverinfo="skip",
        )
    figure.add_scatter(
        x=[at],
        y=[value],
        mode="markers",
        marker={"size": 11, "color": charts.blue(), "line": {"width": 2, "color": "white"}},
        showlegend=False,
        hoverinfo="skip",
    )
    figure.update_xaxes(title="x")
    figure.update_yaxes(title=found.kink.title.partition(" at ")[0])
    charts.show(
        charts.quiet(figure, 380),
        key="kink-chart",
        alt=f"{found.kink.title}: slope {_side(found.left, found.left_jumps)} from the left, "
        f"{_side(found.right, found.right_jumps)} from the right, autograd gives {charts.word(found.autograd)}.",
    )


def gradients_stop() -> None:
    """Integers, NumPy, and a Function that mends the cut."""
    with controls.row("outside"):
        slug = controls.choice("Program", "outside", {one.slug: one.title for one in outside.PROGRAMS}, "integers")
    found = outside.measure(slug)
    left, right = st.columns([3, 2])
    with left:
        st.code(found.run.source, language="python", line_numbers=True, wrap_lines=True)
        listing.to_stepper(found.run.source)
    with right:
        if found.error is None:
            st.success("Backward went through.", icon=":material/check:")
            charts.table([{"leaf": "x", ".grad": list(found.grad or ())}])
        else:
            st.error(f"Line {found.line}: {found.error.partition('. ')[0]}.", icon=":material/block:")
        st.markdown(_WHY[slug])
    charts.numbers(
        [
            {
                "program": one.title,
                "x.grad": outside.measure(one.slug).grad,
                "error": (outside.measure(one.slug).error or "none").partition(". ")[0],
            }
            for one in outside.PROGRAMS
        ],
        key="outside",
        label="All four side by side",
    )


_WHY = {
    "integers": "Between two neighbouring integers there is nothing to take a slope of, so they cannot ask for "
    "gradients.",
    "refused": "An array has no place to keep a history. The engine refuses to hand the numbers over unnoticed.",
    "round-trip": "`detach()` says that losing the history is meant. What comes back from NumPy is a new constant, and "
    "the loss leads nowhere.",
    "function": "The Function says itself what to do backward: (2x)² has the slope 8x, although its forward ran in "
    "NumPy.",
}

LABS: dict[str, Callable[[], None]] = {"conventions": conventions, "outside": gradients_stop}
