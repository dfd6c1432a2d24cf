"""Losses of class scores: nll_loss, cross_entropy and the margin losses."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from ..dispatch import apply
from ..dtypes import OF_NUMPY
from ..tensor import Tensor
from .generate import straight
from .loss import REDUCTIONS, _checked, reduced
from .namespaces import NEURAL, neural
from .one_node import one_node
from .softmax import log_softmax
from .table import op

logarithms = straight(log_softmax)
#: what class numbers may be, as NumPy's letters: int64, for which it may have two, and uint8
CLASSES = frozenset(np.dtype(kind).char for kind in (np.int64, np.longlong, np.uint8))


def _picked(shape: tuple[int, ...], target: Any, ignore_index: int) -> tuple[Any, ...]:
    """A NumPy index of the score that each target names, and which targets count."""
    kept = target != ignore_index
    safe = np.where(kept, target, 0)
    wrong = target[kept & ((target < 0) | (target >= shape[1]))]
    if wrong.size:
        raise IndexError(f"Target {int(wrong.ravel()[0])} is out of bounds.")
    if target.ndim == 1:
        return (np.arange(len(target)), safe), kept
    grid = np.ogrid[tuple(slice(n) for n in target.shape)] if target.ndim else []
    return (grid[0], safe, *grid[1:]), kept


@lru_cache(maxsize=8)
def _starts(rows: int, width: int) -> Any:
    """Where each row begins in the flat array of scores."""
    return np.arange(0, rows * width, width)


def _nll(input: Any, target: Any, weight: Any, reduction: str, ignore_index: int) -> Any:
    width = input.shape[1]
    if weight is None and target.ndim == 1 and reduction != "none" and not 0 <= ignore_index < width and len(target):
        unsigned = target if target.dtype.itemsize == 1 else target.view(np.uint64)  # below 0 is vast
        if np.maximum.reduce(unsigned) < width:  # every target counts, and counts the same
            count = input.dtype.type(len(target))
            value = 0 - np.add.reduce(input.reshape(-1).take(_starts(*input.shape) + target))
            return value / count if reduction == "mean" else value, count
    where, kept = _picked(input.shape, target, ignore_index)
    scale = kept.astype(input.dtype) if weight is None else np.where(kept, weight[where[1]], 0).astype(input.dtype)
    value = -input[where] * scale
    value = np.where(kept, value, 0).astype(input.dtype)
    if reduction == "none":
        return value, np.zeros((), input.dtype)
    total, whole = scale.sum(), 0 + value.sum()
    with np.errstate(all="ignore"):
        return np.asarray(whole / total if reduction == "mean" else whole), np.asarray(total)


def _nll_rule(
    g: Any,
    m: Any,
    input: Any,
    target: Any,
    weight: Any,
    total_weight: Any,
    reduction: str,
    ignore_index: int,
) -> Any:
    """-weight at the target's place, zero elsewhere; over the total weight for the mean."""
    g = g[0]
    one_each = weight is None and type(target) is np.ndarray and target.ndim == 1 and reduction != "none"
    if one_each and total_weight == len(target):  # without weights that is the number of targets that count: all
        whole = np.zeros(input.shape, g.dtype)
        whole.reshape(-1)[_starts(*input.shape) + target] = -(g / total_weight if reduction == "mean" else g)
        return whole
    raw, scale_of = (x.array if isinstance(x, Tensor) else x for x in (target, weight))
    where, kept = _picked(input.shape, raw, ignore_index)
    scale = kept.astype(g.dtype if not isinstance(g, Tensor) else g.array.dtype)
    if scale_of is not None:
        scale = np.where(kept, scale_of[where[1]], 0).astype(scale.dtype)
    share = g / total_weight if reduction == "mean" else g
    if not isinstance(share, Tensor):
        whole = np.zeros(input.shape, scale.dtype)
        whole[where] = np.where(kept, -(share * scale), 0)
        return whole
    share = -(m.broadcast_to(share, raw.shape) * m.asarray(scale))
    share = m.where(m.asarray(kept), share, 0.0)
    place = np.expand_dims(np.where(kept, raw, 0), 1)
    return m.scatter_add(m.zeros(input.shape, share), 1, m.asarray(place), share.reshape(place.shape))


