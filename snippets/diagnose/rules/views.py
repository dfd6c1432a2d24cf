"""Views that are kept for the numbers they show, while their base is overwritten."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograd.trace import Mutate
from snippets.diagnose.reading import SHARES_STORAGE, Reading
from snippets.diagnose.report import Report, number
from snippets.diagnose.rules.aliasing import keeps, means_a_moment
from snippets.diagnose.source import called, covers, first_line, last_line, mentions

# fmt: off
_VIEWING = {
    "detach", "diagonal", "expand", "flatten", "movedim", "narrow", "permute", "reshape", "select", "squeeze",
    "swapaxes", "t", "transpose", "unsqueeze", "view", "view_as",
}
_VIEWS = {"T", "mT", "data", "real"}
_COMPARING = {"allclose", "dist", "eq", "equal", "isclose", "mse_loss", "ne", "sub"}
# fmt: on


def kept_view(r: Reading) -> Iterator[Report]:
    """``old = x[0]`` is no copy: a later write to x changes it. The old number is meant when the name says so, when it
    is set against x afterwards or put back into x, and when views of the same entries are collected in a loop.
    """
    writes = _writes_by_name(r)
    if not writes:
        return
    for statement in r.source.all:
        for holder, value in keeps(statement):
            base = _base_of(value)
            if base is None and isinstance(statement, ast.Expr) and isinstance(value, ast.Name):
                base = value.id
            if base is None or base == holder:
                continue
            write = next((w for w in writes.get(base, ()) if _overwrites(r, w, statement, value)), None)
            if write is None:
                continue
            meant = _old_value_is_meant(r, statement, holder, base, write)
            if meant is None:
                continue
            yield Report(
                "inplace-silent" if _is_computed(r, r.origin(write.node)) else "aliasing",
                f"{holder} {'refers to' if base == ast.unparse(value) else 'is a view of'} {base}, it is no copy: "
                f"`{r.source.line(write.line)}` changed it too.",
                f"line {first_line(statement)} took it, line {write.line} wrote {number(write.value)}, "
                f"line {meant} still uses it for what was there before.",
                r.source.line_with(first_line(statement), value, f"{r.source.segment(value)}.clone()"),
                line=write.line if not r.source.loops(statement) else first_line(statement),
                node=write.node,
                event=write.t,
            )
            return


def _base_of(value: ast.expr) -> str | None:
    """The name of what ``value`` is a view of, going by its text; None when it is the thing itself or something new."""
    seen = False
    while True:
        if isinstance(value, ast.Subscript) or (isinstance(value, ast.Attribute) and value.attr in _VIEWS):
            value = value.value
        elif isinstance(value, ast.Call) and called(value) in _VIEWING and isinstance(value.func, ast.Attribute):
            value = value.func.value
        else:
            break
        seen = True
    return ast.unparse(value) if seen and isinstance(value, ast.Name | ast.Attribute) else None


def _writes_by_name(r: Reading) -> dict[str, list[Mutate]]:
    """The in-place writes, by the name of what they write to: of each line and tensor the first and the last."""
    ends: dict[tuple[int | None, str], list[Mutate]] = {}
    for write in r.mutations:
        ends.setdefault((write.line, r.origin(write.node)), []).append(write)
    found: dict[str, list[Mutate]] = {}
    for (line, _), writes in ends.items():
        changer = r.source.statement_at(line)
        place = None if changer is None else _place_written(changer)
        if place is not None:
            found.setdefault(_root(place), []).extend(writes if len(writes) < 3 else (writes[0], writes[-1]))
    return found


def _overwrites(r: Reading, write: Mutate, statement: ast.AST, value: ast.expr) -> bool:
    """Whether a write changed the entries that the view kept by ``statement`` shows."""
    changer = r.source.statement_at(write.line)
    place = None if changer is None or changer is statement else _place_written(changer)
    if place is None:
        return False
    written = r.origin(write.node)
    if isinstance(value, ast.Name):
        return _written_again(r, write, statement, value.id)
    views = [n for n in r.trace.nodes if n.line == first_line(statement) and n.op in SHARES_STORAGE]
    shown = [n for n in views if r.origin(n.id) == written and r.born[n.id] < write.t]
    return bool(shown) and _overlap(r, value, place, written)


def _written_again(r: Reading, write: Mutate, statement: ast.AST, name: str) -> bool:
    """Whether the tensor that a turn of a loop keeps is written again by later turns that do not bind it anew."""
    written = r.origin(write.node)
    loops = r.source.loops(statement)[-1:]
    times = sum(1 for other in r.mutations if other.line == write.line and r.origin(other.node) == written)
    bindings = [s for loop in loops for s in ast.walk(loop) if isinstance(s, ast.Assign)]
    return bool(loops) and times > 1 and not any(name in r.source.assigned(s) for s in bindings)


def _place_written(changer: ast.stmt) -> ast.expr | None:
    """What a statement writes to in place: ``x``, ``x[i]`` or ``x.data``."""
    if isinstance(changer, ast.Expr) and isinstance(changer.value, ast.Call):
        call = changer.value
        inner = call.func.value if isinstance(call.func, ast.Attribute) else None
        return inner if called(call).endswith("_") and not called(call).endswith("__") else None
    if isinstance(changer, ast.AugAssign):
        return changer.target
    if isinstance(changer, ast.Assign) and isinstance(changer.targets[0], ast.Subscript):
        return changer.targets[0]
    return None


def _root(place: ast.expr) -> str:
    while isinstance(place, ast.Subscript) or (isinstance(place, ast.Attribute) and place.attr in _VIEWS):
        place = place.value
    return ast.unparse(place)


def _overlap(r: Reading, value: ast.expr, place: ast.expr, base: str) -> bool:
    """Whether two views of ``base`` meet: by their indices when both are numbers, else when they are the same text."""
    ones = [_index(expression) for expression in (value, place)]
    if None in ones:
        return True  # one of them is the whole
    texts = [ast.unparse(one) for one in ones if one is not None]
    hit = []
    for text in texts:
        marks = np.zeros(r.nodes[base].shape, dtype=bool)
        try:
            index: Any = _plain_index(ast.parse(f"_[{text}]", mode="eval").body)
            marks[index] = True
        except (ValueError, IndexError, SyntaxError):
            return texts[0] == texts[1]
        hit.append(marks)
    return bool((hit[0] & hit[1]).any())


def _index(expression: ast.expr) -> ast.expr | None:
    """The index next to the base: ``0`` in ``x[0].view(2)``."""
    index = None
    while isinstance(expression, ast.Subscript | ast.Attribute | ast.Call):
        if isinstance(expression, ast.Subscript):
            index, expression = expression.slice, expression.value
        elif isinstance(expression, ast.Call):
            expression = expression.func
        else:
            expression = expression.value
    return index


def _plain_index(subscript: ast.expr) -> object:
    """The index of a subscript that is written in numbers; ValueError for one that is not."""

    def part(node: ast.expr) -> object:
        if isinstance(node, ast.Slice):
            return slice(
                *(None if each is None else ast.literal_eval(each) for each in (node.lower, node.upper, node.step))
            )
        return ast.literal_eval(node)

    index = subscript.slice  # type: ignore[attr-defined]
    return tuple(map(part, index.elts)) if isinstance(index, ast.Tuple) else part(index)


def _old_value_is_meant(r: Reading, statement: ast.AST, holder: str, base: str, write: Mutate) -> int | None:
    """The line that uses the kept view for what it showed before the write, or None."""
    changer = r.source.statement_at(write.line)
    shared = [loop for loop in r.source.loops(statement) if covers(loop, write.line)]
    end = last_line(changer) if changer is not None else 0
    if isinstance(statement, ast.Expr):  # kept in a list
        stored = {n.id for loop in shared for n in ast.walk(loop) if isinstance(n, ast.Name) and _is_stored(n)}
        moving = stored - {base.split(".")[0]}
        if not shared or any(mentions(statement, name) for name in moving):
            return None
        after = [n for n in r.source.reads(holder) if first_line(n) > last_line(shared[-1])]
        return first_line(after[0]) if after else None
    later = [n for n in r.source.reads(holder) if first_line(n) > end and first_line(statement) < end]
    if later and means_a_moment(holder) and not shared:
        return first_line(later[0])
    between = [n for n in r.source.reads(holder) if first_line(statement) < first_line(n) < end]
    same = isinstance(changer, ast.Assign) and ast.unparse(changer.targets[0]) in ast.unparse(statement)
    replaced = isinstance(changer, ast.Assign) and (same or bool(between)) and not shared
    for read in later:
        around = r.source.statement(read)
        if around is not None and _set_against(around, holder, base, in_any_way=replaced):
            return first_line(read)
    return None


def _is_computed(r: Reading, node_id: str) -> bool:
    """Whether gradients flow through a value on the way to a leaf."""
    return r.nodes[node_id].requires_grad and r.nodes[node_id].kind != "leaf"


def _is_stored(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Store)


def _set_against(statement: ast.stmt, holder: str, base: str, *, in_any_way: bool) -> bool:
    """Whether a statement takes the difference of the view and its base (with ``in_any_way``: combines them), compares
    them, or puts the view back into the base.
    """
    root = base.split(".")[-1]
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    if isinstance(target, ast.Subscript) and _root(target) == base and ast.unparse(statement.value) == holder:  # type: ignore[attr-defined]
        return True
    for node in ast.walk(statement):
        sides: list[ast.expr] = []
        if isinstance(node, ast.BinOp) and (in_any_way or isinstance(node.op, ast.Sub)):
            sides = [node.left, node.right]
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and called(node) in _COMPARING:
            sides = [*node.args, node.func]
        if len(sides) > 1 and any(
            mentions(one, holder) and not mentions(one, root) and mentions(other, root) and not mentions(other, holder)
            for one in sides
            for other in sides
        ):
            return True
    return False
