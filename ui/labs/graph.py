"""Labs about the graph: who is on it, how it grows, and what an engine needs to walk it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import plotly.graph_objects as go
import streamlit as st

from course.labs import depth, diamonds, path, small_engine, tracking
from ui.labs import charts, controls, listing
from ui.labs.charts import Line
from ui.labs.picture import blocks, picture

#: With more diamonds than this the tree of calls is too wide to draw.
DRAWN = 6


def who_is_tracked() -> None:
    """Three toggles and what they leave on the graph."""
    with controls.row("tracked"):
        asking = frozenset(
            name for name in tracking.NAMES if controls.switch(f"{name}: requires_grad", f"asks-{name}", name == "a")
        )
    found = tracking.measure(asking)
    charts.figures(
        {
            "recorded operations": sum(found.tensors.values()),
            "not recorded": len(found.tensors) - sum(found.tensors.values()),
            "bytes held for backward": found.held,
        },
        key="tracked",
    )
    recorded = [name for name, kept in found.tensors.items() if kept]
    picture(
        found.run,
        key="tracked-graph",
        label=f"The graph. Recorded: {', '.join(recorded) or 'nothing'}. Operations that are not recorded are pale.",
    )
    sources = {"plain": "b * c", "mixed": "a * plain", "y": "mixed + c"}
    charts.table(
        [
            {"result": name, "from": sources[name], "requires_grad": kept, "grad_fn": found.functions[name]}
            for name, kept in found.tensors.items()
        ]
    )
    if found.grads is None:
        st.info(
            "No input asks for a gradient, so nothing is recorded and there is nothing to walk back through: "
            "backward() "
            "would raise. That is why the program does not call it.",
            icon=":material/info:",
        )
    else:
        charts.table([{"leaf": name, ".grad after backward": grad} for name, grad in found.grads.items()])
    listing.program(found.run.source, key="tracked")


def grown() -> None:
    """A network of any depth, its layers drawn as boxes."""
    with controls.row("depth"):
        chosen = controls.slider("Layers of Linear and Tanh", "layers", 1, 100, 3)
    with st.spinner("Building the network"):
        found = depth.measure(chosen)
    charts.figures(
        {
            "recorded operations": found.operations,
            "leaves": found.leaves,
            "longest path": found.longest,
            "kinds of functions": len(found.functions),
        },
        key="depth",
    )
    charts.table([{"function": name, "how often": count} for name, count in found.functions.items()])
    st.caption(
        f"{found.operations / chosen:.3g} operations a layer. A hundred layers have the same functions as one; only "
        "the "
        "counts change."
    )
    picture(
        found.run,
        key="depth-graph",
        label=f"The graph of {chosen} layers, from the input to the loss; "
        + ("each layer is one box." if chosen <= depth.STAGE else f"{depth.STAGE} layers are one box."),
        collapse=blocks(found.run),
        leaves=False,
    )
    st.caption(
        (
            "Each layer is drawn as one box"
            if chosen <= depth.STAGE
            else f"Every {depth.STAGE} layers are drawn as one box"
        )
        + ", and the parameters are left out of the picture."
    )
    listing.program(found.run.source, key="depth", walkable=chosen <= 12)


def ran_path() -> None:
    """The graph of the path that ran."""
    with controls.row("path"):
        x = controls.point("x", "path-x", -2.0, 4.0, 2.0, 0.5)
        rounds = controls.slider("rounds", "path-rounds", 1, 6, 3)
    found = path.measure(x, rounds)
    charts.figures({"y": found.value, "slope dy/dx": found.slope, "recorded operations": len(found.turns)}, key="path")
    picture(
        found.run,
        key="path-graph",
        label=f"The graph of this run: {', then '.join(found.turns)}.",
    )
    charts.table(
        [
            {"round": number, "y > 5": turn.endswith("- 3"), "so it ran": turn}
            for number, turn in enumerate(found.turns, start=1)
        ]
    )
    listing.program(found.run.source, key="path")


def paths_against_nodes() -> None:
    """Visits of the schedule and calls of the recursion."""
    with controls.row("diamonds"):
        chosen = controls.slider("Stacked diamonds", "diamonds", 1, diamonds.DEEPEST, 4)
    found = [diamonds.measure(count) for count in range(1, chosen + 1)]
    last = found[-1]
    charts.figures(
        {"visits, scheduled": last.visits, "calls, naive recursion": last.calls, "x.grad": last.grad}, key="diamonds"
    )
    count = [one.diamonds for one in found]
    charts.lines(
        [
            Line("naive recursion: calls", count, [one.calls for one in found]),
            Line("schedule: visits", count, [one.visits for one in found]),
        ],
        key="diamonds",
        alt=f"With {chosen} diamonds the recursion makes {last.calls:,} calls and the schedule {last.visits} visits.",
        x_title="stacked diamonds",
        y_title="visits",
        log_y=True,
        whole_x=True,
    )
    st.caption(
        f"Both give the same gradient, 2^{chosen} = {last.grad:,.0f}: that many paths lead from the output to x. The "
        f"recursion walks each of them; the schedule waits until a node has heard from all its users."
    )
    _two_graphs(min(chosen, DRAWN))
    charts.numbers(
        [{"diamonds": one.diamonds, "visits": one.visits, "calls": one.calls, "x.grad": one.grad} for one in found],
        key="diamonds",
    )
    listing.program(diamonds.program(chosen), key="diamonds")


def _two_graphs(count: int) -> None:
    """The graph of ``count`` diamonds, and the calls the recursion makes on it as a tree."""
    left, right = st.columns(2)
    nodes = [(0.0, float(-level)) for level in range(count + 1)]
    both = [[nodes[level], (side, -level - 0.5), nodes[level + 1]] for level in range(count) for side in (-0.25, 0.25)]
    with left:
        st.markdown(f"**The graph of {count} diamonds**: {count + 1} nodes, each visited once")
        _points(nodes, both, key="one-visit", alt=f"{count + 1} nodes in a row, two edges between neighbours.")
    calls = diamonds.calls(count)
    at = [((call.place + 0.5) / 2**call.depth, float(-call.depth)) for call in calls]
    ways = [[at[call.caller], at[number]] for number, call in enumerate(calls) if call.caller is not None]
    with right:
        st.markdown(f"**What the recursion walks**: {len(calls)} calls, one for each path")
        _points(at, ways, key="one-call", alt=f"A tree of {len(calls)} calls; {2**count} of them reach x.")


def _points(
    places: Sequence[tuple[float, float]], ways: Sequence[Sequence[tuple[float, float]]], *, key: str, alt: str
) -> None:
    figure = go.Figure()
    x: list[float | None] = []
    y: list[float | None] = []
    for way in ways:
        x += [*(place[0] for place in way), None]
        y += [*(place[1] for place in way), None]
    shape = "spline" if any(len(way) > 2 for way in ways) else "linear"
    figure.add_scatter(
        x=x, y=y, mode="lines", line={"color": charts.ink(), "width": 1.2, "shape": shape}, hoverinfo="skip"
    )
    figure.add_scatter(
        x=[place[0] for place in places],
        y=[place[1] for place in places],
        mode="markers",
        marker={"size": 9 if len(places) < 40 else 5, "color": charts.blue()},
        hoverinfo="skip",
    )
    figure.update_xaxes(visible=False, range=[-1, 1] if shape == "spline" else [-0.02, 1.02])
    figure.update_yaxes(visible=False, range=[min(place[1] for place in places) - 0.3, 0.3])
    figure.update_layout(showlegend=False)
    charts.show(charts.quiet(figure, 260), key=key, alt=alt)


def thirty_lines() -> None:
    """The += of the small engine, and what the small engine lacks."""
    with controls.row("thirty"):
        sign = controls.choice(
            "The line that takes a gradient in",
            "grad-line",
            {"add": "self.grad += upstream", "set": "self.grad = upstream"},
            "add",
        )
        swapped = controls.switch("write the two terms the other way round", "swapped")
    found = small_engine.measure(sign == "add", swapped)
    charts.figures({"thirty lines: dy/dx": found.small, "the full engine": found.full}, key="thirty")
    if found.small == found.full:
        st.success("Two paths lead to x, and both are in its gradient: 6 + 2.", icon=":material/check:")
    else:
        st.error(
            f"The gradient that came last overwrote the other one: {found.small:g} instead of {found.full:g}.",
            icon=":material/call_merge:",
        )
    with st.expander("What each call of the small engine did", key="thirty-said"):
        st.code("\n".join(found.said), language=None, wrap_lines=True)
    listing.program(found.run.source, key="thirty", title="Both engines as one program")
    st.header("What thirty lines leave out", anchor=False)
    titles = {one.slug: one.title for one in small_engine.FEATURES}
    with controls.row("features"):
        chosen = controls.one_of("The full engine has", "feature", titles, "tensors")
    compared = small_engine.compare(chosen)
    left, right = st.columns(2)
    with left:
        st.markdown("**Thirty lines**")
        st.code(compared.feature.small, language="python", wrap_lines=True)
        if compared.small.error:
            st.error(compared.small.error, icon=":material/block:")
        else:
            st.code(compared.small.said, language=None, wrap_lines=True)
        st.caption(_sentence(compared.feature.wrong))
    with right:
        st.markdown("**The full engine**")
        st.code(compared.feature.full, language="python", wrap_lines=True)
        if compared.full.error:
            st.warning(compared.full.error.partition(". ")[0] + ".", icon=":material/gpp_maybe:")
            st.caption("It refuses, where the small engine goes on with a wrong number.")
        else:
            st.code(compared.full.said, language=None, wrap_lines=True)
    with st.expander("The small engine used here", key="small-engine"):
        st.code(small_engine.ENGINE.rstrip(), language="python", wrap_lines=True)
    st.caption(
        "Kernels that run on a GPU are the one thing neither has: they change how fast an operation runs, not what is "
        "recorded."
    )


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."


LABS: dict[str, Callable[[], None]] = {
    "who-is-tracked": who_is_tracked,
    "depth": grown,
    "which-path": ran_path,
    "paths-and-nodes": paths_against_nodes,
    "thirty-lines": thirty_lines,
}
