"""AdamW: Adam whose weight decay shrinks the parameter directly instead of entering the averages."""

from __future__ import annotations

from autograd.optim.adam import Adam
from autograd.optim.optimizer import Params
from autograd.tensor import Tensor


class AdamW(Adam):
    """Adam with w <- (1 - lr * weight_decay) * w before each step."""

    def __init__(
        self,
        params: Params,
        lr: float | Tensor = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )
