"""Recording: writes down what the engine does, as a :class:`~autograd.trace.Trace`.

While :func:`recording` is active in a thread, every operation tells the thread's :class:`Recorder` what it did, also those
that autograd does not record. Tensors and nodes carry their number in the trace in a slot (``_trace``) that is unset
otherwise, so the recorder keeps nothing alive. Everything textual (names, expressions, rules in symbols) is worked out at the
end, in :meth:`Recorder.trace`.

Lines and names of variables come from the innermost frame whose code has the recorder's ``filename``: the learner's program.
"""

from __future__ import annotations

import ast
import itertools
import math
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

import numpy as np

import autograd.trace as T  # not "from . import": an operation is called trace too
from .dispatch import PackedTensor
from .dtypes import OF_NUMPY
from .mode import modes, sync
from .node import AccumulateGrad, Node
from .tensor import Tensor

if TYPE_CHECKING:
    from .ops.table import Operation

LONGEST_OPERAND = 40


def value_of(x: Any) -> T.Value:
    """``x`` (tensor, array, number or None) as plain data; see :mod:`autograd.trace`."""
    if x is None:
        return None
    array = x.array if isinstance(x, Tensor) else x
    if not isinstance(array, np.ndarray):
        return plain(array.item() if isinstance(array, np.generic) else array)
    if array.ndim == 0:
        return plain(array.item())
    if array.size <= T.FULL_VALUE_LIMIT:
        return _nested(array.tolist()) if array.dtype.kind == "f" else array.tolist()
    numbers = array.astype(np.float64)
    return {
        "shape": list(array.shape),
        "min": plain(float(numbers.min())),
        "max": plain(float(numbers.max())),
        "mean": plain(float(numbers.mean())),
        "norm": plain(float(np.sqrt((numbers * numbers).sum()))),
        "sample": [plain(v) for v in array.ravel()[:6].tolist()],
    }


def plain(number: Any) -> Any:
    """A number that JSON can hold: nan and the infinities become strings."""
    if isinstance(number, float) and not math.isfinite(number):
        return "nan" if number != number else "inf" if number > 0 else "-inf"
    return number


def _nested(values: Any) -> Any:
    return [_nested(v) for v in values] if isinstance(values, list) else plain(values)


class _Entry:
    """A node of the trace in the making."""

    __slots__ = (
        "kind", "op", "grad_fn", "name", "line", "scope", "shape", "dtype", "requires_grad", "is_leaf", "recorded", "saved",
        "operands", "params", "edges", "reflected",
    )  # fmt: skip


