"""Options of the test run."""

from __future__ import annotations

import pytest
from hypothesis import settings

# Machines are noisy: how long one example takes says nothing about whether it is right.
settings.register_profile("patient", deadline=None)
settings.load_profile("patient")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Flags that write golden files anew instead of comparing with them."""
    parser.addoption("--regenerate-dot", action="store_true", help="write tests/golden/dot/*.dot anew")
