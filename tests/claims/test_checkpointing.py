"""Recomputing instead of remembering; half precision."""

from __future__ import annotations

import math

import pytest

from tests.claims.programs import bytes_held, example, grad, ran, traced

SEGMENTED = """
import torch
from torch.utils.checkpoint import checkpoint

x = torch.full(({batch},), 0.3, requires_grad=True)
runs = []

def layers(h, count):
    for _ in range(count):
        runs.append(1)
        h = torch.tanh(h)
    return h

h = x
for _ in range({segments}):
    h = checkpoint(layers, h, {depth} // {segments}, use_reentrant=False)
loss = h.sum()
loss.backward()
ran = len(runs)
"""

PLAIN = SEGMENTED.replace("checkpoint(layers, h, {depth} // {segments}, use_reentrant=False)",
                          "layers(h, {depth} // {segments})")  # fmt: skip


@pytest.mark.claim("C36")
@pytest.mark.parametrize("segments", [1, 2, 4, 16])
def test_gradients_are_equal_bit_for_bit(segments: int) -> None:
    plain = ran(PLAIN.format(batch=5, depth=16, segments=segments), trace=False)
    checkpointed = ran(SEGMENTED.format(batch=5, depth=16, segments=segments), trace=False)
    assert grad(plain, "x") == grad(checkpointed, "x")


@pytest.mark.claim("C36")
def test_every_layer_inside_is_computed_twice() -> None:
    plain = ran(PLAIN.format(batch=5, depth=16, segments=4), trace=False)
    checkpointed = ran(SEGMENTED.format(batch=5, depth=16, segments=4), trace=False)
    assert (plain.values["ran"], checkpointed.values["ran"]) == (16, 32)


@pytest.mark.claim("C36")
@pytest.mark.parametrize("saving", [0, 1])
def test_the_card_walk_has_the_derivative_of_calculus(saving: int) -> None:
    # d/dx tanh(exp x)^2 = 2 t (1 - t^2) exp x with t = tanh(exp x)
    e = math.exp(0.5)
    t = math.tanh(e)
    result = ran(example("checkpoint-segment", saving=saving))
    assert grad(result, "x") == pytest.approx(2 * t * (1 - t * t) * e)


@pytest.mark.claim("C54")
def test_half_precision_halves_the_bytes_held() -> None:
    program = """
import torch
x = torch.full((32, 4), 0.5, dtype=torch.{dtype}, requires_grad=True)
loss = torch.tanh(torch.tanh(x)).sum()
loss.backward()
"""
    single = max(bytes_held(traced(ran(program.format(dtype="float32")))))
    half = max(bytes_held(traced(ran(program.format(dtype="float16")))))
    assert (single, half) == (2 * 32 * 4 * 4, 2 * 32 * 4 * 2)


@pytest.mark.claim("C54")
def test_small_gradients_underflow_unless_the_loss_is_scaled() -> None:
    program = """
import torch
w = torch.tensor(1.0, dtype=torch.float16, requires_grad=True)
small = torch.tensor(1e-4, dtype=torch.float16)
loss = ((w * small) * small) * {scale}
loss.backward()
found = w.grad.float().item() / {scale}
"""
    assert ran(program.format(scale=1)).values["found"] == 0
    assert ran(program.format(scale=1024)).values["found"] == pytest.approx(1e-8, rel=0.01)
