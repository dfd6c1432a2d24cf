"""Variants of Adam: Adamax (largest instead of average square), NAdam (Nesterov momentum), RAdam (rectified start)."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd.optim.averages import Averaging
from autograd.optim.optimizer import (
    Array,
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


class Adamax(Averaging):
    """w <- w - lr / (1 - beta1^t) * m / u, u <- max(beta2 * u, |g| + eps). Raises ValueError as Adam does."""

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    def _averages(self, group: dict[str, Any]) -> tuple[str, ...]:
        return "exp_avg", "exp_inf"

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        beta1, beta2 = group["betas"]
        state = self.state[param]
        step = count_step(state)
        gradient = self._decayed(group, param, gradient)
        average, largest = array_of(state["exp_avg"]), array_of(state["exp_inf"])
        lerp(average, gradient, 1 - beta1)
        np.maximum(largest * beta2, np.abs(gradient) + group["eps"], out=largest)
        add_quotient(param, average, largest, -as_number(group["lr"]) / (1 - beta1**step))


class NAdam(Averaging):
    """Adam whose step looks ahead along the momentum; the momentum itself warms up with ``momentum_decay``.

    Raises ValueError for options out of range.
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        check("momentum_decay value", momentum_decay)
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "momentum_decay": momentum_decay,
                "decoupled_weight_decay": decoupled_weight_decay,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "differentiable": differentiable,
            },
        )

    def _initial_state(self, group: dict[str, Any], param: Tensor) -> dict[str, Any]:
        state = super()._initial_state(group, param)
        return {"step": state.pop("step"), "mu_product": state_of(np.ones((), np.float32)), **state}

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        lr, (beta1, beta2) = as_number(group["lr"]), group["betas"]
        state = self.state[param]
        step = count_step(state)
        gradient = self._decayed(group, param, gradient)
        mu, following = (beta1 * (1.0 - 0.5 * 0.96 ** (when * group["momentum_decay"])) for when in (step, step + 1))
        product = array_of(state["mu_product"])
        product *= mu
        average, square = self._averaged(group, param, gradient)
        denominator = np.sqrt(square / (1 - beta2**step)) + group["eps"]
        so_far = float(product)
        add_quotient(param, gradient, denominator, -lr * (1.0 - mu) / (1.0 - so_far))
        add_quotient(param, average, denominator, -lr * following / (1.0 - so_far * following))


class RAdam(Averaging):
    """Adam that steps by the average alone until its square is known well enough, then scales by the rectified one.

    Raises ValueError for options out of range.
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        super().__init__(
            params,
            {
                "lr": lr,
                "betas": betas,
                "eps": eps,
                "weight_decay": weight_decay,
                "maximize": maximize,
                "foreach": foreach,
                "capturable": capturable,
                "decoupled_weight_decay": decoupled_weight_decay,
                "differentiable": differentiable,
            },
        )

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        lr, (beta1, beta2) = as_number(group["lr"]), group["betas"]
        step = count_step(self.state[param])
        gradient = self._decayed(group, param, gradient)
        average, square = self._averaged(group, param, gradient)
        correction = 1 - beta2**step
        longest = 2 / (1 - beta2) - 1
        length = longest - 2 * step * beta2**step / correction
        direction = average / (1 - beta1**step) * lr
        if length > 5.0:
            rectified = (length - 4) * (length - 2) * longest / ((longest - 4) * (longest - 2) * length)
            direction = direction * (correction**0.5 / (np.sqrt(square) + group["eps"])) * rectified**0.5
        add_scaled(param, direction, -1.0)
