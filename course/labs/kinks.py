"""Conventions: the slopes on both sides of a kink, and the number autograd gives there."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from snippets.torch_api import torch

Fun = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Kink:
    """A function and the point where it has no derivative; ``code`` is the function of x as a program writes it."""

    slug: str
    title: str
    code: str
    at: float
    f: Fun
    defined_left: bool = True


def _tied(x: Any) -> Any:
    return torch.stack([x, torch.full_like(x, 2.0)])


KINKS = (
    Kink("relu", "relu at 0", "torch.relu(x)", 0.0, lambda x: torch.relu(x)),
    Kink("abs", "abs at 0", "torch.abs(x)", 0.0, lambda x: torch.abs(x)),
    Kink("sqrt", "sqrt at 0", "torch.sqrt(x)", 0.0, lambda x: torch.sqrt(x), defined_left=False),
    Kink("clamp-upper", "clamp(-1, 1) at 1", "torch.clamp(x, -1, 1)", 1.0, lambda x: torch.clamp(x, -1, 1)),
    Kink("clamp-lower", "clamp(-1, 1) at -1", "torch.clamp(x, -1, 1)", -1.0, lambda x: torch.clamp(x, -1, 1)),
    Kink(
        "maximum",
        "maximum(x, 2) at 2",
        "torch.maximum(x, torch.tensor(2.0))",
        2.0,
        lambda x: torch.maximum(x, torch.full_like(x, 2.0)),
    ),
    Kink(
        "minimum",
        "minimum(x, 2) at 2",
        "torch.minimum(x, torch.tensor(2.0))",
        2.0,
        lambda x: torch.minimum(x, torch.full_like(x, 2.0)),
    ),
    Kink("max", "max of [x, 2] at 2", "torch.stack([x, torch.tensor(2.0)]).max()", 2.0, lambda x: _tied(x).max()),
    Kink(
        "max-dim",
        "max over a dimension of [x, 2] at 2",
        "torch.stack([x, torch.tensor(2.0)]).max(dim=0).values",
        2.0,
        lambda x: _tied(x).max(dim=0).values,
    ),
    Kink("norm", "norm of [x] at 0", "x.reshape(1).norm()", 0.0, lambda x: x.reshape(1).norm()),
    Kink(
        "leaky-relu",
        "leaky_relu(x, 0.1) at 0",
        "torch.nn.functional.leaky_relu(x, 0.1)",
        0.0,
        lambda x: torch.nn.functional.leaky_relu(x, 0.1),
    ),
    Kink(
        "hardtanh",
        "hardtanh at 1",
        "torch.nn.functional.hardtanh(x)",
        1.0,
        lambda x: torch.nn.functional.hardtanh(x),
    ),
    Kink("relu6", "relu6 at 6", "torch.nn.functional.relu6(x)", 6.0, lambda x: torch.nn.functional.relu6(x)),
    Kink("round", "round at 0.5", "torch.round(x)", 0.5, lambda x: torch.round(x)),
    Kink("floor", "floor at 1", "torch.floor(x)", 1.0, lambda x: torch.floor(x)),
    Kink("sign", "sign at 0", "torch.sign(x)", 0.0, lambda x: torch.sign(x)),
)

#: How far to each side the one-sided slopes look.
STEP = 1e-6


@dataclass(frozen=True, slots=True)
class Convention:
    """The slope on each side (None where the function is not defined) and autograd's number.

    ``left_jumps`` and ``right_jumps`` say that the function jumps on that side, so that the quotient has no limit.
    ``xs`` and ``ys`` are points of the function around the kink.
    """

    kink: Kink
    left: float | None
    right: float
    left_jumps: bool
    right_jumps: bool
    autograd: float
    value: float
    xs: tuple[float, ...]
    ys: tuple[float, ...]


def get(slug: str) -> Kink:
    """The kink ``slug``. Raises KeyError."""
    return {kink.slug: kink for kink in KINKS}[slug]


def program(slug: str) -> str:
    """The function at its kink as a program."""
    kink = get(slug)
    return f"import torch\n\nx = torch.tensor({kink.at}, requires_grad=True)\ny = {kink.code}\ny.backward()\n"


@lru_cache(maxsize=len(KINKS))
def measure(slug: str) -> Convention:
    """Measure one kink in float64."""
    kink = get(slug)

    def value(x: float) -> float:
        return float(kink.f(torch.tensor(x, dtype=torch.float64)).item())

    def slope(step: float) -> float:
        return (value(kink.at + step) - value(kink.at)) / step

    def jumps(sign: float) -> bool:
        # At a jump the difference does not shrink with the step; at an infinite slope (sqrt) it does.
        return abs(value(kink.at + sign * STEP) - value(kink.at)) > 0.1

    leaf = torch.tensor(kink.at, dtype=torch.float64, requires_grad=True)
    kink.f(leaf).backward()
    right = slope(STEP)
    left = slope(-STEP) if kink.defined_left else None
    xs = [kink.at + (place - 40) / 20 for place in range(81)]
    points = [(x, value(x)) for x in xs]
    points = [(x, y) for x, y in points if math.isfinite(y)]
    return Convention(
        kink,
        None if left is None else _settled(left, jumps(-1)),
        _settled(right, jumps(1)),
        kink.defined_left and jumps(-1),
        jumps(1),
        float(leaf.grad.item()),
        value(kink.at),
        tuple(x for x, _ in points),
        tuple(y for _, y in points),
    )


def _settled(slope: float, jumps: bool) -> float:
    """A quotient that grows without end as infinity, the others to six places."""
    return math.copysign(math.inf, slope) if jumps or abs(slope) > 100 else round(slope, 6) + 0.0
