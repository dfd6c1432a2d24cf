"""Warnings, worded and categorised as PyTorch's."""

from __future__ import annotations

import warnings

_given: set[str] = set()


def forget() -> None:
    """Makes warnings that are given once be given again; call it where a new program begins."""
    _given.clear()


def once(message: str, *, stacklevel: int = 3) -> None:
    """Warns with ``message``, the first time only."""
    if message not in _given:
        _given.add(message)
        warnings.warn(message, UserWarning, stacklevel=stacklevel + 1)


def scalar_conversion() -> None:
    """A tensor that requires grad becomes a Python number."""
    once(
        "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider using "
        "tensor.detach() first.",
        stacklevel=4,
    )


def create_graph() -> None:
    """``backward(create_graph=True)``, whose gradients have a history that holds the parameters."""
    once(
        "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
        "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
        "have to use this function, make sure to reset the .grad fields of your parameters to None after use to break "
        "the cycle and avoid the leak.",
        stacklevel=4,
    )


def non_leaf_grad() -> None:
    """Somebody reads ``.grad`` of a tensor that will not have one."""
    warnings.warn(
        "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
        "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
        "Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure "
        "you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information.",
        UserWarning,
        stacklevel=3,
    )
