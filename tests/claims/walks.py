"""What the tests of the claims read off a trace, and the slope they compare it with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd.trace import Contribute, Trace, TraceNode


def node(trace: Trace, name: str) -> TraceNode:
    """The latest node that the learner's variable ``name`` stands for."""
    found = [one for one in trace.nodes if one.name == name]
    assert found, f"no node is named {name}; there are {[one.name for one in trace.nodes]}"
    return found[-1]


def value(trace: Trace, name: str) -> Any:
    """The value that the variable's node had when it came into being."""
    wanted = node(trace, name).id
    return next(e.value for e in trace.events if e.kind == "forward" and getattr(e, "node", None) == wanted)


def contributions(trace: Trace, to: str, via: str | None = None) -> list[Contribute]:
    """What travelled to the variable ``to``, in order; with ``via`` only what came out of that variable's node."""
    source = node(trace, to).id
    giver = None if via is None else node(trace, via).id
    edges = {edge.id for edge in trace.edges if edge.src == source and (giver is None or edge.dst == giver)}
    return [event for event in trace.events if isinstance(event, Contribute) and event.edge in edges]


def central_difference(function: Callable[[float], float], at: float, step: float = 1e-5) -> float:
    """The slope of a plain Python function, by evaluating it on both sides."""
    return (function(at + step) - function(at - step)) / (2 * step)
