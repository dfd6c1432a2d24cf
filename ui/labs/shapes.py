"""Labs about directions and shapes: slopes, Jacobians, broadcasting, upstream vectors."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from course import numbers
from course.labs import broadcast, jacobian, modes, slopes, upstream
from course.labs.modes import Modes
from ui.labs import charts, controls, listing
from ui.labs.charts import Line

#: An error of exactly 0 has no place on a logarithmic axis; it is drawn at the bottom.
BOTTOM = 1e-17


def three_ways() -> None:
    """Autograd, difference quotients and the formula for one slope."""
    with controls.row("slopes"):
        name = controls.choice(
            "Function", "slope-of", {key: one.formula for key, one in slopes.FUNCTIONS.items()}, "cubic"
        )
        x = controls.point("x", "slope-x", -3.0, 3.0, 2.0, 0.5)
        power = controls.slider("h = 10 to the power of minus", "slope-h", 0, len(slopes.STEPS) - 1, 3)
    found = slopes.measure(name, x)
    function = slopes.FUNCTIONS[name]
    charts.table(
        [
            {"way": f"formula: {function.slope_formula}", "slope": found.formula, "error": "by definition none"},
            {"way": "autograd", "slope": found.autograd, "error": f"{abs(found.autograd - found.formula):.1e}"},
            {
                "way": "(f(x + h) − f(x)) / h",
                "slope": f"{found.one_sided[power]:.10g}",
                "error": f"{found.errors(found.one_sided)[power]:.1e}",
            },
            {
                "way": "(f(x + h) − f(x − h)) / 2h",
                "slope": f"{found.two_sided[power]:.10g}",
                "error": f"{found.errors(found.two_sided)[power]:.1e}",
            },
        ]
    )
    one, two = found.errors(found.one_sided), found.errors(found.two_sided)
    charts.lines(
        [
            Line("one-sided", slopes.STEPS, [max(error, BOTTOM) for error in one]),
            Line("two-sided", slopes.STEPS, [max(error, BOTTOM) for error in two]),
            Line(
                "autograd", slopes.STEPS, [max(abs(found.autograd - found.formula), BOTTOM)] * len(one), markers=False
            ),
        ],
        key="slopes",
        alt=f"Error by step size. One-sided is best at h = {_best(one):g}, two-sided at h = {_best(two):g}; autograd's "
        "error does not depend on h.",
        x_title="step size h",
        y_title="error (0 is drawn at the bottom)",
        log_x=True,
        log_y=True,
        mark_x=None,
    )
    st.caption(
        "For large h the quotient is wrong because the curve bends; for small h because two nearly equal numbers are "
        "subtracted in float64. A parabola has no third derivative, so its two-sided quotient has rounding error only."
    )
    charts.numbers(
        [
            {"h": f"{step:.0e}", "one-sided error": f"{a:.2e}", "two-sided error": f"{b:.2e}"}
            for step, a, b in zip(slopes.STEPS, one, two, strict=True)
        ],
        key="slopes",
    )
    _by_hand(name, x, found.autograd)
    listing.program(slopes.program(name, x), key="slopes")


def _by_hand(name: str, x: float, slope: float) -> None:
    st.header("Check it by hand", anchor=False)
    with st.container(width=420):
        text = st.text_input(
            f"The derivative of {slopes.FUNCTIONS[name].formula} at x = {x:g}, worked out on paper",
            key=f"by-hand-{name}-{x:g}",
        )
    if not text:
        return
    try:
        given = numbers.read(text)
    except ValueError as error:
        st.warning(str(error), icon=":material/edit:")
        return
    if abs(given - slope) <= 1e-3 * max(1.0, abs(slope)):
        st.success(f"Yes. The engine has {slope:g} as well.", icon=":material/check:")
    else:
        st.error(
            f"The engine has {slope:g}. Differentiate each term and put x = {x:g} in last.", icon=":material/close:"
        )


def _best(errors: tuple[float, ...]) -> float:
    return min(zip(errors, slopes.STEPS, strict=True))[1]


def rows_or_columns() -> None:
    """The Jacobian filled one pass at a time."""
    with controls.row("modes"):
        n = controls.slider("inputs n", "inputs", 1, modes.LARGEST, 4)
        m = controls.slider("outputs m", "outputs", 1, modes.LARGEST, 2)
    found = modes.measure(n, m)
    left, right = st.columns(2)
    with left:
        st.markdown(f"**Forward mode**: a pass fills a column, so {n} fill{'s' if n == 1 else ''} it")
        columns = _passes("forward-passes", n, "forward")
        _filled(found, columns, by_columns=True)
    with right:
        st.markdown(f"**Reverse mode**: a pass fills a row, so {m} fill{'s' if m == 1 else ''} it")
        rows = _passes("reverse-passes", m, "reverse")
        _filled(found, rows, by_columns=False)
    charts.table(
        [
            {
                "mode": "forward",
                "passes for all": n,
                "multiply-adds a pass": found.forward_cost,
                "multiply-adds for all": found.forward_total,
            },
            {
                "mode": "reverse",
                "passes for all": m,
                "multiply-adds a pass": found.reverse_cost,
                "multiply-adds for all": found.reverse_total,
            },
        ]
    )
    st.caption(
        "Counted by the engine for y = tanh(W x), W of shape (m, n), the forward computation of each pass included. A "
        "pass costs about the same either way; the number of passes decides."
    )
    listing.program(modes.program(n, m, max(0, rows - 1)), key="modes", title="One reverse pass as a program")
    _one_output()


def _passes(key: str, most: int, mode: str) -> int:
    """A counter that a button moves on by one pass."""
    done = min(int(st.session_state.get(key, 1)), most)

    def move(to: int) -> None:
        st.session_state[key] = to

    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            f"One {mode} pass",
            key=f"{key}-more",
            disabled=done >= most,
            on_click=move,
            args=(done + 1,),
            icon=":material/add:",
        )
        st.button("Start over", key=f"{key}-less", disabled=done == 0, on_click=move, args=(0,))
        st.markdown(f"{done} of {most}")
    return done


def _filled(found: Modes, done: int, *, by_columns: bool) -> None:
    if by_columns:
        cells = [[found.columns[j][i] if j < done else None for j in range(found.n)] for i in range(found.m)]
        fresh = ("column", done - 1) if done else None
    else:
        cells = [[found.rows[i][j] if i < done else None for j in range(found.n)] for i in range(found.m)]
        fresh = ("row", done - 1) if done else None
    charts.matrix(
        cells,
        key=f"jacobian-{'forward' if by_columns else 'reverse'}",
        alt=f"The Jacobian after {done} passes: {'columns' if by_columns else 'rows'} 1 to {done} are filled.",
        x_title="input",
        y_title="output",
        fresh=fresh,
        height=300,
    )


def _one_output() -> None:
    st.header("One loss, many parameters", anchor=False)
    found = modes.extrapolate()
    inputs = [n for n, _, _ in found.measured]
    charts.lines(
        [
            Line("forward mode", inputs, [passes for _, passes, _ in found.measured]),
            Line("reverse mode", inputs, [passes for _, _, passes in found.measured]),
        ],
        key="one-output",
        alt="Passes needed for one output: forward mode one for each input, reverse mode one in all.",
        x_title="inputs n, with one output",
        y_title="passes, counted",
        whole_x=True,
        height=280,
    )
    st.markdown(
        f"Each further input took {found.a_pass:g} more forward pass and no more reverse pass. Along that line, a loss "
        f"with **{modes.PARAMETERS:,}** parameters needs **{found.forward:,}** forward passes, or **{found.reverse}** "
        "reverse pass."
    )


def matrix_nobody_builds() -> None:
    """The Jacobian of a matrix product beside what backward computes."""
    with controls.row("jacobian"):
        rows = controls.slider("rows of X", "x-rows", 1, 12, 10)
        n = controls.slider("columns of X", "x-columns", 1, 8, 5)
        p = controls.slider("columns of W", "w-columns", 1, 6, 2)
    found = jacobian.measure(rows, n, p)
    charts.figures(
        {
            "entries of the Jacobian": found.jacobian_entries,
            "entries computed by backward": found.computed_entries,
            "times more": f"{found.jacobian_entries / found.computed_entries:,.4g}",
        },
        key="jacobian",
    )
    left, right = st.columns([3, 2])
    with left:
        st.markdown(f"**The Jacobian of Y for W**, {found.jacobian_shape[0]} × {found.jacobian_shape[1]}")
        charts.matrix(
            found.jacobian,
            key="full-jacobian",
            alt=f"The Jacobian: {found.jacobian_entries} entries, {found.zeros} of them zero.",
            x_title="entry of W",
            y_title="entry of Y",
            height=420,
        )
    with right:
        st.markdown(f"**What backward made**, {n} × {p}")
        charts.matrix(
            found.gradient,
            key="vjp",
            alt=f"The gradient of W: {found.computed_entries} entries.",
            x_title="column of W",
            y_title="row of W",
            height=420,
        )
    charts.table(
        [
            {
                "matrix": "the Jacobian",
                "entries": found.jacobian_entries,
                "bytes": found.jacobian_bytes,
                "zeros": found.zeros,
            },
            {
                "matrix": "the gradient of W",
                "entries": found.computed_entries,
                "bytes": found.computed_bytes,
                "zeros": found.computed_zeros,
            },
        ]
    )
    same = max(
        abs(a - b)
        for one, other in zip(found.gradient, found.by_jacobian, strict=True)
        for a, b in zip(one, other, strict=True)
    )
    st.caption(
        f"The upstream (ones) times the Jacobian gives the same gradient; the largest difference is {same:.1g}. "
        "Backward "
        "computes Xᵀ @ upstream instead. The Jacobian here was built only for the comparison."
    )
    listing.program(jacobian.program(rows, n, p), key="jacobian")


def bias_over_rows() -> None:
    """A bias broadcast over rows."""
    with controls.row("broadcast"):
        rows = controls.slider("rows", "bias-rows", 1, 8, 4)
        squared = controls.choice("loss", "bias-loss", {"sum": "out.sum()", "square": "(out ** 2).sum()"}, "sum")
    found = broadcast.measure(rows, squared == "square")
    st.markdown(f"**The upstream that arrived at `out`**, {rows} × 3, and **its column sums**")
    charts.table(
        [
            {"row": str(number), **{f"column {place}": value for place, value in enumerate(row, start=1)}}
            for number, row in enumerate(found.upstream, start=1)
        ]
        + [
            {
                "row": "sum",
                **{f"column {place}": sum(row[place - 1] for row in found.upstream) for place in (1, 2, 3)},
            },
            {"row": "bias.grad", **{f"column {place}": value for place, value in enumerate(found.grad, start=1)}},
        ]
    )
    st.caption(
        f"Forward, the bias of shape (3,) was used in each of the {rows} rows. Backward, it gets one contribution from "
        "each: their sum."
    )
    listing.program(found.run.source, key="broadcast")


def upstream_vector() -> None:
    """An upstream vector of one's own, and the reductions."""
    with controls.row("upstream"):
        how = controls.choice(
            "How backward is called",
            "upstream-how",
            {
                "none": "y.backward()",
                "vector": "y.backward(v)",
                "sum": "y.sum().backward()",
                "mean": "y.mean().backward()",
            },
            "vector",
        )
    v: tuple[float, ...] = upstream.ENTRIES
    if how == "vector":
        with st.container(horizontal=True, key="controls-vector"):
            v = tuple(_entry(f"v[{place}]", f"v{place}", default) for place, default in enumerate((1.0, 10.0, 100.0)))
    found = upstream.measure(how, v)
    if found.error is not None:
        st.error(found.error, icon=":material/block:")
        st.caption("Three outputs, and no word on how much each of them counts: there is no single slope to give.")
    elif found.grad is not None:
        weights = {"vector": v, "sum": (1.0,) * 3, "mean": (1 / 3,) * 3}[how]
        charts.table(
            [
                {"entry": place, "upstream": weight, "local 2x": 2 * x, "x.grad": grad}
                for place, (weight, x, grad) in enumerate(zip(weights, upstream.ENTRIES, found.grad, strict=True))
            ]
        )
    both = {name: upstream.measure(name).grad for name in ("sum", "mean")}
    charts.table([{"reduction": f"y.{name}()", "x.grad": list(grad or ())} for name, grad in both.items()])
    st.caption("The mean's gradient is the sum's divided by the number of entries.")
    listing.program(found.run.source, key="upstream")


def _entry(label: str, key: str, default: float) -> float:
    with st.container(width=120):
        return float(st.number_input(label, -1e6, 1e6, default, step=1.0, format="%g", key=key, bind="query-params"))


LABS: dict[str, Callable[[], None]] = {
    "three-ways": three_ways,
    "rows-or-columns": rows_or_columns,
    "jacobian": matrix_nobody_builds,
    "bias-over-rows": bias_over_rows,
    "upstream": upstream_vector,
}
