"""Adam: steps scaled by running averages of the gradient and of its square, corrected for starting at zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd.optim.optimizer import (
    Array,
    Optimizer,
    Params,
    add_quotient,
    array_of,
    as_number,
    check,
    check_betas,
    count_step,
    lerp,
    scale,
    state_of,
)
from autograd.tensor import Tensor


class Adam(Optimizer):
    """w <- w - lr * m' / (sqrt(v') + eps), m' = m / (1 - beta1^t), v' = v / (1 - beta2^t).

    m and v average the gradient and its square; amsgrad divides by the largest v so far. ``weight_decay`` adds to the
    gradient; with ``decoupled_weight_decay`` it shrinks the parameter itself (AdamW). Raises ValueError for options out
    of range.
    """

    _updates = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        check("learning rate", lr)
        check("epsilon value", eps)
        check_betas(betas)
        check("weight_decay value", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "amsgrad": amsgrad,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "differentiable": differentiable,
                "fused": fused,
                "decoupled_weight_decay": decoupled_weight_decay,
            },
        )

    def _initial_state(self, group: dict[str, Any], param: Tensor) -> dict[str, Any]:
        names = ["exp_avg", "exp_avg_sq"] + (["max_exp_avg_sq"] if group["amsgrad"] else [])
        return {
            "step": state_of(np.zeros((), np.float32)),
            **{name: state_of(np.zeros_like(array_of(param))) for name in names},
        }

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        lr, eps, decay = as_number(group["lr"]), group["eps"], group["weight_decay"]
        beta1, beta2 = group["betas"]
        state = self.state[param]
        step = count_step(state)
        if decay != 0:
            if group["decoupled_weight_decay"]:
                scale(param, 1 - lr * decay)
            else:
                gradient = gradient + decay * array_of(param)
        average, square = array_of(state["exp_avg"]), array_of(state["exp_avg_sq"])
        lerp(average, gradient, 1 - beta1)
        square *= beta2
        square += (1 - beta2) * (gradient * gradient)
        if group["amsgrad"]:
            largest = array_of(state["max_exp_avg_sq"])
            np.maximum(largest, square, out=largest)
            square = largest
        denominator = np.sqrt(square) / (1 - beta2**step) ** 0.5 + eps
        add_quotient(param, average, denominator, -lr / (1 - beta1**step))
