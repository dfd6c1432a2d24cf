"""The losses of ``torch.nn.functional``: a number a sample, then their mean or sum (or neither)."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import only_floats
from ..tensor import Tensor
from .namespaces import neural
from .table import Operation, op

REDUCTIONS = ("none", "mean", "sum")


def _checked(reduction: str, *, size_average: Any = None, reduce: Any = None) -> str:
    if size_average is not None or reduce is not None:  # the old spelling
        keep, average = reduce is not False, size_average is not False
        reduction = "mean" if average and keep else "sum" if keep else "none"
        warnings.warn(
            f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.",
            UserWarning, stacklevel=3,
        )  # fmt: skip
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return reduction


def _reduced(value: Any, reduction: str) -> Any:
    if reduction == "none":
        return value
    with np.errstate(all="ignore"):
        return value.mean() if reduction == "mean" else value.sum()


def _share(m: Any, g: Any, shape: tuple[int, ...], reduction: str) -> Any:
    """The gradient of one sample's loss, from that of the reduced one."""
    if reduction == "none":
        return g
    g = m.broadcast_to(g, shape)
    count = math.prod(shape)
    return g / count if reduction == "mean" and count else g


def reduced(value: Tensor, reduction: str) -> Tensor:
    """The mean, the sum, or the values themselves."""
    if _checked(reduction) == "none":
        return value
    return value.mean() if reduction == "mean" else value.sum()  # type: ignore[no-any-return]


def elementwise(
    name: str,
    node: str,
    kernel: Callable[..., Any],
    slope: Callable[..., Any],
    local: str,
    both: bool = True,
    **extra: Any,
) -> Operation:
    """A loss of the difference of two tensors: ``slope(m, input, target, *parameters)`` is its derivative in ``input``.

    It is antisymmetric where ``both``, so the target's gradient is the same with the two exchanged.
    """

    def forward(input: Any, target: Any, reduction: str, *more: Any) -> Any:
        return _reduced(kernel(input, target, *more), reduction)

    def rule(g: Any, m: Any, input: Any, target: Any, reduction: str, settings: tuple[Any, ...]) -> Any:
        return _share(m, g, _joint(input, target), reduction) * slope(m, input, target, *settings)

    def other(g: Any, m: Any, input: Any, target: Any, reduction: str, settings: tuple[Any, ...]) -> Any:
        return _share(m, g, _joint(input, target), reduction) * slope(m, target, input, *settings)

    return op(
        name, node, lambda input, target, reduction, settings=(): forward(input, target, reduction, *settings),
        inputs="input target",
        vjp={"input": rule, "target": other} if both else {"input": rule},
        local={"input": local, "target": "-" + local},
        symbol=f"{name}({{input}}, {{target}})", promote="numeric", method=False, public=False, **extra,
    )  # fmt: skip


def _joint(input: Any, target: Any) -> tuple[int, ...]:
    return np.broadcast_shapes(tuple(input.shape), tuple(target.shape))


def _same_size(name: str, input: Tensor, target: Tensor) -> tuple[Tensor, Tensor]:
    """Both at their common shape; PyTorch warns when they differ, since that is seldom meant."""
    if input.size() != target.size():
        warnings.warn(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
            UserWarning, stacklevel=3,
        )  # fmt: skip
    from .splitting import broadcast_tensors

    shapes = [tuple(input.shape), tuple(target.shape)]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        from ..errors import broadcast

        error = broadcast(shapes)
        assert error is not None
        raise error from None
    a, b = broadcast_tensors(input, target)
    return a, b


def _weighted(value: Tensor, weight: Tensor | None, reduction: str) -> Tensor:
    """A weighted loss: its mean is over the sum of the weights."""
    if weight is None:
        return reduced(value, reduction)
    total = value * weight
    if reduction == "mean":
        return total.sum() / weight.sum()  # type: ignore[no-any-return]
    return reduced(total, reduction)


def _squares(x: Any, y: Any) -> Any:
    only_floats("mse_cpu", x)
    gap = x - y
    return gap * gap


