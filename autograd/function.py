"""Operations of the user's own: ``torch.autograd.Function``.

A subclass writes ``forward`` and ``backward`` as static methods. Calling ``apply`` runs ``forward`` without recording
and leaves one node behind, with the ``ctx`` that both methods get. ``backward`` gets tensors and may use anything
that tensors can do; in a pass that is recorded, what it does is recorded too.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .context import FunctionCtx
from .dispatch import edge_of, make, save, storage_of
from .mode import modes, no_grad, set_grad_enabled, switch
from .node import NO_EDGE, Node, meta_of
from .tensor import Tensor, ViewInfo, meta_for


class BackwardCFunction(Node):
    """The node of a custom function; what it does not have itself is looked for on the user's ``ctx``."""

    function: type[Function]

    def __init__(self) -> None:
        self.extra = None
        self.next_functions = ()
        self.saved = ()
        self.meta = None
        self.frees = True
        self.ctx = self.function.ctx_class(self)

    def __getattr__(self, name: str) -> Any:
        if name == "ctx":
            raise AttributeError(name)
        return getattr(self.ctx, name)

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {hex(id(self))}>"

    def name(self) -> str:
        """``MyFunctionBackward``."""
        return type(self).__name__

    def release(self) -> None:
        """Lets go of the saved tensors; saving none, nothing changes."""
        if self.saved:
            self.saved = None

    def backward(self, g: Any) -> tuple[Any, ...]:
        slots = g if self._several else [g]
        given = [None if s is None else make(s) for s in slots]
        with no_grad():
            grads = self._call(given)
        return tuple(None if x is None else (x.array if x.array.ndim else x.array[()]) for x in grads)

    def backward_tensors(self, g: Any) -> tuple[Any, ...]:
        return tuple(self._call(list(g) if self._several else [g]))

    def apply(self, *grads: Any) -> Any:
        """What the user's ``backward`` makes of the gradients of the results."""
        function = self.function
        return (function.backward if function.backward is not Function.backward else function.vjp)(self.ctx, *grads)

    def __call__(self, *grads: Any) -> Any:
        raise TypeError(f"'{type(self).__name__}' object is not callable")

    def _call(self, given: list[Any]) -> list[Any]:
        """Runs the user's ``backward`` and checks what it returns."""
        if self.ctx.materialize_grads:
            for i, (shape, kind) in enumerate(self._shapes):
                if given[i] is None and shape is not None:
                    given[i] = make(np.zeros(shape, kind)[()])
        result = self.apply(*given)
        grads = result if isinstance(result, tuple) else tuple(result) if isinstance(result, list) else (result,)
        name = self.name()
        expected = len(self._is_tensor)
        if len(grads) > expected and all(x is None for x in grads[expected:]):
            grads = grads[:expected]
        if len(grads) != expected:
            raise RuntimeError(
                f"function {name} returned an incorrect number of gradients (expected {expected}, got {len(grads)})"
            )
        out: list[Any] = []
        for position, (grad, tensor) in enumerate(zip(grads, self._is_tensor, strict=True)):
            if not tensor:
                if grad is not None:
                    raise RuntimeError(
                        f"function {name} returned a gradient different than None at position {position + 1}, but the "
                        "corresponding forward input was not a Variable"
                    )
                continue
            if grad is not None and not isinstance(grad, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(grad).__name__})")
            index = len(out)
            shape = self._input_shapes[index]
            if grad is not None and not _expandable(shape, grad.array.shape):
                raise RuntimeError(
                    f"Function {name} returned an invalid gradient at index {index} - got {list(grad.shape)} but "
                    f"expected shape compatible with {list(shape)}"
                )
            out.append(grad)
        return out


def _expandable(shape: tuple[int, ...], to: tuple[int, ...]) -> bool:
    """Whether an array of ``shape`` broadcasts to ``to``."""
    lead = len(to) - len(shape)
    return lead >= 0 and all(n in (1, m) for n, m in zip(shape, to[lead:], strict=True))


