"""Where parameters and values of a distribution may lie, under the names of ``torch.distributions.constraints``.

A constraint answers ``check(value)`` with a tensor of bools, one for each value (one for each vector or matrix where
the constraint is about those), and prints what it asks for.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "Constraint", "boolean", "greater_than", "greater_than_eq", "half_open_interval", "independent", "integer_interval",
    "interval", "is_dependent", "less_than", "lower_cholesky", "nonnegative", "nonnegative_integer", "one_hot",
    "positive", "positive_definite", "positive_integer", "real", "real_vector", "simplex", "unit_interval",
]  # fmt: skip


class Constraint:
    """A region of numbers; of vectors or matrices, where ``event_dim`` is 1 or 2."""

    is_discrete = False
    event_dim = 0

    def check(self, value: Any) -> Any:
        """Whether each value lies inside."""
        raise NotImplementedError

    def __repr__(self) -> str:
        bounds = ", ".join(f"{name}={bound}" for name, bound in vars(self).items())
        return f"{type(self).__name__}({bounds})"


class Dependent(Constraint):
    """A region that depends on the parameters of the distribution, which alone knows it."""

    def check(self, value: Any) -> Any:
        raise ValueError("Cannot determine validity of dependent constraint")


def is_dependent(constraint: Constraint) -> bool:
    """Whether only the distribution itself knows the region."""
    return isinstance(constraint, Dependent)


class Real(Constraint):
    """Every number that is one: not nan."""

    def check(self, value: Any) -> Any:
        return value == value


class Boolean(Constraint):
    """0 and 1."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value == 0) | (value == 1)


class OneHot(Constraint):
    """Vectors with one 1 among zeros."""

    is_discrete = True
    event_dim = 1

    def check(self, value: Any) -> Any:
        return ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1)


class Simplex(Constraint):
    """Vectors of numbers from 0 that sum to 1."""

    event_dim = 1

    def check(self, value: Any) -> Any:
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class GreaterThan(Constraint):
    """Above a bound."""

    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound

    def check(self, value: Any) -> Any:
        return value > self.lower_bound


class GreaterThanEq(Constraint):
    """At a bound, or above."""

    def __init__(self, lower_bound: Any) -> None:
        self.lower_bound = lower_bound

    def check(self, value: Any) -> Any:
        return value >= self.lower_bound


class IntegerGreaterThan(GreaterThanEq):
    """Whole numbers from a bound on."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value % 1 == 0) & super().check(value)


class LessThan(Constraint):
    """Below a bound."""

    def __init__(self, upper_bound: Any) -> None:
        self.upper_bound = upper_bound

    def check(self, value: Any) -> Any:
        return value < self.upper_bound


class Interval(Constraint):
    """From one bound to another, both included."""

    def __init__(self, lower_bound: Any, upper_bound: Any) -> None:
        self.lower_bound = lower_bound
        self.upper_bound = upper_bound

    def check(self, value: Any) -> Any:
        return (value >= self.lower_bound) & (value <= self.upper_bound)


class HalfOpenInterval(Interval):
    """From one bound to another, which is not included."""

    def check(self, value: Any) -> Any:
        return (value >= self.lower_bound) & (value < self.upper_bound)


class IntegerInterval(Interval):
    """Whole numbers from one bound to another."""

    is_discrete = True

    def check(self, value: Any) -> Any:
        return (value % 1 == 0) & super().check(value)


class LowerCholesky(Constraint):
    """Lower triangular matrices with a positive diagonal."""

    event_dim = 2

    def check(self, value: Any) -> Any:
        lower = (value.tril() == value).flatten(-2).all(-1)
        return lower & (value.diagonal(0, -2, -1) > 0).all(-1)


class PositiveDefinite(Constraint):
    """Symmetric matrices that have a Cholesky factor."""

    event_dim = 2

    def check(self, value: Any) -> Any:
        from autograd.ops.namespaces import LINALG

        symmetric = ((value - value.mT).abs() <= 1e-6).flatten(-2).all(-1)
        return symmetric & (LINALG["cholesky_ex"](value).info == 0)


class IndependentConstraint(Constraint):
    """A constraint on every entry of a vector, or of a matrix."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    @property
    def is_discrete(self) -> bool:  # type: ignore[override]
        return self.base_constraint.is_discrete

    @property
    def event_dim(self) -> int:  # type: ignore[override]
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value: Any) -> Any:
        found = self.base_constraint.check(value)
        if self.reinterpreted_batch_ndims:
            found = found.flatten(-self.reinterpreted_batch_ndims).all(-1)
        return found

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


dependent = Dependent()
boolean = Boolean()
one_hot = OneHot()
nonnegative_integer = IntegerGreaterThan(0)
positive_integer = IntegerGreaterThan(1)
integer_interval = IntegerInterval
real = Real()
positive = GreaterThan(0.0)
nonnegative = GreaterThanEq(0.0)
greater_than = GreaterThan
greater_than_eq = GreaterThanEq
less_than = LessThan
interval = Interval
half_open_interval = HalfOpenInterval
unit_interval = Interval(0.0, 1.0)
simplex = Simplex()
lower_cholesky = LowerCholesky()
positive_definite = PositiveDefinite()
independent = IndependentConstraint
real_vector = IndependentConstraint(real, 1)
