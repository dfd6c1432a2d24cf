"""From what a recorder wrote down to a Trace: edges get ids, expressions and rules their words, values their final
form.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import autograd.trace as T

from .symbols import Writer, summed
from .values import settled

if TYPE_CHECKING:
    from .record import Recorder


def assemble(recorder: Recorder, stdout: str, warnings: tuple[dict[str, Any], ...]) -> T.Trace:
    """Everything ``recorder`` has seen."""
    entries = recorder.entries
    writer = Writer(entries)
    nodes = tuple(
        T.TraceNode(
            f"n{i}", e.kind, e.shown, e.node, e.name, e.line, e.scope, tuple(e.shape), e.dtype, e.requires_grad,
            e.node is None, e.recorded, e.saved, writer.expression(i),
        )
        for i, e in enumerate(entries)
    )  # fmt: skip
    edges: list[T.TraceEdge] = []
    by_position: dict[tuple[int, int], int] = {}
    for i, entry in enumerate(entries):
        if entry.links is not None:
            for source, argument, recorded, how in entry.links:
                for position, operand in enumerate(entry.operands):
                    if operand == source:
                        by_position.setdefault((i, position), len(edges))
                edges.append(T.TraceEdge(f"e{len(edges)}", f"n{source}", f"n{i}", argument, recorded, how))
            continue
        for position, operand in enumerate(entry.operands):
            if isinstance(operand, int):
                argument = 1 - position if entry.reflected and len(entry.operands) == 2 else position
                by_position[i, position] = len(edges)
                edges.append(T.TraceEdge(f"e{len(edges)}", f"n{operand}", f"n{i}", argument, True, None))
    events: list[T.Event] = []
    for event in recorder.events:
        if event[0] is T.Contribute:
            _contribution(events, event, writer, by_position)
        else:
            events.append(_event(len(events), event))
    error = None
    if recorder.failure is not None:
        error = dict(zip(("type", "message", "line"), recorder.failure, strict=True))
    return T.Trace(recorder.source, nodes, tuple(edges), tuple(events), stdout, error, warnings)


def _contribution(
    events: list[T.Event], event: tuple[Any, ...], writer: Writer, edges: dict[tuple[int, int], int]
) -> None:
    """What travelled along an edge, and the sum it was added to: two events."""
    _, line, number, here, position, upstream, local, value, op, scalar, there, before, after, pending = event
    value = settled(value)
    edge = edges.get((here, position))
    if edge is not None:
        rule = writer.rule(op, position, here, scalar)
        if not scalar:
            rule = summed(rule, op, local["upstream_shape"], local["shape"])
        local = settled(local) if scalar else {"rule": rule, **local}
        events.append(T.Contribute(len(events), line, number, f"e{edge}", settled(upstream), local, value, rule))
    events.append(T.Accumulate(len(events), line, number, f"n{there}", settled(before), value, settled(after), pending))


def _event(t: int, event: tuple[Any, ...]) -> T.Event:
    kind = event[0]
    if kind is T.Accumulate:
        _, line, number, node, before, added, after, pending = event
        return T.Accumulate(t, line, number, f"n{node}", settled(before), settled(added), settled(after), pending)
    if kind is T.Forward:
        return T.Forward(t, event[1], f"n{event[2]}", settled(event[3]))
    if kind is T.Visit:
        return T.Visit(t, event[1], event[2], f"n{event[3]}", settled(event[4]))
    if kind is T.Free:
        return T.Free(t, event[1], event[2], f"n{event[3]}", event[4])
    if kind is T.LeafGrad:
        _, line, number, node, before, added, after = event
        return T.LeafGrad(t, line, number, f"n{node}", settled(before), settled(added), settled(after))
    if kind is T.Mutate:
        return T.Mutate(t, event[1], f"n{event[2]}", settled(event[3]), event[4], event[5])
    if kind is T.BackwardStart:
        return T.BackwardStart(t, event[1], event[2], f"n{event[3]}", settled(event[4]), event[5])
    if kind in (T.ZeroGrad, T.Step):
        rows = tuple(
            {key: f"n{value}" if key == "node" else settled(value) for key, value in row.items()} for row in event[3]
        )
        made: T.Event = kind(t, event[1], event[2], rows)
        return made
    other: T.Event = kind(t, *event[1:])
    return other
