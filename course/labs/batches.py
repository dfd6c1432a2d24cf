"""Micro-batches against one batch, and sum against mean by batch size."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from snippets.torch_api import torch

ROWS = 32
SIZES = (1, 2, 4, 8, 16, 32)


@dataclass(frozen=True, slots=True)
class Pieces:
    """Gradients with respect to w and b: one batch, and the pieces with and without scaling."""

    sizes: tuple[int, ...]
    whole: tuple[float, float]
    scaled: tuple[float, float]
    unscaled: tuple[float, float]


def program(sizes: tuple[int, ...], scaled: bool) -> str:
    """The pieces as a program."""
    scale = f" / {len(sizes)}" if scaled else ""
    return f"""import torch

x = torch.arange({sum(sizes)}, dtype=torch.float32) / 16 - 1
y = 3 * x + 1
w = torch.tensor(0.5, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
start = 0
for size in {list(sizes)}:
    error = w * x[start:start + size] + b - y[start:start + size]
    loss = (error ** 2).mean(){scale}
    loss.backward()
    start += size
print(w.grad, b.grad)
"""


def _gradient(sizes: tuple[int, ...], scale: float) -> tuple[float, float]:
    x = torch.arange(sum(sizes), dtype=torch.float32) / 16 - 1
    y = 3 * x + 1
    w = torch.tensor(0.5, requires_grad=True)
    b = torch.tensor(0.0, requires_grad=True)
    start = 0
    for size in sizes:
        error = w * x[start : start + size] + b - y[start : start + size]
        ((error**2).mean() * scale).backward()
        start += size
    return float(w.grad.item()), float(b.grad.item())


@lru_cache(maxsize=64)
def pieces(count: int, last_short: bool = False) -> Pieces:
    """``count`` pieces of the 32 rows; with ``last_short`` the last piece is half as long."""
    size = ROWS // count
    sizes = (size,) * (count - 1) + ((size + 1) // 2 if last_short else size,)
    return Pieces(
        sizes,
        _gradient((sum(sizes),), 1.0),
        _gradient(sizes, 1 / count),
        _gradient(sizes, 1.0),
    )


@lru_cache(maxsize=8)
def norms(reduction: str) -> tuple[float, ...]:
    """The norm of the gradient for each of :data:`SIZES`; ``reduction`` is sum or mean."""
    return tuple(_norm(size, reduction) for size in SIZES)


def _norm(size: int, reduction: str) -> float:
    x = torch.tensor([(13 * i % ROWS) / 16 - 1 for i in range(size)])
    w = torch.tensor(0.5, requires_grad=True)
    b = torch.tensor(0.0, requires_grad=True)
    errors: Any = (w * x + b - (3 * x + 1)) ** 2
    (errors.mean() if reduction == "mean" else errors.sum()).backward()
    return math.hypot(float(w.grad.item()), float(b.grad.item()))
