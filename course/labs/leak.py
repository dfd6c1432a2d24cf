"""A validation loop that keeps a loss of each batch: what stays in memory."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograd.accounting import metering
from snippets.torch_api import torch

BATCHES = 10

KEEPING = {
    "loss": "kept.append(loss)",
    "item": "kept.append(loss.item())",
    "detach": "kept.append(loss.detach())",
    "no_grad": "kept.append(loss), under no_grad",
}


@dataclass(frozen=True, slots=True)
class Leak:
    """Bytes held for backward after each batch, and how many nodes of graphs are alive at the end."""

    held: tuple[int, ...]


def program(keep: str, batches: int = 3, rows: int = 8) -> str:
    """The loop as a program."""
    lines = ["h = torch.tanh(x @ w1)", "loss = ((h @ w2 - 1) ** 2).mean()"]
    append = {"item": "kept.append(loss.item())", "detach": "kept.append(loss.detach())"}.get(keep, "kept.append(loss)")
    if keep == "no_grad":
        body = ["with torch.no_grad():", *(f"    {line}" for line in lines), append]
    else:
        body = [*lines, append]
    inside = "".join(f"    {line}\n" for line in body)
    return (
        "import torch\n\nw1 = torch.full((4, 4), 0.1, requires_grad=True)\n"
        f"w2 = torch.full((4, 1), 0.1, requires_grad=True)\nkept = []\nfor batch in range({batches}):\n"
        f"    x = torch.full(({rows}, 4), 0.1 * batch)\n{inside}"
    )


@lru_cache(maxsize=64)
def measure(keep: str, rows: int = 8) -> Leak:
    """Run ten batches with the engine's meter on; ``keep`` is one of :data:`KEEPING`."""
    w1 = torch.full((4, 4), 0.1, requires_grad=True)
    w2 = torch.full((4, 1), 0.1, requires_grad=True)
    kept: list[Any] = []
    held = []

    def evaluate(batch: int) -> Any:
        x = torch.full((rows, 4), 0.1 * batch)
        h = torch.tanh(x @ w1)
        return ((h @ w2 - 1) ** 2).mean()

    with metering() as meter:
        for batch in range(BATCHES):
            if keep == "no_grad":
                with torch.no_grad():
                    kept.append(evaluate(batch))
            else:
                loss = evaluate(batch)
                kept.append({"loss": loss, "item": loss.item(), "detach": loss.detach()}[keep])
                del loss
            held.append(meter.held)
    return Leak(tuple(held))
