"""What Adam and its variants share: running averages of the gradient and of its square, and weight decay."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd.optim.optimizer import (
    Array,
    Optimizer,
    Params,
    array_of,
    as_number,
    check,
    check_betas,
    lerp,
    scale,
    state_of,
)
from autograd.tensor import Tensor


class Averaging(Optimizer):
    """An optimizer with two coefficients of running averages. Raises ValueError for options out of range."""

    _updates = True

    def __init__(self, params: Params, options: dict[str, Any]) -> None:
        check("learning rate", options["lr"])
        check("epsilon value", options["eps"])
        check_betas(options["betas"])
        check("weight_decay value", options["weight_decay"])
        super().__init__(params, options)

    def _averages(self, group: dict[str, Any]) -> tuple[str, ...]:
        """The names of the arrays that are kept for each parameter; they start at zero."""
        return "exp_avg", "exp_avg_sq"

    def _initial_state(self, group: dict[str, Any], param: Tensor) -> dict[str, Any]:
        return {
            "step": state_of(np.zeros((), np.float32)),
            **{name: state_of(np.zeros_like(array_of(param))) for name in self._averages(group)},
        }

    def _decayed(self, group: dict[str, Any], param: Tensor, gradient: Array) -> Array:
        """The gradient with weight decay, which may act on the parameter itself instead."""
        decay = group["weight_decay"]
        if decay == 0:
            return gradient
        if group.get("decoupled_weight_decay"):
            scale(param, 1 - as_number(group["lr"]) * decay)
            return gradient
        decayed: Array = gradient + decay * array_of(param)
        return decayed

    def _averaged(self, group: dict[str, Any], param: Tensor, gradient: Array) -> tuple[Array, Array]:
        """The running averages of the gradient and its square, moved on by ``gradient``."""
        beta1, beta2 = group["betas"]
        average, square = array_of(self.state[param]["exp_avg"]), array_of(self.state[param]["exp_avg_sq"])
        lerp(average, gradient, 1 - beta1)
        square *= beta2
        square += (1 - beta2) * (gradient * gradient)
        return average, square
