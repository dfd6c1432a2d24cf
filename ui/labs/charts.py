"""Charts and tables of the labs: one look, a text alternative, and the numbers behind each chart as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from ui.plots import BLUE, CONFIG, GREEN, SKY, VERMILLION

ORANGE = "#E69F00"

#: Colour, dash and symbol of each line in turn: never told apart by colour alone. None is the theme's blue.
STYLES = (
    (None, "solid", "circle"),
    (VERMILLION, "dash", "diamond"),
    (GREEN, "dot", "square"),
    (ORANGE, "dashdot", "triangle-up"),
)


@dataclass(frozen=True, slots=True)
class Line:
    """A named line of a chart."""

    name: str
    x: Sequence[float | str]
    y: Sequence[float | None]
    markers: bool = True


def _dark() -> bool:
    return st.context.theme.type == "dark"


def ink() -> str:
    """The colour of text and thin lines."""
    return "#D3D7DD" if _dark() else "#3A414C"


def blue() -> str:
    """The palette's blue that stands out from this background."""
    return SKY if _dark() else BLUE


def quiet(figure: go.Figure, height: int = 340) -> go.Figure:
    """The look of every chart."""
    for update in (figure.update_xaxes, figure.update_yaxes):
        update(tickfont={"color": ink(), "size": 13}, title={"font": {"color": ink()}})
    figure.update_annotations(font={"color": ink(), "size": 13})
    figure.update_layout(
        font={"color": ink()},
        height=height,
        margin={"l": 8, "r": 16, "t": 8, "b": 8},
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"color": ink()}},
        hoverlabel={"align": "left"},
        dragmode=False,
        hovermode="closest",
    )
    figure.update_xaxes(automargin=True)
    figure.update_yaxes(automargin=True)
    return figure


def show(figure: go.Figure, *, key: str, alt: str) -> None:
    """A chart with its text alternative."""
    st.plotly_chart(figure, key=f"chart-{key}", config=CONFIG, alt=alt)


def lines(
    series: Sequence[Line],
    *,
    key: str,
    alt: str,
    x_title: str,
    y_title: str,
    log_x: bool = False,
    log_y: bool = False,
    height: int = 340,
    mark_x: tuple[float, str] | None = None,
    mark_y: tuple[float, str] | None = None,
    y_range: tuple[float, float] | None = None,
    whole_x: bool = False,
) -> None:
    """Lines over a common axis, with a line across at ``mark_x`` or ``mark_y`` (place, words)."""
    figure = go.Figure()
    for line, (colour, dash, symbol) in zip(series, STYLES * 3, strict=False):
        figure.add_scatter(
            name=line.name,
            x=list(line.x),
            y=list(line.y),
            mode="lines+markers" if line.markers else "lines",
            line={"color": colour or blue(), "width": 2.5, "dash": dash},
            marker={"size": 8, "symbol": symbol, "color": colour or blue()},
            hovertemplate=f"{line.name}: %{{x}}, %{{y:.5g}}<extra></extra>",
        )
    figure.update_xaxes(title=x_title, type="log" if log_x else "linear")
    figure.update_yaxes(title=y_title, type="log" if log_y else "linear")
    if log_x:
        figure.update_xaxes(exponentformat="power", dtick=1 if len(series[0].x) < 16 else None)
    if log_y:
        figure.update_yaxes(**_decades([value for line in series for value in line.y if value]))
    elif y_range:
        figure.update_yaxes(range=list(y_range))
    else:
        figure.update_yaxes(rangemode="tozero")
    if whole_x:
        figure.update_xaxes(dtick=1 if len(series[0].x) <= 16 else None, tickformat="d")
    if mark_x:
        figure.add_vline(
            x=mark_x[0],
            line_dash="dot",
            line_width=1.5,
            line_color=ink(),
            annotation_text=mark_x[1],
            annotation_position="top right",
        )
    if mark_y:
        figure.add_hline(
            y=mark_y[0],
            line_dash="dot",
            line_width=1.5,
            line_color=ink(),
            annotation_text=mark_y[1],
            annotation_position="top right",
        )
    figure.update_layout(showlegend=len(series) > 1)
    show(quiet(figure, height), key=key, alt=alt)


def _decades(values: Sequence[float]) -> dict[str, Any]:
    """Ticks of a logarithmic axis: at 1, 2 and 5 for a short range, at every decade or few for a long one."""
    low, high = min(values), max(values)
    if high / low > 1e4:
        return {"exponentformat": "power", "nticks": 10}
    return {"dtick": "D2" if high / low < 30 else 1, "tickformat": ",.6~g"}


