"""Adam: steps scaled by running averages of the gradient and of its square, corrected for starting at zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd.optim.averages import Averaging
from autograd.optim.optimizer import Array, Params, add_quotient, array_of, as_number, count_step
from autograd.tensor import Tensor


class Adam(Averaging):
    """w <- w - lr * m' / (sqrt(v') + eps), m' = m / (1 - beta1^t), v' = v / (1 - beta2^t).

    m and v average the gradient and its square; amsgrad divides by the largest v so far. ``weight_decay`` adds to the
    gradient; with ``decoupled_weight_decay`` it shrinks the parameter itself (AdamW). Raises ValueError for options out
    of range.
    """

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

    def _averages(self, group: dict[str, Any]) -> tuple[str, ...]:
        return (*super()._averages(group), *(["max_exp_avg_sq"] if group["amsgrad"] else []))

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        beta1, beta2 = group["betas"]
        state = self.state[param]
        step = count_step(state)
        average, square = self._averaged(group, param, self._decayed(group, param, gradient))
        if group["amsgrad"]:
            largest = array_of(state["max_exp_avg_sq"])
            np.maximum(largest, square, out=largest)
            square = largest
        denominator = np.sqrt(square) / (1 - beta2**step) ** 0.5 + group["eps"]
        add_quotient(param, average, denominator, -as_number(group["lr"]) / (1 - beta1**step))
