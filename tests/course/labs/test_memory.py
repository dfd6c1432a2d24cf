"""Multiply-adds and bytes, counted by hand."""

from __future__ import annotations

import pytest

from course.labs import activations, checkpoints, cost, half, leak
from course.labs.programs import ran
from snippets import run


@pytest.mark.claim("C32")
def test_two_products_forward_and_three_backward() -> None:
    found = cost.measure((3, 5, 2), 4, activation=False)
    assert [(layer.forward, layer.backward) for layer in found.layers] == [(60, 60), (40, 80)]
    assert found.ratio == pytest.approx(1.4)


@pytest.mark.claim("C32")
@pytest.mark.parametrize("layers", [1, 2, 5, 12])
def test_the_ratio_of_equal_layers(layers: int) -> None:
    widths = cost.equal_layers(layers, 4)
    found = cost.measure(widths, 2)
    assert found.forward == layers * 2 * 4 * 4
    assert found.ratio == pytest.approx((2 * layers - 1) / layers)
    assert cost.measure(widths, 2, input_grad=True).ratio == 2


@pytest.mark.claim("C33")
@pytest.mark.parametrize(("depth", "batch"), [(1, 1), (3, 8), (3, 16), (16, 4)])
def test_peak_is_depth_times_batch_times_sixteen_bytes(depth: int, batch: int) -> None:
    found = activations.measure(depth, batch)
    assert found.peak == depth * batch * 4 * 4
    forward = [moment.held for moment in found.moments if moment.forward]
    backward = [moment.held for moment in found.moments if not moment.forward]
    assert forward == sorted(forward)
    assert backward == sorted(backward, reverse=True)
    assert backward[-1] == 0


@pytest.mark.claim("C35")
def test_the_widest_layer_is_named_first_and_found_on_the_graph() -> None:
    found = activations.measure(4, 8, wide=True)
    assert (found.holders[0].name, found.holders[0].bytes) == ("tanh of layer 2", 8 * 16 * 4)
    assert found.exceeded(found.peak) is None
    place = found.exceeded(128)
    assert place is not None
    assert found.moments[place].held == 128 + 512
    run_ = activations.walked(4, 8, wide=True)
    operations = [node for node in run_.trace.nodes if node.kind == "op" and node.recorded]
    assert operations[found.holders[0].place].shape == (8, 16)
    assert operations[found.holders[0].place].op == "tanh"


@pytest.mark.claim("C54")
@pytest.mark.parametrize(("depth", "batch"), [(2, 4), (5, 16)])
def test_float16_halves_the_bytes(depth: int, batch: int) -> None:
    assert 2 * activations.measure(depth, batch, half=True).peak == activations.measure(depth, batch).peak


@pytest.mark.claim("C34")
def test_only_losses_with_history_pile_up() -> None:
    # A batch keeps its hidden activations (rows × 4) and the difference that is squared (rows × 1), 4 bytes each.
    assert leak.measure("loss", 8).held == tuple(8 * 5 * 4 * batch for batch in range(1, 11))
    for keep in ("item", "detach", "no_grad"):
        assert set(leak.measure(keep, 8).held) == {0}


@pytest.mark.parametrize("keep", list(leak.KEEPING))
def test_the_leaking_program_runs(keep: str) -> None:
    result = run(leak.program(keep), diagnose=False, trace=False)
    assert result.error is None
    assert len(result.values["kept"]["items"]) == 3


@pytest.mark.claim("C36")
@pytest.mark.parametrize(("depth", "best"), [(16, 4), (36, 6), (64, 8)])
def test_peak_is_lowest_at_the_square_root_of_the_depth(depth: int, best: int) -> None:
    plain = checkpoints.measure(depth, 0)
    assert (plain.activations, plain.computed) == (depth, depth)
    sweep = checkpoints.sweep(depth)
    assert min(sweep, key=lambda one: one.activations).segments == best
    for one in sweep:
        assert one.grad == plain.grad
        assert one.computed == 2 * depth
        # the inputs of the segments and the results of one, give or take those in both counts
        assert abs(one.activations - (one.segments + depth / one.segments)) <= 2


def test_the_checkpointed_program_gives_the_measured_gradient() -> None:
    assert tuple(ran(checkpoints.program(16, 4)).grad("x")) == checkpoints.measure(16, 4).grad


@pytest.mark.claim("C54")
def test_scaling_saves_a_gradient_from_underflow_and_too_much_overflows() -> None:
    assert half.measure(0).held == 0
    scaled = half.measure(10)
    assert scaled.held == pytest.approx(1.02e-5, rel=0.01)
    assert scaled.unscaled == pytest.approx(1e-8, rel=0.01)
    assert half.measure(20).held == float("inf")
