"""``make bench`` finds in every benchmark what it calls."""

from __future__ import annotations

import importlib

import pytest

from benchmarks.__main__ import NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_has_something_to_run(name: str) -> None:
    assert callable(importlib.import_module(f"benchmarks.{name}").run)
