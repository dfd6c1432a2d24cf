"""Initial values: their distributions are PyTorch's, their stream our own."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from autograd import nn
from autograd.random import manual_seed
from autograd.tensor import Tensor
from snippets.torch_api import torch

UNIFORM: list[tuple[str, Callable[[Tensor], Tensor], float]] = [
    ("uniform", lambda w: nn.init.uniform_(w, -0.3, 0.3), 0.3),
    ("xavier", nn.init.xavier_uniform_, math.sqrt(6 / (200 + 300))),
    ("xavier with gain", lambda w: nn.init.xavier_uniform_(w, gain=2.0), 2 * math.sqrt(6 / (200 + 300))),
    ("kaiming relu", lambda w: nn.init.kaiming_uniform_(w, nonlinearity="relu"), math.sqrt(6 / 300)),
    ("kaiming fan_out", lambda w: nn.init.kaiming_uniform_(w, mode="fan_out", nonlinearity="relu"), math.sqrt(6 / 200)),
]


@pytest.mark.parametrize(("name", "fill", "bound"), UNIFORM, ids=[row[0] for row in UNIFORM])
def test_uniform_initialisation_keeps_its_bound(name: str, fill: Callable[[Tensor], Tensor], bound: float) -> None:
    manual_seed(1)
    values = fill(torch.empty(200, 300)).array
    assert np.abs(values).max() <= bound
    assert np.abs(values).max() > 0.99 * bound
    assert values.std() == pytest.approx(bound / math.sqrt(3), rel=0.02)


NORMAL: list[tuple[str, Callable[[Tensor], Tensor], float]] = [
    ("normal", lambda w: nn.init.normal_(w, 0.0, 0.7), 0.7),
    ("xavier", nn.init.xavier_normal_, math.sqrt(2 / (200 + 300))),
    ("kaiming", lambda w: nn.init.kaiming_normal_(w, nonlinearity="relu"), math.sqrt(2 / 300)),
]


@pytest.mark.parametrize(("name", "fill", "std"), NORMAL, ids=[row[0] for row in NORMAL])
def test_normal_initialisation_has_its_deviation(name: str, fill: Callable[[Tensor], Tensor], std: float) -> None:
    manual_seed(2)
    values = fill(torch.empty(200, 300)).array
    assert values.std() == pytest.approx(std, rel=0.02)
    assert abs(values.mean()) < 0.02 * std + 0.005


def test_truncated_normal_stays_inside() -> None:
    manual_seed(3)
    values = nn.init.trunc_normal_(torch.empty(100, 100), a=-0.5, b=1.0).array
    assert values.min() >= -0.5
    assert values.max() <= 1.0


@pytest.mark.parametrize("shape", [(3, 5), (5, 3), (4, 2, 2)])
def test_orthogonal_rows_or_columns(shape: tuple[int, ...]) -> None:
    flat = nn.init.orthogonal_(torch.empty(*shape)).array.reshape(shape[0], -1)
    gram = flat @ flat.T if flat.shape[0] <= flat.shape[1] else flat.T @ flat
    np.testing.assert_allclose(gram, np.eye(len(gram)), atol=1e-6)


def test_layers_start_within_one_over_the_root_of_their_inputs() -> None:
    manual_seed(4)
    for layer, fan_in in ((nn.Linear(50, 40), 50), (nn.Conv2d(4, 30, 3), 36), (nn.LSTMCell(10, 25), 25)):
        for param in layer.parameters():
            largest = np.abs(param.array).max()
            assert 0.8 / math.sqrt(fan_in) < largest <= 1 / math.sqrt(fan_in), layer


def test_the_same_seed_gives_the_same_network() -> None:
    def weights() -> list[float]:
        manual_seed(5)
        return [float(p.array.sum()) for p in nn.Sequential(nn.Linear(3, 4), nn.Embedding(5, 2)).parameters()]

    assert weights() == weights()


def test_the_same_seed_gives_the_same_order_of_data() -> None:
    from autograd.data import DataLoader, random_split

    def order() -> list[list[int]]:
        manual_seed(6)
        return [batch.tolist() for batch in DataLoader(range(20), batch_size=6, shuffle=True)]

    assert order() == order()
    parts = [[part[i] for i in range(len(part))] for part in random_split(range(9), [3, 6])]
    assert sorted(parts[0] + parts[1]) == list(range(9))
