"""C05, C06: tracking is asked for by inputs and spreads forward."""

from __future__ import annotations

import itertools

import pytest

from snippets import run
from tests.claims.programs import example, grad, ran, traced
from tests.claims.walks import node

FLAGS = list(itertools.product([True, False], repeat=3))


def program(a: bool, b: bool, c: bool) -> str:
    return (
        "import torch\n"
        f"a = torch.tensor(2.0, requires_grad={a})\n"
        f"b = torch.tensor(3.0, requires_grad={b})\n"
        f"c = torch.tensor(4.0, requires_grad={c})\n"
        "plain = b * c\n"
        "mixed = a * plain\n"
        "y = mixed + c\n"
    )


@pytest.mark.claim("C05")
@pytest.mark.parametrize(("a", "b", "c"), FLAGS)
def test_a_result_requires_grad_when_any_input_does(a: bool, b: bool, c: bool) -> None:
    trace = traced(ran(program(a, b, c)))

    expected = {"plain": b or c, "mixed": a or b or c, "y": a or b or c}
    for name, tracked in expected.items():
        one = node(trace, name)
        assert one.requires_grad == tracked, name
        assert one.recorded == tracked, name
        assert (one.grad_fn is not None) == tracked, name


@pytest.mark.claim("C05")
@pytest.mark.parametrize(("a", "b", "c"), [flags for flags in FLAGS if any(flags)])
def test_only_the_inputs_that_asked_receive_a_gradient(a: bool, b: bool, c: bool) -> None:
    result = ran(program(a, b, c) + "y.backward()\n")
    by_hand = {"a": 3.0 * 4.0, "b": 2.0 * 4.0, "c": 2.0 * 3.0 + 1.0}  # y = a b c + c
    for name, asked in {"a": a, "b": b, "c": c}.items():
        assert grad(result, name) == (pytest.approx(by_hand[name]) if asked else None)


@pytest.mark.claim("C06")
def test_without_a_tracked_input_nothing_is_recorded_or_held() -> None:
    source = program(False, False, False)
    result = ran(source + "functions = [plain.grad_fn, mixed.grad_fn, y.grad_fn]\n")
    trace = traced(result)

    assert not any(one.recorded for one in trace.nodes if one.kind == "op")
    assert sum(one.saved_bytes for one in trace.nodes) == 0
    assert result.values["functions"] == {"kind": "list", "items": [None, None, None]}
    assert result.values["y"]["requires_grad"] is False

    error = run(source + "y.backward()\n").error
    assert error is not None
    assert error["type"] == "RuntimeError"
    assert "does not require grad and does not have a grad_fn" in error["message"]


@pytest.mark.claim("C06")
def test_with_a_tracked_factor_the_same_product_holds_bytes_for_backward() -> None:
    trace = traced(ran(example("requires-grad")))
    assert node(trace, "plain").saved_bytes == 0
    assert node(trace, "mixed").saved_bytes > 0
