"""The arithmetic of a backward pass, counted product by product."""

from __future__ import annotations

import pytest

from autograd.trace import Contribute, Trace
from tests.claims.programs import example, ran, traced

PRODUCTS = {"mm", "matmul"}


def multiply_adds(trace: Trace) -> tuple[int, int]:
    """Multiply-adds of the matrix products that the engine ran: forward, backward.

    An (n, a) by (a, b) product takes n·a·b. Backward runs one product of that many multiply-adds for each contribution
    that leaves a matrix product.
    """
    nodes = {node.id: node for node in trace.nodes}
    edges = {edge.id: edge for edge in trace.edges}
    cost = {}
    for node in trace.nodes:
        if node.op in PRODUCTS:
            left = min((edge for edge in trace.edges if edge.dst == node.id), key=lambda edge: edge.arg)
            n, a = nodes[left.src].shape
            cost[node.id] = n * a * node.shape[1]
    back = [edges[event.edge].dst for event in trace.events if isinstance(event, Contribute)]
    return sum(cost.values()), sum(cost.get(node, 0) for node in back)


def network(layers: int, batch: int, width: int, input_grad: bool = False) -> str:
    return f"""
import torch
weights = [torch.full(({width}, {width}), 0.1, requires_grad=True) for _ in range({layers})]
x = torch.ones({batch}, {width}, requires_grad={input_grad})
h = x
for w in weights:
    h = torch.tanh(h @ w)
loss = h.sum()
loss.backward()
"""


@pytest.mark.claim("C32")
@pytest.mark.parametrize(("layers", "batch", "width"), [(1, 3, 4), (2, 4, 5), (5, 2, 6), (20, 2, 3)])
def test_two_products_a_layer_and_one_in_the_first(layers: int, batch: int, width: int) -> None:
    forward, backward = multiply_adds(traced(ran(network(layers, batch, width))))
    one = batch * width * width
    assert forward == layers * one
    assert backward == (2 * layers - 1) * one


@pytest.mark.claim("C32")
def test_ratio_is_exactly_two_when_the_input_needs_a_gradient_as_well() -> None:
    forward, backward = multiply_adds(traced(ran(network(3, 4, 5, input_grad=True))))
    assert backward == 2 * forward


@pytest.mark.claim("C32")
def test_a_training_step_costs_about_three_forward_passes() -> None:
    forward, backward = multiply_adds(traced(ran(network(20, 2, 3))))
    assert (forward + backward) / forward == pytest.approx(3, rel=0.02)


@pytest.mark.claim("C32")
@pytest.mark.parametrize("batch", [4, 8])
def test_the_numbers_on_the_card(batch: int) -> None:
    forward, backward = multiply_adds(traced(ran(example("two-matmuls", batch=batch))))
    assert (forward, backward) == (100 * batch // 4, 140 * batch // 4)
