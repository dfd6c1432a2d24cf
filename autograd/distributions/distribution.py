"""What all distributions share: shapes, checks, sampling, and parameters given as probabilities or as logits.

A distribution stands for a batch of independent ones (``batch_shape``), each over numbers, vectors or matrices
(``event_shape``). ``sample()`` draws values without history: no gradient gets through a draw. ``rsample()``, where
there is one, computes the value from the parameters and from noise (the reparameterization), so that gradients reach
the parameters. Values drawn come from the engine's seeded generator: PyTorch's distributions, not its stream.
"""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np

from autograd.creation import tensor
from autograd.dispatch import make
from autograd.distributions.constraints import Constraint, is_dependent
from autograd.dtypes import finfo, get_default_dtype
from autograd.mode import enable_grad, no_grad
from autograd.ops import FUNCTIONS
from autograd.random import numpy_generator
from autograd.record import unwatched
from autograd.tensor import Size, Tensor


class Distribution:
    """A batch of probability distributions.

    Raises ValueError when a parameter lies outside its constraint, and, from ``log_prob`` and its like, when a value
    lies outside of what can occur; ``validate_args=False`` leaves the checks out.
    """

    has_rsample = False
    has_enumerate_support = False
    #: the parameters by name, and where each may lie
    arg_constraints: dict[str, Constraint] = {}  # noqa: RUF012 - as PyTorch's
    _validate_args = True

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Whether distributions check their arguments when they are not told."""
        if value not in (True, False):
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self, batch_shape: tuple[int, ...] = (), event_shape: tuple[int, ...] = (), validate_args: bool | None = None
    ) -> None:
        self._batch_shape = Size(batch_shape)
        self._event_shape = Size(event_shape)
        if validate_args is not None:
            self._validate_args = validate_args
        if self._validate_args:
            if type(self).arg_constraints is Distribution.arg_constraints:
                warnings.warn(
                    f"{type(self)} does not define `arg_constraints`. Please set `arg_constraints = {{}}` or "
                    "initialize the distribution with `validate_args=False` to turn off validation.",
                    UserWarning,
                    stacklevel=2,
                )
            for name, constraint in self.arg_constraints.items():
                if is_dependent(constraint) or name not in self.__dict__:
                    continue  # a parameter that is worked out from the one that was given
                self._check(self.__dict__[name], constraint, f"parameter {name}")

    def _check(self, value: Tensor, constraint: Constraint, what: str, within: str = "") -> None:
        with no_grad(), unwatched():  # a check is no step of the program
            fine = bool(constraint.check(value).all())
        if fine:
            return
        if within:
            asked = f"{within} ({constraint!r}) of the distribution {self!r}"
        else:
            asked = f"of distribution {self!r} to satisfy the constraint {constraint!r}"
        raise ValueError(
            f"Expected {what} ({type(value).__name__} of shape {tuple(value.shape)}) {asked}, but found invalid "
            f"values:\n{value}"
        )

    @property
    def batch_shape(self) -> Size:
        """The shape of the batch of distributions."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of one value."""
        return self._event_shape

    @property
    def support(self) -> Constraint:
        """What can occur."""
        raise NotImplementedError

    @property
    def mean(self) -> Tensor:
        """The expected value."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The likeliest value."""
        raise NotImplementedError(f"{type(self)} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The expected square of the distance from the mean."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The square root of the variance."""
        root: Tensor = self.variance.sqrt()
        return root

    def expand(self, batch_shape: Any) -> Self:
        """The same with its parameters expanded to ``batch_shape``."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        batch_shape = Size(batch_shape)
        for name in self.arg_constraints:
            value = self.__dict__.get(name)
            if value is not None:
                made.__dict__[name] = value.expand(batch_shape + value.shape[len(self._batch_shape) :])
        made._batch_shape = batch_shape
        return made

    def sample(self, sample_shape: Any = ()) -> Tensor:
        """Values of shape sample_shape + batch_shape + event_shape, without history."""
        with no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = ()) -> Tensor:
        """Values through which gradients reach the parameters. NotImplementedError where there is no such way."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        """``n`` values; the older form of ``sample((n,))``."""
        message = "`sample_n(n)` will be deprecated. Use `sample((n,))` instead."
        warnings.warn(message, FutureWarning, stacklevel=2)
        return self.sample((n,))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the density, or of the probability, at ``value``."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of values up to ``value``."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """The value up to which there is the probability ``value``."""
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The expected -log_prob, in nats."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """exp(entropy)."""
        result: Tensor = self.entropy().exp()
        return result

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values that can occur, along the first dimension."""
        raise NotImplementedError

    def _extended_shape(self, sample_shape: Any = ()) -> Size:
        return Size(sample_shape) + self._batch_shape + self._event_shape

    def _validate_sample(self, value: Any) -> None:
        if not self._validate_args:
            return
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        start = max(value.ndim - len(self._event_shape), 0)
        if value.shape[start:] != self._event_shape:
            raise ValueError(
                f"The right-most size of value must match event_shape: {value.shape} vs {self._event_shape}."
            )
        expected = self._batch_shape + self._event_shape
        for ours, theirs in zip(reversed(value.shape), reversed(expected), strict=False):
            if ours not in (1, theirs) and theirs != 1:
                raise ValueError(
                    f"Value is not broadcastable with batch_shape+event_shape: {value.shape} vs {expected}."
                )
        try:
            support = self.support
        except NotImplementedError:
            return
        if is_dependent(support):
            return
        self._check(value, support, "value argument", "to be within the support")

    def __repr__(self) -> str:
        given = [name for name in self.arg_constraints if name in self.__dict__]
        shown = ", ".join(
            f"{name}: {value if value.numel() == 1 else value.size()}"
            for name, value in ((name, self.__dict__[name]) for name in given)
        )
        return f"{type(self).__name__}({shown})"


