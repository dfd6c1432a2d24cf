"""Which of a case's tensors the node of its result keeps: that decides which in-place writes raise."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .evaluate import compute
from .inputs import Case


def address(tensor: Any) -> int:
    array: np.ndarray = np.asarray(tensor.detach().numpy(force=True))
    return int(array.__array_interface__["data"][0])


def kept(torch: Any, node: Any) -> list[Any]:
    """The tensors that ``node`` saved, by its ``_saved_`` attributes."""
    if getattr(node, "op", None) is not None:  # ours
        names = [(*node.op.input_names, *node.op.output_names)[_place(node.op, source)] for source in node.op.saved]
        names = [name for name, (kind, _) in zip(names, node.op.saved, strict=True) if kind in ("input", "output")]
    else:
        names = [name.removeprefix("_saved_") for name in dir(node) if name.startswith("_saved_")]
    found: list[Any] = []
    for name in names:
        try:
            value = getattr(node, f"_saved_{name}")
        except RuntimeError:
            continue
        found += [x for x in (value if isinstance(value, list | tuple) else [value]) if isinstance(x, torch.Tensor)]
    return found


def _place(op: Any, source: tuple[str, int]) -> int:
    kind, where = source
    return where if kind == "input" else len(op.input_names) + where if kind == "output" else 0


def saves(torch: Any, case: Case) -> dict[str, Any] | None:
    """The name of the first result's node, and what it keeps: names of inputs, ``result``, or ``other``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tensors, results = compute(torch, case)
        first = next((r for r in results if isinstance(r, torch.Tensor) and r.requires_grad), None)
        if first is None or first.grad_fn is None or 0 in tuple(first.shape) or first.ndim == 0:
            return None
        places: dict[int, str] = {}
        for name, tensor in tensors.items():
            places.setdefault(address(tensor), name)
        places.setdefault(address(first), "result")
        names = {places.get(address(x), "other") for x in kept(torch, first.grad_fn) if 0 not in tuple(x.shape)}
    return {"node": type(first.grad_fn).__name__, "saves": sorted(names)}
