"""The graph, looked at from outside (``torch.autograd.graph``): hooks on saved tensors, edges, hooks on several
gradients.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from .dispatch import PackedTensor, edge_of, make, unpack_tensor
from .inplace import written
from .mode import modes, sync
from .node import AccumulateGrad, GradientEdge, Node, checked, extra_of
from .tensor import Tensor

__all__ = [
    "GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks", "get_gradient_edge",
    "increment_version", "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
]  # fmt: skip

_disabled: list[str] = []


class saved_tensors_hooks:
    """Inside, tensors saved for backward are kept as ``pack_hook(tensor)``, and come back by ``unpack_hook``."""

    def __init__(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        self.hooks = (pack_hook, unpack_hook)

    def __enter__(self) -> None:
        if _disabled:
            raise RuntimeError(_disabled[-1])
        modes.saved_hooks = (*modes.saved_hooks, self.hooks)
        sync()

    def __exit__(self, *_: object) -> None:
        modes.saved_hooks = modes.saved_hooks[:-1]
        sync()


class save_on_cpu(saved_tensors_hooks):
    """Keeps copies of what is saved. (Everything is on the CPU here.)"""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda t: t.detach().clone(), lambda t: t)


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Iterator[None]:
    """Inside, entering :class:`saved_tensors_hooks` raises RuntimeError with ``error_message``."""
    _disabled.append(error_message)
    try:
        yield
    finally:
        _disabled.pop()


@contextmanager
def allow_mutation_on_saved_tensors() -> Iterator[None]:
    """Inside, what is saved is copied, so that later in-place writes do no harm."""
    with saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t):
        yield


class SavedValue:
    """One of the values that a node saved: what ``grad_fn._raw_saved_self`` returns."""

    def __init__(self, node: Node, where: int) -> None:
        self.node = node
        self.where = where

    def register_hooks(self, pack_hook: Callable[[Any], Any], unpack_hook: Callable[[Any], Any]) -> None:
        """Packs the value now with ``pack_hook``; it comes back by ``unpack_hook``."""
        values = checked(self.node)
        if isinstance(values[self.where], PackedTensor):
            raise RuntimeError(
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of "
                "hooks is allowed at a time."
            )
        value = unpack_tensor(self.node, values[self.where], self.node.op.saved[self.where])
        if not isinstance(value, Tensor):
            raise RuntimeError(f"Calling register_hooks on a saved tensor with value {value} is forbidden")
        with saved_tensors_hooks(pack_hook, unpack_hook):
            packed = PackedTensor(make(value.array) if self.node.op.saved[self.where][0] == "output" else value)
        self.node.saved = (*values[: self.where], packed, *values[self.where + 1 :])
        extra_of(self.node)

    def __repr__(self) -> str:
        return f"<torch._C._autograd.SavedTensor object at {hex(id(self))}>"


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge of ``tensor``; RuntimeError if it does not require grad."""
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    return GradientEdge(*edge_of(tensor))


def increment_version(tensor: Any) -> None:
    """Says that the memory of ``tensor`` was written by other means."""
    for t in tensor if isinstance(tensor, (tuple, list)) else (tensor,):
        written(t)


def _later(node: Node) -> Callable[[], Node | None]:
    """A way to ``node`` that does not keep it alive; the node of a leaf may have been made anew by then."""
    if not isinstance(node, AccumulateGrad):
        return weakref.ref(node)
    leaf = weakref.ref(node.variable)

    def find() -> Node | None:
        t = leaf()
        return None if t is None else edge_of(t)[0]

    return find


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable[..., Any], *, mode: str = "all") -> Any:
    """Calls ``fn`` once a pass: with all the gradients when they are there (``mode="all"``), or with the first
    (``"any"``).
    """
    from .hooks import RemovableHandle, current

    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    places = [edge_of(t)[0] for t in tensors]
    assert all(node is not None for node in places), "Expected gradient function to be set"
    nodes = [_later(node) for node in places if node is not None]
    lock = threading.Lock()
    grads: list[Any] = []
    state: dict[str, Any] = {"pass": None, "seen": 0, "awaited": 0}

    def hook_for(position: int) -> Callable[[Any], None]:
        def hook(g: Any) -> None:
            with lock:
                if state["pass"] is not current.nodes:
                    awaited = sum(node() in current.nodes for node in nodes)
                    state.update({"pass": current.nodes, "seen": 0, "awaited": awaited})
                    grads[:] = [None] * len(nodes)
                state["seen"] += 1
                grads[position] = g
                first, complete, given = state["seen"] == 1, state["seen"] == state["awaited"], list(grads)
                if complete:
                    state["pass"] = None
                    grads.clear()
            if mode == "any":
                if first:
                    fn(g)
            elif complete:
                fn(given)

        return hook

    handles = [t.register_hook(hook_for(i)) for i, t in enumerate(tensors)]

    class _All(RemovableHandle):
        def __init__(self) -> None:
            self.id = -1

        def remove(self) -> None:
            for handle in handles:
                handle.remove()

    return _All()