def broadcast_all(*values: Any) -> tuple[Tensor, ...]:
    """Numbers and tensors as tensors of one shape; numbers take the type of the first tensor."""
    if not all(isinstance(value, (Tensor, int, float, np.number)) for value in values):
        raise ValueError(
            "Input arguments must all be instances of Number, torch.Tensor or objects implementing __torch_function__."
        )
    first = next((value for value in values if isinstance(value, Tensor)), None)
    dtype = get_default_dtype() if first is None else first.dtype
    tensors = [value if isinstance(value, Tensor) else tensor(float(value), dtype=dtype) for value in values]
    found: tuple[Tensor, ...] = tuple(FUNCTIONS["broadcast_tensors"](*tensors))
    return found


def shape_of(given: tuple[Any, ...], like: Tensor) -> Size:
    """The batch shape: none if all parameters were given as numbers."""
    return like.shape if any(isinstance(value, Tensor) for value in given) else Size()


def normal_noise(shape: tuple[int, ...], like: Tensor) -> Tensor:
    """Standard normal values of the type of ``like``."""
    return make(np.asarray(numpy_generator().standard_normal(shape)).astype(like.array.dtype))


def uniform_noise(shape: tuple[int, ...], like: Tensor) -> Tensor:
    """Values between 0 and 1, neither included, of the type of ``like``."""
    kind = like.array.dtype
    drawn = np.asarray(numpy_generator().random(shape)).astype(kind)
    limits = np.finfo(kind)
    return make(np.clip(drawn, limits.tiny, 1 - limits.epsneg).astype(kind))


def drawn(values: Any, like: Tensor) -> Tensor:
    """Values that NumPy drew, as a tensor of the type of ``like``."""
    return make(np.asarray(values).astype(like.array.dtype))


def probs_of(logits: Tensor, *, binary: bool) -> Tensor:
    """Probabilities from logits: by the sigmoid for one of two, by softmax along the last dimension for one of many."""
    result: Tensor = logits.sigmoid() if binary else logits.softmax(-1)
    return result


def logits_of(probs: Tensor, *, binary: bool) -> Tensor:
    """The reverse of :func:`probs_of`, with probabilities held away from 0 and 1 so that the logarithms are finite."""
    least = finfo(probs.dtype).eps
    held = probs.clamp(min=least, max=1 - least)
    result: Tensor = held.log() - (-held).log1p() if binary else held.log()
    return result


class ByProbability(Distribution):
    """A distribution given by ``probs`` or by ``logits``; the other is worked out when somebody asks.

    Raises ValueError unless exactly one of the two is given.
    """

    _binary = True

    def _one_of(self, probs: Any, logits: Any) -> Any:
        if (probs is None) == (logits is None):
            raise ValueError("Either `probs` or `logits` must be specified, but not both.")
        return logits if probs is None else probs

    def __getattr__(self, name: str) -> Any:
        with enable_grad():  # it is kept, also when a draw without history is the first to ask
            if name == "probs" and "logits" in self.__dict__:
                return self.__dict__.setdefault(name, probs_of(self.__dict__["logits"], binary=self._binary))
            if name == "logits" and "probs" in self.__dict__:
                return self.__dict__.setdefault(name, logits_of(self.__dict__["probs"], binary=self._binary))
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    @property
    def param_shape(self) -> Size:
        """The shape of the parameter that was given."""
        shape: Size = (self.__dict__["probs"] if "probs" in self.__dict__ else self.__dict__["logits"]).shape
        return shape
