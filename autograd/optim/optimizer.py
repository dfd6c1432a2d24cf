"""Optimizer: parameter groups, state, and the frame around every ``step``.

The rules of the single optimizers work on NumPy arrays, in place and outside of what is recorded: a step writes into a
parameter's storage and raises its version, as PyTorch's in-place operations under no_grad do, and appears in a trace as
one event with the parameters before and after.
"""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from itertools import chain
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from autograd.dispatch import make
from autograd.hooks import RemovableHandle
from autograd.mode import enable_grad, modes, switch
from autograd.nn.hooks import Hook, HookDict, add_hook
from autograd.nn.names import restore, typename
from autograd.nn.scopes import variable_of
from autograd.nn.writing import memory, values, wrote
from autograd.tensor import Tensor

Array = npt.NDArray[Any]
Params = Iterable[Tensor] | Iterable[dict[str, Any]] | Iterable[tuple[str, Tensor]]
Closure = Callable[[], Any]


class _Required:
    """Marks an option that has no default."""

    def __repr__(self) -> str:
        return "<required parameter>"


required: Any = _Required()


class Optimizer:
    """The class every optimizer is derived from.

    ``params`` are tensors, pairs of name and tensor, or dicts with ``params`` and options of their own (groups). A
    subclass of ours defines :meth:`_update` for one parameter; a learner's own subclass may define ``step`` instead.

    Raises ValueError for an empty list, a non-leaf tensor or a tensor in two groups, TypeError for what is no tensor.
    """

    param_groups: list[dict[str, Any]]
    state: defaultdict[Tensor, Any]
    defaults: dict[str, Any]
    _updates: ClassVar[bool] = False

    def __init__(self, params: Params, defaults: dict[str, Any]) -> None:
        if isinstance(params, Tensor):
            raise TypeError(
                "params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                + typename(params)
            )
        if defaults.get("differentiable"):
            raise RuntimeError(
                "differentiable=True is not supported: steps are not recorded. To differentiate through a step, write "
                "it as w = w - lr * g with g from torch.autograd.grad(..., create_graph=True)."
            )
        self.defaults = defaults
        self._optimizer_step_pre_hooks: HookDict = OrderedDict()
        self._optimizer_step_post_hooks: HookDict = OrderedDict()
        self.state = defaultdict(dict)
        self.param_groups = []
        groups: list[Any] = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        if not isinstance(groups[0], dict):
            groups = [{"params": groups}]
        for group in groups:
            self.add_param_group(group)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "step" in cls.__dict__:
            cls.step = _framed(cls.__dict__["step"])  # type: ignore[method-assign]

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Train these parameters too, with the options of ``param_group`` and the defaults for the rest."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(
                "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in "
                "sets will change between runs. Please use a list instead."
            )
        given = [params] if isinstance(params, Tensor) else list(params)
        tensors = [one[1] if isinstance(one, tuple) else one for one in given]
        names = [one[0] for one in given if isinstance(one, tuple)]
        param_group["params"] = tensors
        if names:
            if len(names) != len(tensors):
                raise ValueError("all optimizer params should be with/without names. Some param names are missing")
            param_group["param_names"] = names
        for param in tensors:
            if not isinstance(param, Tensor):
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {typename(param)}")
            if not (param.is_leaf or param.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        ids = {id(param) for param in tensors}
        if len(ids) != len(tensors):
            warnings.warn(
                "optimizer contains a parameter group with duplicate parameters; in future, this will cause an "
                "error; see github.com/pytorch/pytorch/issues/40967 for more information",
                stacklevel=3,
            )
        for group in self.param_groups:
            if ("param_names" in param_group) != ("param_names" in group):
                kind = "with names" if "param_names" in param_group else "without names"
                raise ValueError(
                    "all optimizer param groups should be with/without names. "
                    f"cannot add param group {kind} to the optimizer"
                )
        if any(id(param) in ids for group in self.param_groups for param in group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")
        self.param_groups.append(param_group)

    # Training

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradient of every parameter: to None, or to zeros in place."""
        params = [param for group in self.param_groups for param in group["params"]]
        clear_gradients(params, set_to_none, self)

    def step(self, closure: Closure | None = None) -> Any:
        """Move every parameter that has a gradient; ``closure`` recomputes the loss first and is what is returned."""
        if not self._updates:
            raise NotImplementedError
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        # Every state is made before any parameter moves, so that an error leaves all of them as they were.
        moves = [(group, param, self._gradient(param)) for group, param in self._parameters() if param.grad is not None]
        for group, param, _ in moves:
            if not self.state.get(param):
                initial = self._initial_state(group, param)
                if initial:
                    self.state[param].update(initial)
        for group, param, gradient in moves:
            if group["maximize"]:
                gradient = -gradient
            self._update(group, param, gradient)
        return loss

    def _parameters(self) -> Iterator[tuple[dict[str, Any], Tensor]]:
        for group in self.param_groups:
            for param in group["params"]:
                yield group, param

    def _gradient(self, param: Tensor) -> Array:
        gradient = param.grad
        assert gradient is not None
        return values(gradient)

    def _initial_state(self, group: dict[str, Any], param: Tensor) -> dict[str, Any]:
        """The state of a parameter before its first step."""
        return {}

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        """Move one parameter by ``gradient`` (not to be written to)."""
        raise NotImplementedError

    def register_step_pre_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` before each step."""
        return add_hook(self._optimizer_step_pre_hooks, hook)

    def register_step_post_hook(self, hook: Hook) -> RemovableHandle:
        """Call ``hook(optimizer, args, kwargs)`` after each step."""
        return add_hook(self._optimizer_step_post_hooks, hook)

    # Saving

    def state_dict(self) -> dict[str, Any]:
        """``state`` by number of the parameter, and ``param_groups`` with numbers in place of parameters."""
        numbers: dict[int, int] = {}
        groups = []
        for group in self.param_groups:
            for param in group["params"]:
                numbers.setdefault(id(param), len(numbers))
            packed = {key: value for key, value in group.items() if key != "params"}
            packed["params"] = [numbers[id(param)] for param in group["params"]]
            groups.append(packed)
        state = {(numbers[id(key)] if isinstance(key, Tensor) else key): value for key, value in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over state and options. Raises ValueError when the groups do not match."""
        state_dict = state_dict.copy()
        saved = [dict(group) for group in state_dict["param_groups"]]
        if len(saved) != len(self.param_groups):
            raise ValueError("loaded state dict has a different number of parameter groups")
        for group, other in zip(self.param_groups, saved, strict=True):
            if len(group["params"]) != len(other["params"]):
                raise ValueError(
                    "loaded state dict contains a parameter group that doesn't match the size of optimizer's group"
                )
        by_number = dict(
            zip(
                chain.from_iterable(group["params"] for group in saved),
                chain.from_iterable(group["params"] for group in self.param_groups),
                strict=True,
            )
        )
        state: defaultdict[Any, Any] = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in by_number:
                state[by_number[key]] = {name: _as_state(by_number[key], name, entry) for name, entry in value.items()}
            else:
                state[key] = value
        groups = []
        for group, other in zip(self.param_groups, saved, strict=True):
            other = {key: deepcopy(value) for key, value in other.items() if key != "params"}
            other["params"] = group["params"]
            if "param_names" in group:
                other["param_names"] = group["param_names"]
            groups.append(other)
        self.__setstate__({"state": state, "param_groups": groups})

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        restore(self, state)
        self.__dict__.setdefault("_optimizer_step_pre_hooks", OrderedDict())
        self.__dict__.setdefault("_optimizer_step_post_hooks", OrderedDict())

    def __repr__(self) -> str:
        lines = []
        for number, group in enumerate(self.param_groups):
            lines.append(f"\nParameter Group {number}\n")
            lines += [f"    {key}: {group[key]}\n" for key in sorted(group) if key != "params"]
        return f"{type(self).__name__} ({''.join(lines)})"


def _framed(step: Callable[..., Any]) -> Callable[..., Any]:
    """``step`` with the optimizer's hooks around it, and told to the trace that is being recorded."""

    @functools.wraps(step)
    def framed(self: Optimizer, *args: Any, **kwargs: Any) -> Any:
        for hook in self._optimizer_step_pre_hooks.values():
            changed = hook(self, args, kwargs)
            if changed is not None:
                if not (isinstance(changed, tuple) and len(changed) == 2):
                    raise RuntimeError(
                        f"{step} must return None or a tuple of (new_args, new_kwargs), but got {changed}."
                    )
                args, kwargs = changed
        recorder = modes.recorder if switch.special else None
        if recorder is None:
            out = step(self, *args, **kwargs)
        else:
            params = [param for _, param in self._parameters()]
            before = [np.array(param.array) for param in params]
            out = step(self, *args, **kwargs)
            moved = zip(params, before, strict=True)
            recorder.step(
                variable_of(self, recorder.filename),
                [(p, old, p.array, p.grad) for p, old in moved],
            )
        for hook in self._optimizer_step_post_hooks.values():
            hook(self, args, kwargs)
        return out

    return framed


Optimizer.step = _framed(Optimizer.step)  # type: ignore[method-assign]


def clear_gradients(params: list[Tensor], set_to_none: bool, owner: object) -> None:
    """Set ``.grad`` of each of ``params`` to None or zero it in place; a trace says that ``owner`` did it."""
    recorder = modes.recorder if switch.special else None
    before = [None if recorder is None or p.grad is None else np.array(p.grad.array) for p in params]
    for param in params:
        gradient = param.grad
        if gradient is None:
            continue
        if set_to_none:
            param.grad = None
            continue
        if gradient.grad_fn is not None:
            gradient.detach_()
        else:
            gradient.requires_grad_(False)
        memory(gradient)[...] = 0
        wrote(gradient)
    if recorder is not None:
        name = variable_of(owner, recorder.filename)
        recorder.zero_grad(name, [(p, old, p.grad) for p, old in zip(params, before, strict=True)])


# What the rules of single optimizers are written with


def array_of(t: Tensor) -> Array:
    """The array behind a parameter or a piece of state, for reading and for writing in place."""
    return memory(t)


def state_of(array: npt.ArrayLike) -> Tensor:
    """A piece of state: a tensor of its own around ``array``."""
    return make(np.asarray(array))


def as_number(value: Any) -> float:
    """An option that may be a one-element tensor, as a number."""
    return float(value) if isinstance(value, Tensor) else value


def check(what: str, value: Any) -> None:
    """Raises ValueError when an option is negative (or not a number)."""
    if isinstance(value, Tensor) and value.array.size != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not value >= 0.0:
        raise ValueError(f"Invalid {what}: {value}")


def check_betas(betas: tuple[float, float]) -> None:
    """Raises ValueError when a coefficient of a running average is outside 0 to 1."""
    for place, beta in enumerate(betas):
        if not 0.0 <= beta < 1.0:
            raise ValueError(f"Invalid beta parameter at index {place}: {beta}")


def count_step(state: dict[str, Any]) -> float:
    """Add one to the number of steps in ``state``; the new number."""
    step = array_of(state["step"])
    step += 1
    return float(step)


def lerp(average: Array, towards: Array, weight: float) -> None:
    """average + weight * (towards - average), in place, written so that neither end loses precision."""
    if weight < 0.5:
        average += weight * (towards - average)
    else:
        average[...] = towards - (towards - average) * (1 - weight)


def scale(param: Tensor, factor: float) -> None:
    """param * factor, in place."""
    array = array_of(param)
    array *= factor
    wrote(param)


def add_scaled(param: Tensor, direction: Array, factor: float) -> None:
    """param + factor * direction, in place."""
    array = array_of(param)
    array += factor * direction
    wrote(param)


def add_quotient(param: Tensor, numerator: Array, denominator: Array, factor: float) -> None:
    """param + factor * numerator / denominator, in place."""
    array = array_of(param)
    array += factor * (numerator / denominator)
    wrote(param)


def _as_state(param: Tensor, name: str, value: Any) -> Any:
    """A piece of loaded state: a copy, in the type of its parameter (the number of steps stays float32)."""
    if not isinstance(value, Tensor):
        return deepcopy(value)
    array = values(value)
    wanted = array.dtype if name == "step" or param.array.dtype.kind != "f" else param.array.dtype
    return state_of(np.array(array, wanted))
