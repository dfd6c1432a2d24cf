"""A bias added to many rows, and what comes back to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from course.labs.programs import Ran, ran


@dataclass(frozen=True, slots=True)
class Broadcast:
    """The upstream that arrived at ``out``, row by row, and the gradient of the bias."""

    run: Ran
    upstream: list[list[float]]
    grad: list[float]


def program(rows: int, squared: bool) -> str:
    """A bias of three entries added to ``rows`` rows; the loss sums the entries, or their squares."""
    loss = "(out ** 2).sum()" if squared else "out.sum()"
    return f"""import torch

X = torch.tensor([[0.5 * (i + 1), 0.25 * i, -0.5 * i] for i in range({rows})])
bias = torch.tensor([0.1, 0.2, 0.3], requires_grad=True)
out = X + bias
out.retain_grad()
loss = {loss}
loss.backward()
"""


def measure(rows: int, squared: bool) -> Broadcast:
    """Run it and read the gradients."""
    run = ran(program(rows, squared))
    upstream: Any = run.grad("out")
    return Broadcast(run, upstream, run.grad("bias"))
