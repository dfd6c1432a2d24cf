"""C17, C18: contributions of several uses are added."""

from __future__ import annotations

import pytest

from snippets import examples
from tests.claims.programs import events, example, grad, ran, traced
from tests.claims.walks import central_difference, contributions

ADD, OVERWRITE = "self.grad += incoming", "self.grad = incoming"


@pytest.mark.claim("C17")
@pytest.mark.parametrize("name", ["diamond", "quadratic"])
def test_the_ledger_reads_six_then_plus_two_then_eight(name: str) -> None:
    result = ran(example(name))
    arrivals = events(traced(result), "accumulate", "x")
    assert [(event.before, event.added, event.after) for event in arrivals] == [(None, 6.0, 6.0), (6.0, 2.0, 8.0)]
    assert grad(result, "x") == 8.0


@pytest.mark.claim("C17")
@pytest.mark.parametrize("x", [-1.0, 0.0, 0.5, 4.0])
def test_the_total_is_the_sum_over_both_paths(x: float) -> None:
    result = ran(example("diamond", x=x))
    through_left, through_right = (contributions(traced(result), "x", via)[0].value for via in ("left", "right"))
    assert (through_left, through_right) == (2 * x, 2.0)
    assert grad(result, "x") == through_left + through_right
    assert grad(result, "x") == pytest.approx(central_difference(lambda t: t**2 + 2 * t, x), abs=1e-6)


@pytest.mark.claim("C17")
def test_a_tensor_used_as_both_factors_receives_two_contributions() -> None:
    result = ran(
        "import torch\n"
        "a = torch.tensor(2.0, requires_grad=True)\n"
        "b = torch.tensor(3.0, requires_grad=True)\n"
        "y = (a + b) * (a * b)\n"
        "z = a * a\n"
        "y.backward()\n"
        "(z * 10).backward()\n"
    )
    first = [event for event in events(traced(result), "accumulate", "a") if event.pass_ == 1]
    second = [event for event in events(traced(result), "accumulate", "a") if event.pass_ == 2]
    assert sorted(event.added for event in first) == [6.0, 15.0]
    assert [event.added for event in second] == [20.0, 20.0]
    assert grad(result, "a") == 21.0 + 40.0
    assert grad(result, "b") == 16.0


@pytest.mark.claim("C18")
def test_the_adding_line_of_the_small_engine_runs_once_per_use() -> None:
    result = ran(example("minimal-engine"))
    at_x = [line.split() for line in result.stdout.splitlines() if line.split()[0] == "x"]
    assert at_x == [["x", "upstream", "6.0", "grad", "6.0"], ["x", "upstream", "2.0", "grad", "8.0"]]
    assert result.stdout.endswith("thirty lines: 8.0\nPyTorch: tensor(8.)\n")


@pytest.mark.claim("C18")
def test_overwriting_instead_of_adding_gives_two_or_six() -> None:
    source = examples.load("minimal-engine").source
    assert source.count(ADD) == 1

    overwriting = source.replace(ADD, OVERWRITE)
    assert ran(overwriting).stdout.endswith("thirty lines: 2.0\nPyTorch: tensor(8.)\n")

    square, product = "number ** 2", 'Number(2.0, name="two") * number'
    swapped = overwriting.replace(f"{square} + {product}", f"{product} + {square}")
    assert swapped != overwriting
    assert ran(swapped).stdout.endswith("thirty lines: 6.0\nPyTorch: tensor(8.)\n")
    assert ran(swapped.replace(OVERWRITE, ADD)).stdout.endswith("thirty lines: 8.0\nPyTorch: tensor(8.)\n")


@pytest.mark.claim("C18")
def test_the_small_engine_has_about_thirty_lines() -> None:
    engine = examples.load("minimal-engine").source.split("start = ")[0].split("class Number")[1]
    assert len([line for line in engine.splitlines() if line.strip()]) <= 30
