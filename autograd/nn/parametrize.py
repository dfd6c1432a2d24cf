"""Parameters that are computed from others: ``module.weight`` becomes a function of what is learnt in its place.

What is learnt is ``module.parametrizations.weight.original`` (or ``original0``, ``original1`` ...); reading
``module.weight`` computes, and assigning to it solves for the originals where the parametrization can.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograd.mode import no_grad
from autograd.nn.containers import ModuleDict, ModuleList
from autograd.nn.parameter import Parameter
from autograd.tensor import Tensor

_caches: list[dict[tuple[int, str], Tensor]] = []


@contextmanager
def cached() -> Iterator[None]:
    """Inside, each parametrized tensor is computed once."""
    _caches.append(_caches[-1] if _caches else {})
    try:
        yield
    finally:
        _caches.pop()


def _register(module: Any, name: str, tensor: Tensor) -> None:
    (module.register_parameter if isinstance(tensor, Parameter) else module.register_buffer)(name, tensor)


def _same(what: str, before: tuple[str, Tensor], after: tuple[str, Any]) -> None:
    """ValueError where a parametrization returns no tensor, or changes type or shape."""
    if not isinstance(after[1], Tensor):
        raise ValueError(f"A parametrization must return a tensor. Got {type(after[1]).__name__}.")
    for aspect in ("dtype", "shape"):
        old, new = getattr(before[1], aspect), getattr(after[1], aspect)
        if old != new:
            raise ValueError(
                f"Registering a parametrization may not change the {aspect} of the tensor, unless {what} flag is "
                f"enabled.\n{before[0].format(aspect)}: {old}\n{after[0].format(aspect)}: {new}"
            )


class ParametrizationList(ModuleList):
    """The parametrizations of one tensor, applied in order to ``original`` or to ``original0``, ``original1`` ..."""

    def __init__(self, modules: Sequence[Any], original: Tensor, unsafe: bool = False) -> None:
        if not modules:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        before = original.detach()
        with no_grad():
            new: Any = original
            for module in reversed(list(self)):
                if hasattr(module, "right_inverse"):
                    new = module.right_inverse(new)
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                f"{type(new).__name__}"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if isinstance(new, Tensor) else len(new)
        if isinstance(new, Tensor):
            if new.dtype is not original.dtype:
                raise ValueError(
                    "When `right_inverse` outputs one tensor, it may not change the dtype.\noriginal.dtype: "
                    f"{original.dtype}\nright_inverse(original).dtype: {new.dtype}"
                )
            original.data = new.detach()
            _register(self, "original", original)
        else:
            for place, each in enumerate(new):
                made = Parameter(each, original.requires_grad) if isinstance(original, Parameter) else each
                _register(self, f"original{place}", made.requires_grad_(original.requires_grad))
        if not unsafe:
            _same("`unsafe`", ("unparametrized {}", before), ("parametrized {}", self()))

    def _originals(self) -> list[Tensor]:
        names = ["original"] if self.is_tensor else [f"original{place}" for place in range(self.ntensors)]
        return [getattr(self, name) for name in names]

    def right_inverse(self, value: Tensor) -> None:
        """Sets the originals so that the parametrized tensor is ``value``; RuntimeError where nobody knows how."""
        with no_grad():
            new: Any = value
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                new = module.right_inverse(new)
            for original, each in zip(self._originals(), [new] if self.is_tensor else new, strict=True):
                original.data = each.detach()

    def forward(self) -> Any:
        first, *rest = self
        value = first(*self._originals())
        for module in rest:
            value = module(value)
        return value


def _computed(name: str) -> property:
    def read(self: Any) -> Any:
        compute = self.parametrizations[name]
        if not _caches:
            return compute()
        key = (id(self), name)
        if key not in _caches[-1]:
            _caches[-1][key] = compute()
        return _caches[-1][key]

    def write(self: Any, value: Tensor) -> None:
        self.parametrizations[name].right_inverse(value)

    return property(read, write)


def register_parametrization(module: Any, tensor_name: str, parametrization: Any, *, unsafe: bool = False) -> Any:
    """Makes a parameter or buffer of ``module`` the result of ``parametrization`` (after those it has already).

    ValueError if there is no such tensor, or its type or shape would change and ``unsafe`` is not set.
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        if not unsafe:
            value = getattr(module, tensor_name)
            names = f"module.{tensor_name}.{{}}", f"parametrization(module.{tensor_name}).{{}}"
            _same("the `unsafe`", (names[0], value), (names[1], parametrization(value)))
        known = module.parametrizations[tensor_name]
        known.append(parametrization)
        known.unsafe |= unsafe
        return module
    if tensor_name not in module._parameters and tensor_name not in module._buffers:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
            f"'{tensor_name}'"
        )
    listed = ParametrizationList([parametrization], getattr(module, tensor_name), unsafe)
    delattr(module, tensor_name)
    if not is_parametrized(module):
        kind = type(module)
        module.__class__ = type(f"Parametrized{kind.__name__}", (kind,), {"__module__": kind.__module__})
        module.parametrizations = ModuleDict()
    setattr(type(module), tensor_name, _computed(tensor_name))
    module.parametrizations[tensor_name] = listed
    return module


def is_parametrized(module: Any, tensor_name: str | None = None) -> bool:
    """Whether ``module`` has a parametrization (of that tensor)."""
    known = getattr(module, "parametrizations", None)
    if not isinstance(known, ModuleDict):
        return False
    return len(known) > 0 if tensor_name is None else tensor_name in known


def remove_parametrizations(module: Any, tensor_name: str, leave_parametrized: bool = True) -> Any:
    """The tensor is a plain one again: with its present value, or the original if not ``leave_parametrized``.

    ValueError if it is not parametrized, or several originals would be left.
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    listed = module.parametrizations[tensor_name]
    if listed.is_tensor:
        original = listed.original
        if leave_parametrized:
            with no_grad():
                original.data = getattr(module, tensor_name).detach()
    elif leave_parametrized:
        value = getattr(module, tensor_name)
        original = Parameter(value.detach()) if value.requires_grad else value
    else:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
            "sequence of tensors."
        )
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    _register(module, tensor_name, original)
    if not is_parametrized(module):
        delattr(module, "parametrizations")
        module.__class__ = type(module).__bases__[0]
    return module


def type_before_parametrizations(module: Any) -> type:
    """The class that ``module`` had before it was parametrized."""
    return type(module).__bases__[0] if is_parametrized(module) else type(module)
