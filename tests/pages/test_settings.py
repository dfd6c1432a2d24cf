"""The settings that a first start on a fresh machine depends on."""

from __future__ import annotations

import tomllib
from pathlib import Path

SETTINGS = tomllib.loads((Path(__file__).resolve().parents[2] / ".streamlit" / "config.toml").read_text())


def test_the_first_start_asks_nothing() -> None:
    """Streamlit otherwise asks for an e-mail address, and ends at once where there is no terminal to ask in."""
    assert SETTINGS["server"]["showEmailPrompt"] is False


def test_nothing_is_reported_and_nobody_else_is_let_in() -> None:
    assert SETTINGS["browser"]["gatherUsageStats"] is False
    assert SETTINGS["server"]["address"] == "localhost"


def test_no_stack_trace_reaches_the_browser() -> None:
    assert SETTINGS["client"]["showErrorDetails"] == "none"
