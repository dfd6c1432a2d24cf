"""Recording what the engine does while a program runs, up to the limits of the run."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from autograd.mode import modes, sync
from autograd.record import Recorder
from autograd.trace import Error, Trace
from snippets.errors import FILENAME, LimitReached
from snippets.limits import Limits

#: Events of a trace for each node that may be drawn: a node that is used again and again makes events, not nodes.
EVENTS_A_NODE = 10


class _LimitedRecorder(Recorder):
    """A recorder that tells its Recording when it is full."""

    def __init__(self, source: str, recording: Recording, limits: Limits) -> None:
        super().__init__(source, FILENAME)
        self._recording = recording
        self._nodes = limits.drawn_nodes
        self._events = limits.drawn_nodes * EVENTS_A_NODE

    def add(self, *arguments: Any, **keywords: Any) -> int:
        """Enter a node, or stop."""
        if len(self.entries) >= self._nodes or len(self.events) >= self._events:
            self._recording.filled()
        return super().add(*arguments, **keywords)

    def backward_start(self, *arguments: Any, **keywords: Any) -> None:
        """Begin a backward pass, or stop."""
        if len(self.events) >= self._events:
            self._recording.filled()
        super().backward_start(*arguments, **keywords)

    def ended(self, error: dict[str, Any]) -> None:
        """The program stopped with ``error`` (type, message, line)."""
        self.failure = (error["type"], error["message"], error["line"])
        self.events.append((Error, error["line"], error["type"], error["message"]))


class _Counter:
    """Counts what autograd records, as the engine's observer."""

    def __init__(self, limits: Limits) -> None:
        self._most = limits.recorded_operations
        self._operations = 0

    def operation(self, op: Any, inputs: Any, params: Any, outputs: list[Any]) -> None:
        """An operation ran."""
        if outputs and outputs[0].requires_grad:
            self._operations += 1
            if self._operations > self._most:
                raise LimitReached(
                    "operations",
                    f"stopped: autograd recorded more than {self._most:,} operations; run fewer steps of it",
                )

    def visited(self, node: Any) -> None:
        """A backward pass ran a node; this does not count."""

    def released(self, key: int) -> None:
        """A node let go of what it held; this does not count."""


class Recording:
    """Active while the program runs.

    When the trace is full the program is stopped if the trace is wanted; otherwise it goes on without being recorded.
    Operations that autograd records are counted in either case.
    """

    def __init__(self, source: str, limits: Limits, *, want_trace: bool, record: bool) -> None:
        self.full = False
        self._limits = limits
        self._want_trace = want_trace
        self._recorder = _LimitedRecorder(source, self, limits) if record else None
        self._counter = _Counter(limits)

    def __enter__(self) -> Recording:
        modes.recorder = self._recorder
        modes.observer = self._counter
        sync()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        modes.recorder = modes.observer = None
        modes.grad, modes.inference = True, False
        sync()
        if self._recorder is not None:
            self._recorder.finish_names()

    def filled(self) -> None:
        """The recorder has no room for more."""
        self.full = True
        if self._want_trace:
            most = self._limits.drawn_nodes
            raise LimitReached(
                "nodes", f"stopped: the program makes more than {most:,} nodes to draw; run fewer steps of it"
            )
        modes.recorder = None
        sync()

    def node_of(self, tensor: Any) -> str | None:
        """The id of the trace's node for ``tensor``, or None."""
        index = None if self._recorder is None else self._recorder.index_if_known(tensor)
        return None if index is None else f"n{index}"

    def trace(self, stdout: str, error: dict[str, Any] | None, warnings: list[dict[str, Any]]) -> Trace | None:
        """Everything recorded, with what the run printed and how it ended; None when nothing was to be recorded."""
        if self._recorder is None:
            return None
        if error is not None:
            self._recorder.ended(error)
        return self._recorder.trace(stdout, tuple(warnings))
