"""C24: a vector output needs an upstream vector or a reduction."""

from __future__ import annotations

import pytest

from snippets import run
from tests.claims.programs import events, example, grad, ran, traced

START = "import torch\nx = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)\ny = x ** 2\n"


@pytest.mark.claim("C24")
def test_backward_without_an_argument_raises_on_a_vector() -> None:
    error = run(START + "y.backward()\n").error
    assert error == {
        "type": "RuntimeError",
        "message": "grad can be implicitly created only for scalar outputs",
        "line": 4,
    }


@pytest.mark.claim("C24")
@pytest.mark.parametrize("weights", [[1.0, 10.0, 100.0], [0.0, 1.0, 0.0], [1.0, 1.0, 1.0], [-2.0, 0.5, 4.0]])
def test_an_upstream_vector_weighs_the_outputs(weights: list[float]) -> None:
    result = ran(START + f"y.backward(torch.tensor({weights}))\n")
    (start,) = events(traced(result), "backward_start")
    assert start.seed == weights
    assert grad(result, "x") == [weight * 2 * x for weight, x in zip(weights, [1.0, 2.0, 3.0], strict=True)]


@pytest.mark.claim("C24")
def test_mean_gives_the_gradient_of_the_sum_divided_by_the_count() -> None:
    summed = grad(ran(START + "y.sum().backward()\n"), "x")
    averaged = grad(ran(START + "y.mean().backward()\n"), "x")
    assert summed == [2.0, 4.0, 6.0]
    assert averaged == pytest.approx([one / 3 for one in summed])


@pytest.mark.claim("C24")
def test_the_example_shows_the_error_then_the_three_ways() -> None:
    lines = ran(example("vector-output")).stdout.splitlines()
    assert lines[0] == "grad can be implicitly created only for scalar outputs"
    assert lines[1:] == [
        "upstream vector tensor([  2.,  40., 600.])",
        "sum  tensor([2., 4., 6.])",
        "mean tensor([0.6667, 1.3333, 2.0000])",
    ]
