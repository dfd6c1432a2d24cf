"""Stochastic gradient descent, with momentum as PyTorch defines it (the learning rate stays outside the buffer)."""

from __future__ import annotations

from typing import Any

from autograd.optim.optimizer import Array, Optimizer, Params, add_scaled, array_of, as_number, check, state_of
from autograd.tensor import Tensor


class SGD(Optimizer):
    """w <- w - lr * d, where d is the gradient (plus weight_decay * w), or its momentum average.

    buf <- momentum * buf + (1 - dampening) * d, starting at d; with nesterov the step is d + momentum * buf.
    Raises ValueError for negative options and for nesterov without momentum.
    """

    _updates = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float | Tensor = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        check("learning rate", lr)
        check("momentum value", momentum)
        check("weight_decay value", weight_decay)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(
            params,
            {
                "lr": lr,
                "momentum": momentum,
                "dampening": dampening,
                "weight_decay": weight_decay,
                "nesterov": nesterov,
                "maximize": maximize,
                "foreach": foreach,
                "differentiable": differentiable,
                "fused": fused,
            },
        )

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        momentum = group["momentum"]
        decay = as_number(group["weight_decay"])
        if decay != 0:
            gradient = gradient + decay * array_of(param)
        if momentum != 0:
            state = self.state[param]
            if state.get("momentum_buffer") is None:
                state["momentum_buffer"] = state_of(gradient.copy())
                buffer = array_of(state["momentum_buffer"])
            else:
                buffer = array_of(state["momentum_buffer"])
                buffer *= momentum
                buffer += (1 - group["dampening"]) * gradient
            gradient = gradient + momentum * buffer if group["nesterov"] else buffer
        add_scaled(param, gradient, -as_number(group["lr"]))
