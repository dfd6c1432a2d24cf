"""Hooks of modules: who is called before and after ``forward`` and when gradients pass a module.

A forward hook sees a module's arguments and result; a full backward hook sees the gradients of both. For the latter the
arguments and the result each pass through one identity node; the node behind the result delivers ``grad_output``, the
node before the arguments delivers ``grad_input`` and is where the learner's hook runs.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from autograd.function import Function
from autograd.hooks import RemovableHandle, add
from autograd.mode import is_grad_enabled
from autograd.tensor import Tensor

if TYPE_CHECKING:
    from autograd.nn.module import Module

Hook = Callable[..., Any]
HookDict = OrderedDict[int, Hook]


class Registered:
    """Whether this process ever registered a hook on modules: until then a call of a module need not look for any."""

    __slots__ = ("any",)

    def __init__(self) -> None:
        self.any = False


registered = Registered()


def add_hook(hooks: HookDict, hook: Hook, *flags: OrderedDict[int, bool], prepend: bool = False) -> RemovableHandle:
    """Put ``hook`` into ``hooks`` and mark it in each of ``flags``."""
    registered.any = True
    handle = add(hooks, hook)
    for flag in flags:
        flag[handle.id] = True
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    return handle


#: Hooks that every module of the process calls, before its own.
global_forward_pre_hooks: HookDict = OrderedDict()
global_forward_hooks: HookDict = OrderedDict()
global_backward_hooks: HookDict = OrderedDict()
_global_with_kwargs: OrderedDict[int, bool] = OrderedDict()
_global_always_called: OrderedDict[int, bool] = OrderedDict()


def register_module_forward_pre_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(module, args)`` before the ``forward`` of every module."""
    return add_hook(global_forward_pre_hooks, hook)


