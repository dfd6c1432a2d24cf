"""Programs of a given size for the benchmarks of what shows a walk."""

from __future__ import annotations

from autograd.trace import Trace
from snippets import run


def program(nodes: int, leaves: int = 4) -> str:
    """A scalar program whose trace has ``nodes`` tensors: every operation uses two of the four newest."""
    lines = ["import torch"]
    lines += [f"h{i} = torch.tensor({0.5 + 0.1 * i}, requires_grad=True)" for i in range(leaves)]
    for i in range(leaves, nodes):
        left, right = i - 1, i - 2 - (i % 3 if i >= leaves + 1 else 0)
        lines.append(f"h{i} = h{left} * h{right}" if i % 2 else f"h{i} = h{left} + h{right}")
    lines.append(f"h{nodes - 1}.backward()")
    return "\n".join(lines) + "\n"


def traced(nodes: int) -> Trace:
    """The trace of :func:`program`, run as a learner's program is."""
    result = run(program(nodes), diagnose=False)
    if result.trace is None or result.error is not None:
        raise RuntimeError(f"the benchmark program did not run: {result.error or result.limit}")
    return result.trace
