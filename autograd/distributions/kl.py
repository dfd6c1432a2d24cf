"""The Kullback-Leibler divergence from one distribution to another, in closed form."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from autograd.distributions.continuous import EULER, Exponential, Gumbel, HalfNormal, Laplace, Normal, Uniform
from autograd.distributions.discrete import Bernoulli, Binomial, Categorical, Geometric, OneHotCategorical, Poisson
from autograd.distributions.distribution import Distribution
from autograd.distributions.gamma import Beta, Dirichlet, Gamma
from autograd.distributions.joint import Independent, MultivariateNormal, sum_rightmost
from autograd.distributions.transformed import LogNormal
from autograd.ops import FUNCTIONS, LINALG, NEURAL
from autograd.tensor import Tensor

Divergence = Callable[[Any, Any], Tensor]

_KNOWN: dict[tuple[type, type], Divergence] = {}


def register_kl(type_p: type, type_q: type) -> Callable[[Divergence], Divergence]:
    """A decorator: the function is ``kl_divergence(p, q)`` for these types and their subclasses."""

    def put(function: Divergence) -> Divergence:
        _KNOWN[type_p, type_q] = function
        return function

    return put


def kl_divergence(p: Distribution, q: Distribution) -> Tensor:
    """The expectation under ``p`` of log p - log q. NotImplementedError for pairs without a formula here."""
    for of_p in type(p).__mro__:
        for of_q in type(q).__mro__:
            known = _KNOWN.get((of_p, of_q))
            if known is not None:
                return known(p, q)
    raise NotImplementedError(
        f"No KL(p || q) is implemented for p type {type(p).__name__} and q type {type(q).__name__}"
    )


def _unless(condition: Tensor, value: Any, other: Any) -> Tensor:
    return FUNCTIONS["where"](condition, value, other)


@register_kl(Normal, Normal)
def _normals(p: Normal, q: Normal) -> Tensor:
    ratio = (p.scale / q.scale) ** 2
    gap = ((p.loc - q.loc) / q.scale) ** 2
    return 0.5 * (ratio + gap - 1 - ratio.log())


@register_kl(LogNormal, LogNormal)
def _log_normals(p: LogNormal, q: LogNormal) -> Tensor:
    return _normals(p.base_dist, q.base_dist)


@register_kl(HalfNormal, HalfNormal)
def _half_normals(p: HalfNormal, q: HalfNormal) -> Tensor:
    return _normals(p._whole, q._whole)


@register_kl(Laplace, Laplace)
def _laplaces(p: Laplace, q: Laplace) -> Tensor:
    ratio = p.scale / q.scale
    gap = (p.loc - q.loc).abs()
    return -ratio.log() + gap / q.scale + ratio * (-gap / p.scale).exp() - 1


@register_kl(Gumbel, Gumbel)
def _gumbels(p: Gumbel, q: Gumbel) -> Tensor:
    ratio, p_loc, q_loc = p.scale / q.scale, p.loc / q.scale, q.loc / q.scale
    return ratio.log().neg() + p_loc - q_loc + ratio * EULER + (q_loc + (1 + ratio).lgamma() - p_loc).exp() - 1 - EULER


@register_kl(Uniform, Uniform)
def _uniforms(p: Uniform, q: Uniform) -> Tensor:
    result = ((q.high - q.low) / (p.high - p.low)).log()
    return _unless((q.low > p.low) | (q.high < p.high), math.inf, result)


@register_kl(Uniform, Normal)
def _uniform_normal(p: Uniform, q: Normal) -> Tensor:
    width = p.high - p.low
    middle = ((p.high + p.low - 2 * q.loc) / 2) ** 2
    return (math.sqrt(math.pi * 2) * q.scale / width).log() + 0.5 * (width**2 / 12 + middle) / q.scale**2


@register_kl(Exponential, Exponential)
def _exponentials(p: Exponential, q: Exponential) -> Tensor:
    ratio = q.rate / p.rate
    return -ratio.log() + ratio - 1


@register_kl(Poisson, Poisson)
def _poissons(p: Poisson, q: Poisson) -> Tensor:
    return p.rate * (p.rate.log() - q.rate.log()) - (p.rate - q.rate)


@register_kl(Bernoulli, Bernoulli)
def _bernoullis(p: Bernoulli, q: Bernoulli) -> Tensor:
    softplus, where = NEURAL["softplus"], FUNCTIONS["where"]
    ones = p.probs * (softplus(-q.logits) - softplus(-p.logits))
    ones = where(p.probs == 0, 0.0, where(q.probs == 0, math.inf, ones))
    zeros = (1 - p.probs) * (softplus(q.logits) - softplus(p.logits))
    return ones + where(p.probs == 1, 0.0, where(q.probs == 1, math.inf, zeros))


@register_kl(Binomial, Binomial)
def _binomials(p: Binomial, q: Binomial) -> Tensor:
    if (p.total_count < q.total_count).any():
        raise NotImplementedError("KL between Binomials where q.total_count > p.total_count is not implemented")
    each = p.probs * (p.logits - q.logits) + (-p.probs).log1p() - (-q.probs).log1p()
    return _unless(p.total_count > q.total_count, math.inf, p.total_count * each)


@register_kl(Geometric, Geometric)
def _geometrics(p: Geometric, q: Geometric) -> Tensor:
    return -p.entropy() - (-q.probs).log1p() / p.probs - q.logits


@register_kl(Categorical, Categorical)
def _categoricals(p: Categorical, q: Categorical) -> Tensor:
    each = p.probs * (p.logits - q.logits)
    each = _unless(q.probs == 0, math.inf, each)
    return _unless(p.probs == 0, 0.0, each).sum(-1)


@register_kl(OneHotCategorical, OneHotCategorical)
def _one_hots(p: OneHotCategorical, q: OneHotCategorical) -> Tensor:
    return _categoricals(p._categorical, q._categorical)


@register_kl(Gamma, Gamma)
def _gammas(p: Gamma, q: Gamma) -> Tensor:
    a, b = p.concentration, q.concentration
    rates = b * (p.rate / q.rate).log() + (b.lgamma() - a.lgamma())
    return rates + (a - b) * a.digamma() + (q.rate - p.rate) * (a / p.rate)


@register_kl(Beta, Beta)
def _betas(p: Beta, q: Beta) -> Tensor:
    return _dirichlets(p._dirichlet, q._dirichlet)


@register_kl(Dirichlet, Dirichlet)
def _dirichlets(p: Dirichlet, q: Dirichlet) -> Tensor:
    a, b = p.concentration, q.concentration
    total = a.sum(-1)
    scales = total.lgamma() - b.sum(-1).lgamma() - (a.lgamma() - b.lgamma()).sum(-1)
    return scales + ((a - b) * (a.digamma() - total.digamma().unsqueeze(-1))).sum(-1)


@register_kl(MultivariateNormal, MultivariateNormal)
def _multivariate_normals(p: MultivariateNormal, q: MultivariateNormal) -> Tensor:
    if p.event_shape != q.event_shape:
        raise ValueError(
            "KL-divergence between two Multivariate Normals with different event shapes cannot be computed"
        )
    solve = LINALG["solve_triangular"]
    spread = (solve(q._factor, p._factor, upper=False) ** 2).sum((-2, -1))
    gap = (solve(q._factor, (q.loc - p.loc).unsqueeze(-1), upper=False) ** 2).sum((-2, -1))
    return q._half_log_det() - p._half_log_det() + 0.5 * (spread + gap - p.event_shape[0])


@register_kl(Independent, Independent)
def _independents(p: Independent, q: Independent) -> Tensor:
    if p.reinterpreted_batch_ndims != q.reinterpreted_batch_ndims:
        raise NotImplementedError
    return sum_rightmost(kl_divergence(p.base_dist, q.base_dist), p.reinterpreted_batch_ndims)
