"""The table of cases run live under both frameworks: what the golden values say, said again by PyTorch itself."""

from __future__ import annotations

import pytest

from tests.autograd.ops.cases import FAMILIES, Case
from tests.autograd.ops.test_table import check
from tests.golden.make_ops import golden

PARAMETERS = [pytest.param(case, id=case.id) for cases in FAMILIES.values() for case in cases]


@pytest.mark.parametrize("case", PARAMETERS)
def test_as_pytorch_does_now(case: Case) -> None:
    check(case, golden(case))
