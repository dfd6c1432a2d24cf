"""Nodes of the graph: what a recorded operation leaves behind.

A tensor that was computed points to its node (``grad_fn``) by an edge ``(node, output number)``. A node points to the
nodes of its inputs by edges of the same form, ``next_functions``. That is the whole graph; arrows run from results to
inputs, so everything dies by reference counting once the last result is gone.

Each operation has a node class of its own, made when the operation is defined, so that ``MulBackward0`` is what a node
prints as and an instance holds only what differs from node to node:

``next_functions``
    one edge for each tensor input; ``(None, 0)`` where no gradient is wanted.
``saved``
    what the backward rules will read, in the operation's own order; None after it was freed.
``meta``
    what a gradient arriving here must look like: the NumPy scalar type of a 0-d result, else ``(shape, dtype)``;
    a tuple of those inside a list for several outputs.
``extra``
    None, or the rare rest (:class:`NodeExtra`): hooks, storages to watch, the number of outputs.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import freed
from .storage import Storage

if TYPE_CHECKING:
    from .tensor import Tensor

Edge = tuple[Any, int]
NO_EDGE: Edge = (None, 0)


class NodeExtra:
    """What only few nodes have."""

    __slots__ = ("dict", "duals", "post_hooks", "pre_hooks", "results", "retain", "stack", "tensor_hooks", "watch")

    def __init__(self) -> None:
        #: hooks on the node's incoming gradients, in the order they were registered
        self.pre_hooks: OrderedDict[int, Callable[..., Any]] | None = None
        #: (output number, hooks) of tensors whose gradient is this node's incoming one
        self.tensor_hooks: dict[int, OrderedDict[int, Callable[..., Any]]] | None = None
        self.post_hooks: OrderedDict[int, Callable[..., Any]] | None = None
        #: output number -> weak reference to the tensor that retains its gradient
        self.retain: dict[int, Any] | None = None
        #: output number -> (storage, version) of results that rules read
        self.watch: dict[int, tuple[Storage, int]] | None = None
        #: output number -> tangents of results that rules read, by level of forward mode
        self.duals: dict[int, dict[int, Any]] | None = None
        #: the results that rules read, where they belong to another node than this
        self.results: list[Any] | None = None
        #: where the operation ran, in anomaly mode
        self.stack: str | None = None
        self.dict: dict[str, Any] | None = None


class Node:
    """A recorded operation. Concrete classes are made by :mod:`autograd.ops.table`."""

    __slots__ = ("__weakref__", "_trace", "extra", "meta", "next_functions", "saved")

    #: the Operation, or None for nodes that are not in the table
    op: Any = None
    #: whether running the node without retain_graph lets go of what it saved
    frees = False

    next_functions: tuple[Edge, ...]
    saved: Any
    meta: Any
    extra: NodeExtra | None
    _trace: Any

    def backward(self, g: Any) -> tuple[Any, ...]:
        """Gradients of the inputs, from the gradient of the result, all raw arrays (or None)."""
        raise TypeError(type(self).__name__)

    def backward_tensors(self, g: Any) -> tuple[Any, ...]:
        """The same on tensors, so that the backward pass is itself recorded."""
        raise TypeError(type(self).__name__)

    def __call__(self, *grads: Any) -> Any:
        """The gradients of the inputs from those of the results, as tensors: one rule of the chain, by hand."""
        found = self.backward_tensors(list(grads) if type(self.meta) is list else grads[0])
        return found if len(found) > 1 else found[0]

    def release(self) -> None:
        """Lets go of what was saved. A rule that reads no tensor still works afterwards, as in PyTorch."""
        if self.frees:
            self.saved = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {hex(id(self))}>"

    def name(self) -> str:
        """The name PyTorch gives this node; some are written in C++ and say so."""
        name = type(self).__name__
        return f"torch::autograd::{name}" if name in ("CopyBackwards", "NotImplemented") else name

    @property
    def metadata(self) -> dict[str, Any]:
        """A dict for whatever the user wants to note here."""
        extra = extra_of(self)
        if extra.dict is None:
            extra.dict = {}
        return extra.dict

    @property
    def requires_grad(self) -> bool:
        """Always True: a node exists because a gradient may flow through it."""
        return True

    def register_hook(self, hook: Callable[..., Any]) -> Any:
        """Calls ``hook(grad_inputs, grad_outputs)`` after this node ran; a result replaces the gradients of the
        inputs.
        """
        from .hooks import add

        extra = extra_of(self)
        if extra.post_hooks is None:
            extra.post_hooks = OrderedDict()
        return add(extra.post_hooks, hook)

    def register_prehook(self, hook: Callable[..., Any]) -> Any:
        """Calls ``hook(grad_outputs)`` before this node runs; a result replaces them."""
        from .hooks import add

        extra = extra_of(self)
        if extra.pre_hooks is None:
            extra.pre_hooks = OrderedDict()
        return add(extra.pre_hooks, hook)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_") and self.op is not None:
            return self.op.saved_attribute(self, name[len("_saved_") :])
        if name.startswith("_raw_saved_") and self.op is not None:
            from .graph import SavedValue

            return SavedValue(self, self.op.saved_position(self, name[len("_raw_saved_") :]))
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def extra_of(node: Node) -> NodeExtra:
    """The node's extras, made now if there were none."""
    if node.extra is None:
        node.extra = NodeExtra()
    return node.extra


class GradientEdge(NamedTuple):
    """Where a gradient goes, for the user: the node and the number of its result."""

    node: Node
    output_nr: int


class AccumulateGrad(Node):
    """Where a gradient ends: adds what arrives into ``.grad`` of a leaf. The leaf knows it only weakly."""

    __module__ = "builtins"
    __slots__ = ("variable",)

    next_functions = ()
    saved = ()

    def __init__(self, variable: Tensor) -> None:
        self.variable = variable
        self.extra = self._trace = None
        array = variable.array
        self.meta = (array.shape, array.dtype) if array.ndim else array.dtype.type

    def name(self) -> str:
        """PyTorch's name in C++, which it shows here."""
        return "torch::autograd::AccumulateGrad"


def meta_of(array: Any) -> Any:
    """What a gradient for ``array`` must look like."""
    return (array.shape, array.dtype) if array.ndim else array.dtype.type


def checked(node: Node) -> Any:
    """The node's saved values; raises RuntimeError when they were freed."""
    saved = node.saved
    if saved is None:
        raise freed()
    return saved
