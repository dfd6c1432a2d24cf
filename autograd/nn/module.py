"""Module: a function with parameters, made of modules.

Assigning a :class:`Parameter`, a module or a buffer to an attribute registers it; everything else about a module
(iteration, modes, saving, moving, printing) works from these three registers.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self, TypeVar

from autograd.hooks import RemovableHandle
from autograd.mode import modes, no_grad, switch
from autograd.nn import state_dict as saving
from autograd.nn.hooks import (
    Hook,
    HookDict,
    add_hook,
    call_with_hooks,
    global_backward_hooks,
    global_forward_hooks,
    global_forward_pre_hooks,
    registered,
)
from autograd.nn.names import reserved, typename
from autograd.nn.parameter import Buffer, Parameter
from autograd.nn.scopes import inside
from autograd.nn.tree import Tree
from autograd.tensor import Tensor

T = TypeVar("T")


class Module(Tree):
    """The class every network is derived from.

    A subclass calls ``super().__init__()`` first, assigns its parts to attributes and defines ``forward``. Calling the
    module runs ``forward`` with the registered hooks around it.
    """

    training: bool
    call_super_init: bool = False
    dump_patches: bool = False
    _version: ClassVar[int] = 1
    _non_persistent_buffers_set: set[str]
    _backward_pre_hooks: HookDict
    _backward_hooks: HookDict
    _is_full_backward_hook: bool | None
    _forward_hooks: HookDict
    _forward_hooks_with_kwargs: OrderedDict[int, bool]
    _forward_hooks_always_called: OrderedDict[int, bool]
    _forward_pre_hooks: HookDict
    _forward_pre_hooks_with_kwargs: OrderedDict[int, bool]
    _state_dict_hooks: HookDict
    _state_dict_pre_hooks: HookDict
    _load_state_dict_pre_hooks: HookDict
    _load_state_dict_post_hooks: HookDict

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init:
            name = type(self).__name__
            if kwargs:
                raise TypeError(f"{name}.__init__() got an unexpected keyword argument '{next(iter(kwargs))}'")
            if args:
                raise TypeError(f"{name}.__init__() takes 1 positional argument but {len(args) + 1} were given")
        # Straight into __dict__: __setattr__ below needs the registers to be there already.
        self.__dict__.update(
            training=True,
            _parameters={},
            _buffers={},
            _non_persistent_buffers_set=set(),
            _backward_pre_hooks=OrderedDict(),
            _backward_hooks=OrderedDict(),
            _is_full_backward_hook=None,
            _forward_hooks=OrderedDict(),
            _forward_hooks_with_kwargs=OrderedDict(),
            _forward_hooks_always_called=OrderedDict(),
            _forward_pre_hooks=OrderedDict(),
            _forward_pre_hooks_with_kwargs=OrderedDict(),
            _state_dict_hooks=OrderedDict(),
            _state_dict_pre_hooks=OrderedDict(),
            _load_state_dict_pre_hooks=OrderedDict(),
            _load_state_dict_post_hooks=OrderedDict(),
            _modules={},
        )
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    # Calling

    def _forward_unimplemented(self, *input: Any) -> Any:
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    _forward_unimplemented.__qualname__ = "_forward_unimplemented"
    forward: Callable[..., Any] = _forward_unimplemented

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """``forward`` with the hooks around it."""
        if switch.special and modes.recorder is not None:
            with inside(self, modes.recorder):
                return call_with_hooks(self, args, kwargs)
        if registered.any and (
            self._backward_hooks
            or self._backward_pre_hooks
            or self._forward_hooks
            or self._forward_pre_hooks
            or global_forward_hooks
            or global_forward_pre_hooks
            or global_backward_hooks
        ):
            return call_with_hooks(self, args, kwargs)
        return self.forward(*args, **kwargs)

    # Registration

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is part of the state but is not trained; ``persistent=False`` keeps it out of state_dict.

        Raises TypeError, KeyError or AttributeError for a bad name, a name in use, or something that is no tensor.
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name("buffer", name, self._buffers)
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under ``name``; None declares one that is absent (as a bias may be).

        Raises TypeError, KeyError or AttributeError for a bad name, a name in use, or something that is no parameter,
        ValueError for the result of an operation.
        """
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name("parameter", name, self._parameters)
        if param is not None and not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. "
                f"To express '{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = param

    def add_module(self, name: str, module: Module | None) -> None:
        """Add ``module`` as child ``name``. Raises TypeError or KeyError for a bad module or name."""
        if not isinstance(module, Module) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError('module name can\'t be empty string ""')
        self._modules[name] = module

    def register_module(self, name: str, module: Module | None) -> None:
        """Another name of :meth:`add_module`."""
        self.add_module(name, module)

    def _check_name(self, what: str, name: str, register: dict[str, Any]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {typename(name)}")
        if "." in name:
            raise KeyError(f'{what} name can\'t contain "."')
        if name == "":
            raise KeyError(f'{what} name can\'t be empty string ""')
        if hasattr(self, name) and name not in register:
            raise KeyError(f"attribute '{name}' already exists")

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        if name[:1] != "_" or not reserved(name):
            for register in ("_parameters", "_buffers", "_modules"):
                if register in own and name in own[register]:
                    return own[register][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        parameters = own.get("_parameters")
        if isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._forget(name, own, self._buffers, self._modules)
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if "_modules" not in own:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._forget(name, own, self._parameters, self._buffers)
            self._modules[name] = value
        elif name in own.get("_modules", ()):
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            self._modules[name] = value
        elif isinstance(value, Buffer) or name in own.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                raise TypeError(
                    f"cannot assign '{typename(value)}' as buffer '{name}' "
                    "(torch.nn.Buffer, torch.Tensor or None expected)"
                )
            keep = value.persistent if isinstance(value, Buffer) else name not in self._non_persistent_buffers_set
            self.register_buffer(name, value, keep)
        else:
            super().__setattr__(name, value)

    def _forget(self, name: str, *registers: dict[str, Any]) -> None:
        for register in registers:
            register.pop(name, None)
        self._non_persistent_buffers_set.discard(name)

    def __delattr__(self, name: str) -> None:
        if name in self._parameters:
            del self._parameters[name]
        elif name in self._buffers:
            del self._buffers[name]
            self._non_persistent_buffers_set.discard(name)
        elif name in self._modules:
            del self._modules[name]
        else:
            super().__delattr__(name)

    def __dir__(self) -> list[str]:
        keys = [*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers]
        return sorted(key for key in keys if not key[0].isdigit())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    # Modes

    def train(self, mode: bool = True) -> Self:
        """Set training mode here and below. It changes what dropout and batch norm do, never what is recorded."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self) -> Self:
        """``train(False)``."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Freeze or unfreeze every parameter here and below."""
        for param in self.parameters():
            param.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradient of every parameter: to None, or to zeros in place."""
        from autograd.optim.optimizer import clear_gradients

        clear_gradients(list(self.parameters()), set_to_none, self)

    def apply(self, fn: Callable[[Module], None]) -> Self:
        """Call ``fn`` on every module below and last on this one, for example to initialise them."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    # Conversion

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Self:
        """Put ``fn`` of each parameter, gradient and buffer in its place; parameters keep their identity."""
        if recurse:
            for child in self.children():
                child._apply(fn)
        with no_grad():
            for param in self._parameters.values():
                if param is None:
                    continue
                gradient = param.grad
                param.data = fn(param)
                if gradient is not None:
                    gradient.data = fn(gradient)
            for key, buffer in self._buffers.items():
                if buffer is not None:
                    self._buffers[key] = fn(buffer)
        return self

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """Convert parameters and buffers in place: ``to(dtype)``, ``to(device)``, ``to(tensor)``.

        Raises TypeError for a dtype that is not floating point.
        """
        from autograd.dtypes import dtype as dtype_type

        dtype = kwargs.get("dtype")
        device = kwargs.get("device")
        for arg in args:
            if isinstance(arg, dtype_type):
                dtype = arg
            elif isinstance(arg, Tensor):
                dtype = arg.dtype
            elif not isinstance(arg, bool):
                device = arg
        if dtype is not None and not dtype.is_floating_point:
            raise TypeError(
                f"nn.Module.to only accepts floating point or complex dtypes, but got desired dtype={dtype}"
            )

        def convert(t: Tensor) -> Tensor:
            wanted = dtype if dtype is not None and t.dtype.is_floating_point else t.dtype
            moved: Tensor = t.to(wanted) if device is None else t.to(device, wanted)
            return moved

        return self._apply(convert)

    def type(self, dst_type: Any) -> Self:
        """Convert every parameter and buffer to ``dst_type``."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> Self:
        """Floating-point parameters and buffers to float32."""
        return self._apply(lambda t: t.float() if t.dtype.is_floating_point else t)

    def double(self) -> Self:
        """Floating-point parameters and buffers to float64."""
        return self._apply(lambda t: t.double() if t.dtype.is_floating_point else t)

    def half(self) -> Self:
        """Floating-point parameters and buffers to float16."""
        return self._apply(lambda t: t.half() if t.dtype.is_floating_point else t)

    def cpu(self) -> Self:
        """Nothing to do: every tensor is on the CPU."""
        return self._apply(lambda t: t.cpu())

    def cuda(self, device: Any = None) -> Self:
        """Raises as PyTorch's build for CPUs does: there is no GPU here."""
        return self._apply(lambda t: t.cuda(device))

    # Saving

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """Parameters and persistent buffers by dotted name. The tensors are not copies: they share the storage."""
        if args:
            warnings.warn(
                "Positional args are being deprecated, use kwargs instead. Refer to "
                "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details.",
                FutureWarning,
                stacklevel=2,
            )
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and prefix == "" else prefix
            keep_vars = args[2] if len(args) > 2 and keep_vars is False else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, child in self._modules.items():
            if child is not None:
                child.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            if hook(self, destination, prefix, metadata) is not None:
                raise RuntimeError("state_dict post-hook must return None")
        return destination

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        saving.save_own(self, destination, prefix, keep_vars)

    def load_state_dict(
        self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False
    ) -> saving.IncompatibleKeys:
        """Copy the entries of ``state_dict`` into the parameters and buffers of the same names.

        Raises RuntimeError naming every entry of another shape and, with ``strict``, every missing or unexpected one.
        """
        return saving.load(self, state_dict, strict, assign)

    def _load_from_state_dict(
        self,
        state_dict: Mapping[str, Any],
        prefix: str,
        local_metadata: dict[str, Any],
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        for hook in self._load_state_dict_pre_hooks.values():
            hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        assign = local_metadata.get("assign_to_params_buffers", False)
        saving.load_own(self, state_dict, prefix, assign, strict, missing_keys, unexpected_keys, error_msgs)

    def get_extra_state(self) -> Any:
        """Override together with :meth:`set_extra_state` to save something besides parameters and buffers."""
        raise RuntimeError("Module.get_extra_state() is called only where a class defines its own")

    def set_extra_state(self, state: Any) -> None:
        """Override to restore what :meth:`get_extra_state` returned."""
        raise RuntimeError("Module.set_extra_state() is called only where a class defines its own")

    # Hooks

    def register_forward_pre_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, args)`` before forward; what it returns replaces the arguments."""
        flags = [self._forward_pre_hooks_with_kwargs] if with_kwargs else []
        return add_hook(self._forward_pre_hooks, hook, *flags, prepend=prepend)

    def register_forward_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, args, output)`` after forward; what it returns replaces the output."""
        flags = [self._forward_hooks_with_kwargs] if with_kwargs else []
        flags += [self._forward_hooks_always_called] if always_call else []
        return add_hook(self._forward_hooks, hook, *flags, prepend=prepend)

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(module, grad_output)`` before gradients enter the module; what it returns replaces them."""
        return add_hook(self._backward_pre_hooks, hook, prepend=prepend)

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(module, grad_input, grad_output)`` after; what it returns replaces ``grad_input``."""
        self._set_kind_of_backward_hooks(full=True)
        return add_hook(self._backward_hooks, hook, prepend=prepend)

    def register_backward_hook(self, hook: Hook) -> RemovableHandle:
        """The old form, on the module's last node only; ``register_full_backward_hook`` is the one to use."""
        self._set_kind_of_backward_hooks(full=False)
        return add_hook(self._backward_hooks, hook)

    def _set_kind_of_backward_hooks(self, full: bool) -> None:
        if self._is_full_backward_hook is (not full):
            raise RuntimeError(
                "Cannot use both regular backward hooks and full backward hooks on a single Module. "
                "Please use only one of them."
            )
        self._is_full_backward_hook = full

    def register_state_dict_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(module, prefix, keep_vars)`` before this module's entries are saved."""
        return add_hook(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(module, state_dict, prefix, local_metadata)`` after; it may change ``state_dict`` in place."""
        return add_hook(self._state_dict_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(module, state_dict, prefix, ...)`` before this module's entries are loaded."""
        return add_hook(self._load_state_dict_pre_hooks, hook)

    def register_load_state_dict_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(module, incompatible_keys)`` after; it may change the two lists in place."""
        return add_hook(self._load_state_dict_post_hooks, hook)

    # Printing

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What stands between the parentheses; override it to show a module's settings."""
        return ""

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        if len(lines) == 1 and not self._modules:
            return f"{self._get_name()}({lines[0]})"
        lines += [f"({name}): {_indented(repr(child))}" for name, child in self._modules.items()]
        inside = "\n  " + "\n  ".join(lines) + "\n" if lines else ""
        return f"{self._get_name()}({inside})"


def _indented(text: str) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *("  " + line if line.strip() else "" for line in rest)])
