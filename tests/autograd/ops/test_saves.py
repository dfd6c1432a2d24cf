"""What each operation saves for its backward rule, compared with PyTorch."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from snippets.torch_api import torch

from .cases import FAMILIES, Case
from .cases.saves import saves

STORED = json.loads((Path(__file__).resolve().parents[2] / "golden" / "ops" / "saves.json").read_text(encoding="utf-8"))
CASES = {case.id: case for cases in FAMILIES.values() for case in cases}
#: nodes whose saved values differ knowingly: tensors of indices are copied here, factors of a matrix worked out again,
#: statistics of a batch kept where PyTorch keeps the running ones it does not need, lengths of segments as numbers
KNOWN = {
    "EmbeddingBagBackward0", "GatherBackward0", "IndexBackward0", "IndexCopyBackward0", "IndexPutBackward0",
    "LinalgDetBackward0",
    "LinalgSlogdetBackward0", "LinalgSolveExBackward0", "LogSigmoidBackward0", "NativeBatchNormBackward0",
    "PackPaddedSequenceBackward0", "RreluWithNoiseBackward0", "SegmentReduceBackward0", "SpecialLogNdtrBackward0",
    "UnsafeViewBackward0",
}  # fmt: skip
#: a number that PyTorch wraps in a tensor and then keeps
WRAPPED = {"3 / x", "x / 4", "F.dropout(x, 1.0)", "F.kl_div(x, y, reduction='batchmean')", "torch.special.ndtr(x)"}


@pytest.mark.parametrize("case", [pytest.param(CASES[id], id=id) for id in STORED])
def test_saves_what_pytorch_saves(case: Case) -> None:
    want, got = STORED[case.id], saves(torch, case)
    assert got is not None
    if got["node"] != want["node"] or want["node"] in KNOWN or case.expression in WRAPPED:
        return
    assert got["saves"] == want["saves"], f"{want['node']} saves {got['saves']}, in PyTorch {want['saves']}"
