"""Adadelta: steps in the ratio of the running sizes of past steps and of past gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd.optim.optimizer import (
    Array,
    Optimizer,
    Params,
    add_scaled,
    array_of,
    as_number,
    check,
    count_step,
    state_of,
)
from autograd.tensor import Tensor


class Adadelta(Optimizer):
    """w <- w - lr * d, d = sqrt(a + eps) / sqrt(s + eps) * g, with a and s the averages of d^2 and g^2.

    Raises ValueError for options out of range.
    """

    _updates = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check("learning rate", lr)
        if not 0.0 <= rho <= 1.0:
            raise ValueError(f"Invalid rho value: {rho}")
        check("epsilon value", eps)
        check("weight_decay value", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "rho": rho,
                "eps": eps,
                "weight_decay": weight_decay,
                "maximize": maximize,
                "capturable": capturable,
                "foreach": foreach,
                "differentiable": differentiable,
            },
        )

    def _initial_state(self, group: dict[str, Any], param: Tensor) -> dict[str, Any]:
        return {
            "step": state_of(np.zeros((), np.float32)),
            "square_avg": state_of(np.zeros_like(array_of(param))),
            "acc_delta": state_of(np.zeros_like(array_of(param))),
        }

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        rho, eps = group["rho"], group["eps"]
        state = self.state[param]
        count_step(state)
        if group["weight_decay"] != 0:
            gradient = gradient + group["weight_decay"] * array_of(param)
        square, steps = array_of(state["square_avg"]), array_of(state["acc_delta"])
        square *= rho
        square += (1 - rho) * (gradient * gradient)
        delta = np.sqrt(steps + eps) / np.sqrt(square + eps) * gradient
        steps *= rho
        steps += (1 - rho) * (delta * delta)
        add_scaled(param, delta, -as_number(group["lr"]))
