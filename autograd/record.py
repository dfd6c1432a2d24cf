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

import sys
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

import autograd.trace as T  # not "from . import": an operation is called trace too

from .accounting import bytes_saved
from .dispatch import PackedTensor
from .dtypes import OF_NUMPY, OF_SCALAR
from .mode import modes, sync
from .naming import assignments, value_at
from .node import AccumulateGrad, Node
from .ops.generate import SCALARS
from .tensor import Tensor
from .values import numbers_in, raw

if TYPE_CHECKING:
    from .ops.table import Operation

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


class Recorder:
    """Collects what happens; :meth:`trace` makes a Trace of it."""

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
        self._aliases: dict[int, list[int]] = {}
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
        known = self._aliases.setdefault(id(t._storage), [])
        if index not in known:
            known.append(index)

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
            entry.node = node.name()
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
        for other in self._aliases.get(id(t._storage), ()):
            if other != index and self.entries[other].shape == t.array.shape:
                self.events.append((T.Mutate, line, other, value, version, after))
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
            whole.shown, whole.node, whole.requires_grad = "copy_slices", base_node.name(), True
            whole.operands = (base, *[new.index] * (len(base_node.next_functions) - 1))
            whole.links = [(base, 0, True, None), (new.index, 1, True, None)]
            whole.name = self.entries[base].name
            self.add(view.base, whole)
            base_node._trace = whole

    # -- what the engine tells: the backward pass ------------------------------------------------------------------

    def _of(self, node: Any, number: int) -> Entry:
        """The entry of result ``number`` of ``node``."""
        mark = getattr(node, "_trace", None)
        if mark is not None:
            if type(mark) is list:
                mark = mark[number if number < len(mark) else -1]
            if mark.token is self._token:
                found: Entry = mark
                return found
        if isinstance(node, AccumulateGrad):
            entry = node._trace = self.entries[self.index(node.variable)]
            return entry
        return self._unknown(node)

    def _unknown(self, node: Node) -> Entry:
        """An entry for a node that was made out of sight, and for what it came from."""
        todo = [node]
        while todo:
            current = todo[-1]
            missing = [
                target
                for target, _ in current.next_functions
                if target is not None and not isinstance(target, AccumulateGrad) and not self._knows(target)
            ]
            if missing:
                todo.append(missing[0])
                continue
            todo.pop()
            if self._knows(current):
                continue
            entry = self._entry("op", None)
            entry.shown = current.name().rstrip("0123456789").removesuffix("Backward").lower()
            entry.node, entry.requires_grad = current.name(), True
            entry.operands = [
                Literal("") if target is None else self._of(target, number).index
                for target, number in current.next_functions
            ]
            meta = current.meta[0] if isinstance(current.meta, list) else current.meta
            entry.kept = meta if isinstance(meta, tuple) else ((), np.dtype(meta))
            entry.index, entry.token = len(self.entries), self._token
            self.entries.append(entry)
            current._trace = entry
        found: Entry = node._trace
        return found

    def _knows(self, node: Node) -> bool:
        mark = getattr(node, "_trace", None)
        if type(mark) is list:
            mark = mark[0]
        return mark is not None and mark.token is self._token

    def backward_start(self, node: Node, seed: Any, retain: bool) -> None:
        """A backward pass begins."""
        self._passes += 1
        self._waiting = {}
        self._recorded_pass = isinstance(seed, Tensor)
        line = self.line(4)
        self.events.append((T.BackwardStart, line, self._passes, self._of(node, 0).index, raw(seed), retain))

    def arrive(self, node: Node, number: int, g: Any, pending: int) -> None:
        """A seed arrived at a root."""
        index = self._of(node, number).index
        value = self._waiting[index] = raw(g)
        self.events.append((T.Accumulate, self._now, self._passes, index, None, value, value, pending))

    def visit(self, node: Any, g: Any) -> None:
        """``node`` is about to run (or, for a leaf, its gradient is complete)."""
        number = 0
        if type(g) is list:
            number = next((i for i, x in enumerate(g) if x is not None), 0)
            g = g[number]
        here = self._of(node, number)
        self._here = here if number == 0 else self._of(node, 0)
        self.events.append((T.Visit, self._now, self._passes, here.index, g if type(g) in SCALARS else raw(g)))
        self._locals = None

    def leaf_complete(self, node: AccumulateGrad, g: Any) -> None:
        """The complete gradient ``g`` of a leaf is about to be added to ``.grad``."""
        self._graded[id(node.variable)] = weakref.ref(node.variable)
        held = node.variable._meta.grad if node.variable._meta is not None else None
        added = g.array if isinstance(g, Tensor) else g
        after = added if held is None else held.array + added
        index = self._of(node, 0).index
        self.events.append((T.LeafGrad, self._now, self._passes, index, raw(held), raw(added), raw(after)))

    def retained(self, t: Tensor, before: Any, added: Any, after: Any) -> None:
        """A non-leaf kept its gradient."""
        index = self.index(t)
        self.events.append((T.LeafGrad, self._now, self._passes, index, raw(before), raw(added), raw(after)))

    def contribute(self, node: Any, position: int, upstream: Any, g: Any, total: Any, left: int) -> None:
        """``node`` sent ``g`` along its edge number ``position``; ``left`` contributions are still to come there."""
        target, number = node.next_functions[position]
        there = target._trace if type(target) is AccumulateGrad else getattr(target, "_trace", None)
        if type(there) is not Entry or there.token is not self._token:
            there = self._of(target, number)
        index = there.index
        local: Any
        if type(g) in SCALARS and type(upstream) in SCALARS:
            scalar = True
            local = g if upstream == 1 else self._local(node, position, upstream, g)
        else:
            scalar, upstream, g, local = self._arrays(upstream, g)
            total = raw(total[number] if type(total) is list else total)
            if scalar:
                local = g if upstream == 1 else self._local(node, position, upstream, g)
        waiting = self._waiting
        before = waiting.get(index)
        waiting[index] = total
        # two events in one: what travels along the edge, and what it is added to
        self.events.append(
            (
                T.Contribute, self._now, self._passes, self._here.index, position, upstream, local, g, node.op, scalar,
                index, before, total, left,
            )
        )  # fmt: skip

    def _arrays(self, upstream: Any, g: Any) -> tuple[bool, Any, Any, Any]:
        """Whether both gradients are 0-d values after all; both as they are kept; what there is to say of arrays."""
        several = type(upstream) is list
        if several:
            upstream = next((x for x in upstream if x is not None), None)
        local = {"upstream_shape": list(getattr(upstream, "shape", ())), "shape": list(g.shape)}
        up, value = raw(upstream), raw(g)
        return not several and isinstance(up, np.generic) and isinstance(value, np.generic), up, value, local

    def _local(self, node: Any, position: int, upstream: Any, value: Any) -> Any:
        """The local derivative as a number: rules are linear in the gradient, so it is what they make of 1."""
        if node.op is None or self._recorded_pass or holds_packed(node):
            return value / upstream
        if self._locals is None:
            self._locals = node.backward(type(upstream)(1))
        local = self._locals[position]
        return local if isinstance(local, np.generic) else np.asarray(local).sum()

    def freed(self, node: Any) -> None:
        """``node`` let go of what it had saved."""
        entry = self._of(node, 0)
        if entry.saved:
            self.events.append((T.Free, self._now, self._passes, entry.index, entry.saved))

    def backward_end(self) -> None:
        """The backward pass is over."""
        self._waiting = {}
        self.events.append((T.BackwardEnd, self._now, self._passes))

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


def holds_packed(node: Node) -> bool:
    """Whether asking ``node`` for what it saved runs a hook; under checkpointing that would run the segment again."""
    if node.frees and node.saved:
        for value in node.saved:
            if type(value) is PackedTensor:
                return True
    return False


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
