"""Invertible functions for distributions: y = t(x), x = t.inv(y), and the logarithm of |dy/dx|."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from autograd.creation import full_like, zeros_like
from autograd.distributions import constraints
from autograd.distributions.constraints import Constraint
from autograd.ops import NEURAL
from autograd.tensor import Tensor


class Transform:
    """An invertible function of every entry. ``cache_size=1`` remembers the last argument, and so inverts exactly."""

    bijective = True
    domain: Constraint = constraints.real
    codomain: Constraint = constraints.real
    event_dim = 0

    def __init__(self, cache_size: int = 0) -> None:
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size = cache_size
        self._last: tuple[Any, Any] = (None, None)
        self._inverse: Transform | None = None

    @property
    def inv(self) -> Transform:
        """The inverse, as a transform."""
        if self._inverse is None:
            self._inverse = Inverse(self)
        return self._inverse

    @property
    def sign(self) -> int | Tensor:
        """Whether it rises (1) or falls (-1)."""
        return 1

    def __call__(self, x: Tensor) -> Tensor:
        if not self._cache_size:
            return self._call(x)
        if self._last[0] is not x:
            self._last = (x, self._call(x))
        return self._last[1]

    def _inv_call(self, y: Tensor) -> Tensor:
        if self._cache_size and self._last[1] is y:
            return self._last[0]
        x = self._inverted(y)
        if self._cache_size:
            self._last = (x, y)
        return x

    def _call(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def _inverted(self, y: Tensor) -> Tensor:
        raise NotImplementedError

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        """log |dy/dx| at ``x``, where ``y`` is the value there."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Inverse(Transform):
    """A transform read backwards."""

    def __init__(self, of: Transform) -> None:
        super().__init__()
        self._inverse = of

    @property
    def _of(self) -> Transform:
        assert self._inverse is not None
        return self._inverse

    @property
    def domain(self) -> Constraint:  # type: ignore[override]
        return self._of.codomain

    @property
    def codomain(self) -> Constraint:  # type: ignore[override]
        return self._of.domain

    @property
    def sign(self) -> int | Tensor:
        return self._of.sign

    def __call__(self, x: Tensor) -> Tensor:
        return self._of._inv_call(x)

    def _inv_call(self, y: Tensor) -> Tensor:
        return self._of(y)

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -self._of.log_abs_det_jacobian(y, x)

    def __repr__(self) -> str:
        return f"_InverseTransform({self._of!r})"


class ExpTransform(Transform):
    """y = exp(x)."""

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return x.exp()

    def _inverted(self, y: Tensor) -> Tensor:
        return y.log()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return x


class SigmoidTransform(Transform):
    """y = sigmoid(x)."""

    codomain = constraints.unit_interval

    def _call(self, x: Tensor) -> Tensor:
        return x.sigmoid()

    def _inverted(self, y: Tensor) -> Tensor:
        return y.log() - (-y).log1p()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        softplus = NEURAL["softplus"]
        return -softplus(-x) - softplus(x)


class TanhTransform(Transform):
    """y = tanh(x), with a logarithm of the slope that does not overflow: 2·(log 2 - x - softplus(-2x))."""

    codomain = constraints.interval(-1.0, 1.0)

    def _call(self, x: Tensor) -> Tensor:
        return x.tanh()

    def _inverted(self, y: Tensor) -> Tensor:
        return y.atanh()

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return 2.0 * (math.log(2.0) - x - NEURAL["softplus"](-2.0 * x))


class SoftplusTransform(Transform):
    """y = log(1 + exp(x))."""

    codomain = constraints.positive

    def _call(self, x: Tensor) -> Tensor:
        return NEURAL["softplus"](x)

    def _inverted(self, y: Tensor) -> Tensor:
        return (-y).expm1().neg().log() + y

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        return -NEURAL["softplus"](-x)


class AffineTransform(Transform):
    """y = loc + scale·x; ``event_dim`` says how many of the last dimensions are one value."""

    def __init__(self, loc: Any, scale: Any, event_dim: int = 0, cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.loc = loc
        self.scale = scale
        self.event_dim = event_dim

    @property
    def sign(self) -> int | Tensor:
        if isinstance(self.scale, Tensor):
            return self.scale.sign()
        return 1 if float(self.scale) > 0 else -1 if float(self.scale) < 0 else 0

    def _call(self, x: Tensor) -> Tensor:
        return self.loc + self.scale * x

    def _inverted(self, y: Tensor) -> Tensor:
        return (y - self.loc) / self.scale

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        if isinstance(self.scale, Tensor):
            slope = self.scale.abs().log().expand(x.shape)
        else:
            slope = full_like(x, math.log(abs(self.scale)))
        return slope.sum(tuple(range(-self.event_dim, 0))) if self.event_dim else slope


class ComposeTransform(Transform):
    """Several transforms, the first of them first."""

    def __init__(self, parts: Sequence[Transform], cache_size: int = 0) -> None:
        super().__init__(cache_size)
        self.parts = list(parts)
        self.event_dim = max((part.event_dim for part in self.parts), default=0)
        if self.parts:
            self.domain, self.codomain = self.parts[0].domain, self.parts[-1].codomain

    @property
    def sign(self) -> int | Tensor:
        sign: int | Tensor = 1
        for part in self.parts:
            sign = sign * part.sign
        return sign

    def _call(self, x: Tensor) -> Tensor:
        for part in self.parts:
            x = part(x)
        return x

    def _inverted(self, y: Tensor) -> Tensor:
        for part in reversed(self.parts):
            y = part.inv(y)
        return y

    def log_abs_det_jacobian(self, x: Tensor, y: Tensor) -> Tensor:
        total = zeros_like(x)
        for part in self.parts:
            after = part(x)
            total = total + part.log_abs_det_jacobian(x, after)
            x = after
        return total

    def __repr__(self) -> str:
        return "ComposeTransform(\n    " + ",\n    ".join(map(repr, self.parts)) + "\n)"
