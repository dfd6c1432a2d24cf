"""Distributions over vectors, and batches read as one: multivariate normal, independent, mixture."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd.dispatch import make
from autograd.distributions import constraints
from autograd.distributions.constraints import Constraint
from autograd.distributions.discrete import Categorical
from autograd.distributions.distribution import Distribution, normal_noise
from autograd.mode import no_grad
from autograd.ops import FUNCTIONS, LINALG
from autograd.tensor import Size, Tensor


class MultivariateNormal(Distribution):
    """The normal distribution over vectors (..., n), by one of covariance, precision or lower Cholesky factor (n, n).

    Raises ValueError unless exactly one of the three is given.
    """

    arg_constraints = {  # noqa: RUF012
        "loc": constraints.real_vector, "covariance_matrix": constraints.positive_definite,
        "precision_matrix": constraints.positive_definite, "scale_tril": constraints.lower_cholesky,
    }  # fmt: skip
    has_rsample = True

    def __init__(
        self,
        loc: Tensor,
        covariance_matrix: Tensor | None = None,
        precision_matrix: Tensor | None = None,
        scale_tril: Tensor | None = None,
        validate_args: bool | None = None,
    ) -> None:
        if loc.ndim < 1:
            raise ValueError("loc must be at least one-dimensional.")
        matrices = {
            "covariance_matrix": covariance_matrix,
            "precision_matrix": precision_matrix,
            "scale_tril": scale_tril,
        }
        given = {name: matrix for name, matrix in matrices.items() if matrix is not None}
        if len(given) != 1:
            raise ValueError("Exactly one of covariance_matrix or precision_matrix or scale_tril may be specified.")
        ((name, matrix),) = given.items()
        if matrix.ndim < 2:
            raise ValueError(f"{name} must be at least two-dimensional, with optional leading batch dimensions")
        batch = Size(np.broadcast_shapes(matrix.shape[:-2], loc.shape[:-1]))
        self.loc = loc.expand(batch + loc.shape[-1:])
        self.__dict__[name] = matrix.expand(batch + matrix.shape[-2:])
        super().__init__(batch, loc.shape[-1:], validate_args)
        if scale_tril is not None:
            self._factor = self.__dict__[name]
        elif covariance_matrix is not None:
            self._factor = LINALG["cholesky"](self.__dict__[name])
        else:  # the Cholesky factor of the inverse, from that of the precision with its rows and columns reversed
            reversed_factor = LINALG["cholesky"](self.__dict__[name].flip((-2, -1)))
            inverse_upper = reversed_factor.flip((-2, -1)).mT
            identity = make(np.eye(loc.shape[-1], dtype=loc.array.dtype))
            self._factor = LINALG["solve_triangular"](inverse_upper, identity, upper=False)

    def expand(self, batch_shape: Any) -> Any:
        made = super().expand(batch_shape)
        made._factor = self._factor.expand(Size(batch_shape) + self._factor.shape[-2:])
        return made

    def __getattr__(self, name: str) -> Any:
        if name == "scale_tril" and "_factor" in self.__dict__:
            return self._factor
        if name == "covariance_matrix" and "_factor" in self.__dict__:
            return self._factor @ self._factor.mT
        if name == "precision_matrix" and "_factor" in self.__dict__:
            return FUNCTIONS["cholesky_inverse"](self._factor)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def support(self) -> Constraint:
        return constraints.real_vector

    @property
    def mean(self) -> Tensor:
        return self.loc

    @property
    def mode(self) -> Tensor:
        return self.loc

    @property
    def variance(self) -> Tensor:
        return (self._factor**2).sum(-1).expand(self._batch_shape + self._event_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        noise = normal_noise(self._extended_shape(sample_shape), self.loc)
        return self.loc + (self._factor @ noise.unsqueeze(-1)).squeeze(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        gap = (value - self.loc).unsqueeze(-1)
        whitened = LINALG["solve_triangular"](self._factor, gap, upper=False).squeeze(-1)
        n = self._event_shape[0]
        return -0.5 * (n * math.log(2 * math.pi) + (whitened**2).sum(-1)) - self._half_log_det()

    def _half_log_det(self) -> Tensor:
        return self._factor.diagonal(0, -2, -1).log().sum(-1)

    def entropy(self) -> Tensor:
        n = self._event_shape[0]
        found = 0.5 * n * (1.0 + math.log(2 * math.pi)) + self._half_log_det()
        return found.expand(self._batch_shape)


class Independent(Distribution):
    """``base_distribution`` with the last dimensions of its batch read as part of one value."""

    arg_constraints = {}  # noqa: RUF012

    def __init__(
        self, base_distribution: Distribution, reinterpreted_batch_ndims: int, validate_args: bool | None = None
    ) -> None:
        n = reinterpreted_batch_ndims
        batch = base_distribution.batch_shape
        if n > len(batch):
            raise ValueError(
                f"Expected reinterpreted_batch_ndims <= len(base_distribution.batch_shape), actual {n} vs {len(batch)}"
            )
        self.base_dist = base_distribution
        self.reinterpreted_batch_ndims = n
        cut = len(batch) - n
        super().__init__(batch[:cut], batch[cut:] + base_distribution.event_shape, validate_args)

    def expand(self, batch_shape: Any) -> Any:
        kept = self.base_dist.batch_shape[len(self._batch_shape) :]
        return Independent(self.base_dist.expand(Size(batch_shape) + kept), self.reinterpreted_batch_ndims)

    @property
    def has_rsample(self) -> bool:  # type: ignore[override]
        return self.base_dist.has_rsample

    @property
    def support(self) -> Constraint:
        base = self.base_dist.support
        n = self.reinterpreted_batch_ndims
        return constraints.independent(base, n) if n else base

    @property
    def mean(self) -> Tensor:
        return self.base_dist.mean

    @property
    def mode(self) -> Tensor:
        return self.base_dist.mode

    @property
    def variance(self) -> Tensor:
        return self.base_dist.variance

    def sample(self, sample_shape: Any = ()) -> Tensor:
        return self.base_dist.sample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self.base_dist.rsample(sample_shape)

    def log_prob(self, value: Tensor) -> Tensor:
        return sum_rightmost(self.base_dist.log_prob(value), self.reinterpreted_batch_ndims)

    def entropy(self) -> Tensor:
        return sum_rightmost(self.base_dist.entropy(), self.reinterpreted_batch_ndims)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        if self.reinterpreted_batch_ndims:
            raise NotImplementedError("Enumeration over cartesian product is not implemented")
        return self.base_dist.enumerate_support(expand)

    def __repr__(self) -> str:
        return f"Independent({self.base_dist!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamily(Distribution):
    """A value from one of the components (the last dimension of their batch), which ``mixture_distribution`` chooses.

    Raises ValueError when the two do not fit each other.
    """

    arg_constraints = {}  # noqa: RUF012

    def __init__(
        self,
        mixture_distribution: Categorical,
        component_distribution: Distribution,
        validate_args: bool | None = None,
    ) -> None:
        if not isinstance(mixture_distribution, Categorical):
            raise ValueError(" The Mixture distribution needs to be an  instance of torch.distributions.Categorical")
        if not isinstance(component_distribution, Distribution):
            raise ValueError("The Component distribution need to be an instance of torch.distributions.Distribution")
        shape = component_distribution.batch_shape
        for ours, theirs in zip(reversed(mixture_distribution.batch_shape), reversed(shape[:-1]), strict=False):
            if ours != 1 and theirs != 1 and ours != theirs:
                raise ValueError(
                    f"`mixture_distribution.batch_shape` ({mixture_distribution.batch_shape}) is not compatible with "
                    f"`component_distribution.batch_shape`({shape[:-1]})"
                )
        n = mixture_distribution.logits.shape[-1]
        if n != shape[-1]:
            raise ValueError(
                f"`mixture_distribution component` ({n}) does not equal "
                f"`component_distribution.batch_shape[-1]` ({shape[-1]})"
            )
        self.mixture_distribution = mixture_distribution
        self.component_distribution = component_distribution
        super().__init__(shape[:-1], component_distribution.event_shape, validate_args)

    def expand(self, batch_shape: Any) -> Any:
        batch_shape = Size(batch_shape)
        n = self.component_distribution.batch_shape[-1:]
        return MixtureSameFamily(
            self.mixture_distribution.expand(batch_shape), self.component_distribution.expand(batch_shape + n)
        )

    @property
    def support(self) -> Constraint:
        return self.component_distribution.support

    def _weights(self) -> Tensor:
        probs = self.mixture_distribution.probs
        return probs.reshape(probs.shape + (1,) * len(self._event_shape))

    @property
    def _place(self) -> int:
        """The dimension of the components."""
        return -1 - len(self._event_shape)

    @property
    def mean(self) -> Tensor:
        return (self._weights() * self.component_distribution.mean).sum(self._place)

    @property
    def variance(self) -> Tensor:
        weights, components = self._weights(), self.component_distribution
        within = (weights * components.variance).sum(self._place)
        gap = components.mean - self.mean.unsqueeze(self._place)
        return within + (weights * gap**2.0).sum(self._place)

    def cdf(self, value: Tensor) -> Tensor:
        found = self.component_distribution.cdf(value.unsqueeze(self._place))
        return (found * self.mixture_distribution.probs).sum(-1)

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        each = self.component_distribution.log_prob(value.unsqueeze(self._place))
        return (each + self.mixture_distribution.logits).logsumexp(-1)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            sample_shape = Size(sample_shape)
            chosen = self.mixture_distribution.sample(sample_shape)
            values = self.component_distribution.sample(sample_shape)
            place = len(sample_shape) + len(self._batch_shape)
            index = chosen.reshape(chosen.shape + (1,) * (len(self._event_shape) + 1))
            index = index.expand(sample_shape + self._batch_shape + (1,) + self._event_shape)
            return values.gather(place, index).squeeze(place)

    def __repr__(self) -> str:
        return f"MixtureSameFamily(\n  {self.mixture_distribution},\n  {self.component_distribution})"


def sum_rightmost(value: Tensor, n: int) -> Tensor:
    """The sum over the last ``n`` dimensions."""
    return value.sum(tuple(range(-n, 0))) if n else value
