"""Multiply-adds of the forward and the backward pass of a network, layer by layer."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache

from autograd.accounting import metering
from snippets.torch_api import torch


@dataclass(frozen=True, slots=True)
class Layer:
    """The matrix product of one layer: its shapes, and multiply-adds forward and backward."""

    name: str
    shapes: str
    forward: int
    backward: int


@dataclass(frozen=True, slots=True)
class Cost:
    """``forward`` and ``backward`` are the products of all layers; ``other`` is everything elementwise, both ways."""

    layers: tuple[Layer, ...]
    other: int

    @property
    def forward(self) -> int:
        """Multiply-adds of the products, forward."""
        return sum(layer.forward for layer in self.layers)

    @property
    def backward(self) -> int:
        """Multiply-adds of the products, backward."""
        return sum(layer.backward for layer in self.layers)

    @property
    def ratio(self) -> float:
        """Backward by forward."""
        return self.backward / self.forward


def program(widths: tuple[int, ...], batch: int, input_grad: bool) -> str:
    """A network whose layers lead from ``widths[0]`` to ``widths[-1]``."""
    asks = ", requires_grad=True" if input_grad else ""
    return f"""import torch

widths = {list(widths)}
weights = [torch.full((a, b), 0.1, requires_grad=True) for a, b in zip(widths, widths[1:])]
h = torch.ones({batch}, widths[0]{asks})
for w in weights:
    h = torch.tanh(h @ w)
loss = h.mean()
loss.backward()
"""


def equal_layers(count: int, width: int) -> tuple[int, ...]:
    """The widths of ``count`` layers that are all alike."""
    return (width,) * (count + 1)


@lru_cache(maxsize=128)
def measure(widths: tuple[int, ...], batch: int, input_grad: bool = False, activation: bool = True) -> Cost:
    """Let the engine count one forward and one backward pass."""
    weights = [torch.full((a, b), 0.1, requires_grad=True) for a, b in itertools.pairwise(widths)]
    h = torch.ones(batch, widths[0], requires_grad=input_grad)
    forward, shapes, other, products = [], [], 0, []
    with metering() as meter:
        for w in weights:
            before = _products(meter.forward)
            shapes.append(f"({h.shape[0]}, {h.shape[1]}) @ ({w.shape[0]}, {w.shape[1]})")
            h = h @ w
            forward.append(_products(meter.forward) - before)
            products.append(h)
            if activation:
                h = torch.tanh(h)
        loss = h.mean()
        backward = [0] * len(weights)
        seen = 0

        # A product's gradient arrives just before its rule runs: what is counted between two arrivals is one layer's.
        def arrived(number: int) -> None:
            nonlocal seen
            now = _products(meter.backward)
            if number + 1 < len(weights):
                backward[number + 1] = now - seen
            seen = now

        for number, product in enumerate(products):
            product.register_hook(lambda grad, number=number: arrived(number))
        loss.backward()
        backward[0] = _products(meter.backward) - seen
        other = meter.total_forward + meter.total_backward - _products(meter.forward) - _products(meter.backward)
    return Cost(
        tuple(
            Layer(f"layer {number}", shape, there, back)
            for number, (shape, there, back) in enumerate(zip(shapes, forward, backward, strict=True), start=1)
        ),
        other,
    )


def _products(counted: dict[str, int]) -> int:
    return sum(count for name, count in counted.items() if name in ("mm", "matmul", "addmm"))
