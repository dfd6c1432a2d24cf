"""Run one case on a framework, the real one or ours: both answer through the same names, so the same code asks them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .inputs import Case


def flat(result: Any) -> list[Any]:
    """The tensors and plain values in a result, in order."""
    if isinstance(result, list | tuple):
        return [item for part in result for item in flat(part)]
    return [result]


def compute(torch: Any, case: Case) -> tuple[dict[str, Any], list[Any]]:
    """The inputs as tensors, and what the expression gave."""
    tensors = {}
    for name, given in case.inputs.items():
        tensor = torch.from_numpy(case.arrays()[name])
        tensors[name] = tensor.requires_grad_() if given.differentiable else tensor
    scope = {"torch": torch, "F": torch.nn.functional, **tensors}
    return tensors, flat(eval(case.expression, scope))  # the expressions are ours


def pulled(torch: Any, case: Case, results: list[Any]) -> tuple[list[Any], list[Any]]:
    """The differentiable results and the upstream of each."""
    chosen = [(place, r) for place, r in enumerate(results) if isinstance(r, torch.Tensor) and r.requires_grad]
    upstreams = [
        torch.from_numpy(case.upstream(place, tuple(r.shape), str(r.dtype).removeprefix("torch.")))
        for place, r in chosen
    ]
    return [r for _, r in chosen], upstreams


def evaluate(torch: Any, case: Case) -> dict[str, Any]:
    """Values, gradients of every input, second derivatives; or the error. Arrays stay arrays."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if case.raises:
            try:
                compute(torch, case)
            except Exception as error:
                return {"error": {"type": type(error).__name__, "message": str(error).split("\n")[0]}}
            return {"error": None}
        tensors, results = compute(torch, case)
        outcome: dict[str, Any] = {"results": [described(torch, result) for result in results]}
        outputs, upstreams = pulled(torch, case, results)
        wanted = {name: tensors[name] for name, given in case.inputs.items() if given.differentiable}
        if not outputs or not wanted:
            return outcome
        try:
            first = torch.autograd.grad(outputs, list(wanted.values()), upstreams, retain_graph=True, allow_unused=True)
        except (RuntimeError, NotImplementedError) as error:
            return outcome | {"refused": str(error).split("\n")[0]}
        outcome["grads"] = {name: array(g) for name, g in zip(wanted, first, strict=True)}
        if case.second:
            try:
                outcome["second"] = second(torch, case, wanted, outputs, upstreams)
            except (RuntimeError, NotImplementedError) as error:
                outcome["second"] = {"refused": str(error).split("\n")[0]}
        return outcome


def second(torch: Any, case: Case, wanted: dict[str, Any], outputs: list[Any], upstreams: list[Any]) -> dict[str, Any]:
    """The gradient of a weighted sum of the first gradients: every second derivative takes part."""
    names = list(wanted)
    first = torch.autograd.grad(outputs, list(wanted.values()), upstreams, create_graph=True, allow_unused=True)
    total = None
    for place, gradient in enumerate(first):
        if gradient is None or not gradient.requires_grad:
            continue
        dtype = str(gradient.dtype).removeprefix("torch.")
        weights = torch.from_numpy(case.upstream(100 + place, tuple(gradient.shape), dtype))
        term = (gradient * weights).sum()
        total = term if total is None else total + term
    if total is None:
        return dict.fromkeys(names)
    found = torch.autograd.grad(total, list(wanted.values()), allow_unused=True)
    return {name: array(g) for name, g in zip(names, found, strict=True)}


def array(tensor: Any) -> np.ndarray | None:
    return None if tensor is None else np.asarray(tensor.detach().numpy(force=True))


def described(torch: Any, result: Any) -> dict[str, Any]:
    if not isinstance(result, torch.Tensor):
        return {"value": list(result) if isinstance(result, tuple) else result}
    return {
        "array": array(result),
        "dtype": str(result.dtype).removeprefix("torch."),
        "shape": list(result.shape),
        "grad_fn": None if result.grad_fn is None else type(result.grad_fn).__name__,
        "requires_grad": result.requires_grad,
    }
