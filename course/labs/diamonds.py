"""Stacked diamonds: visits of the schedule against calls of the naive recursion."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from course.labs.programs import Ran, ran
from snippets.torch_api import torch

DEEPEST = 12


@dataclass(frozen=True, slots=True)
class Diamonds:
    """``visits`` of the scheduled engine and ``calls`` of the recursion, over the same ``diamonds``."""

    diamonds: int
    visits: int
    calls: int
    grad: float


def program(diamonds: int) -> str:
    """``diamonds`` additions of a value to itself."""
    return f"""import torch

x = torch.tensor(1.0, requires_grad=True)
h = x
for _ in range({diamonds}):
    h = h + h
h.backward()
"""


def walked(diamonds: int) -> Ran:
    """The program, run."""
    return ran(program(diamonds))


@lru_cache(maxsize=DEEPEST)
def measure(diamonds: int) -> Diamonds:
    """Count the visits of one backward pass, and the calls a recursion over the same functions makes."""
    x = torch.tensor(1.0, requires_grad=True)
    h = x
    for _ in range(diamonds):
        h = h + h
    calls = _calls(h.grad_fn)
    run = walked(diamonds)
    return Diamonds(diamonds, run.count("visit"), calls, float(run.grad("x")))


@dataclass(frozen=True, slots=True)
class Call:
    """One call of the recursion: which call made it (None: the first), how deep it is, and its place at that depth."""

    caller: int | None
    depth: int
    place: int


@lru_cache(maxsize=DEEPEST)
def calls(diamonds: int) -> tuple[Call, ...]:
    """Every call the recursion makes, in the order it makes them."""
    x = torch.tensor(1.0, requires_grad=True)
    h = x
    for _ in range(diamonds):
        h = h + h
    made: list[Call] = []
    width: dict[int, int] = {}

    def visit(function: Any, caller: int | None, depth: int) -> None:
        number = len(made)
        made.append(Call(caller, depth, width.get(depth, 0)))
        width[depth] = width.get(depth, 0) + 1
        for parent, _ in function.next_functions:
            if parent is not None:
                visit(parent, number, depth + 1)

    visit(h.grad_fn, None, 0)
    return tuple(made)


def _calls(function: Any) -> int:
    """One call for this function, and one for each path that leads on from it: the recursion with no schedule."""
    return 1 + sum(_calls(parent) for parent, _ in function.next_functions if parent is not None)
