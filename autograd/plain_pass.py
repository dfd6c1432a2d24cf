"""The backward pass as it is nearly always: from one number, nobody watching, no hooks, no custom functions.

It visits nodes in the order of :func:`autograd.backward.run` and leaves the same behind, without asking at every node
what could be unusual there. After large matrix products, when Python's own code has left the processor's cache, that is
a third of what a pass through a small network costs beside its arithmetic.
"""

from __future__ import annotations

from typing import Any

from . import backward as general
from .gradients import conform, joined
from .leaves import accumulate
from .mode import modes, switch
from .node import AccumulateGrad, Node
from .ops.table import METHODS
from .promotion import FLOATS
from .tensor import Tensor


def backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Any = None,
) -> None:
    """Adds the gradient of this tensor to ``.grad`` of the leaves it was computed from (or only of ``inputs``)."""
    if modes.transforms:
        general.refuse_inside_transforms()
    plain = gradient is None and inputs is None and not create_graph
    if not (plain and from_number(self, not retain_graph)):
        general.backward(self, gradient, retain_graph, create_graph, inputs=inputs)


METHODS["backward"] = backward


def from_number(t: Tensor, drop: bool) -> bool:
    """The pass of ``t.backward()``; False, with nothing done, when it is not as plain as that."""
    edge = t._edge
    kind = type(t.array)
    if switch.special or edge is None or edge[0] is None or kind not in FLOATS:
        return False
    return run(edge[0], edge[1], kind(1), drop)


def run(root: Node, number: int, seed: Any, drop: bool) -> bool:
    """Sends ``seed`` from output ``number`` of ``root`` to the leaves; ``drop`` lets go of what nodes saved.

    False, with nothing done, when the graph has something for which :func:`autograd.backward.run` is needed.
    """
    waiting = _count(root)
    if waiting is None:
        return False
    held: dict[Node, Any] = {}
    node, g = root, joined(None, seed, root.meta, number)
    ready: list[Node] = []
    leaves: list[Any] = []
    while True:
        edges = node.next_functions
        grads: Any = (None,) * len(edges) if g is None else node.backward(g)
        if drop and node.frees:
            node.saved = None
        position = -1
        follow: Node | None = None
        for target, number in edges:
            position += 1
            if target is None:
                continue
            g = grads[position]
            left = waiting[target] - 1
            waiting[target] = left
            if g is not None:
                meta = target.meta
                if type(meta) is list:
                    held[target] = joined(held.get(target), conform(g, meta[number]), meta, number)
                else:
                    if type(g) is not meta and (
                        type(meta) is not tuple or g.shape != meta[0] or g.dtype is not meta[1]
                    ):
                        g = conform(g, meta)
                    held[target] = held[target] + g if target in held else g
            if not left:
                if type(target) is AccumulateGrad:
                    leaves.append(target)
                else:  # depth first; as in PyTorch what was made last goes on first: as a rule the last argument
                    if follow is not None:
                        ready.append(follow)
                    follow = target
        grads = g = None  # a leaf keeps the array that nobody else holds
        for target in leaves:
            g = held.pop(target, None)
            if g is not None:
                accumulate(target.variable, g, False)
        if leaves:
            leaves.clear()
        if follow is not None:
            node = follow
        elif ready:
            node = ready.pop()
        else:
            return True
        g = held.pop(node, None)


def _count(root: Node) -> dict[Node, int] | None:
    """How many edges lead to each node; None when one of them has hooks, or is no operation of the table."""
    waiting: dict[Node, int] = {root: 0}
    stack = [root]
    while stack:
        node = stack.pop()
        if node.extra is not None or node.op is None:
            return None
        for target, _ in node.next_functions:
            if target is None:
                continue
            if target in waiting:
                waiting[target] += 1
                continue
            waiting[target] = 1
            if type(target) is not AccumulateGrad:
                stack.append(target)
            elif target.extra is not None or (target.variable._meta and target.variable._meta.post_accumulate):
                return None
    return waiting
