"""Teacher and student: detach against no_grad, and what shares storage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from course.labs.programs import Ran, ran

WAYS = {"neither": "not cut", "detach": "detach()", "no_grad": "no_grad"}


@dataclass(frozen=True, slots=True)
class Taught:
    """Gradients of both, and what of the teacher's part was recorded.

    ``missing`` is the contribution that the teacher would have got, None when nothing is cut.
    """

    run: Ran
    student: float | None
    teacher: float | None
    teacher_recorded: tuple[str, ...]
    teacher_unrecorded: tuple[str, ...]
    held: int
    loss: float
    missing: float | None


def program(way: str) -> str:
    """The loss compares the student's output with the teacher's."""
    if way == "no_grad":
        target = "with torch.no_grad():\n    target = teacher * x"
    else:
        target = "target = teacher * x" + ("\ntarget = target.detach()" if way == "detach" else "")
    return f"""import torch

x = torch.tensor(2.0)
teacher = torch.tensor(3.0, requires_grad=True)
student = torch.tensor(1.0, requires_grad=True)
{target}
loss = (student * x - target) ** 2
loss.backward()
"""


def measure(way: str) -> Taught:
    """Run it with the teacher cut off in one ``way``, or not at all."""
    run = ran(program(way))
    own = [node for node in run.trace.nodes if node.kind == "op" and node.expr == "teacher * x"]
    recorded = [node for node in own if node.recorded]
    return Taught(
        run,
        run.grad("student"),
        run.grad("teacher"),
        tuple(str(node.grad_fn) for node in recorded),
        tuple(str(node.op) for node in own if not node.recorded),
        sum(node.saved_bytes for node in recorded),
        float(run.data("loss")),
        None if way == "neither" else measure("neither").teacher,
    )


ALIASES = {
    "detach": "x.detach()",
    "view": "x.detach()[1:]",
    "clone": "x.detach().clone()",
}


@dataclass(frozen=True, slots=True)
class Written:
    """x after a write to something made from it, and its version."""

    run: Ran
    x: tuple[Any, ...]
    version: int
    shares: bool


def write(alias: str, number: float = 10.0) -> Written:
    """Write ``number`` to the first entry of an alias of x = [1, 2, 3]."""
    run = ran(f"""import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
other = {ALIASES[alias]}
other[0] = {number}
version = x._version
""")
    x = tuple(run.data("x"))
    return Written(run, x, int(run.data("version")), x != (1.0, 2.0, 3.0))
