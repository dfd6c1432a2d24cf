"""C12, C13: what is handed on is upstream times local."""

from __future__ import annotations

import pytest

from tests.claims.programs import events, example, grad, ran, traced
from tests.claims.walks import central_difference, contributions, value


@pytest.mark.claim("C12")
@pytest.mark.parametrize("name", ["chain-rule", "quadratic", "neuron", "reverse-walk", "local-derivative", "branch"])
def test_every_contribution_is_the_upstream_times_the_local_derivative(name: str) -> None:
    trace = traced(ran(example(name)))
    upstream = {event.node: event.upstream for event in events(trace, "visit")}
    givers = {edge.id: edge.dst for edge in trace.edges}
    steps = events(trace, "contribute")
    assert steps
    for step in steps:
        assert step.value == pytest.approx(step.upstream * step.local, rel=1e-6)
        assert step.upstream == upstream[givers[step.edge]]


@pytest.mark.claim("C12")
@pytest.mark.parametrize("x", [2.0, 1.0, -3.0])
def test_the_products_of_the_chain(x: float) -> None:
    result = ran(example("chain-rule", x=x))
    trace = traced(result)
    v = 3 * x + 1
    (to_v,), (to_u,), (to_x,) = (contributions(trace, name) for name in ("v", "u", "x"))
    assert (to_v.upstream, to_v.local, to_v.value) == (1.0, 2 * v, 2 * v)
    assert (to_u.upstream, to_u.local, to_u.value) == (2 * v, 1.0, 2 * v)
    assert (to_x.upstream, to_x.local, to_x.value) == (2 * v, 3.0, 6 * v)
    assert grad(result, "x") == pytest.approx(central_difference(lambda t: (3 * t + 1) ** 2, x), rel=1e-6)


@pytest.mark.claim("C13")
def test_the_first_walk_of_the_step_page() -> None:
    result = ran(example("quadratic"))
    trace = traced(result)
    assert {name: value(trace, name) for name in "uvsy"} == {"u": 9.0, "v": 6.0, "s": 15.0, "y": 16.0}
    (through_u,), (through_v,) = contributions(trace, "x", "u"), contributions(trace, "x", "v")
    assert (through_u.upstream, through_u.local, through_u.value) == (1.0, 6.0, 6.0)
    assert (through_v.upstream, through_v.local, through_v.value) == (1.0, 2.0, 2.0)
    assert grad(result, "x") == 8.0
    assert grad(result, "x") == pytest.approx(central_difference(lambda t: t**2 + 2 * t + 1, 3.0))
