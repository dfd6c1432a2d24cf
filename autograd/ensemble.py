"""Many models of one kind as one: their parameters stacked, for ``vmap`` and ``functional_call``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .ops.joining import stack
from .tensor import Tensor


def stack_module_state(models: Sequence[Any]) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters and the buffers of ``models`` by name, each stacked along a new first dimension.

    RuntimeError for no models, for models of different classes, or some in training and some not, and for parameters of
    which only some require grad.
    """
    if not models:
        raise RuntimeError("stack_module_state: Expected at least one model, got 0.")
    if len({model.training for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to have the same training/eval mode.")
    if len({type(model) for model in models}) > 1:
        raise RuntimeError("stack_module_state: Expected all models to be of the same class.")
    params = [dict(model.named_parameters()) for model in models]
    buffers = [dict(model.named_buffers()) for model in models]
    return _stacked(params), _stacked(buffers)


def _stacked(states: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    result = {}
    for name in states[0]:
        tensors = [state[name] for state in states]
        tracked = {each.requires_grad for each in tensors}
        if len(tracked) > 1:
            raise RuntimeError(f"Expected {name} from each model to have the same .requires_grad")
        result[name] = stack.function(tensors).detach().requires_grad_(tracked.pop())
    return result
