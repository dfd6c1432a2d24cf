"""Weights that are computed before every forward from the parameters that are learnt in their place.

``weight_norm``: w = g · v / ‖v‖, the length and the direction apart (Salimans and Kingma, arXiv:1602.07868).
``spectral_norm``: w over its largest singular value, which one step of power iteration a forward follows (Miyato and
others, arXiv:1802.05957).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from autograd.mode import no_grad
from autograd.nn import functional as F
from autograd.nn.conv import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
from autograd.nn.module import Module
from autograd.nn.parameter import Parameter
from autograd.ops.aten import private
from autograd.ops.table import FUNCTIONS, op
from autograd.tensor import Tensor


def norm_except_dim(v: Tensor, pow: int = 2, dim: int = 0) -> Tensor:
    """The norm over all dimensions but ``dim``, which stay with size 1; over all of them where ``dim`` is -1."""
    if dim == -1:
        return v.norm(pow)  # type: ignore[no-any-return]
    rest = [d for d in range(v.ndim) if d != dim]
    return v.norm(pow, rest, keepdim=True) if rest else v.abs()  # type: ignore[no-any-return]


def _norms(v: Any, dim: int) -> Any:
    return np.sqrt((v * v).sum(axis=tuple(d for d in range(v.ndim) if d != dim), keepdims=True))


def _normed(v: Any, g: Any, dim: int) -> tuple[Any, Any]:
    norms = _norms(v, dim)
    return v * (g / norms), norms


def _normed_rule(grad: Any, m: Any, v: Any, g: Any, norms: Any, dim: int) -> tuple[Any, Any]:
    """The norms count as constants where the rule itself is differentiated: so PyTorch 2.13 does it."""
    grad = grad[0]
    along = m.sum(grad * v, tuple(d for d in range(len(v.shape)) if d != dim), True)
    return g / norms * (grad - v * (along / (norms * norms))), along / norms


#: g · v / ‖v‖ for the first or the last dimension
normed = op(
    "weight_norm", "WeightNormInterfaceBackward0", _normed, inputs="v g", outputs="result norms", nondiff="norms",
    vjp={"v g": _normed_rule}, rule={"v": "{g}/‖{v}‖·(g - {v}·Σ g·{v}/‖{v}‖²)", "g": "Σ g·{v}/‖{v}‖"},
    symbol="{g} · {v} / ‖{v}‖", method=False, public=False,
)  # fmt: skip


@private
def _weight_norm(v: Tensor, g: Tensor, dim: int = 0) -> Tensor:
    """g · v / ‖v‖; one step for the first and the last dimension, as in PyTorch."""
    if dim in (0, v.ndim - 1):
        return normed.function(v, g, dim)[0]  # type: ignore[no-any-return]
    return v * (g / norm_except_dim(v, 2, dim))


FUNCTIONS["norm_except_dim"] = norm_except_dim


class WeightNorm:
    """The hook that puts g · v / ‖v‖ in the place of a parameter."""

    def __init__(self, name: str, dim: int | None) -> None:
        self.name = name
        self.dim = -1 if dim is None else dim

    def compute_weight(self, module: Any) -> Tensor:
        """The weight of the present g and v."""
        return _weight_norm(getattr(module, f"{self.name}_v"), getattr(module, f"{self.name}_g"), self.dim)  # type: ignore[no-any-return]

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module))

    def remove(self, module: Any) -> None:
        """The weight is a parameter again."""
        weight = self.compute_weight(module)
        delattr(module, self.name)
        del module._parameters[f"{self.name}_g"]
        del module._parameters[f"{self.name}_v"]
        setattr(module, self.name, Parameter(weight.data))


class SpectralNorm:
    """The hook that puts a weight over its largest singular value in the place of a parameter."""

    def __init__(self, name: str, n_power_iterations: int, dim: int, eps: float) -> None:
        if n_power_iterations <= 0:
            raise ValueError(
                f"Expected n_power_iterations to be positive, but got n_power_iterations={n_power_iterations}"
            )
        self.name = name
        self.n_power_iterations = n_power_iterations
        self.dim = dim
        self.eps = eps

    def as_matrix(self, weight: Tensor) -> Tensor:
        """``weight`` with dimension ``dim`` as rows."""
        if self.dim:
            weight = weight.permute(self.dim, *(d for d in range(weight.ndim) if d != self.dim))
        return weight.reshape(weight.size(0), -1)  # type: ignore[no-any-return]

    def normal(self, vector: Tensor) -> Tensor:
        """``vector`` with length 1."""
        return F.normalize(vector, dim=0, eps=self.eps)

    def compute_weight(self, module: Any, do_power_iteration: bool) -> Tensor:
        """The weight over uᵀ W v; u and v follow the weight in place if asked."""
        weight, u, v = (getattr(module, self.name + suffix) for suffix in ("_orig", "_u", "_v"))
        matrix = self.as_matrix(weight)
        if do_power_iteration:
            with no_grad():
                for _ in range(self.n_power_iterations):
                    v.copy_(self.normal(matrix.t().mv(u)))
                    u.copy_(self.normal(matrix.mv(v)))
                u, v = u.clone(), v.clone()  # two forwards, then backward: the first must find its own
        return weight / u.dot(matrix.mv(v))  # type: ignore[no-any-return]

    def __call__(self, module: Any, inputs: Any) -> None:
        setattr(module, self.name, self.compute_weight(module, module.training))

    def remove(self, module: Any) -> None:
        """The weight, normed, is a parameter again."""
        with no_grad():
            weight = self.compute_weight(module, False)
        for suffix in ("", "_u", "_v", "_orig"):
            delattr(module, self.name + suffix)
        module.register_parameter(self.name, Parameter(weight.detach()))


def _only_one(module: Any, kind: Any, name: str, word: str) -> None:
    if any(isinstance(hook, kind) and hook.name == name for hook in module._forward_pre_hooks.values()):
        raise RuntimeError(f"Cannot register two {word} hooks on the same parameter {name}")


def weight_norm(module: Any, name: str = "weight", dim: int | None = 0) -> Any:
    """Learns ``name_g`` and ``name_v`` instead of ``name``: the norm over all dimensions but ``dim``, the direction.

    RuntimeError if that is done already.
    """
    warnings.warn(
        "`torch.nn.utils.weight_norm` is deprecated in favor of `torch.nn.utils.parametrizations.weight_norm`.",
        FutureWarning,
        stacklevel=2,
    )
    _only_one(module, WeightNorm, name, "weight_norm")
    hook = WeightNorm(name, dim)
    weight = getattr(module, name)
    del module._parameters[name]
    module.register_parameter(f"{name}_g", Parameter(norm_except_dim(weight, 2, hook.dim).data))
    module.register_parameter(f"{name}_v", Parameter(weight.data))
    setattr(module, name, hook.compute_weight(module))
    module.register_forward_pre_hook(hook)
    return module


def spectral_norm(
    module: Any, name: str = "weight", n_power_iterations: int = 1, eps: float = 1e-12, dim: int | None = None
) -> Any:
    """Divides ``name`` by its largest singular value before every forward; ``name_orig`` is what is learnt.

    The weight counts as a matrix with dimension ``dim`` as rows (1 for transposed convolutions, else 0). Raises
    RuntimeError if that is done already, ValueError for a parameter that is None.
    """
    if dim is None:
        dim = 1 if isinstance(module, (ConvTranspose1d, ConvTranspose2d, ConvTranspose3d)) else 0
    _only_one(module, SpectralNorm, name, "spectral_norm")
    hook = SpectralNorm(name, n_power_iterations, dim, eps)
    weight = module._parameters[name]
    if weight is None:
        raise ValueError(f"`SpectralNorm` cannot be applied as parameter `{name}` is None")
    with no_grad():
        height, width = hook.as_matrix(weight).shape
        u, v = (hook.normal(weight.new_empty(count).normal_(0, 1)) for count in (height, width))
    delattr(module, name)
    module.register_parameter(f"{name}_orig", weight)
    setattr(module, name, weight.data)
    module.register_buffer(f"{name}_u", u)
    module.register_buffer(f"{name}_v", v)
    module.register_forward_pre_hook(hook)
    return module


def _remove(kind: Any, word: str, module: Any, name: str) -> Any:
    for key, hook in module._forward_pre_hooks.items():
        if isinstance(hook, kind) and hook.name == name:
            hook.remove(module)
            del module._forward_pre_hooks[key]
            return module
    raise ValueError(f"{word} of '{name}' not found in {module}")


def remove_weight_norm(module: Module, name: str = "weight") -> Any:
    """Undoes :func:`weight_norm`; ValueError if there is none."""
    return _remove(WeightNorm, "weight_norm", module, name)


def remove_spectral_norm(module: Module, name: str = "weight") -> Any:
    """Undoes :func:`spectral_norm`, and keeps the weight as it is then; ValueError if there is none."""
    return _remove(SpectralNorm, "spectral_norm", module, name)
