"""Every module against PyTorch's golden values: results, all gradients, buffers, names of the state, printed form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snippets.torch_api import torch
from tests.autograd.nn.cases import CASES, Case
from tests.autograd.nn.evaluate import run

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "golden" / "nn" / "modules.json").read_text(encoding="utf-8")
)


def close(got: Any, want: Any, where: str) -> None:
    """Nested lists of numbers agree; the message says where they do not."""
    if want is None or got is None:
        assert got is want, f"{where}: got {got}, want {want}"
        return
    got, want = np.asarray(got, np.float64), np.asarray(want, np.float64)
    assert got.shape == want.shape, f"{where}: got shape {got.shape}, want {want.shape}"
    np.testing.assert_allclose(got, want, rtol=1e-7, atol=1e-9, err_msg=where)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_module_agrees_with_pytorch(case: Case) -> None:
    want = GOLDEN[case.id]
    got = run(case, torch, torch.nn)
    assert got["repr"] == want["repr"]
    assert got["keys"] == want["keys"]
    assert got["dtypes"] == want["dtypes"]
    for kind in ("results", "inputs"):
        assert len(got[kind]) == len(want[kind])
        for place, (ours, theirs) in enumerate(zip(got[kind], want[kind], strict=True)):
            close(ours, theirs, f"{case.make} {kind}[{place}]")
    for kind in ("parameters", "buffers"):
        assert list(got[kind]) == list(want[kind])
        for name, theirs in want[kind].items():
            close(got[kind][name], theirs, f"{case.make} {kind} {name}")
