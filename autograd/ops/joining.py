"""Joining tensors into one, and taking one apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor
from .shaping import axis_of
from .table import op


def _cat_vjp(g: Any, m: Any, tensors_shape: Any, dim: int) -> list[Any]:
    out, start = [], 0
    for shape in tensors_shape:
        if shape == (0,) and g.ndim != 1:  # PyTorch lets an empty 1-d tensor stand anywhere
            out.append(m.zeros(shape))
            continue
        axis = axis_of(dim, len(shape))
        out.append(m.narrow(g, axis, start, shape[axis]))
        start += shape[axis]
    return out


def _some(name: str, tensors: Any, error: Exception) -> tuple[Any, ...]:
    """The tensors as a tuple; TypeError for anything else, `error` if there are none."""
    if not isinstance(tensors, (list, tuple)):
        raise TypeError(
            f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not {type(tensors).__name__}"
        )
    for i, each in enumerate(tensors):
        if not isinstance(each, Tensor) and not hasattr(each, "dtype"):
            raise TypeError(f"expected Tensor as element {i} in argument 0, but got {type(each).__name__}")
    if not tensors:
        raise error
    return tuple(tensors)


def _cat(tensors: Any, dim: int = 0) -> Any:
    if not len(tensors):
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    arrays = [t for t in tensors if t.shape != (0,)] or list(tensors)
    for t in tensors:
        if np.ndim(t) == 0:
            raise RuntimeError("zero-dimensional tensor (at position 0) cannot be concatenated")
    axis = axis_of(dim, arrays[0].ndim)
    for i, t in enumerate(arrays[1:], 1):
        if t.ndim != arrays[0].ndim:
            raise RuntimeError(f"Tensors must have same number of dimensions: got {arrays[0].ndim} and {t.ndim}")
        for d in range(t.ndim):
            if d != axis and t.shape[d] != arrays[0].shape[d]:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {axis}. Expected size {arrays[0].shape[d]} but "
                    f"got size {t.shape[d]} for tensor number {i} in the list."
                )
    return np.concatenate(arrays, axis=axis)


cat = op(
    "cat", "CatBackward0", _cat, variadic="tensors", vjp={"tensors": _cat_vjp}, jvp="linear", promote="numeric",
    symbol="cat({tensors})", method=False,
    parse=lambda tensors, dim=0, axis=None: (
        _some("cat", tensors, ValueError("torch.cat(): expected a non-empty list of Tensors")),
        (dim if axis is None else axis,)
    ),
    aliases="concat concatenate",
)  # fmt: skip


def _stack(tensors: Any, dim: int = 0) -> Any:
    if not len(tensors):
        raise RuntimeError("stack expects a non-empty TensorList")
    for i, t in enumerate(tensors):
        if np.shape(t) != np.shape(tensors[0]):
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(np.shape(tensors[0]))} at entry 0 and "
                f"{list(np.shape(t))} at entry {i}"
            )
    return np.stack(tensors, axis=axis_of(dim, np.ndim(tensors[0]) + 1))


stack = op(
    "stack", "StackBackward0", _stack, variadic="tensors",
    vjp={"tensors": lambda g, m, tensors_size, dim: [m.select(g, dim, i) for i in range(tensors_size)]}, jvp="linear",
    promote="numeric", symbol="stack({tensors})", method=False,
    parse=lambda tensors, dim=0: (_some("stack", tensors, RuntimeError("stack expects a non-empty TensorList")),
        (dim,)),
)  # fmt: skip


def _unbind(input: Any, dim: int = 0) -> Any:
    if np.ndim(input) == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    axis = axis_of(dim, input.ndim)
    return [input[(slice(None),) * axis + (i, ...)] for i in range(input.shape[axis])]


unbind = op(
    "unbind", "UnbindBackward0", _unbind,
    vjp={"input": lambda g, m, input_shape, dim: _unbind_vjp(g, m, input_shape, dim)}, jvp="linear",
    many=True, view=True, rule={"input": "the gradients of the parts, joined"}, symbol="unbind({input})",
)  # fmt: skip


def _unbind_vjp(g: Any, m: Any, shape: tuple[int, ...], dim: int) -> Any:
    axis = axis_of(dim, len(shape))
    missing = shape[:axis] + shape[axis + 1 :]
    like = next(x for x in g if x is not None)
    return m.stack([m.zeros_like(like) if x is None else x for x in g], axis) if missing is not None else None
