"""Labs about recording and cutting: no_grad, eval, detach, a second backward, writing in place."""

from __future__ import annotations

from collections.abc import Callable

import plotly.graph_objects as go
import streamlit as st

from course.labs import cutting, evaluating, lifetime, overwriting, unrecorded
from course.labs.lifetime import Lifetime
from ui.labs import charts, controls, listing
from ui.labs.picture import picture
from ui.plots import VERMILLION


def not_recorded() -> None:
    """One block under three modes."""
    with controls.row("block"):
        under = controls.choice("The block runs", "under", unrecorded.BLOCKS, "no_grad")
    found = unrecorded.measure(under)
    every = {name: unrecorded.measure(name) for name in unrecorded.BLOCKS}
    charts.figures(
        {"value of z": found.value, "functions recorded": len(found.recorded), "bytes held": found.held}, key="block"
    )
    picture(
        found.run,
        key="block-graph",
        label=f"The graph. Recorded in the block: {', '.join(found.recorded) or 'nothing'}.",
    )
    st.markdown("**Afterwards, `loss = w * z` is recorded, with z from the block**")
    listing.outcome(
        None if found.grad is not None else found.later,
        f"It works: w.grad = {found.grad:.4g}" if found.grad is not None else "",
    )
    if under == "recorded":
        st.caption("x gets a gradient too, since the block leads back to it.")
    elif under == "no_grad":
        st.caption("z is an ordinary tensor, a constant for what comes after. Only x gets nothing.")
    else:
        st.caption("An inference tensor has no version counter, so no rule may rely on its value staying as it is.")
    charts.side_by_side(
        {
            unrecorded.BLOCKS[name]: {
                "z": one.value,
                "functions recorded": len(one.recorded),
                "bytes held": one.held,
                "used later": "works" if one.grad is not None else "raises",
                "time on 4,096 numbers": f"{unrecorded.seconds(name) * 1e6:.0f} µs",
            }
            for name, one in every.items()
        },
        "the block",
    )
    st.caption("Times are the best of five rounds, measured on this machine when the lab was first opened.")
    listing.program(found.run.source, key="block")


def eval_and_no_grad() -> None:
    """Two modes of a module against two modes of the engine."""
    with controls.row("eval"):
        mode = controls.choice("module", "module-mode", {"train": "train()", "eval": "eval()"}, "train")
        grad = controls.choice("engine", "engine-mode", {"grad": "recording", "no": "no_grad"}, "grad")
    found = evaluating.measure(mode, grad == "grad")
    charts.figures(
        {
            "output for 1 and 3": list(found.output),
            "output requires grad": found.recorded,
            "weight": found.weight_after,
        },
        key="eval",
    )
    charts.side_by_side(
        {
            f"{kind}(), {'recording' if recorded else 'no_grad'}": {
                "output": list(cell.output),
                "recorded": cell.recorded,
                "running mean": cell.running_mean,
                "weight before": cell.weight_before,
                "weight after": cell.weight_after,
            }
            for kind in evaluating.MODES
            for recorded in (True, False)
            for cell in (evaluating.measure(kind, recorded),)
        },
        "measured",
    )
    st.caption(
        "Batch normalisation in train() uses the mean of this batch, and remembers a little of it even under "
        "no_grad. In "
        "eval() it uses what it remembers: a fresh module remembers mean 0 and variance 1."
    )
    listing.program(found.run.source, key="eval")
    st.header("Dropout", anchor=False)
    with controls.row("dropout"):
        p = controls.among("share that is dropped", "dropped", (0.1, 0.25, 0.5, 0.75, 0.9), 0.5)
    charts.table(
        [
            {"mode": f"{kind}()", "zeros among 200 ones": one.zeros, "mean of the output": one.mean}
            for kind in evaluating.MODES
            for one in (evaluating.dropout(kind, p),)
        ]
    )
    st.caption("What is kept is divided by the share that is kept, so that the mean stays near 1.")


def teacher_and_student() -> None:
    """Cutting the teacher off, and what shares storage."""
    with controls.row("cut"):
        way = controls.choice("The teacher's output is", "cut", cutting.WAYS, "detach")
    found = cutting.measure(way)
    charts.figures(
        {
            "student.grad": found.student,
            "teacher.grad": found.teacher,
            "teacher's functions recorded": len(found.teacher_recorded),
            "bytes held for them": found.held,
        },
        key="cut",
    )
    picture(
        found.run,
        key="cut-graph",
        label="The graph of both. " + ("Nothing is cut." if way == "neither" else "The way to the teacher is cut."),
    )
    if found.missing is None:
        st.warning(f"The teacher is being trained too: its gradient is {found.teacher:g}.", icon=":material/error:")
    else:
        st.success(
            f"The loss is {found.loss:g} either way. The contribution of {found.missing:g} that would have gone to the "
            "teacher does not travel.",
            icon=":material/content_cut:",
        )
    every = {name: cutting.measure(name) for name in cutting.WAYS}
    charts.side_by_side(
        {
            cutting.WAYS[name]: {
                "loss": one.loss,
                "student.grad": one.student,
                "teacher.grad": one.teacher,
                "teacher's functions recorded": len(one.teacher_recorded),
                "bytes held for them": one.held,
            }
            for name, one in every.items()
        },
        "measured",
    )
    st.caption(
        "detach() cuts one tensor loose after it was made: its history was recorded and is then not used. Under "
        "no_grad "
        "there never was one."
    )
    listing.program(found.run.source, key="cut")
    st.header("Who shares storage", anchor=False)
    with controls.row("alias"):
        alias = controls.choice("Write 10 into", "alias", cutting.ALIASES, "detach")
    written = cutting.write(alias)
    charts.figures({"x afterwards": list(written.x), "version of x": written.version}, key="alias")
    if written.shares:
        st.warning("The write went through to x: both look at the same numbers.", icon=":material/link:")
    else:
        st.success("x is as it was: a clone has numbers of its own.", icon=":material/link_off:")
    listing.program(written.run.source, key="alias")