nll = op(
    "nll_loss", "NllLossBackward0 NllLoss2DBackward0", _nll, inputs="input target weight",
    outputs="output total_weight",
    nondiff="total_weight", vjp={"input": _nll_rule}, local={"input": "-weight at the target, else 0"},
    rule={"input": "-g·weight at the target, else 0"}, symbol="nll_loss({input}, {target})", method=False,
    public=False,
    variant=lambda inputs, params: int(inputs[0].array.ndim > 2),
)  # fmt: skip


unweighted = straight(nll, "weight")


def _fitting(input: Tensor, target: Tensor, weight: Tensor | None) -> tuple[Tensor, Tensor]:
    """Both with a batch dimension; RuntimeError, ValueError or IndexError where their shapes do not fit."""
    n, t = input.ndim, target.ndim
    if n == 0:
        raise RuntimeError("input tensor should be 1D or 2D")
    if n == 1:
        if t > 1 or (t == 1 and target.shape[0] != 1):
            if t > 1:
                raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
            raise RuntimeError(f"For 1D input, 1D target must have size 1, but got target size: {target.array.size}")
        input, target = input.reshape(1, -1), target.reshape(1)
    elif n == 2 and t != 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    elif n != t + 1:
        raise ValueError(f"Expected target size {[input.shape[0], *input.shape[2:]]}, got {list(target.shape)}")
    if input.array.shape[0] != target.array.shape[0]:
        raise ValueError(
            f"Expected input batch_size ({input.shape[0]}) to match target batch_size ({target.shape[0]})."
        )
    if n > 2 and tuple(input.shape[2:]) != tuple(target.shape[1:]):
        raise RuntimeError(
            f"Expected target size {[input.shape[0], *input.shape[2:]]}, got {list(target.shape)}"
            if n == 3
            else f"size mismatch (got input: {list(input.shape)}, target: {list(target.shape)})"
        )
    if weight is not None and (weight.ndim != 1 or weight.shape[0] != input.shape[1]):
        raise RuntimeError(
            f"weight tensor should be defined either for all {input.shape[1]} classes or no classes but got weight "
            f"tensor of shape: {list(weight.shape)}"
        )
    return input, target


