"""train and eval against grad and no_grad: the four combinations on one module."""

from __future__ import annotations

from dataclasses import dataclass

from course.labs.programs import Ran, ran

MODES = ("train", "eval")


@dataclass(frozen=True, slots=True)
class Cell:
    """One combination: output, recorded or not, running mean after it, and the weight before and after."""

    run: Ran
    output: tuple[float, ...]
    recorded: bool
    running_mean: float
    weight_before: float
    weight_after: float


def program(mode: str, recorded: bool) -> str:
    """Batch normalisation of two numbers in one mode, recorded or not."""
    call = "out = norm(x)" if recorded else "with torch.no_grad():\n    out = norm(x)"
    return f"""import torch
from torch import nn

norm = nn.BatchNorm1d(1)
norm.{mode}()
before = norm.weight.item()
x = torch.tensor([[1.0], [3.0]])
{call}
recorded = out.requires_grad
mean = norm.running_mean.item()
after = norm.weight.item()
"""


def measure(mode: str, recorded: bool) -> Cell:
    """Run one combination."""
    run = ran(program(mode, recorded))
    out = run.data("out")
    return Cell(
        run,
        tuple(row[0] for row in out),
        bool(run.data("recorded")),
        float(run.data("mean")),
        float(run.data("before")),
        float(run.data("after")),
    )


@dataclass(frozen=True, slots=True)
class Dropped:
    """What dropout did to ones: how many of them became zero, and the sum of what is left."""

    zeros: int
    entries: int
    mean: float


def dropout(mode: str, p: float, entries: int = 200) -> Dropped:
    """Dropout of ``entries`` ones in one mode."""
    run = ran(f"""import torch
from torch import nn

torch.manual_seed(0)
drop = nn.Dropout({p})
drop.{mode}()
out = drop(torch.ones({entries}))
zeros = (out == 0).sum().item()
mean = out.mean().item()
""")
    return Dropped(int(run.data("zeros")), entries, float(run.data("mean")))
