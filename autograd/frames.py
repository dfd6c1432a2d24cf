"""The walk: what each step of a trace shows, as small changes from one step to the next.

A frame says in words what happens, which texts in the picture change (a slot is an id in the SVG, such as
``n0-grad``), which nodes and edges change state, and what the panels show. Frames hold changes only, so a walk of a
thousand nodes stays small; whoever shows them keeps the running state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from autograd import contribution, narrate, notation
from autograd.kept import kept
from autograd.numbering import Numbering
from autograd.trace import (
    Accumulate,
    BackwardEnd,
    BackwardStart,
    Contribute,
    Error,
    Event,
    Forward,
    Free,
    LeafGrad,
    Mutate,
    Step,
    Trace,
    TraceEdge,
    TraceNode,
    Value,
    Visit,
    ZeroGrad,
)

#: A walk of more events than this is told in larger steps (:mod:`autograd.digest`).
LONGEST = 15_000


@dataclass(frozen=True, slots=True)
class Frame:
    """One step of the walk.

    ``texts`` maps slots of the picture to their new text, ``states`` maps node and edge ids to their new state
    (``there``, ``flowed``, ``complete``, ``done``, ``freed``), ``arrays`` maps slots to whole array values. ``line``
    is the line that runs; ``about`` is the line of the operation the frame is about. ``product`` is upstream × local
    = value of a contribution, ``ledger`` is (key of :attr:`Walk.ledgers`, entries shown, contributions still to
    come), ``predict`` is the question and the number that predict mode hides. ``marks`` are the (event kind, node id)
    pairs this frame shows.
    """

    kind: str
    line: int | None
    text: str
    pass_: int = 0
    about: int | None = None
    focus: tuple[str, ...] = ()
    texts: dict[str, str] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    arrays: dict[str, Value] = field(default_factory=dict)
    product: dict[str, Any] | None = None
    ledger: tuple[str, int, int] | None = None
    predict: dict[str, Any] | None = None
    marks: tuple[tuple[str, str | None], ...] = ()
    names: tuple[str | None, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The frame as JSON-ready data; what is empty is left out, and so are the marks."""
        out: dict[str, Any] = {"kind": self.kind, "line": self.line, "text": self.text}
        for key, value in (
            ("pass", self.pass_),
            ("about", self.about),
            ("focus", list(self.focus)),
            ("texts", self.texts),
            ("states", self.states),
            ("arrays", self.arrays),
            ("product", self.product),
            ("ledger", list(self.ledger) if self.ledger else None),
            ("predict", self.predict),
        ):
            if value:
                out[key] = value
        return out


@dataclass(frozen=True, slots=True)
class Walk:
    """All frames of a trace, and what several of them share.

    ``ledgers`` maps ``"pass:node"`` to the contributions that arrive there, in order. ``passes`` lists the numbered
    stretches of the walk (forward 1, backward 1, update 1, ...) as ``{"title", "first", "last"}``. ``nodes`` are the
    trace's, with names told apart.
    """

    frames: tuple[Frame, ...]
    ledgers: dict[str, list[dict[str, Any]]]
    passes: tuple[dict[str, Any], ...]
    nodes: tuple[TraceNode, ...]

    def to_dict(self) -> dict[str, Any]:
        """The walk as JSON-ready data."""
        return {
            "frames": [frame.to_dict() for frame in self.frames],
            "ledgers": self.ledgers,
            "passes": list(self.passes),
        }


def frames(trace: Trace) -> list[Frame]:
    """What each step of ``trace`` shows, in order."""
    return list(walk(trace).frames)


@kept
def walk(trace: Trace) -> Walk:
    """All frames of ``trace`` with their ledgers and passes; above :data:`LONGEST` events one frame tells of many."""
    if len(trace.events) > LONGEST:
        from autograd.digest import digest

        return digest(trace)
    return _Walker(trace).walk()


