"""Integers, a round trip through NumPy, and a Function of one's own that mends it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from course.labs.programs import Ran, ran


@dataclass(frozen=True, slots=True)
class Program:
    """A program and what it shows."""

    slug: str
    title: str
    source: str


_TRIP = """import torch
import numpy as np

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = 2 * x
squares = {squares}
loss = squares.sum()
loss.backward()
"""

PROGRAMS = (
    Program(
        "integers",
        "Integers",
        "import torch\n\nn = torch.tensor([1, 2, 3], requires_grad=True)\n(n * n).sum().backward()\n",
    ),
    Program("refused", "NumPy, asked directly", _TRIP.format(squares="torch.from_numpy(np.square(y.numpy()))")),
    Program(
        "round-trip", "NumPy after detach", _TRIP.format(squares="torch.from_numpy(np.square(y.detach().numpy()))")
    ),
    Program(
        "function",
        "A Function of your own",
        """import torch
import numpy as np


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.square(x.detach().numpy()))

    @staticmethod
    def backward(ctx, upstream):
        (x,) = ctx.saved_tensors
        return 2 * x * upstream


x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = 2 * x
loss = Square.apply(y).sum()
loss.backward()
""",
    ),
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The gradient of x, or the error and its line."""

    run: Ran
    grad: tuple[Any, ...] | None
    error: str | None
    line: int | None


def get(slug: str) -> Program:
    """The program ``slug``. Raises KeyError."""
    return {one.slug: one for one in PROGRAMS}[slug]


def measure(slug: str) -> Outcome:
    """Run one of the programs."""
    run = ran(get(slug).source)
    told = run.result.error
    grad = run.grad("x") if "x" in run.result.values else None
    return Outcome(run, None if grad is None else tuple(grad), run.error, None if told is None else told["line"])
