"""C19: only the path that ran is on record."""

from __future__ import annotations

import pytest

from tests.claims.programs import example, grad, ran, traced


def by_hand(x: float, rounds: int) -> tuple[list[str], float, float]:
    """The operations, value and slope of the example's program, by the product rule in plain Python."""
    y, slope, operations = x, 1.0, []
    for _ in range(rounds):
        if y > 5:
            y, operations = y - 3, [*operations, "SubBackward0"]
        else:
            y, slope, operations = y * x, slope * x + y, [*operations, "MulBackward0"]
    return operations, y, slope


@pytest.mark.claim("C19")
@pytest.mark.parametrize(("x", "rounds"), [(2.0, 3), (1.0, 3), (3.0, 3), (2.0, 5), (-1.5, 4), (6.0, 2), (2.0, 1)])
def test_the_graph_of_the_loop_is_the_path_of_this_run(x: float, rounds: int) -> None:
    result = ran(example("define-by-run", x=x, rounds=rounds))
    operations, value, slope = by_hand(x, rounds)

    recorded = [one.grad_fn for one in traced(result).nodes if one.kind == "op" and one.recorded]
    assert recorded == operations
    assert result.values["y"]["data"] == pytest.approx(value, rel=1e-6)
    assert grad(result, "x") == pytest.approx(slope, rel=1e-6)


@pytest.mark.claim("C19")
def test_the_comparison_carries_no_gradient() -> None:
    trace = traced(ran(example("define-by-run")))
    comparisons = [one for one in trace.nodes if one.op == "gt"]
    assert len(comparisons) == 3
    assert not any(one.recorded or one.requires_grad for one in comparisons)
    assert not any(edge.recorded for edge in trace.edges if edge.dst in {one.id for one in comparisons})


@pytest.mark.claim("C19")
@pytest.mark.parametrize(
    ("temperature", "operations", "slope"),
    [(0.8, ["SubBackward0", "PowBackward0"], 2 * (1.5 - 1)), (0.2, ["MulBackward0"], 4.0)],
)
def test_an_if_records_the_branch_it_took(temperature: float, operations: list[str], slope: float) -> None:
    result = ran(example("branch", temperature=temperature))
    assert [one.grad_fn for one in traced(result).nodes if one.kind == "op"] == operations
    assert grad(result, "x") == pytest.approx(slope)
