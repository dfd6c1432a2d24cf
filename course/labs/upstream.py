"""A vector output: no upstream, an upstream of your own, the sum, the mean."""

from __future__ import annotations

from dataclasses import dataclass

from course.labs.programs import Ran, ran

ENTRIES = (1.0, 2.0, 3.0)


@dataclass(frozen=True, slots=True)
class Upstream:
    """The gradient of x, or the error when there is none."""

    run: Ran
    grad: tuple[float, ...] | None
    error: str | None


def program(how: str, v: tuple[float, ...] = ENTRIES) -> str:
    """y = x**2 with ``how`` one of none, vector, sum, mean."""
    call = {
        "none": "y.backward()",
        "vector": f"y.backward(torch.tensor([{', '.join(f'{float(one)!r}' for one in v)}]))",
        "sum": "y.sum().backward()",
        "mean": "y.mean().backward()",
    }[how]
    return f"import torch\n\nx = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)\ny = x ** 2\n{call}\n"


def measure(how: str, v: tuple[float, ...] = ENTRIES) -> Upstream:
    """Run it."""
    run = ran(program(how, v))
    grad = run.grad("x")
    return Upstream(run, None if grad is None else tuple(grad), run.error)
