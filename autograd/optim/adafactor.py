"""Adafactor (Shazeer and Stern, arXiv:1804.04235): Adam's second moments of a matrix from those of rows and columns."""

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
    count_step,
    lerp,
    state_of,
)
from autograd.tensor import Tensor


class Adafactor(Optimizer):
    """w <- w - a * u / max(1, rms(u) / d), u = g / sqrt(v): v is the product of the means of g^2 by row and by column.

    The step a is the root mean square of w (at least ``eps[1]``) times the smaller of lr and 1 / sqrt(t). Raises
    ValueError for options out of range.
    """

    _updates = True

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-2,
        beta2_decay: float = -0.8,
        eps: tuple[float | None, float] = (None, 1e-3),
        d: float = 1.0,
        weight_decay: float = 0.0,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
    ) -> None:
        if isinstance(lr, Tensor) and lr.numel() != 1:
            raise ValueError("Tensor lr must be 1-element")
        for fits, message in (
            (as_number(lr) >= 0.0, f"Learning rate should be >= 0 but is: {lr}"),
            (beta2_decay <= 0.0, f"beta2_decay should be <= 0 but is: {beta2_decay}"),
            (eps[0] is None or eps[0] >= 0.0, f"epsilon1 should be >= 0 but is: {eps[0]}"),
            (eps[1] >= 0.0, f"epsilon2 should be >= 0 but is: {eps[1]}"),
            (d >= 1.0, f"Clipping threshold d should be >= 1 but is: {d}"),
            (weight_decay >= 0.0, f"weight_decay should be >= 0 but is: {weight_decay}"),
        ):
            if not fits:
                raise ValueError(message)
        super().__init__(
            params,
            {
                "lr": lr,
                "beta2_decay": beta2_decay,
                "eps": eps,
                "d": d,
                "weight_decay": weight_decay,
                "foreach": foreach,
                "maximize": maximize,
            },
        )

    def _initial_state(self, group: dict[str, Any], param: Tensor) -> dict[str, Any]:
        array = array_of(param)
        state = {"step": state_of(np.zeros((), np.float32))}
        if array.ndim < 2:
            return state | {"variance": state_of(np.zeros_like(array))}
        rows, columns = (np.zeros_like(array.sum(axis, keepdims=True)) for axis in (-1, -2))
        return state | {"row_var": state_of(rows), "col_var": state_of(columns)}

    def _update(self, group: dict[str, Any], param: Tensor, gradient: Array) -> None:
        state, array = self.state[param], array_of(param)
        lr, (least, smallest) = as_number(group["lr"]), group["eps"]
        least = float(np.finfo(array.dtype).eps) if least is None else least
        step = count_step(state)
        weight = step ** group["beta2_decay"]
        size = max(smallest, _norm(array) / array.size**0.5) * min(lr, 1 / step**0.5)
        if group["weight_decay"] != 0:
            array *= 1 - lr * group["weight_decay"]
            wrote(param)
        if array.ndim > 1:
            rows, columns = array_of(state["row_var"]), array_of(state["col_var"])
            lerp(rows, (gradient * gradient).mean(-1, keepdims=True), weight)
            lerp(columns, (gradient * gradient).mean(-2, keepdims=True), weight)
            variance = rows @ columns / np.maximum(rows.mean(-2, keepdims=True), least)
        else:
            variance = array_of(state["variance"])
            lerp(variance, gradient * gradient, weight)
        update = gradient / np.sqrt(np.maximum(variance, least * least))
        add_scaled(param, update, -size / max(1.0, _norm(update) / (update.size**0.5 * group["d"])))


def _norm(array: Array) -> float:
    return float(np.sqrt((array * array).sum()))
