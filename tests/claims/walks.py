"""Reading runs and their traces, for the tests of the claims."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from autograd.trace import Contribute, Event, Trace, TraceNode
from snippets import Result, examples, inputs, run

Kind = TypeVar("Kind", bound=Event)


def ran(source: str) -> Result:
    """The result of a program that must run to its end, with its trace."""
    result = run(source, trace=True, diagnose=False)
    assert result.error is None, result.error
    assert result.trace is not None, result.limit
    return result


def example(name: str, **values: float) -> Result:
    """The result of an example, with some of its editable inputs set."""
    source = examples.load(name).source
    return ran(inputs.replace(source, values) if values else source)


def trace_of(result: Result) -> Trace:
    """The trace of a result that has one."""
    assert result.trace is not None
    return result.trace


def node(trace: Trace, name: str) -> TraceNode:
    """The latest node that the learner's variable ``name`` stands for."""
    found = [one for one in trace.nodes if one.name == name]
    assert found, f"no node is named {name}; there are {[one.name for one in trace.nodes]}"
    return found[-1]


def events(trace: Trace, kind: type[Kind], name: str | None = None) -> list[Kind]:
    """The events of a kind, in order; with ``name`` those at that variable's node."""
    wanted = None if name is None else node(trace, name).id
    return [e for e in trace.events if isinstance(e, kind) and (wanted is None or getattr(e, "node", None) == wanted)]


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


def grad(result: Result, name: str) -> Any:
    """``.grad`` of a variable after the run, as numbers, or None."""
    return result.values[name]["grad"]


def central_difference(function: Callable[[float], float], at: float, step: float = 1e-5) -> float:
    """The slope of a plain Python function, by evaluating it on both sides."""
    return (function(at + step) - function(at - step)) / (2 * step)
