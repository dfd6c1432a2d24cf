"""Every operator that exists here, on PyTorch's own samples of it."""

from __future__ import annotations

import warnings

import pytest
import torch

from tests.parity.opinfo import function_here, op_db, run

#: operators of which some samples differ, and why
DIFFERENT = {
    "as_strided": "the samples look at memory that a copy does not share",
    "linalg.eigh": "eigenvectors are determined up to their sign",
    "linalg.lstsq": "residuals carry no gradient here",
    "linalg.lu": "no gradient for matrices that are not square",
    "linalg.svd": "singular vectors are determined up to their sign",
    "logcumsumexp": "numbers of 10,000 in float32: both are off by 0.001",
    "matrix_exp": "cancellation in float32",
    "nn.functional.grid_sample": "no bicubic sampling here",
    "nn.functional.multi_head_attention_forward": "draws random numbers",
    "nn.functional.triplet_margin_with_distance_loss": "the samples pass modules of PyTorch",
    "svd": "singular vectors are determined up to their sign",
}
HERE = [info for info in op_db if torch.float32 in info.dtypes and function_here(info) is not None]


@pytest.mark.parametrize("info", HERE, ids=lambda info: f"{info.name}.{info.variant_test_name}".rstrip("."))
def test_agrees_on_pytorchs_samples(info: object) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = run(info, torch.float32, 60)
    if info.name in DIFFERENT:  # type: ignore[attr-defined]
        pytest.xfail(DIFFERENT[info.name])  # type: ignore[attr-defined]
    assert not report.failures, "\n".join(report.failures[:3])
