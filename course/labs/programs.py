"""Programs of the labs, run in a worker as anybody's program is, and what is read off their traces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograd.trace import Free, Trace
from snippets import Result, run


class NotMeasured(RuntimeError):
    """A program of a lab met a limit or left no trace, so there is nothing to show."""


@dataclass(frozen=True, slots=True)
class Ran:
    """A program of a lab with its result and trace."""

    source: str
    result: Result
    trace: Trace

    @property
    def error(self) -> str | None:
        """The error it ended with, as ``Type: message``."""
        told = self.result.error
        return None if told is None else f"{told['type']}: {told['message']}"

    def grad(self, name: str) -> Any:
        """``.grad`` of the tensor ``name`` at the end; None when it has none."""
        return self.result.values[name]["grad"]

    def data(self, name: str) -> Any:
        """What ``name`` holds at the end: a number, or nested lists."""
        value = self.result.values[name]
        if not isinstance(value, dict):
            return value
        return value["data"] if "data" in value else value["items"]

    def count(self, kind: str) -> int:
        """How many events of a kind there are."""
        return sum(event.kind == kind for event in self.trace.events)


@lru_cache(maxsize=128)
def ran(source: str) -> Ran:
    """Run ``source``. Raises :class:`NotMeasured` when it met a limit; its own errors are in the result."""
    result = run(source, trace=True, diagnose=False)
    if result.limit is not None or result.trace is None:
        raise NotMeasured(f"the program was stopped ({result.limit or result.error})")
    return Ran(source, result, result.trace)


def bytes_held(trace: Trace) -> list[int]:
    """The bytes held for backward after each event: up as operations save, down as backward frees."""
    saved = {node.id: node.saved_bytes for node in trace.nodes}
    held, out = 0, []
    for event in trace.events:
        if event.kind == "forward":
            held += saved[getattr(event, "node")]  # noqa: B009
        elif isinstance(event, Free):
            held -= event.bytes
        out.append(held)
    return out
