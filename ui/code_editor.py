"""The editor for the learner's own program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

_FOLDER = Path(__file__).resolve().parent.parent / "assets"


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


_component = st.components.v2.component(
    "backstep_editor",
    html=_read("editor/editor.html"),
    css=_read("editor/editor.css"),
    # The colours of Python are the stepper's.
    js=_read("stepper/source.js") + "\n" + _read("editor/editor.js"),
)


def code_editor(source: str, *, key: str, turn: int, error: dict[str, Any] | None, on_run: Callable[[], None]) -> Any:
    """An editor holding ``source``; ``error`` is marked on its line.

    ``on_run`` is called after Run or Ctrl+Enter; the program is then ``st.session_state[key].run["source"]``.
    ``turn`` is the number of the run shown, so that the editor knows when its answer has come.
    """
    return _component(key=key, data={"source": source, "error": error, "run": turn}, on_run_change=on_run)
