"""Forward and reverse mode on one function: passes, operations, and the Jacobian they fill."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograd.accounting import metering
from snippets.torch_api import torch

LARGEST = 12

#: A network's parameters in the comparison that is extrapolated.
PARAMETERS = 175_000_000


@dataclass(frozen=True, slots=True)
class Modes:
    """The Jacobian of f: R^n -> R^m by both modes.

    ``columns`` are what the forward passes gave, ``rows`` what the reverse passes gave; ``forward_cost`` and
    ``reverse_cost`` are the multiply-adds of one pass of each (with the forward computation it needs).
    """

    n: int
    m: int
    columns: tuple[tuple[float, ...], ...]
    rows: tuple[tuple[float, ...], ...]
    forward_cost: int
    reverse_cost: int

    @property
    def forward_total(self) -> int:
        """Multiply-adds of the whole Jacobian by forward mode."""
        return self.forward_cost * self.n

    @property
    def reverse_total(self) -> int:
        """Multiply-adds of the whole Jacobian by reverse mode."""
        return self.reverse_cost * self.m


def _function(n: int, m: int) -> Any:
    weights = torch.tensor([[((3 * i + 5 * j) % 7 - 3) / 4 for j in range(n)] for i in range(m)])

    def f(x: Any) -> Any:
        return torch.tanh(weights @ x)

    return f


def _unit(size: int, place: int) -> Any:
    return torch.tensor([1.0 if at == place else 0.0 for at in range(size)])


def program(n: int, m: int, output: int) -> str:
    """One reverse pass, for row ``output``."""
    unit = [1.0 if at == output else 0.0 for at in range(m)]
    return f"""import torch

W = torch.tensor([[((3 * i + 5 * j) % 7 - 3) / 4 for j in range({n})] for i in range({m})])
x = torch.tensor([0.1 * (j + 1) for j in range({n})], requires_grad=True)
y = torch.tanh(W @ x)
y.backward(torch.tensor({unit}))
"""


@lru_cache(maxsize=LARGEST * LARGEST)
def measure(n: int, m: int) -> Modes:
    """Run n forward passes and m reverse passes of tanh(W x), W of shape (m, n)."""
    f = _function(n, m)
    x = torch.tensor([0.1 * (j + 1) for j in range(n)])
    with metering() as meter:
        columns = [torch.func.jvp(f, (x,), (_unit(n, j),))[1].tolist() for j in range(n)]
    # The tangents are computed by operations of the engine, so the meter counts them as forward work.
    forward = meter.total_forward + meter.total_backward
    rows = []
    with metering() as meter:
        for i in range(m):
            leaf = x.clone().requires_grad_(True)
            f(leaf).backward(_unit(m, i))
            rows.append(leaf.grad.tolist())
    reverse = meter.total_forward + meter.total_backward
    return Modes(n, m, tuple(map(tuple, columns)), tuple(map(tuple, rows)), forward // n, reverse // m)


@dataclass(frozen=True, slots=True)
class Extrapolated:
    """Passes by measured slope: ``a_pass`` is how many more forward passes one more input took."""

    measured: tuple[tuple[int, int, int], ...]
    a_pass: float
    forward: int
    reverse: int


@lru_cache(maxsize=1)
def extrapolate() -> Extrapolated:
    """Count the passes of both modes for one output and growing n; then go on along the line they make."""
    measured = tuple((n, len(measure(n, 1).columns), len(measure(n, 1).rows)) for n in range(1, LARGEST + 1))
    (first, passes, reverse), (last, most, reverse_most) = measured[0], measured[-1]
    slope = (most - passes) / (last - first)
    reverse_slope = (reverse_most - reverse) / (last - first)
    return Extrapolated(
        measured,
        slope,
        round(passes + slope * (PARAMETERS - first)),
        round(reverse + reverse_slope * (PARAMETERS - first)),
    )
