"""Programs about modules, optimizers and data print what they print under PyTorch, errors and warnings included."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from snippets.torch_api import torch
from tests.autograd.nn.programs import PROGRAMS, output

GOLDEN: dict[str, str] = json.loads(
    (Path(__file__).parents[2] / "golden" / "nn" / "programs.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_prints_what_it_prints_under_pytorch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", torch)
    assert output(PROGRAMS[name], torch) == GOLDEN[name]
