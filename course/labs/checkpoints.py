"""Checkpointing by segments: what stays alive, what is computed again, and whether the gradients are the same."""

from __future__ import annotations

import weakref
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from snippets.torch_api import torch

DEPTHS = (16, 36, 64)
ENTRIES = 8


@dataclass(frozen=True, slots=True)
class Checkpointed:
    """One depth and one number of segments (0: no checkpointing).

    ``peak`` is the most bytes of layer results alive at once, ``activations`` the same in results of one layer;
    ``computed`` counts runs of a layer.
    """

    depth: int
    segments: int
    peak: int
    activations: float
    computed: int
    grad: tuple[float, ...]


class _Alive:
    """Follows arrays from the moment they are made until Python lets go of them."""

    def __init__(self) -> None:
        self.bytes = 0
        self.peak = 0

    def made(self, array: Any) -> None:
        """A layer made this array."""
        self.bytes += array.nbytes
        self.peak = max(self.peak, self.bytes)
        weakref.finalize(array, self._gone, array.nbytes)

    def _gone(self, size: int) -> None:
        self.bytes -= size


def divisors(depth: int) -> tuple[int, ...]:
    """The numbers of segments that divide ``depth`` evenly."""
    return tuple(count for count in range(1, depth + 1) if depth % count == 0)


def program(depth: int, segments: int) -> str:
    """The layers as a program."""
    return f"""import torch
from torch.utils.checkpoint import checkpoint

def layers(h):
    for _ in range({depth // segments}):
        h = torch.tanh(h)
    return h

x = torch.full(({ENTRIES},), 0.3, requires_grad=True)
h = x
for _ in range({segments}):
    h = checkpoint(layers, h, use_reentrant=False)
loss = h.sum()
loss.backward()
"""


@lru_cache(maxsize=128)
def measure(depth: int, segments: int) -> Checkpointed:
    """Run the layers and follow the arrays they make; ``segments`` 0 runs them without checkpointing."""
    computed = 0
    alive = _Alive()

    def layers(h: Any, count: int) -> Any:
        nonlocal computed
        for _ in range(count):
            computed += 1
            h = torch.tanh(h)
            alive.made(h.array)
        return h

    x = torch.full((ENTRIES,), 0.3, requires_grad=True)
    h = x
    if segments:
        for _ in range(segments):
            h = torch.utils.checkpoint.checkpoint(layers, h, depth // segments, use_reentrant=False)
    else:
        h = layers(h, depth)
    loss = h.sum()
    del h
    loss.backward()
    one = ENTRIES * x.element_size()
    return Checkpointed(depth, segments, alive.peak, alive.peak / one, computed, tuple(x.grad.tolist()))


def sweep(depth: int) -> tuple[Checkpointed, ...]:
    """Every even number of segments."""
    return tuple(measure(depth, segments) for segments in divisors(depth))