@neural
def nll_loss(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """Minus the score of the right class; ``input`` holds logarithms of probabilities, (N, C, *) or (C)."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    return _of_classes(input, target, weight, reduction, ignore_index)


def _of_classes(input: Tensor, target: Tensor, weight: Tensor | None, reduction: str, ignore_index: int) -> Tensor:
    scores, classes = input.array, target.array
    if weight is not None or scores.ndim != 2 or classes.ndim != 1 or len(scores) != len(classes):
        input, target = _fitting(input, target, weight)
    if classes.dtype.char not in CLASSES:
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {OF_NUMPY[classes.dtype].word}")
    if weight is None:
        result: Tensor = unweighted(input, target, reduction, ignore_index)[0]
    else:
        result = apply(nll, (input, target, weight), (reduction, ignore_index))[0]
    return result.reshape(()) if scores.ndim == 1 and not classes.ndim and reduction == "none" else result


over = op(
    "over_count", "DivBackward1", lambda input, number: input / number, inputs="input",
    vjp={"input": lambda g, number: g / number}, local={"input": "1/{number}"}, symbol="{input} / {number}",
    elementwise=True, method=False, public=False, shown="div",
)  # fmt: skip


def _soft_targets(
    logs: Tensor, target: Tensor, weight: Tensor | None, reduction: str, label_smoothing: float, channel: int
) -> Tensor:
    if label_smoothing > 0:
        target = target * (1 - label_smoothing) + label_smoothing / logs.shape[channel]
    product = logs * target
    if weight is not None:
        product = product * weight.reshape((1,) * channel + (-1,) + (1,) * (logs.ndim - channel - 1))
    if reduction == "none":
        return -product.sum(channel)  # type: ignore[no-any-return]
    value: Tensor = -product.sum()
    if reduction == "mean":
        count = math.prod(logs.shape) // max(logs.shape[channel], 1)
        return over.function(value, float(count))  # type: ignore[no-any-return]
    return value


def _smoothed(
    logs: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: str,
    ignore_index: int,
    label_smoothing: float,
    channel: int,
) -> Tensor:
    """(1 - s) of the ordinary loss, and s spread over all classes."""
    from ..creation import tensor

    plain = _of_classes(logs, target, weight, reduction, ignore_index)
    scaled = (
        logs if weight is None else logs * weight.reshape((1,) * channel + (-1,) + (1,) * (logs.ndim - channel - 1))
    )
    spread = -scaled.sum(channel)
    ignored = target.array == ignore_index
    if np.any(ignored):
        spread = spread.masked_fill(tensor(ignored), 0.0)
    if reduction == "mean":
        kept = ~ignored
        total = (
            float(weight.array[np.where(kept, target.array, 0)][kept].sum())
            if weight is not None
            else float(np.sum(kept))
        )
        spread = spread.sum() / total
    else:
        spread = reduced(spread, reduction)
    share = label_smoothing / logs.shape[channel]
    return plain * (1 - label_smoothing) + spread * share  # type: ignore[no-any-return]


@neural
def cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None,
    reduction: str = "mean", label_smoothing: float = 0.0,
) -> Tensor:  # fmt: skip
    """nll_loss of log_softmax: scores (N, C, *) against class numbers (N, *) or probabilities (N, C, *)."""
    if reduction not in REDUCTIONS or size_average is not None or reduce is not None:
        reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    if not isinstance(input, Tensor):
        raise TypeError(
            f"cross_entropy_loss(): argument 'input' (position 1) must be Tensor, not {type(input).__name__}"
        )
    if not isinstance(target, Tensor):
        raise TypeError(
            f"cross_entropy_loss(): argument 'target' (position 2) must be Tensor, not {type(target).__name__}"
        )
    if not 0 <= label_smoothing <= 1:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    scores = input.array
    if scores.ndim == 0:
        raise RuntimeError("input tensor should be 1D or 2D")
    channel = 0 if scores.ndim == 1 else 1
    logs: Tensor = logarithms(input, channel)
    if scores.shape == target.array.shape:
        if target.array.dtype.kind != "f":
            raise RuntimeError(
                f"Expected floating point type for target with class probabilities, got {target.dtype.word}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        return _soft_targets(logs, target, weight, reduction, label_smoothing, channel)
    if label_smoothing > 0:
        return _smoothed(logs, target, weight, reduction, ignore_index, label_smoothing, channel)
    return _of_classes(logs, target, weight, reduction, ignore_index)


# -- margins ---------------------------------------------------------------------------------------------------------


def _margins(input: Any, target: Any, p: int, margin: float, weight: Any) -> tuple[Any, Any, Any]:
    rows = np.arange(len(target))
    gap = margin - input[rows, target][:, None] + input
    gap[rows, target] = 0
    scale = np.ones(len(target), input.dtype) if weight is None else weight[target].astype(input.dtype)
    return np.maximum(gap, 0), rows, scale[:, None] / input.shape[1]


def _multi_margin(input: Any, target: Any, weight: Any, p: int, margin: float, reduction: str) -> Any:
    gap, _, scale = _margins(input, target, p, margin, weight)
    value = (scale * (gap if p == 1 else gap * gap)).sum(1).astype(input.dtype)
    return value if reduction == "none" else value.mean() if reduction == "mean" else value.sum()


def _multi_margin_rule(
    g: Any, m: Any, input: Any, target: Any, weight: Any, p: int, margin: float, reduction: str
) -> Any:
    raw_target, raw_weight = (x.array if isinstance(x, Tensor) else x for x in (target, weight))
    raw = input.array if isinstance(input, Tensor) else input
    gap, rows, scale = _margins(raw, raw_target, p, margin, raw_weight)
    active = m.asarray((gap > 0).astype(raw.dtype) * scale)
    if p == 2:
        right = m.gather(input, 1, m.asarray(raw_target[:, None]))
        active = active * 2 * (margin - right + input)
    n = len(rows)
    share = g.reshape((-1, 1)) if reduction == "none" else g / n if reduction == "mean" else g
    slopes = share * active
    return m.scatter_add(slopes, 1, m.asarray(raw_target[:, None]), -m.sum(slopes, (1,), True))


multi_margin = op(
    "multi_margin_loss", "MultiMarginLossBackward0", _multi_margin, inputs="input target weight",
    vjp={"input": _multi_margin_rule},
    local={"input": "1/C where within the margin"}, symbol="multi_margin_loss({input}, {target})", method=False,
    public=False,
)  # fmt: skip


@neural
def multi_margin_loss(
    input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """How far other classes come within ``margin`` of the right one."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if input.ndim > 2 or (input.ndim and not input.shape[-1]):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(input.shape)}"
        )
    rows = input if input.ndim == 2 else input.reshape(1, -1)
    if target.ndim > 1 or target.array.size != rows.shape[0]:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch "
            f"size). Expected target size [{rows.shape[0]}], but got {list(target.shape)}. Input has shape "
            f"{list(input.shape)}."
        )
    if target.array.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {target.dtype.word}")
    if weight is not None and weight.ndim != 1:
        raise ValueError("weight must be one-dimensional")
    if weight is not None and weight.shape[0] != rows.shape[1]:
        raise RuntimeError(f"inconsistent weight size, expected {rows.shape[1]} but got {list(weight.shape)}")
    result: Tensor = multi_margin.function(rows, target.reshape(-1), weight, p, float(margin), reduction)
    return result.reshape(()) if input.ndim == 1 and reduction == "none" else result


