"""Tensor: an array that remembers how it was computed.

A tensor holds its array, an edge into the graph, and, only when needed, a :class:`Meta` (leaf flag, gradient, hooks,
view) and a :class:`~autograd.storage.Storage` (the version of memory that several tensors share). A 0-d result stays a
NumPy scalar until somebody writes to it or takes a view of it; that is what makes scalar graphs fast.

The methods of operations (``x.exp()``, ``x + y``) are added by :mod:`autograd.ops` from the operation table.
"""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from . import errors
from .dtypes import OF_NUMPY, dtype
from .mode import modes, switch
from .storage import Storage
from .warn import non_leaf_grad, scalar_conversion

if TYPE_CHECKING:
    from collections import OrderedDict
    from collections.abc import Callable, Iterator

    from .node import AccumulateGrad, Edge, Node
    from .ops.table import Operation


class Size(tuple[int, ...]):
    """The shape of a tensor: a tuple that prints as ``torch.Size([2, 3])``."""

    __module__ = "torch"

    def numel(self) -> int:
        """The number of entries of a tensor of this shape."""
        count = 1
        for n in self:
            count *= n
        return count

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    __str__ = __repr__

    def __getitem__(self, index: Any) -> Any:
        item = tuple.__getitem__(self, index)
        return Size(item) if isinstance(index, slice) else item

    def __add__(self, other: Any) -> Size:
        return Size(tuple(self) + tuple(other))

    def __mul__(self, times: Any) -> Size:
        return Size(tuple(self) * times)

    __rmul__ = __mul__


class ViewInfo:
    """How a view came from its base: the base, and the operations that lead from there to here."""

    __slots__ = ("base", "chain", "custom", "edge", "grad_mode", "inference", "multi", "version")

    grad_mode: bool
    inference: bool
    custom: bool
    multi: str | None

    def __init__(
        self, source: Tensor, op: Operation, params: tuple[Any, ...], number: int, grad_mode: bool, inference: bool
    ) -> None:
        earlier = source._meta.view if source._meta is not None else None
        step = (op, params, number)
        if earlier is None:
            self.base = source
            self.chain: tuple[tuple[Any, tuple[Any, ...], int], ...] = (step,)
        else:
            self.base = earlier.base
            self.chain = (*earlier.chain, step)
        assert source._storage is not None
        self.edge: Edge | None = None
        self.version = source._storage.version
        self.grad_mode = grad_mode if earlier is None else grad_mode and earlier.grad_mode
        self.inference = inference
        self.custom = earlier is not None and earlier.custom
        self.multi: str | None = op.name if op.multi else (earlier.multi if earlier is not None else None)


class Meta:
    """What a tensor has beyond its array and its edge. Most results of operations have none."""

    __slots__ = (
        "accumulator",
        "duals",
        "grad",
        "hooks",
        "inference",
        "offset",
        "post_accumulate",
        "requires_grad",
        "retains",
        "view",
    )  # fmt: skip

    def __init__(self) -> None:
        self.requires_grad = False  # only ever True for leaves
        self.grad: Tensor | None = None
        self.accumulator: weakref.ref[AccumulateGrad] | None = None
        self.hooks: OrderedDict[int, Callable[..., Any]] | None = None
        self.post_accumulate: OrderedDict[int, Callable[..., Any]] | None = None
        self.retains = False
        self.view: ViewInfo | None = None
        self.inference = False
        self.offset = 0  # of a view that was detached: how far into its storage it begins
        self.duals: dict[int, Any] | None = None


def meta_for(t: Tensor) -> Meta:
    """The tensor's Meta, made now if it had none."""
    if t._meta is None:
        t._meta = Meta()
    return t._meta


