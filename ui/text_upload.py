"""Choosing a file of text to upload, with a label, a keyboard and a limit."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_ASSETS = Path(__file__).resolve().parent.parent / "assets" / "upload"

_component = st.components.v2.component(
    "backstep_text_upload",
    html="""<div class="upload">
<label><span class="label">Choose a file</span><br><input type="file"></label>
<span class="trouble" role="alert"></span>
</div>""",
    css=(_ASSETS / "upload.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "upload.js").read_text(encoding="utf-8"),
)


def text_upload(label: str, *, key: str, accept: str, largest: int) -> str | None:
    """The text of the file that was chosen, None while there is none. ``largest`` is in bytes."""
    result = _component(
        key=key,
        data={"label": label, "accept": accept, "largest": largest},
        on_file_change=_nothing,
    )
    chosen = result.file
    text = chosen.get("text") if hasattr(chosen, "get") else None
    return text if isinstance(text, str) else None


def _nothing() -> None:
    """A new file only needs the rerun it causes."""
