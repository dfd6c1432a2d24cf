"""C22, C23: the backward rule is a product with the Jacobian, never built; it undoes broadcasting by summing."""

from __future__ import annotations

import pytest

from tests.claims.programs import example, grad, ran, traced
from tests.claims.walks import contributions, value

A = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


@pytest.mark.claim("C22")
def test_the_rule_of_a_matrix_product_takes_two_numbers_to_three() -> None:
    result = ran(example("vjp"))
    (step,) = contributions(traced(result), "x", "y")
    by_hand = [sum(A[i][j] * upstream for i, upstream in enumerate([1.0, 10.0])) for j in range(3)]

    assert step.local["rule"]
    assert list(step.local["upstream_shape"]) == [2]
    assert list(step.local["shape"]) == [3]
    assert step.upstream == [1.0, 10.0]
    assert step.value == by_hand == [41.0, 52.0, 63.0]
    assert grad(result, "x") == by_hand


@pytest.mark.claim("C22")
def test_unit_upstreams_spell_out_the_jacobian_row_by_row() -> None:
    for i, unit in enumerate(["[1.0, 0.0]", "[0.0, 1.0]"]):
        result = ran(
            "import torch\n"
            f"A = torch.tensor({A})\n"
            "x = torch.tensor([1.0, 0.0, -1.0], requires_grad=True)\n"
            "y = A @ x\n"
            f"y.backward(torch.tensor({unit}))\n"
        )
        assert grad(result, "x") == A[i]


@pytest.mark.claim("C22")
def test_no_array_of_the_size_of_the_jacobian_comes_up() -> None:
    # The Jacobian of Y for W would have 64 * 64 x 64 * 64 entries (64 MB in float32); W has 64 * 64.
    result = ran(
        "import torch\n"
        "X = torch.full((64, 64), 0.5)\n"
        "W = torch.ones(64, 64, requires_grad=True)\n"
        "Y = X @ W\n"
        "Y.sum().backward()\n"
        "entries, jacobian = W.grad.numel(), Y.numel() * W.numel()\n"
        "corner = W.grad[0, 0].item()\n"
    )
    trace = traced(result)
    (step,) = contributions(trace, "W", "Y")
    assert step.value["shape"] == [64, 64]
    assert result.values["jacobian"] == result.values["entries"] ** 2 == 4096**2
    assert max(one.saved_bytes for one in trace.nodes) <= 2 * 64 * 64 * 4
    assert result.values["corner"] == pytest.approx(64 * 0.5)


@pytest.mark.claim("C23")
def test_the_gradient_of_a_bias_is_the_column_sums_of_the_upstream() -> None:
    result = ran(example("broadcast"))
    trace = traced(result)
    (to_out,) = contributions(trace, "square")
    (step,) = contributions(trace, "bias", "out")
    out = value(trace, "out")
    column_sums = [sum(2 * row[j] for row in out) for j in range(3)]

    assert to_out.value == [[1.0] * 3] * 4
    assert list(step.local["upstream_shape"]) == [4, 3]
    assert list(step.local["shape"]) == [3]
    assert step.value == pytest.approx(column_sums)
    assert grad(result, "bias") == pytest.approx([12.8, 6.6, 10.4], rel=1e-5)


@pytest.mark.claim("C23")
@pytest.mark.parametrize(
    ("shape", "expected"),
    [
        ("(4, 1)", [[6.0], [6.0], [6.0], [6.0]]),
        ("(1, 3)", [[4.0, 8.0, 12.0]]),
        ("(3,)", [4.0, 8.0, 12.0]),
        ("()", 24.0),
        ("(4, 3)", [[1.0, 2.0, 3.0]] * 4),
    ],
)
def test_the_sum_runs_over_just_the_axes_that_were_broadcast(shape: str, expected: object) -> None:
    result = ran(
        "import torch\n"
        f"b = torch.zeros({shape}, requires_grad=True)\n"
        "weights = torch.tensor([[1.0, 2.0, 3.0]] * 4)\n"
        "loss = ((torch.zeros(4, 3) + b) * weights).sum()\n"
        "loss.backward()\n"
    )
    assert grad(result, "b") == expected
