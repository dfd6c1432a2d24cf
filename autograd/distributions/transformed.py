"""Distributions of a function of a value: any transform, and the log-normal."""

from __future__ import annotations

from typing import Any

from autograd.distributions import constraints
from autograd.distributions.constraints import Constraint
from autograd.distributions.continuous import Normal
from autograd.distributions.distribution import Distribution
from autograd.distributions.joint import sum_rightmost
from autograd.distributions.transforms import ExpTransform, Transform
from autograd.mode import no_grad
from autograd.tensor import Tensor


class TransformedDistribution(Distribution):
    """The distribution of t(x), where x has ``base_distribution`` and t is a transform or several in a row.

    Raises ValueError for anything that is no transform.
    """

    arg_constraints: dict[str, Constraint] = {}  # noqa: RUF012

    def __init__(self, base_distribution: Distribution, transforms: Any, validate_args: bool | None = None) -> None:
        if isinstance(transforms, Transform):
            transforms = [transforms]
        if not isinstance(transforms, list):
            raise ValueError(f"transforms must be a Transform or list, but was {transforms}")
        if not all(isinstance(each, Transform) for each in transforms):
            raise ValueError("transforms must be a Transform or a list of Transforms")
        self.base_dist = base_distribution
        self.transforms = transforms
        super().__init__(base_distribution.batch_shape, base_distribution.event_shape, validate_args)

    def expand(self, batch_shape: Any) -> Any:
        made = super().expand(batch_shape)
        made.base_dist = self.base_dist.expand(batch_shape)
        return made

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        return self.base_dist.has_rsample

    @property
    def support(self) -> Constraint:
        support = self.transforms[-1].codomain if self.transforms else self.base_dist.support
        n = len(self._event_shape) - support.event_dim
        return constraints.independent(support, n) if n > 0 else support

    def _through(self, x: Tensor) -> Tensor:
        for transform in self.transforms:
            x = transform(x)
        return x

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            return self._through(self.base_dist.sample(sample_shape))

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self._through(self.base_dist.rsample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        """log p(x) - log |dy/dx|, with x the value that is sent to ``value``."""
        self._validate_sample(value)
        n = len(self._event_shape)
        log_prob: Any = 0.0
        y = value
        for transform in reversed(self.transforms):
            x = transform.inv(y)
            log_prob = log_prob - sum_rightmost(transform.log_abs_det_jacobian(x, y), n - transform.event_dim)
            y = x
        return log_prob + self.base_dist.log_prob(y)

    def _rising(self) -> Any:
        sign: Any = 1
        for transform in self.transforms:
            sign = sign * transform.sign
        return sign

    def cdf(self, value: Tensor) -> Tensor:
        if self._validate_args:
            self._validate_sample(value)
        for transform in reversed(self.transforms):
            value = transform.inv(value)
        sign = self._rising()
        found = self.base_dist.cdf(value)
        return found if isinstance(sign, int) and sign == 1 else sign * (found - 0.5) + 0.5

    def icdf(self, value: Tensor) -> Tensor:
        sign = self._rising()
        if not (isinstance(sign, int) and sign == 1):
            value = sign * (value - 0.5) + 0.5
        return self._through(self.base_dist.icdf(value))


class LogNormal(TransformedDistribution):
    """exp of a normal value with mean ``loc`` and standard deviation ``scale``."""

    arg_constraints = {"loc": constraints.real, "scale": constraints.positive}  # noqa: RUF012
    base_dist: Normal

    def __init__(self, loc: Any, scale: Any, validate_args: bool | None = None) -> None:
        super().__init__(Normal(loc, scale, validate_args), ExpTransform(), validate_args)

    @property
    def loc(self) -> Tensor:
        """The mean of the logarithm."""
        return self.base_dist.loc

    @property
    def scale(self) -> Tensor:
        """The standard deviation of the logarithm."""
        return self.base_dist.scale

    @property
    def mean(self) -> Tensor:
        return (self.loc + self.scale**2 / 2).exp()

    @property
    def mode(self) -> Tensor:
        return (self.loc - self.scale**2).exp()

    @property
    def variance(self) -> Tensor:
        squared = self.scale**2
        return squared.expm1() * (2 * self.loc + squared).exp()

    def entropy(self) -> Tensor:
        return self.base_dist.entropy() + self.loc
