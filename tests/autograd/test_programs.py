"""Small programs give what PyTorch gives: results, printed form, errors, warnings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from autograd import warn
from snippets.torch_api import torch
from tests.autograd.programs import Program, outcome, programs

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent.parent / "golden" / "programs.json").read_text())["answers"]
PROGRAMS = programs()

#: where our message goes on after PyTorch's, or PyTorch's goes on after ours: what both have in common is compared
SHORTER = {
    "creation.unknown_device": "Torch not compiled with CUDA enabled",
    "leaves.grad_must_have_the_size": "attempting to assign a gradient of size '[3]' to a tensor of size '[2]'",
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_answers_as_pytorch(name: str) -> None:
    warn.forget()
    program: Program = PROGRAMS[name]
    got, want = outcome(torch, program), GOLDEN[name]
    if name in SHORTER:
        for answer in (got, want):
            assert SHORTER[name] in answer["message"], answer["message"]
            answer["message"] = SHORTER[name]
    assert got == want, (
        f"{name}\n got {json.dumps(got, ensure_ascii=False)}\nwant {json.dumps(want, ensure_ascii=False)}"
    )


def test_every_stored_answer_belongs_to_a_program() -> None:
    assert set(GOLDEN) == set(PROGRAMS)
