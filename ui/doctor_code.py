"""A pasted program: it runs, and the Doctor reports."""

from __future__ import annotations

import streamlit as st

from snippets import share
from ui import address, doctor_report, doctor_runs, links
from ui.code_editor import code_editor

EDITOR = "doctor-editor"

START = """import torch

w = torch.tensor(2.0, requires_grad=True)
# Paste your program over this one.
loss = (w.detach() * 3 - 1) ** 2
loss.backward()
"""


@st.fragment
def show() -> None:
    """The editor, and the reports on what is in it."""
    source = _source()
    turn: int = st.session_state.setdefault("doctor-turn", 0)
    given = source if source is not None else START
    result = None
    if source is not None:
        with st.spinner("Running and trying repairs", show_time=False):
            result = doctor_runs.of(source, turn)
    written, said = st.columns([11, 10], gap="medium")
    with written:
        st.caption("A program of your own. It runs in a closed room: no files, no network.")
        code_editor(given, key=EDITOR, turn=turn, error=result.error if result else None, on_run=_run)
        if fault := st.session_state.pop("doctor-fault", None):
            st.error(fault)
    with said:
        if source is None or result is None:
            st.info("Press Run, or Ctrl+Enter in the editor, and the report stands here.", icon=":material/play_arrow:")
            return
        doctor_report.reports(source, result, key="own")
        if result.stdout:
            st.caption("It printed")
            st.code(result.stdout[:5_000], language=None, wrap_lines=True)
        if result.trace is not None and result.trace.nodes and not result.diagnosis:
            links.to_program(source, "Walk through it")


def _source() -> str | None:
    """The program in the address; None when there is none."""
    code = st.query_params.get("code")
    if not code:
        return None
    try:
        return share.unpack(code)
    except share.BadCode as error:
        st.warning(str(error), icon=":material/link_off:")
        return None


def _run() -> None:
    """Take the editor's text into the address, after Run or Ctrl+Enter."""
    sent = st.session_state[EDITOR].run
    if not isinstance(sent, dict) or not isinstance(sent.get("source"), str):
        return
    st.session_state["doctor-turn"] = st.session_state.get("doctor-turn", 0) + 1
    try:
        address.write(code=share.pack(sent["source"]), symptom=None, way=None)
    except ValueError as error:
        st.session_state["doctor-fault"] = str(error)
