"""L-BFGS: the direction of Newton's method, with the curvature estimated from the last steps and gradients.

Nocedal and Wright, Numerical Optimization (2006), algorithms 7.4 (two loops), 3.5 and 3.6 (strong Wolfe conditions).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd.mode import enable_grad
from autograd.nn.writing import wrote
from autograd.optim.optimizer import Array, Closure, Optimizer, Params, array_of, as_number, check
from autograd.tensor import Tensor

#: the loss and its gradient at a step length
Probe = Callable[[float], tuple[float, Array]]


class LBFGS(Optimizer):
    """A ``step`` is up to ``max_iter`` iterations; it needs a closure that returns the loss after backward.

    Raises ValueError for more than one group of parameters, RuntimeError for an unknown line search.
    """

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        check("learning rate", lr)
        super().__init__(
            params,
            {
                "lr": lr,
                "max_iter": max_iter,
                "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
                "tolerance_grad": tolerance_grad,
                "tolerance_change": tolerance_change,
                "history_size": history_size,
                "line_search_fn": line_search_fn,
            },
        )
        if len(self.param_groups) != 1:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        self._params: list[Tensor] = self.param_groups[0]["params"]

    def _gradients(self) -> Array:
        """The gradients of all parameters in one row."""
        return np.concatenate(
            [np.ravel(np.zeros_like(array_of(p)) if p.grad is None else array_of(p.grad)) for p in self._params]
        )

    def _move(self, start: list[Array], direction: Array, length: float) -> None:
        """Puts the parameters ``length`` times ``direction`` away from ``start``."""
        at = 0
        for p, origin in zip(self._params, start, strict=True):
            array = array_of(p)
            array[...] = origin + length * direction[at : at + array.size].reshape(array.shape)
            at += array.size
            wrote(p)

    def step(self, closure: Closure) -> Any:  # type: ignore[override]
        """Iterates until the gradient or the change is small enough; returns the loss it began with."""
        group, state = self.param_groups[0], self.state[self._params[0]]
        search, lr = group["line_search_fn"], as_number(group["lr"])
        if search not in (None, "strong_wolfe"):
            raise RuntimeError("only 'strong_wolfe' is supported")
        for name in ("func_evals", "n_iter"):
            state.setdefault(name, 0)
        with enable_grad():
            first = closure()
        loss, gradient, calls = _number(first), self._gradients(), 1
        state["func_evals"] += 1
        if np.abs(gradient).max(initial=0) <= group["tolerance_grad"]:
            return first
        for iteration in range(1, group["max_iter"] + 1):
            state["n_iter"] += 1
            direction = _direction(state, gradient, group["history_size"])
            state["prev_gradient"], before = gradient, loss
            length = min(1.0, 1.0 / float(np.abs(gradient).sum())) * lr if state["n_iter"] == 1 else lr
            slope = float(gradient @ direction)
            if slope > -group["tolerance_change"]:
                break
            start = [array_of(p).copy() for p in self._params]

            def probe(length: float, start: list[Array] = start, direction: Array = direction) -> tuple[float, Array]:
                self._move(start, direction, length)
                with enable_grad():
                    return _number(closure()), self._gradients()

            used = 0
            if search is not None:
                loss, gradient, length, used = _strong_wolfe(probe, length, direction, loss, gradient, slope)
                self._move(start, direction, length)
            elif iteration < group["max_iter"]:
                (loss, gradient), used = probe(length), 1
            else:
                self._move(start, direction, length)
            state["step"] = (direction, length)
            calls += used
            state["func_evals"] += used
            if (
                calls >= group["max_eval"]
                or np.abs(gradient).max(initial=0) <= group["tolerance_grad"]
                or np.abs(direction * length).max(initial=0) <= group["tolerance_change"]
                or abs(loss - before) < group["tolerance_change"]
            ):
                break
        return first


def _number(loss: Any) -> float:
    return float(loss.item()) if isinstance(loss, Tensor) else float(loss)


def _direction(state: dict[str, Any], gradient: Array, history: int) -> Array:
    """Minus the gradient times the inverse curvature that the remembered steps imply."""
    if state["n_iter"] == 1:
        state.update(pairs=[], scale=1.0)
        return -gradient
    change = gradient - state["prev_gradient"]
    step = state["step"][0] * state["step"][1]
    curvature = float(change @ step)
    if curvature > 1e-10:
        state["pairs"] = [*state["pairs"], (change, step, 1 / curvature)][-history:]
        state["scale"] = curvature / float(change @ change)
    q, shares = -gradient, []
    for y, s, rho in reversed(state["pairs"]):
        share = float(s @ q) * rho
        shares.append(share)
        q = q - share * y
    r = q * gradient.dtype.type(state["scale"])
    for (y, s, rho), share in zip(state["pairs"], reversed(shares), strict=True):
        r = r + s * (share - float(y @ r) * rho)
    return np.asarray(r)


def _cubic(a: tuple[float, float, float], b: tuple[float, float, float], low: float, high: float) -> float:
    """Where the cubic through two points (place, value, slope) is least, kept between ``low`` and ``high``."""
    (x1, f1, g1), (x2, f2, g2) = (a, b) if a[0] <= b[0] else (b, a)
    d1 = g1 + g2 - 3 * (f1 - f2) / (x1 - x2)
    square = d1 * d1 - g1 * g2
    if square < 0:
        return (low + high) / 2
    d2 = float(square**0.5)
    return min(max(x2 - (x2 - x1) * ((g2 + d2 - d1) / (g2 - g1 + 2 * d2)), low), high)


def _strong_wolfe(
    probe: Probe, length: float, direction: Array, loss: float, gradient: Array, slope: float, tolerance: float = 1e-9
) -> tuple[float, Array, float, int]:
    """A step length at which the loss is low enough and its slope flat enough: (loss, gradient, length, calls)."""
    enough, flat, most = 1e-4, 0.9, 25
    size = float(np.abs(direction).max())
    low = (0.0, loss, gradient, slope)
    here_loss, here_gradient = probe(length)
    calls, here_slope = 1, float(here_gradient @ direction)
    bracket: list[tuple[float, float, Array, float]] = []
    found = False
    for k in range(most):
        here = (length, here_loss, here_gradient, here_slope)
        if here_loss > loss + enough * length * slope or (k > 0 and here_loss >= low[1]):
            bracket = [low, here]
            break
        if abs(here_slope) <= -flat * slope:
            bracket, found = [here], True
            break
        if here_slope >= 0:
            bracket = [low, here]
            break
        least, most_far = length + 0.01 * (length - low[0]), length * 10
        low, length = here, _cubic((low[0], low[1], low[3]), (here[0], here[1], here[3]), least, most_far)
        here_loss, here_gradient = probe(length)
        calls, here_slope = calls + 1, float(here_gradient @ direction)
    else:
        bracket = [(0.0, loss, gradient, slope), (length, here_loss, here_gradient, here_slope)]
        k = most
    stuck = False
    best = 0 if len(bracket) == 1 or bracket[0][1] <= bracket[1][1] else 1
    while not found and k < most and len(bracket) == 2:
        a, b = bracket
        if abs(b[0] - a[0]) * size < tolerance:
            break
        left, right = min(a[0], b[0]), max(a[0], b[0])
        length = _cubic((a[0], a[1], a[3]), (b[0], b[1], b[3]), left, right)
        margin = 0.1 * (right - left)
        if min(right - length, length - left) < margin:  # too near an end to be trusted twice
            if stuck or length >= right or length <= left:
                length = right - margin if abs(length - right) < abs(length - left) else left + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        here_loss, here_gradient = probe(length)
        calls, here_slope, k = calls + 1, float(here_gradient @ direction), k + 1
        here = (length, here_loss, here_gradient, here_slope)
        worst = 1 - best
        if here_loss > loss + enough * length * slope or here_loss >= bracket[best][1]:
            bracket[worst] = here
            best = 0 if bracket[0][1] <= bracket[1][1] else 1
        else:
            if abs(here_slope) <= -flat * slope:
                found = True
            elif here_slope * (bracket[worst][0] - bracket[best][0]) >= 0:
                bracket[worst] = bracket[best]
            bracket[best] = here
    length, loss, gradient, _ = bracket[best]
    return loss, gradient, length, calls
