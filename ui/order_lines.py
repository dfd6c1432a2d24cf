"""A component to put lines of code in order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

_ASSETS = Path(__file__).resolve().parent.parent / "assets" / "quiz"

_component = st.components.v2.component(
    "backstep_order_lines",
    html="<div class='place-for-order'>\n</div>",
    css=(_ASSETS / "order.css").read_text(encoding="utf-8"),
    js=(_ASSETS / "order.js").read_text(encoding="utf-8"),
)


def order_lines(lines: Sequence[tuple[str, str]], *, key: str, label: str, on_change: Callable[[], None]) -> Any:
    """Show ``lines`` (id, text) to be moved; ``.order`` of the result holds the ids as they stand after a move."""
    return _component(
        key=key,
        data={"lines": [list(line) for line in lines], "label": label},
        on_order_change=on_change,
    )
