"""The app's own style sheet on top of the theme, and what its menu lacks."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

_FOLDER = Path(__file__).resolve().parent.parent / "assets" / "app"


@cache
def _page() -> str:
    style, script = (_FOLDER / name for name in ("app.css", "navigation.js"))
    return f"<style>\n{style.read_text(encoding='utf-8')}</style><script>{script.read_text(encoding='utf-8')}</script>"


def apply() -> None:
    """Put the style sheet and the script on the page. Both are files of ours: nothing of a visitor's is in them."""
    st.html(_page(), unsafe_allow_javascript=True)
