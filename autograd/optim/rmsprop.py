"""RMSprop: the gradient divided by the root of a running average of its square."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd.optim.optimizer import (
    Array,
    Optimizer,
    Params,
    add_quotient,
    add_scaled,
    array_of,
    as_number,
    check,
    count_step,
    lerp,
    state_of,
)
from autograd.tensor import Tensor


class RMSprop(Optimizer):
    """w <- w - lr * g / (sqrt(s) + eps), s <- alpha * s + (1 - alpha) * g^2.

    ``centered`` takes the variance (s minus the squared average of g) instead of s; ``momentum`` averages the scaled
    gradients. Raises ValueError for negative options.
    """

    _updates = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check("learning rate", lr)
        check("epsilon value", eps)
        check("momentum value", momentum)
        check("weight_decay value", weight_decay)
        check("alpha value", alpha)
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "alpha": alpha,
                "eps": eps,
                "centered": centered,
                "weight_decay": weight_decay,
                "capturable": capturable,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
            },
        )

    def _initial_state(self, group: dict[str, Any], param: Tensor) -> dict[str, Any]:
        names = ["square_avg"]
        names += ["momentum_buffer"] if group["momentum"] > 0 else []
        names += ["grad_avg"] if group["centered"] else []
        return {
            "step": state_of(np.zeros((), np.float32)),
            **{name: state_of(np.zeros_like(array_of(param))) for name in names},
        }

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        lr, alpha = as_number(group["lr"]), group["alpha"]
        state = self.state[param]
        count_step(state)
        if group["weight_decay"] != 0:
            gradient = gradient + group["weight_decay"] * array_of(param)
        square = array_of(state["square_avg"])
        square *= alpha
        square += (1 - alpha) * (gradient * gradient)
        if group["centered"]:
            average = array_of(state["grad_avg"])
            lerp(average, gradient, 1 - alpha)
            root = np.sqrt(square - average * average)
        else:
            root = np.sqrt(square)
        root = root + group["eps"]
        if group["momentum"] > 0:
            buffer = array_of(state["momentum_buffer"])
            buffer *= group["momentum"]
            buffer += gradient / root
            add_scaled(param, buffer, -lr)
        else:
            add_quotient(param, gradient, root, -lr)
