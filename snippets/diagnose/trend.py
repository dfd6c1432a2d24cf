"""The course of a loss over the backward passes of a run."""

from __future__ import annotations

from typing import Any

from snippets.diagnose.reading import Pass, Reading
from snippets.diagnose.report import number


def loss_numbers(r: Reading, passes: list[Pass]) -> list[float]:
    """The losses from which the passes started, where they are finite numbers."""
    values = [r.value.get(p.start.root) for p in passes]
    return [value for value in values if isinstance(value, int | float)]


def course(r: Reading, passes: list[Any]) -> str:
    values = [r.value.get(p.start.root) for p in passes]
    return f"from {number(values[0])} to {number(values[-1])}"


def over_steps(r: Reading, name: str, passes: list[Pass]) -> str:
    """``loss goes from -4 to -17 over 5 steps``; with one pass only its value."""
    if len(passes) == 1:
        return f"{name} = {number(r.value.get(passes[0].start.root))} is what the step makes smaller."
    return f"{name} goes {course(r, passes)} over {len(r.steps)} steps."
