"""Random operations: what they draw is our own stream, so what is tested is what must hold whatever is drawn."""

from __future__ import annotations

import numpy as np
import pytest

from snippets.torch_api import torch

F = torch.nn.functional


@pytest.mark.parametrize("p", [0.2, 0.5, 0.9])
def test_dropout_keeps_the_mean_and_its_gradient_is_its_mask(p: float) -> None:
    torch.manual_seed(0)
    x = torch.ones(20_000, requires_grad=True)
    y = F.dropout(x, p)
    y.sum().backward()
    assert np.array_equal(x.grad.numpy(), y.detach().numpy())
    assert set(np.unique(y.detach().numpy())) == {np.float32(0), np.float32(1 / (1 - p))}
    assert float((y == 0).float().mean()) == pytest.approx(p, abs=0.02)


def test_the_same_seed_draws_the_same_mask() -> None:
    masks = []
    for _ in range(2):
        torch.manual_seed(7)
        masks.append(F.dropout(torch.ones(50), 0.5).tolist())
    assert masks[0] == masks[1]


def test_dropout_of_channels_strikes_out_whole_channels() -> None:
    torch.manual_seed(0)
    y = F.dropout2d(torch.ones(8, 16, 3, 3), 0.5).numpy().reshape(128, 9)
    assert all(len(set(row)) == 1 for row in y.tolist())


def test_dropout_does_nothing_in_eval() -> None:
    x = torch.ones(3, requires_grad=True)
    assert F.dropout(x, 0.5, training=False) is x


@pytest.mark.parametrize(
    ("draw", "mean", "deviation"),
    [
        ("torch.empty(40000).uniform_(1, 3)", 2.0, 0.577),
        ("torch.empty(40000).normal_(1, 2)", 1.0, 2.0),
        ("torch.empty(40000).exponential_(2)", 0.5, 0.5),
        ("torch.empty(40000).bernoulli_(0.25)", 0.25, 0.433),
        ("torch.bernoulli(torch.full((40000,), 0.25))", 0.25, 0.433),
        ("torch.empty(40000).random_(0, 10)", 4.5, 2.872),
    ],
)
def test_distributions_have_their_mean_and_deviation(draw: str, mean: float, deviation: float) -> None:
    torch.manual_seed(0)
    sample = eval(draw, {"torch": torch})
    assert float(sample.mean()) == pytest.approx(mean, abs=0.05)
    assert float(sample.std()) == pytest.approx(deviation, abs=0.05)


def test_overwriting_with_random_numbers_gives_a_gradient_of_zero() -> None:
    x = torch.ones(3, requires_grad=True)
    x.clone().uniform_().sum().backward()
    assert x.grad.tolist() == [0.0, 0.0, 0.0]


def test_rrelu_has_slopes_between_its_bounds() -> None:
    torch.manual_seed(0)
    x = torch.full((1000,), -1.0, requires_grad=True)
    F.rrelu(x, 0.1, 0.3, training=True).sum().backward()
    slopes = x.grad.numpy()
    assert 0.1 <= slopes.min() < slopes.max() <= 0.3


def test_hard_gumbel_softmax_is_one_hot_with_the_gradient_of_the_soft_one() -> None:
    torch.manual_seed(0)
    x = torch.zeros(5, 4, requires_grad=True)
    y = F.gumbel_softmax(x, hard=True)
    assert sorted(set(np.round(y.detach().numpy(), 6).ravel().tolist())) == [0.0, 1.0]
    (y * torch.tensor([1.0, 2.0, 3.0, 4.0])).sum().backward()
    assert np.any(x.grad.numpy())
