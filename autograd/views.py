"""Views and their history.

A view knows its base and the operations that lead from there to it. When the base is written in place, the view's own
node is out of date; it is made anew from the base's the next time somebody asks, as an ``AsStridedBackward0``. When a
view is written, the base gets a ``CopySlices`` node: the gradient of what the view covers goes to the written value,
the rest goes on to what was there before.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .dispatch import plain_name
from .node import NO_EDGE, Edge, Node, meta_of
from .tensor import Tensor, ViewInfo

Chain = tuple[tuple[Any, tuple[Any, ...], int], ...]


def replay(chain: Chain, array: Any) -> Any:
    """The part of ``array`` that the view operations in ``chain`` look at, as a NumPy view."""
    for op, params, number in chain:
        array = op.forward(array, *params)
        if op.multi:
            array = array[number]
    return array


def replay_tensor(chain: Chain, tensor: Tensor) -> Tensor:
    """:func:`replay` with recorded operations."""
    from .dispatch import apply

    for op, params, number in chain:
        result = apply(op, (tensor,), params)
        tensor = result[number] if op.multi else result
    return tensor


class AsStridedBackward0(Node):
    """A view of a base that was written after the view was taken; ``saved`` is the way from base to view."""

    __module__ = "builtins"
    __slots__ = ()

    def backward(self, g: Any) -> tuple[Any, ...]:
        chain, shape, dtype = self.saved
        whole = np.zeros(shape, dtype)
        replay(chain, whole)[...] += g
        return (whole,)

    def backward_tensors(self, g: Any) -> tuple[Any, ...]:
        from .creation import zeros
        from .dtypes import OF_NUMPY

        chain, shape, dtype = self.saved
        whole = zeros(shape, dtype=OF_NUMPY[dtype])
        replay_tensor(chain, whole).add_(g)
        return (whole,)


class CopySlices(Node):
    """An in-place operation on a view, seen from the base; ``saved`` is (way to the view, node of the operation)."""

    __module__ = "builtins"
    __slots__ = ()
    frees = True

    def name(self) -> str:
        """PyTorch's name in C++, which it shows in messages."""
        return "torch::autograd::CopySlices"

    def backward(self, g: Any) -> tuple[Any, ...]:
        chain, inner = self.saved
        rest = np.array(g)
        part = replay(chain, rest)
        grads = inner.backward(part.copy() if part.ndim else part[()])
        part[...] = 0 if grads[0] is None else grads[0]
        return (rest[()] if rest.ndim == 0 else rest, *grads[1:])

    def backward_tensors(self, g: Any) -> tuple[Any, ...]:
        chain, inner = self.saved
        rest = g.clone()
        part = replay_tensor(chain, rest)
        grads = inner.backward_tensors(part.clone())
        if grads[0] is None:
            part.zero_()
        else:
            part.copy_(grads[0])
        return (rest, *grads[1:])

    def release(self) -> None:
        self.saved[1].release()


def view_edge(t: Tensor) -> Edge:
    """The edge of a view, made anew if its base was written since it was taken."""
    from .dispatch import edge_of

    assert t._meta is not None
    assert t._storage is not None
    view = t._meta.view
    assert view is not None
    known = view.edge if view.edge is not None else NO_EDGE
    if view.version == t._storage.version or t.array.dtype.kind != "f":
        return known
    if known[0] is None and not view.base.requires_grad:
        return known
    base_edge = edge_of(view.base)
    refuse_view_write(view, indirect=True)
    node = AsStridedBackward0()
    node.next_functions = (base_edge,)
    node.saved = (view.chain, view.base.array.shape, view.base.array.dtype)
    node.meta = meta_of(t.array)
    node.extra = None
    if t._meta.retains:
        from .hooks import follow

        follow(t, (node, 0))
    view.edge = (node, 0)
    view.version = t._storage.version
    return view.edge


def rebase(t: Tensor, inner: Node) -> None:
    """Rewrites the history of a view's base after the in-place operation ``inner`` on the view ``t``."""
    from .dispatch import edge_of

    assert t._meta is not None
    assert t._meta.view is not None
    view: ViewInfo = t._meta.view
    base = view.base
    base_edge = edge_of(base)
    node = CopySlices()
    node.next_functions = (base_edge, *inner.next_functions[1:])
    node.saved = (view.chain, inner)
    node.meta = meta_of(base.array)
    node.extra = None
    if base._meta is not None and base._meta.retains:
        from .hooks import follow

        follow(base, (node, 0))
    base._edge = (node, 0)
    if not t._meta.retains:
        view.edge = None
    view.version = -1


def refuse_view_write(view: ViewInfo, *, indirect: bool = False) -> None:
    """RuntimeError for views whose history cannot be rewritten: made under no_grad, or one of several results.

    ``indirect``: it is the base, or another view of it, that was written.
    """
    what = "its base or another view of its base has been modified inplace" if indirect else "is being modified inplace"
    if view.custom or view.multi is not None:
        edge = view.edge or NO_EDGE
        name = plain_name(edge[0]) if edge[0] is not None else (view.multi or "a custom Function").capitalize()
        if view.custom:
            raise RuntimeError(
                f"Output {edge[1]} of {name} is a view and {what}. This view was created inside a custom Function (or "
                "because an input was returned as-is) and the autograd logic to handle view+inplace would override the "
                "custom backward associated with the custom Function, leading to incorrect gradients. This behavior is "
                "forbidden. You can fix this by cloning the output of the custom Function."
            )
        raise RuntimeError(
            f"Output {edge[1]} of {name} is a view and {what}. This view is the output of a function that returns "
            "multiple views. Such functions do not allow the output views to be modified inplace. You should replace "
            "the inplace operation by an out-of-place one."
        )
    if view.inference or not view.grad_mode:
        mode = "inference" if view.inference else "no_grad"
        raise RuntimeError(
            f"A view was created in {mode} mode and {what} with grad mode enabled. Given that this use case is "
            "ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the view and the "
            f"inplace either both inside the {mode} block (if you don't want the inplace to be tracked) or both "
            "outside (if you want the inplace to be tracked)."
        )
