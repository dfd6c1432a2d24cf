"""Who is tracked: the inputs that ask for gradients decide what is recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from course.labs.programs import Ran, ran

NAMES = ("a", "b", "c")


@dataclass(frozen=True, slots=True)
class Tracking:
    """``tensors`` tells of each result whether it is recorded; ``grads`` is None when backward could not be called."""

    run: Ran
    tensors: dict[str, bool]
    functions: dict[str, str]
    held: int
    grads: dict[str, Any] | None


def program(asking: frozenset[str]) -> str:
    """y = a * (b * c) + c, with gradients asked for the names in ``asking``."""
    lines = ["import torch", ""]
    for name, number in zip(NAMES, ("2.0", "3.0", "4.0"), strict=True):
        asks = ", requires_grad=True" if name in asking else ""
        lines.append(f"{name} = torch.tensor({number}{asks})")
    lines += ["plain = b * c", "mixed = a * plain", "y = mixed + c"]
    if asking:
        lines.append("y.backward()")
    return "\n".join(lines) + "\n"


def measure(asking: frozenset[str]) -> Tracking:
    """Run the program and see what was recorded and what backward left."""
    run = ran(program(asking))
    results = {node.name: node for node in run.trace.nodes if node.name in ("plain", "mixed", "y")}
    return Tracking(
        run,
        {name: node.recorded for name, node in results.items() if name},
        {name: node.grad_fn or "none" for name, node in results.items() if name},
        sum(node.saved_bytes for node in run.trace.nodes if node.recorded),
        {name: run.grad(name) for name in NAMES} if asking else None,
    )
