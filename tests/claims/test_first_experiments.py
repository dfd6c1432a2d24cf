"""What the first thirteen cards tell the learner to change, and what they say will happen then."""

from __future__ import annotations

import pytest

from autograd.trace import Visit
from snippets import examples, inputs
from tests.claims.programs import data, events, example, grad, ran, recorded_ops, traced
from tests.claims.walks import contributions, node


def changed(name: str, old: str, new: str) -> str:
    """The source of an example with one piece of it, which must occur once, replaced."""
    source = examples.load(name).source
    assert source.count(old) == 1
    return source.replace(old, new)


@pytest.mark.claim("C01", "C02")
def test_recording_one_more_line_is_one_more_node() -> None:
    more = "z = torch.exp(y)\nprint(y)\nlast = z.grad_fn.next_functions[0][0] is y.grad_fn\n"
    result = ran(changed("recording", "print(y)\n", more))
    assert node(traced(result), "z").grad_fn == "ExpBackward0"
    assert result.values["last"] is True


@pytest.mark.claim("C05")
def test_requires_grad_on_b_has_the_product_recorded() -> None:
    result = ran(changed("requires-grad", "b = torch.tensor(3.0)", "b = torch.tensor(3.0, requires_grad=True)"))
    assert node(traced(result), "plain").recorded
    assert grad(result, "b") == 8


@pytest.mark.claim("C08")
def test_leaf_without_retain_grad_the_same_two_passes_through() -> None:
    result = ran(changed("leaf", "h.retain_grad()\n", ""))
    assert [event.after for event in events(traced(result), "accumulate", "h")] == [2]
    assert grad(result, "h") is None
    assert grad(result, "w") == 6


@pytest.mark.claim("C09")
@pytest.mark.parametrize(("step", "difference"), [(0.5, 7.5), (0.01, 7.01), (0.0001, 7.0001)])
def test_numbers_the_quotient_moves_with_its_step(step: float, difference: float) -> None:
    result = ran(example("numbers-not-symbols", step=step))
    assert result.values["difference"] == pytest.approx(difference, abs=1e-9)
    assert grad(result, "x") == 7


@pytest.mark.claim("C11")
def test_local_derivative_follows_x_and_not_w() -> None:
    for w in (2.0, 7.0):
        (step,) = contributions(traced(ran(example("local-derivative", x=-1.0, w=w))), "x", "u")
        assert step.local == -2


@pytest.mark.claim("C12")
def test_chain_rule_at_one_x_receives_twenty_four() -> None:
    trace = traced(ran(example("chain-rule", x=1.0)))
    assert [contributions(trace, name)[0].local for name in ("v", "u", "x")] == [8, 1, 3]
    assert contributions(trace, "x")[0].value == 24


@pytest.mark.claim("C14")
def test_reverse_walk_with_a_third_use_s_waits_for_three() -> None:
    trace = traced(ran(changed("reverse-walk", "y = a + b\n", "c = 2 * s\ny = a + b + c\n")))
    assert [event.pending for event in events(trace, "accumulate", "s")] == [2, 1, 0]
    (visit,) = events(trace, "visit", "s")
    assert isinstance(visit, Visit)
    assert visit.upstream == 12 + 5 + 2


@pytest.mark.claim("C17")
def test_diamond_at_minus_one_the_contributions_cancel() -> None:
    result = ran(example("diamond", x=-1.0))
    assert [event.added for event in events(traced(result), "accumulate", "x")] == [-2, 2]
    assert grad(result, "x") == 0


@pytest.mark.claim("C19")
def test_define_by_run_at_one_three_products_are_recorded() -> None:
    result = ran(example("define-by-run", x=1.0))
    assert recorded_ops(traced(result)) == ["mul", "mul", "mul"]
    assert grad(result, "x") == 4
    assert len(recorded_ops(traced(ran(example("define-by-run", rounds=5))))) == 5


@pytest.mark.claim("C20", "C21")
def test_forward_vs_reverse_a_fourth_input_costs_a_fourth_pass_forward() -> None:
    source = examples.load("forward-vs-reverse").source
    for old, new in (
        ("product = a * b\n", "d = torch.tensor(5.0, requires_grad=True)\nproduct = a * b\n"),
        ("y = product + square\n", "y = product + square + 3 * d\n"),
        ("def f(a, b, c):\n    return a * b + c ** 2\n", "def f(a, b, c, d):\n    return a * b + c ** 2 + 3 * d\n"),
        ("c.detach())\n", "c.detach(), d.detach())\n"),
        (
            "((one, zero, zero), (zero, one, zero), (zero, zero, one))",
            "((one, zero, zero, zero), (zero, one, zero, zero), (zero, zero, one, zero), (zero, zero, zero, one))",
        ),
    ):
        assert source.count(old) == 1, old
        source = source.replace(old, new)
    result = ran(source)
    assert len(events(traced(result), "backward_start")) == 1
    assert grad(result, "d") == 3
    assert result.stdout.splitlines()[1:] == [f"one pass forward: tensor({slope}.)" for slope in (3, 2, 8, 3)]


@pytest.mark.claim("C22")
@pytest.mark.parametrize(("upstream", "row"), [([1.0, 0.0], [1, 2, 3]), ([0.0, 1.0], [4, 5, 6])])
def test_vjp_a_unit_upstream_picks_a_row(upstream: list[float], row: list[float]) -> None:
    assert grad(ran(inputs.replace(examples.load("vjp").source, {"upstream": upstream})), "x") == row


@pytest.mark.claim("C24")
@pytest.mark.parametrize(("weights", "gradient"), [([0.0, 1.0, 0.0], [0, 4, 0]), ([1.0, 1.0, 1.0], [2, 4, 6])])
def test_vector_output_weights_choose_what_counts(weights: list[float], gradient: list[float]) -> None:
    trace = traced(ran(inputs.replace(examples.load("vector-output").source, {"weights": weights})))
    assert events(trace, "leaf_grad", "x")[0].after == gradient


@pytest.mark.claim("C03")
def test_mlp_every_operation_of_the_network_belongs_to_a_module() -> None:
    result = ran(example("mlp"))
    scopes = [one.scope for one in traced(result).nodes if one.kind == "op"]
    assert {"net.0", "net.1", "net.2"} <= set(scopes)
    assert data(result, "out") == [pytest.approx([-0.56207], abs=1e-4), pytest.approx([0.25039], abs=1e-4)]
