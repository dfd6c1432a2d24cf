"""Three ways to one slope: autograd, difference quotients, and the formula."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from snippets.torch_api import torch

STEPS = tuple(10.0**-power for power in range(13))


@dataclass(frozen=True, slots=True)
class Function:
    """A function of one number, with its formula and the formula of its slope."""

    formula: str
    slope_formula: str
    f: Callable[[Any], Any]
    slope: Callable[[float], float]


FUNCTIONS = {
    "cubic": Function("x**3", "3x²", lambda x: x**3, lambda x: 3 * x * x),
    "quadratic": Function("x**2 + 3*x", "2x + 3", lambda x: x**2 + 3 * x, lambda x: 2 * x + 3),
}


@dataclass(frozen=True, slots=True)
class Slopes:
    """The slope by each way at one point; the quotients have one value for each of :data:`STEPS`."""

    autograd: float
    formula: float
    one_sided: tuple[float, ...]
    two_sided: tuple[float, ...]

    def errors(self, quotients: tuple[float, ...]) -> tuple[float, ...]:
        """How far each quotient is from the formula."""
        return tuple(abs(one - self.formula) for one in quotients)


def program(name: str, x: float) -> str:
    """The function as a program."""
    formula = FUNCTIONS[name].formula
    return f"import torch\n\nx = torch.tensor({float(x)}, requires_grad=True)\ny = {formula}\ny.backward()\n"


@lru_cache(maxsize=64)
def measure(name: str, x: float) -> Slopes:
    """The slope of a function at ``x`` in float64."""
    function = FUNCTIONS[name]
    leaf = torch.tensor(x, dtype=torch.float64, requires_grad=True)
    function.f(leaf).backward()

    def value(at: float) -> float:
        return float(function.f(torch.tensor(at, dtype=torch.float64)).item())

    return Slopes(
        float(leaf.grad.item()),
        function.slope(x),
        tuple((value(x + h) - value(x)) / h for h in STEPS),
        tuple((value(x + h) - value(x - h)) / (2 * h) for h in STEPS),
    )
