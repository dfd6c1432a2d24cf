"""Accounting: what a graph holds in memory for its backward pass, and how much arithmetic is done.

Bytes
    A node holds the arrays that its rules will read. An array that two nodes hold is in memory once, and is counted
    once in totals. Memory of leaves and of data (tensors that no recorded operation computed) is there anyway and not
    counted.
Multiply-adds
    Matrix products and convolutions count theirs; elementwise operations count one for each entry of the result, sums
    one for each entry that is added; views and copies count nothing. A gradient with respect to one input of an
    operation costs what the operation itself costs, so a product of two tracked matrices costs twice as much backward
    as forward.
"""

from __future__ import annotations

import weakref
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .dispatch import PackedTensor, SavedTensor, edge_of
from .mode import modes, sync
from .node import Node
from .tensor import Tensor


def _owner(array: Any) -> Any:
    """The array that owns the memory ``array`` looks at."""
    while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _is_computed(t: Tensor) -> bool:
    return t._edge is not None or (t._meta is not None and t._meta.view is not None and not t.is_leaf)


def saved_arrays(node: Any, *, leaves: bool = True) -> list[Any]:
    """The arrays that ``node`` keeps for its backward rules (not numbers, shapes or parameters).

    Without ``leaves``, only those that recorded operations computed.
    """
    saved = node.saved
    if node.op is None:
        inner = saved[1] if type(node).__name__ == "CopySlices" and saved else None
        if inner is not None:
            return saved_arrays(inner, leaves=leaves)
        saved = [value for _, value in saved] if isinstance(saved, list) else []
        kinds = ["input"] * len(saved)
    elif not saved:
        return []
    else:
        kinds = [kind for kind, _ in node.op.saved]
    found: list[Any] = []
    for kind, value in zip(kinds, saved, strict=False):
        if kind not in ("input", "output", "param"):
            continue
        for each in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(each, SavedTensor):
                each = each.tensor
            if isinstance(each, Tensor):
                if leaves or _is_computed(each):
                    found.append(each.array)
            elif isinstance(each, (np.ndarray, np.generic)):
                found.append(each)
            elif isinstance(each, PackedTensor) and isinstance(each.packed, Tensor):
                found.append(each.packed.array)
    return found


def bytes_saved(node: Any, *, leaves: bool = True) -> int:
    """The bytes of those arrays; an array that the node holds twice counts once."""
    saved = node.saved
    if not saved:
        return 0
    arrays = saved_arrays(node, leaves=leaves)
    if len(arrays) == 1:
        return int(arrays[0].nbytes)
    return sum({id(a): a.nbytes for a in arrays}.values())


def nodes_behind(*tensors: Tensor) -> list[Node]:
    """Every node that the gradient of ``tensors`` would visit, from the results to the leaves."""
    stack = [edge_of(t)[0] for t in tensors]
    seen: dict[Node, None] = {}
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen[node] = None
            stack.extend(target for target, _ in node.next_functions)
    return list(seen)


def held(*tensors: Tensor, leaves: bool = False) -> int:
    """The bytes in memory that the graph behind ``tensors`` holds for its backward pass."""
    owners: dict[int, int] = {}
    for node in nodes_behind(*tensors):
        for array in saved_arrays(node, leaves=leaves):
            owner = _owner(array)
            owners[id(owner)] = owner.nbytes
    return sum(owners.values())


def held_by_node(*tensors: Tensor, leaves: bool = False) -> list[tuple[Node, int]]:
    """Each node behind ``tensors`` with the bytes it holds."""
    return [(node, bytes_saved(node, leaves=leaves)) for node in nodes_behind(*tensors)]


def multiply_adds(op: Any, inputs: Any, outputs: Any) -> int:
    """What one run of ``op`` on ``inputs`` costs."""
    if op.flops is not None:
        arrays = [x.array if isinstance(x, Tensor) else x for x in inputs]
        more = {"result": outputs[0].array} if op.flops.__code__.co_kwonlyargcount else {}
        return int(op.flops(*arrays[: op.flops.__code__.co_argcount], **more))
    if op.view or op.jvp == "linear":
        return 0
    return sum(int(t.array.size) for t in outputs)


class Meter:
    """What happened since it was switched on; see :func:`metering`.

    ``forward`` and ``backward`` count multiply-adds by the operation's name. ``held`` is what live nodes hold now, in
    bytes,
    ``peak`` the most they held at any time, ``created`` lists each node's name with what it held when it was made.
    """

    def __init__(self, *, leaves: bool = False) -> None:
        self.leaves = leaves
        self.forward: Counter[str] = Counter()
        self.backward: Counter[str] = Counter()
        self.held = 0
        self.peak = 0
        self.created: list[tuple[str, int]] = []
        self._holders: dict[int, int] = {}  # id of an array that owns memory -> how many nodes hold it
        self._nodes: dict[int, list[tuple[int, int]]] = {}  # id of a node -> (id, bytes) of what it holds
        self._costs: dict[int, tuple[str, int]] = {}
        self._refs: dict[int, weakref.ref[Node]] = {}

    def operation(self, op: Any, inputs: Any, params: Any, outputs: Any) -> None:
        """An operation ran."""
        cost = multiply_adds(op, inputs, outputs)
        if cost:
            self.forward[op.shown] += cost
        node = outputs[0].grad_fn if outputs else None
        if node is None or node.op is not op:
            return
        key = id(node)
        self._costs[key] = (op.shown, cost)
        entries: dict[int, int] = {}
        for array in saved_arrays(node, leaves=self.leaves):
            owner = _owner(array)
            entries[id(owner)] = int(owner.nbytes)
        for owner_key, size in entries.items():
            count = self._holders.get(owner_key, 0)
            if not count:
                self.held += size
            self._holders[owner_key] = count + 1
        self._nodes[key] = list(entries.items())
        self.created.append((type(node).__name__, sum(entries.values())))
        self._refs[key] = weakref.ref(node, lambda _, key=key: self._forget(key))  # type: ignore[misc]
        self.peak = max(self.peak, self.held)

    def _forget(self, key: int) -> None:
        self.released(key)
        self._costs.pop(key, None)
        self._refs.pop(key, None)

    def released(self, key: int) -> None:
        """The node with this id let go of what it held."""
        for owner_key, size in self._nodes.pop(key, ()):
            count = self._holders[owner_key] - 1
            if count:
                self._holders[owner_key] = count
            else:
                del self._holders[owner_key]
                self.held -= size

    def visited(self, node: Node) -> None:
        """A backward pass ran ``node``."""
        name, cost = self._costs.get(id(node), ("", 0))
        wanted = sum(target is not None for target, _ in node.next_functions)
        if cost and wanted:
            self.backward[name] += cost * (wanted if node.op is None or not node.op.variadic else 1)

    @property
    def total_forward(self) -> int:
        """Multiply-adds of all forward work."""
        return sum(self.forward.values())

    @property
    def total_backward(self) -> int:
        """Multiply-adds of all backward work."""
        return sum(self.backward.values())


@contextmanager
def metering(meter: Meter | None = None, *, leaves: bool = False) -> Iterator[Meter]:
    """Counts bytes held and multiply-adds of what this thread does inside, with ``meter`` when one is given."""
    meter = Meter(leaves=leaves) if meter is None else meter
    before = modes.observer
    modes.observer = meter
    sync()
    try:
        yield meter
    finally:
        modes.observer = before
        sync()
