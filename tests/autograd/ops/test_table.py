"""Every operation on every kind of input against PyTorch 2.13: values, gradients, second derivatives, errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from snippets.torch_api import torch

from .cases import FAMILIES, Case
from .cases.evaluate import evaluate

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "ops"
TOLERANCE = {"float16": (2e-3, 2e-3), "float32": (2e-5, 2e-6), "float64": (1e-10, 1e-11)}
#: PyTorch reports these nodes by another name; what they compute is compared all the same
NAMED_OTHERWISE = {
    "CloneBackward0", "CopySlices", "DivBackward1", "EmbeddingBagBackward0", "FillBackward2", "FillBackward3",
    "GridSampler2DBackward0", "IndexReduceBackward0", "LinalgHouseholderProductBackward0", "LinalgLstsqBackward0",
    "LinalgLuFactorExBackward0", "LinalgLuSolveBackward0", "LuUnpackBackward0", "MaxUnpool2DBackward0",
    "MulBackward1", "OrmqrBackward0", "MultilabelMarginLossBackward0", "NativeGroupNormBackward0", "NormBackward1",
    "PermuteBackward0",
    "PixelShuffleBackward0", "RenormBackward0", "ReshapeAliasBackward0", "SqueezeBackward1", "SqueezeBackward4",
    "TBackward1",
    "UnsafeMaskedIndexBackward0", "UnsafeViewBackward0", "UnsqueezeBackward1", "ViewBackward0",
}  # fmt: skip
#: PyTorch computes these in fewer digits than float64 has
ROUGH = {"ldexp", "lgamma", "digamma", "polygamma", "hardsigmoid"}


def golden(family: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((GOLDEN / f"{family}.json").read_text(encoding="utf-8"))
    return found


def numbers(stored: Any, dtype: str) -> np.ndarray:
    def back(value: Any) -> Any:
        if isinstance(value, list):
            return [back(item) for item in value]
        return float(value) if isinstance(value, str) else value

    return np.array(back(stored), dtype=dtype)


def same(what: str, got: np.ndarray, want: Any, shape: Any, dtype: str, rough: bool = False) -> None:
    """Shape and type first, then the numbers; the message says which value differs and how."""
    assert got.dtype.name == dtype, f"{what}: type {got.dtype.name}, want {dtype}"
    wanted = numbers(want, dtype).reshape(shape)
    assert got.shape == wanted.shape, f"{what}: shape {got.shape}, want {wanted.shape}"
    relative, absolute = TOLERANCE.get("float32" if rough else dtype, (0.0, 0.0))
    scale = float(np.max(np.abs(wanted[np.isfinite(wanted)]), initial=0.0)) if wanted.dtype.kind == "f" else 0.0
    close = np.allclose(got, wanted, rtol=relative, atol=absolute * max(1.0, scale), equal_nan=True)
    assert close, f"{what}: got {got.tolist()}, want {wanted.tolist()}"


def check(case: Case, want: dict[str, Any]) -> None:
    got = evaluate(torch, case)
    rough = case.op in ROUGH
    if "error" in want:
        assert got["error"] is not None, "raised nothing"
        assert got["error"]["type"] == want["error"]["type"], got["error"]
        phrase = case.phrase or want["error"]["message"]
        assert phrase in got["error"]["message"], f"message {got['error']['message']!r}, want {phrase!r}"
        return
    assert len(got["results"]) == len(want["results"]), "number of results"
    for place, (mine, theirs) in enumerate(zip(got["results"], want["results"], strict=True)):
        if "value" in theirs:
            assert alike(mine["value"], theirs["value"]), f"result {place}: {mine['value']}, want {theirs['value']}"
            continue
        same(f"result {place}", mine["array"], theirs["array"], theirs["shape"], theirs["dtype"], rough)
        assert mine["requires_grad"] == theirs["requires_grad"], (
            f"result {place}: requires_grad {mine['requires_grad']}"
        )
        if theirs["grad_fn"] not in NAMED_OTHERWISE:
            assert mine["grad_fn"] == theirs["grad_fn"], f"result {place}: {mine['grad_fn']}, want {theirs['grad_fn']}"
    if "refused" in want:
        assert "refused" in got, "PyTorch has no derivative here"
        return
    for kind in ("grads", "second"):
        if kind not in want or "refused" in want[kind] or (kind == "second" and not case.second):
            continue
        for name, theirs in want[kind].items():
            mine = got[kind][name]
            if theirs is None:
                assert mine is None or not np.any(mine), f"{kind} of {name}: {mine}, want none"
                continue
            given = case.inputs[name]
            if mine is None:
                assert not np.any(numbers(theirs, given.dtype)), f"{kind} of {name}: none, want {theirs}"
                continue
            same(f"{kind} of {name}", mine, theirs, given.array("").shape, given.dtype, rough)


PARAMETERS = [pytest.param(family, case, id=case.id) for family, cases in FAMILIES.items() for case in cases]
STORED = {family: golden(family) for family in FAMILIES}


def alike(got: Any, want: Any) -> bool:
    """Whether two plain results agree; floats to the digits that are stored."""
    return bool(np.isclose(got, want, rtol=1e-12)) if isinstance(want, float) else bool(np.all(got == want))


@pytest.mark.parametrize(("family", "case"), PARAMETERS)
def test_as_pytorch(family: str, case: Case) -> None:
    assert case.id in STORED[family], "no golden value: run tests/golden/make_ops.py"
    check(case, STORED[family][case.id])
