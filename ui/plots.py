"""Plotly charts of the course, in the Okabe-Ito palette, readable on both themes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import plotly.graph_objects as go
import streamlit as st

from course import concepts
from course.mastery import LEARNT, Mastery

BLUE, SKY, VERMILLION, GREEN = "#0072B2", "#56B4E9", "#D55E00", "#009E73"

#: No tool bar; the charts are to be read, not edited.
CONFIG = {"displayModeBar": False, "responsive": True}


def _dark() -> bool:
    return st.context.theme.type == "dark"


def _ink() -> str:
    """The colour of text and thin lines."""
    return "#D3D7DD" if _dark() else "#3A414C"


def _blue() -> str:
    """The palette's blue that stands out from this background."""
    return SKY if _dark() else BLUE


def _quiet(figure: go.Figure, height: int) -> go.Figure:
    ink = _ink()
    for update in (figure.update_xaxes, figure.update_yaxes):
        update(tickfont={"color": ink, "size": 13}, title={"font": {"color": ink}})
    figure.update_layout(
        font={"color": ink},
        height=height,
        margin={"l": 8, "r": 16, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        hoverlabel={"align": "left"},
        dragmode=False,
    )
    return figure


def mastery_chart(known: Mapping[str, Mastery], this_test: Mapping[str, float] | None = None) -> None:
    """Mastery by concept as bars, with the score of one test as diamonds."""
    slugs = [slug for slug in concepts.slugs() if known[slug].value is not None or (this_test and slug in this_test)]
    names = [concepts.get(slug).title for slug in slugs]
    values = [known[slug].value or 0.0 for slug in slugs]
    figure = go.Figure()
    for label, colour, pattern, wanted in (
        ("learnt", GREEN, "", True),
        ("to look at again", VERMILLION, "/", False),
    ):
        figure.add_bar(
            name=label,
            orientation="h",
            y=[name for name, value in zip(names, values, strict=True) if (value >= LEARNT) is wanted],
            x=[value for value in values if (value >= LEARNT) is wanted],
            marker={"color": colour, "pattern": {"shape": pattern, "fillmode": "overlay", "size": 7, "solidity": 0.25}},
            hovertemplate="%{y}: %{x:.0%}<extra></extra>",
        )
    if this_test:
        figure.add_scatter(
            name="this test",
            mode="markers",
            y=[concepts.get(slug).title for slug in slugs if slug in this_test],
            x=[this_test[slug] for slug in slugs if slug in this_test],
            marker={"symbol": "diamond", "size": 11, "color": _blue(), "line": {"color": "white", "width": 1.5}},
            hovertemplate="%{y}: %{x:.0%} in this test<extra></extra>",
        )
    figure.update_yaxes(categoryorder="array", categoryarray=names[::-1], automargin=True)
    figure.update_xaxes(range=[-0.02, 1.04], tickformat=".0%", tickvals=[0, 0.25, 0.5, 0.75, 1])
    figure.add_vline(
        x=LEARNT,
        line_dash="dot",
        line_width=1.5,
        line_color=_ink(),
        annotation={"text": "learnt", "yref": "paper", "y": 1, "yanchor": "bottom", "xanchor": "center"},
    )
    learnt = sum(value >= LEARNT for value in values)
    st.plotly_chart(
        _quiet(figure, 106 + 26 * len(names)).update_layout(margin_t=24),
        key="mastery-chart",
        config=CONFIG,
        alt=f"Mastery by concept: {learnt} of {len(names)} at {LEARNT:.0%} or more. The table below has every number.",
    )


def history_chart(scores: Sequence[tuple[datetime, float]]) -> None:
    """Scores of the tests over time."""
    figure = go.Figure()
    figure.add_scatter(
        x=list(range(1, len(scores) + 1)),
        y=[score for _, score in scores],
        mode="lines+markers+text",
        text=[f"{score:.0%}" for _, score in scores],
        textposition="top center",
        customdata=[f"{moment:%d %b %Y, %H:%M}" for moment, _ in scores],
        hovertemplate="%{customdata}: %{y:.0%}<extra></extra>",
        line={"color": _blue(), "width": 2.5},
        marker={"size": 9},
        showlegend=False,
    )
    figure.update_yaxes(range=[0, 1.15], tickformat=".0%", tickvals=[0, 0.5, 1])
    figure.update_xaxes(title="Test", dtick=1, range=[0.5, max(3, len(scores)) + 0.5])
    st.plotly_chart(
        _quiet(figure, 260),
        key="history-chart",
        config=CONFIG,
        alt="Score of each test in turn: " + ", ".join(f"{score:.0%}" for _, score in scores),
    )


def facility_chart(rows: Sequence[tuple[str, float, int]]) -> None:
    """Mean score by concept, hardest at the top: (name, facility, answers)."""
    figure = go.Figure()
    figure.add_bar(
        orientation="h",
        y=[name for name, _, _ in rows],
        x=[facility for _, facility, _ in rows],
        marker={"color": _blue()},
        customdata=[count for _, _, count in rows],
        hovertemplate="%{y}: %{x:.0%} of %{customdata} answers<extra></extra>",
    )
    figure.update_yaxes(categoryorder="array", categoryarray=[name for name, _, _ in rows][::-1], automargin=True)
    figure.update_xaxes(range=[0, 1.02], tickformat=".0%")
    st.plotly_chart(
        _quiet(figure, 70 + 26 * len(rows)),
        key="facility-chart",
        config=CONFIG,
        alt="Mean score by concept, hardest first. The table below has every number.",
    )