class _FunctionType(type):
    """Gives each Function subclass classes of its own for nodes and ``ctx``, which print as ``MyFunctionBackward``."""

    node_class: type[BackwardCFunction]
    ctx_class: type[FunctionCtx]

    def __init__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> None:
        super().__init__(name, bases, body)
        cls.node_class = type(name + "Backward", (BackwardCFunction,), {"function": cls})
        cls.ctx_class = type(name + "Backward", (FunctionCtx,), {})
        cls.node_class.__module__ = cls.ctx_class.__module__ = "torch.autograd.function"


class Function(metaclass=_FunctionType):
    """Base of custom operations: override ``forward`` and ``backward`` (and ``setup_context``, ``jvp``)."""

    #: whether ``vmap`` may go through the function by itself, slice by slice
    generate_vmap_rule = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
            "function with static forward method. (Example: "
            "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Computes the result: ``forward(ctx, ...)``, or ``forward(...)`` together with ``setup_context``."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Fills ``ctx`` when ``forward`` does not take it."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """The gradients of all inputs of ``forward``, from those of its results."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        """Another name for ``backward``."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """The tangents of the results, from those of the inputs."""
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD."
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """How ``torch.vmap`` goes through; the slices are run one by one in any case."""
        raise NotImplementedError(
            "To use autograd.Function with vmap, you must either override the vmap static method or set "
            "generate_vmap_rule=True."
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Runs the function on ``args``; tensors among them are its differentiable inputs."""
        apart = cls.setup_context is not Function.setup_context
        if modes.transforms:
            _check_transformable(cls, apart)
        if apart:  # then forward's defaults are among the inputs too
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, bound.kwargs
        node = cls.node_class()
        ctx = node.ctx
        node._is_tensor = tuple(isinstance(x, Tensor) for x in args)  # type: ignore[attr-defined]
        tensors = [x for x in args if isinstance(x, Tensor)]
        edges = tuple(edge_of(x) if modes.grad else NO_EDGE for x in tensors)
        tracked = any(edge[0] is not None for edge in edges)
        ctx.needs_input_grad = tuple(isinstance(x, Tensor) and modes.grad and x.requires_grad for x in args)
        recorder = modes.recorder if switch.special else None
        with no_grad():
            if recorder is not None:
                recorder.enter_function()
            try:
                if apart:
                    output = cls.forward(*args, **kwargs)
                    cls.setup_context(ctx, args, output)
                else:
                    output = cls.forward(ctx, *args, **kwargs)
            finally:
                if recorder is not None:
                    recorder.leave_function()
        several = isinstance(output, tuple)
        _check_dirty(ctx, output if several else (output,), tensors)
        results = [_result(ctx, x, tensors, tracked) for x in (output if several else (output,))]
        made = [x for x in results if isinstance(x, Tensor)]
        node.next_functions = edges
        node._several = several and len(results) > 1  # type: ignore[attr-defined]
        node._input_shapes = [x.array.shape for x in tensors]  # type: ignore[attr-defined]
        node._shapes = [  # type: ignore[attr-defined]
            (x.array.shape, x.array.dtype) if isinstance(x, Tensor) else (None, None) for x in results
        ]
        metas = [meta_of(x.array) if isinstance(x, Tensor) else None for x in results]
        node.meta = metas if node._several else metas[0]
        if tracked:
            _connect(node, results)
            node.saved = [_saved(x, results) for x in ctx.to_save]
        if switch.special and modes.dual_level:
            from .forward import push_function

            push_function(cls, ctx, args, results)
        ctx.to_save = ctx.non_differentiable = ctx.dirty_tensors = ()
        if recorder is not None:
            recorder.function(cls.__name__, node if tracked else None, tensors, made)
        return tuple(results) if several else results[0]


def _check_dirty(ctx: FunctionCtx, outputs: tuple[Any, ...], inputs: list[Tensor]) -> None:
    """What is marked dirty counts as written, and must be among the results: else RuntimeError."""
    for x in ctx.dirty_tensors:
        if not any(x is each for each in outputs):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as output. The inputs that "
                "are modified inplace must all be outputs of the Function."
            )
        storage_of(x).version += 1


