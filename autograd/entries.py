"""Entries: the nodes of a trace in the making, and where in the learner's program they come from.

A tensor and a node carry their :class:`Entry` in a slot (``_trace``) that is unset otherwise, so that nothing is kept
alive.
"""

from __future__ import annotations

import sys
import weakref
from types import FrameType
from typing import Any

import numpy as np

import autograd.trace as T  # not "from . import": an operation is called trace too

from .dtypes import OF_NUMPY, OF_SCALAR
from .naming import assignments, value_at
from .tensor import Tensor
from .values import raw

_new = object.__new__


class Entry:
    """A node of the trace in the making.

    ``operands``: for each input the number of its entry, or a :class:`Literal`. ``links``: edges that are not simply
    one from each operand: (source, argument, recorded, how). ``kept``: the raw 0-d value, or (shape, NumPy dtype).
    """

    __slots__ = (
        "index", "kept", "key", "kind", "line", "links", "name", "node", "operands", "operation", "params", "recorded",
        "reflected", "requires_grad", "saved", "scope", "shown", "token",
    )  # fmt: skip

    index: int
    token: object
    kind: str
    shown: str | None
    operation: Any
    params: tuple[Any, ...]
    node: str | None
    line: int | None
    scope: str
    kept: Any
    operands: Any
    links: list[tuple[int, int, bool, str | None]] | None
    name: str | None
    key: Any
    recorded: bool
    requires_grad: bool
    reflected: bool
    saved: int

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the tensor."""
        return self.kept[0] if type(self.kept) is tuple else ()

    @property
    def dtype(self) -> str:
        """The name of its data type."""
        kept = self.kept
        return OF_NUMPY[kept[1]].name if type(kept) is tuple else OF_SCALAR[type(kept)].name


class Literal:
    """A number that stands in an expression as it is."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class Entries:
    """The entries and events so far, and the line that is running."""

    def __init__(self, source: str, filename: str) -> None:
        self.source = source
        self.filename = filename
        self.entries: list[Entry] = []
        #: (event class, line, its other fields), numbers of entries instead of ids
        self.events: list[tuple[Any, ...]] = []
        self.reflected = False
        self.scopes: list[str] = []
        self.failure: tuple[str, str, int | None] | None = None
        self._inside = 0
        self._passes = 0
        self._waiting: dict[Any, Any] = {}
        self._locals: Any = None
        self._here: Any = None
        self._recorded_pass = False
        self._escaped: dict[int, tuple[Any, int]] = {}
        #: for a storage: the entries that look at it, each with the memory it sees (None for a number)
        self._aliases: dict[int, dict[int, weakref.ref[Any] | None]] = {}
        self._graded: dict[int, weakref.ref[Tensor]] = {}
        self._targets = assignments(source)
        self._before: tuple[FrameType, int] | None = None
        self._now: int | None = None
        self._token = object()

    # -- where are we ----------------------------------------------------------------------------------------------

    def line(self, depth: int = 2) -> int | None:
        """The line of the learner's program that is running; also names what its previous statement assigned."""
        frame: FrameType | None = sys._getframe(depth)
        filename = self.filename
        while frame is not None and frame.f_code.co_filename != filename:
            frame = frame.f_back
        if frame is None:
            return None
        if self._before is not None and self._before[1] in self._targets:
            self._name_targets(*self._before)
        line: int = frame.f_lineno
        self._before = (frame, line)
        self._now = line
        return line

    def _name_targets(self, frame: FrameType, line: int) -> None:
        """Gives the tensors that ``line`` assigned the names it assigned them to."""
        for name, way in self._targets[line]:
            value = value_at(frame, way)
            if isinstance(value, Tensor):
                self.name(value, name)

    def name(self, t: Tensor, name: str) -> None:
        """Calls ``t`` by ``name`` in the trace, unless it has a name already."""
        index = self.index_if_known(t)
        if index is not None and self.entries[index].name is None:
            self.entries[index].name = name

    def finish_names(self) -> None:
        """Names what the last statement assigned; lets go of the learner's frame."""
        if self._before is not None:
            if self._before[1] in self._targets:
                self._name_targets(*self._before)
            self._before = None

    # -- entries ---------------------------------------------------------------------------------------------------

    def index_if_known(self, t: Any) -> int | None:
        """The number of ``t`` in this trace, or None."""
        entry = getattr(t, "_trace", None)
        return entry.index if entry is not None and entry.token is self._token else None

    def index(self, t: Tensor) -> int:
        """The number of ``t`` in this trace; tensors from before the recording are entered now, as leaf or constant."""
        found = self.index_if_known(t)
        return found if found is not None else self.enter(t, self._now)

    def enter(self, t: Tensor, line: int | None) -> int:
        """Enters a tensor that no operation made; returns its number."""
        entry = self._entry("leaf" if t.requires_grad else "constant", line)
        entry.requires_grad = bool(t.requires_grad)
        for ref in self._graded.values():
            leaf = ref()
            if leaf is not None and leaf._meta is not None and leaf._meta.grad is t:
                name = self.entries[self.index(leaf)].name
                entry.name = f"{name}.grad" if name else None
        return self.add(t, entry)

    def _entry(self, kind: str, line: int | None) -> Entry:
        entry: Entry = _new(Entry)
        entry.kind = kind
        entry.line = line
        entry.scope = ".".join(self.scopes) if self.scopes else ""
        entry.shown = entry.operation = entry.node = entry.name = entry.links = entry.key = None
        entry.params = entry.operands = ()
        entry.recorded = True
        entry.requires_grad = entry.reflected = False
        entry.saved = 0
        return entry

    def add(self, t: Any, entry: Entry) -> int:
        """Puts ``entry`` for ``t`` into the trace, with its forward event; returns its number."""
        index = len(self.entries)
        self.entries.append(entry)
        entry.index = index
        entry.token = self._token
        t._trace = entry
        array = t.array
        if type(array) is np.ndarray:
            entry.kept = (array.shape, array.dtype)
            self.events.append((T.Forward, entry.line, index, raw(array)))
            if t._storage is not None:
                self._alias(t, index)
        else:
            entry.kept = array
            self.events.append((T.Forward, entry.line, index, array))
        return index

    def _alias(self, t: Tensor, index: int) -> None:
        """Notes which entries look at the same memory."""
        array = t.array
        seen = weakref.ref(array) if isinstance(array, np.ndarray) else None
        self._aliases.setdefault(id(t._storage), {})[index] = seen
