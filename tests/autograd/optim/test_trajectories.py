"""Optimizers and schedules step by step against PyTorch's golden values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snippets.torch_api import torch
from tests.autograd.optim.trajectories import OPTIMIZERS, SCHEDULES, schedule, trajectory

HERE = Path(__file__).parents[2] / "golden" / "nn"
GOLDEN = json.loads((HERE / "optimizers.json").read_text(encoding="utf-8"))
RATES = json.loads((HERE / "schedules.json").read_text(encoding="utf-8"))


def same(got: Any, want: Any, where: str) -> None:
    """Equal structure, numbers within 1e-6."""
    if isinstance(want, dict):
        assert list(got) == list(want), where
        for key in want:
            same(got[key], want[key], f"{where}.{key}")
    elif isinstance(want, list):
        assert len(got) == len(want), where
        for place, (ours, theirs) in enumerate(zip(got, want, strict=True)):
            same(ours, theirs, f"{where}[{place}]")
    elif isinstance(want, float):
        np.testing.assert_allclose(got, want, rtol=1e-6, atol=1e-7, err_msg=where)
    else:
        assert got == want, where


@pytest.mark.parametrize("text", OPTIMIZERS)
def test_optimizer_takes_the_steps_pytorch_takes(text: str) -> None:
    got = json.loads(json.dumps(trajectory(text, torch)))
    same(got, GOLDEN[text], text)


@pytest.mark.parametrize("text", SCHEDULES)
def test_schedule_sets_the_rates_pytorch_sets(text: str) -> None:
    got = json.loads(json.dumps(schedule(text, torch)))
    same(got, RATES[text], text)
