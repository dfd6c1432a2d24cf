"""Gradients with and without clearing between steps."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from snippets.torch_api import torch

CLEARINGS = ("to None", "to zeros", "not at all")


@dataclass(frozen=True, slots=True)
class Steps:
    """``grads`` and ``weights`` after each step; ``slot`` is what .grad holds right after the last clearing."""

    grads: tuple[float, ...]
    weights: tuple[float, ...]
    slot: str


def program(clearing: str, moving: bool, steps: int, lr: float) -> str:
    """Steps on loss = (w - 1)**2 from w = 4."""
    clear = {
        "to None": "    opt.zero_grad()\n",
        "to zeros": "    opt.zero_grad(set_to_none=False)\n",
        "not at all": "",
    }[clearing]
    step = "    opt.step()\n" if moving else ""
    return (
        f"import torch\n\nw = torch.tensor(4.0, requires_grad=True)\nopt = torch.optim.SGD([w], lr={lr})\n"
        f"for _ in range({steps}):\n{clear}    loss = (w - 1) ** 2\n    loss.backward()\n{step}"
    )


@lru_cache(maxsize=64)
def measure(clearing: str, moving: bool, steps: int = 12, lr: float = 0.1) -> Steps:
    """Run the steps and keep .grad and w after each."""
    w = torch.tensor(4.0, requires_grad=True)
    opt = torch.optim.SGD([w], lr=lr)
    grads, weights = [], []
    slot = "never cleared"
    for _ in range(steps):
        if clearing != "not at all":
            opt.zero_grad(set_to_none=clearing == "to None")
            slot = "None" if w.grad is None else f"{w.grad.item():g}"
        ((w - 1) ** 2).backward()
        grads.append(float(w.grad.item()))
        if moving:
            opt.step()
        weights.append(float(w.item()))
    return Steps(tuple(grads), tuple(weights), slot)
