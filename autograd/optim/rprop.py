"""Rprop: only the sign of the gradient counts; a step size of its own for each entry grows while the sign stays."""

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


class Rprop(Optimizer):
    """w <- w - sign(g) * s; s grows by ``etas[1]`` where g keeps its sign and shrinks by ``etas[0]`` where it turns.

    Raises ValueError for options out of range.
    """

    _updates = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        check("learning rate", lr)
        if not 0.0 < etas[0] < 1.0 < etas[1]:
            raise ValueError(f"Invalid eta values: {etas[0]}, {etas[1]}")
        super().__init__(
            params,
            {
                "lr": lr,
                "etas": etas,
                "step_sizes": step_sizes,
                "foreach": foreach,
                "maximize": maximize,
                "differentiable": differentiable,
                "capturable": capturable,
            },
        )

    def _initial_state(self, group: dict[str, Any], param: Tensor) -> dict[str, Any]:
        array = array_of(param)
        return {
            "step": state_of(np.zeros((), np.float32)),
            "prev": state_of(np.zeros_like(array)),
            "step_size": state_of(np.full_like(array, as_number(group["lr"]))),
        }

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        state = self.state[param]
        count_step(state)
        before, size = array_of(state["prev"]), array_of(state["step_size"])
        agreement = np.sign(gradient * before)
        shrink, grow = group["etas"]
        size *= np.where(agreement > 0, grow, np.where(agreement < 0, shrink, 1)).astype(size.dtype)
        np.clip(size, *group["step_sizes"], out=size)
        gradient = np.where(agreement < 0, 0, gradient)
        before[...] = gradient
        add_scaled(param, np.sign(gradient) * size, -1)
