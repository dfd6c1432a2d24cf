"""Computing without recording, and inference mode."""

from __future__ import annotations

import pytest

from tests.claims.programs import data, events, example, failed, grad, ran, recorded_ops, traced

BLOCK = """
import torch
x = torch.full((10,), 0.5, requires_grad=True)
{head}
    y = torch.exp(x)
    z = torch.tanh(y).sum()
"""


@pytest.mark.claim("C37")
def test_nothing_in_the_block_is_recorded_or_held_and_the_values_are_the_same() -> None:
    on = ran(BLOCK.format(head="if True:"))
    off = ran(BLOCK.format(head="with torch.no_grad():"))
    assert data(on, "z") == data(off, "z")
    assert len(recorded_ops(traced(on))) == 3
    assert recorded_ops(traced(off)) == []
    assert sum(node.saved_bytes for node in traced(on).nodes) == 2 * 10 * 4  # the results of exp and tanh
    assert sum(node.saved_bytes for node in traced(off).nodes) == 0
    assert (on.values["z"]["requires_grad"], off.values["z"]["requires_grad"]) == (True, False)


@pytest.mark.claim("C37")
def test_recording_goes_on_after_the_block_and_the_leaf_is_unchanged() -> None:
    result = ran(example("no-grad-block", x=5.0))
    assert data(result, "y") == data(result, "z") == 25
    assert grad(result, "x") == 10
    assert result.values["x"]["requires_grad"] is True
    cut = [edge for edge in traced(result).edges if edge.how == "no_grad"]
    assert len(cut) == 1
    assert not cut[0].recorded
    assert events(traced(result), "accumulate", "z") == []


@pytest.mark.claim("C37")
def test_training_mode_is_untouched() -> None:
    result = ran("""
import torch
drop = torch.nn.Dropout(1.0)
with torch.no_grad():
    inside = drop(torch.ones(3))
    training = drop.training
""")
    assert result.values["training"] is True
    assert data(result, "inside") == [0.0, 0.0, 0.0]


@pytest.mark.claim("C38")
def test_an_inference_tensor_cannot_enter_a_recorded_operation() -> None:
    program = """
import torch
w = torch.tensor(2.0, requires_grad=True)
with torch.{mode}():
    a = torch.tensor(3.0) * 2
y = w * a
y.backward()
"""
    error = failed(program.format(mode="inference_mode"))
    assert error["type"] == "RuntimeError"
    assert "Inference tensors cannot be saved for backward" in error["message"]
    assert error["line"] == 6
    assert grad(ran(program.format(mode="no_grad")), "w") == 6


@pytest.mark.claim("C38")
def test_inference_mode_drops_the_version_counter() -> None:
    program = """
import torch
with torch.{mode}():
    a = torch.ones(3)
    a.add_(1)
version = a._version
"""
    assert ran(program.format(mode="no_grad")).values["version"] == 1
    assert "version counter" in failed(program.format(mode="inference_mode"))["message"]
