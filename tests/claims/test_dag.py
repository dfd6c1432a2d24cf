"""C03, C04: the record is a directed acyclic graph, of the same kind at every size."""

from __future__ import annotations

import pytest

from autograd.dot import drawn_as
from autograd.groups import groups
from autograd.trace import Contribute, Trace
from tests.claims.programs import example, grad, ran, traced
from tests.claims.walks import node


def orders_older_before_newer(trace: Trace) -> bool:
    """Whether each arrow runs from an older node to a newer one, which rules out cycles."""
    age = {one.id: number for number, one in enumerate(trace.nodes)}
    return all(age[edge.src] < age[edge.dst] for edge in trace.edges)


def ends(trace: Trace) -> list[str | None]:
    """The names of the recorded results that nothing recorded was computed from."""
    used = {edge.src for edge in trace.edges if edge.recorded}
    return [one.name for one in trace.nodes if one.kind == "op" and one.recorded and one.id not in used]


@pytest.mark.claim("C03")
@pytest.mark.parametrize(("name", "end"), [("square-plus-3x", "y"), ("neuron", "loss"), ("mlp", "loss")])
def test_the_record_runs_from_leaves_to_one_result_without_cycles(name: str, end: str) -> None:
    trace = traced(ran(example(name)))

    assert orders_older_before_newer(trace)
    assert ends(trace) == [end]
    into = {edge.dst for edge in trace.edges}
    for one in trace.nodes:
        if one.kind == "op" and one.recorded:
            assert one.grad_fn
            assert one.id in into
        if one.kind == "leaf":
            assert one.grad_fn is None
            assert one.id not in into


@pytest.mark.claim("C03")
def test_the_graph_of_the_small_function_has_four_nodes() -> None:
    trace = traced(ran(example("square-plus-3x")))
    assert [one.name for one in trace.nodes] == ["x", "square", "triple", "y"]


@pytest.mark.claim("C03")
def test_every_result_hands_out_its_own_local_gradient() -> None:
    trace = traced(ran(example("neuron")))
    givers = {edge.id: edge.dst for edge in trace.edges}
    gave = {givers[event.edge]: event for event in trace.events if isinstance(event, Contribute)}
    for one in trace.nodes:
        if one.kind == "op" and one.recorded:
            assert gave[one.id].rule


@pytest.mark.claim("C04")
def test_a_hundred_layers_are_the_same_kind_of_graph_as_three() -> None:
    small, large = ran(example("dag", depth=3)), ran(example("dag", depth=100))

    def kinds(trace: Trace) -> set[str | None]:
        return {one.grad_fn for one in trace.nodes if one.kind == "op"}

    assert kinds(traced(large)) == kinds(traced(small))
    for result, depth in ((small, 3), (large, 100)):
        trace = traced(result)
        assert orders_older_before_newer(trace)
        assert ends(trace) == ["loss"]
        assert sum(one.kind == "op" for one in trace.nodes) == 2 * depth + 2
        assert result.stdout == f"{depth} weights, {depth} gradients\n"


@pytest.mark.claim("C04")
def test_a_deep_network_stays_readable_because_its_layers_collapse() -> None:
    net = traced(
        ran(
            "import torch\nfrom torch import nn\n"
            "layers = [layer for i in range(50) for layer in (nn.Linear(2, 2), nn.Tanh())]\n"
            "net = nn.Sequential(*layers)\n"
            "loss = net(torch.ones(1, 2)).sum()\n"
            "loss.backward()\n"
        )
    )
    loop = traced(ran(example("dag", depth=100)))
    for trace, most in ((net, 5), (loop, 205)):
        collapsed = drawn_as(trace, {group.id for group in groups(trace)})
        boxes = {collapsed.get(one.id, one.id) for one in trace.nodes}
        assert len(trace.nodes) > 250
        assert len(boxes) <= most
        assert orders_older_before_newer(trace)


@pytest.mark.claim("C03", "C04")
def test_the_last_weight_of_a_deep_chain_has_the_hand_calculated_gradient() -> None:
    result = ran(example("dag", depth=4))
    before, h = 0.5**3, 0.5**4  # what the last layer takes in and gives out; relu passes both on unchanged
    assert grad(result, "w") == pytest.approx(2 * (h - 1) * before)
    assert node(traced(result), "loss").is_leaf is False
