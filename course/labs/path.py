"""Which path ran: the example ``define-by-run`` with other numbers."""

from __future__ import annotations

from dataclasses import dataclass

from course.labs.programs import Ran, ran
from snippets import examples, inputs


@dataclass(frozen=True, slots=True)
class Path:
    """What a run did: ``turns`` in words, the value and the slope at the end."""

    run: Ran
    turns: list[str]
    value: float
    slope: float


def measure(x: float, rounds: int) -> Path:
    """Run the example with this input and this many rounds."""
    source = inputs.replace(examples.load("define-by-run").source, {"x": x, "rounds": rounds})
    run = ran(source)
    turns = [str(node.expr or node.op) for node in run.trace.nodes if node.kind == "op" and node.recorded]
    return Path(run, turns, float(run.data("y")), float(run.grad("x")))