def _check_transformable(cls: type[Function], apart: bool) -> None:
    """RuntimeError if a transform of ``torch.func`` cannot go through ``cls``."""
    more = "For more details, please see https://pytorch.org/docs/main/notes/extending.func.html"
    if not apart:
        raise RuntimeError(
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must "
            f"override the setup_context staticmethod. {more}"
        )
    if modes.transforms[-1] == "vmap" and not cls.generate_vmap_rule and cls.vmap is Function.vmap:
        raise RuntimeError(
            f"You tried to vmap over {cls.__name__}, but it does not have vmap support. Please override and implement "
            f"the vmap staticmethod or set generate_vmap_rule=True. {more}"
        )


def _saved(x: Any, results: list[Any]) -> tuple[tuple[str, int], Any]:
    """A saved tensor: a result is kept as its array (the node must not keep its own results alive), an input whole."""
    for number, result in enumerate(results):
        if x is result and x is not None:
            from .dispatch import watch

            if x._storage is not None and x._edge is not None:
                watch(x._edge[0], number, x._storage)
            return ("output", number), x.array
    return ("input", 0), save(x)


def _result(ctx: FunctionCtx, x: Any, inputs: list[Tensor], tracked: bool) -> Any:
    """A result of ``forward``: an input that is returned as it came becomes a view of itself."""
    if not isinstance(x, Tensor):
        return x
    if any(x is each for each in ctx.dirty_tensors):
        if tracked and x._meta is not None and x._meta.requires_grad and x._edge is None:
            raise RuntimeError("a leaf Variable that requires grad has been used in an in-place operation.")
        return x
    if any(x is each for each in inputs):
        storage = storage_of(x)
        alias = make(x.array)
        alias._storage = storage
        if any(x is each for each in ctx.non_differentiable):
            ctx.non_differentiable = (*ctx.non_differentiable, alias)
        elif tracked:
            _as_view(alias, x)
        return alias
    return x


def _as_view(t: Tensor, base: Tensor) -> None:
    from .ops.indexing import alias

    meta_for(t).view = ViewInfo(base, alias, (), 0, True, False)
    view = meta_for(t).view
    assert view is not None
    view.custom = True


def _connect(node: BackwardCFunction, results: list[Any]) -> None:
    """Points the results to ``node``."""
    for number, x in enumerate(results):
        if not isinstance(x, Tensor) or x.array.dtype.kind != "f":
            continue
        if any(x is each for each in node.ctx.non_differentiable):
            continue
        if any(x is each for each in node.ctx.dirty_tensors):
            from .inplace import attach

            attach(x, node)
            continue
        view = x._meta.view if x._meta is not None else None
        if view is not None:
            view.edge = (node, number)
            view.custom = True
        else:
            x._edge = (node, number)
            if x._meta is not None:
                x._meta.requires_grad = False


def once_differentiable(function: Callable[..., Any]) -> Callable[..., Any]:
    """For a ``backward`` that works on raw numbers: differentiating it again is an error, not a silent zero."""

    @functools.wraps(function)
    def wrapper(ctx: Any, *args: Any) -> Any:
        with no_grad():
            outputs = function(ctx, *args)
        if not modes.grad:
            return outputs
        if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            return outputs
        several = isinstance(outputs, tuple)
        wrapped = []
        for x in outputs if several else (outputs,):
            if isinstance(x, Tensor):
                with set_grad_enabled(True):
                    x = x.detach()
                    error = DelayedError()
                    error.next_functions = ()
                    error.saved, error.extra = (), None
                    error.meta = meta_of(x.array)
                    x._edge = (error, 0)
            wrapped.append(x)
        return tuple(wrapped) if several else wrapped[0]

    return wrapper


class DelayedError(Node):
    """Stands where a derivative would be wrong: running it raises RuntimeError."""

    __slots__ = ()

    def backward(self, g: Any) -> tuple[Any, ...]:
        raise RuntimeError("trying to differentiate twice a function that was marked with @once_differentiable")

    backward_tensors = backward
