"""One large batch from several small ones; sums and means."""

from __future__ import annotations

import pytest

from tests.claims.programs import events, example, grad, ran, traced

PROGRAM = """
import torch
x = torch.arange({size}, dtype=torch.float32) / 16 - 1
y = 3 * x + 1
w = torch.tensor(0.5, requires_grad=True)
b = torch.tensor(0.0, requires_grad=True)
for start, end in {cuts}:
    error = (w * x[start:end] + b - y[start:end]) ** 2
    loss = error.{reduction}() * {scale}
    loss.backward()
"""


def gradients(
    cuts: list[tuple[int, int]], scale: float = 1.0, reduction: str = "mean", size: int = 32
) -> tuple[float, float]:
    """(w.grad, b.grad) on the engine after backward passes over the slices ``cuts``."""
    result = ran(PROGRAM.format(cuts=cuts, scale=scale, reduction=reduction, size=size))
    return grad(result, "w"), grad(result, "b")


def by_hand(indices: range) -> tuple[float, float]:
    """The two sums over examples of d/dw and d/db of (0.5x - 3x - 1)^2."""
    xs = [i / 16 - 1 for i in indices]
    slopes = [2 * (-2.5 * x - 1) for x in xs]
    return sum(s * x for s, x in zip(slopes, xs, strict=True)), sum(slopes)


FOUR = [(0, 8), (8, 16), (16, 24), (24, 32)]


@pytest.mark.claim("C30")
def test_scaled_micro_batches_give_the_gradient_of_the_large_batch() -> None:
    w, b = by_hand(range(32))
    assert gradients([(0, 32)]) == pytest.approx((w / 32, b / 32))
    assert gradients(FOUR, scale=1 / 4) == pytest.approx((w / 32, b / 32))


@pytest.mark.claim("C30")
def test_unscaled_micro_batches_give_k_times_as_much() -> None:
    w, b = by_hand(range(32))
    assert gradients(FOUR) == pytest.approx((4 * w / 32, 4 * b / 32))


@pytest.mark.claim("C30")
def test_unequal_sizes_need_weights_by_size() -> None:
    w, b = by_hand(range(28))
    cuts = [(0, 8), (8, 16), (16, 24), (24, 28)]
    quarter = gradients(cuts, scale=1 / 4, size=28)
    assert quarter != pytest.approx((w / 28, b / 28), rel=0.05)
    last = by_hand(range(24, 28))
    rest = by_hand(range(24))
    assert quarter == pytest.approx(tuple(r / 32 + 2 * x / 32 for r, x in zip(rest, last, strict=True)))


@pytest.mark.claim("C30")
@pytest.mark.parametrize(("scale", "steps"), [(0.5, [15, 2.5, 15]), (1.0, [15, 5, 30])])
def test_the_card_walk_collects_two_halves(scale: float, steps: list[float]) -> None:
    arrived = events(traced(ran(example("micro-batches", scale=scale))), "leaf_grad", "w")
    assert [event.after for event in arrived] == pytest.approx(steps)


@pytest.mark.claim("C31")
def test_summed_gradient_grows_with_the_batch_and_the_mean_one_does_not() -> None:
    program = """
import torch
w = torch.tensor(2.0, requires_grad=True)
x = torch.tensor([1.0, 2.0, 3.0, 4.0] * {copies})
((w * x) ** 2).{reduction}().backward()
"""
    for copies in (1, 2, 8):
        assert grad(ran(program.format(copies=copies, reduction="sum")), "w") == pytest.approx(2 * 2 * 30 * copies)
        assert grad(ran(program.format(copies=copies, reduction="mean")), "w") == pytest.approx(2 * 2 * 30 / 4)
