"""A small network trained on Iris, and any of its steps as a program."""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from snippets.torch_api import torch

DATA = Path(__file__).resolve().parents[2] / "assets" / "iris.csv"
FEATURES = ("sepal_length", "sepal_width", "petal_length", "petal_width")
SPECIES = ("setosa", "versicolor", "virginica")
TRAINING_ROWS = 120
EPOCHS = 40


@dataclass(frozen=True, slots=True)
class Setting:
    """What a learner chooses."""

    hidden: int = 8
    lr: float = 0.1
    batch: int = 30


@dataclass(frozen=True, slots=True)
class Point:
    """One training step: loss and gradient norm of its batch, before the step moved the weights."""

    loss: float
    norm: float


@dataclass(frozen=True, slots=True)
class _Rows:
    x: Any
    y: Any
    order: tuple[int, ...]
    test: tuple[int, ...]


@lru_cache(maxsize=1)
def _rows() -> _Rows:
    """The flowers, standardised by the training rows. Every fifth row is for testing."""
    with DATA.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    x = torch.tensor([[float(row[name]) for name in FEATURES] for row in rows])
    y = torch.tensor([SPECIES.index(row["species"]) for row in rows])
    test = tuple(i for i in range(len(rows)) if i % 5 == 4)
    training = [i for i in range(len(rows)) if i % 5 != 4]
    x = (x - x[training].mean(0)) / x[training].std(0)
    # 37 and 120 have no common factor, so this is a fixed shuffle.
    order = tuple(training[(i * 37) % TRAINING_ROWS] for i in range(TRAINING_ROWS))
    return _Rows(x, y, order, test)


class Training:
    """A training run that can be taken further, epoch by epoch."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self.points: list[Point] = []
        self.accuracy: list[float] = []
        self._weights: list[list[list[float] | list[list[float]]]] = []
        rows = _rows()
        self._rows = rows
        self._net = torch.nn.Sequential(
            torch.nn.Linear(4, setting.hidden), torch.nn.Tanh(), torch.nn.Linear(setting.hidden, 3)
        )
        with torch.no_grad():
            for p in self._net.parameters():
                numbers = [0.5 * math.sin(i * 1.7 + 0.3) if p.dim() == 2 else 0.0 for i in range(p.numel())]
                p.copy_(torch.tensor(numbers).reshape(p.shape))
        self._opt = torch.optim.SGD(self._net.parameters(), lr=setting.lr)

    @property
    def epochs(self) -> int:
        """How many epochs are behind it."""
        return len(self.accuracy)

    @property
    def steps_an_epoch(self) -> int:
        """How many batches an epoch has."""
        return -(-TRAINING_ROWS // self.setting.batch)

    def epoch(self) -> None:
        """Train one epoch and measure the accuracy on the test rows."""
        rows, net = self._rows, self._net
        for start in range(0, TRAINING_ROWS, self.setting.batch):
            chosen = list(rows.order[start : start + self.setting.batch])
            self._weights.append([p.detach().tolist() for p in net.parameters()])
            self._opt.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(rows.x[chosen]), rows.y[chosen])
            loss.backward()
            norm = math.sqrt(sum(float((p.grad**2).sum()) for p in net.parameters()))
            self._opt.step()
            self.points.append(Point(float(loss.item()), norm))
        with torch.no_grad():
            test = list(rows.test)
            right = net(rows.x[test]).argmax(1) == rows.y[test]
        self.accuracy.append(float(right.float().mean().item()))

    def program(self, step: int) -> str:
        """Step ``step`` (from 0) as a program: the weights it began with, and the first three rows of its batch."""
        rows = self._rows
        start = step % self.steps_an_epoch * self.setting.batch
        chosen = list(rows.order[start : start + 3])
        first, first_bias, second, second_bias = self._weights[step]
        flowers = [[round(v, 3) for v in rows.x[i].tolist()] for i in chosen]
        labels = [int(rows.y[i].item()) for i in chosen]
        return f"""import torch
from torch import nn

# The weights of step {step + 1}, and three flowers of its batch.
net = nn.Sequential(nn.Linear(4, {self.setting.hidden}), nn.Tanh(), nn.Linear({self.setting.hidden}, 3))
with torch.no_grad():
    net[0].weight.copy_(torch.tensor({_written(first)}))
    net[0].bias.copy_(torch.tensor({_written(first_bias)}))
    net[2].weight.copy_(torch.tensor({_written(second)}))
    net[2].bias.copy_(torch.tensor({_written(second_bias)}))
opt = torch.optim.SGD(net.parameters(), lr={self.setting.lr})
x = torch.tensor({_written(flowers)})
label = torch.tensor({labels})

opt.zero_grad()
loss = nn.functional.cross_entropy(net(x), label)
loss.backward()
opt.step()
"""


@lru_cache(maxsize=32)
def trained(setting: Setting, epochs: int = EPOCHS) -> Training:
    """A training run taken ``epochs`` far. Not to be taken further by the caller."""
    training = Training(setting)
    for _ in range(epochs):
        training.epoch()
    return training


def _written(value: Any) -> str:
    if isinstance(value, list):
        return "[" + ", ".join(_written(one) for one in value) + "]"
    return f"{value:.5g}" if value != int(value) else f"{value:.1f}"
