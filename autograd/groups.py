"""Parts of a big graph that can be drawn as one box: modules, and the repeated bodies of loops."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from autograd.kept import kept
from autograd.trace import Trace, TraceNode

#: A loop is offered for collapsing from this many turns on.
LEAST_TURNS = 2

#: So many operations that belong to no module and no loop make one box.
STRETCH = 60


@dataclass(frozen=True, slots=True)
class Group:
    """Nodes that may stand as one box. ``kind`` is ``module`` or ``loop``; ``id`` is stable for a given trace."""

    id: str
    kind: str
    title: str
    nodes: tuple[str, ...]


@kept
def groups(trace: Trace) -> tuple[Group, ...]:
    """Every group of ``trace``, the outer ones first: modules, whole loops, turns of loops, long stretches of lines."""
    inner = turns(trace)
    found = (*modules(trace), *loops(inner), *inner)
    return (*found, *stretches(trace, {node for group in found for node in group.nodes}))


def modules(trace: Trace) -> tuple[Group, ...]:
    """One group for each module path (``net``, ``net.0``, ...); a path holds what its children hold."""
    members: dict[str, list[str]] = {}
    for node in trace.nodes:
        if not node.scope:
            continue
        parts = node.scope.split(".")
        for depth in range(1, len(parts) + 1):
            members.setdefault(".".join(parts[:depth]), []).append(node.id)
    return tuple(Group(f"module:{path}", "module", path, tuple(ids)) for path, ids in members.items() if len(ids) > 1)


def turns(trace: Trace) -> tuple[Group, ...]:
    """One group for each turn of a loop: a stretch of operations whose lines repeat one after the other.

    A turn starts where the line number goes back to a line already seen since the loop's first line. Stretches that
    occur only once are not loops.
    """
    made = [node for node in trace.nodes if node.kind == "op" and node.line is not None]
    stretches: list[list[TraceNode]] = []
    for node in made:
        if not stretches or _starts_again(stretches[-1], node):
            stretches.append([])
        stretches[-1].append(node)
    firsts: dict[int, int] = {}
    for stretch in stretches[1:]:
        firsts[_first_line(stretch)] = firsts.get(_first_line(stretch), 0) + 1
    by_loop: dict[int, list[list[TraceNode]]] = {}
    for place, stretch in enumerate(stretches):
        line = _first_line(stretch)
        if place == 0:
            # What stands before the loop belongs to no turn.
            line = _first_line(stretches[1]) if len(stretches) > 1 else 0
            stretch = [node for node in stretch if (node.line or 0) >= line]
        if stretch and firsts.get(line, 0) + 1 >= LEAST_TURNS:
            by_loop.setdefault(line, []).append(stretch)
    return tuple(group for line, found in by_loop.items() for group in _turns_of(line, found))


def _turns_of(line: int, stretches: Sequence[Sequence[TraceNode]]) -> Iterator[Group]:
    """The turns of the loop whose first line is ``line``; what follows the loop is not part of its last turn."""
    last = max((node.line or 0 for stretch in stretches[:-1] for node in stretch), default=0)
    for number, stretch in enumerate(stretches, 1):
        inside = [node for node in stretch if (node.line or 0) <= last] if last else list(stretch)
        if len(inside) > 1:
            title = f"turn {number} of the loop, lines {line}–{last}" if last > line else f"turn {number}, line {line}"
            yield Group(f"turn:{line}:{number}", "loop", title, tuple(node.id for node in inside))


def loops(turns: Sequence[Group]) -> tuple[Group, ...]:
    """One group for each loop, holding all its ``turns``."""
    by_line: dict[str, list[Group]] = {}
    for turn in turns:
        by_line.setdefault(turn.id.split(":")[1], []).append(turn)
    return tuple(
        Group(
            f"loop:{line}",
            "loop",
            f"loop, {found[0].title.partition(', ')[2]}: {len(found)} turns",
            tuple(node for turn in found for node in turn.nodes),
        )
        for line, found in by_line.items()
        if len(found) > 1
    )


def stretches(trace: Trace, grouped: Collection[str]) -> tuple[Group, ...]:
    """What is in no other group, cut into runs of :data:`STRETCH` operations; none for a graph of ordinary size."""
    free = [node for node in trace.nodes if node.kind == "op" and node.id not in grouped]
    if len(free) <= 2 * STRETCH:
        return ()
    found = []
    for start in range(0, len(free), STRETCH):
        run = free[start : start + STRETCH]
        lines = sorted(node.line for node in run if node.line is not None)
        where = (
            f"lines {lines[0]}–{lines[-1]}" if lines and lines[0] != lines[-1] else f"line {lines[0]}" if lines else ""
        )
        title = f"operations {start + 1}–{start + len(run)}" + (f", {where}" if where else "")
        found.append(Group(f"stretch:{start // STRETCH + 1}", "stretch", title, tuple(node.id for node in run)))
    return tuple(found)


def boxes(trace: Trace, collapse: Collection[str]) -> dict[str, Group]:
    """Which group each hidden node is drawn as: the first collapsed group (outermost module first) that holds it.

    Raises ValueError when ``collapse`` names a group that ``trace`` does not have.
    """
    known = groups(trace)
    unknown = set(collapse) - {group.id for group in known}
    if unknown:
        raise ValueError(f"this walk has no part called {', '.join(sorted(unknown))}")
    hidden: dict[str, Group] = {}
    for group in known:
        if group.id in collapse:
            for node in group.nodes:
                hidden.setdefault(node, group)
    return hidden


@kept
def suggested(trace: Trace, limit: int) -> tuple[str, ...]:
    """The groups to collapse to draw about ``limit`` boxes: later turns of loops if that is enough, else whole loops.

    The first turn of a loop stays open where there is room, since it shows what every turn does.
    """
    if len(trace.nodes) <= limit:
        return ()
    known = groups(trace)
    chosen: list[Group] = []
    for coarse in (False, True):
        chosen = _greedy(len(trace.nodes), _units(known, coarse), limit)
        hidden = {node for group in chosen for node in group.nodes}
        if len(trace.nodes) - len(hidden) + len(chosen) <= limit:
            break
    names = {group.id for group in chosen}
    return tuple(group.id for group in known if group.id in names)


def _units(known: Sequence[Group], coarse: bool) -> list[list[Group]]:
    """Groups that are collapsed together or not at all: the turns of one loop, all stretches, each module by itself."""
    units: dict[str, list[Group]] = {}
    for group in known:
        kind, _, rest = group.id.partition(":")
        if kind == "turn":
            line, _, number = rest.partition(":")
            if not coarse and number != "1":
                units.setdefault(f"turns {line}", []).append(group)
        elif kind == "loop":
            if coarse:
                units[group.id] = [group]
        else:
            units.setdefault("stretches" if kind == "stretch" else group.id, []).append(group)
    return list(units.values())


def _greedy(count: int, units: Sequence[Sequence[Group]], limit: int) -> list[Group]:
    """Units that do not overlap, the largest first, until few enough boxes are left."""
    chosen: list[Group] = []
    hidden: set[str] = set()
    for unit in sorted(units, key=lambda found: -sum(len(group.nodes) for group in found)):
        if count - len(hidden) + len(chosen) <= limit:
            break
        inside = {node for group in unit for node in group.nodes}
        if hidden.isdisjoint(inside):
            hidden |= inside
            chosen.extend(unit)
    return chosen


def _first_line(stretch: Sequence[TraceNode]) -> int:
    return stretch[0].line or 0


def _starts_again(stretch: Sequence[TraceNode], node: TraceNode) -> bool:
    """Whether ``node`` begins a new turn: its line lies before the line just left and was run in this stretch, or
    equals the stretch's only line after a fresh start of the same expression."""
    before, line = stretch[-1].line or 0, node.line or 0
    if line < before:
        return True
    first = stretch[0]
    return line == before == (first.line or 0) and node.expr == first.expr and node.op == first.op
