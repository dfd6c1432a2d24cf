"""The pieces of the Step page: the chooser, the editor, and the walk with what belongs to it."""

from __future__ import annotations

from contextlib import suppress

import streamlit as st

from autograd.dot import TooLarge
from autograd.groups import groups
from autograd.presentation import present
from autograd.trace import Trace
from snippets import Result, examples
from ui import after_paint, doctor_report, input_fields, program, run_report, runs
from ui.code_editor import code_editor
from ui.findings import FINDINGS, Shown, findings, keep
from ui.program import Program
from ui.stepper import stepper

OWN = "your own code"

#: Keys of the two components.
EDITOR, WALK = "editor", "walk"

#: Key of the fragment that shows nothing.
STILL = "still"


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


def workbench() -> None:
    """Program, inputs, walk and editor; below them what follows from the walk."""
    _walk_through()
    findings()
    with st.container(key="unseen-still"):
        _still()


@st.fragment(key=STILL)
def _still() -> None:
    """Rerun alone when the browser only tells where it is, for that changes nothing on the page."""


@st.fragment
def _walk_through() -> None:
    """Program, inputs, walk and editor.

    The program is run and its picture laid out before anything is sent: the browser is then at rest until it gets all
    there is to paint.
    """
    shown, step = program.read(), program.first_step()
    turn: int = st.session_state.setdefault("turn", 0)
    with st.spinner("Running", show_time=False):
        result = runs.of(shown.source, turn)
        good = _last_good(shown, result)
        folded = _laid_out(shown, good.trace) if good is not None and good.trace is not None else None
    keep(Shown(shown, result, good, folded))
    above, picture = st.container(key="above-walk"), st.container(key="picture")
    with picture:  # first, because the browser begins to paint with what it has
        if good is None or good.trace is None:
            _nothing_to_walk(result)
        else:
            _walk(shown, good, good.trace, folded, step)
    with above:
        chooser(shown)
        run_report.stopped(result)
        with st.expander("Write your own, or change this program", expanded=shown.example is None, key="editor-open"):
            code_editor(shown.source, key=EDITOR, turn=turn, error=result.error, on_run=_run)
            if st.session_state.get("code-fault"):
                st.error(st.session_state.pop("code-fault"))
    after_paint.rerun(FINDINGS, token=f"{shown.source}{turn}{folded}")


def _last_good(shown: Program, result: Result) -> Result | None:
    """The result to show: this one when it left a walk, otherwise the last that did for this program."""
    if result.trace is not None:
        st.session_state["good"] = (shown.place, result)
        return result if result.trace.nodes else None
    place, kept = st.session_state.get("good", (None, None))
    return kept if place == shown.place and kept.trace.nodes else None


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


def _walk(shown: Program, result: Result, trace: Trace, folded: tuple[str, ...] | None, step: int) -> None:
    """The stepper, with folding below it for graphs that have parts."""
    placed = [report | {"step": doctor_report.step_of(trace, report)} for report in result.diagnosis]
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
    if drawn is not None:
        st.session_state["boxes"] = present(trace, folded).boxes
    _folding(shown, trace)


def _folded(shown: Program, trace: Trace) -> tuple[str, ...] | None:
    """Which parts are drawn as one box: what somebody chose, until then what the size asks for. None without parts."""
    names = [group.id for group in groups(trace)]
    st.session_state["parts"] = names
    if not names:
        return None
    key = _folded_key(shown)
    try:
        chosen = st.session_state[key] if key in st.session_state else present(trace).boxes.values()
    except TooLarge:
        chosen = names
    st.session_state[key] = [group for group in chosen if group in names]
    return tuple(st.session_state[key])


def _laid_out(shown: Program, trace: Trace) -> tuple[str, ...] | None:
    """What is drawn as one box, with the picture laid out (it is kept with the trace)."""
    folded = _folded(shown, trace)
    with suppress(TooLarge):
        present(trace, folded)
    return folded


def _folded_key(shown: Program) -> str:
    return f"folded-{shown.place}"


def _folding(shown: Program, trace: Trace) -> None:
    """The choice of what is drawn as one box."""
    names = {group.id: f"{group.title} ({len(group.nodes)})" for group in groups(trace)}
    if not names:
        return
    with st.expander(f"Draw parts as one box ({len(names)} {'part' if len(names) == 1 else 'parts'})", key="folding"):
        st.multiselect(
            "Drawn as one box",
            list(names),
            key=_folded_key(shown),
            format_func=names.__getitem__,
            placeholder="Modules and turns of loops",
            help="A click on such a box in the picture opens it.",
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
    st.session_state["at"] = st.session_state["told"]["step"] = _reported()
    st.rerun(STILL)


def _picked() -> None:
    """A tensor was picked; its details are in the stepper already."""
    st.rerun(STILL)


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
