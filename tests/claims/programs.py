"""Programs run on the engine for the tests of the claims, and what is read off their results and traces."""

from __future__ import annotations

from typing import Any

from autograd.trace import Free, Trace
from snippets import Result, examples, inputs, run


def ran(source: str, *, trace: bool = True) -> Result:
    """Run ``source`` on the engine; it must come to its end without an error."""
    result = run(source, trace=trace, diagnose=False)
    assert result.limit is None
    assert result.error is None, result.error
    return result


def failed(source: str) -> dict[str, Any]:
    """Run ``source``, which must stop with an error, and return that error."""
    result = run(source, trace=True, diagnose=False)
    assert result.error is not None, "this program was to raise"
    return result.error


def example(name: str, **values: float) -> str:
    """The source of an example, with some of its inputs replaced."""
    source = examples.load(name).source
    return inputs.replace(source, values) if values else source


def data(result: Result, name: str) -> Any:
    """The value of the tensor ``name`` as a number or nested lists."""
    return result.values[name]["data"]


def grad(result: Result, name: str) -> Any:
    """``.grad`` of the tensor ``name``, None if there is none."""
    return result.values[name]["grad"]


def traced(result: Result) -> Trace:
    """The trace of a run that was asked for one."""
    assert result.trace is not None
    return result.trace


def events(trace: Trace, kind: str, name: str | None = None) -> list[Any]:
    """The events of a kind, at the node or nodes with the variable name ``name``."""
    ids = {node.id for node in trace.nodes if node.name == name}
    return [one for one in trace.events if one.kind == kind and (name is None or getattr(one, "node", None) in ids)]


def recorded_ops(trace: Trace) -> list[str]:
    """The operations that were recorded for backward, in order."""
    return [str(node.op) for node in trace.nodes if node.kind == "op" and node.recorded]


def bytes_held(trace: Trace) -> list[int]:
    """The bytes held for backward after each event: up as operations save, down as backward frees."""
    saved = {node.id: node.saved_bytes for node in trace.nodes}
    held, out = 0, []
    for event in trace.events:
        if event.kind == "forward":
            held += saved[event.node]
        elif isinstance(event, Free):
            held -= event.bytes
        out.append(held)
    return out
