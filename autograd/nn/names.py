"""The names that PyTorch gives to types, in messages and when a class is printed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from autograd.tensor import Tensor

#: Where PyTorch keeps what our file of this name holds, unless it is ``torch.nn.modules`` and the same name.
_HOMES = {
    "attention": "torch.nn.modules.activation",
    "containers": "torch.nn.modules.container",
    "embedding": "torch.nn.modules.sparse",
    "lazy": "torch.nn.modules.lazy",
    "parallel": "torch.nn.parallel.data_parallel",
    "parameter": "torch.nn.parameter",
    "parameter_containers": "torch.nn.modules.container",
    "recurrent": "torch.nn.modules.rnn",
}


def home(module: str) -> str:
    """The module of PyTorch that has the classes of our ``module`` (``autograd.nn.linear``)."""
    package, _, name = module.rpartition(".")
    if package == "autograd.nn":
        return _HOMES.get(name, f"torch.nn.modules.{name}")
    if module.startswith("autograd.optim.lr_scheduler"):
        return "torch.optim.lr_scheduler"
    if package == "autograd.optim":
        return f"torch.optim.{name}"
    if package == "autograd.data":
        return f"torch.utils.data.{'dataloader' if name == 'loader' else name}"
    return module


def print_as_in_pytorch(values: Iterable[Any]) -> None:
    """Let the classes among ``values`` print as PyTorch's do: ``<class 'torch.nn.modules.linear.Linear'>``."""
    for value in values:
        if isinstance(value, type):
            value.__module__ = home(value.__module__)


def typename(thing: Any) -> str:
    """The name of the type of ``thing`` as PyTorch's messages give it (``torch.FloatTensor``, ``list``)."""
    if isinstance(thing, Tensor):
        return thing.dtype.tensor_type
    cls = thing if isinstance(thing, type) else type(thing)
    if cls.__module__ == "builtins":
        return cls.__qualname__
    return f"{home(cls.__module__)}.{cls.__qualname__}"


def reserved(name: str) -> bool:
    """Whether ``name`` begins and ends with two underscores: Python and NumPy ask for such attributes by themselves,
    so what a program keeps under names of its own choice must not have one.
    """
    return len(name) > 4 and name.startswith("__") and name.endswith("__")


def restore(thing: Any, state: Mapping[str, Any]) -> None:
    """Gives ``thing`` the attributes that were saved in ``state``."""
    vars(thing).update({name: value for name, value in state.items() if not reserved(name)})
