"""Modules, optimizers, schedules and whole trainings run live under PyTorch and under the engine, and compared."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pytest
import torch as reference

from snippets.torch_api import torch as ours
from tests.autograd.nn.cases import CASES, Case
from tests.autograd.nn.evaluate import run
from tests.autograd.nn.programs import PROGRAMS, output
from tests.autograd.optim.test_trajectories import same
from tests.autograd.optim.trajectories import OPTIMIZERS, SCHEDULES, schedule, trajectory


def plain(value: Any) -> Any:
    """As read back from JSON: tuples are lists, keys are strings."""
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_module(case: Case) -> None:
    same(plain(run(case, ours, ours.nn)), plain(run(case, reference, reference.nn)), case.id)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = output(PROGRAMS[name], reference)
    for module in [key for key in sys.modules if key == "torch" or key.startswith("torch.")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "torch", ours)
    assert output(PROGRAMS[name], ours) == theirs


@pytest.mark.parametrize("text", OPTIMIZERS)
def test_optimizer(text: str) -> None:
    same(plain(trajectory(text, ours)), plain(trajectory(text, reference)), text)


@pytest.mark.parametrize("text", SCHEDULES)
def test_schedule(text: str) -> None:
    same(plain(schedule(text, ours)), plain(schedule(text, reference)), text)


NETWORKS = {
    "mlp": ("nn.Sequential(nn.Linear(6, 16), nn.Tanh(), nn.Linear(16, 3))", (32, 6)),
    "normalised": (
        "nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.LayerNorm(16), nn.Linear(16, 3))",
        (32, 6),
    ),
    "convolutional": (
        "nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), "
        "nn.Conv2d(4, 8, 3), nn.GELU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 3))",
        (16, 1, 8, 8),
    ),
    "attention": (
        "nn.Sequential(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), nn.Flatten(), "
        "nn.Linear(40, 3))",
        (16, 5, 8),
    ),
}
TRAINERS = [
    "optim.SGD(params, lr=0.05, momentum=0.9, nesterov=True, weight_decay=1e-3)",
    "optim.AdamW(params, lr=0.01)",
    "optim.RMSprop(params, lr=0.003)",
]


def train(network: str, trainer: str, torch: Any, state: dict[str, Any]) -> tuple[list[float], list[Any]]:
    """The losses of 40 clipped steps with a cosine schedule from the weights ``state``, and the last gradients."""
    text, shape = NETWORKS[network]
    net = eval(text, {"nn": torch.nn})
    net.load_state_dict({key: torch.tensor(value) for key, value in state.items()})
    random = np.random.default_rng(3)
    x = torch.tensor(random.normal(size=shape).astype(np.float32))
    y = torch.tensor(random.integers(0, 3, shape[0]))
    optimizer = eval(trainer, {"optim": torch.optim, "params": net.parameters()})
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 40)
    losses = []
    for _ in range(40):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(x), y, label_smoothing=0.1)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optimizer.step()
        scheduler.step()
        losses.append(loss.item())
    return losses, [p.grad.tolist() for p in net.parameters()]


@pytest.mark.parametrize("trainer", TRAINERS)
@pytest.mark.parametrize("network", NETWORKS)
def test_training(network: str, trainer: str) -> None:
    ours.manual_seed(0)
    start = {k: v.numpy() for k, v in eval(NETWORKS[network][0], {"nn": ours.nn}).state_dict().items()}
    got, _ = train(network, trainer, ours, start)
    want, _ = train(network, trainer, reference, start)
    np.testing.assert_allclose(got, want, rtol=2e-3, atol=2e-4)
