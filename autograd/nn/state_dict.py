"""Saving and loading the parameters and buffers of a module by their dotted names."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from autograd.mode import no_grad
from autograd.nn.parameter import Parameter
from autograd.tensor import Tensor

if TYPE_CHECKING:
    from autograd.nn.module import Module

EXTRA_STATE = "_extra_state"


class IncompatibleKeys(NamedTuple):
    """What ``load_state_dict`` returns: names the module has and the dict lacks, and the other way round."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys!r}, unexpected_keys={self.unexpected_keys!r})"


def save_own(module: Module, destination: Any, prefix: str, keep_vars: bool) -> None:
    """Put the parameters and persistent buffers of ``module`` itself into ``destination``."""
    for name, param in module._parameters.items():
        if param is not None:
            destination[prefix + name] = param if keep_vars else param.detach()
    for name, buffer in module._buffers.items():
        if buffer is not None and name not in module._non_persistent_buffers_set:
            destination[prefix + name] = buffer if keep_vars else buffer.detach()
    if overrides(module, "get_extra_state"):
        destination[prefix + EXTRA_STATE] = module.get_extra_state()


def overrides(module: Module, name: str) -> bool:
    """Does the class of ``module`` have its own method ``name``?"""
    from autograd.nn.module import Module

    return getattr(type(module), name) is not getattr(Module, name)


def load_own(
    module: Module,
    state: Mapping[str, Any],
    prefix: str,
    assign: bool,
    strict: bool,
    missing: list[str],
    unexpected: list[str],
    errors: list[str],
) -> None:
    """Copy the entries of ``state`` that begin with ``prefix`` into ``module`` itself; collect what does not fit."""
    persistent = {k: v for k, v in module._buffers.items() if k not in module._non_persistent_buffers_set}
    own: dict[str, Tensor] = {k: v for k, v in {**module._parameters, **persistent}.items() if v is not None}
    for name, target in own.items():
        key = prefix + name
        if key not in state:
            if strict:
                missing.append(key)
            continue
        value = state[key]
        if not isinstance(value, Tensor):
            errors.append(
                f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                f"checkpoint but received {type(value)}"
            )
            continue
        if target.ndim == 0 and value.ndim == 1 and value.shape[0] == 1:
            value = value[0]
        if value.shape != target.shape:
            errors.append(
                f"size mismatch for {key}: copying a param with shape {value.shape} from checkpoint, "
                f"the shape in current model is {target.shape}."
            )
            continue
        try:
            _put(module, name, target, value, assign)
        except Exception as error:
            errors.append(
                f'While copying the parameter named "{key}", whose dimensions in the model are {target.shape} and '
                f"whose dimensions in the checkpoint are {value.shape}, an exception occurred : {error.args}."
            )
    extra = prefix + EXTRA_STATE
    if overrides(module, "set_extra_state"):
        if extra in state:
            module.set_extra_state(state[extra])
        elif strict:
            missing.append(extra)
    elif strict and extra in state:
        unexpected.append(extra)
    if strict:
        for key in state:
            if key.startswith(prefix) and key != extra:
                first, *rest = key[len(prefix) :].split(".", 1)
                if first not in (module._modules if rest else own):
                    unexpected.append(key)


def _put(module: Module, name: str, target: Tensor, value: Tensor, assign: bool) -> None:
    with no_grad():
        if not assign:
            target.copy_(value)
            return
        if isinstance(target, Parameter):
            if isinstance(value, Parameter):
                value.requires_grad_(target.requires_grad)
            else:
                value = Parameter(value, requires_grad=target.requires_grad)
        setattr(module, name, value)


def load(module: Module, state_dict: Mapping[str, Any], strict: bool, assign: bool) -> IncompatibleKeys:
    """Load ``state_dict`` into ``module`` and everything below it.

    Raises TypeError when it is no mapping, RuntimeError naming every missing, unexpected and ill-shaped entry.
    """
    if not isinstance(state_dict, Mapping):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    missing: list[str] = []
    unexpected: list[str] = []
    errors: list[str] = []
    metadata = getattr(state_dict, "_metadata", None)
    state: Any = OrderedDict(state_dict)
    if metadata is not None:
        state._metadata = metadata

    def visit(child: Module, state: Any, prefix: str) -> None:
        local = {} if metadata is None else metadata.get(prefix[:-1], {})
        if assign:
            local["assign_to_params_buffers"] = assign
        child._load_from_state_dict(state, prefix, local, True, missing, unexpected, errors)
        for name, grandchild in child._modules.items():
            if grandchild is not None:
                below = prefix + name + "."
                visit(grandchild, {k: v for k, v in state.items() if k.startswith(below)}, below)
        keys = IncompatibleKeys(missing, unexpected)
        for hook in child._load_state_dict_post_hooks.values():
            if hook(child, keys) is not None:
                raise AssertionError(
                    "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new "
                    "values, if incompatible_keys need to be modified, it should be done inplace."
                )

    visit(module, state, "")
    if strict:
        if unexpected:
            errors.insert(0, f"Unexpected key(s) in state_dict: {_quoted(unexpected)}. ")
        if missing:
            errors.insert(0, f"Missing key(s) in state_dict: {_quoted(missing)}. ")
    if errors:
        lines = "\n\t".join(errors)
        raise RuntimeError(f"Error(s) in loading state_dict for {type(module).__name__}:\n\t{lines}")
    return IncompatibleKeys(missing, unexpected)


def _quoted(keys: list[str]) -> str:
    return ", ".join(f'"{key}"' for key in keys)
