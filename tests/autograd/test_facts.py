"""Corner facts are as in PyTorch: values, printed forms, errors with their messages, warnings."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from autograd import warn
from snippets.torch_api import torch
from tests.autograd.facts import answer, facts

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent.parent / "golden" / "facts.json").read_text("utf-8"))
FACTS = facts()


@pytest.mark.parametrize("name", FACTS)
def test_is_as_in_pytorch(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", torch)
    warn.forget()
    got, want = answer(torch, FACTS[name]), GOLDEN[name]
    assert got == want, f"\n{FACTS[name]}\n got {got}\nwant {want}"


def test_every_stored_answer_belongs_to_a_fact() -> None:
    assert set(GOLDEN) == set(FACTS)