def find(
    frames: Sequence[Frame], event: str, node: str | None = None, occurrence: int = 1, pass_: int | None = None
) -> int:
    """The index of the step that shows an event.

    ``node`` is a variable name or a node id; ``occurrence`` counts from 1, or from the end when negative; ``pass_``
    restricts the search to one backward pass. Raises LookupError, saying what there is, when no step shows it.
    """
    found = [
        index
        for index, frame in enumerate(frames)
        if pass_ is None or frame.pass_ == pass_
        for (kind, node_id), name in zip(frame.marks, frame.names, strict=True)
        if kind == event and (node is None or node in (node_id, name))
    ]
    place = occurrence - 1 if occurrence > 0 else occurrence
    if occurrence == 0 or not -len(found) <= place < len(found):
        what = f"{event} of {node}" if node is not None else event
        raise LookupError(f"the walk shows {what} {len(found)} times; there is no occurrence {occurrence}")
    return found[place]


class _Draft:
    """A frame under construction."""

    def __init__(self, kind: str, event: Event, pass_: int) -> None:
        self.kind, self.line, self.pass_ = kind, event.line, pass_
        self.sentences: list[str] = []
        self.about: int | None = None
        self.focus: list[str] = []
        self.texts: dict[str, str] = {}
        self.states: dict[str, str] = {}
        self.arrays: dict[str, Value] = {}
        self.product: dict[str, Any] | None = None
        self.ledger: tuple[str, int, int] | None = None
        self.predict: dict[str, Any] | None = None
        self.marks: list[tuple[str, str | None]] = []
        self.giver: str | None = None

    def frozen(self, names: dict[str, str | None]) -> Frame:
        return Frame(
            kind=self.kind,
            line=self.line,
            text=" ".join(sentence for sentence in self.sentences if sentence),
            pass_=self.pass_,
            about=self.about,
            focus=tuple(self.focus),
            texts=self.texts,
            states=self.states,
            arrays=self.arrays,
            product=self.product,
            ledger=self.ledger,
            predict=self.predict,
            marks=tuple(self.marks),
            names=tuple(names.get(node) if node else None for _, node in self.marks),
        )


