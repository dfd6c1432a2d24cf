"""Distances and similarities, and the losses made of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tensor import Tensor
from .loss import _checked, reduced
from .namespaces import neural
from .one_node import one_node
from .statistics import _parse_norm, norm_of, vector_norm
from .table import FUNCTIONS, composite, op


@neural
def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Any = None) -> Tensor:
    """``input`` over its p-norm along ``dim``, which is held above ``eps``."""
    length = norm_of(input, p, dim, True)
    return input / length.clamp_min(eps)  # type: ignore[no-any-return]


@neural
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """x1·x2 / (‖x1‖·‖x2‖) along ``dim``, each norm held above ``eps``."""
    from .splitting import broadcast_tensors

    a, b = broadcast_tensors(x1, x2)
    first = vector_norm.function(a, 2, dim, True).clamp_min(eps)
    second = vector_norm.function(b, 2, dim, True).clamp_min(eps)
    return ((a / first) * (b / second)).sum(dim)  # type: ignore[no-any-return]


norm_along = op(
    "norm_along", "NormBackward1", vector_norm.forward, vjp=vector_norm.vjp, local=vector_norm.local,
    symbol="‖{input}‖", parse=_parse_norm, method=False, public=False, shown="norm",
)  # fmt: skip


@neural
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """‖x1 - x2 + eps‖ along the last dimension."""
    result: Tensor = norm_along.function(x1 - x2 + eps, p, -1, keepdim)
    return result


composite("cosine_similarity", cosine_similarity, method=False)
composite("pairwise_distance", pairwise_distance, method=False)


def _distances(x1: Any, x2: Any, p: float) -> Any:
    gap = np.abs(x1[..., :, None, :] - x2[..., None, :, :])
    if p == 0:
        return (gap != 0).sum(-1).astype(gap.dtype)
    if p == math.inf:
        return gap.max(-1, initial=0)
    if p == 2:
        return np.sqrt((gap * gap).sum(-1))
    if p == 1:
        return gap.sum(-1)
    return (gap**p).sum(-1) ** (1 / p)


def _distance_rule(g: Any, m: Any, x1: Any, x2: Any, result: Any, p: float) -> tuple[Any, Any]:
    """The slope of each pair's distance, summed over the pairs a point is in; 0 where two points coincide."""
    wide = (*x1.shape[:-1], 1, x1.shape[-1])
    tall = (*x2.shape[:-2], 1, *x2.shape[-2:])
    gap = x1.reshape(wide) - x2.reshape(tall)
    distance = result.reshape((*result.shape, 1))
    pull = g.reshape((*g.shape, 1))
    safe = m.where(distance == 0, 1.0, distance)
    if p == 0:
        slope = gap * 0
    elif p == 1:
        slope = m.sgn(gap)
    elif p == 2:
        slope = m.where(distance == 0, 0.0, gap / safe)
    elif p == math.inf:
        slope = m.where(m.abs(gap) == distance, m.sgn(gap), 0.0)
    else:
        size = m.where(gap == 0, 1.0, m.abs(gap))
        slope = m.where((distance == 0) | (gap == 0), 0.0, m.sgn(gap) * size ** (p - 1) / safe ** (p - 1))
    moved = pull * slope
    return m.sum(moved, (-2,), False), -m.sum(moved, (-3,), False)


cdist_op = op(
    "cdist", "CdistBackward0", _distances, inputs="x1 x2", vjp={"x1 x2": _distance_rule},
    local={"x1": "({x1}-{x2})/distance", "x2": "({x2}-{x1})/distance"}, symbol="cdist({x1}, {x2})", method=False,
    public=False,
)  # fmt: skip


def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: Any = None) -> Tensor:
    """The p-norm distance of every row of ``x1`` to every row of ``x2``."""
    for name, x in (("X1", x1), ("X2", x2)):
        if x.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {x.ndim}D")
    if x1.shape[-1] != x2.shape[-1]:
        raise RuntimeError(f"{x1.shape[-1]} and {x2.shape[-1]}: X1 and X2 must have the same number of columns.")
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    lead = np.broadcast_shapes(tuple(x1.shape[:-2]), tuple(x2.shape[:-2]))
    a, b = x1.expand(*lead, *x1.shape[-2:]), x2.expand(*lead, *x2.shape[-2:])
    result: Tensor = cdist_op.function(a, b, float(p))
    return result


composite("cdist", cdist, method=False)


@neural
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """The distances of all pairs of rows, each pair once."""
    if input.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {input.ndim}D")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    return pair_distances(input, float(p))  # type: ignore[no-any-return]


@one_node("PdistBackward0", "input", result=True)
def pair_distances(input: Tensor, p: float) -> Tensor:
    from ..creation import tensor

    first, second = np.triu_indices(input.shape[0], 1)
    gap = input.index_select(0, tensor(first)) - input.index_select(0, tensor(second))
    result: Tensor = vector_norm.function(gap, p, 1)
    return result + gap.sum(1) * 0 if p == 0 else result


