"""The four lines of a training step, in any order."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

from course.labs.programs import Ran, ran
from snippets.torch_api import torch

LINES = {
    "zero": "opt.zero_grad()",
    "forward": "loss = (2 * w - 4) ** 2",
    "backward": "loss.backward()",
    "step": "opt.step()",
}
RIGHT = tuple(LINES)
TURNS = 3
GOAL = 2.0


@dataclass(frozen=True, slots=True)
class Turn:
    """w and w.grad after one turn of the four lines, and what each line changed, by line."""

    w: float
    grad: float | None
    changes: dict[str, str]


@dataclass(frozen=True, slots=True)
class Order:
    """What an order of the lines did. ``error`` is the one that stopped it."""

    order: tuple[str, ...]
    turns: tuple[Turn, ...]
    error: str | None

    @property
    def verdict(self) -> str:
        """``same`` as the right order in w, ``late`` ``still`` (w never moves), ``different``, or ``error``."""
        if self.error:
            return "error"
        path = [turn.w for turn in self.turns]
        right = [turn.w for turn in measure(RIGHT).turns]
        if all(abs(one - other) < 1e-6 for one, other in zip(path, right, strict=True)):
            return "same"
        if all(one == START for one in path):
            return "still"
        if all(abs(one - other) < 1e-6 for one, other in zip(path[1:], right[:-1], strict=True)):
            return "late"
        return "different"


START = 1.0


def program(order: tuple[str, ...], turns: int = TURNS) -> str:
    """The order as a program."""
    body = "".join(f"    {LINES[line]}\n" for line in order)
    return (
        f"import torch\n\nw = torch.tensor({START}, requires_grad=True)\nopt = torch.optim.SGD([w], lr=0.1)\n"
        f"for _ in range({turns}):\n{body}"
    )


def walked(order: tuple[str, ...]) -> Ran:
    """The program, run with a trace."""
    return ran(program(order))


@lru_cache(maxsize=24)
def measure(order: tuple[str, ...]) -> Order:
    """Run the lines in this order for three turns."""
    w = torch.tensor(START, requires_grad=True)
    opt = torch.optim.SGD([w], lr=0.1)
    state = {"w": w, "opt": opt}
    turns: list[Turn] = []
    for _ in range(TURNS):
        changes = {}
        for line in order:
            before = (float(w.item()), _number(w.grad))
            try:
                if line == "forward":
                    state["loss"] = (2 * w - 4) ** 2
                elif line == "zero":
                    opt.zero_grad()
                elif line == "step":
                    opt.step()
                elif "loss" not in state:
                    return Order(order, tuple(turns), "NameError: name 'loss' is not defined")
                else:
                    state["loss"].backward()
            except RuntimeError as error:
                return Order(order, tuple(turns), f"RuntimeError: {str(error).splitlines()[0]}")
            changes[line] = _change(before, (float(w.item()), _number(w.grad)))
        turns.append(Turn(float(w.item()), _number(w.grad), changes))
    return Order(order, tuple(turns), None)


def every_order() -> tuple[Order, ...]:
    """All 24 orders, run; the right one first."""
    return tuple(measure(order) for order in itertools.permutations(RIGHT))


def _number(grad: object) -> float | None:
    return None if grad is None else float(grad.item())  # type: ignore[attr-defined]


def _change(before: tuple[float, float | None], after: tuple[float, float | None]) -> str:
    parts = []
    if before[0] != after[0]:
        parts.append(f"w {before[0]:.4g} → {after[0]:.4g}")
    if before[1] != after[1]:
        parts.append(f"w.grad {_shown(before[1])} → {_shown(after[1])}")
    return ", ".join(parts) or "nothing"


def _shown(number: float | None) -> str:
    return "None" if number is None else f"{number:.4g}"
