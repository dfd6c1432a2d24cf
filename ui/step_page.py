"""The pieces of the Step page: the chooser, the editor, and the walk with what belongs to it."""

from __future__ import annotations

import streamlit as st

from autograd.dot import TooLarge
from autograd.frames import walk
from autograd.groups import groups
from autograd.presentation import Presentation, present
from autograd.trace import Trace
from snippets import Result, examples
from snippets import html as walk_html
from ui import doctor_report, gradient_check, input_fields, program, run_report, runs, walk_plots
from ui.code_editor import code_editor
from ui.program import Program
from ui.stepper import stepper

OWN = "your own code"

#: Keys of the two components.
EDITOR, WALK = "editor", "walk"


def chooser(shown: Program) -> None:
    """The list of examples, the word for somebody's own code, and the program's numbers beside it."""
    if shown.example is None:
        st.session_state["own-source"] = shown.given
    options = [OWN, *_ordered()]
    chosen = shown.example or OWN
    if st.session_state.get("program-shown") != chosen:
        st.session_state["program-shown"] = chosen
        st.session_state["program"] = chosen
    with st.container(horizontal=True, vertical_alignment="top", key="what"):
        with st.container(width=340):
            st.selectbox("Program", options, key="program", format_func=_title, on_change=_chosen)
        input_fields.fields(shown)
    if shown.summary:
        st.caption(shown.summary)


def _ordered() -> list[str]:
    names = examples.names()
    return [program.FIRST, *(name for name in names if name != program.FIRST)]


def _title(name: str) -> str:
    return "Your own code" if name == OWN else examples.load(name).title


def _chosen() -> None:
    if st.session_state["program"] == OWN:
        program.own(st.session_state.get("own-source", program.STARTER))
    else:
        program.choose(st.session_state["program"])


@st.fragment
def workbench() -> None:
    """Program, inputs, walk, editor and what belongs to them. A step reported by the browser reruns only this."""
    shown, step = program.read(), program.first_step()
    chooser(shown)
    turn: int = st.session_state.setdefault("turn", 0)
    with st.spinner("Running", show_time=False):
        result = runs.of(shown.source, turn)
    good = _last_good(shown, result)
    run_report.stopped(result)
    with st.expander("Write your own, or change this program", expanded=shown.example is None, key="editor-open"):
        code_editor(shown.source, key=EDITOR, turn=turn, error=result.error, on_run=_run)
        if st.session_state.get("code-fault"):
            st.error(st.session_state.pop("code-fault"))
    if good is None or good.trace is None or not good.trace.nodes:
        _nothing_to_walk(result)
        return
    _walk(shown, good, good.trace, step)
    run_report.report(result)
    _checks(shown, good, good.trace)


def _last_good(shown: Program, result: Result) -> Result | None:
    """The result to show: this one when it left a trace, otherwise the last that did for this program."""
    if result.trace is not None:
        st.session_state["good"] = (shown.place, result)
        return result
    place, kept = st.session_state.get("good", (None, None))
    return kept if place == shown.place else None


def _nothing_to_walk(result: Result) -> None:
    """Why there is no walk: the program failed before it made a tensor, or made none."""
    if result.error:
        line = f", line {result.error['line']}" if result.error.get("line") else ""
        st.error(
            "The program stopped before it made a tensor, so there is nothing to walk through.", icon=":material/error:"
        )
        st.code(f"{result.error['type']}{line}: {result.error['message']}", language=None, wrap_lines=True)
    elif result.limit is None:
        st.info("This program makes no tensors, so there is nothing to walk through.", icon=":material/footprint:")
    run_report.report(result)


def _run() -> None:
    """Take the editor's text, after Run or Ctrl+Enter."""
    sent = st.session_state[EDITOR].run
    if not isinstance(sent, dict) or not isinstance(sent.get("source"), str):
        return
    st.session_state["turn"] = st.session_state.get("turn", 0) + 1
    try:
        program.own(sent["source"])
    except ValueError as error:
        st.session_state["code-fault"] = str(error)


