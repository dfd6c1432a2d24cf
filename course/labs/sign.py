"""A sign error in a loss: the gradients are right, the loss is not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from snippets.torch_api import torch

TARGET = 5.0


@dataclass(frozen=True, slots=True)
class Descent:
    """The weight, the written loss and the squared distance from the target at each step; the first is the start."""

    weights: tuple[float, ...]
    losses: tuple[float, ...]
    distances: tuple[float, ...]
    gradcheck: bool


def program(wrong: bool, steps: int = 3) -> str:
    """The loop as a program."""
    sign = "-" if wrong else ""
    return f"""import torch

w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for _ in range({steps}):
    opt.zero_grad()
    loss = {sign}(w - {TARGET:g}) ** 2
    loss.backward()
    opt.step()
"""


@lru_cache(maxsize=32)
def measure(wrong: bool, steps: int = 12, lr: float = 0.1) -> Descent:
    """Check the gradient of the loss, then follow it for ``steps`` steps."""

    def loss_of(w: Any) -> Any:
        squared = (w - TARGET) ** 2
        return -squared if wrong else squared

    checked = torch.autograd.gradcheck(loss_of, (torch.tensor(1.0, dtype=torch.float64, requires_grad=True),))
    w = torch.tensor(1.0, requires_grad=True)
    opt = torch.optim.SGD([w], lr=lr)
    weights, losses = [float(w.item())], [float(loss_of(w).item())]
    for _ in range(steps):
        opt.zero_grad()
        loss_of(w).backward()
        opt.step()
        weights.append(float(w.item()))
        losses.append(float(loss_of(w).item()))
    return Descent(tuple(weights), tuple(losses), tuple((one - TARGET) ** 2 for one in weights), bool(checked))
