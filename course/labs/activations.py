"""Bytes held for backward while a program runs, and who holds them."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from autograd.accounting import Meter, metering
from autograd.node import Node
from course.labs.programs import Ran, ran
from snippets.torch_api import torch

#: The width of the layers, and of the one in the middle when that is to be wide.
WIDTH, WIDE = 4, 16


@dataclass(frozen=True, slots=True)
class Moment:
    """What is held after one event: an operation of the forward pass, or a function that backward is done with."""

    what: str
    forward: bool
    held: int


@dataclass(frozen=True, slots=True)
class Holder:
    """The operation that first held an array, and the array's bytes. ``place`` counts operations from 0."""

    place: int
    name: str
    function: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Memory:
    """What was held after each event; ``holders`` are the operations that held something, the largest first."""

    moments: tuple[Moment, ...]
    holders: tuple[Holder, ...]

    @property
    def peak(self) -> int:
        """The most that is held at any time."""
        return max(moment.held for moment in self.moments)

    def exceeded(self, budget: int) -> int | None:
        """The first event after which more than ``budget`` bytes are held; None when it is never exceeded."""
        return next((place for place, moment in enumerate(self.moments) if moment.held > budget), None)


class _Diary(Meter):
    """A meter that writes down what is held after each operation and each release."""

    def __init__(self) -> None:
        super().__init__()
        self.moments: list[Moment] = []
        self.added: list[tuple[str, int]] = []

    def operation(self, op: Any, inputs: Any, params: Any, outputs: Any) -> None:
        before, known = self.held, len(self.created)
        super().operation(op, inputs, params, outputs)
        if len(self.created) > known:
            self.added.append((self.created[-1][0], self.held - before))
            self.moments.append(Moment(self.created[-1][0], True, self.held))

    def visited(self, node: Node) -> None:
        super().visited(node)
        if node.op is not None:
            self.moments.append(Moment(node.name(), False, self.held))

    def released(self, key: int) -> None:
        super().released(key)
        if self.moments and not self.moments[-1].forward:
            self.moments[-1] = Moment(self.moments[-1].what, False, self.held)


def widths(depth: int, wide: bool) -> tuple[int, ...]:
    """The width of the input and of each layer's result."""
    middle = (depth + 1) // 2
    return tuple(WIDE if wide and place == middle else WIDTH for place in range(depth + 1))


def program(depth: int, batch: int, half: bool = False, wide: bool = False) -> str:
    """``depth`` layers of tanh(h @ w) on a batch."""
    dtype = ", dtype=torch.float16" if half else ""
    return f"""import torch

widths = {list(widths(depth, wide))}
weights = [torch.full((a, b), 0.1{dtype}, requires_grad=True) for a, b in zip(widths, widths[1:])]
h = torch.ones({batch}, widths[0]{dtype})
for w in weights:
    h = torch.tanh(h @ w)
loss = h.mean()
loss.backward()
"""


def walked(depth: int, batch: int, half: bool = False, wide: bool = False) -> Ran:
    """The program, run with a trace."""
    return ran(program(depth, batch, half, wide))


@lru_cache(maxsize=128)
def measure(depth: int, batch: int, half: bool = False, wide: bool = False) -> Memory:
    """Run the same layers with a meter that counts every array once, and neither weights nor data."""
    kind = {"dtype": torch.float16} if half else {}
    sizes = widths(depth, wide)
    weights = [torch.full((a, b), 0.1, requires_grad=True, **kind) for a, b in itertools.pairwise(sizes)]
    diary = _Diary()
    with metering(diary):
        h = torch.ones(batch, sizes[0], **kind)
        for w in weights:
            h = torch.tanh(h @ w)
        loss = h.mean()
        del h
        loss.backward()
    holders = [
        Holder(place, _name(function, place), function, size)
        for place, (function, size) in enumerate(diary.added)
        if size
    ]
    holders.sort(key=lambda one: -one.bytes)
    return Memory(tuple(diary.moments), tuple(holders))


def _name(function: str, place: int) -> str:
    """Each layer is two operations, a product and its tanh."""
    return f"{'tanh' if function.startswith('Tanh') else 'product'} of layer {place // 2 + 1}"
