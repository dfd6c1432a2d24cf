"""The gamma distribution and those made of it: chi-squared, beta, Dirichlet and Student's t.

There is no formula for a gamma value in its concentration and noise. The gradient of a draw x is found implicitly: the
probability of values up to x is held, so dx/da = -(dF/da) / f, with F the distribution function and f the density
(Figurnov, Mohamed and Mnih, "Implicit reparameterization gradients", 2018).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd.dispatch import make
from autograd.distributions import constraints
from autograd.distributions.constraints import Constraint
from autograd.distributions.distribution import Distribution, broadcast_all, normal_noise, shape_of
from autograd.function import Function, once_differentiable
from autograd.ops import FUNCTIONS
from autograd.ops.gamma import igamma
from autograd.random import numpy_generator
from autograd.tensor import Tensor

STEP = 1e-5


def implicit_slope(a: Any, x: Any) -> Any:
    """dx/da of a standard gamma value ``x`` with concentration ``a`` (float64 arrays): dF/da by central difference."""
    h = STEP * np.maximum(a, 1e-3)
    growth = (igamma.forward(a + h, x) - igamma.forward(a - h, x)) / (2 * h)
    log_density = (a - 1) * np.log(x) - x - np.vectorize(math.lgamma, otypes=[float])(a)
    return -growth / np.exp(log_density)


class StandardGamma(Function):
    """Gamma values of rate 1 by their concentration."""

    @staticmethod
    def forward(ctx: Any, concentration: Tensor) -> Tensor:
        a = concentration.detach().array
        least = np.finfo(a.dtype).tiny
        x = make(np.maximum(np.asarray(numpy_generator().standard_gamma(a)).astype(a.dtype), least))
        ctx.save_for_backward(concentration, x)
        return x

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Tensor) -> Tensor:
        concentration, x = ctx.saved_tensors
        a, values = (np.asarray(t.detach().array, np.float64) for t in (concentration, x))
        return g * make(np.asarray(implicit_slope(a, values)).astype(x.array.dtype))


class Gamma(Distribution):
    """Density x^(a-1) · exp(-rate·x) · rate^a / Γ(a), with a the ``concentration``."""

    arg_constraints = {"concentration": constraints.positive, "rate": constraints.positive}  # noqa: RUF012
    has_rsample = True

    def __init__(self, concentration: Any, rate: Any, validate_args: bool | None = None) -> None:
        self.concentration, self.rate = broadcast_all(concentration, rate)
        super().__init__(shape_of((concentration, rate), self.rate), validate_args=validate_args)

    @property
    def support(self) -> Constraint:
        return constraints.nonnegative

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.rate

    @property
    def mode(self) -> Tensor:
        return ((self.concentration - 1) / self.rate).clamp(min=0)

    @property
    def variance(self) -> Tensor:
        return self.concentration / self.rate**2

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        return StandardGamma.apply(self.concentration.expand(shape)) / self.rate.expand(shape)

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        a, rate = self.concentration, self.rate
        return a.xlogy(rate) + (a - 1).xlogy(value) - rate * value - a.lgamma()

    def cdf(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return igamma.function(self.concentration, self.rate * value)

    def entropy(self) -> Tensor:
        a = self.concentration
        return a - self.rate.log() + a.lgamma() + (1.0 - a) * a.digamma()


class Chi2(Gamma):
    """The sum of ``df`` squared standard normal values."""

    arg_constraints = {"df": constraints.positive}  # noqa: RUF012

    def __init__(self, df: Any, validate_args: bool | None = None) -> None:
        (half,) = broadcast_all(df)
        super().__init__(0.5 * (half if isinstance(df, Tensor) else df), 0.5, validate_args)

    def expand(self, batch_shape: Any) -> Any:
        made = super().expand(batch_shape)
        made.concentration, made.rate = self.concentration.expand(batch_shape), self.rate.expand(batch_shape)
        return made

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self.concentration * 2


class Dirichlet(Distribution):
    """Vectors of shares that sum to 1, with density in proportion to the product of x_i^(a_i - 1)."""

    arg_constraints = {"concentration": constraints.independent(constraints.positive, 1)}  # noqa: RUF012
    has_rsample = True

    def __init__(self, concentration: Tensor, validate_args: bool | None = None) -> None:
        if concentration.ndim < 1:
            raise ValueError("`concentration` parameter must be at least one-dimensional.")
        self.concentration = concentration
        super().__init__(concentration.shape[:-1], concentration.shape[-1:], validate_args)

    @property
    def support(self) -> Constraint:
        return constraints.simplex

    @property
    def mean(self) -> Tensor:
        return self.concentration / self.concentration.sum(-1, True)

    @property
    def mode(self) -> Tensor:
        less = (self.concentration - 1).clamp(min=0.0)
        mode = less / less.sum(-1, True)
        flat = (self.concentration < 1).all(dim=-1)
        corner = self.mean.argmax(-1, keepdim=True)
        return FUNCTIONS["where"](flat.unsqueeze(-1), (mode * 0).nan_to_num().scatter(-1, corner, 1.0), mode)

    @property
    def variance(self) -> Tensor:
        total = self.concentration.sum(-1, True)
        return self.concentration * (total - self.concentration) / (total**2 * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        x = StandardGamma.apply(self.concentration.expand(self._extended_shape(sample_shape)))
        return x / x.sum(-1, True)

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        a = self.concentration
        return (a - 1.0).xlogy(value).sum(-1) + a.sum(-1).lgamma() - a.lgamma().sum(-1)

    def entropy(self) -> Tensor:
        a, k = self.concentration, self.concentration.shape[-1]
        total = a.sum(-1)
        spread = ((a - 1.0) * a.digamma()).sum(-1)
        return a.lgamma().sum(-1) - total.lgamma() - (k - total) * total.digamma() - spread


class Beta(Distribution):
    """The share of the first of two, with density in proportion to x^(a-1) · (1-x)^(b-1)."""

    arg_constraints = {"concentration1": constraints.positive, "concentration0": constraints.positive}  # noqa: RUF012
    has_rsample = True

    def __init__(self, concentration1: Any, concentration0: Any, validate_args: bool | None = None) -> None:
        a, b = broadcast_all(concentration1, concentration0)
        shape = shape_of((concentration1, concentration0), a)
        self._dirichlet = Dirichlet(FUNCTIONS["stack"]([a, b], -1), validate_args)
        super().__init__(shape, validate_args=validate_args)

    def expand(self, batch_shape: Any) -> Any:
        made = super().expand(batch_shape)
        made._dirichlet = self._dirichlet.expand(batch_shape)
        return made

    @property
    def concentration1(self) -> Tensor:
        """a, the weight of 1."""
        return self._dirichlet.concentration[..., 0]

    @property
    def concentration0(self) -> Tensor:
        """b, the weight of 0."""
        return self._dirichlet.concentration[..., 1]

    @property
    def support(self) -> Constraint:
        return constraints.unit_interval

    @property
    def mean(self) -> Tensor:
        return self.concentration1 / (self.concentration1 + self.concentration0)

    @property
    def mode(self) -> Tensor:
        return self._dirichlet.mode[..., 0]

    @property
    def variance(self) -> Tensor:
        total = self.concentration1 + self.concentration0
        return self.concentration1 * self.concentration0 / (total**2 * (total + 1))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self._dirichlet.rsample(sample_shape).select(-1, 0)

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return self._dirichlet.log_prob(FUNCTIONS["stack"]([value, 1.0 - value], -1))

    def entropy(self) -> Tensor:
        return self._dirichlet.entropy()


class StudentT(Distribution):
    """Student's t with ``df`` degrees of freedom: a normal value over the root of a chi-squared one."""

    arg_constraints = {"df": constraints.positive, "loc": constraints.real, "scale": constraints.positive}  # noqa: RUF012
    has_rsample = True

    def __init__(self, df: Any, loc: Any = 0.0, scale: Any = 1.0, validate_args: bool | None = None) -> None:
        self.df, self.loc, self.scale = broadcast_all(df, loc, scale)
        super().__init__(self.df.shape, validate_args=validate_args)

    @property
    def support(self) -> Constraint:
        return constraints.real

    @property
    def mean(self) -> Tensor:
        return FUNCTIONS["where"](self.df <= 1, math.nan, self.loc)

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        where = FUNCTIONS["where"]
        known = self.scale**2 * self.df / (self.df - 2)
        return where(self.df > 2, known, where(self.df > 1, math.inf, math.nan).to(known))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        squares = Chi2(self.df, validate_args=False).expand(shape).rsample()
        return self.loc + self.scale * normal_noise(shape, self.df) * (squares / self.df).rsqrt()

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        y = (value - self.loc) / self.scale
        whole = (
            self.scale.log() + 0.5 * self.df.log() + 0.5 * math.log(math.pi)
            + (0.5 * self.df).lgamma() - (0.5 * (self.df + 1.0)).lgamma()
        )  # fmt: skip
        return -0.5 * (self.df + 1.0) * (y**2.0 / self.df).log1p() - whole

    def entropy(self) -> Tensor:
        half, more = 0.5 * self.df, 0.5 * (self.df + 1)
        log_beta = half.lgamma() + math.lgamma(0.5) - more.lgamma()
        return self.scale.log() + more * (more.digamma() - half.digamma()) + 0.5 * self.df.log() + log_beta
