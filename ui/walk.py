"""A walk on a page: the trace of a program, shown in the stepper."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import streamlit as st

from autograd.trace import Trace
from snippets import run
from ui.stepper import stepper


@lru_cache(maxsize=64)
def of_source(source: str) -> Trace | None:
    """The trace of a program of the course, None when it left none."""
    return run(source, trace=True, diagnose=False).trace


def show(trace: Trace | None, *, key: str, step: int = 0) -> Any:
    """The stepper on ``trace``, opened at ``step``."""
    if trace is None:
        st.warning("This walk cannot be shown at the moment.", icon=":material/footprint:")
        return None
    return stepper(trace, key=key, step=step)