mse = elementwise(
    "mse_loss", "MseLossBackward0", _squares, lambda m, x, y: 2 * (x - y),
    "2·({input}-{target})",
)  # fmt: skip


@neural
def mse_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The squared difference."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    a, b = _same_size("mse_loss", input, target)
    if weight is not None:
        return _weighted(mse.function(a, b, "none"), weight, reduction)
    result: Tensor = mse.function(a, b, reduction)
    return result


@neural
def l1_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean",
    weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """The absolute difference."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    a, b = _same_size("l1_loss", input, target)
    return _weighted((a - b).abs(), weight, reduction)


def _smooth(x: Any, y: Any, beta: float) -> Any:
    gap = np.abs(x - y)
    return np.where(gap < beta, 0.5 * gap * gap / beta, gap - 0.5 * beta).astype(gap.dtype)


def _smooth_slope(m: Any, x: Any, y: Any, beta: float) -> Any:
    gap = x - y
    return m.where(gap <= -beta, -1.0, m.where(gap >= beta, 1.0, gap / beta))


smooth_l1 = elementwise(
    "smooth_l1_loss", "SmoothL1LossBackward0", _smooth, _smooth_slope, "clamp(({input}-{target})/beta, -1, 1)",
)  # fmt: skip


@neural
def smooth_l1_loss(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    beta: float = 1.0,
) -> Tensor:
    """Quadratic up to ``beta``, linear beyond."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    a, b = _same_size("smooth_l1_loss", input, target)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    if beta == 0:
        return l1_loss(a, b, reduction=reduction)
    result: Tensor = smooth_l1.function(a, b, reduction, (beta,))
    return result


def _huber(x: Any, y: Any, delta: float) -> Any:
    gap = np.abs(x - y)
    return np.where(gap <= delta, 0.5 * gap * gap, delta * (gap - 0.5 * delta)).astype(gap.dtype)


def _huber_slope(m: Any, x: Any, y: Any, delta: float) -> Any:
    gap = x - y
    return m.where(gap <= -delta, -delta, m.where(gap >= delta, delta, gap))


huber = elementwise(
    "huber_loss", "HuberLossBackward0", _huber, _huber_slope, "clamp({input}-{target}, -delta, delta)",
)  # fmt: skip


@neural
def huber_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0, weight: Tensor | None = None
) -> Tensor:
    """Half the square up to ``delta``, linear beyond."""
    a, b = _same_size("huber_loss", input, target)
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    if weight is not None:
        return _weighted(huber.function(a, b, "none", (delta,)), weight, _checked(reduction))
    result: Tensor = huber.function(a, b, _checked(reduction), (delta,))
    return result


soft_margin = elementwise(
    "soft_margin_loss", "SoftMarginLossBackward0", lambda x, y: np.log1p(np.exp(-y * x)),
    lambda m, x, y: -y * m.sigmoid(-y * x), "-y·σ(-y·{input})", both=False,
)  # fmt: skip


@neural
def soft_margin_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Tensor:
    """log(1 + exp(-target·input))."""
    result: Tensor = soft_margin.function(input, target, _checked(reduction, size_average=size_average, reduce=reduce))
    return result


# -- probabilities ---------------------------------------------------------------------------------------------------


def _entropy(input: Any, target: Any, weight: Any, reduction: str) -> Any:
    if input.size and not bool(((input >= 0) & (input <= 1)).all()):
        raise RuntimeError("all elements of input should be between 0 and 1")
    if target.size and not bool(((target >= 0) & (target <= 1)).all()):
        raise RuntimeError("all elements of target should be between 0 and 1")
    with np.errstate(all="ignore"):
        value = -(target * np.maximum(np.log(input), -100) + (1 - target) * np.maximum(np.log1p(-input), -100))
    return _reduced(value if weight is None else value * weight, reduction)


def _with_weight(m: Any, g: Any, input: Any, weight: Any, reduction: str) -> Any:
    g = _share(m, g, input.shape, reduction)
    return g if weight is None else g * weight


def _entropy_rule(g: Any, m: Any, input: Any, target: Any, weight: Any, reduction: str) -> Any:
    spread = (1 - input) * input
    return _with_weight(m, g, input, weight, reduction) * (input - target) / m.clamp(spread, 1e-12)