class Recorder:
    """Collects what happens; :meth:`trace` makes a Trace of it."""

    def __init__(self, source: str, filename: str) -> None:
        self.source = source
        self.filename = filename
        self.entries: list[_Entry] = []
        self.edges: list[tuple[int, int, int, bool, str | None]] = []
        self.events: list[tuple[Any, ...]] = []
        self.reflected = False
        self.inside = 0
        self.scopes: list[str] = []
        self.passes = 0
        self.held: dict[tuple[int, int], Any] = {}
        self.locals: dict[int, Any] = {}
        self.escaped: dict[int, tuple[Any, int, str]] = {}
        self.targets = _assignments(source)
        self.before: tuple[FrameType, int] | None = None
        self.failure: tuple[str, str, int | None] | None = None
        self._token = object()
        self.aliases: dict[int, list[int]] = {}

    # -- where are we ----------------------------------------------------------------------------------------------

    def line(self) -> int | None:
        """The line of the learner's program that is running; also names what its previous statement assigned."""
        frame: FrameType | None = sys._getframe(2)
        filename = self.filename
        while frame is not None and frame.f_code.co_filename != filename:
            frame = frame.f_back
        if frame is None:
            return None
        before = self.before
        if before is not None:
            self.name_targets(*before)
        line: int = frame.f_lineno
        self.before = (frame, line)
        return line

    def name_targets(self, frame: FrameType, line: int) -> None:
        """Gives the tensors that ``line`` assigned the names it assigned them to."""
        targets = self.targets.get(line)
        if not targets:
            return
        space = frame.f_locals
        for name, path in targets:
            value = space.get(path[0])
            for attribute in path[1:]:
                value = getattr(value, "__dict__", {}).get(attribute)
            if isinstance(value, Tensor):
                self.name(value, name)

    def name(self, t: Tensor, name: str) -> None:
        """Calls ``t`` by ``name`` in the trace, unless it has a name already."""
        index = self.index_if_known(t)
        if index is not None and self.entries[index].name is None:
            self.entries[index].name = name

    def index_if_known(self, t: Any) -> int | None:
        """The number of ``t`` in this trace, or None."""
        mark = getattr(t, "_trace", None)
        return mark[1] if mark is not None and mark[0] is self._token else None

    def index(self, t: Tensor) -> int:
        """The number of ``t`` in this trace; tensors from before the recording are entered now, as leaf or constant."""
        found = self.index_if_known(t)
        return found if found is not None else self.enter(t, self.entries[-1].line if self.entries else None)

    def enter(self, t: Tensor, line: int | None) -> int:
        """Enters a tensor that no recorded operation made."""
        entry = self.new_entry(t, line)
        entry.requires_grad = bool(t.requires_grad)
        entry.is_leaf = True
        entry.kind = "leaf" if entry.requires_grad else "constant"
        return self.add(t, entry, line)

    def new_entry(self, t: Tensor, line: int | None) -> _Entry:
        """An entry with what every tensor has."""
        entry = _Entry()
        entry.op = entry.grad_fn = entry.name = None
        entry.line = line
        entry.scope = ".".join(self.scopes)
        entry.shape = t.array.shape
        entry.dtype = OF_NUMPY[t.array.dtype].name
        entry.recorded = True
        entry.saved = 0
        entry.operands = ()
        entry.params = {}
        entry.edges = ()
        entry.reflected = False
        return entry

    def add(self, t: Tensor, entry: _Entry, line: int | None, value: Any = None) -> int:
        """Puts ``entry`` for ``t`` into the trace, with its forward event."""
        index = len(self.entries)
        self.entries.append(entry)
        t._trace = (self._token, index)
        self.events.append((T.Forward, line, index, value_of(t) if value is None else value))
        if t._storage is not None:
            self.alias(t, index)
        return index

    def alias(self, t: Tensor, index: int) -> None:
        """Notes which entries look at the same memory."""
        known = self.aliases.setdefault(id(t._storage), [])
        if index not in known:
            known.append(index)

    # -- what the engine tells -------------------------------------------------------------------------------------

    def created(self, t: Tensor, source: Any) -> None:
        """The learner made ``t`` out of ``source``."""
        line = self.line()
        index = self.enter(t, line)
        seen: set[int] = set()
        for value in _values_in(source):
            found = self.escaped.get(id(value))
            if found is not None and found[0] is value and found[1] not in seen:
                seen.add(found[1])
                how = "numpy" if isinstance(value, np.ndarray) else "tensor"
                self.edges.append((found[1], index, len(seen) - 1, False, how))
            elif isinstance(value, Tensor) and self.index_if_known(value) is not None:
                self.edges.append((self.index(value), index, 0, False, "tensor"))

    def leaf(self, t: Tensor) -> None:
        """``requires_grad`` of ``t`` was set."""
        index = self.index_if_known(t)
        if index is None:
            self.enter(t, self.line())
            return
        entry = self.entries[index]
        entry.requires_grad = bool(t.requires_grad)
        if entry.kind != "op":
            entry.kind = "leaf" if entry.requires_grad else "constant"

    def operation(self, op: Operation, inputs: Any, params: tuple[Any, ...], outputs: list[Tensor]) -> None:
        """``op`` ran."""
        if self.inside:
            return
        line = self.line()
        reflected, self.reflected = self.reflected, False
        operands = self.operands(inputs)
        made: list[int] = []
        for number, t in enumerate(outputs):
            made.append(self.result(op, op.shown, t, operands, inputs, params, line, reflected, number))
        node = next((t._edge[0] for t in outputs if t._edge is not None), None) or outputs[0].grad_fn
        if node is not None and outputs[0].requires_grad or node is not None and op.multi:
            node._trace = (self._token, made)

    def enter_function(self) -> None:
        """A custom function runs: what happens inside is one operation."""
        self.inside += 1

    def leave_function(self) -> None:
        """The custom function is done."""
        self.inside -= 1

    def function(self, name: str, node: Node | None, inputs: list[Tensor], outputs: list[Tensor]) -> None:
        """The custom function ``name`` ran."""
        line = self.line()
        operands = self.operands(inputs)
        made = [
            self.result(None, name, t, operands, inputs, (), line, False, number) for number, t in enumerate(outputs)
        ]
        if node is not None:
            node._trace = (self._token, made)

    def operands(self, inputs: Any) -> list[Any]:
        """For each input its number in the trace, or, for numbers, how they are written."""
        return [self.index(x) if isinstance(x, Tensor) else _Literal(x) for x in inputs]

    def result(
        self,
        op: Operation | None,
        shown: str,
        t: Tensor,
        operands: list[Any],
        inputs: Any,
        params: tuple[Any, ...],
        line: int | None,
        reflected: bool,
        number: int,
    ) -> int:
        """Enters one result of an operation, with an edge for each use of a tensor."""
        entry = self.new_entry(t, line)
        entry.kind = "op"
        entry.op = shown
        node = t.grad_fn
        entry.grad_fn = node.name() if node is not None else None
        entry.requires_grad = node is not None
        entry.recorded = node is not None
        entry.is_leaf = node is None
        entry.saved = saved_bytes(node) if node is not None and number == 0 else 0
        entry.operands = tuple(operands)
        entry.reflected = reflected
        entry.params = {"op": op, "params": params}
        index = self.add(t, entry, line)
        edges: list[int | None] = []
        for position, (x, source) in enumerate(zip(inputs, operands, strict=True)):
            if not isinstance(source, int):
                edges.append(None)
                continue
            wanted = isinstance(x, Tensor) and x.requires_grad
            how = None
            if node is None and wanted:
                differentiable = op is not None and op.differentiable and not (op.nondiff and op.output_names[number] in op.nondiff)
                how = "no_grad" if differentiable else (op.cut if op is not None and op.cut else shown)
                if differentiable and t.array.dtype.kind != "f":
                    how = shown
            argument = 1 - position if reflected and len(inputs) == 2 else position
            edges.append(len(self.edges))
            # an edge is recorded when the graph has it: the result has history (or nobody wanted any)
            self.edges.append((source, index, argument, how is None and node is not None, how))
        entry.edges = tuple(edges)
        return index

    def left(self, how: str, t: Tensor, value: Any) -> None:
        """``t`` left the graph by ``how`` (detach, item, numpy, ...) as ``value``."""
        line = self.line()
        source = self.index(t)
        if isinstance(value, Tensor):
            entry = self.new_entry(value, line)
            target: Tensor = value
        else:
            target = _Carrier(t.array if isinstance(value, (list, np.ndarray)) else np.asarray(value))
            entry = self.new_entry(target, line)
        entry.kind, entry.op, entry.requires_grad, entry.recorded, entry.is_leaf = "op", how, False, False, True
        entry.operands = (source,)
        entry.params = {"op": None, "params": ()}
        index = self.add(target, entry, line)
        entry.edges = (len(self.edges),)
        self.edges.append((source, index, 0, False, how))
        if isinstance(value, Tensor):
            if value._storage is not None:
                self.alias(t, source)
        else:
            for each in _values_in(value):
                self.escaped[id(each)] = (each, index, how)

    def detached_in_place(self, t: Tensor) -> None:
        """``t.detach_()``: from here on ``t`` is another node, without history."""
        line = self.line()
        source = self.index(t)
        entry = self.new_entry(t, line)
        entry.kind, entry.op, entry.requires_grad, entry.recorded, entry.is_leaf = "op", "detach_", False, False, True
        entry.operands = (source,)
        entry.params = {"op": None, "params": ()}
        entry.name = self.entries[source].name
        index = self.add(t, entry, line)
        entry.edges = (len(self.edges),)
        self.edges.append((source, index, 0, False, "detach"))

    def before_write(self, t: Tensor) -> tuple[int, int]:
        """What there is to know about ``t`` before an in-place write."""
        version = 0 if t._storage is None else t._storage.version
        index = self.index(t)
        if t._storage is not None:
            self.alias(t, index)
        return index, version

    def after_write(
        self, t: Tensor, op: Operation | None, inputs: Any, params: tuple[Any, ...], before: Any, node: Node | None
    ) -> None:
        """``t`` was written in place; with ``node``, the write became part of the graph."""
        line = self.line()
        index, version = before
        operands = [index, *self.operands(inputs[1:])]
        after = 0 if t._storage is None else t._storage.version
        written = [i for i in self.aliases.get(id(t._storage), []) if i != index]
        value = value_of(t)
        self.events.append((T.Mutate, line, index, value, version, after))
        for other in written:
            if self.entries[other].shape == t.array.shape:
                self.events.append((T.Mutate, line, other, value, version, after))
        if node is None:
            return
        name = self.entries[index].name
        shown = (op.shown if op is not None else "set_data") + "_"
        new = self.result(op, shown, t, operands, inputs, params, line, False, 0)
        self.entries[new].name = name
        node._trace = (self._token, [new])
        edge = t._edge if t._edge is not None else None
        view = t._meta.view if t._meta is not None else None
        if view is not None:
            base_node = view.base.grad_fn
            if base_node is not None:
                base_index = self.index(view.base)
                entry = self.new_entry(view.base, line)
                entry.kind, entry.op, entry.grad_fn = "op", "copy_slices", base_node.name()
                entry.requires_grad, entry.is_leaf = True, False
                entry.operands = (base_index, new)
                entry.params = {"op": None, "params": ()}
                entry.name = self.entries[base_index].name
                whole = self.add(view.base, entry, line)
                first = len(self.edges)
                self.edges.append((base_index, whole, 0, True, None))
                self.edges.append((new, whole, 1, True, None))
                entry.edges = (first, *[first + 1] * (len(base_node.next_functions) - 1))
                base_node._trace = (self._token, [whole])
        _ = edge

    # -- the backward pass -----------------------------------------------------------------------------------------

    def of_node(self, node: Node, number: int = 0) -> int:
        """The number in the trace of the tensor that ``node`` computed."""
        if isinstance(node, AccumulateGrad):
            return self.index(node.variable)
        mark = getattr(node, "_trace", None)
        if mark is not None and mark[0] is self._token:
            made: list[int] = mark[1]
            return made[min(number, len(made) - 1)]
        entry = _Entry()
        entry.kind, entry.op, entry.grad_fn, entry.name = "op", node.name().rstrip("0123456789"), node.name(), None
        entry.line, entry.scope, entry.recorded, entry.saved = None, "", True, 0
        entry.op = (entry.op or "").removesuffix("Backward").lower()
        meta = node.meta[0] if isinstance(node.meta, list) else node.meta
        entry.shape, kind = meta if isinstance(meta, tuple) else ((), np.dtype(meta))
        entry.dtype = OF_NUMPY[kind].name
        entry.requires_grad, entry.is_leaf, entry.operands, entry.reflected = True, False, (), False
        entry.params = {"op": None, "params": ()}
        index = len(self.entries)
        self.entries.append(entry)
        node._trace = (self._token, [index])
        edges: list[int | None] = []
        for position, (target, nr) in enumerate(node.next_functions):
            if target is None:
                edges.append(None)
                continue
            source = self.of_node(target, nr)
            edges.append(len(self.edges))
            self.edges.append((source, index, position, True, None))
        entry.edges = tuple(edges)
        return index

    def backward_start(self, node: Node, seed: Any, retain: bool) -> None:
        """A backward pass begins."""
        self.passes += 1
        self.held = {}
        self.events.append((T.BackwardStart, self.line(), self.passes, self.of_node(node), value_of(seed), retain))

    def arrive(self, node: Node, number: int, g: Any, pending: int) -> None:
        """A seed arrived at a root."""
        index = self.of_node(node, number)
        value = value_of(g)
        self.held[id(node), number] = value
        self.events.append((T.Accumulate, self._line(), self.passes, index, None, value, value, pending))

    def _line(self) -> int | None:
        return self.before[1] if self.before is not None else None

    def visit(self, node: Node, g: Any) -> None:
        """``node`` is about to run (or, for a leaf, its gradient is complete)."""
        first = next((i for i, x in enumerate(g) if x is not None), 0) if isinstance(g, list) else 0
        upstream = g[first] if isinstance(g, list) else g
        self.events.append((T.Visit, self._line(), self.passes, self.of_node(node, first), value_of(upstream)))
        self.locals = {}

    def leaf_complete(self, node: AccumulateGrad, g: Any) -> None:
        """The complete gradient ``g`` of a leaf is about to be added to ``.grad``."""
        held = node.variable._meta.grad if node.variable._meta is not None else None
        raw = g.array if isinstance(g, Tensor) else g
        after = raw if held is None else held.array + raw
        self.events.append(
            (T.LeafGrad, self._line(), self.passes, self.of_node(node), value_of(held), value_of(raw), value_of(after))
        )

    def retained(self, t: Tensor, before: Any, added: Any, after: Any) -> None:
        """A non-leaf kept its gradient."""
        event = (T.LeafGrad, self._line(), self.passes, self.index(t), value_of(before), value_of(added), value_of(after))
        self.events.append(event)

    def contribute(
        self, node: Node, position: int, upstream: Any, g: Any, total: Any, left: int
    ) -> None:
        """``node`` sent ``g`` along its edge number ``position``; ``left`` contributions are still to come there."""
        target, number = node.next_functions[position]
        source = self.of_node(target, number)
        here = self.of_node(node)
        several = isinstance(upstream, list)
        if several:
            upstream = next((x for x in upstream if x is not None), None)
        value = value_of(g)
        up = value_of(upstream)
        local: Any
        scalar = not several and getattr(upstream, "ndim", 0) == 0 and g.ndim == 0
        if scalar:
            local = self.local(node, position, upstream, g)
        else:
            local = {"upstream_shape": list(getattr(upstream, "shape", ())), "shape": list(g.shape)}
        edges = self.entries[here].edges
        edge = edges[position] if position < len(edges) else None
        if edge is not None:
            event = (T.Contribute, self._line(), self.passes, edge, up, local, value, (node.op, position, here, scalar))
            self.events.append(event)
        after = value_of(total[number] if isinstance(total, list) else total)
        key = (id(target), number)
        before = self.held.get(key)
        self.held[key] = after
        self.events.append((T.Accumulate, self._line(), self.passes, source, before, value, after, left))

    def local(self, node: Node, position: int, upstream: Any, g: Any) -> Any:
        """The local derivative as a number."""
        up = upstream.array if isinstance(upstream, Tensor) else upstream
        if node.op is None or isinstance(upstream, Tensor) or holds_packed(node):
            raw = g.array if isinstance(g, Tensor) else g
            with np.errstate(all="ignore"):
                return value_of(raw / up)
        if not self.locals:
            # rules are linear in g, so the derivative is what they make of 1
            self.locals[0] = node.backward(type(up)(1) if isinstance(up, np.generic) else np.ones_like(up))
        local = self.locals[0][position]
        return value_of(np.asarray(local).sum()[()] if np.ndim(local) else local)

    def freed(self, node: Node) -> None:
        """``node`` let go of what it had saved."""
        index = self.of_node(node)
        held = self.entries[index].saved
        if held:
            self.events.append((T.Free, self._line(), self.passes, index, held))

    def backward_end(self) -> None:
        """The backward pass is over."""
        self.events.append((T.BackwardEnd, self._line(), self.passes))

    # -- optimizers, modules, errors -------------------------------------------------------------------------------

    def zero_grad(self, optimizer: str, parameters: list[tuple[Tensor, Any, Any]]) -> None:
        """Gradients were cleared: (parameter, .grad before, .grad after) each."""
        rows = tuple(
            {"node": self.index(p), "before": value_of(before), "after": value_of(after)} for p, before, after in parameters
        )
        self.events.append((T.ZeroGrad, self.line(), optimizer, rows))

    def step(self, optimizer: str, parameters: list[tuple[Tensor, Any, Any, Any]]) -> None:
        """An optimizer moved parameters: (parameter, value before, value after, gradient) each."""
        rows = tuple(
            {"node": self.index(p), "before": value_of(b), "after": value_of(a), "grad": value_of(g)}
            for p, b, a, g in parameters
        )
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

    # -- the result ------------------------------------------------------------------------------------------------

    def finish_names(self) -> None:
        """Names what the last statement assigned; lets go of the learner's frame."""
        if self.before is not None:
            self.name_targets(*self.before)
            self.before = None

    def trace(self, stdout: str = "", warnings: tuple[dict[str, Any], ...] = ()) -> T.Trace:
        """Everything so far as a Trace."""
        self.finish_names()
        from .symbols import Writer

        writer = Writer(self.entries)
        nodes = []
        for i, e in enumerate(self.entries):
            nodes.append(
                T.TraceNode(
                    f"n{i}", e.kind, e.op, e.grad_fn, e.name, e.line, e.scope, tuple(e.shape), e.dtype, e.requires_grad,
                    e.is_leaf, e.recorded, e.saved, writer.expression(i),
                )
            )  # fmt: skip
        edges = tuple(
            T.TraceEdge(f"e{i}", f"n{src}", f"n{dst}", arg, recorded, how)
            for i, (src, dst, arg, recorded, how) in enumerate(self.edges)
        )
        counter = itertools.count()
        events = tuple(self._event(next(counter), event, writer) for event in self.events)
        error = None
        if self.failure is not None:
            error = dict(zip(("type", "message", "line"), self.failure, strict=True))
        return T.Trace(self.source, tuple(nodes), edges, events, stdout, error, warnings)

    def _event(self, t: int, event: tuple[Any, ...], writer: Any) -> T.Event:
        cls, line, *rest = event
        if cls in (T.Forward, T.Mutate):
            rest[0] = f"n{rest[0]}"
        elif cls in (T.BackwardStart, T.Visit, T.Accumulate, T.LeafGrad, T.Free):
            rest[1] = f"n{rest[1]}"
        elif cls is T.Contribute:
            rest[1] = f"e{rest[1]}"
            op, position, here, scalar = rest[5]
            rest[5] = writer.rule(op, position, here, scalar)
            if not scalar:
                rest[3] = {"rule": rest[5], **rest[3]}
        elif cls in (T.ZeroGrad, T.Step):
            rest[1] = tuple({**row, "node": f"n{row['node']}"} for row in rest[1])
        made: T.Event = cls(t, line, *rest)
        return made


