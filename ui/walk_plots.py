"""How large the gradient is along the walk, as a chart."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st

from autograd import notation
from autograd.frames import Walk
from autograd.trace import Accumulate, Trace

VERMILLION, GREEN = "#D55E00", "#009E73"


def sizes(trace: Trace, walk: Walk, pass_: int) -> list[tuple[int, str, float]]:
    """(step from 1, name, Euclidean norm) of every gradient complete in a pass, in the order the walk reaches them."""
    named = {node.id: node for node in walk.nodes}
    steps: dict[str, int] = {}
    for step, frame in enumerate(walk.frames):
        if frame.pass_ == pass_:
            for kind, node in frame.marks:
                if kind == "accumulate" and node:
                    steps[node] = step
    out = []
    for event in trace.events:
        if isinstance(event, Accumulate) and event.pass_ == pass_ and not event.pending and event.node in steps:
            size = notation.magnitude(event.after)
            if size is not None:
                out.append((steps[event.node] + 1, notation.called(named[event.node]), size))
    return out


def gradient_sizes(trace: Trace, walk: Walk) -> None:
    """The chart, with a choice of pass and of scale; nothing when no backward pass ran."""
    passes = sorted({event.pass_ for event in trace.events if isinstance(event, Accumulate)})
    if not passes:
        st.caption("No backward pass ran, so there are no gradients to show.")
        return
    choice = passes[0]
    if len(passes) > 1:
        choice = st.selectbox("Backward pass", passes, key="size-pass", format_func=lambda number: f"backward {number}")
    points = sizes(trace, walk, choice)
    if not points:
        st.caption("The gradients of this pass are nan or infinite, so they have no size to draw.")
        return
    steps, names, values = zip(*points, strict=True)
    positive = [value for value in values if value > 0]
    spread = bool(positive) and max(positive) > 100 * min(positive)
    log = st.toggle("Logarithmic scale", value=spread, key=f"size-log-{choice}")
    figure = go.Figure()
    figure.add_scatter(
        x=[f"{step}: {name}" for step, name in zip(steps, names, strict=True)],
        y=values,
        mode="lines+markers",
        line={"color": VERMILLION, "width": 2.5},
        marker={"size": 9},
        customdata=[[step, name] for step, name in zip(steps, names, strict=True)],
        hovertemplate="step %{customdata[0]}, %{customdata[1]}: %{y:.5g}<extra></extra>",
        showlegend=False,
    )
    figure.update_yaxes(title="size of the gradient", type="log" if log else "linear", rangemode="tozero")
    figure.update_xaxes(
        title="step and tensor, from the root back to the leaves", type="category", nticks=min(24, len(steps))
    )
    figure.update_layout(height=330, margin={"l": 8, "r": 16, "t": 8, "b": 8}, dragmode=False)
    largest, smallest = max(points, key=lambda p: p[2]), min(points, key=lambda p: p[2])
    st.plotly_chart(
        figure,
        key="gradient-sizes",
        config={"displayModeBar": False, "responsive": True},
        alt=f"Size of the gradient at {len(points)} tensors: largest {largest[2]:.4g} at {largest[1]}, "
        f"smallest {smallest[2]:.4g} at {smallest[1]}.",
    )
