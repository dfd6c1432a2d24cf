"""What stays in memory for backward, and for how long."""

from __future__ import annotations

import tracemalloc

import pytest

from snippets.torch_api import torch
from tests.claims.programs import bytes_held, events, example, ran, traced


def chain(batch: int, depth: int, width: int = 4) -> str:
    return f"""
import torch
x = torch.full(({batch}, {width}), 0.5, requires_grad=True)
h = x
for _ in range({depth}):
    h = torch.tanh(h)
loss = h.sum()
loss.backward()
"""


@pytest.mark.claim("C33")
@pytest.mark.parametrize(("batch", "depth"), [(1, 1), (8, 3), (16, 3), (8, 6)])
def test_peak_is_depth_times_batch_times_width_times_four_bytes(batch: int, depth: int) -> None:
    held = bytes_held(traced(ran(chain(batch, depth))))
    assert max(held) == depth * batch * 4 * 4


@pytest.mark.claim("C33")
def test_bytes_rise_through_forward_and_fall_through_backward() -> None:
    trace = traced(ran(chain(8, 5)))
    held = bytes_held(trace)
    turn = next(i for i, event in enumerate(trace.events) if event.kind == "backward_start")
    assert held[:turn] == sorted(held[:turn])
    assert held[turn:] == sorted(held[turn:], reverse=True)
    assert held[turn] == max(held)
    assert held[-1] == 0


@pytest.mark.claim("C33")
@pytest.mark.parametrize("batch", [8, 16])
def test_the_card_walk_frees_one_result_of_tanh(batch: int) -> None:
    (free,) = events(traced(ran(example("three-layers", batch=batch))), "free", "h3")
    assert free.bytes == batch * 4 * 4


def growth(keep: str) -> float:
    """Bytes a validation loop on the engine keeps per batch, in units of one activation."""
    entries, batches, layers = 20_000, 6, 3
    model = [torch.full((entries,), 0.5, requires_grad=True) for _ in range(layers)]

    def predict() -> object:
        h = torch.full((entries,), 0.1)
        for w in model:
            h = torch.tanh(h * w)
        return h.sum()

    kept: list[object] = []
    tracemalloc.start()
    try:
        before = 0
        for number in range(batches + 1):
            if keep == "no_grad":
                with torch.no_grad():
                    kept.append(predict())
            else:
                loss = predict()
                kept.append({"loss": loss, "detach": loss.detach(), "item": loss.item()}[keep])
                del loss
            if number == 0:
                before = tracemalloc.get_traced_memory()[0]
        return (tracemalloc.get_traced_memory()[0] - before) / batches / (4 * entries)
    finally:
        tracemalloc.stop()


@pytest.mark.claim("C34")
def test_a_list_of_losses_with_history_keeps_every_graph() -> None:
    # At least the three results of tanh of each batch stay.
    assert growth("loss") >= 3


@pytest.mark.claim("C34")
@pytest.mark.parametrize("keep", ["detach", "item", "no_grad"])
def test_values_without_history_keep_nothing(keep: str) -> None:
    assert growth(keep) < 0.1


@pytest.mark.claim("C35")
def test_the_trace_names_the_nodes_that_hold_the_bytes() -> None:
    trace = traced(
        ran("""
import torch
x = torch.full((4, 1), 0.5, requires_grad=True)
small = torch.exp(x)
wide = torch.exp(small.expand(4, 50))
narrow = torch.exp(wide.sum(1))
loss = narrow.sum()
""")
    )
    holders = sorted(trace.nodes, key=lambda node: node.saved_bytes, reverse=True)
    # exp keeps its result: 4·50 numbers, then 4 and 4, each of four bytes.
    assert [(node.name, node.saved_bytes) for node in holders[:1]] == [("wide", 800)]
    assert {node.name: node.saved_bytes for node in trace.nodes if node.name in ("small", "narrow")} == {
        "small": 16,
        "narrow": 16,
    }
    assert sum(node.saved_bytes for node in trace.nodes) == 832
