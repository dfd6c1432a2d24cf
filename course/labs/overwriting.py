"""Writing in place: versions, and which rules object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from course.labs.programs import Ran, ran

OPERATIONS = {
    "exp": "torch.exp(x)",
    "tanh": "torch.tanh(x)",
    "square": "x ** 2",
    "sin": "torch.sin(x)",
    "double": "x * 2",
}

#: What each operation keeps for its rule.
KEEPS = {
    "exp": "its result",
    "tanh": "its result",
    "square": "its input",
    "sin": "its input",
    "double": "only the number 2",
}

WRITES = {
    "none": "",
    "itself": "y.add_(1)",
    "view": "y[0].add_(1)",
    "detach": "y.detach().add_(1)",
    "clone": "y.detach().clone().add_(1)",
}


@dataclass(frozen=True, slots=True)
class Overwritten:
    """The version of y after the write, the gradient or the error, and the line that wrote."""

    run: Ran
    version: int
    grad: tuple[Any, ...] | None
    error: str | None
    line: int | None


def program(operation: str, write: str) -> str:
    """One operation, one write to its result, one backward pass."""
    written = f"{WRITES[write]}\n" if WRITES[write] else ""
    return f"""import torch

x = torch.tensor([0.0, 1.0], requires_grad=True)
y = {OPERATIONS[operation]}
{written}version = y._version
y.sum().backward()
"""


def measure(operation: str, write: str) -> Overwritten:
    """Run it."""
    run = ran(program(operation, write))
    grad = run.grad("x")
    lines = [event.line for event in run.trace.events if event.kind == "mutate"]
    return Overwritten(
        run,
        int(run.data("version")),
        None if grad is None else tuple(grad),
        run.error,
        lines[0] if lines else None,
    )
