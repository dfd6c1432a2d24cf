"""Central differences: a derivative from running the program twice, to hold beside autograd's.

The program runs again with one number of one leaf moved up, then down, by a little. Where the leaf is written as a
literal the literal is changed; otherwise a line that moves it is added behind the line that makes it. Both runs use
float64 where the program leaves the dtype open, since in float32 the difference of two nearly equal numbers has few
digits.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass

from autograd.trace import BackwardStart, Forward, LeafGrad, Mutate, Trace, TraceNode, Value
from snippets.inputs import find, replace
from snippets.result import Result

#: At most this many entries of one leaf are checked.
ENTRIES = 16

_IMPORT = re.compile(r"^(import torch[^\n;#]*)", re.MULTILINE)
_DOUBLE = r"\1; torch.set_default_dtype(torch.float64)"


class NotChecked(ValueError):
    """Why a leaf cannot be checked, in words for the reader."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One entry of a leaf: its place, autograd's number, the central difference, and the step taken."""

    index: tuple[int, ...]
    autograd: float
    central: float
    h: float

    @property
    def error(self) -> float:
        """How far the two are apart."""
        return abs(self.autograd - self.central)


def leaves(trace: Trace) -> list[TraceNode]:
    """The named leaves that got a gradient in the first backward pass."""
    filled = {event.node for event in trace.events if isinstance(event, LeafGrad) and event.pass_ == 1}
    return [
        node for node in trace.nodes if node.id in filled and node.is_leaf and node.name and node.name.isidentifier()
    ]


def check(source: str, trace: Trace, leaf: str, run: Callable[[str], Result]) -> list[Difference]:
    """Compare ``.grad`` of ``leaf`` (a variable's name) after the first backward pass with central differences.

    ``run`` runs a program and returns its result. :class:`NotChecked` says why when it cannot be done: the leaf or
    the root is no single tensor of the program, or a moved program stops with an error.
    """
    node = next((node for node in leaves(trace) if node.name == leaf), None)
    if node is None:
        raise NotChecked(f"{leaf} got no gradient in the first backward pass.")
    start = next(event for event in trace.events if isinstance(event, BackwardStart))
    if not isinstance(start.seed, (int, float)):
        raise NotChecked("The first backward pass starts at several numbers, so there is no single slope to compare.")
    grad = next(e.added for e in trace.events if isinstance(e, LeafGrad) and e.node == node.id and e.pass_ == 1)
    if isinstance(grad, dict):
        raise NotChecked(f"{leaf} has more entries than a trace keeps, so they cannot be compared one by one.")
    double = _IMPORT.sub(_DOUBLE, source, count=1)
    found = []
    for index in _indices(grad)[:ENTRIES]:
        found.append(_difference(double, node, leaf, index, _at(grad, index), run))
    return found


def _difference(
    source: str, node: TraceNode, leaf: str, index: tuple[int, ...], slope: float, run: Callable[[str], Result]
) -> Difference:
    h = 1e-4
    values = []
    for shift in (h, -h):
        result = run(moved(source, leaf, index, shift, node.line))
        if result.trace is None or not any(isinstance(event, BackwardStart) for event in result.trace.events):
            reason = f": {result.error['message']}" if result.error else ""
            raise NotChecked(
                f"With {leaf} moved by {shift:g} the program no longer reaches its first backward pass{reason}."
            )
        values.append(_root_value(result.trace))
        if _dtype(result.trace, leaf) != "float64" and h < 1e-3:
            # The program names a smaller dtype itself: a larger step, or rounding drowns the difference.
            return _with_step(source, node, leaf, index, slope, run, 2e-2)
    return Difference(index, slope, (values[0] - values[1]) / (2 * h), h)


def _with_step(
    source: str,
    node: TraceNode,
    leaf: str,
    index: tuple[int, ...],
    slope: float,
    run: Callable[[str], Result],
    h: float,
) -> Difference:
    values = []
    for shift in (h, -h):
        result = run(moved(source, leaf, index, shift, node.line))
        if result.trace is None:
            raise NotChecked(f"With {leaf} moved by {shift:g} the program stops.")
        values.append(_root_value(result.trace))
    return Difference(index, slope, (values[0] - values[1]) / (2 * h), h)


def moved(source: str, leaf: str, index: tuple[int, ...], shift: float, line: int | None) -> str:
    """``source`` with one entry of ``leaf`` moved by ``shift``."""
    literal = next((item for item in find(source) if item.name == leaf), None)
    if literal is not None and not _whole(literal.value):
        return replace(source, {leaf: _shifted(literal.value, index, shift)})
    end = _end_of_statement(source, line)
    lines = source.split("\n")
    place = "".join(f"[{i}]" for i in index)
    added = f"{leaf}.data{place} += {shift!r}" if place else f"{leaf}.data += {shift!r}"
    return "\n".join([*lines[:end], added, *lines[end:]])


def _end_of_statement(source: str, line: int | None) -> int:
    """The last line of the top-level statement that holds ``line``."""
    if line is not None:
        for statement in ast.parse(source).body:
            last = statement.end_lineno or statement.lineno
            if statement.lineno <= line <= last:
                if isinstance(statement, (ast.Assign, ast.AnnAssign, ast.Expr)):
                    return last
                break
    raise NotChecked("Only leaves made by a statement of their own, outside loops and functions, can be moved.")


def _root_value(trace: Trace) -> float:
    """The value of the tensor the first backward pass starts at."""
    start = next(event for event in trace.events if isinstance(event, BackwardStart))
    value: Value = None
    for event in trace.events:
        if event.t >= start.t:
            break
        if isinstance(event, (Forward, Mutate)) and event.node == start.root:
            value = event.value
    if isinstance(value, list) and len(_indices(value)) == 1:
        value = _at(value, _indices(value)[0])
    if not isinstance(value, (int, float)):
        raise NotChecked("The root of the first backward pass is no finite number when the leaf is moved.")
    return float(value)


def _dtype(trace: Trace, leaf: str) -> str:
    return next((node.dtype for node in trace.nodes if node.name == leaf and node.is_leaf), "")


def _indices(value: Value) -> list[tuple[int, ...]]:
    if not isinstance(value, (list, tuple)):
        return [()]
    return [(place, *rest) for place, item in enumerate(value) for rest in _indices(item)]


def _at(value: Value, index: tuple[int, ...]) -> float:
    for place in index:
        value = value[place]
    return float(value)


def _whole(value: Value) -> bool:
    if isinstance(value, (list, tuple)):
        return all(_whole(item) for item in value)
    return isinstance(value, int)


def _shifted(value: Value, index: tuple[int, ...], shift: float) -> Value:
    if not index:
        return float(value) + shift
    return [_shifted(item, index[1:], shift) if place == index[0] else item for place, item in enumerate(value)]
