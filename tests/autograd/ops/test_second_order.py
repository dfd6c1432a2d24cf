"""Two ways to a second derivative agree: forward mode through the backward rules, and the backward rules twice."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from autograd import forward
from snippets.torch_api import torch

from .cases import FAMILIES, Case
from .cases.evaluate import flat, pulled
from .test_table import STORED


def chosen() -> list[Any]:
    """A case of every expression that has a gradient, in the shape that is most of a shape."""
    best: dict[str, tuple[int, Case]] = {}
    for family, cases in FAMILIES.items():
        for case in cases:
            if "grads" in STORED[family][case.id] and case.second:
                rank = max((len(given.shape) for given in case.inputs.values() if 0 not in given.shape), default=0)
                if case.expression not in best or rank > best[case.expression][0]:
                    best[case.expression] = (rank, case)
    return [pytest.param(case, id=case.id) for _, case in best.values()]


def gradients(case: Case, tensors: dict[str, Any], names: list[str], create_graph: bool) -> list[Any]:
    results = flat(eval(case.expression, {"torch": torch, "F": torch.nn.functional, **tensors}))
    outputs, upstreams = pulled(torch, case, results)
    targets = [tensors[name] for name in names]
    return list(torch.autograd.grad(outputs, targets, upstreams, create_graph=create_graph, allow_unused=True))


def dot(a: Any, b: Any) -> float:
    return float((a.detach().numpy().astype(float) * b.detach().numpy().astype(float)).sum())


@pytest.mark.parametrize("case", chosen())
def test_forward_over_reverse_is_reverse_over_reverse(case: Case) -> None:
    names = [name for name, given in case.inputs.items() if given.differentiable]
    random = np.random.default_rng(3)
    like = lambda array: torch.from_numpy(np.asarray(random.normal(size=array.shape), array.dtype))  # noqa: E731
    directions = {name: like(case.arrays()[name]) for name in names}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tensors = {n: torch.from_numpy(a).requires_grad_(n in names) for n, a in case.arrays().items()}
        found = gradients(case, tensors, names, True)
        weights = [None if g is None else like(g.detach().numpy()) for g in found]
        sums = [(g * u).sum() for g, u in zip(found, weights, strict=True) if g is not None and g.requires_grad]
        twice = 0.0
        if sums:
            again = torch.autograd.grad(sum(sums), [tensors[n] for n in names], allow_unused=True)
            twice = sum(dot(g, directions[n]) for g, n in zip(again, names, strict=True) if g is not None)
        with forward.dual_level():
            tensors = {n: torch.from_numpy(a) for n, a in case.arrays().items()}
            for n in names:
                tensors[n] = forward.make_dual(tensors[n].requires_grad_(), directions[n])
            mixed = 0.0
            for g, u in zip(gradients(case, tensors, names, False), weights, strict=True):
                tangent = None if g is None else forward.unpack_dual(g).tangent
                mixed += 0.0 if tangent is None else dot(tangent, u)
    if math.isfinite(twice) and math.isfinite(mixed):
        low = any(given.dtype == "float16" for given in case.inputs.values()) or ".half()" in case.expression
        assert mixed == pytest.approx(twice, rel=0.1 if low else 5e-3, abs=0.1 if low else 5e-3)
