"""The app's own style sheet on top of the theme."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

_STYLE = Path(__file__).resolve().parent.parent / "assets" / "app" / "app.css"


@cache
def _style() -> str:
    return f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style>"


def apply() -> None:
    """Put the style sheet on the page."""
    st.html(_style())
