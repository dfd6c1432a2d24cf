"""The Jacobian of a matrix product beside the product that backward really computes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from snippets.torch_api import torch


@dataclass(frozen=True, slots=True)
class Sizes:
    """Entries and bytes of the Jacobian of Y = X @ W with respect to W, and of the gradient that backward made."""

    jacobian_shape: tuple[int, int]
    jacobian_entries: int
    jacobian_bytes: int
    zeros: int
    computed_zeros: int
    computed_entries: int
    computed_bytes: int
    jacobian: tuple[tuple[float, ...], ...]
    gradient: tuple[tuple[float, ...], ...]
    by_jacobian: tuple[tuple[float, ...], ...]


def program(rows: int, n: int, p: int) -> str:
    """Y = X @ W and one backward pass through it."""
    return f"""import torch

X = torch.tensor([[((2 * i + 3 * j) % 7 - 2) / 2 for j in range({n})] for i in range({rows})])
W = torch.tensor([[((3 * i + 5 * j) % 7 - 3) / 4 for j in range({p})] for i in range({n})], requires_grad=True)
Y = X @ W
Y.sum().backward()
"""


@lru_cache(maxsize=64)
def measure(rows: int, n: int, p: int) -> Sizes:
    """Build the Jacobian, by rows, and compute the gradient without it; the two agree."""
    X = torch.tensor([[((2 * i + 3 * j) % 7 - 2) / 2 for j in range(n)] for i in range(rows)])
    W = torch.tensor([[((3 * i + 5 * j) % 7 - 3) / 4 for j in range(p)] for i in range(n)], requires_grad=True)
    (X @ W).sum().backward()
    full: Any = torch.autograd.functional.jacobian(lambda w: X @ w, W.detach())
    flat = full.reshape(rows * p, n * p)
    by_jacobian = (torch.ones(rows * p) @ flat).reshape(n, p)
    table = flat.tolist()
    return Sizes(
        (rows * p, n * p),
        int(flat.numel()),
        int(flat.numel() * flat.element_size()),
        sum(entry == 0 for row in table for entry in row),
        sum(entry == 0 for row in W.grad.tolist() for entry in row),
        int(W.grad.numel()),
        int(W.grad.numel() * W.grad.element_size()),
        tuple(map(tuple, table)),
        tuple(map(tuple, W.grad.tolist())),
        tuple(map(tuple, by_jacobian.tolist())),
    )
