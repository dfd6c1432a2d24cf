"""The trace: what ran, as plain data.

A :class:`Trace` is the one contract between the engine and everything that shows it. It is immutable, goes to JSON and
back without loss, and is complete: pictures, narration, tables, exports and diagnoses are made from it alone. No engine
object is reachable from a trace.

Values
    A 0-d tensor is a number. An array of up to :data:`FULL_VALUE_LIMIT` entries is a nested list. A larger array is a
    dict ``{"shape", "min", "max", "mean", "norm", "sample"}``. nan and the infinities are the strings ``"nan"``,
    ``"inf"`` and ``"-inf"``. None means "there is none yet".
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar

TRACE_VERSION = 1
FULL_VALUE_LIMIT = 64

#: A traced value: number, "nan"/"inf"/"-inf", nested list of those, summary dict of a large array, or None.
Value = Any


@dataclass(frozen=True, slots=True)
class TraceNode:
    """One tensor of the run: a leaf, a constant, or the result of an operation.

    ``id`` is ``n0``, ``n1``, ... in order of creation. ``op`` is the operation's name in the operation table (None for
    leaves and constants); ``grad_fn`` is the name PyTorch prints, such as ``MulBackward0`` (None when nothing was
    recorded). ``expr`` is the operation as a reader writes it, with the learner's names where there are some
    (``2 * x``). ``scope`` is the module path (``net.layers.0``), empty outside modules. ``saved_bytes`` counts what
    this operation holds for its backward rule.
    """

    id: str
    kind: str  # leaf | op | constant
    op: str | None
    grad_fn: str | None
    name: str | None
    line: int | None
    scope: str
    shape: tuple[int, ...]
    dtype: str
    requires_grad: bool
    is_leaf: bool
    recorded: bool
    saved_bytes: int
    expr: str = ""

    def called(self, name: str | None, expr: str) -> TraceNode:
        """The same tensor under another name and expression."""
        return TraceNode(
            self.id, self.kind, self.op, self.grad_fn, name, self.line, self.scope, self.shape, self.dtype,
            self.requires_grad, self.is_leaf, self.recorded, self.saved_bytes, expr,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TraceEdge:
    """One use of ``src`` as argument number ``arg`` of ``dst``; ``x * x`` has two edges.

    ``how`` is None for an edge the gradient can travel, otherwise what cut it: ``detach``, ``no_grad``, ``item``,
    ``numpy``, ``tensor``, ``argmax``, ``comparison``, ...
    """

    id: str
    src: str
    dst: str
    arg: int
    recorded: bool
    how: str | None = None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at time ``t`` (0, 1, 2, ...) while ``line`` of the source was running."""

    kind: ClassVar[str] = ""
    t: int
    line: int | None


@dataclass(frozen=True, slots=True)
class Forward(Event):
    """``node`` came into being with ``value``."""

    kind: ClassVar[str] = "forward"
    node: str
    value: Value


@dataclass(frozen=True, slots=True)
class Mutate(Event):
    """The storage behind ``node`` was written in place (also through a view or an alias)."""

    kind: ClassVar[str] = "mutate"
    node: str
    value: Value
    version_before: int
    version_after: int


@dataclass(frozen=True, slots=True)
class BackwardStart(Event):
    """A backward pass (number ``pass_``, from 1) starts at ``root`` with the gradient ``seed``."""

    kind: ClassVar[str] = "backward_start"
    pass_: int
    root: str
    seed: Value
    retain_graph: bool


@dataclass(frozen=True, slots=True)
class Visit(Event):
    """``node`` is processed: its ``upstream`` gradient is complete."""

    kind: ClassVar[str] = "visit"
    pass_: int
    node: str
    upstream: Value


@dataclass(frozen=True, slots=True)
class Contribute(Event):
    """``upstream`` times the local derivative travels along ``edge`` as ``value``.

    For scalars ``local`` is the number, so that upstream * local = value. For arrays it is
    ``{"rule", "upstream_shape", "shape"}``: the vector-Jacobian product in symbols and the shapes of what goes in and
    comes out. ``rule`` is the local derivative (scalars) or VJP (arrays) in symbols.
    """

    kind: ClassVar[str] = "contribute"
    pass_: int
    edge: str
    upstream: Value
    local: Value
    value: Value
    rule: str = ""


@dataclass(frozen=True, slots=True)
class Accumulate(Event):
    """A contribution arrived at ``node``: ``before`` (None if it is the first) + ``added`` = ``after``.

    ``pending`` counts the contributions still to come in this pass.
    """

    kind: ClassVar[str] = "accumulate"
    pass_: int
    node: str
    before: Value
    added: Value
    after: Value
    pending: int


@dataclass(frozen=True, slots=True)
class LeafGrad(Event):
    """``added`` landed in ``.grad`` of ``node`` (``before`` is None when .grad was None)."""

    kind: ClassVar[str] = "leaf_grad"
    pass_: int
    node: str
    before: Value
    added: Value
    after: Value


