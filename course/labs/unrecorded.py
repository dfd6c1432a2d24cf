"""The same block recorded, under no_grad, and in inference mode."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import lru_cache

from course.labs.programs import Ran, ran
from snippets.torch_api import torch

BLOCKS = {"recorded": "recorded as usual", "no_grad": "under no_grad", "inference_mode": "in inference_mode"}


@dataclass(frozen=True, slots=True)
class Block:
    """What the block left: its value, recorded functions, bytes held, and what using the result afterwards gave."""

    run: Ran
    value: float
    recorded: tuple[str, ...]
    held: int
    later: str
    grad: float | None


def program(under: str) -> str:
    """A block of three operations, and a recorded operation that uses its result."""
    body = ["a = torch.exp(x)", "b = a * a", "z = torch.tanh(b)"]
    if under == "recorded":
        block = "\n".join(body)
    else:
        block = f"with torch.{under}():\n" + "\n".join(f"    {line}" for line in body)
    return f"""import torch

x = torch.tensor(0.5, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
{block}

loss = w * z
loss.backward()
"""


def measure(under: str) -> Block:
    """Run the block and look at what it left."""
    run = ran(program(under))
    inside = [node for node in run.trace.nodes if node.name in ("a", "b", "z")]
    kept = [node for node in inside if node.recorded and node.kind == "op"]
    return Block(
        run,
        float(run.data("z")),
        tuple(str(node.grad_fn) for node in kept),
        sum(node.saved_bytes for node in kept),
        run.error or "works",
        None if run.error else run.grad("w"),
    )


@lru_cache(maxsize=8)
def seconds(under: str, turns: int = 100) -> float:
    """The time one run of the block takes on 4,096 numbers, the best of five rounds of ``turns``."""
    x = torch.full((4096,), 0.5, requires_grad=True)

    def block() -> None:
        a = torch.exp(x)
        b = a * a
        torch.tanh(b)

    best = float("inf")
    for _ in range(5):
        began = time.perf_counter()
        if under == "recorded":
            for _ in range(turns):
                block()
        else:
            with getattr(torch, under)():
                for _ in range(turns):
                    block()
        best = min(best, time.perf_counter() - began)
    return best / turns
