"""Words: plain, correct, with the numbers; and how numbers and expressions are written."""

from __future__ import annotations

import pytest

from autograd import narrate, notation
from autograd.frames import frames
from autograd.trace import Accumulate, BackwardStart, Contribute, LeafGrad, Step, TraceNode, ZeroGrad
from tests.autograd import sketch

X = sketch.quadratic().nodes[0]
U = sketch.quadratic().nodes[1]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3.0, "3"),
        (-0.5, "-0.5"),
        (1 / 3, "0.33333"),
        (1.5e-8, "1.5e-8"),
        (123456.7, "1.2346e5"),
        (16, "16"),
        (True, "True"),
        ("nan", "nan"),
        (float("inf"), "inf"),
        (-0.0, "0"),
        (10**12, "1.0000e+12"),
    ],
)
def test_numbers(value: object, text: str) -> None:
    assert notation.number(value) == text  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("x ** 2", "x²"),
        ("2 * x", "2·x"),
        ("x**-1 * y", "x⁻¹·y"),
        ("x ** 2.5", "x ** 2.5"),
        ("x ** n", "x ** n"),
        ("a @ b", "a @ b"),
        ("f(x,\n   y)", "f(x, y)"),
        ("torch.exp(" + "a" * 40 + ")", "torch.exp(aaaaaaaaaaaaaaa…"),
    ],
)
def test_expressions(code: str, text: str) -> None:
    assert notation.expression(code) == text


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("6", "6"),
        ("-6", "(-6)"),
        ("2·x", "2·x"),
        ("1 - y²", "(1 - y²)"),
        ("exp(a + b)", "exp(a + b)"),
        ("1e-5", "1e-5"),
    ],
)
def test_factors(text: str, written: str) -> None:
    assert notation.factor(text) == written


def test_short_values_fit_their_place() -> None:
    assert notation.short(None) == "–"
    assert notation.short([1.0, 2.0, 3.0]) == "[1, 2, 3]"
    assert notation.short([[0.123456, 5.0], [1.0, 2.0]]) == "2×2 ‖5.48‖"
    assert notation.short([1.0, "nan"] * 20) == "40 nan"
    assert notation.short([]) == "[]"


def test_shapes() -> None:
    assert notation.shape_of([[1.0, 2.0, 3.0]]) == (1, 3)
    assert notation.shape_of(2.0) == ()
    assert notation.shape_of({"shape": [4, 5]}) == (4, 5)
    assert notation.shape((2, 3)) == "2×3"
    assert notation.shape(()) == "scalar"


def test_a_contribution_with_symbol_and_numbers() -> None:
    event = Contribute(0, 7, 1, "e0", 1.0, 6.0, 6.0, "2 * x")
    assert narrate.contribute(event, U, X) == "u passes 1 × 2·x = 1 × 6 = 6 to x."


def test_a_contribution_with_negative_numbers() -> None:
    event = Contribute(0, 7, 1, "e0", -2.0, -6.0, 12.0, "-2 * x")
    assert narrate.contribute(event, U, X) == "u passes -2 × (-2·x) = -2 × (-6) = 12 to x."


def test_a_contribution_whose_rule_is_its_number() -> None:
    event = Contribute(0, 7, 1, "e0", 1.0, 2.0, 2.0, "2")
    assert narrate.contribute(event, U, X) == "u passes 1 × 2 = 2 to x."


def test_an_array_contribution_names_rule_and_shapes() -> None:
    local = {"rule": "g @ Wᵀ", "upstream_shape": [2, 3], "shape": [2, 4]}
    event = Contribute(0, 7, 1, "e0", [[1.0]], local, [[1.0, 2.0]], "g @ Wᵀ")
    assert narrate.contribute(event, U, X) == (
        "u passes the gradient (2×3 in, 2×4 out) on to x by its rule g @ Wᵀ: [[1, 2]]."
    )


def test_arrivals() -> None:
    assert narrate.accumulate(Accumulate(0, 1, 1, "n0", None, 5.0, 5.0, 0), X, 1, 1) == ""
    assert narrate.accumulate(Accumulate(0, 1, 1, "n0", None, 6.0, 6.0, 2), X, 1, 3) == (
        "It is the first of 3 contributions to x. 2 more are to come."
    )
    assert narrate.accumulate(Accumulate(0, 1, 1, "n0", 6.0, -2.0, 4.0, 1), X, 2, 3) == (
        "x already holds 6, so it now holds 6 + (-2) = 4. One more is to come."
    )


def test_starts() -> None:
    assert narrate.backward_start(BackwardStart(0, 1, 1, "n1", 1.0, True), U) == (
        "Backward pass 1 starts at u with ∂u/∂u = 1. retain_graph keeps the graph for another pass."
    )
    assert narrate.backward_start(BackwardStart(0, 1, 2, "n1", [1.0, 2.0], False), U) == (
        "Backward pass 2 starts at u with the given gradient [1, 2]."
    )


def test_gradients_that_land() -> None:
    assert narrate.leaf_grad(LeafGrad(0, 1, 1, "n0", None, 8.0, 8.0), X) == (
        "x is a leaf and its gradient is complete: x.grad = 8."
    )
    assert "retain_grad asked to keep its gradient: u.grad = 1." in narrate.leaf_grad(
        LeafGrad(0, 1, 1, "n1", None, 1.0, 1.0), U
    )


def test_no_parameters_and_many() -> None:
    assert narrate.step(Step(0, 1, "SGD", ()), {}) == "SGD steps: there are no parameters."
    entries = tuple({"node": f"p{i}", "before": 1.0, "after": 0.5, "grad": 1.0} for i in range(6))
    assert narrate.step(Step(0, 1, "Adam", entries), {}).endswith("; and 2 more.")
    none = ({"node": "n0", "before": 1.0, "after": 1.0, "grad": None},)
    assert narrate.step(Step(0, 1, "SGD", none), {"n0": X}) == "SGD steps: x stays (its .grad is None)."
    same = ({"node": "n0", "before": None, "after": None},)
    assert narrate.zero_grad(ZeroGrad(0, 1, "SGD", same), {"n0": X}) == (
        "SGD.zero_grad() clears the gradients: x.grad stays None."
    )


@pytest.mark.parametrize("name", sketch.ALL)
def test_every_step_of_every_walk_is_a_sentence(name: str) -> None:
    for frame in frames(sketch.ALL[name]()):
        assert frame.text.strip() == frame.text
        assert "  " not in frame.text
        assert frame.kind == "error" or frame.text.endswith("."), frame.text


@pytest.mark.claim("C41")
def test_cuts_are_explained() -> None:
    said = [frame.text for frame in frames(sketch.cuts())]
    assert any("shares the data of x but not the history" in text for text in said)
    assert any("runs under no_grad" in text for text in said)
    assert any("A Python number comes out" in text for text in said)


def test_nameless_results_are_called_by_what_they_are() -> None:
    node = TraceNode("n7", "op", "exp", "ExpBackward0", None, 1, "", (), "float32", True, False, True, 4, "")
    assert notation.called(node) == "Exp (n7)"
    assert notation.titled(node) == "Exp (n7)"
