"""A network of any depth: the graph grows, its kind does not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from course.labs.programs import Ran, ran


@dataclass(frozen=True, slots=True)
class Depth:
    """``functions`` counts the recorded functions by name; ``longest`` is the number of edges on the longest path."""

    run: Ran
    operations: int
    leaves: int
    functions: dict[str, int]
    longest: int


#: Layers that stand as one box once there are more of them.
STAGE = 10


def program(depth: int) -> str:
    """``depth`` layers of Linear and Tanh, in stages of ten when there are many, and one Linear at the end."""
    sizes = [min(STAGE, depth - start) for start in range(0, depth, STAGE)]
    if depth <= STAGE:
        blocks = f"blocks = [layer() for _ in range({depth})]"
    else:
        blocks = f"blocks = [nn.Sequential(*[layer() for _ in range(size)]) for size in {sizes}]"
    return f"""import torch
from torch import nn

def layer():
    return nn.Sequential(nn.Linear(4, 4), nn.Tanh())

{blocks}
net = nn.Sequential(*blocks, nn.Linear(4, 1))
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.25)
x = torch.ones(2, 4)
loss = net(x).mean()
loss.backward()
"""


def measure(depth: int) -> Depth:
    """Build the network and count what is on its graph."""
    run = ran(program(depth))
    operations = [node for node in run.trace.nodes if node.kind == "op" and node.recorded]
    ids = {node.id for node in operations}
    leaves = {node.id for node in run.trace.nodes if node.is_leaf and node.requires_grad}
    into: dict[str, list[str]] = {}
    for edge in run.trace.edges:
        if edge.recorded and edge.dst in ids and (edge.src in ids or edge.src in leaves):
            into.setdefault(edge.dst, []).append(edge.src)
    length: dict[str, int] = dict.fromkeys(leaves, 0)
    for node in operations:  # in the order they were made, so the inputs come first
        length[node.id] = 1 + max((length.get(source, 0) for source in into.get(node.id, ())), default=0)
    return Depth(
        run,
        len(operations),
        len(leaves),
        dict(Counter(str(node.grad_fn) for node in operations)),
        max(length.values()),
    )