def _entropy_target(g: Any, m: Any, input: Any, weight: Any, reduction: str) -> Any:
    return _with_weight(m, g, input, weight, reduction) * (m.log(1 - input) - m.log(input))


bce = op(
    "binary_cross_entropy", "BinaryCrossEntropyBackward0", _entropy, inputs="input target weight",
    vjp={"input": _entropy_rule, "target": _entropy_target},
    local={"input": "({input}-{target})/({input}·(1-{input}))"},
    symbol="bce({input}, {target})", method=False, public=False,
)  # fmt: skip


@neural
def binary_cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """-(y·log p + (1-y)·log(1-p)), each logarithm held above -100."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    if target.shape != input.shape:
        raise ValueError(
            f"Using a target size ({target.shape}) that is different to the input size ({input.shape}) is "
            "deprecated. Please ensure they have the same size."
        )
    if target.dtype is not input.dtype:
        raise RuntimeError(f"Found dtype {target.dtype.word} but expected {input.dtype.word}")
    if weight is not None:
        weight = weight.expand(input.shape)
    result: Tensor = bce.function(input, target, weight, reduction)
    return result


def _logits(input: Any, target: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    lower = np.logaddexp(input.dtype.type(0), -np.abs(input)) + np.maximum(-input, 0)  # log(1 + exp(-x))
    if pos_weight is None:
        value = (1 - target) * input + lower
    else:
        value = (1 - target) * input + (1 + (pos_weight - 1) * target) * lower
    value = np.asarray(value if weight is None else value * weight)
    return _reduced(value.astype(input.dtype), reduction)


def _logits_rule(g: Any, m: Any, input: Any, target: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    g = _with_weight(m, g, input, weight, reduction)
    s = m.sigmoid(input)
    if pos_weight is None:
        return g * (s - target)
    lifted = pos_weight * target
    return g * ((lifted + 1 - target) * s - lifted)


def _logits_target(g: Any, m: Any, input: Any, weight: Any, pos_weight: Any, reduction: str) -> Any:
    g = _with_weight(m, g, input, weight, reduction)
    if pos_weight is None:
        return -g * input
    return g * (m.softplus(-input, 1.0, 88.0) * (pos_weight - 1) - input)


bce_logits = op(
    "binary_cross_entropy_with_logits", "BinaryCrossEntropyWithLogitsBackward0", _logits,
    inputs="input target weight pos_weight",
    vjp={"input": _logits_rule, "target": _logits_target}, local={"input": "σ({input}) - {target}"},
    symbol="bce_with_logits({input}, {target})", method=False,
)  # fmt: skip


@neural
def binary_cross_entropy_with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    """:func:`binary_cross_entropy` of ``sigmoid(input)``, without the overflow of doing one after the other."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    if target.shape != input.shape:
        raise ValueError(f"Target size ({target.shape}) must be the same as input size ({input.shape})")
    if not target.is_floating_point():
        raise RuntimeError(f"result type Float can't be cast to the desired output type {target.dtype.word}")
    result: Tensor = bce_logits.function(input, target, weight, pos_weight, reduction)
    return result


@neural
def kl_div(
    input: Tensor,
    target: Tensor,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
    log_target: bool = False,
) -> Tensor:
    """target·(log target - input), where ``input`` holds logarithms."""
    if size_average is None and reduce is None and reduction == "batchmean":
        return kl_div(input, target, reduction="sum", log_target=log_target) / input.shape[0]  # type: ignore[no-any-return]
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    if reduction == "mean":
        warnings.warn(
            "reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' "
            "divides only by the batch size, and aligns with the KL div math definition.'mean' will be changed to "
            "behave the same as 'batchmean' in the next major release.",
            UserWarning,
            stacklevel=2,
        )
    value = target.exp() * (target - input) if log_target else target.xlogy(target) - target * input
    if reduction == "none":
        return value  # type: ignore[no-any-return]
    return value.mean() if reduction == "mean" else value.sum()  # type: ignore[no-any-return]