class Tensor:
    """An n-dimensional array with a gradient.

    ``array`` is the NumPy array (or NumPy scalar, for 0-d results) that holds the numbers. It belongs to the engine:
    code that writes to it directly goes behind the back of version counters.
    """

    __module__ = "torch"  # how the class prints
    __slots__ = ("__dict__", "__weakref__", "_edge", "_meta", "_storage", "_trace", "array")
    __array_priority__ = 1000

    array: Any
    _edge: Edge | None
    _meta: Meta | None
    _storage: Storage | None

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __lt__(self, other: Any) -> Any: ...
        def __le__(self, other: Any) -> Any: ...
        def __gt__(self, other: Any) -> Any: ...
        def __ge__(self, other: Any) -> Any: ...
        def __getitem__(self, index: Any) -> Tensor: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        from .creation import legacy_tensor

        return legacy_tensor(cls, *args, **kwargs)

    # -- what it is ------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        """The extent of every dimension."""
        return Size(self.array.shape)

    @property
    def dtype(self) -> dtype:
        """The data type of the entries."""
        return OF_NUMPY[self.array.dtype]

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        n: int = self.array.ndim
        return n

    @property
    def device(self) -> Any:
        """Always the CPU."""
        from .device import CPU

        return CPU

    @property
    def is_leaf(self) -> bool:
        """True for tensors that no recorded operation computed."""
        from .dispatch import edge_of
        from .node import AccumulateGrad

        node = edge_of(self)[0]
        return node is None or isinstance(node, AccumulateGrad)

    @property
    def requires_grad(self) -> bool:
        """Whether a gradient is computed for this tensor, or for something it was computed from."""
        if self._edge is not None:
            return True
        meta = self._meta
        if meta is None:
            return False
        if meta.requires_grad:
            return True
        view = meta.view
        if view is None:
            return False
        # as in PyTorch a view of what requires grad does so too, even one made under no_grad (which has no history)
        return self.array.dtype.kind == "f" and (view.edge is not None or view.base.requires_grad)

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        if not isinstance(flag, bool):
            raise RuntimeError("requires_grad must be a bool")
        if flag and not self.is_leaf:
            raise RuntimeError(errors.NON_LEAF_FLAG)
        if flag and self.array.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point and complex dtype can require gradients")
        self.requires_grad_(flag)

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Sets whether this leaf wants a gradient. RuntimeError for non-leaves and for integer types."""
        if not isinstance(requires_grad, bool):
            kind = type(requires_grad).__name__
            raise TypeError(f"requires_grad_(): argument 'requires_grad' (position 1) must be bool, not {kind}")
        if not self.is_leaf:
            if requires_grad:
                return self
            raise RuntimeError(
                errors.NON_LEAF_FLAG + " If you want to use a computed variable in a subgraph that doesn't require "
                "differentiation use var_no_grad = var.detach()."
            )
        if requires_grad and self.array.dtype.kind != "f":
            raise RuntimeError("only Tensors of floating point dtype can require gradients")
        if requires_grad and self._meta is not None and self._meta.inference and not modes.inference:
            raise RuntimeError("Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.")
        meta_for(self).requires_grad = requires_grad
        if switch.special and modes.recorder is not None:
            modes.recorder.leaf(self)
        return self

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that computed this tensor; None for leaves."""
        from .dispatch import edge_of
        from .node import AccumulateGrad

        node: Node | None = edge_of(self)[0]
        return None if isinstance(node, AccumulateGrad) else node

    @property
    def output_nr(self) -> int:
        """Which result of its operation this tensor is."""
        from .dispatch import edge_of

        return edge_of(self)[1]

    @property
    def grad(self) -> Tensor | None:
        """The accumulated gradient of a leaf (or of a tensor that retains its gradient)."""
        meta = self._meta
        if meta is None or meta.grad is None:
            if not (meta is not None and meta.retains) and (self._edge is not None or not self.is_leaf):
                non_leaf_grad()
            return None
        return meta.grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is None:
            if self._meta is not None:
                self._meta.grad = None
            return
        if not isinstance(value, Tensor):
            raise TypeError(
                f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}"
            )
        if value is self:
            raise RuntimeError("can't assign Variable as its own grad")
        if value.array.shape != self.array.shape:
            raise RuntimeError(
                f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size "
                f"'{list(self.shape)}'. Please ensure that the gradient and the tensor are the same size"
            )
        if value.array.dtype != self.array.dtype:
            raise RuntimeError(
                f"attempting to assign a gradient with dtype '{value.dtype.c_name}' to a tensor with grad_dtype "
                f"'{self.dtype.word}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
                "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any "
                "dtype. Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break "
                "downstream systems that assume they match."
            )
        meta_for(self).grad = value

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    @property
    def _backward_hooks(self) -> Any:
        """The hooks of a leaf by their ids; None where there are none."""
        return None if self._meta is None else self._meta.hooks

    def retain_grad(self) -> None:
        """Makes backward keep the gradient of this non-leaf in ``.grad``."""
        if not self.requires_grad:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if self.is_leaf:
            return
        from .hooks import retain

        retain(self)

    @property
    def retains_grad(self) -> bool:
        """Whether :meth:`retain_grad` was called on this non-leaf."""
        return self._meta is not None and self._meta.retains and not self.is_leaf

    @property
    def _version(self) -> int:
        if self._meta is not None and self._meta.inference:
            raise RuntimeError("Inference tensors do not track version counter.")
        return 0 if self._storage is None else self._storage.version

    @property
    def _base(self) -> Tensor | None:
        view = self._meta.view if self._meta is not None else None
        return None if view is None else view.base

    def _is_view(self) -> bool:
        return self._meta is not None and self._meta.view is not None

    def is_inference(self) -> bool:
        """Whether it was made in inference mode."""
        return self._meta is not None and self._meta.inference

    # -- the backward pass -----------------------------------------------------------------------------------------

    def register_hook(self, hook: Callable[..., Any]) -> Any:
        """Calls ``hook(grad)`` when this tensor's gradient is complete; a result replaces it."""
        from .hooks import register

        return register(self, hook)

    def register_post_accumulate_grad_hook(self, hook: Callable[..., Any]) -> Any:
        """Calls ``hook(tensor)`` after the gradient of this leaf was added to ``.grad``."""
        from .hooks import register_post_accumulate

        return register_post_accumulate(self, hook)

    # -- leaving the graph -----------------------------------------------------------------------------------------

    def detach(self) -> Tensor:
        """The same memory without history: a tensor that does not require grad."""
        from .leave import detach

        return detach(self)

    def detach_(self) -> Tensor:
        """Forgets this tensor's history, in place. RuntimeError for views."""
        from .leave import detach_

        return detach_(self)

    @property
    def data(self) -> Tensor:
        """The same memory without history and with a version counter of its own: writes to it are not noticed."""
        from .leave import data

        return data(self)

    @data.setter
    def data(self, value: Tensor) -> None:
        from .leave import set_data

        set_data(self, value)

    def item(self) -> Any:
        """The only entry, as a Python number."""
        from .leave import item

        return item(self)

    def tolist(self) -> Any:
        """The entries as (nested lists of) Python numbers."""
        from .leave import tolist

        return tolist(self)

    def numpy(self, *, force: bool = False) -> Any:
        """The entries as a NumPy array that shares this tensor's memory. RuntimeError if it requires grad."""
        from .leave import numpy

        return numpy(self, force)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        array = self.numpy()
        return array if dtype is None else array.astype(dtype)

    def __deepcopy__(self, memo: dict[int, Any]) -> Tensor:
        from .leave import deepcopy

        return deepcopy(self, memo)

    def __copy__(self) -> Tensor:
        from .leave import shallow

        return shallow(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        from .leave import reduce

        return reduce(self)

    # -- as a Python object ----------------------------------------------------------------------------------------

    def __bool__(self) -> bool:
        if self.array.size != 1:
            raise RuntimeError(
                "Boolean value of Tensor with no values is ambiguous"
                if self.array.size == 0
                else "Boolean value of Tensor with more than one value is ambiguous"
            )
        return bool(self.array)

    def __float__(self) -> float:
        if self.requires_grad:
            scalar_conversion()
        self._only_entry()
        return float(self.item())

    def __int__(self) -> int:
        if self.requires_grad:
            scalar_conversion()
        self._only_entry()
        return int(self.item())

    def _only_entry(self) -> None:
        if self.array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")

    def __complex__(self) -> complex:
        if self.requires_grad:
            scalar_conversion()
        return complex(self.item())

    def __index__(self) -> int:
        if self.array.dtype.kind == "f" or self.array.size != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self.item())

    def __len__(self) -> int:
        if self.array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return len(self.array)

    def __iter__(self) -> Iterator[Tensor]:
        if self.array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))

    def __contains__(self, item: Any) -> bool:
        if not isinstance(item, (Tensor, bool, int, float)):
            raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(item)}.")
        found: Any = self == item
        return bool(found.any())

    def __delitem__(self, index: Any) -> None:
        raise TypeError("Tensor does not support deleting items")

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        from .printing import tensor_repr

        return tensor_repr(self)

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        if self.array.ndim == 0 and type(self) is Tensor:
            return format(self.array.item(), spec)
        return object.__format__(self, spec)
