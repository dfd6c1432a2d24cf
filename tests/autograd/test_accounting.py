"""Bytes and multiply-adds: against counts by hand and against what Python's allocator says."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest

from autograd import accounting
from snippets.torch_api import torch


def leaf(*shape: int) -> Any:
    return torch.ones(*shape, requires_grad=True)


def test_bytes_held_by_each_node() -> None:
    x, w = torch.ones(100, 50), leaf(50, 20)
    h = (x @ w).tanh()
    y = (h * h).relu().sum()
    rows = {type(node).__name__: size for node, size in accounting.held_by_node(y)}
    assert rows == {
        "SumBackward0": 0, "ReluBackward0": 8000, "MulBackward0": 8000, "TanhBackward0": 8000, "MmBackward0": 0,
        "AccumulateGrad": 0,
    }  # fmt: skip


def test_an_array_that_two_nodes_hold_counts_once() -> None:
    h = leaf(100).exp()
    assert accounting.held(h * h) == 400


def test_leaves_count_if_asked() -> None:
    x = leaf(100)
    assert (accounting.held(x * x), accounting.held(x * x, leaves=True)) == (0, 400)


@pytest.mark.parametrize(
    ("expression", "held"),
    [
        (lambda h: h * 2, 0), (lambda h: h + h, 0), (lambda h: h**2, 400), (lambda h: h.exp(), 400),
        (lambda h: h.sum(), 0), (lambda h: h / 2, 0),
        (lambda h: 2 / h, 400), (lambda h: h.view(10, 10), 0), (lambda h: h.relu(), 400),
    ],
)  # fmt: skip
def test_what_an_operation_adds(expression: Any, held: int) -> None:
    h = leaf(100) * 1
    assert accounting.held(expression(h)) == held


def test_held_is_what_the_allocator_says() -> None:
    x, w, v = torch.ones(500, 400), leaf(400, 300), leaf(300, 10)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    h = (x @ w).tanh()
    h = (h * h).sigmoid()
    loss = (h @ v).sum()
    del h
    real = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert accounting.held(loss) == pytest.approx(real, rel=0.05)


def test_the_peak_and_the_release() -> None:
    with accounting.metering() as meter:
        x = leaf(1000)
        y = x.exp().exp().exp().sum()
        assert meter.held == meter.peak == 12_000
        y.backward()
    assert (meter.held, meter.peak) == (0, 12_000)


def test_deleting_the_graph_releases_too() -> None:
    with accounting.metering() as meter:
        y = leaf(1000).exp().sum()
        del y
    assert (meter.held, meter.peak) == (0, 4000)


def test_checkpointing_lowers_the_peak() -> None:
    peaks = []
    for how in (lambda f, x: f(x), lambda f, x: torch.utils.checkpoint.checkpoint(f, x, use_reentrant=False)):
        with accounting.metering() as meter:
            h = leaf(1000)
            for _ in range(4):
                h = how(lambda x: x.exp().log().sin().cos(), h)
            h.sum().backward()
        peaks.append(meter.peak)
    assert peaks[1] < peaks[0]


def test_multiply_adds_of_a_layer() -> None:
    x, w, b = torch.ones(32, 20), leaf(20, 10), leaf(10)
    with accounting.metering() as meter:
        y = ((x @ w) + b).relu().sum()
        y.backward()
    assert meter.forward == {"matmul": 32 * 20 * 10, "add": 320, "relu": 320, "sum": 320}
    assert meter.backward["matmul"] == 32 * 20 * 10  # x is data: only the weights get a gradient


def test_backward_of_two_tracked_matrices_costs_twice_the_forward() -> None:
    a, b = leaf(8, 9), leaf(9, 7)
    with accounting.metering() as meter:
        (a @ b).sum().backward()
    assert (meter.forward["matmul"], meter.backward["matmul"]) == (8 * 9 * 7, 2 * 8 * 9 * 7)


def test_views_cost_nothing() -> None:
    with accounting.metering() as meter:
        leaf(4, 4).t().reshape(16).view(4, 4)[0].unsqueeze(0)
    assert not meter.forward


def test_a_convolution_counts_its_products() -> None:
    x, w = torch.ones(2, 3, 8, 8), leaf(5, 3, 3, 3)
    with accounting.metering() as meter:
        torch.nn.functional.conv2d(x, w)
    assert sum(meter.forward.values()) == 2 * 5 * 6 * 6 * 3 * 3 * 3


def test_arrays_are_the_right_ones() -> None:
    x = leaf(3)
    node = (x * 1).exp().grad_fn
    (array,) = accounting.saved_arrays(node)
    assert np.allclose(array, np.e)
