"""``ctx``: what ``forward`` of a custom function leaves for its ``backward``.

It is an object of its own, beside the node that holds it, so that nothing a program sets on it can be in the way of the
engine: every name but PyTorch's is the program's.
"""

from __future__ import annotations

import weakref
from typing import Any

from .dispatch import unpack_tensor
from .errors import freed
from .node import Node
from .tensor import Tensor

#: What a ``ctx`` has of its node, which is one object with it in PyTorch.
_OF_THE_NODE = frozenset({"next_functions", "name", "metadata", "requires_grad", "register_hook", "register_prehook"})


class FunctionCtx:
    """What ``forward`` leaves for ``backward``. Any further attribute may be set on it.

    Without ``node`` it stands alone, for calling a ``forward`` by hand.
    """

    def __init__(self, node: Node | None = None) -> None:
        self._node = None if node is None else weakref.ref(node)
        self._in_jvp = False
        self.to_save: tuple[Any, ...] = ()
        self.saved_for_forward: tuple[Any, ...] = ()
        self.dirty_tensors: tuple[Any, ...] = ()
        self.non_differentiable: tuple[Any, ...] = ()
        self.materialize_grads = True
        self.needs_input_grad: tuple[bool, ...] = ()

    def __getattr__(self, name: str) -> Any:
        if name in _OF_THE_NODE and self._node is not None:
            return getattr(self._node(), name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {hex(id(self))}>"

    def save_for_backward(self, *tensors: Any) -> None:
        """Keeps tensors for ``backward``, where they are ``ctx.saved_tensors``; call it once, with all of them."""
        for position, t in enumerate(tensors):
            if not isinstance(t, Tensor) and t is not None:
                raise TypeError(
                    f"save_for_backward can only save variables, but argument {position} is of type {type(t).__name__}"
                )
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keeps tensors for ``jvp``."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Tensor) -> None:
        """Says which inputs ``forward`` wrote in place."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args: Tensor) -> None:
        """Says which results carry no gradient."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Whether ``backward`` gets zeros (True, the default) or None for results that were not used."""
        self.materialize_grads = value

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What ``forward`` saved; RuntimeError when it was freed or written in place since."""
        if self._in_jvp:
            return tuple(self.saved_for_forward)
        if self._node is None:
            return tuple(self.to_save)
        node = self._node()
        if node is None or node.saved is None:
            raise freed()
        if node.meta is None:  # forward is still running
            return tuple(self.to_save)
        return tuple(unpack_tensor(node, value, kind) for kind, value in node.saved)

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """The old name of :attr:`saved_tensors`."""
        return self.saved_tensors
