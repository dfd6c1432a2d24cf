"""C09, C10: a gradient is a number of one run, and hand calculus agrees with it."""

from __future__ import annotations

import pytest

from tests.claims.programs import events, example, grad, ran, traced
from tests.claims.walks import central_difference


@pytest.mark.claim("C09")
@pytest.mark.parametrize("step", [0.5, 0.1, 0.01, 0.0001])
def test_the_difference_depends_on_its_step_and_autograd_does_not(step: float) -> None:
    result = ran(example("numbers-not-symbols", step=step))
    # ((x + h)² + 3 (x + h) - x² - 3x) / h = 2x + 3 + h
    assert result.values["difference"] == pytest.approx(7.0 + step, abs=1e-9)
    assert grad(result, "x") == 7.0
    assert result.values["by_hand"] == 7.0


@pytest.mark.claim("C09")
@pytest.mark.parametrize("x", [-1.5, 0.0, 2.0, 3.25])
def test_engine_central_difference_and_formula_agree_on_a_cubic(x: float) -> None:
    result = ran(
        "import torch\n"
        f"x = torch.tensor({x}, dtype=torch.float64, requires_grad=True)\n"
        "y = x ** 3 - 2 * x\n"
        "y.backward()\n"
    )
    assert grad(result, "x") == pytest.approx(3 * x**2 - 2, abs=1e-12)
    for step in (0.1, 0.01):  # the two-sided quotient of a cubic is too large by step²
        estimate = central_difference(lambda t: t**3 - 2 * t, x, step)
        assert estimate - grad(result, "x") == pytest.approx(step**2, rel=1e-6)


@pytest.mark.claim("C09")
def test_the_walk_consists_of_numbers() -> None:
    trace = traced(ran(example("square-plus-3x")))
    for event in [*events(trace, "contribute"), *events(trace, "visit")]:
        assert isinstance(event.upstream, float)
    assert all(isinstance(event.local, float | int) for event in events(trace, "contribute"))


@pytest.mark.claim("C10")
@pytest.mark.parametrize("x", [2.0, -4.0, 0.5, 10.0])
def test_hand_calculus_on_the_small_function(x: float) -> None:
    assert grad(ran(example("square-plus-3x", x=x)), "x") == pytest.approx(2 * x + 3)


@pytest.mark.claim("C10")
def test_at_two_the_slope_is_seven() -> None:
    result = ran(example("square-plus-3x"))
    assert grad(result, "x") == 7.0
    assert result.stdout.endswith("tensor(7.)\n")


@pytest.mark.claim("C10")
def test_gradcheck_confirms_the_engine_inside_a_snippet() -> None:
    result = ran(
        "import torch\n"
        "x = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)\n"
        "ok = torch.autograd.gradcheck(lambda t: t ** 2 + 3 * t, (x,))\n"
    )
    assert result.values["ok"] is True
