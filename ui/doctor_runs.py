"""Runs with the Doctor's experiments, kept for a while."""

from __future__ import annotations

import streamlit as st

from snippets import Result, run


@st.cache_resource(max_entries=64, show_spinner=False)
def _kept(source: str, turn: int) -> Result:
    return run(source, experiments=True)


def of(source: str, turn: int = 0) -> Result:
    """The result with its reports tried out; another ``turn`` runs the program afresh."""
    return _kept(source, turn)
