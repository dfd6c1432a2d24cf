"""eval() changes modules, no_grad() changes recording, and neither changes weights."""

from __future__ import annotations

import math

import pytest

from tests.claims.programs import data, example, grad, ran

COMBINATION = """
import torch
norm = torch.nn.BatchNorm1d(1)
drop = torch.nn.Dropout(1.0)
net = torch.nn.Sequential(norm, drop)
net.{mode}()
x = torch.tensor([[1.0], [3.0]])
{head}
    normed = norm(x)
    masked = drop(x)
training = net.training
mean = norm.running_mean
weight = norm.weight
"""


@pytest.mark.claim("C39")
@pytest.mark.parametrize("mode", ["train", "eval"])
@pytest.mark.parametrize("recording", [True, False])
def test_the_four_combinations(mode: str, recording: bool) -> None:
    result = ran(COMBINATION.format(mode=mode, head="if True:" if recording else "with torch.no_grad():"))
    if mode == "train":  # the batch against itself: mean 2, standard deviation 1; a dropout of 1 masks everything
        assert [row[0] for row in data(result, "normed")] == pytest.approx([-1, 1], abs=1e-4)
        assert data(result, "masked") == [[0.0], [0.0]]
        assert data(result, "mean") == pytest.approx([0.1 * 2])
    else:  # the running statistics of a new module: mean 0, variance 1
        assert [row[0] for row in data(result, "normed")] == pytest.approx([1, 3], abs=1e-4)
        assert data(result, "masked") == [[1.0], [3.0]]
        assert data(result, "mean") == [0.0]
    assert result.values["normed"]["requires_grad"] is recording
    assert result.values["training"] is (mode == "train")
    assert data(result, "weight") == [1.0]


@pytest.mark.claim("C39")
def test_gradients_flow_in_eval_mode() -> None:
    result = ran("""
import torch
x = torch.tensor([[1.0], [3.0]])
norm = torch.nn.BatchNorm1d(1)
norm(x)
norm.eval()
norm(x).sum().backward()
weight = norm.weight
""")
    # After the batch (1, 3) the running mean is 0.1·2 and the variance 0.9 + 0.1·2; the slope sums the normalised x.
    assert grad(result, "weight") == pytest.approx([(0.8 + 2.8) / math.sqrt(1.1)], rel=1e-4)
    assert data(result, "weight") == [1.0]


@pytest.mark.claim("C39")
def test_the_card_walk_masks_in_training_mode_only_and_records_in_both() -> None:
    result = ran(example("eval-mode"))
    assert (data(result, "train_out"), data(result, "eval_out")) == (0, 6)
    assert result.values["train_out"]["requires_grad"] is True
    # loss = (2w)^2 at w = 3
    assert grad(result, "w") == 24
