"""Slopes, Jacobians, broadcasting and upstream vectors, against calculus."""

from __future__ import annotations

import math

import pytest

from course.labs import broadcast, jacobian, modes, slopes, upstream


@pytest.mark.claim("C10")
@pytest.mark.parametrize(("name", "x", "slope"), [("cubic", 2.0, 12), ("quadratic", 2.0, 7), ("quadratic", -1.5, 0)])
def test_autograd_has_the_slope_of_calculus(name: str, x: float, slope: float) -> None:
    found = slopes.measure(name, x)
    assert found.autograd == found.formula == slope


@pytest.mark.claim("C09")
def test_errors_of_the_quotients_are_those_of_taylor_until_rounding_takes_over() -> None:
    found = slopes.measure("cubic", 2.0)
    one, two = found.errors(found.one_sided), found.errors(found.two_sided)
    for h, a, b in list(zip(slopes.STEPS, one, two, strict=True))[:4]:
        assert a == pytest.approx(6 * h + h * h, rel=1e-3)
        assert b == pytest.approx(h * h, rel=1e-3)
    assert slopes.STEPS[one.index(min(one))] == pytest.approx(1e-8)
    assert one[-1] > min(one)
    assert two[-1] > min(two)


@pytest.mark.claim("C20")
@pytest.mark.parametrize(("n", "m"), [(3, 2), (2, 4), (1, 1)])
def test_columns_and_rows_are_the_same_jacobian(n: int, m: int) -> None:
    found = modes.measure(n, m)
    assert (len(found.columns), len(found.rows)) == (n, m)
    for i in range(m):
        weights = [((3 * i + 5 * j) % 7 - 3) / 4 for j in range(n)]
        inner = sum(w * 0.1 * (j + 1) for j, w in enumerate(weights))
        for j in range(n):
            by_hand = (1 - math.tanh(inner) ** 2) * weights[j]
            assert found.rows[i][j] == pytest.approx(by_hand, abs=1e-6)
            assert found.columns[j][i] == pytest.approx(by_hand, abs=1e-6)


@pytest.mark.claim("C21")
def test_the_mode_with_fewer_passes_does_less_work() -> None:
    many_in, many_out = modes.measure(12, 1), modes.measure(1, 12)
    assert many_in.reverse_total < many_in.forward_total
    assert many_out.forward_total < many_out.reverse_total


@pytest.mark.claim("C21")
def test_the_large_case_follows_the_measured_line() -> None:
    found = modes.extrapolate()
    assert [forward for _, forward, _ in found.measured] == list(range(1, modes.LARGEST + 1))
    assert {reverse for _, _, reverse in found.measured} == {1}
    assert (found.forward, found.reverse) == (175_000_000, 1)


@pytest.mark.claim("C22")
@pytest.mark.parametrize(("rows", "n", "p"), [(10, 5, 2), (1, 3, 1), (2, 2, 6)])
def test_the_jacobian_has_rows_times_p_times_n_times_p_entries(rows: int, n: int, p: int) -> None:
    found = jacobian.measure(rows, n, p)
    assert found.jacobian_entries == rows * p * n * p
    assert found.jacobian_bytes == 4 * found.jacobian_entries
    assert found.computed_entries == n * p
    for one, other in zip(found.gradient, found.by_jacobian, strict=True):
        assert one == pytest.approx(other)


@pytest.mark.claim("C23")
@pytest.mark.parametrize("rows", [1, 4, 8])
def test_the_bias_gets_the_column_sums(rows: int) -> None:
    assert broadcast.measure(rows, squared=False).grad == [rows] * 3
    found = broadcast.measure(rows, squared=True)
    assert found.grad == pytest.approx([sum(row[j] for row in found.upstream) for j in range(3)], rel=1e-5)


@pytest.mark.claim("C24")
def test_the_upstream_vector_scales_entry_by_entry() -> None:
    assert upstream.measure("vector", (1.0, 10.0, 100.0)).grad == (2, 40, 600)
    assert upstream.measure("sum").grad == (2, 4, 6)
    assert upstream.measure("mean").grad == pytest.approx((2 / 3, 4 / 3, 2))
    refused = upstream.measure("none")
    assert refused.grad is None
    assert "grad can be implicitly created only for scalar outputs" in str(refused.error)
