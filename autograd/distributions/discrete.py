"""Distributions over whole numbers and over classes: Bernoulli, categorical, geometric, binomial, Poisson.

A draw from these has no derivative, so none has ``rsample`` (but for the straight-through form). Policies are trained
through ``log_prob`` of what was drawn instead.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd.creation import arange, tensor, zeros_like
from autograd.distributions import constraints
from autograd.distributions.constraints import Constraint
from autograd.distributions.distribution import (
    ByProbability,
    Distribution,
    broadcast_all,
    drawn,
    shape_of,
    uniform_noise,
)
from autograd.dtypes import finfo
from autograd.mode import no_grad
from autograd.ops import FUNCTIONS, NEURAL
from autograd.random import numpy_generator
from autograd.tensor import Size, Tensor

_OF_TWO = {"probs": constraints.unit_interval, "logits": constraints.real}
_OF_MANY = {"probs": constraints.simplex, "logits": constraints.real_vector}


def _two_entropy(logits: Tensor, probs: Tensor) -> Tensor:
    """-log of the probability of ``probs`` under ``logits``: with both of one distribution, its entropy."""
    return NEURAL["binary_cross_entropy_with_logits"](logits, probs, reduction="none")


class _OfTwo(ByProbability):
    """A distribution with the probability of one of two outcomes."""

    arg_constraints = _OF_TWO

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        given = self._one_of(probs, logits)
        (value,) = broadcast_all(given)
        self.__dict__["logits" if probs is None else "probs"] = value
        super().__init__(shape_of((given,), value), validate_args=validate_args)


class Bernoulli(_OfTwo):
    """1 with probability ``probs``, else 0."""

    has_enumerate_support = True

    @property
    def support(self) -> Constraint:
        return constraints.boolean

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        likely = (self.probs >= 0.5).to(self.probs)
        return FUNCTIONS["where"](self.probs == 0.5, math.nan, likely)

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            return FUNCTIONS["bernoulli"](self.probs.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        logits, value = broadcast_all(self.logits, value)
        return -_two_entropy(logits, value)

    def entropy(self) -> Tensor:
        return _two_entropy(self.logits, self.probs)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        return _counted(self, 2, self.probs.dtype, expand)


class Geometric(_OfTwo):
    """How often an event of probability ``probs`` fails before it first happens."""

    @property
    def support(self) -> Constraint:
        return constraints.nonnegative_integer

    @property
    def mean(self) -> Tensor:
        return 1.0 / self.probs - 1.0

    @property
    def mode(self) -> Tensor:
        return zeros_like(self.probs)

    @property
    def variance(self) -> Tensor:
        return (1.0 / self.probs - 1.0) / self.probs

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            shape = self._extended_shape(sample_shape)
            return (uniform_noise(shape, self.probs).log() / (-self.probs.expand(shape)).log1p()).floor()

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        value, probs = broadcast_all(value, self.probs)
        # certain at once: 0 · log(0) is 0 here
        certain = probs.eq(1) & value.eq(0)
        return value * (-FUNCTIONS["where"](certain, 0.0, probs)).log1p() + self.probs.log()

    def entropy(self) -> Tensor:
        return _two_entropy(self.logits, self.probs) / self.probs


class Binomial(ByProbability):
    """How often an event of probability ``probs`` happens in ``total_count`` trials."""

    arg_constraints = {"total_count": constraints.nonnegative_integer, **_OF_TWO}  # noqa: RUF012
    has_enumerate_support = True

    def __init__(
        self, total_count: Any = 1, probs: Any = None, logits: Any = None, validate_args: bool | None = None
    ) -> None:
        given = self._one_of(probs, logits)
        self.total_count, value = broadcast_all(total_count, given)
        self.total_count = self.total_count.type_as(value)
        self.__dict__["logits" if probs is None else "probs"] = value
        super().__init__(value.shape, validate_args=validate_args)

    @property
    def support(self) -> Constraint:
        return constraints.integer_interval(0, self.total_count)

    @property
    def mean(self) -> Tensor:
        return self.total_count * self.probs

    @property
    def mode(self) -> Tensor:
        return ((self.total_count + 1) * self.probs).floor().clamp(max=self.total_count)

    @property
    def variance(self) -> Tensor:
        return self.total_count * self.probs * (1 - self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        shape = self._extended_shape(sample_shape)
        counts = self.total_count.detach().expand(shape).array.astype(np.int64)
        return drawn(numpy_generator().binomial(counts, self.probs.detach().expand(shape).array), self.probs)

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        n, logits = self.total_count, self.logits
        ways = (n + 1).lgamma() - (value + 1).lgamma() - (n - value + 1).lgamma()
        # log(1 + e^logits) without overflow, and with the right slope at 0, where both bounds hold
        positive = (logits.clamp(min=0) + logits - logits.clamp(max=0)) / 2
        return ways + value * logits - n * (positive + (-logits.abs()).exp().log1p())

    def entropy(self) -> Tensor:
        if not self._validate_args or (self.total_count == self.total_count.max()).all():
            log_prob = self.log_prob(self.enumerate_support(False))
            return -(log_prob.exp() * log_prob).sum(0)
        raise NotImplementedError("Inhomogeneous total count not supported by `entropy`.")

    def enumerate_support(self, expand: bool = True) -> Tensor:
        most = int(self.total_count.max())
        if not most == int(self.total_count.min()):
            raise NotImplementedError("Inhomogeneous total count not supported by `enumerate_support`.")
        return _counted(self, most + 1, self.probs.dtype, expand)


class Poisson(Distribution):
    """How many events happen in a unit of time at ``rate``."""

    arg_constraints = {"rate": constraints.nonnegative}  # noqa: RUF012

    def __init__(self, rate: Any, validate_args: bool | None = None) -> None:
        (self.rate,) = broadcast_all(rate)
        super().__init__(shape_of((rate,), self.rate), validate_args=validate_args)

    @property
    def support(self) -> Constraint:
        return constraints.nonnegative_integer

    @property
    def mean(self) -> Tensor:
        return self.rate

    @property
    def mode(self) -> Tensor:
        return self.rate.floor()

    @property
    def variance(self) -> Tensor:
        return self.rate

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            return FUNCTIONS["poisson"](self.rate.expand(self._extended_shape(sample_shape)))

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        rate, value = broadcast_all(self.rate, value)
        return value.xlogy(rate) - rate - (value + 1).lgamma()


class Categorical(ByProbability):
    """One of n classes, as its number; ``probs`` (..., n) are scaled to sum to 1, ``logits`` to be their logarithms."""

    arg_constraints = _OF_MANY
    has_enumerate_support = True
    _binary = False

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        given = self._one_of(probs, logits)
        if given.ndim < 1:
            raise ValueError(f"`{'logits' if probs is None else 'probs'}` parameter must be at least one-dimensional.")
        if probs is None:
            self.__dict__["logits"] = given - given.logsumexp(-1, keepdim=True)
        else:
            self.__dict__["probs"] = given / given.sum(-1, keepdim=True)
        self._num_events = given.shape[-1]
        super().__init__(given.shape[:-1], validate_args=validate_args)

    @property
    def support(self) -> Constraint:
        return constraints.integer_interval(0, self._num_events - 1)

    @property
    def mean(self) -> Tensor:
        return self.probs.new_full(self._batch_shape, math.nan)

    @property
    def mode(self) -> Tensor:
        return self.probs.argmax(dim=-1)

    @property
    def variance(self) -> Tensor:
        return self.probs.new_full(self._batch_shape, math.nan)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            rows = self.probs.reshape(-1, self._num_events)
            drawn = FUNCTIONS["multinomial"](rows, Size(sample_shape).numel(), True)
            return drawn.T.reshape(self._extended_shape(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        value, logits = FUNCTIONS["broadcast_tensors"](value.long().unsqueeze(-1), self.logits)
        return logits.gather(-1, value[..., :1]).squeeze(-1)

    def entropy(self) -> Tensor:
        # a class that can not occur counts for nothing: 0 · (a finite number), not 0 · -inf
        logits = self.logits.clamp(min=finfo(self.logits.dtype).min)
        return -(logits * self.probs).sum(-1)

    def enumerate_support(self, expand: bool = True) -> Tensor:
        return _counted(self, self._num_events, None, expand)


class OneHotCategorical(Distribution):
    """:class:`Categorical`, with a vector of zeros and one 1 for each class."""

    arg_constraints = _OF_MANY
    has_enumerate_support = True

    def __init__(self, probs: Any = None, logits: Any = None, validate_args: bool | None = None) -> None:
        self._categorical = Categorical(probs, logits, validate_args)
        super().__init__(self._categorical.batch_shape, (self._categorical._num_events,), validate_args)

    def expand(self, batch_shape: Any) -> Any:
        made = super().expand(batch_shape)
        made._categorical = self._categorical.expand(batch_shape)
        return made

    @property
    def probs(self) -> Tensor:
        """The probabilities of the classes."""
        return self._categorical.probs

    @property
    def logits(self) -> Tensor:
        """Their logarithms."""
        return self._categorical.logits

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter that was given."""
        return self._categorical.param_shape

    @property
    def support(self) -> Constraint:
        return constraints.one_hot

    @property
    def mean(self) -> Tensor:
        return self.probs

    @property
    def mode(self) -> Tensor:
        return self._hot(self._categorical.mode)

    @property
    def variance(self) -> Tensor:
        return self.probs * (1 - self.probs)

    def _hot(self, classes: Tensor) -> Tensor:
        return NEURAL["one_hot"](classes, self._event_shape[0]).to(self.probs)

    def sample(self, sample_shape: Any = ()) -> Tensor:
        with no_grad():
            return self._hot(self._categorical.sample(sample_shape))

    def log_prob(self, value: Tensor) -> Tensor:
        self._validate_sample(value)
        return self._categorical.log_prob(value.max(-1)[1])

    def entropy(self) -> Tensor:
        return self._categorical.entropy()

    def enumerate_support(self, expand: bool = True) -> Tensor:
        n = self._event_shape[0]
        values = tensor(np.eye(n), dtype=self.probs.dtype).view(n, *(1,) * len(self._batch_shape), n)
        return values.expand((n, *self._batch_shape, n)) if expand else values


class OneHotCategoricalStraightThrough(OneHotCategorical):
    """A draw that passes gradients on as if it were the probabilities (Bengio and others, 2013)."""

    has_rsample = True

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        return self.sample(sample_shape) + (self.probs - self.probs.detach())


def _counted(of: Distribution, n: int, dtype: Any, expand: bool) -> Tensor:
    """0 to n - 1 along the first dimension, beside the batch."""
    values = arange(n, dtype=dtype).view(-1, *(1,) * len(of.batch_shape))
    return values.expand((n, *of.batch_shape)) if expand else values
