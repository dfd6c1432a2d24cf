"""A second backward: what is freed, the error, and what each repair holds."""

from __future__ import annotations

from dataclasses import dataclass

from course.labs.programs import Ran, bytes_held, ran

REPAIRS = {
    "none": "backward twice",
    "retain": "retain_graph=True",
    "again": "forward again",
}


@dataclass(frozen=True, slots=True)
class Lifetime:
    """Bytes held after each event with the line that made it, the gradient at the end, and the error."""

    run: Ran
    held: tuple[int, ...]
    lines: tuple[int | None, ...]
    kinds: tuple[str, ...]
    grad: float
    error: str | None


def program(repair: str) -> str:
    """y = exp(x)**2, walked twice."""
    forward = "h = torch.exp(x)\ny = h ** 2\n"
    first = "y.backward(retain_graph=True)\n" if repair == "retain" else "y.backward()\n"
    between = forward if repair == "again" else ""
    second = "y.backward(retain_graph=True)\n" if repair == "retain" else "y.backward()\n"
    return f"import torch\n\nx = torch.tensor(0.5, requires_grad=True)\n{forward}{first}{between}{second}"


def measure(repair: str) -> Lifetime:
    """Run it and follow the bytes."""
    run = ran(program(repair))
    return Lifetime(
        run,
        tuple(bytes_held(run.trace)),
        tuple(event.line for event in run.trace.events),
        tuple(event.kind for event in run.trace.events),
        float(run.grad("x")),
        run.error,
    )
