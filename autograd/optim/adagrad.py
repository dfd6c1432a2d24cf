"""Adagrad: the gradient divided by the root of the sum of all its squares so far."""

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
    count_step,
    state_of,
)
from autograd.tensor import Tensor


class Adagrad(Optimizer):
    """w <- w - lr_t * g / (sqrt(s) + eps), s <- s + g^2, lr_t = lr / (1 + (t - 1) * lr_decay).

    Raises ValueError for negative options.
    """

    _updates = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check("learning rate", lr)
        check("lr_decay value", lr_decay)
        check("weight_decay value", weight_decay)
        check("initial_accumulator_value value", initial_accumulator_value)
        check("epsilon value", eps)
        super().__init__(
            params,
            {
                "lr": lr,
                "lr_decay": lr_decay,
                "eps": eps,
                "weight_decay": weight_decay,
                "initial_accumulator_value": initial_accumulator_value,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "fused": fused,
            },
        )
        for group, param in self._parameters():  # Adagrad's state exists before the first step
            self.state[param] = self._initial_state(group, param)

    def _initial_state(self, group: dict[str, Any], param: Tensor) -> dict[str, Any]:
        return {
            "step": state_of(np.zeros((), np.float32)),
            "sum": state_of(np.full_like(array_of(param), group["initial_accumulator_value"])),
        }

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        state = self.state[param]
        step = count_step(state)
        if group["weight_decay"] != 0:
            gradient = gradient + group["weight_decay"] * array_of(param)
        rate = as_number(group["lr"]) / (1 + (step - 1) * group["lr_decay"])
        total = array_of(state["sum"])
        total += gradient * gradient
        add_quotient(param, gradient, np.sqrt(total) + group["eps"], -rate)
