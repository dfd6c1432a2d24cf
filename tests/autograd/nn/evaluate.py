"""Runs a case of :mod:`cases` on PyTorch or on the engine, by the same code; the numbers come out as nested lists."""

from __future__ import annotations

import zlib
from types import SimpleNamespace
from typing import Any

import numpy as np


def _numbers(spec: Any, random: np.random.Generator) -> Any:
    """The array an input stands for."""
    kind, *rest = spec if spec and isinstance(spec[0], str) else ("float", *spec)
    if kind == "int":
        low, high, *shape = rest
        return random.integers(low, high, shape)
    shape = rest
    if kind == "prob":
        return random.uniform(0.05, 0.95, shape)
    if kind == "sign":
        return np.where(random.random(shape) < 0.5, -1.0, 1.0)
    values = random.normal(size=shape)
    if kind == "log":
        values = values - np.log(np.exp(values).sum(1, keepdims=True))
    return values


def _keyword(text: Any, torch: Any) -> Any:
    if not isinstance(text, str):
        return text
    kind, *sizes = text.split()
    if kind == "causal":
        n = int(sizes[0])
        return torch.tensor(np.triu(np.ones((n, n), bool), 1))
    rows, columns = map(int, sizes)
    mask = np.zeros((rows, columns), bool)
    mask[0, -2:] = True
    return torch.tensor(mask)


def _flat(value: Any) -> list[Any]:
    """The tensors in a result, in order."""
    if isinstance(value, (tuple, list)):
        return [t for item in value for t in _flat(item)]
    return [] if value is None else [value]


def run(case: Any, torch: Any, nn: Any) -> dict[str, Any]:
    """Result, gradients, buffers, state keys and repr of ``case``: parameters and inputs come from its name."""
    module = eval(case.make, {"nn": nn, "torch": torch, "SimpleNamespace": SimpleNamespace})
    text = repr(module)
    module.double()
    random = np.random.default_rng(zlib.crc32(case.id.encode()))
    state = module.state_dict()
    for name, entry in state.items():
        if (
            name.split(".")[-1] in ("num_batches_tracked", "running_mean", "running_var")
            or not entry.is_floating_point()
        ):
            continue
        if name in dict(module.named_parameters()):
            state[name] = torch.tensor(random.normal(size=tuple(entry.shape)))
    module.load_state_dict(state)
    module.train(not case.eval)
    out: dict[str, Any] = {"repr": text, "keys": list(state)}
    for _ in range(case.calls):
        module.zero_grad()
        inputs = []
        given = []
        for spec in case.inputs:
            if spec[0] == "pair":
                pair = tuple(torch.tensor(random.normal(size=spec[1:]), requires_grad=True) for _ in range(2))
                inputs += pair
                given.append(pair)
                continue
            tensor = torch.tensor(_numbers(spec, random))
            if tensor.is_floating_point() and spec[0] != "sign":
                tensor.requires_grad_()
            inputs.append(tensor)
            given.append(tensor)
        if "inplace=True" in case.make:
            given = [t * 1 for t in given]
        keywords = {key: _keyword(value, torch) for key, value in case.keywords.items()}
        results = _flat(module(*given, **keywords))
        total = 0
        for result in results:
            if result.requires_grad:
                total = total + (result * torch.tensor(random.normal(size=tuple(result.shape)))).sum()
        if results[0].requires_grad:
            total.backward()
        out["results"] = [r.detach().tolist() for r in results]
        out["dtypes"] = [str(r.dtype) for r in results]
        out["inputs"] = [None if t.grad is None else t.grad.tolist() for t in inputs]
        out["parameters"] = {n: None if p.grad is None else p.grad.tolist() for n, p in module.named_parameters()}
        out["buffers"] = {n: b.tolist() for n, b in module.named_buffers()}
    return out
