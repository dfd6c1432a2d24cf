"""Recording a backward pass: what travels along which edge, and what it is added to."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

import autograd.trace as T  # not "from . import": an operation is called trace too

from .dispatch import PackedTensor
from .entries import Entries, Entry, Literal
from .node import AccumulateGrad, Node
from .ops.generate import SCALARS
from .tensor import Tensor
from .values import raw


class BackwardRecorder(Entries):
    """Told by the backward pass what it does."""

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
            entry.shown = type(current).__name__.rstrip("0123456789").removesuffix("Backward").lower()
            entry.node, entry.requires_grad = type(current).__name__, True
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


def holds_packed(node: Node) -> bool:
    """Whether asking ``node`` for what it saved runs a hook; under checkpointing that would run the segment again."""
    if node.frees and node.saved:
        for value in node.saved:
            if type(value) is PackedTensor:
                return True
    return False