def second_backward() -> None:
    """Two backward passes and their repairs."""
    with controls.row("lifetime"):
        repair = controls.choice("The second time", "repair", lifetime.REPAIRS, "none")
    found = lifetime.measure(repair)
    charts.figures(
        {"x.grad at the end": found.grad, "most bytes held": max(found.held), "held at the end": found.held[-1]},
        key="lifetime",
    )
    listing.outcome(
        found.error and found.error.partition(" (or directly")[0],
        f"Both passes went through, and .grad is twice the slope: {found.grad:.4g}.",
    )
    _held_over_events(found)
    st.caption(
        {
            "none": "The first pass frees the saved values as it goes. The second finds them gone. What the first put "
            "into .grad stays.",
            "retain": "retain_graph keeps the saved values after the pass, and they stay until the graph goes: right "
            "when "
            "one graph is to be walked several times.",
            "again": "A second forward pass makes a new graph with the parameters as they are now, and its backward "
            "frees "
            "it: the general repair.",
        }[repair]
    )
    charts.table(
        [
            {
                "the second time": name,
                "x.grad": one.grad,
                "most bytes held": max(one.held),
                "held at the end": one.held[-1],
                "ends": "with an error" if one.error else "well",
            }
            for key, name in lifetime.REPAIRS.items()
            for one in (lifetime.measure(key),)
        ]
    )
    listing.program(found.run.source, key="lifetime")


def _held_over_events(found: Lifetime) -> None:
    figure = go.Figure()
    number = list(range(1, len(found.held) + 1))
    figure.add_scatter(
        name="bytes held",
        x=number,
        y=found.held,
        mode="lines",
        line={"color": charts.blue(), "width": 2.5, "shape": "hv"},
        customdata=[
            f"line {line}: {kind.replace('_', ' ')}" for line, kind in zip(found.lines, found.kinds, strict=True)
        ],
        hovertemplate="%{customdata}, %{y} bytes held<extra></extra>",
    )
    for place, kind in zip(number, found.kinds, strict=True):
        if kind in ("backward_start", "error"):
            words = "backward" if kind == "backward_start" else "error"
            figure.add_vline(x=place, line_dash="dot", line_width=1.5, line_color=VERMILLION, annotation_text=words)
    figure.update_xaxes(title="event of the run")
    figure.update_yaxes(title="bytes held", range=[0, 1.35 * max(found.held)])
    figure.update_layout(showlegend=False)
    charts.quiet(figure, 260)
    figure.update_layout(margin={"t": 28})
    charts.show(
        figure,
        key="lifetime-chart",
        alt=f"Bytes held over the run: at most {max(found.held)}, at the end {found.held[-1]}.",
    )


def overwritten() -> None:
    """A write in place, and the rule that needed the value."""
    with controls.row("overwrite"):
        operation = controls.choice(
            "y =",
            "operation",
            {name: code.removeprefix("torch.") for name, code in overwriting.OPERATIONS.items()},
            "exp",
        )
        write = controls.choice(
            "then", "write", {name: code or "nothing" for name, code in overwriting.WRITES.items()}, "detach"
        )
    found = overwriting.measure(operation, write)
    charts.figures(
        {"this operation keeps": overwriting.KEEPS[operation], "version of y after": found.version}, key="overwrite"
    )
    if found.error is not None:
        st.error(found.error.partition(" Hint")[0], icon=":material/block:")
        st.caption(
            f"The rule of {operation} reads the result it kept, at version 0. Line {found.line} wrote to the same "
            "storage "
            f"and made it version {found.version}. A wrong number is worse than an error, so backward stops."
        )
    else:
        st.success(f"Backward goes through: x.grad = {charts.word(found.grad)}.", icon=":material/check:")
        st.caption(
            {
                "none": "Nothing was written.",
                "clone": "The clone has storage of its own, so y stays at version 0.",
            }.get(write, "y was changed, but this rule does not read y, so its gradient is as right as before.")
        )
    with st.expander("Every operation with every write", key="every-write"):
        charts.side_by_side(
            {
                code.removeprefix("torch."): {
                    written or "no write": "raises" if overwriting.measure(one, name).error else "fine"
                    for name, written in overwriting.WRITES.items()
                }
                for one, code in overwriting.OPERATIONS.items()
            },
            "write",
        )
    listing.program(found.run.source, key="overwrite")


LABS: dict[str, Callable[[], None]] = {
    "no-grad": not_recorded,
    "eval-mode": eval_and_no_grad,
    "detach": teacher_and_student,
    "graph-lifetime": second_backward,
    "in-place": overwritten,
}
