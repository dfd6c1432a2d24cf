"""Runs one program and describes what came of it. Only ever called in a worker process."""

from __future__ import annotations

import sys
import types
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from autograd.trace import Trace
from snippets.builtin_names import builtin_names
from snippets.errors import FILENAME, LimitReached, NotAllowed, describe, line_of
from snippets.facts import collect
from snippets.guards import Guards
from snippets.limits import MEBIBYTE, Limits
from snippets.modules import Importer
from snippets.policy import compile_snippet
from snippets.recording import Recording
from snippets.stdout import Output
from snippets.values import values_of
from snippets.watch import Watch, line_of_frame

MOST_WARNINGS = 200


class _Warnings:
    """Notes each warning once, with the line of the program at which it came up."""

    def __init__(self) -> None:
        self.noted: list[dict[str, Any]] = []
        self._seen: set[tuple[str, str, int | None]] = set()

    def note(
        self, message: Any, category: type[Warning], filename: str, lineno: int, file: Any = None, line: Any = None
    ) -> None:
        """Stands in for ``warnings.showwarning``."""
        where = lineno if filename == FILENAME else line_of_frame(sys._getframe())
        key = (category.__name__, str(message), where)
        if key not in self._seen and len(self.noted) < MOST_WARNINGS:
            self._seen.add(key)
            self.noted.append({"category": key[0], "message": key[1], "line": where})


def execute(
    source: str,
    limits: Limits,
    *,
    watch: Watch,
    importer: Importer,
    want_trace: bool,
    record: bool,
    policy: bool = True,
) -> dict[str, Any]:
    """Run ``source``; the fields of :class:`snippets.result.Result`, with a Trace (or None) under ``trace``.

    ``want_trace`` makes a full trace a reason to stop; otherwise recording ends there and the program goes on.
    ``policy=False`` leaves the first wall out: the tests of the second use it.
    """
    output = Output(limits.output_bytes)
    caught = _Warnings()
    main = types.ModuleType("__main__")
    namespace = vars(main)
    namespace.clear()
    namespace.update(__name__="__main__", __doc__=None)
    if policy:
        namespace["__builtins__"] = builtin_names(Guards(namespace), _printer(output), importer)
    else:
        namespace.update(__builtins__=__builtins__, print=_printer(output))
    sys.modules["__main__"] = main
    error: BaseException | None = None
    recording = Recording(source, limits, want_trace=want_trace, record=record)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = caught.note
        try:
            watch.start()
            try:
                code = compile_snippet(source) if policy else compile(source, FILENAME, "exec", dont_inherit=True)
                with recording:
                    exec(code, namespace)
            finally:
                watch.stop()
        except BaseException as raised:
            error = raised
    told, limit, values, facts = None, None, {}, {}
    with suppress(LimitReached), watch.briefly():  # what is not known when this time is over too is left out
        told, limit = _tell(error, watch, limits)
        values = _within_time(lambda: values_of(namespace))
        facts = _within_time(lambda: collect(namespace, recording.node_of))
    trace = recording.trace(output.text(), told, caught.noted)
    return {
        "stdout": output.text(),
        "values": values,
        "error": told,
        "warnings": caught.noted,
        "limit": limit,
        "truncated": recording.full,
        "facts": facts,
        "trace": trace,
    }


def _within_time(describe: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """What ``describe`` finds; nothing when the program's own methods fail or take too long when they are asked."""
    try:
        return describe()
    except BaseException:
        return {}


def _printer(output: Output) -> Any:
    def print(*values: Any, sep: Any = None, end: Any = None, file: Any = None, flush: Any = False) -> None:
        output.print(*values, sep=sep, end=end, file=file, flush=flush)

    return print


def _tell(error: BaseException | None, watch: Watch, limits: Limits) -> tuple[dict[str, Any] | None, str | None]:
    if watch.reached is not None:  # also when the program swallowed it at the last moment
        error = watch.reached if error is None or isinstance(error, LimitReached) else error
    if error is None:
        return None, None
    try:
        told = describe(error)
    except LimitReached:
        told = {
            "type": type(error).__name__,
            "message": "(its message takes too long)",
            "line": line_of(error.__traceback__),
        }
    if isinstance(error, LimitReached):
        return {**told, "type": "LimitReached"}, error.limit
    if isinstance(error, MemoryError):
        amount = limits.memory_bytes / MEBIBYTE
        told["message"] = (
            f"a run may use {amount:g} MiB more than an idle one, and this needs more: {told['message']}".rstrip(": ")
        )
        return told, "memory"
    if isinstance(error, NotAllowed):
        told["type"] = "NotAllowed"
    return told, None


def message_of(fields: dict[str, Any], want_trace: bool) -> dict[str, Any]:
    """The same fields as JSON-ready data."""
    trace: Trace | None = fields["trace"]
    return {**fields, "trace": trace.to_dict() if trace is not None and want_trace else None}
