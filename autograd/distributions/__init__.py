"""Probability distributions, under the names of ``torch.distributions``.

Values can be drawn without history (``sample``) or through the parameters (``rsample``, the reparameterization);
``log_prob`` is differentiable in the parameters. What PyTorch has besides these is listed in
:mod:`autograd.unsupported`.
"""

from autograd.distributions import constraints
from autograd.distributions.continuous import Cauchy, Exponential, Gumbel, HalfNormal, Laplace, Normal, Uniform
from autograd.distributions.discrete import (
    Bernoulli,
    Binomial,
    Categorical,
    Geometric,
    OneHotCategorical,
    OneHotCategoricalStraightThrough,
    Poisson,
)
from autograd.distributions.distribution import Distribution
from autograd.distributions.gamma import Beta, Chi2, Dirichlet, Gamma, StudentT
from autograd.distributions.joint import Independent, MixtureSameFamily, MultivariateNormal
from autograd.distributions.kl import kl_divergence, register_kl
from autograd.distributions.transformed import LogNormal, TransformedDistribution
from autograd.distributions.transforms import (
    AffineTransform,
    ComposeTransform,
    ExpTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
    Transform,
)

__all__ = [
    "AffineTransform", "Bernoulli", "Beta", "Binomial", "Categorical", "Cauchy", "Chi2", "ComposeTransform",
    "Dirichlet", "Distribution", "ExpTransform", "Exponential", "Gamma", "Geometric", "Gumbel", "HalfNormal",
    "Independent", "Laplace", "LogNormal", "MixtureSameFamily", "MultivariateNormal", "Normal", "OneHotCategorical",
    "OneHotCategoricalStraightThrough", "Poisson", "SigmoidTransform", "SoftplusTransform", "StudentT",
    "TanhTransform", "Transform", "TransformedDistribution", "Uniform", "constraints", "kl_divergence", "register_kl",
]  # fmt: skip

#: which of the names each module of ``torch.distributions`` has
MODULES = {
    "bernoulli": "Bernoulli", "beta": "Beta", "binomial": "Binomial", "categorical": "Categorical", "cauchy": "Cauchy",
    "chi2": "Chi2", "dirichlet": "Dirichlet", "distribution": "Distribution", "exponential": "Exponential",
    "gamma": "Gamma", "geometric": "Geometric", "gumbel": "Gumbel", "half_normal": "HalfNormal",
    "independent": "Independent", "kl": "kl_divergence register_kl", "laplace": "Laplace", "log_normal": "LogNormal",
    "mixture_same_family": "MixtureSameFamily", "multivariate_normal": "MultivariateNormal", "normal": "Normal",
    "one_hot_categorical": "OneHotCategorical OneHotCategoricalStraightThrough", "poisson": "Poisson",
    "studentT": "StudentT",
    "transformed_distribution": "TransformedDistribution",
    "transforms": "AffineTransform ComposeTransform ExpTransform SigmoidTransform SoftplusTransform TanhTransform "
    "Transform",
    "uniform": "Uniform",
}  # fmt: skip

for _module, _names in MODULES.items():
    for _name in _names.split():  # so that a class prints as PyTorch's does
        globals()[_name].__module__ = f"torch.distributions.{_module}"
