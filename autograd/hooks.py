"""Hooks: functions of the user that see, and may replace, gradients on their way.

A hook on a tensor runs when the tensor's gradient is complete, before ``retain_grad`` keeps it and before the tensor's
node runs. It belongs to the place in the graph the tensor had when it was registered; ``retain_grad`` follows the
tensor through in-place changes.
"""

from __future__ import annotations

import itertools
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from .dispatch import edge_of, make
from .dtypes import OF_NUMPY
from .node import AccumulateGrad, Edge, Node, NodeExtra, extra_of
from .tensor import Tensor, meta_for

Hooks = OrderedDict[int, Callable[..., Any]]
_ids = itertools.count()


class Pass(threading.local):
    """The pass that hooks are called from: the nodes that it visits."""

    nodes: Any = ()


current = Pass()


class RemovableHandle:
    """What registering a hook returns: :meth:`remove` takes it away again."""

    __module__ = "torch.utils.hooks"

    def __init__(self, hooks: Hooks, key: int) -> None:
        self.hooks = weakref.ref(hooks) if hasattr(hooks, "__weakref__") else (lambda: hooks)
        self.id = key

    def remove(self) -> None:
        """Takes the hook away."""
        hooks = self.hooks()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


def add(hooks: Hooks, hook: Callable[..., Any]) -> RemovableHandle:
    """Adds ``hook`` to ``hooks``."""
    key = next(_ids)
    hooks[key] = hook
    return RemovableHandle(hooks, key)


def register(t: Tensor, hook: Callable[..., Any]) -> RemovableHandle:
    """``t.register_hook(hook)``."""
    node, number = edge_of(t)
    if node is None:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    meta = meta_for(t)
    if isinstance(node, AccumulateGrad):
        if meta.hooks is None:
            meta.hooks = OrderedDict()
        attach_to_leaf(t, node)
        return add(meta.hooks, hook)
    return add(_tensor_hooks(node, number), hook)


def _tensor_hooks(node: Node, number: int) -> Hooks:
    extra = extra_of(node)
    if extra.tensor_hooks is None:
        extra.tensor_hooks = {}
    return extra.tensor_hooks.setdefault(number, OrderedDict())


def attach_to_leaf(t: Tensor, node: AccumulateGrad) -> None:
    """Hooks of a leaf live with the leaf, since its node may die and be made anew."""
    meta = meta_for(t)
    extra = extra_of(node)
    if meta.hooks is not None:
        extra.tensor_hooks = {0: meta.hooks}


def register_post_accumulate(t: Tensor, hook: Callable[..., Any]) -> RemovableHandle:
    """``t.register_post_accumulate_grad_hook(hook)``, for leaves."""
    if not t.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    if not t.is_leaf:
        raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
    meta = meta_for(t)
    if meta.post_accumulate is None:
        meta.post_accumulate = OrderedDict()
    return add(meta.post_accumulate, hook)


def retain(t: Tensor) -> None:
    """``t.retain_grad()`` for a non-leaf."""
    meta = meta_for(t)
    if meta.retains:
        return
    meta.retains = True
    _retain_at(t, edge_of(t))


def _retain_at(t: Tensor, edge: Edge) -> None:
    extra = extra_of(edge[0])
    if extra.retain is None:
        extra.retain = {}
    extra.retain[edge[1]] = weakref.ref(t)


def follow(t: Tensor, edge: Edge) -> None:
    """After an in-place change: the gradient that ``t`` retains is that of its new place in the graph."""
    meta = meta_for(t)
    if not meta.retains:
        return
    before = t._edge if t._edge is not None else meta.view.edge if meta.view is not None else None
    if before is not None:
        old: Node = before[0]
        if old.extra is not None and old.extra.retain is not None:
            old.extra.retain.pop(before[1], None)
    _retain_at(t, edge)


def _as_tensor(g: Any, create_graph: bool) -> Any:
    return g if create_graph or g is None or isinstance(g, Tensor) else make(g)


