"""Where gradients end: what arrives at a leaf is added into its ``.grad``."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .dispatch import make
from .tensor import Tensor, meta_for


def accumulate(variable: Tensor, g: Any, on_tensors: bool) -> None:
    """Adds ``g`` into ``.grad`` of the leaf: in place, unless the addition itself is to be recorded."""
    meta = variable._meta or meta_for(variable)
    if not meta.requires_grad and variable._edge is None:
        return  # it was told, after the operation, that it wants none
    held = meta.grad
    if held is None:
        if on_tensors:
            meta.grad = make(np.zeros_like(g.array)).copy_(g)  # a copy, with history, as in PyTorch
        else:
            # keep the array if nobody else holds it
            if isinstance(g, np.ndarray) and (sys.getrefcount(g) > IN_HAND or not (g.base is None or _alone(g))):
                g = g.copy()
            meta.grad = make(g)
    elif on_tensors:
        meta.grad = held + g
    elif isinstance(held.array, np.ndarray) and held.array.ndim:
        from .inplace import written

        np.add(held.array, g, out=held.array)
        written(held)
    else:
        from .inplace import replace_scalar

        replace_scalar(held, held.array + g)
    if meta.post_accumulate:
        for hook in list(meta.post_accumulate.values()):
            if hook(variable) is not None:
                raise RuntimeError("Tensor post accumulate grad hooks should return None.")


def _alone(view: Any) -> bool:
    """Whether ``view``, such as a product transposed twice, is all there is of its memory and all that looks at it."""
    base = view.base
    if type(base) is not np.ndarray or base.base is not None or base.nbytes != view.nbytes:
        return False
    return bool(base.flags.owndata and view.flags.c_contiguous and sys.getrefcount(base) <= IN_VIEW)


def _held(array: Any) -> int:
    return sys.getrefcount(array)


def _base_held(view: Any) -> int:
    base = view.base
    return sys.getrefcount(base)


def _least_counts() -> tuple[int, int]:
    """How often an array counts as held that only a function and the one it called have, and how often the base of a
    view that nobody else looks at: Pythons differ in what they count.
    """
    array = np.zeros((2, 3))
    view = np.zeros((2, 3)).T
    return _held(array), _base_held(view)


IN_HAND, IN_VIEW = _least_counts()