class _Literal:
    """A number that stands in an expression as it is."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value


class _Carrier(Tensor):
    """A number or array on its way out, for the trace only."""

    __slots__ = ()

    def __new__(cls, array: Any) -> Any:
        self = object.__new__(cls)
        self.array = array
        self._edge = self._meta = self._storage = None
        return self


def _values_in(source: Any) -> Iterator[Any]:
    """The numbers, arrays and tensors in ``source``, which may be nested lists."""
    if isinstance(source, (list, tuple)):
        for each in source:
            yield from _values_in(each)
    elif source is not None:
        yield source


def holds_packed(node: Node) -> bool:
    """Whether asking ``node`` for what it saved runs a hook; under checkpointing that would run the segment again."""
    saved = getattr(node, "saved", None)
    return isinstance(saved, tuple) and any(isinstance(value, PackedTensor) for value in saved)


def saved_bytes(node: Any) -> int:
    """How many bytes of arrays the node holds for its rules."""
    from .accounting import bytes_saved

    return bytes_saved(node)


def _assignments(source: str) -> dict[int, list[tuple[str, tuple[str, ...]]]]:
    """For each line that a statement begins or ends on: the names it assigns, with the way to reach each."""
    found: dict[int, list[tuple[str, tuple[str, ...]]]] = {}
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return found

    def note(target: ast.expr, lines: range) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for each in target.elts:
                note(each, lines)
            return
        if isinstance(target, ast.Starred):
            note(target.value, lines)
            return
        path: list[str] = []
        at: ast.expr = target
        while isinstance(at, ast.Attribute):
            path.append(at.attr)
            at = at.value
        if isinstance(at, ast.Name):
            path.append(at.id)
            way = tuple(reversed(path))
            for line in lines:
                found.setdefault(line, []).append((".".join(way), way))

    for statement in ast.walk(tree):
        lines = range(getattr(statement, "lineno", 0), (getattr(statement, "end_lineno", 0) or 0) + 1)
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                note(target, lines)
        elif isinstance(statement, (ast.AugAssign, ast.AnnAssign)) or isinstance(statement, ast.NamedExpr):
            note(statement.target, lines)
    return found


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