class _Walker:
    """Turns events into frames, one handler a kind of event."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace
        self.numbering = Numbering(trace)
        self.nodes = {node.id: node for node in self.numbering.nodes}
        self.names = {node.id: node.name for node in trace.nodes}
        self.edges = {edge.id: edge for edge in trace.edges}
        self.inputs: dict[str, list[TraceEdge]] = {node.id: [] for node in trace.nodes}
        for edge in trace.edges:
            self.inputs[edge.dst].append(edge)
        self.drafts: list[_Draft] = []
        self.ledgers: dict[str, list[dict[str, Any]]] = {}
        self.settle: dict[str, str] = {}
        self.waiting: list[tuple[str, str | None]] = []
        self.flowed: dict[str, None] = {}
        self.graded: dict[str, None] = {}
        self.filled: list[tuple[str, Value]] = []
        self.root: str | None = None
        self.versions: dict[str, int] = {}
        self.version_written = 0
        self.arrivals = self._count_arrivals()

    def walk(self) -> Walk:
        handlers: dict[type[Event], Callable[[Any], None]] = {
            Forward: self.forward,
            Mutate: self.mutate,
            BackwardStart: self.backward_start,
            Visit: self.visit,
            Contribute: self.contribute,
            Accumulate: self.accumulate,
            LeafGrad: self.leaf_grad,
            Free: self.free,
            BackwardEnd: self.backward_end,
            ZeroGrad: self.zero_grad,
            Step: self.step,
            Error: self.error,
        }
        for event in self.trace.events:
            handlers[type(event)](event)
        done = tuple(draft.frozen(self.names) for draft in self.drafts)
        shared = {key: entries for key, entries in self.ledgers.items() if len(entries) > 1}
        return Walk(done, shared, tuple(passes_of(done)), self.numbering.nodes)

    def _count_arrivals(self) -> dict[tuple[int, str], int]:
        """Contributions by (pass, node); the seed of a root is not one of them."""
        counts: dict[tuple[int, str], int] = {}
        for event in self.trace.events:
            if isinstance(event, Contribute) and event.edge in self.edges:
                key = (event.pass_, self.edges[event.edge].src)
                counts[key] = counts.get(key, 0) + 1
        return counts

    def draft(self, kind: str, event: Event, pass_: int = 0) -> _Draft:
        draft = _Draft(kind, event, pass_)
        draft.texts.update(self.settle)
        self.settle.clear()
        draft.marks.extend(self.waiting)
        self.waiting.clear()
        self.drafts.append(draft)
        return draft

    def put(self, draft: _Draft, slot: str, value: Value, settled: str | None = None) -> None:
        """Write a value into a slot; ``settled`` is what the slot shows from the next frame on."""
        draft.texts[slot] = notation.short(value) if settled is None else settled
        if notation.is_array(value):
            draft.arrays[slot] = _rounded(value)

    # -- forward -------------------------------------------------------------------------------------------------------

    def forward(self, event: Forward) -> None:
        node = self.nodes[event.node]
        draft = self.draft("forward", event)
        draft.about = node.line
        draft.focus = [node.id]
        draft.marks.append(("forward", node.id))
        self.put(draft, f"{node.id}-value", event.value)
        if (version := self._version_at_birth(node)) > 0:
            self.versions[node.id] = version
            draft.texts[f"{node.id}-version"] = str(version)
        draft.states[node.id] = "there"
        uses = [(edge, self.nodes[edge.src]) for edge in self.inputs[node.id]]
        draft.states.update((edge.id, "there") for edge, _ in uses)
        draft.sentences.append(narrate.forward(event, node, uses))
        if node.kind == "op" and _is_number(event.value):
            known = ", ".join(dict.fromkeys(notation.called(source) for _, source in uses))
            draft.predict = {
                "question": f"What is {notation.titled(node)}" + (f", given {known}?" if known else "?"),
                "answer": event.value,
                "slots": [f"{node.id}-value"],
            }

    def mutate(self, event: Mutate) -> None:
        node = self.nodes[event.node]
        draft = self.draft("mutate", event)
        draft.about, draft.focus = event.line, [node.id]
        draft.marks.append(("mutate", node.id))
        self.put(draft, f"{node.id}-value", event.value)
        draft.texts[f"{node.id}-version"] = str(event.version_after)
        self.versions[node.id] = self.version_written = event.version_after
        draft.sentences.append(narrate.mutate(event, node))

    def _version_at_birth(self, node: TraceNode) -> int:
        """An in-place operation's result is the tensor just written; another name of a storage has its version."""
        if node.op == "copy_slices" or (node.op or "").endswith("_"):
            return self.version_written
        if node.op == "detach":
            return max((self.versions.get(edge.src, 0) for edge in self.inputs[node.id]), default=0)
        return 0

    # -- backward ------------------------------------------------------------------------------------------------------

    def backward_start(self, event: BackwardStart) -> None:
        draft = self.draft("backward_start", event, event.pass_)
        for edge in self.flowed:
            draft.texts[f"{edge}-label"] = ""
            draft.states[edge] = "there"
        for node in self.graded:
            draft.texts[f"{node}-grad"] = notation.NOTHING
            draft.states[node] = "there"
        self.flowed.clear()
        self.graded.clear()
        self.filled.clear()
        self.root = event.root
        draft.about, draft.focus = self.nodes[event.root].line, [event.root]
        draft.marks.append(("backward_start", event.root))
        draft.sentences.append(narrate.backward_start(event, self.nodes[event.root]))

    def visit(self, event: Visit) -> None:
        self._flush_visit()
        self.waiting.append(("visit", event.node))
        self._visited = event

    _visited: Visit | None = None

    def _flush_visit(self) -> None:
        """Give a visit that nothing followed a frame of its own."""
        event, self._visited = self._visited, None
        if event is None or not self.waiting:
            return
        draft = self.draft("visit", event, event.pass_)
        node = self.nodes[event.node]
        draft.about, draft.focus = node.line, [node.id]
        self.put(draft, f"{node.id}-grad", event.upstream)
        draft.states[node.id] = "done"
        self.graded[node.id] = None
        draft.sentences.append(
            f"The gradient of {notation.called(node)} is complete: {narrate.value_text(event.upstream)}."
        )

    def contribute(self, event: Contribute) -> None:
        edge = self.edges[event.edge]
        giver, taker = self.nodes[edge.dst], self.nodes[edge.src]
        event = replace(event, rule=self.numbering.text(giver.id, event.rule))
        if self._visited is not None and self._visited.node != giver.id:
            self._flush_visit()
        self._visited = None
        draft = self.draft("contribute", event, event.pass_)
        draft.about, draft.focus, draft.giver = giver.line, [taker.id, edge.id, giver.id], giver.id
        draft.marks.append(("contribute", taker.id))
        draft.states[giver.id] = "done"
        draft.states[edge.id] = "flowed"
        draft.texts[f"{edge.id}-label"] = contribution.label(event)
        self.flowed[edge.id] = None
        self.graded[giver.id] = None
        draft.product = contribution.product(event, edge, giver, taker)
        draft.sentences.append(narrate.contribute(event, giver, taker))
        if _is_number(event.value) and _is_number(event.local):
            draft.predict = {
                "question": f"What does {notation.called(giver)} pass to {notation.called(taker)}? "
                f"Upstream {notation.short(event.upstream)}, local derivative {notation.expression(event.rule, 24)}.",
                "answer": event.value,
                "slots": [f"{edge.id}-label", f"{taker.id}-grad"],
            }

    def accumulate(self, event: Accumulate) -> None:
        node = self.nodes[event.node]
        last = self.drafts[-1] if self.drafts else None
        slot = f"{node.id}-grad"
        mark = ("accumulate", node.id)
        self.graded[node.id] = None
        key = f"{event.pass_}:{node.id}"
        entries = self.ledgers.setdefault(key, [])
        total = self.arrivals.get((event.pass_, node.id), 0)
        if last is not None and last.kind == "contribute" and last.product and last.product["to_id"] == node.id:
            draft = last
            via = self.nodes[str(last.giver)]
            entry = {"via": notation.titled(via), "node": via.id}
        elif last is not None and last.kind == "backward_start" and node.id == last.focus[0]:
            draft, entry = last, {"via": "the start of the pass", "node": ""}
        else:
            self._flush_visit()
            draft = self.draft("accumulate", event, event.pass_)
            draft.about, draft.focus = node.line, [node.id]
            draft.sentences.append(f"{narrate.value_text(event.added)} arrives at {notation.called(node)}.")
            entry = {"via": "", "node": ""}
        entries.append(entry | {"added": notation.short(event.added, 24), "after": notation.short(event.after, 24)})
        draft.marks.append(mark)
        self.put(draft, slot, event.after)
        if event.before is not None and not notation.is_array(event.after):
            self.settle[slot] = draft.texts[slot]
            draft.texts[slot] = contribution.total(event.before, event.added, event.after)
        draft.states[node.id] = "there" if event.pending else "complete"
        if len(entries) + event.pending > 1:
            draft.ledger = (key, len(entries), event.pending)
        draft.sentences.append(narrate.accumulate(event, node, len(entries), max(total, len(entries) + event.pending)))

    def leaf_grad(self, event: LeafGrad) -> None:
        node = self.nodes[event.node]
        if self._visited is not None and self._visited.node != node.id:
            self._flush_visit()
        self._visited = None
        draft = self.draft("leaf_grad", event, event.pass_)
        draft.about, draft.focus = node.line, [node.id]
        draft.marks.append(("leaf_grad", node.id))
        slot = f"{node.id}-dotgrad"
        self.put(draft, slot, event.after)
        if event.before is not None and not notation.is_array(event.after):
            self.settle[slot] = draft.texts[slot]
            draft.texts[slot] = contribution.total(event.before, event.added, event.after)
        draft.states[node.id] = "done"
        self.graded[node.id] = None
        self.filled.append((notation.called(node), event.after))
        draft.sentences.append(narrate.leaf_grad(event, node))
        key = f"{event.pass_}:{node.id}"
        if len(self.ledgers.get(key, ())) > 1:
            draft.ledger = (key, len(self.ledgers[key]), 0)
        if _is_number(event.after) and event.before is not None:
            draft.predict = {
                "question": f"{notation.called(node)}.grad holds {notation.short(event.before)} and "
                f"{notation.short(event.added)} arrives. What does {notation.called(node)}.grad hold then?",
                "answer": event.after,
                "slots": [slot],
            }

    def free(self, event: Free) -> None:
        node = self.nodes[event.node]
        self._flush_visit()
        last = self.drafts[-1] if self.drafts else None
        absorbed = last is not None and last.pass_ == event.pass_ and (last.giver == node.id or not event.bytes)
        if absorbed and last is not None:
            draft = last
        else:
            draft = self.draft("free", event, event.pass_)
            draft.about, draft.focus = node.line, [node.id]
        draft.marks.append(("free", node.id))
        draft.states[node.id] = "freed"
        if event.bytes or not absorbed:
            draft.sentences.append(narrate.free(notation.called(node), event.bytes))

    def backward_end(self, event: BackwardEnd) -> None:
        self._flush_visit()
        draft = self.draft("backward_end", event, event.pass_)
        draft.marks.append(("backward_end", None))
        draft.sentences.append(narrate.backward_end(event.pass_, self.filled))

    # -- optimizers and errors -----------------------------------------------------------------------------------------

    def zero_grad(self, event: ZeroGrad) -> None:
        draft = self.draft("zero_grad", event)
        draft.about = event.line
        draft.marks.append(("zero_grad", None))
        for entry in self._known(event.parameters):
            node = str(entry["node"])
            draft.focus.append(node)
            draft.marks.append(("zero_grad", node))
            self.put(draft, f"{node}-dotgrad", entry.get("after"), None if entry.get("after") is not None else "None")
        draft.sentences.append(narrate.zero_grad(event, self.nodes))

    def step(self, event: Step) -> None:
        draft = self.draft("step", event)
        draft.about = event.line
        draft.marks.append(("step", None))
        for entry in self._known(event.parameters):
            node = str(entry["node"])
            draft.focus.append(node)
            draft.marks.append(("step", node))
            self.put(draft, f"{node}-value", entry.get("after"))
        draft.sentences.append(narrate.step(event, self.nodes))

    def error(self, event: Error) -> None:
        self._flush_visit()
        draft = self.draft("error", event)
        draft.about = event.line
        draft.marks.append(("error", None))
        draft.sentences.append(narrate.error(event))

    def _known(self, parameters: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
        return [entry for entry in parameters if entry.get("node") in self.nodes]


def passes_of(frames: Sequence[Frame]) -> list[dict[str, Any]]:
    """The stretches of the walk: forward, backward and update, numbered where there are several of a kind."""
    stretches: list[dict[str, Any]] = []
    counts: dict[str, int] = {}
    current = ""
    for index, frame in enumerate(frames):
        part = "backward" if frame.pass_ else "update" if frame.kind in ("zero_grad", "step") else "forward"
        if frame.kind == "error":
            part = current or "forward"
        if part != current or frame.kind == "backward_start":
            counts[part] = counts.get(part, 0) + 1
            stretches.append({"title": f"{part} {counts[part]}", "part": part, "first": index, "last": index})
            current = part
        stretches[-1]["last"] = index
    for stretch in stretches:
        if counts[stretch["part"]] == 1:
            stretch["title"] = stretch["part"]
    return stretches


def _is_number(value: Value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _rounded(value: Value) -> Value:
    """An array value with its numbers as short texts, for the details panel; a summary stays a dict."""
    if isinstance(value, dict):
        return {key: _rounded(item) if isinstance(item, list) else item for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(item) for item in value]
    return notation.number(value)
