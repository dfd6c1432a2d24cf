"""The parametrizations that come ready: by length and direction, and by the largest singular value."""

from __future__ import annotations

from typing import Any

from autograd.mode import no_grad
from autograd.nn import functional as F
from autograd.nn.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from autograd.nn.module import Module
from autograd.nn.normed_weights import _weight_norm, norm_except_dim
from autograd.nn.parametrize import register_parametrization
from autograd.tensor import Tensor


class _WeightNorm(Module):
    def __init__(self, dim: int | None = 0) -> None:
        super().__init__()
        self.dim = -1 if dim is None else dim

    def forward(self, weight_g: Tensor, weight_v: Tensor) -> Tensor:
        return _weight_norm(weight_v, weight_g, self.dim)  # type: ignore[no-any-return]

    def right_inverse(self, weight: Tensor) -> tuple[Tensor, Tensor]:
        """Length and direction of ``weight``."""
        return norm_except_dim(weight, 2, self.dim), weight


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """``name`` as g · v / ‖v‖, learnt as ``original0`` (g) and ``original1`` (v)."""
    return register_parametrization(module, name, _WeightNorm(dim), unsafe=True)


class _SpectralNorm(Module):
    _u: Tensor
    _v: Tensor

    def __init__(self, weight: Tensor, n_power_iterations: int = 1, dim: int = 0, eps: float = 1e-12) -> None:
        super().__init__()
        if not -weight.ndim <= dim < weight.ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [-{weight.ndim}, {weight.ndim - 1}] but got {dim})"
            )
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.dim = dim % weight.ndim
        self.eps = eps
        if weight.ndim > 1:
            self.n_power_iterations = n_power_iterations
            with no_grad():
                matrix = self._as_matrix(weight)
                for name, count in zip(("_u", "_v"), matrix.shape, strict=True):
                    self.register_buffer(name, self._normal(weight.new_empty(count).normal_(0, 1)))
                self._follow(matrix, 15)

    def _as_matrix(self, weight: Tensor) -> Tensor:
        return weight.movedim(self.dim, 0).flatten(1)  # type: ignore[no-any-return]

    def _normal(self, vector: Tensor) -> Tensor:
        return F.normalize(vector, dim=0, eps=self.eps)

    def _follow(self, matrix: Tensor, rounds: int) -> None:
        with no_grad():
            for _ in range(rounds):
                self._u.copy_(self._normal(matrix.mv(self._v)))
                self._v.copy_(self._normal(matrix.t().mv(self._u)))

    def forward(self, weight: Tensor) -> Tensor:
        if weight.ndim == 1:
            return self._normal(weight)
        matrix = self._as_matrix(weight)
        if self.training:
            self._follow(matrix, self.n_power_iterations)
        u, v = self._u.clone(), self._v.clone()
        return weight / u.dot(matrix.mv(v))  # type: ignore[no-any-return]

    def right_inverse(self, value: Tensor) -> Tensor:
        """``value``, which may well have another norm."""
        return value


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """``name`` over its largest singular value, which power iteration follows while training.

    The weight counts as a matrix with dimension ``dim`` as rows (1 for transposed convolutions, else 0). ValueError if
    there is no such tensor.
    """
    weight = getattr(module, name, None)
    if not isinstance(weight, Tensor):
        raise ValueError(f"Module '{module}' has no parameter or buffer with name '{name}'")
    if dim is None:
        dim = 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0
    return register_parametrization(module, name, _SpectralNorm(weight, n_power_iterations, dim, eps))