def _walk(shown: Program, result: Result, trace: Trace, step: int) -> None:
    """The stepper, with folding below it for graphs that have parts."""
    picture, below = st.container(key="picture"), st.container(key="below-picture")
    with below:
        folded = _folding(shown, trace)
    placed = [report | {"step": doctor_report.step_of(trace, report)} for report in result.diagnosis]
    with picture:
        drawn = stepper(
            trace,
            key=WALK,
            step=step,
            title=shown.title if shown.example else "own-code",
            place=shown.place,
            command=_command(shown, step),
            address=True,
            collapse=folded,
            reports=placed if placed or shown.example is None else None,
            on_step=_stepped,
            on_node=_picked,
            on_open=_opened,
        )
    if drawn is None:
        return
    shape = present(trace, folded)
    st.session_state["boxes"] = shape.boxes
    _exports(shown, result, trace, shape)


def _folding(shown: Program, trace: Trace) -> list[str] | None:
    """Which parts are drawn as one box: None lets the size decide, until somebody chooses."""
    known = groups(trace)
    if not known:
        return None
    key = f"folded-{shown.place}"
    names = {group.id: f"{group.title} ({len(group.nodes)})" for group in known}
    st.session_state["parts"] = list(names)
    if key not in st.session_state:
        try:
            st.session_state[key] = list(present(trace).boxes.values())
        except TooLarge:
            st.session_state[key] = [group.id for group in known]
    st.session_state[key] = [group for group in st.session_state[key] if group in names]
    with st.expander(f"Draw parts as one box ({len(known)} {'part' if len(known) == 1 else 'parts'})", key="folding"):
        st.multiselect(
            "Drawn as one box",
            list(names),
            key=key,
            format_func=names.__getitem__,
            placeholder="Modules and turns of loops",
            help="A click on such a box in the picture opens it.",
        )
    return list(st.session_state[key])


def _exports(shown: Program, result: Result, trace: Trace, shape: Presentation) -> None:
    with st.container(horizontal=True):
        st.download_button(
            "Save the walk as one HTML file",
            data=lambda: walk_html.page(
                trace, shown.title, diagnosis=result.diagnosis, collapse=list(shape.boxes.values())
            ),
            file_name=f"{shown.example or 'walk'}.html",
            mime="text/html",
            icon=":material/download:",
            key="save-html",
            on_click="ignore",
        )


def _command(shown: Program, step: int) -> int:
    """A number that changes when the address (a link, the back button) moved to a step the stepper does not know of."""
    told = st.session_state.setdefault("told", {})
    if told.get("place") == shown.place and step not in (told.get("step"), _reported()):
        told["command"] = told.get("command", 0) + 1
    told.update(place=shown.place, step=step)
    return int(told.setdefault("command", 0))


def _reported() -> int | None:
    """The step the browser last told of, counted from 0."""
    step = st.session_state[WALK].step if WALK in st.session_state else None
    return step if isinstance(step, int) and step >= 0 else None


def _stepped() -> None:
    """The browser moved to another step. It has put that into the address itself, ahead of this."""
    st.session_state["at"] = _reported()


def _picked() -> None:
    """A tensor was picked; its details are in the stepper already."""


def _inside(group: str) -> list[str]:
    """What a box opens into: a whole loop into its turns, anything else into its tensors."""
    if not group.startswith("loop:"):
        return []
    line = group.partition(":")[2]
    return [name for name in st.session_state.get("parts", []) if name.startswith(f"turn:{line}:")]


def _opened() -> None:
    """A collapsed box was clicked: draw what is in it."""
    group = st.session_state.get("boxes", {}).get(st.session_state[WALK].open)
    for key in st.session_state:
        if str(key).startswith("folded-") and group in st.session_state[key]:
            kept = [name for name in st.session_state[key] if name != group]
            st.session_state[key] = kept + _inside(str(group))


def _checks(shown: Program, result: Result, trace: Trace) -> None:
    left, right = st.columns(2)
    with left:
        st.header("Check a gradient", anchor=False)
        st.caption(
            "A derivative can be measured without calculus: move the leaf a little up and down and watch the result."
        )
        if st.toggle("Compare with central differences", key="check"):
            gradient_check.gradient_check(shown.source, result)
    with right:
        st.header("Size of the gradient along the walk", anchor=False)
        walk_plots.gradient_sizes(trace, walk(trace))
