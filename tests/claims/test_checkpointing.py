"""Recomputing instead of remembering; half precision."""

from __future__ import annotations

import math
import tracemalloc

import pytest

from snippets.torch_api import torch
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


def peak(depth: int, segments: int | None) -> float:
    """The most memory a forward and a backward pass of ``depth`` layers hold, in units of one activation."""
    entries = 20_000

    def layers(h: object, count: int) -> object:
        for _ in range(count):
            h = torch.tanh(h)
        return h

    x = torch.full((entries,), 0.3, requires_grad=True)
    tracemalloc.start()
    try:
        h = x
        if segments is None:
            h = layers(h, depth)
        else:
            for _ in range(segments):
                h = torch.utils.checkpoint.checkpoint(layers, h, depth // segments, use_reentrant=False)
        loss = h.sum()
        del h
        loss.backward()
        return tracemalloc.get_traced_memory()[1] / (4 * entries)
    finally:
        tracemalloc.stop()


@pytest.mark.claim("C36")
def test_peak_is_lowest_near_the_square_root_of_the_depth() -> None:
    plain = peak(36, None)
    peaks = {segments: peak(36, segments) for segments in (1, 2, 6, 18, 36)}
    assert plain >= 36
    assert min(peaks, key=peaks.__getitem__) == 6
    assert peaks[6] < 6 + 36 / 6 + 4  # the inputs, one segment, and a few arrays at work
    assert peaks[6] < plain / 2


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
