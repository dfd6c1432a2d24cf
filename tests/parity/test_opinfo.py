"""Every operator that exists here, on PyTorch's own samples of it, in four types."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
import torch

from tests.parity.opinfo import function_here, op_db, run

TYPES = (torch.float32, torch.float64, torch.int64, torch.bool)
HERE = [
    pytest.param(info, dtype, id=f"{info.name}.{info.variant_test_name}".rstrip(".") + f"-{str(dtype)[6:]}")
    for dtype in TYPES
    for info in op_db
    if dtype in info.dtypes and function_here(info) is not None
]


@pytest.mark.parametrize(("info", "dtype"), HERE)
def test_agrees_on_pytorchs_samples(info: Any, dtype: torch.dtype) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        report = run(info, dtype, 60)
    assert not report.failures, "\n".join(report.failures[:3])
