"""C07, C08: gradients are kept on leaves, and on results that asked."""

from __future__ import annotations

import pytest

from snippets import examples
from tests.claims.programs import events, example, grad, ran, traced
from tests.claims.walks import node


@pytest.mark.claim("C07")
def test_tensors_made_by_the_user_are_leaves_and_results_are_not() -> None:
    result = ran(example("leaf"))
    trace = traced(result)
    assert [name for name in ("w", "frozen", "unused", "h", "s", "y") if node(trace, name).is_leaf] == [
        "w",
        "frozen",
        "unused",
    ]
    assert node(trace, "w").kind == "leaf"
    assert node(trace, "y").kind == "op"
    assert result.stdout.startswith("leaves: True True True  results: False False\n")


@pytest.mark.claim("C07")
def test_after_the_walk_leaves_hold_the_gradient_and_nothing_else_does() -> None:
    result = ran("import torch\nw = torch.tensor(2.0, requires_grad=True)\nh = 3 * w\ny = h ** 2\ny.backward()\n")
    trace = traced(result)
    assert [event.node for event in events(trace, "leaf_grad")] == [node(trace, "w").id]
    assert grad(result, "w") == pytest.approx(2 * (3 * 2.0) * 3)
    assert grad(result, "h") is None
    assert grad(result, "y") is None


@pytest.mark.claim("C07")
def test_parameters_of_a_model_are_leaves_and_receive_their_gradients() -> None:
    state = ran(example("mlp")).values["net"]["state"]
    assert len(state) == 4
    for name, parameter in state.items():
        assert parameter["is_leaf"] is True, name
        assert parameter["requires_grad"] is True, name
        assert parameter["grad"] is not None, name


@pytest.mark.claim("C08")
def test_an_intermediate_keeps_its_gradient_only_when_asked() -> None:
    source = examples.load("leaf").source
    with_it, without_it = ran(source), ran(source.replace("h.retain_grad()\n", ""))
    passed_through = 2 * (3 * 2.0 - 5.0)

    assert grad(with_it, "h") == pytest.approx(passed_through)
    assert grad(without_it, "h") is None
    assert grad(with_it, "s") is None
    for result in (with_it, without_it):  # it takes part in the walk either way
        assert [event.after for event in events(traced(result), "accumulate", "h")] == [passed_through]
        assert grad(result, "w") == pytest.approx(3 * passed_through)


@pytest.mark.claim("C08")
def test_a_frozen_and_an_unused_tensor_show_none() -> None:
    result = ran(example("leaf"))
    assert grad(result, "frozen") is None
    assert grad(result, "unused") is None
    assert result.values["unused"]["requires_grad"] is True
    assert result.values["frozen"]["requires_grad"] is False
