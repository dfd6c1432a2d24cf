"""The walk a card opens: its example program, traced, and the step the card is about."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from autograd import frames
from autograd.trace import Trace
from course.schema import Concept
from snippets import examples, run


@dataclass(frozen=True)
class Opened:
    """An example's trace and the index of the step to open it at."""

    example: str
    title: str
    trace: Trace
    step: int


@lru_cache(maxsize=64)
def open_walk(card: Concept) -> Opened:
    """The walk of ``card``.

    Raises LookupError when the example does not exist, leaves no trace, or has no such step.
    """
    example = examples.load(card.walk.example)
    result = run(example.source, trace=True, diagnose=False)
    if result.trace is None:
        raise LookupError(f"the example {card.walk.example!r} left no trace ({result.error or result.limit})")
    walk = card.walk
    step = frames.find(frames.frames(result.trace), walk.event, walk.node, walk.occurrence, walk.pass_)
    return Opened(example.name, example.title, result.trace, step)


def step_of(card: Concept) -> int:
    """The index of the step ``card`` opens its walk at. Raises LookupError."""
    return open_walk(card).step


@lru_cache(maxsize=128)
def traced(code: str) -> Trace:
    """The trace of a question's program. Raises LookupError when it leaves none."""
    result = run(code.rstrip("\n") + "\n", trace=True, diagnose=False)
    if result.trace is None:
        raise LookupError(f"the program left no trace ({result.error or result.limit})")
    return result.trace