@neural
def multilabel_margin_loss(
    input: Tensor, target: Tensor, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
) -> Tensor:
    """Each right class (listed up to the first -1) against each wrong one, within a margin of 1."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    if input.ndim > 2 or (input.ndim and not input.shape[-1]):
        raise RuntimeError(
            f"Expected non-empty vector or matrix with optional 0-dim batch size, but got: {list(input.shape)}"
        )
    if input.shape != target.shape:
        raise RuntimeError(f"inconsistent target size: {list(target.shape)} for input of size: {list(input.shape)}")
    return multilabel_margin(input, target, reduction)  # type: ignore[no-any-return]


@one_node("MultilabelMarginLossBackward0", "input target", wrt="input")
def multilabel_margin(input: Tensor, target: Tensor, reduction: str) -> Tensor:
    from ..creation import tensor

    rows = input if input.ndim == 2 else input.reshape(1, -1)
    wanted = np.atleast_2d(target.array)
    losses = []
    for i in range(rows.shape[0]):
        listed = wanted[i]
        stop = np.flatnonzero(listed < 0)
        right = listed[: stop[0]] if stop.size else listed
        wrong = np.setdiff1d(np.arange(rows.shape[1]), right)
        row = rows[i]
        gap = 1 - row.index_select(0, tensor(right)).reshape(-1, 1) + row.index_select(0, tensor(wrong)).reshape(1, -1)
        losses.append(gap.clamp_min(0).sum() / rows.shape[1])
    from .joining import stack

    value: Tensor = stack.function(losses) if losses else rows.sum(1)
    return reduced(value[0] if input.ndim == 1 and reduction == "none" else value, reduction)


@neural
def multilabel_soft_margin_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """The mean over classes of the logistic loss of each."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    log_sigmoid = NEURAL["logsigmoid"]
    value = -(target * log_sigmoid(input) + (1 - target) * log_sigmoid(-input))
    if weight is not None:
        value = value * weight
    return reduced(value.sum(-1) / input.shape[-1], reduction)


@neural
def linear_cross_entropy(
    input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor | None = None,
    weight: Tensor | None = None, reduction: str = "mean", ignore_index: int | None = None,
    label_smoothing: float = 0.0, options: Any = None,
) -> Tensor:  # fmt: skip
    """cross_entropy of the scores that a linear map of ``input`` gives. ``options``, about memory, have no effect."""
    flat = linear_weight.reshape(-1, linear_weight.shape[-1])
    scores = input @ flat.mT
    if linear_bias is not None:
        scores = scores + linear_bias.reshape(-1)
    scores = scores.reshape(*input.shape[:-1], *linear_weight.shape[:-1])
    ignored = -100 if ignore_index is None else ignore_index
    return cross_entropy(
        scores, target, weight, ignore_index=ignored, reduction=reduction, label_smoothing=label_smoothing
    )
