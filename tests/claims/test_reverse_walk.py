"""C14, C15, C16: backward in reverse topological order, each node once, all leaves in one walk."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from autograd.trace import Accumulate, Contribute
from snippets import examples
from tests.claims.programs import events, example, grad, ran, traced
from tests.claims.walks import central_difference, node

WALKS = ["reverse-walk", "quadratic", "neuron", "mlp", "broadcast", "dag", "define-by-run"]


@pytest.mark.claim("C14")
@pytest.mark.parametrize("name", WALKS)
def test_the_walk_starts_with_one_at_the_output_and_visits_users_before_what_they_use(name: str) -> None:
    trace = traced(ran(example(name)))
    (start,) = events(trace, "backward_start")
    visited = [event.node for event in events(trace, "visit")]

    assert start.seed == 1.0
    assert visited[0] == start.root
    assert max(Counter(visited).values()) == 1
    place = {one: number for number, one in enumerate(visited)}
    for edge in trace.edges:
        if edge.recorded and edge.src in place and edge.dst in place:
            assert place[edge.dst] < place[edge.src]


@pytest.mark.claim("C14")
@pytest.mark.parametrize("name", WALKS)
def test_nothing_is_passed_on_before_the_upstream_is_complete(name: str) -> None:
    trace = traced(ran(example(name)))
    givers = {edge.id: edge.dst for edge in trace.edges}
    missing: dict[str, int] = {}
    for event in trace.events:
        if isinstance(event, Accumulate):
            missing[event.node] = event.pending
        if isinstance(event, Contribute):
            assert missing[givers[event.edge]] == 0


@pytest.mark.claim("C14")
def test_the_shared_node_shows_how_many_contributions_are_missing() -> None:
    trace = traced(ran(example("reverse-walk")))
    arrivals = events(trace, "accumulate", "s")
    assert [event.pending for event in arrivals] == [1, 0]
    assert sorted(event.added for event in arrivals) == [5.0, 12.0]
    (visit,) = events(trace, "visit", "s")
    assert visit.upstream == 17.0
    assert visit.t > arrivals[-1].t


@pytest.mark.claim("C15")
def test_one_call_fills_the_gradient_of_every_weight_of_the_neuron() -> None:
    result = ran(example("neuron"))
    trace = traced(result)

    def loss(w1: float, w2: float, b: float) -> float:
        return (math.tanh(w1 * 2.0 + w2 * -1.0 + b) - 1.0) ** 2

    assert len(events(trace, "backward_start")) == 1
    assert len(events(trace, "leaf_grad")) == 3
    assert grad(result, "w1") == pytest.approx(central_difference(lambda t: loss(t, -1.5, -2.0), 0.5), rel=1e-4)
    assert grad(result, "w2") == pytest.approx(central_difference(lambda t: loss(0.5, t, -2.0), -1.5), rel=1e-4)
    assert grad(result, "b") == pytest.approx(central_difference(lambda t: loss(0.5, -1.5, t), -2.0), rel=1e-4)


@pytest.mark.claim("C15")
def test_one_call_fills_every_parameter_of_a_network() -> None:
    result = ran(example("mlp"))
    trace = traced(result)
    state = result.values["net"]["state"]
    assert len(events(trace, "backward_start")) == 1
    assert len(events(trace, "leaf_grad")) == len(state) == 4
    assert all(parameter["grad"] is not None for parameter in state.values())


@pytest.mark.claim("C16")
@pytest.mark.parametrize("k", [1, 3, 6, 9])
def test_recursion_doubles_its_visits_with_each_diamond_and_the_schedule_does_not(k: int) -> None:
    # the naive engine is the one the learner sees in the example; it prints a line a visit
    engine = examples.load("minimal-engine").source.split("start = ")[0]
    stack = f"x = Number(1.0, name='x')\nh = x\nfor i in range({k}):\n    h = h + h\nh.receive(1.0)\nslope = x.grad\n"
    naive = ran(engine + stack)
    lines = naive.stdout.splitlines()
    assert len(lines) == 2 ** (k + 1) - 1
    assert sum(line.split()[0] == "x" for line in lines) == 2**k

    scheduled = ran(
        "import torch\nx = torch.tensor(1.0, requires_grad=True)\nh = x\n"
        f"for i in range({k}):\n    h = h + h\nh.backward()\n"
    )
    trace = traced(scheduled)
    assert len(events(trace, "visit")) == k + 1
    assert len(events(trace, "visit", "x")) == 1
    assert naive.values["slope"] == grad(scheduled, "x") == 2.0**k
    assert node(trace, "x").kind == "leaf"
