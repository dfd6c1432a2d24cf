"""C11: each operation knows the derivative of itself with respect to each input."""

from __future__ import annotations

import math

import pytest

from tests.claims.programs import example, ran, traced
from tests.claims.walks import central_difference, contributions, node


@pytest.mark.claim("C11")
@pytest.mark.parametrize(("x", "w"), [(3.0, 2.0), (-1.0, 2.0), (0.5, -4.0)])
def test_every_edge_of_the_example_has_its_own_rule_and_number(x: float, w: float) -> None:
    trace = traced(ran(example("local-derivative", x=x, w=w)))
    expected = {("x", "u"): 2 * x, ("u", "v"): w, ("w", "v"): x**2, ("v", "y"): 1.0}
    for (source, giver), local in expected.items():
        (step,) = contributions(trace, source, giver)
        assert step.local == pytest.approx(local), (source, giver)
        assert step.rule


@pytest.mark.claim("C11")
def test_the_rule_of_the_square_is_two_x_and_six_at_three() -> None:
    trace = traced(ran(example("local-derivative")))
    (step,) = contributions(trace, "x", "u")
    assert "2" in step.rule
    assert "x" in step.rule
    assert step.local == 6.0
    assert node(trace, "u").grad_fn == "PowBackward0"


def sigmoid(t: float) -> float:
    return 1 / (1 + math.exp(-t))


@pytest.mark.claim("C11")
@pytest.mark.parametrize(
    ("expression", "function"),
    [
        ("torch.exp(x)", math.exp),
        ("torch.log(x)", math.log),
        ("torch.tanh(x)", math.tanh),
        ("torch.sigmoid(x)", sigmoid),
        ("torch.sqrt(x)", math.sqrt),
        ("1 / x", lambda t: 1 / t),
        ("x ** 4", lambda t: t**4),
        ("-x", lambda t: -t),
        ("5 - x", lambda t: 5 - t),
    ],
)
def test_the_local_derivative_is_the_slope_of_that_one_operation(expression: str, function: object) -> None:
    assert callable(function)
    trace = traced(
        ran(
            "import torch\n"
            "x = torch.tensor(0.7, dtype=torch.float64, requires_grad=True)\n"
            f"u = {expression}\n"
            "y = 100 * u\n"
            "y.backward()\n"
        )
    )
    (step,) = contributions(trace, "x")
    assert step.local == pytest.approx(central_difference(function, 0.7), rel=1e-6)
    assert step.upstream == 100.0  # what follows the operation is not its business