@dataclass(frozen=True, slots=True)
class Free(Event):
    """``node`` let go of the ``bytes`` it had saved for its backward rule."""

    kind: ClassVar[str] = "free"
    pass_: int
    node: str
    bytes: int


@dataclass(frozen=True, slots=True)
class BackwardEnd(Event):
    """The backward pass ``pass_`` is over."""

    kind: ClassVar[str] = "backward_end"
    pass_: int


@dataclass(frozen=True, slots=True)
class ZeroGrad(Event):
    """Gradients were cleared. ``parameters``: list of ``{"node", "before", "after"}`` (values of .grad)."""

    kind: ClassVar[str] = "zero_grad"
    optimizer: str
    parameters: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Step(Event):
    """An optimizer moved parameters. ``parameters``: list of ``{"node", "before", "after", "grad"}``."""

    kind: ClassVar[str] = "step"
    optimizer: str
    parameters: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Error(Event):
    """The program stopped with an exception."""

    kind: ClassVar[str] = "error"
    type: str
    message: str


EVENT_TYPES: dict[str, type[Event]] = {
    cls.kind: cls
    for cls in (
        Forward,
        Mutate,
        BackwardStart,
        Visit,
        Contribute,
        Accumulate,
        LeafGrad,
        Free,
        BackwardEnd,
        ZeroGrad,
        Step,
        Error,
    )
}


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Trace:
    """What a program did, complete and as plain data.

    ``error`` is None or ``{"type", "message", "line"}``; ``warnings`` are ``{"category", "message", "line"}``.
    """

    source: str
    nodes: tuple[TraceNode, ...]
    edges: tuple[TraceEdge, ...]
    events: tuple[Event, ...]
    stdout: str = ""
    error: dict[str, Any] | None = None
    warnings: tuple[dict[str, Any], ...] = field(default=())
    version: int = TRACE_VERSION

    #: Turns a trace into HTML for a notebook; :mod:`snippets` puts its stepper here, the engine has only the picture.
    viewer: ClassVar[Callable[[Trace], str] | None] = None

    def _repr_html_(self) -> str:
        """The walk in a notebook cell: the stepper where there is one, otherwise the picture after the last step."""
        if Trace.viewer is not None:
            return Trace.viewer(self)
        from autograd.dot import dot
        from autograd.layout import layout, standalone

        return standalone(layout(dot(self)).svg)

    def to_dict(self) -> dict[str, Any]:
        """The trace as JSON-ready dicts and lists, keys as in the contract (``pass``, not ``pass_``)."""
        return {
            "version": self.version,
            "source": self.source,
            "nodes": [_plain(node) for node in self.nodes],
            "edges": [_plain(edge) for edge in self.edges],
            "events": [_plain_event(event) for event in self.events],
            "stdout": self.stdout,
            "error": self.error,
            "warnings": list(self.warnings),
        }

    def to_json(self) -> str:
        """The trace as one line of JSON."""
        return json.dumps(self.to_dict(), separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Trace:
        """The inverse of :meth:`to_dict`.

        Raises ValueError when the data was written by a newer version of the contract.
        """
        if data["version"] > TRACE_VERSION:
            raise ValueError(
                f"this trace has version {data['version']}; this program reads versions up to {TRACE_VERSION}"
            )
        return cls(
            source=data["source"],
            nodes=tuple(TraceNode(**{**node, "shape": tuple(node["shape"])}) for node in data["nodes"]),
            edges=tuple(TraceEdge(**edge) for edge in data["edges"]),
            events=tuple(_event(event) for event in data["events"]),
            stdout=data["stdout"],
            error=data["error"],
            warnings=tuple(data["warnings"]),
            version=data["version"],
        )

    @classmethod
    def from_json(cls, text: str) -> Trace:
        """The inverse of :meth:`to_json`."""
        return cls.from_dict(json.loads(text))


def _reader(kind: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The names of a type's fields as they are written, and what reads their values."""
    names = [f.name for f in fields(kind)]
    return tuple("pass" if name == "pass_" else name for name in names), attrgetter(*names)


_READERS = {kind: _reader(kind) for kind in (TraceNode, TraceEdge, *EVENT_TYPES.values())}


def _plain(item: TraceNode | TraceEdge) -> dict[str, Any]:
    names, values = _READERS[type(item)]
    out = dict(zip(names, values(item), strict=True))
    if "shape" in out:
        out["shape"] = list(out["shape"])
    return out


def _plain_event(event: Event) -> dict[str, Any]:
    names, values = _READERS[type(event)]
    out = {"kind": event.kind, **dict(zip(names, values(event), strict=True))}
    if "parameters" in out:
        out["parameters"] = list(out["parameters"])
    return out


def _event(data: dict[str, Any]) -> Event:
    values = {("pass_" if key == "pass" else key): value for key, value in data.items() if key != "kind"}
    if "parameters" in values:
        values["parameters"] = tuple(values["parameters"])
    return EVENT_TYPES[data["kind"]](**values)
