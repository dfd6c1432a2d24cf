"""All parameters as one vector, and back."""

from __future__ import annotations

from collections.abc import Iterable

from autograd.nn import functional as F
from autograd.tensor import Tensor


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """The entries of all ``parameters``, one after the other, as one recorded operation on them."""
    return F.cat([param.reshape(-1) for param in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Put slices of ``vec`` into ``.data`` of ``parameters``. Raises TypeError when it is no tensor."""
    if not isinstance(vec, Tensor):
        kind = f"{type(vec).__module__}.{type(vec).__name__}".removeprefix("builtins.")
        raise TypeError(f"expected torch.Tensor, but got: {kind}")
    start = 0
    for param in parameters:
        stop = start + param.array.size
        param.data = vec[start:stop].view_as(param).data
        start = stop
