"""Averaged SGD (Polyak and Juditsky 1992): falling steps, and the mean of the parameters they pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd.nn.writing import wrote
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


class ASGD(Optimizer):
    """w <- (1 - lambd * eta) w - eta * g, eta = lr / (1 + lambd * lr * t)^alpha; ``ax`` is the mean of w since ``t0``.

    Raises ValueError for options out of range.
    """

    _updates = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        check("learning rate", lr)
        check("weight_decay value", weight_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "lambd": lambd,
                "alpha": alpha,
                "t0": t0,
                "weight_decay": weight_decay,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    def _initial_state(self, group: dict[str, Any], param: Tensor) -> dict[str, Any]:
        return {
            "step": state_of(np.zeros((), np.float32)),
            "eta": state_of(np.array(as_number(group["lr"]), np.float32)),
            "mu": state_of(np.ones((), np.float32)),
            "ax": state_of(np.zeros_like(array_of(param))),
        }

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        state = self.state[param]
        step = count_step(state)
        array, mean = array_of(param), array_of(state["ax"])
        eta, mu = array_of(state["eta"]), array_of(state["mu"])
        if group["weight_decay"] != 0:
            gradient = gradient + group["weight_decay"] * array
        array *= 1 - group["lambd"] * float(eta)
        wrote(param)
        add_scaled(param, gradient, -float(eta))
        if mu == 1:
            mean[...] = array
        else:
            mean += (array - mean) * mu.astype(array.dtype)
        lr = as_number(group["lr"])
        eta[...] = lr / (1 + group["lambd"] * lr * step) ** group["alpha"]
        mu[...] = 1 / max(1, step - group["t0"])
