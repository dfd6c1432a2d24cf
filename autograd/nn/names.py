"""Names of types as PyTorch's error messages give them."""

from __future__ import annotations

from typing import Any

from autograd.tensor import Tensor


def typename(thing: Any) -> str:
    """The name of the type of ``thing`` as PyTorch's messages give it (``torch.FloatTensor``, ``list``)."""
    if isinstance(thing, Tensor):
        return thing.dtype.tensor_type
    cls = thing if isinstance(thing, type) else type(thing)
    module = cls.__module__
    if module in ("builtins", "__builtin__", ""):
        return cls.__qualname__
    if module.startswith("autograd.nn."):
        module = "torch.nn.modules." + module.removeprefix("autograd.nn.")
    return f"{module}.{cls.__qualname__}"
