"""C01, C02: ordinary arithmetic leaves records that link to each other."""

from __future__ import annotations

import pytest

from tests.claims.programs import events, example, ran, traced
from tests.claims.walks import node, value


@pytest.mark.claim("C01")
def test_each_line_of_arithmetic_adds_one_record_and_nothing_else_is_called() -> None:
    source = (
        "import torch\n"
        "x = torch.tensor(2.0, requires_grad=True)\n"
        "square = x ** 2\n"
        "triple = 3 * x\n"
        "y = square + triple\n"
    )
    trace = traced(ran(source))

    by_line = [(event.line, next(n for n in trace.nodes if n.id == event.node)) for event in events(trace, "forward")]
    assert [(line, one.name, one.grad_fn) for line, one in by_line] == [
        (2, "x", None),
        (3, "square", "PowBackward0"),
        (4, "triple", "MulBackward0"),
        (5, "y", "AddBackward0"),
    ]
    assert [value(trace, name) for name in ("x", "square", "triple", "y")] == [2.0, 4.0, 6.0, 10.0]
    assert all(one.recorded for one in trace.nodes if one.kind == "op")
    # what it was applied to
    uses = {(edge.src, edge.dst) for edge in trace.edges}
    names = {name: node(trace, name).id for name in ("x", "square", "triple", "y")}
    assert uses == {
        (names["x"], names["square"]),
        (names["x"], names["triple"]),
        (names["square"], names["y"]),
        (names["triple"], names["y"]),
    }
    assert events(trace, "backward_start") == []


@pytest.mark.claim("C02")
def test_grad_fn_is_named_after_the_operation_and_leads_back_to_the_leaf() -> None:
    assert ran(example("recording")).stdout == (
        "tensor(10., grad_fn=<AddBackward0>)\nPowBackward0 -> AccumulateGrad\nMulBackward0 -> AccumulateGrad\n"
    )


@pytest.mark.claim("C02")
def test_the_links_from_both_branches_end_at_the_same_leaf() -> None:
    result = ran(
        "import torch\n"
        "x = torch.tensor(2.0, requires_grad=True)\n"
        "y = x ** 2 + 3 * x\n"
        "power, product = [function for function, index in y.grad_fn.next_functions]\n"
        "ends = [f for f, index in product.next_functions if f is not None] + [power.next_functions[0][0]]\n"
        "same = [end.variable is x for end in ends]\n"
    )
    assert result.values["same"] == {"kind": "list", "items": [True, True]}
