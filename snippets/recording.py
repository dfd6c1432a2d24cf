"""Recording what the engine does while a program runs."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from autograd.trace import Trace
from snippets.limits import Limits


class Recording:
    def __init__(self, source: str, limits: Limits, *, want_trace: bool, record: bool) -> None:
        self.full = False
        self.source = source

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *e: Any) -> None:
        pass

    def trace(self, stdout: str, error: Any, warnings: Any) -> Trace | None:
        return None
