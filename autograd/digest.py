"""The walk of a very long trace: one step for many events, so that it can still be sent, stepped and read.

A step tells what one turn of a loop (or a run of operations) did in one direction; the numbers it leaves are the same
as those of the full walk after the same events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

from autograd import notation
from autograd.frames import Frame, Walk, passes_of
from autograd.groups import groups
from autograd.numbering import Numbering
from autograd.trace import (
    Accumulate,
    Contribute,
    Error,
    Event,
    Forward,
    LeafGrad,
    Mutate,
    Step,
    Trace,
    Value,
    ZeroGrad,
)

#: What events of one step have in common: forward, backward or update; the title of their part; the pass.
_Key = tuple[str, str, int]

#: So many events without a loop or module to name make one step.
RUN = 200


def digest(trace: Trace) -> Walk:
    """The walk of ``trace`` in few steps."""
    nodes = Numbering(trace).nodes
    names = {node.id: notation.called(node) for node in nodes}
    own = {node.id: node.name for node in trace.nodes}
    sources = {edge.id: edge.src for edge in trace.edges}
    frames = tuple(_frame(part, title, names, own, sources) for title, part in _parts(trace, sources))
    return Walk(frames, {}, tuple(passes_of(frames)), nodes)


def _parts(trace: Trace, sources: dict[str, str]) -> Iterator[tuple[str, list[Event]]]:
    """The events in runs that belong together, each with the title of its part."""
    part_of: dict[str, str] = {}
    for group in groups(trace):
        if not group.id.startswith("loop:"):
            part_of.update(dict.fromkeys(group.nodes, group.title))

    def key(event: Event) -> _Key:
        node = sources.get(event.edge) if isinstance(event, Contribute) else getattr(event, "node", None)
        return _phase(event), part_of.get(str(node), ""), getattr(event, "pass_", 0)

    for (phase, title, _), found in groupby(_steadied(trace.events, key), key=lambda pair: pair[0]):
        events = [event for _, event in found]
        length = len(events) if title or phase in ("update", "error") else RUN
        for start in range(0, len(events), max(length, 1)):
            yield title, events[start : start + length]


def _steadied(events: Sequence[Event], key: Callable[[Event], _Key]) -> Iterator[tuple[_Key, Event]]:
    """Each event with its key; an event of no part (a leaf, the end of a pass) stays with the part before it."""
    last = ("", "", 0)
    for event in events:
        now = key(event)
        if not now[1] and now[0] == last[0] and now[2] == last[2]:
            now = last
        last = now
        yield now, event


def _phase(event: Event) -> str:
    if isinstance(event, (Step, ZeroGrad)):
        return "update"
    if isinstance(event, Error):
        return "error"
    return "backward" if getattr(event, "pass_", 0) else "forward"


def _frame(
    events: Sequence[Event], title: str, names: dict[str, str], own: dict[str, str | None], sources: dict[str, str]
) -> Frame:
    texts: dict[str, str] = {}
    states: dict[str, str] = {}
    focus: dict[str, None] = {}
    said = {"made": 0, "passed": 0}
    last: tuple[str, Value] | None = None
    landed: list[str] = []
    for event in events:
        if isinstance(event, (Forward, Mutate)):
            texts[f"{event.node}-value"] = notation.short(event.value)
            states[event.node] = "there"
            said["made"] += 1
            focus[event.node] = None
            last = (event.node, event.value)
        elif isinstance(event, Contribute):
            states[event.edge] = "flowed"
            said["passed"] += 1
        elif isinstance(event, Accumulate):
            texts[f"{event.node}-grad"] = notation.short(event.after)
            states[event.node] = "done"
            focus[event.node] = None
        elif isinstance(event, LeafGrad):
            texts[f"{event.node}-dotgrad"] = notation.short(event.after)
            landed.append(f"{names[event.node]}.grad = {notation.short(event.after)}")
        elif isinstance(event, (Step, ZeroGrad)):
            slot = "value" if isinstance(event, Step) else "dotgrad"
            for entry in event.parameters:
                after = entry.get("after")
                texts[f"{entry.get('node')}-{slot}"] = "None" if after is None else notation.short(after)
    first = events[0]
    phase = _phase(first)
    words = _words(phase, title, said, last, landed, names, events)
    marks = tuple((event.kind, _node(event, sources)) for event in events)
    return Frame(
        kind={"forward": "forward", "backward": "contribute", "update": "step", "error": "error"}[phase],
        line=first.line,
        text=words,
        pass_=getattr(first, "pass_", 0),
        about=first.line,
        focus=tuple(list(focus)[-3:]),
        texts=texts,
        states=states,
        marks=marks,
        names=tuple(own.get(node) if node else None for _, node in marks),
    )


def _words(
    phase: str,
    title: str,
    said: dict[str, int],
    last: tuple[str, Value] | None,
    landed: Sequence[str],
    names: dict[str, str],
    events: Sequence[Event],
) -> str:
    where = f"{title[:1].upper()}{title[1:]}: " if title else ""
    if phase == "error":
        error = next(event for event in events if isinstance(event, Error))
        return f"The program stops here with {error.type}: {error.message[:400]}"
    if phase == "update":
        count = len(events)
        return f"{where}the optimizer acts {count} times." if count > 1 else f"{where}the optimizer acts."
    if phase == "forward":
        end = f" The last is {names[last[0]]} = {notation.short(last[1])}." if last else ""
        return f"{where}{said['made']} tensors are computed.{end}"
    end = f" {', '.join(landed[:3])}{f', and {len(landed) - 3} more' if len(landed) > 3 else ''}." if landed else ""
    return f"{where}the gradient passes {said['passed']} edges.{end}"


def _node(event: Event, sources: dict[str, str]) -> str | None:
    if isinstance(event, Contribute):
        return sources.get(event.edge)
    node = getattr(event, "node", None) or getattr(event, "root", None)
    return node if isinstance(node, str) else None
