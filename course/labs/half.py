"""float16: a gradient below its smallest number, and the loss scaling that saves it."""

from __future__ import annotations

from dataclasses import dataclass

from course.labs.programs import Ran, ran

SMALL = 1e-4
POWERS = tuple(range(21))


@dataclass(frozen=True, slots=True)
class Scaled:
    """The gradient as float16 holds it, and after it was divided by the scale in float32."""

    run: Ran
    held: float
    unscaled: float


def program(power: int) -> str:
    """loss = (w * small) * small, scaled by 2**power."""
    return f"""import torch

scale = {2**power}
w = torch.tensor(1.0, dtype=torch.float16, requires_grad=True)
small = torch.tensor({SMALL}, dtype=torch.float16)
loss = (w * small) * small
(loss.float() * scale).backward()
held = w.grad.item()
found = w.grad.float().item() / scale
"""


def measure(power: int) -> Scaled:
    """Run it with a loss scale of 2**power."""
    run = ran(program(power))
    return Scaled(run, _number(run.data("held")), _number(run.data("found")))


def _number(value: object) -> float:
    return float(value)  # type: ignore[arg-type]