def bars(
    groups: Mapping[str, Sequence[float]],
    names: Sequence[str],
    *,
    key: str,
    alt: str,
    y_title: str,
    height: int = 320,
    log_y: bool = False,
) -> None:
    """Groups of bars side by side: one bar of each group for each name."""
    figure = go.Figure()
    patterns = ("", "/", ".", "x")
    for (name, values), (colour, _, _), pattern in zip(groups.items(), STYLES, patterns, strict=False):
        figure.add_bar(
            name=name,
            x=list(names),
            y=list(values),
            text=[amount(value) for value in values],
            textposition="outside",
            cliponaxis=False,
            marker={
                "color": colour or blue(),
                "pattern": {
                    "shape": pattern,
                    "fgcolor": "white",
                    "bgcolor": colour or blue(),
                    "size": 7,
                    "solidity": 0.25,
                },
            },
            hovertemplate=f"%{{x}}, {name}: %{{y:,.6g}}<extra></extra>",
        )
    figure.update_xaxes(type="category")
    figure.update_yaxes(title=y_title, type="log" if log_y else "linear")
    if log_y:
        figure.update_yaxes(exponentformat="power", dtick=1)
    figure.update_layout(barmode="group", showlegend=len(groups) > 1, uniformtext={"minsize": 9, "mode": "show"})
    quiet(figure, height)
    figure.update_layout(margin={"t": 24})
    show(figure, key=key, alt=alt)


def matrix(
    rows: Sequence[Sequence[float | None]],
    *,
    key: str,
    alt: str,
    x_title: str,
    y_title: str,
    fresh: tuple[str, int] | None = None,
    height: int = 320,
) -> None:
    """Numbers of a matrix as coloured cells; None is a cell that is not known yet.

    ``fresh`` outlines a ``("row", i)`` or ``("column", j)``.
    """
    count, width = len(rows), len(rows[0])
    largest = max((abs(value) for row in rows for value in row if value is not None), default=0.0) or 1.0
    figure = go.Figure()
    figure.add_heatmap(
        z=[[None if value is None else value for value in row] for row in rows],
        x=list(range(1, width + 1)),
        y=list(range(1, count + 1)),
        text=[["" if value is None else amount(value) for value in row] for row in rows] if width <= 12 else None,
        texttemplate="%{text}" if width <= 12 and count <= 20 else None,
        colorscale=[[0, VERMILLION], [0.5, "#FFFFFF"], [1, SKY]],
        zmin=-largest,
        zmax=largest,
        showscale=False,
        xgap=2,
        ygap=2,
        textfont={"color": "#14171C"},
        hovertemplate="row %{y}, column %{x}: %{z:.4g}<extra></extra>",
    )
    figure.add_shape(type="rect", x0=0.5, x1=width + 0.5, y0=0.5, y1=count + 0.5, line={"width": 1, "color": "#7F8790"})
    if fresh:
        kind, place = fresh
        box = (
            {"x0": 0.5, "x1": width + 0.5, "y0": place + 0.5, "y1": place + 1.5}
            if kind == "row"
            else {"x0": place + 0.5, "x1": place + 1.5, "y0": 0.5, "y1": count + 0.5}
        )
        figure.add_shape(type="rect", line={"width": 3, "color": GREEN}, **box)
    figure.update_xaxes(title=x_title, dtick=1 if width <= 20 else None, range=[0.4, width + 0.6], showgrid=False)
    figure.update_yaxes(title=y_title, dtick=1 if count <= 20 else None, range=[count + 0.6, 0.4], showgrid=False)
    show(quiet(figure, height), key=key, alt=alt)


def table(rows: Sequence[Mapping[str, Any]], *, alt: str | None = None) -> None:
    """Rows of a table under the names of their columns; numbers are written as a reader writes them."""
    st.table([{name: word(value) for name, value in row.items()} for row in rows], hide_index=True, alt=alt)


def side_by_side(columns: Mapping[str, Mapping[str, Any]], what: str) -> None:
    """Things to compare, one in each column; the first column, under ``what``, names what is compared."""
    first = next(iter(columns.values()))
    table([{what: row, **{name: values[row] for name, values in columns.items()}} for row in first])


def numbers(rows: Sequence[Mapping[str, Any]], *, key: str, label: str = "The numbers as a table") -> None:
    """The table behind a chart, folded."""
    with st.expander(label, key=f"numbers-{key}"):
        table(rows)


def figures(values: Mapping[str, Any], *, key: str) -> None:
    """A few numbers, large."""
    with st.container(horizontal=True, key=f"figures-{key}"):
        for label, value in values.items():
            st.metric(label, word(value), width="content")


def amount(value: float) -> str:
    """A number in few letters."""
    if value == int(value) and abs(value) < 1e12:
        return f"{int(value):,}"
    return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"


def word(value: Any) -> str:
    """A value as a reader writes it; text stays as it is."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "None"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        if value != value or value in (float("inf"), float("-inf")):
            return {"inf": "∞", "-inf": "−∞"}.get(str(value), "nan")
        return f"{value:,.5g}" if abs(value) < 1e5 else f"{value:,.0f}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(word(one) for one in value) + "]"
    return str(value)
