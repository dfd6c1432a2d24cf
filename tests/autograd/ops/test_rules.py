"""What must hold of the rules among themselves: forward and backward mode are transposes of one another.

And no entry of the table is without cases."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from autograd import forward
from autograd.mode import modes, sync
from autograd.ops import TABLE
from snippets.torch_api import torch

from .cases import FAMILIES, Case
from .cases.evaluate import compute, evaluate, flat, pulled
from .test_table import STORED

DIFFERENTIABLE = [
    pytest.param(case, id=case.id)
    for family, cases in FAMILIES.items()
    for case in cases
    if "grads" in STORED[family][case.id]
]


def tangent(case: Case, name: str, like: np.ndarray) -> np.ndarray:
    """A direction for input `name`."""
    return case.upstream(1000 + list(case.inputs).index(name), like.shape, like.dtype.name)


def pushed(case: Case) -> list[tuple[int, np.ndarray]]:
    """The tangents of the results along the directions of all inputs: Jv, by forward mode."""
    with forward.dual_level():
        scope: dict[str, Any] = {"torch": torch, "F": torch.nn.functional}
        for name, array in case.arrays().items():
            tensor = torch.from_numpy(array)
            if case.inputs[name].differentiable:
                tensor = forward.make_dual(tensor, torch.from_numpy(tangent(case, name, array)))
            scope[name] = tensor
        found = []
        for place, result in enumerate(flat(eval(case.expression, scope))):
            if isinstance(result, torch.Tensor):
                along = forward.unpack_dual(result).tangent
                if along is not None:
                    found.append((place, along.detach().numpy()))
        return found


@pytest.mark.parametrize("case", DIFFERENTIABLE)
def test_forward_mode_is_the_transpose_of_backward_mode(case: Case) -> None:
    """<u, Jv> = <J'u, v>."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tensors, results = compute(torch, case)
        outputs, upstreams = pulled(torch, case, results)
        places = [place for place, r in enumerate(results) if isinstance(r, torch.Tensor) and r.requires_grad]
        wanted = {name: tensors[name] for name, given in case.inputs.items() if given.differentiable}
        gradients = torch.autograd.grad(outputs, list(wanted.values()), upstreams, allow_unused=True)
        tangents = dict(pushed(case))
    scale, forward_side, backward_side = 1.0, 0.0, 0.0
    for place, upstream in zip(places, upstreams, strict=True):
        if place in tangents:
            products = upstream.numpy().astype(float) * tangents[place].astype(float)
            forward_side += float(products.sum())
            scale += float(np.abs(products).sum())
    for (name, tensor), gradient in zip(wanted.items(), gradients, strict=True):
        if gradient is not None:
            array = tensor.detach().numpy()
            backward_side += float((gradient.numpy().astype(float) * tangent(case, name, array).astype(float)).sum())
    if not (math.isfinite(forward_side) and math.isfinite(backward_side)):
        return  # inf and nan of corners are compared as golden values
    digits = 1e-9 if all(given.dtype == "float64" for given in case.inputs.values() if given.differentiable) else 3e-4
    if ".float()" in case.expression or "float32" in case.expression:
        digits = 3e-4
    if any(given.dtype == "float16" for given in case.inputs.values()) or ".half()" in case.expression:
        digits = 2e-2
    assert forward_side == pytest.approx(backward_side, abs=digits * scale), (
        f"<u, Jv> = {forward_side}, <J'u, v> = {backward_side}"
    )


#: only ever run inside the rules of others, on arrays
INNER = {"at", "unique_values"}
#: draw random numbers: see test_random.py
RANDOM = {
    "bernoulli", "bernoulli_fill", "cauchy_fill", "dropout", "dropout_product", "exponential_fill", "geometric_fill",
    "log_normal_fill", "multinomial", "normal_fill", "poisson", "random_fill", "uniform_fill",
}  # fmt: skip


def test_every_entry_of_the_table_has_a_case() -> None:
    seen: set[str] = set()

    class Observer:
        """Told of everything that runs."""

        def operation(self, op: Any, inputs: Any, params: Any, outputs: Any) -> None:
            seen.add(op.name)

        def visited(self, node: Any) -> None: ...
        def released(self, node: Any) -> None: ...

    modes.observer = Observer()
    sync()
    try:
        for cases in FAMILIES.values():
            for case in cases:
                evaluate(torch, case)
    finally:
        modes.observer = None
        sync()
    missing = sorted(set(TABLE) - seen - INNER - RANDOM)
    assert not missing, f"operations without a case: {', '.join(missing)}"
