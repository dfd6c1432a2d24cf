"""Accounting: what a graph holds in memory, and what it computes."""

from __future__ import annotations

from typing import Any

import numpy as np


def saved_arrays(node: Any) -> list[Any]:
    """The arrays that ``node`` keeps for its backward rules (not numbers, shapes or parameters)."""
    from .dispatch import PackedTensor, SavedTensor
    from .tensor import Tensor

    found: list[Any] = []
    saved = getattr(node, "saved", None)
    if not isinstance(saved, tuple):
        return found
    op = node.op
    kinds = [kind for kind, _ in op.saved] if op is not None else ["input"] * len(saved)
    for kind, value in zip(kinds, saved, strict=False):
        if kind not in ("input", "output", "param"):
            continue
        for each in value if isinstance(value, (tuple, list)) else (value,):
            if isinstance(each, SavedTensor):
                found.append(each.tensor.array)
            elif isinstance(each, Tensor):
                found.append(each.array)
            elif isinstance(each, PackedTensor):
                continue
            elif isinstance(each, (np.ndarray, np.generic)):
                found.append(each)
    return found


def bytes_saved(node: Any) -> int:
    """The bytes of those arrays; an array saved twice by the node counts once."""
    seen: dict[int, int] = {}
    for array in saved_arrays(node):
        seen[id(array)] = array.nbytes
    return sum(seen.values())