def register_module_forward_hook(
    hook: Hook, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """Call ``hook(module, args, output)`` after the ``forward`` of every module."""
    flags = [flag for flag, on in ((_global_with_kwargs, with_kwargs), (_global_always_called, always_call)) if on]
    return add_hook(global_forward_hooks, hook, *flags)


def register_module_full_backward_hook(hook: Hook) -> RemovableHandle:
    """Call ``hook(module, grad_input, grad_output)`` whenever gradients have passed any module."""
    return add_hook(global_backward_hooks, hook)


def call_with_hooks(module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``module.forward`` with the hooks of ``module`` and the global ones around it."""
    called: set[int] = set()
    result = None
    try:
        args, kwargs = _run_pre_hooks(module, args, kwargs)
        full = [*global_backward_hooks.values(), *(module._backward_hooks.values() if _is_full(module) else ())]
        pre = list(module._backward_pre_hooks.values())
        around = BackwardHooks(module, full, pre) if full or pre else None
        if around is not None:
            args = around.wrap_inputs(args)
        result = module.forward(*args, **kwargs)
        for key, hook in (*global_forward_hooks.items(), *module._forward_hooks.items()):
            called.add(key)
            changed = _run_forward_hook(module, key, hook, args, kwargs, result)
            if changed is not None:
                result = changed
        if around is not None:
            if not isinstance(result, (Tensor, tuple)):
                warnings.warn(
                    "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but "
                    f"received {type(result)}",
                    stacklevel=3,
                )
            result = around.wrap_outputs(result)
        if not _is_full(module) and module._backward_hooks:
            _hook_last_node(module, result)
        return result
    except Exception:
        for key, hook in (*global_forward_hooks.items(), *module._forward_hooks.items()):
            always = key in _global_always_called or key in module._forward_hooks_always_called
            if always and key not in called:
                _run_forward_hook(module, key, hook, args, kwargs, result)
        raise


def _is_full(module: Module) -> bool:
    return module._is_full_backward_hook is not False


def _run_pre_hooks(
    module: Module, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    for key, hook in (*global_forward_pre_hooks.items(), *module._forward_pre_hooks.items()):
        if key in module._forward_pre_hooks_with_kwargs:
            both = hook(module, args, kwargs)
            if both is None:
                continue
            if not (isinstance(both, tuple) and len(both) == 2):
                raise RuntimeError(
                    f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {both}."
                )
            args, kwargs = both
        else:
            changed = hook(module, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
    return args, kwargs


def _run_forward_hook(
    module: Module, key: int, hook: Hook, args: tuple[Any, ...], kwargs: dict[str, Any], result: Any
) -> Any:
    if key in module._forward_hooks_with_kwargs or key in _global_with_kwargs:
        return hook(module, args, kwargs, result)
    return hook(module, args, result)


def _hook_last_node(module: Module, result: Any) -> None:
    """The old ``register_backward_hook``: hooks on the node that made the (first) result."""
    while not isinstance(result, Tensor):
        result = next(iter(result.values())) if isinstance(result, dict) else result[0]
    if result.grad_fn is not None:
        for hook in module._backward_hooks.values():
            result.grad_fn.register_hook(_bound(hook, module))


def _bound(hook: Hook, module: Module) -> Hook:
    def call(grad_input: tuple[Any, ...], grad_output: tuple[Any, ...]) -> Any:
        return hook(module, grad_input, grad_output)

    return call


class BackwardHookFunction(Function):
    """The identity on any number of tensors; a node to hang hooks on."""

    @staticmethod
    def forward(ctx: Any, *tensors: Tensor) -> tuple[Tensor, ...]:
        ctx.mark_non_differentiable(*[t for t in tensors if not t.requires_grad])
        return tuple(t.view_as(t) for t in tensors)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, ...]:
        return grads


class BackwardHooks:
    """One call of a module with full backward hooks: remembers ``grad_output`` until ``grad_input`` is known."""

    def __init__(self, module: Module, hooks: list[Hook], pre_hooks: list[Hook]) -> None:
        self.module = module
        self.hooks = hooks
        self.pre_hooks = pre_hooks
        self.grad_output: tuple[Any, ...] | None = None
        self.input_places: list[int] | None = None
        self.output_places: list[int] | None = None
        self.n_inputs = 0
        self.n_outputs = 0

    def wrap_inputs(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, tensors among them behind the node where the hooks run."""
        self.n_inputs = len(args)
        args, self.input_places = _behind_node(args, self._at_inputs)
        return args

    def wrap_outputs(self, result: Any) -> Any:
        """The result, tensors in it behind the node that catches ``grad_output``."""
        single = not isinstance(result, tuple)
        results = (result,) if single else result
        self.n_outputs = len(results)
        results, self.output_places = _behind_node(results, self._at_outputs)
        return results[0] if single else results

    def _at_outputs(self, _: tuple[Any, ...], grads: tuple[Any, ...]) -> tuple[Any, ...] | None:
        grad_output = _spread(self.output_places or [], grads, self.n_outputs)
        for hook in self.pre_hooks:
            changed = hook(self.module, grad_output)
            if changed is None:
                continue
            changed = changed if isinstance(changed, tuple) else (changed,)
            if len(changed) != len(grad_output):
                raise RuntimeError(
                    "Backward pre hook returned an invalid number of grad_output, "
                    f"got {len(changed)}, but expected {len(grad_output)}"
                )
            grad_output = changed
        self.grad_output = grad_output
        if self.input_places is None:
            # No argument needs a gradient, so no node before them will fire: call the hooks here.
            warnings.warn(
                "Full backward hook is firing when gradients are computed with respect to module outputs since no "
                "inputs require gradients. See "
                "https://docs.pytorch.org/docs/main/generated/torch.nn.Module.html"
                "#torch.nn.Module.register_full_backward_hook "
                "for more details.",
                stacklevel=5,
            )
            nothing = (None,) * self.n_inputs
            for hook in self.hooks:
                answer = hook(self.module, nothing, grad_output)
                if answer is not None and not (isinstance(answer, tuple) and all(one is None for one in answer)):
                    raise RuntimeError(
                        "Backward hook for Modules where no input requires gradient should always return None or "
                        "None for all gradients."
                    )
            self.grad_output = None
        return tuple(grad_output[i] for i in self.output_places or [])

    def _at_inputs(self, grads: tuple[Any, ...], _: tuple[Any, ...]) -> tuple[Any, ...] | None:
        if self.grad_output is None:
            return None  # the gradient came by another way than the module's result (double backward)
        places = self.input_places or []
        grad_input = _spread(places, grads, self.n_inputs)
        for hook in self.hooks:
            changed = hook(self.module, grad_input, self.grad_output)
            if changed is None:
                continue
            changed = changed if isinstance(changed, tuple) else (changed,)
            if len(changed) != len(grad_input):
                raise RuntimeError(
                    "Backward hook returned an invalid number of grad_input, "
                    f"got {len(changed)}, but expected {len(grad_input)}"
                )
            grad_input = changed
        self.grad_output = None
        return tuple(grad_input[i] for i in places)


def _spread(places: list[int], values: tuple[Any, ...], size: int) -> tuple[Any, ...]:
    out: list[Any] = [None] * size
    for place, value in zip(places, values, strict=True):
        out[place] = value
    return tuple(out)


def _behind_node(items: tuple[Any, ...], hook: Hook) -> tuple[tuple[Any, ...], list[int] | None]:
    """``items`` with the tensors passed through one identity node that calls ``hook``; the tensors' places.

    The places are None when no tensor needs a gradient, and then nothing is changed.
    """
    places = [i for i, item in enumerate(items) if isinstance(item, Tensor)]
    if not (is_grad_enabled() and any(items[i].requires_grad for i in places)):
        return items, None
    passed = BackwardHookFunction.apply(*[items[i] for i in places])
    next(t.grad_fn for t in passed if t.grad_fn is not None).register_hook(hook)
    out = list(items)
    for place, tensor in zip(places, passed, strict=True):
        out[place] = tensor
    return tuple(out), places
