"""Recording: writes down what the engine does, as a :class:`~autograd.trace.Trace`.

While :func:`recording` is active in a thread, every operation tells the thread's :class:`Recorder` what it did, also
those that autograd does not record. What is written down at that moment is little: which operation, on what, the value,
the line. Everything textual (names, expressions, rules in symbols) is worked out at the end, in
:mod:`autograd.assemble`. A tensor and a node carry their :class:`Entry` in a slot (``_trace``) that is unset otherwise,
so the recorder keeps no tensor alive.

Lines and names of variables come from the innermost frame whose code has the recorder's ``filename``: the learner's
program.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

import autograd.trace as T  # not "from . import": an operation is called trace too

from .accounting import bytes_saved
from .entries import Entry, Literal
from .mode import modes, sync
from .node import Node
from .ops.generate import SCALARS
from .record_backward import BackwardRecorder
from .tensor import Tensor
from .values import numbers_in, raw

if TYPE_CHECKING:
    from .ops.table import Operation

_new = object.__new__


class Recorder(BackwardRecorder):
    """Collects what happens; :meth:`trace` makes a Trace of it."""

    # -- what the engine tells: operations -------------------------------------------------------------------------

    def created(self, t: Tensor, source: Any) -> None:
        """The learner made ``t`` out of ``source``."""
        index = self.enter(t, self.line())
        links: list[tuple[int, int, bool, str | None]] = []
        seen: set[int] = set()
        for value in numbers_in(source):
            found = self._escaped.get(id(value))
            if found is not None and found[0] is value and found[1] not in seen:
                seen.add(found[1])
                links.append((found[1], len(links), False, "numpy" if isinstance(value, np.ndarray) else "tensor"))
            elif isinstance(value, Tensor) and self.index_if_known(value) not in (None, index):
                links.append((self.index(value), len(links), False, "tensor"))
        self.entries[index].links = links

    def leaf(self, t: Tensor) -> None:
        """``requires_grad`` of ``t`` was set."""
        index = self.index_if_known(t)
        if index is None:
            self.enter(t, self.line())
            return
        entry = self.entries[index]
        entry.requires_grad = bool(t.requires_grad)
        if entry.kind != "op" or (entry.requires_grad and entry.node is None):
            entry.kind = "leaf" if entry.requires_grad else "constant"

    def quick(self, op: Operation, inputs: Any, params: tuple[Any, ...], t: Any) -> None:
        """``op`` ran on 0-d tensors and numbers and gave ``t``: :meth:`operation` in fewer steps."""
        if self._inside:
            return
        edge = t._edge
        if edge is None:
            self.operation(op, inputs, params, [t], 4)
            return
        node = edge[0]
        entry: Entry = _new(Entry)
        entry.kind = "op"
        entry.line = self.line(3)
        entry.scope = ".".join(self.scopes) if self.scopes else ""
        entry.shown = op.shown
        entry.operation = op
        entry.name = entry.links = entry.key = None
        entry.params = params
        entry.node = type(node).__name__
        entry.recorded = entry.requires_grad = True
        entry.reflected = self.reflected
        self.reflected = False
        token = self._token
        operands: list[Any] = []
        for x in inputs:
            if type(x) is not Tensor:
                operands.append(Literal(x))
                continue
            mark = getattr(x, "_trace", None)
            operands.append(mark.index if mark is not None and mark.token is token else self.index(x))
        entry.operands = operands
        entry.saved = _scalar_bytes(node.saved, t.array.itemsize) if node.frees else 0
        self.add(t, entry)
        node._trace = entry

    def operation(
        self, op: Operation, inputs: Any, params: tuple[Any, ...], outputs: list[Tensor], depth: int = 3
    ) -> None:
        """``op`` ran."""
        if self._inside:
            return
        line = self.line(depth)
        reflected, self.reflected = self.reflected, False
        operands = self._operands(inputs)
        made = [
            self._result(op, op.shown, t, operands, inputs, params, line, reflected, number)
            for number, t in enumerate(outputs[:1] if op.auxiliary else outputs)
        ]
        self._mark(outputs, made)

    def keyed(self, t: Tensor, x: Tensor, key: Any) -> None:
        """``t`` is ``x[key]``: remembers how the learner wrote it."""
        index = self.index_if_known(t)
        if index is None or self._inside:
            return
        parts = key if isinstance(key, tuple) else (key,)
        kept = [self.index(k) if isinstance(k, Tensor) else Literal(k) for k in parts]
        self.entries[index].key = (self.index(x), kept)

    def _mark(self, outputs: list[Tensor], made: list[Entry]) -> None:
        """Tells the node of ``outputs`` which entries are its results."""
        for t in outputs:
            node = t.grad_fn
            if node is not None:
                node._trace = made if len(made) > 1 else made[0]
                return

    def enter_function(self) -> None:
        """A custom function runs: what happens inside is one operation."""
        self._inside += 1

    def leave_function(self) -> None:
        """The custom function is done."""
        self._inside -= 1

    def function(self, name: str, node: Node | None, inputs: list[Tensor], outputs: list[Tensor]) -> None:
        """The custom function ``name`` ran."""
        if self._inside:
            return
        line = self.line()
        operands = self._operands(inputs)
        made = [
            self._result(None, name, t, operands, inputs, (), line, False, number) for number, t in enumerate(outputs)
        ]
        if node is not None and made:
            node._trace = made if len(made) > 1 else made[0]

    def _operands(self, inputs: Any) -> list[Any]:
        return [self.index(x) if isinstance(x, Tensor) else Literal(x) for x in inputs]

    def _result(
        self, op: Operation | None, shown: str, t: Tensor, operands: list[Any], inputs: Any, params: tuple[Any, ...],
        line: int | None, reflected: bool, number: int,
    ) -> Entry:  # fmt: skip
        """Enters one result of an operation."""
        entry = self._entry("op", line)
        node = t.grad_fn
        entry.shown = shown
        entry.operation = op
        entry.params = params
        entry.operands = operands
        entry.reflected = reflected
        if node is not None:
            entry.node = type(node).__name__
            entry.requires_grad = True
            entry.saved = bytes_saved(node) if number == 0 else 0
        else:
            entry.recorded = False
            entry.links = self._cut(op, shown, t, operands, inputs, reflected, number)
        self.add(t, entry)
        return entry

    def _cut(
        self,
        op: Operation | None,
        shown: str,
        t: Tensor,
        operands: list[Any],
        inputs: Any,
        reflected: bool,
        number: int,
    ) -> list[tuple[int, int, bool, str | None]]:
        """The edges into a result that has no history, and what cut each of them."""
        links: list[tuple[int, int, bool, str | None]] = []
        for position, (x, source) in enumerate(zip(inputs, operands, strict=True)):
            if not isinstance(source, int):
                continue
            how = None
            if isinstance(x, Tensor) and x.requires_grad:
                if op is None:
                    how = "no_grad" if not modes.grad else shown
                elif not op.differentiable or (op.nondiff and op.output_names[number] in op.nondiff):
                    how = op.cut or shown
                else:
                    how = "no_grad" if t.array.dtype.kind == "f" else shown
            argument = 1 - position if reflected and len(inputs) == 2 else position
            links.append((source, argument, False, how))
        return links

    def left(self, how: str, t: Tensor, value: Any) -> None:
        """``t`` left the graph by ``how`` (detach, item, numpy, ...) as ``value``."""
        if self._inside:
            return
        line = self.line(3)
        source = self.index(t)
        entry = self._entry("op", line)
        entry.shown, entry.recorded, entry.operands = how, False, (source,)
        entry.links = [(source, 0, False, how)]
        if isinstance(value, Tensor):
            self.add(value, entry)
            if value._storage is not None:
                self._alias(t, source)
            return
        index = self.add(_Carrier(t.array if isinstance(value, (list, np.ndarray)) else np.asarray(value)[()]), entry)
        for each in numbers_in(value):
            self._escaped[id(each)] = (each, index)

    def detached_in_place(self, t: Tensor) -> None:
        """``t.detach_()``: from here on ``t`` is another node, without history."""
        line = self.line()
        source = self.index(t)
        entry = self._entry("op", line)
        entry.shown, entry.recorded, entry.operands = "detach_", False, (source,)
        entry.links = [(source, 0, False, "detach")]
        entry.name = self.entries[source].name
        self.add(t, entry)

    # -- what the engine tells: in-place writes --------------------------------------------------------------------

    def before_write(self, t: Tensor) -> tuple[int, int]:
        """What there is to know about ``t`` before an in-place write."""
        index = self.index(t)
        if t._storage is None:
            return index, 0
        self._alias(t, index)
        return index, t._storage.version

    def after_write(
        self, t: Tensor, op: Operation | None, inputs: Any, params: tuple[Any, ...], before: Any, node: Node | None
    ) -> None:
        """``t`` was written in place; with ``node``, the write became part of the graph."""
        if self._inside:
            return
        line = self.line()
        index, version = before
        operands = [index, *self._operands(inputs[1:])]
        after = 0 if t._storage is None else t._storage.version
        value = raw(t.array)
        self.events.append((T.Mutate, line, index, value, version, after))
        for other, seen in self._aliases.get(id(t._storage), {}).items():
            if other == index or self.entries[other].shape != t.array.shape:
                continue
            array = t.array if seen is None else seen()  # None: nobody looks at it any more
            if array is t.array or (array is not None and np.may_share_memory(array, t.array)):
                self.events.append((T.Mutate, line, other, raw(array), version, after))
        if node is None:
            return
        shown = (op.shown if op is not None else "set_data") + "_"
        new = self._result(op, shown, t, operands, inputs, params, line, False, 0)
        new.name = self.entries[index].name
        node._trace = new
        view = t._meta.view if t._meta is not None else None
        base_node = view.base.grad_fn if view is not None else None
        if view is not None and base_node is not None:
            base = self.index(view.base)
            whole = self._entry("op", line)
            whole.shown, whole.node, whole.requires_grad = "copy_slices", type(base_node).__name__, True
            whole.operands = (base, *[new.index] * (len(base_node.next_functions) - 1))
            whole.links = [(base, 0, True, None), (new.index, 1, True, None)]
            whole.name = self.entries[base].name
            self.add(view.base, whole)
            base_node._trace = whole

    # -- optimizers, errors ----------------------------------------------------------------------------------------

    def zero_grad(self, optimizer: str, parameters: list[tuple[Tensor, Any, Any]]) -> None:
        """Gradients were cleared: (parameter, .grad before, .grad after) each."""
        rows = [{"node": self.index(p), "before": raw(before), "after": raw(after)} for p, before, after in parameters]
        self.events.append((T.ZeroGrad, self.line(), optimizer, rows))

    def step(self, optimizer: str, parameters: list[tuple[Tensor, Any, Any, Any]]) -> None:
        """An optimizer moved parameters: (parameter, value before, value after, gradient) each."""
        rows = [
            {"node": self.index(p), "before": raw(before), "after": raw(after), "grad": raw(g)}
            for p, before, after, g in parameters
        ]
        self.events.append((T.Step, self.line(), optimizer, rows))

    def error(self, error: BaseException, line: int | None = None) -> None:
        """The program stopped with ``error``."""
        if line is None:
            at = error.__traceback__
            while at is not None:
                if at.tb_frame.f_code.co_filename == self.filename:
                    line = at.tb_lineno
                at = at.tb_next
        self.failure = (type(error).__name__, str(error), line)
        self.events.append((T.Error, line, *self.failure[:2]))

    def trace(self, stdout: str = "", warnings: tuple[dict[str, Any], ...] = ()) -> T.Trace:
        """Everything so far as a Trace."""
        from .assemble import assemble

        self.finish_names()
        return assemble(self, stdout, warnings)


def _scalar_bytes(saved: Any, itemsize: int) -> int:
    """What a node on 0-d values saves: one entry for each tensor or value, the same one twice counts once."""
    count, last = 0, None
    for value in saved:
        if (type(value) is Tensor or type(value) in SCALARS) and value is not last:
            count += 1
            last = value
    return count * itemsize


class _Carrier:
    """A number or array on its way out, for the trace only."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self._storage = None
        self._trace: Any = None


@contextmanager
def recording(source: str = "", filename: str = "<snippet>") -> Iterator[Recorder]:
    """Records what this thread does with tensors until the block ends."""
    recorder = Recorder(source, filename)
    before = modes.recorder
    modes.recorder = recorder
    sync()
    try:
        yield recorder
    finally:
        modes.recorder = before
        recorder.finish_names()
        sync()


@contextmanager
def unwatched() -> Iterator[None]:
    """Nothing is recorded inside: what is computed there is no step of the learner's program."""
    before, modes.recorder = modes.recorder, None
    sync()
    try:
        yield
    finally:
        modes.recorder = before
        sync()


@contextmanager
def scope(name: str) -> Iterator[None]:
    """Operations inside belong to the module ``name`` (``net.layers.0``), if somebody records."""
    recorder = modes.recorder
    if recorder is None:
        yield
        return
    recorder.scopes.append(name)
    try:
        yield
    finally:
        recorder.scopes.pop()
