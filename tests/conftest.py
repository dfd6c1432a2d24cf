"""Options of the test run."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Flags that write golden files anew instead of comparing with them."""
    parser.addoption("--regenerate-dot", action="store_true", help="write tests/golden/dot/*.dot anew")
