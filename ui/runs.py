"""Programs run once and kept for a while, so that a step or a click does not run them again."""

from __future__ import annotations

import streamlit as st

from snippets import Result, run


class _Passing(Exception):
    """A result that is not to be kept."""

    def __init__(self, result: Result) -> None:
        super().__init__()
        self.result = result


@st.cache_resource(max_entries=96, show_spinner=False)
def _kept(source: str, turn: int) -> Result:
    result = run(source)
    if result.limit is not None or result.trace is None:
        raise _Passing(result)
    return result


def of(source: str, turn: int = 0) -> Result:
    """The result of running ``source``; another ``turn`` runs it afresh. A run that met a limit is not kept."""
    try:
        return _kept(source, turn)
    except _Passing as passing:
        return passing.result


@st.cache_resource(max_entries=256, show_spinner=False)
def _light(source: str) -> Result:
    return run(source, diagnose=False)


def light(source: str) -> Result:
    """The result without a diagnosis, for runs that only ask for a number."""
    return _light(source)
