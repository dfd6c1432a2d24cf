"""The training lab: a small network on Iris, and any of its steps in the stepper."""

from __future__ import annotations

import plotly.graph_objects as go
import streamlit as st
from plotly.subplots import make_subplots

from course.labs.iris import EPOCHS, Setting, Training, trained
from ui.labs import charts, controls, listing
from ui.plots import GREEN, VERMILLION

#: Epochs trained between two pictures of a run that is watched, and the seconds between the pictures.
AT_A_TIME, TICK = 2, 0.4


def training() -> None:
    """Train with the chosen setting and show every step."""
    with controls.row("iris"):
        lr = controls.among("learning rate", "lr", (0.01, 0.03, 0.1, 0.3, 0.5, 1.0, 3.0), 0.1)
        hidden = int(controls.among("hidden units", "hidden", (2, 4, 8, 16, 32), 8))
        batch = int(controls.among("batch size", "batch", (10, 20, 30, 60, 120), 30))
    setting = Setting(hidden, lr, batch)
    st.button(
        "Train again and watch",
        key="iris-watch",
        icon=":material/play_arrow:",
        on_click=_begin,
        args=(setting,),
    )
    watched = _watched(setting)
    if watched is not None:
        _live()
        return
    with st.spinner("Training"):
        run = trained(setting)
    _shown(run)
    _open_a_step(run)


def _begin(setting: Setting) -> None:
    st.session_state["iris-run"] = Training(setting)


def _watched(setting: Setting) -> Training | None:
    """The run that is being watched; another setting ends it."""
    run = st.session_state.get("iris-run")
    if not isinstance(run, Training) or run.setting != setting or run.epochs >= EPOCHS:
        st.session_state.pop("iris-run", None)
        return None
    return run


@st.fragment(run_every=TICK)
def _live() -> None:
    """A few more epochs, and the picture so far."""
    run = st.session_state.get("iris-run")
    if not isinstance(run, Training):
        return
    for _ in range(min(AT_A_TIME, EPOCHS - run.epochs)):
        run.epoch()
    _shown(run)
    if run.epochs >= EPOCHS:
        st.rerun()


def _shown(run: Training) -> None:
    first, last = run.points[0], run.points[-1]
    charts.figures(
        {
            "epoch": run.epochs,
            "loss of the last batch": last.loss,
            "accuracy on 30 test flowers": f"{run.accuracy[-1]:.1%}",
            "gradient norm": last.norm,
        },
        key="iris",
    )
    steps, total = len(run.points), run.steps_an_epoch * EPOCHS
    figure = make_subplots(rows=3, cols=1, shared_xaxes=True, vertical_spacing=0.07)
    number = list(range(1, steps + 1))
    ends = [epoch * run.steps_an_epoch for epoch in range(1, run.epochs + 1)]
    for row, (name, x, y, colour, dash) in enumerate(
        (
            ("loss", number, [point.loss for point in run.points], charts.blue(), "solid"),
            ("accuracy", ends, run.accuracy, GREEN, "dash"),
            ("gradient norm", number, [point.norm for point in run.points], VERMILLION, "dot"),
        ),
        start=1,
    ):
        figure.add_trace(
            go.Scatter(
                name=name,
                x=x,
                y=y,
                mode="lines",
                line={"color": colour, "width": 2, "dash": dash},
                hovertemplate=f"step %{{x}}: {name} %{{y:.4g}}<extra></extra>",
            ),
            row=row,
            col=1,
        )
        figure.update_yaxes(title=name, row=row, col=1, rangemode="tozero")
    figure.update_yaxes(range=[0, 1.05], tickformat=".0%", row=2, col=1)
    figure.update_xaxes(range=[0, total])
    figure.update_xaxes(title="training step", row=3, col=1)
    figure.update_layout(showlegend=False)
    charts.show(
        charts.quiet(figure, 520),
        key="iris-chart",
        alt=f"{steps} training steps: loss from {first.loss:.3f} to {last.loss:.3f}, test accuracy "
        f"{run.accuracy[-1]:.0%}, gradient norm from {first.norm:.3f} to {last.norm:.3f}.",
    )


def _open_a_step(run: Training) -> None:
    charts.numbers(
        [
            {
                "epoch": epoch,
                "loss of its last batch": run.points[epoch * run.steps_an_epoch - 1].loss,
                "accuracy": f"{run.accuracy[epoch - 1]:.1%}",
                "gradient norm": run.points[epoch * run.steps_an_epoch - 1].norm,
            }
            for epoch in range(1, run.epochs + 1)
        ],
        key="iris",
    )
    st.header("Walk through one step", anchor=False)
    with controls.row("iris-step"):
        step = controls.slider("training step", f"step-of-{run.steps_an_epoch}", 1, len(run.points), 1)
    point = run.points[step - 1]
    st.caption(
        f"Before this step the loss of the batch is {point.loss:.4g} and the gradient norm {point.norm:.4g}. The "
        "program "
        "has the weights as they are then, and three flowers of the batch."
    )
    listing.program(run.program(step - 1), key="iris", title=f"Step {step} as a program")


__all__ = ["training"]
