"""Draws follow their distribution, and gradients get through them where they should.

Densities, entropies, divergences, printed forms and errors are facts (``facts/distributions.txt``).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from autograd.distributions.gamma import implicit_slope
from snippets.torch_api import torch

D = torch.distributions
DRAWS = 20_000

DISTRIBUTIONS = {
    "normal": D.Normal(1.0, 2.0),
    "laplace": D.Laplace(1.0, 2.0),
    "gumbel": D.Gumbel(1.0, 2.0),
    "uniform": D.Uniform(-1.0, 3.0),
    "exponential": D.Exponential(0.5),
    "half-normal": D.HalfNormal(2.0),
    "log-normal": D.LogNormal(0.0, 0.5),
    "student": D.StudentT(8.0, 1.0, 2.0),
    "gamma": D.Gamma(2.5, 0.5),
    "chi-squared": D.Chi2(3.0),
    "beta": D.Beta(2.0, 3.0),
    "dirichlet": D.Dirichlet(torch.tensor([1.0, 2.0, 5.0])),
    "bernoulli": D.Bernoulli(0.3),
    "geometric": D.Geometric(0.3),
    "binomial": D.Binomial(5, torch.tensor(0.3)),
    "poisson": D.Poisson(3.0),
    "one-hot": D.OneHotCategorical(torch.tensor([1.0, 2.0, 5.0])),
    "multivariate": D.MultivariateNormal(torch.tensor([0.0, 1.0]), torch.tensor([[2.0, 0.5], [0.5, 1.0]])),
    "independent": D.Independent(D.Normal(torch.zeros(2), 1.5), 1),
    "mixture": D.MixtureSameFamily(
        D.Categorical(torch.tensor([1.0, 3.0])), D.Normal(torch.tensor([-2.0, 2.0]), torch.tensor([0.5, 1.0]))
    ),
}


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_draws_have_the_mean_and_the_variance(name: str) -> None:
    torch.manual_seed(0)
    d = DISTRIBUTIONS[name]
    x = d.sample((DRAWS,)).numpy()
    spread = np.sqrt(d.variance.numpy())
    assert np.all(np.abs(x.mean(0) - d.mean.numpy()) < 5 * spread / np.sqrt(DRAWS))
    assert np.allclose(x.var(0), d.variance.numpy(), rtol=0.15)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_minus_the_mean_log_prob_of_draws_is_the_entropy(name: str) -> None:
    d = DISTRIBUTIONS[name]
    if isinstance(d, D.MixtureSameFamily) or name == "poisson":  # these have no closed form
        with pytest.raises(NotImplementedError):
            d.entropy()
        return
    torch.manual_seed(1)
    minus = -d.log_prob(d.sample((DRAWS,))).numpy()
    assert abs(minus.mean() - float(d.entropy())) < 5 * minus.std() / np.sqrt(DRAWS) + 1e-4


def test_categorical_draws_are_as_frequent_as_they_should() -> None:
    torch.manual_seed(0)
    probs = torch.tensor([[0.1, 0.0, 0.9], [0.3, 0.3, 0.4]])
    drawn = D.Categorical(probs).sample((DRAWS,)).numpy()
    for row in range(2):
        frequency = np.bincount(drawn[:, row], minlength=3) / DRAWS
        assert np.abs(frequency - probs[row].numpy()).max() < 0.02
    assert not (drawn[:, 0] == 1).any()


def test_the_same_seed_draws_the_same() -> None:
    def drawn() -> list[Any]:
        torch.manual_seed(3)
        return [d.sample().tolist() for d in DISTRIBUTIONS.values()]

    assert drawn() == drawn()


def test_a_sample_has_no_history_and_an_rsample_has_one() -> None:
    mean = torch.tensor(1.0, requires_grad=True)
    spread = torch.tensor(2.0, requires_grad=True)
    assert not D.Normal(mean, spread).sample().requires_grad
    x = D.Normal(mean, spread).rsample()
    x.backward()
    assert mean.grad.item() == 1
    assert spread.grad.item() == pytest.approx((x.item() - 1) / 2, rel=1e-5)


def test_the_gradient_through_a_gamma_draw_is_as_in_pytorch() -> None:
    a = np.array([0.1, 0.5, 1.0, 3.0, 20.0, 200.0])
    x = np.array([0.01, 0.3, 2.0, 2.5, 25.0, 180.0])
    # torch._standard_gamma_grad of PyTorch 2.13, which approximates to about four digits
    want = [0.4227934381, 1.0098019827, 1.6317225956, 0.9633531097, 1.1250644101, 0.9491228739]
    assert implicit_slope(a, x) == pytest.approx(want, rel=2e-4)


def test_gradients_through_draws_are_those_of_the_mean() -> None:
    torch.manual_seed(0)
    a = torch.tensor(2.0, requires_grad=True)
    rate = torch.tensor(0.5, requires_grad=True)
    D.Gamma(a, rate).rsample((DRAWS,)).mean().backward()
    # the mean is a / rate
    assert a.grad.item() == pytest.approx(2.0, rel=0.05)
    assert rate.grad.item() == pytest.approx(-8.0, rel=0.05)
    one = torch.tensor(2.0, requires_grad=True)
    D.Beta(one, 3.0).rsample((DRAWS,)).mean().backward()
    # the mean is a / (a + b)
    assert one.grad.item() == pytest.approx(3 / 25, rel=0.05)


def test_the_straight_through_draw_passes_the_gradient_of_the_probabilities() -> None:
    torch.manual_seed(0)
    logits = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
    weight = torch.tensor([1.0, 2.0, 4.0])
    x = D.OneHotCategoricalStraightThrough(logits=logits).rsample()
    assert sorted(x.tolist()) == pytest.approx([0, 0, 1])
    (x * weight).sum().backward()
    other = torch.tensor([0.0, 1.0, 2.0], requires_grad=True)
    (other.softmax(0) * weight).sum().backward()
    assert np.allclose(logits.grad.numpy(), other.grad.numpy())


def test_a_policy_learns_by_the_score_of_what_it_drew() -> None:
    torch.manual_seed(0)
    logits = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.SGD([logits], lr=0.5)
    reward = torch.tensor([0.0, 1.0, 0.2])
    for _ in range(100):
        policy = D.Categorical(logits=logits)
        action = policy.sample((16,))
        loss = -(policy.log_prob(action) * (reward[action] - 0.4)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert logits.softmax(0)[1].item() > 0.95


def test_a_divergence_is_the_mean_difference_of_the_log_probs() -> None:
    torch.manual_seed(0)
    for p, q in (
        (D.Normal(0.0, 1.0), D.Normal(1.0, 2.0)),
        (D.Gumbel(0.0, 1.0), D.Gumbel(1.0, 2.0)),
        (D.Gamma(2.0, 1.0), D.Gamma(3.0, 2.0)),
        (D.Beta(2.0, 3.0), D.Beta(1.0, 1.5)),
        (D.Poisson(2.0), D.Poisson(3.0)),
        (D.Uniform(0.0, 1.0), D.Normal(0.0, 1.0)),
    ):
        x = p.sample((DRAWS,))
        gaps = (p.log_prob(x) - q.log_prob(x)).numpy()
        assert abs(gaps.mean() - float(D.kl_divergence(p, q))) < 5 * gaps.std() / np.sqrt(DRAWS)


def test_a_squashed_draw_inverts_exactly_when_it_is_remembered() -> None:
    torch.manual_seed(0)
    squash = D.TanhTransform(cache_size=1)
    d = D.TransformedDistribution(D.Normal(torch.full((5,), 20.0), 1.0), [squash])
    x = d.rsample()
    assert torch.isfinite(d.log_prob(x)).all()
