"""A trace, indexed for questions: what lies behind a node, which passes ran, what reached which leaf."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from autograd.trace import (
    Accumulate,
    BackwardEnd,
    BackwardStart,
    Contribute,
    Event,
    Forward,
    Free,
    LeafGrad,
    Mutate,
    Step,
    Trace,
    TraceEdge,
    TraceNode,
    Visit,
    ZeroGrad,
)
from snippets.diagnose.source import Source

#: Operations whose result shares the storage of their first argument.
# fmt: off
SHARES_STORAGE = {
    "alias", "as_strided", "chunk", "data", "detach", "detach_", "diagonal", "expand", "expand_as", "flatten",
    "movedim", "narrow", "permute", "reshape", "select", "slice", "split", "squeeze", "swapaxes", "t",
    "transpose", "unbind", "unfold", "unsqueeze", "view", "view_as",
}
# fmt: on


#: Rules that read every number of a pass look at so many passes.
MANY = 12


@dataclass(slots=True)
class Pass:
    """One backward pass: where it started and what it reached."""

    number: int
    start: BackwardStart
    end: int | None = None
    visited: set[str] = field(default_factory=set)
    leaf_grads: list[LeafGrad] = field(default_factory=list)
    contributions: list[Contribute] = field(default_factory=list)
    accumulated: list[Accumulate] = field(default_factory=list)
    freed: set[str] = field(default_factory=set)


class Reading:
    """What the rules look at: the trace (indexed), the source, the outcome and the facts about live objects.

    ``facts`` (see ``snippets.facts``) names what a trace does not hold: which optimizer holds which leaf, what a module
    keeps outside its registry, which nodes share storage.
    """

    def __init__(
        self,
        trace: Trace,
        *,
        values: Mapping[str, Any] | None = None,
        error: Mapping[str, Any] | None = None,
        warnings: Iterable[Mapping[str, Any]] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> None:
        self.trace = trace
        self.source = Source(trace.source)
        self.values = dict(values or {})
        self.error = dict(error) if error else None
        self.warnings = list(warnings)
        self.facts = dict(facts or {})
        self.nodes: dict[str, TraceNode] = {node.id: node for node in trace.nodes}
        self.into: dict[str, list[TraceEdge]] = defaultdict(list)
        self.out_of: dict[str, list[TraceEdge]] = defaultdict(list)
        for edge in trace.edges:
            self.into[edge.dst].append(edge)
            self.out_of[edge.src].append(edge)
        self.edges = {edge.id: edge for edge in trace.edges}
        self.value: dict[str, Any] = {}
        self.born: dict[str, int] = {}
        for event in trace.events:
            if isinstance(event, Forward):
                self.value[event.node] = event.value
                self.born[event.node] = event.t

    # -- errors -------------------------------------------------------------------------------------------------

    @property
    def message(self) -> str:
        """The text of the error that stopped the snippet; empty when none did."""
        return self.error["message"] if self.error else ""

    @property
    def error_line(self) -> int | None:
        """The line of the error."""
        return self.error["line"] if self.error else None

    # -- events -------------------------------------------------------------------------------------------------

    def events(self, kind: type[Event]) -> list[Any]:
        """All events of one kind, in order."""
        return self._by_kind[kind]

    @cached_property
    def _by_kind(self) -> dict[type[Event], list[Event]]:
        out: dict[type[Event], list[Event]] = defaultdict(list)
        for event in self.trace.events:
            out[type(event)].append(event)
        return out

    @cached_property
    def passes(self) -> list[Pass]:
        """The backward passes, in order."""
        found: dict[int, Pass] = {}
        for event in self.trace.events:
            kind = type(event)
            if kind is BackwardStart:
                found[event.pass_] = Pass(event.pass_, event)  # type: ignore[attr-defined, arg-type]
                continue
            one = found.get(getattr(event, "pass_", -1))
            if one is None:
                continue
            if kind is Contribute:
                one.contributions.append(event)  # type: ignore[arg-type]
            elif kind is Accumulate:
                one.accumulated.append(event)  # type: ignore[arg-type]
            elif kind is Visit:
                one.visited.add(event.node)  # type: ignore[attr-defined]
            elif kind is Free:
                one.freed.add(event.node)  # type: ignore[attr-defined]
            elif kind is LeafGrad:
                one.leaf_grads.append(event)  # type: ignore[arg-type]
            elif kind is BackwardEnd:
                one.end = event.t
        return list(found.values())

    @cached_property
    def failed_pass(self) -> Pass | None:
        """The backward pass that an error stopped, if one did."""
        unfinished = [p for p in self.passes if p.end is None]
        return unfinished[-1] if self.error and unfinished else None

    @property
    def some_passes(self) -> list[Pass]:
        """The first passes that finished, and the last: what is wrong with a long training shows in them."""
        finished = [p for p in self.passes if p.end is not None]
        return finished if len(finished) <= MANY else [*finished[: MANY - 1], finished[-1]]

    @property
    def steps(self) -> list[Step]:
        """Optimizer steps."""
        return self.events(Step)

    @property
    def zeroings(self) -> list[ZeroGrad]:
        """Optimizer or module zero_grad calls."""
        return self.events(ZeroGrad)

    @property
    def mutations(self) -> list[Mutate]:
        """In-place writes."""
        return self.events(Mutate)

    # -- the graph ----------------------------------------------------------------------------------------------

    def name(self, node_id: str) -> str:
        """What to call a node in a sentence: its variable, else its expression, else its line."""
        node = self.nodes[node_id]
        if node.name:
            return node.name
        if node.expr:
            return f"`{node.expr}`"
        return f"the {node.op or node.kind} of line {node.line}"

    def behind(self, node_id: str, *, through_cuts: bool = False) -> set[str]:
        """All nodes that ``node_id`` was computed from; with ``through_cuts`` also across severed edges."""
        return self._walk([node_id], self.into, through_cuts, lambda edge: edge.src)

    def ahead(self, node_id: str, *, through_cuts: bool = False) -> set[str]:
        """All nodes computed from ``node_id``."""
        return self._walk([node_id], self.out_of, through_cuts, lambda edge: edge.dst)

    @staticmethod
    def _walk(start: list[str], table: Mapping[str, list[TraceEdge]], through_cuts: bool, other: Any) -> set[str]:
        seen: set[str] = set()
        stack = list(start)
        while stack:
            for edge in table.get(stack.pop(), ()):
                if (edge.recorded or through_cuts) and other(edge) not in seen:
                    seen.add(other(edge))
                    stack.append(other(edge))
        return seen

    def cuts_between(self, leaf: str, root: str) -> list[TraceEdge]:
        """The severed edges on ways from ``leaf`` to ``root``, first in the program first."""
        ahead = self.ahead(leaf, through_cuts=True) | {leaf}
        behind = self.behind(root, through_cuts=True) | {root}
        crossing = [e for e in self.trace.edges if not e.recorded and e.src in ahead and e.dst in behind]
        return sorted(crossing, key=lambda e: self.born.get(e.dst, 0))

    @cached_property
    def learners(self) -> list[TraceNode]:
        """Leaves that require grad, in order of creation."""
        return [n for n in self.trace.nodes if n.is_leaf and n.requires_grad and n.kind == "leaf"]

    def roots(self) -> list[str]:
        """The nodes from which a backward pass started, without repeats."""
        return list(dict.fromkeys(p.start.root for p in self.passes))

    @cached_property
    def reached(self) -> set[str]:
        """Every node that some backward pass visited."""
        return set().union(*(p.visited for p in self.passes)) if self.passes else set()

    def origin(self, node_id: str) -> str:
        """The node whose storage a view or an alias (detach, .data) shares; the node itself when it owns
        its storage.
        """
        for _ in range(100):
            node = self.nodes[node_id]
            source = next((edge.src for edge in self.into[node_id]), None)
            if node.op not in SHARES_STORAGE or source is None:
                break
            node_id = source
        return node_id

    def named(self, name: str) -> list[TraceNode]:
        """The nodes that bore a variable's name, in order."""
        return [n for n in self.trace.nodes if n.name == name]

    @cached_property
    def optimizer(self) -> str:
        """The name of the snippet's optimizer when it has exactly one, otherwise empty."""
        names = [found["name"] for found in self.facts.get("optimizers", ())]
        return str(names[0]) if len(names) == 1 else ""

    def optimizer_holds(self, node_id: str) -> bool:
        """Whether some optimizer of the snippet moves this leaf."""
        return node_id in self.held

    @cached_property
    def held(self) -> set[str]:
        """The leaves that the snippet's optimizers move."""
        stepped = [p for e in self.steps for p in e.parameters] + [p for e in self.zeroings for p in e.parameters]
        from_events = {p["node"] for p in stepped}
        from_facts = {node for o in self.facts.get("optimizers", ()) for node in o["parameters"]}
        return from_events | from_facts


def entries(value: Any) -> list[float | str]:
    """The entries of a traced value as a flat list (of a large array: its sample)."""
    if isinstance(value, dict):
        return entries(value.get("sample", []))
    if isinstance(value, list):
        return [entry for item in value for entry in entries(item)]
    return [] if value is None else [value]


def is_zero(value: Any) -> bool:
    """Whether every entry is zero (a large array: by its norm)."""
    if isinstance(value, dict):
        return value.get("norm") == 0
    found = entries(value)
    return bool(found) and all(entry == 0 for entry in found)


def has_nan(value: Any) -> bool:
    """Whether nan or an infinity occurs; a trace writes them as words."""
    if isinstance(value, float):
        return False
    if isinstance(value, list):
        return any(map(has_nan, value))
    if isinstance(value, dict):
        return any(isinstance(value.get(key), str) for key in ("min", "max", "mean", "norm"))
    return isinstance(value, str)


def count(shape: tuple[int, ...]) -> int:
    out = 1
    for extent in shape:
        out *= extent
    return out