def _as_given(g: Any, create_graph: bool) -> Any:
    if create_graph or not isinstance(g, Tensor):
        return g
    return g.array if g.array.ndim else g.array[()]


def before_node(node: Node, extra: NodeExtra, g: Any, create_graph: bool) -> Any:
    """Runs tensor hooks, keeps retained gradients, then runs the node's own pre-hooks; returns the gradient."""
    several = type(node.meta) is list
    slots = list(g) if several and g is not None else [g]
    if extra.tensor_hooks:
        for number, hooks in extra.tensor_hooks.items():
            for hook in list(hooks.values()):
                if number < len(slots) and slots[number] is not None:
                    result = hook(_as_tensor(slots[number], create_graph))
                    if result is not None:
                        check_replacement(result, slots[number], hook)
                        slots[number] = _as_given(result, create_graph)
    if extra.retain:
        for number, ref in extra.retain.items():
            t = ref()
            if t is not None and number < len(slots) and slots[number] is not None:
                keep(t, slots[number], create_graph)
    if extra.pre_hooks:
        for hook in list(extra.pre_hooks.values()):
            given = tuple(_as_tensor(s, create_graph) for s in slots)
            result = hook(given)
            if result is not None:
                slots = [_as_given(r, create_graph) for r in _replacements(result, slots, hook)]
    return slots if several else slots[0]


def check_replacement(result: Any, g: Any, hook: Callable[..., Any]) -> None:
    """TypeError or RuntimeError if a hook's result cannot stand in for the gradient ``g``."""
    if not isinstance(result, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
    name = getattr(hook, "__name__", type(hook).__name__)
    if tuple(result.shape) != tuple(g.shape):
        raise RuntimeError(f"hook '{name}' has changed the size of value")
    kind = OF_NUMPY[(g.array if isinstance(g, Tensor) else g).dtype]
    if result.dtype is not kind:
        raise RuntimeError(
            f"hook '{name}' has changed the type of value (was {kind.tensor_type} got {result.dtype.tensor_type})"
        )


def keep(t: Tensor, g: Any, create_graph: bool) -> None:
    """Puts ``g`` into ``.grad`` of a non-leaf that retains it, added to what is there."""
    from .mode import modes, switch

    meta = meta_for(t)
    fresh = g if isinstance(g, Tensor) else make(g.copy() if g.ndim else g)
    before = meta.grad
    meta.grad = fresh if before is None else before + fresh
    if switch.special and modes.recorder is not None:
        modes.recorder.retained(t, before, fresh, meta.grad)


def after_node(node: Node, extra: NodeExtra, grads: tuple[Any, ...], g: Any, create_graph: bool) -> tuple[Any, ...]:
    """Runs the node's post-hooks, which see the gradients of inputs and outputs and may replace the former."""
    outs = tuple(_as_tensor(s, create_graph) for s in (g if isinstance(g, list) else [g]))
    assert extra.post_hooks is not None
    for hook in list(extra.post_hooks.values()):
        result = hook(tuple(_as_tensor(x, create_graph) for x in grads), outs)
        if result is not None:
            grads = tuple(_as_given(r, create_graph) for r in _replacements(result, grads, hook))
    return grads


def _replacements(result: Any, grads: Any, hook: Callable[..., Any]) -> tuple[Any, ...]:
    """What a hook of a node returned, one for each of ``grads``; TypeError or RuntimeError if it does not fit."""
    name = getattr(hook, "__name__", type(hook).__name__)
    several: tuple[Any, ...] = result if isinstance(result, tuple) else (result,)
    if len(several) != len(grads):
        raise RuntimeError(
            f"hook '{name}' has returned an incorrect number of values (got {len(several)}, but expected {len(grads)})"
        )
    for each, g in zip(several, grads, strict=True):
        if each is not None:
            if g is None:
                raise RuntimeError("can't replace a None gradient with a non-None value")
            check_replacement(each, g, hook)
    return several