FUNCTIONS["pdist"] = pdist

# -- losses ----------------------------------------------------------------------------------------------------------


@neural
def margin_ranking_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """max(0, -target·(input1 - input2) + margin)."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    if not input1.ndim == input2.ndim == target.ndim:
        raise RuntimeError(
            "margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
            f"{input1.shape}, input2: {input2.shape}, target: {target.shape} "
        )
    return reduced((-target * (input1 - input2) + margin).clamp_min(0), reduction)


@neural
def hinge_embedding_loss(
    input: Tensor,
    target: Tensor,
    margin: float = 1.0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """x where the target is 1, max(0, margin - x) where it is -1."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    from .logic import where

    apart = where.function(target.eq(1), 0.0 * input, (margin - input).clamp_min(0))
    together = where.function(target.eq(-1), 0.0 * input, input)
    return reduced(apart + together, reduction)


@neural
def cosine_embedding_loss(
    input1: Tensor,
    input2: Tensor,
    target: Tensor,
    margin: float = 0,
    size_average: Any = None,
    reduce: Any = None,
    reduction: str = "mean",
) -> Tensor:
    """1 - cos where the target is 1, max(0, cos - margin) where it is -1."""
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    from .logic import where

    product = (input1 * input2).sum(-1)
    first = (input1 * input1).sum(-1) + 1e-12
    second = (input2 * input2).sum(-1) + 1e-12
    cosine = product / (first * second).sqrt()
    together = where.function(target.eq(1), 1 - cosine, 0.0 * cosine)
    apart = where.function(target.eq(-1), (cosine - margin).clamp_min(0), 0.0 * cosine)
    return reduced(together + apart, reduction)


@neural
def triplet_margin_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False,
    size_average: Any = None, reduce: Any = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """max(0, d(anchor, positive) - d(anchor, negative) + margin)."""
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    ranks = [x.ndim for x in (anchor, positive, negative)]
    if len(set(ranks)) > 1:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D inputs"
        )
    near = pairwise_distance(anchor, positive, p, eps)
    far = pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = far.minimum(pairwise_distance(positive, negative, p, eps))
    return reduced((margin + near - far).clamp_min(0), reduction)


@neural
def triplet_margin_with_distance_loss(
    anchor: Tensor, positive: Tensor, negative: Tensor, *, distance_function: Any = None, margin: float = 1.0,
    swap: bool = False,
    reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """:func:`triplet_margin_loss` with a distance of one's own."""
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    if not anchor.ndim == positive.ndim == negative.ndim:
        raise RuntimeError(
            "The anchor, positive, and negative tensors are expected to have the same number of dimensions, but got: "
            f"anchor {anchor.ndim}D, positive {positive.ndim}D, and negative {negative.ndim}D inputs"
        )
    distance = pairwise_distance if distance_function is None else distance_function
    near, far = distance(anchor, positive), distance(anchor, negative)
    if swap:
        far = far.minimum(distance(positive, negative))
    return reduced((margin + near - far).clamp_min(0), _checked(reduction))


@neural
def poisson_nll_loss(
    input: Tensor, target: Tensor, log_input: bool = True, full: bool = False, size_average: Any = None,
    eps: float = 1e-8,
    reduce: Any = None, reduction: str = "mean",
) -> Tensor:  # fmt: skip
    """The negative log likelihood of counts under a Poisson distribution, with Stirling's term if ``full``."""
    from .logic import where

    reduction = _checked(reduction, size_average=size_average, reduce=reduce)
    value = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        stirling = target * target.log() - target + 0.5 * (2 * math.pi * target).log()
        value = value + where.function(target.le(1), 0.0 * target, stirling)
    return reduced(value, reduction)


@neural
def gaussian_nll_loss(
    input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6, reduction: str = "mean"
) -> Tensor:
    """The negative log likelihood under a Gaussian with the given variance, which is held above ``eps``."""
    from ..creation import full as filled

    if not isinstance(var, Tensor):
        var = filled(tuple(input.shape), float(var), dtype=input.dtype)
    if var.shape != input.shape:
        if tuple(input.shape[:-1]) == tuple(var.shape):
            var = var.unsqueeze(-1)
        elif tuple(input.shape[:-1]) != tuple(var.shape[:-1]) or var.shape[-1] != 1:  # noqa: SIM102
            if input.ndim != var.ndim or any(b not in (a, 1) for a, b in zip(input.shape, var.shape, strict=True)):
                raise ValueError("var is of incorrect size")
    if _checked(reduction) and (var.array < 0).any():
        raise ValueError("var has negative entry/entries")
    held = var.clone()
    from ..mode import no_grad

    with no_grad():
        held.clamp_(min=eps)
    value = 0.5 * (held.log() + (input - target) ** 2 / held)
    if full:
        value = value + 0.5 * math.log(2 * math.pi)
    return reduced(value, reduction)
