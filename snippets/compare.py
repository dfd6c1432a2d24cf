"""Two versions of a program side by side: which tensors and steps correspond, and what differs between them.

Lines are paired first (equal text, then similar text), tensors by line, by name and by order, and the steps of the two
walks by what happens to which tensor. Everything is read from the traces; nothing is run here.
"""

from __future__ import annotations

import difflib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from autograd import notation
from autograd.frames import Frame
from autograd.trace import Forward, LeafGrad, Mutate, Step, Trace, TraceNode, Value, Visit, ZeroGrad

#: Numbers closer than this (relative to the larger one) count as equal.
TOLERANCE = 1e-5
#: Lines that share less than this part of their letters are not the same line changed.
SIMILAR = 0.5
#: At most this many differences are listed; the most telling come first.
MOST = 40

VALUE, GRADIENT, DOT_GRAD, RECORDING, SHAPE, ONLY_LEFT, ONLY_RIGHT, ENDING, PRINTED = (
    "value",
    "gradient",
    ".grad",
    "recording",
    "shape",
    "only in the first",
    "only in the second",
    "ending",
    "printed",
)
#: What a learner looks at first comes first.
_ORDER = (ENDING, DOT_GRAD, RECORDING, GRADIENT, SHAPE, VALUE, ONLY_LEFT, ONLY_RIGHT, PRINTED)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two tensors that correspond, by the ids of their nodes; None where the other program has none."""

    left: str | None
    right: str | None


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that differs. ``left`` and ``right`` say it in the reader's notation; ``times`` counts how often.

    ``left_node``, ``left_line`` and ``left_step`` (and those of the right) point to where it first shows.
    """

    what: str
    name: str
    left: str
    right: str
    times: int = 1
    left_node: str | None = None
    right_node: str | None = None
    left_line: int | None = None
    right_line: int | None = None
    left_step: int | None = None
    right_step: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """The difference as JSON-ready data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What corresponds and what differs.

    ``lines`` pairs line numbers (None where a line has no counterpart), ``pairs`` tensors, ``steps`` the indices of the
    frames that show the same thing in both walks, ascending on both sides. ``unlike`` holds the nodes that differ, on
    the left and on the right.
    """

    lines: tuple[tuple[int | None, int | None], ...]
    pairs: tuple[Pair, ...]
    steps: tuple[tuple[int, int], ...]
    differences: tuple[Difference, ...]
    unlike: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())

    def changed_lines(self, left: str, right: str) -> tuple[list[int], list[int]]:
        """The numbers of the lines that differ, on the left and on the right, given both sources."""
        texts = left.splitlines(), right.splitlines()
        first, second = [], []
        for a, b in self.lines:
            if a is None or b is None or texts[0][a - 1].strip() != texts[1][b - 1].strip():
                first += [a] if a is not None and texts[0][a - 1].strip() else []
                second += [b] if b is not None and texts[1][b - 1].strip() else []
        return first, second


def compare(left: Trace, right: Trace, left_frames: Sequence[Frame], right_frames: Sequence[Frame]) -> Comparison:
    """Align the traces of two programs and their walks (:func:`autograd.frames.frames`), and list what differs."""
    lines = pair_lines(left.source, right.source)
    pairs = _pair_nodes(left, right, {a: b for a, b in lines if a is not None and b is not None})
    counterpart = {pair.left: pair.right for pair in pairs if pair.left and pair.right}
    steps = _pair_frames(left, right, left_frames, right_frames, counterpart)
    found = _differences(_Side(left, left_frames), _Side(right, right_frames), pairs)
    unlike = tuple(
        frozenset(node for one in found if (node := getattr(one, side)) is not None)
        for side in ("left_node", "right_node")
    )
    listed = sorted(_grouped(found), key=lambda one: _ORDER.index(one.what))
    return Comparison(tuple(lines), tuple(pairs), tuple(steps), tuple(listed[:MOST]), (unlike[0], unlike[1]))


# -- lines -----------------------------------------------------------------------------------------------------------


def pair_lines(left: str, right: str) -> list[tuple[int | None, int | None]]:
    """Line numbers of two texts, paired in order; a line without counterpart stands beside None."""
    a, b = ([line.strip() for line in text.splitlines()] for text in (left, right))
    out: list[tuple[int | None, int | None]] = []
    for tag, a0, a1, b0, b1 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal":
            out += [(a0 + k + 1, b0 + k + 1) for k in range(a1 - a0)]
        else:
            out += _pair_changed(a, b, range(a0, a1), range(b0, b1))
    return out


def _pair_changed(a: list[str], b: list[str], left: range, right: range) -> list[tuple[int | None, int | None]]:
    """Pair each line of a changed stretch with the first similar one that is still free."""
    out: list[tuple[int | None, int | None]] = []
    free = right.start
    for i in left:
        like = next((j for j in range(free, right.stop) if _alike(a[i], b[j])), None)
        if like is None:
            out.append((i + 1, None))
            continue
        out += [(None, j + 1) for j in range(free, like)]
        out.append((i + 1, like + 1))
        free = like + 1
    return out + [(None, j + 1) for j in range(free, right.stop)]


def _alike(one: str, other: str) -> bool:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio() >= SIMILAR


# -- tensors and steps -----------------------------------------------------------------------------------------------


def _pair_nodes(left: Trace, right: Trace, lines: dict[int, int]) -> list[Pair]:
    """Pair tensors that stand on the same line, then those of the same name, then those of the same operation."""
    matched: dict[str, str] = {}
    taken: set[str] = set()

    def match(key_left: Callable[[TraceNode], Hashable], key_right: Callable[[TraceNode], Hashable]) -> None:
        waiting: dict[Hashable, list[str]] = defaultdict(list)
        for node in right.nodes:
            if node.id not in taken and (key := key_right(node)) is not None:
                waiting[key].append(node.id)
        places: dict[Hashable, int] = defaultdict(int)
        for node in left.nodes:
            if node.id in matched or (key := key_left(node)) is None:
                continue
            place = places[key]
            places[key] += 1
            if place < len(waiting.get(key, ())):
                matched[node.id] = waiting[key][place]
                taken.add(waiting[key][place])

    match(
        lambda n: (lines[n.line], n.name, n.op, n.scope) if n.line in lines else None,
        lambda n: (n.line, n.name, n.op, n.scope),
    )
    match(
        lambda n: (lines[n.line], n.name) if n.line in lines and n.name else None,
        lambda n: (n.line, n.name) if n.name else None,
    )
    match(lambda n: n.name, lambda n: n.name)
    match(
        lambda n: (lines[n.line], n.op, n.kind, n.scope) if n.line in lines else None,
        lambda n: (n.line, n.op, n.kind, n.scope),
    )
    match(
        lambda n: (n.op, n.scope, n.shape) if not n.name and n.op else None,
        lambda n: (n.op, n.scope, n.shape) if not n.name and n.op else None,
    )
    pairs = [Pair(node.id, matched.get(node.id)) for node in left.nodes]
    return pairs + [Pair(None, node.id) for node in right.nodes if node.id not in taken]


def _pair_frames(
    left: Trace,
    right: Trace,
    left_frames: Sequence[Frame],
    right_frames: Sequence[Frame],
    counterpart: dict[str, str],
) -> list[tuple[int, int]]:
    """Pair frames that show the same event of corresponding tensors, in an order that holds on both sides."""
    keys_left = _frame_keys(left, left_frames, lambda node: counterpart.get(node, ("left", node)))
    keys_right = {key: index for index, key in enumerate(_frame_keys(right, right_frames, lambda node: node))}
    both = [(index, keys_right[key]) for index, key in enumerate(keys_left) if key in keys_right]
    return _rising(both)


def _frame_keys(trace: Trace, frames: Sequence[Frame], named: Callable[[str], Hashable]) -> list[Hashable]:
    """A key for each frame, the same for frames that show the same, each only once in a walk."""
    arguments = {edge.id: edge.arg for edge in trace.edges}
    seen: dict[Hashable, int] = defaultdict(int)
    keys: list[Hashable] = []
    for frame in frames:
        if frame.kind == "contribute" and len(frame.focus) > 2:
            taker, edge, giver = frame.focus[:3]
            about: Hashable = (named(taker), named(giver), arguments.get(edge))
        else:
            about = next((named(node) for _, node in frame.marks if node), None)
        key = (frame.kind, about)
        keys.append((key, seen[key]))
        seen[key] += 1
    return keys


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest choice of ``pairs`` (rising on the left) that rises on the right too."""
    ends: list[int] = []
    places: list[int] = []
    before: list[int | None] = []
    for place, (_, right) in enumerate(pairs):
        length = bisect_left(ends, right)
        before.append(places[length - 1] if length else None)
        if length == len(ends):
            ends.append(right)
            places.append(place)
        else:
            ends[length] = right
            places[length] = place
    out: list[tuple[int, int]] = []
    place_: int | None = places[-1] if places else None
    while place_ is not None:
        out.append(pairs[place_])
        place_ = before[place_]
    return out[::-1]


# -- differences -----------------------------------------------------------------------------------------------------


class _Side:
    """One program's final numbers by node, and the frames that show them."""

    def __init__(self, trace: Trace, frames: Sequence[Frame]) -> None:
        self.trace = trace
        self.nodes = {node.id: node for node in trace.nodes}
        self.names = {node.id: notation.called(node) for node in trace.nodes}
        self.value: dict[str, Value] = {}
        self.gradient: dict[str, Value] = {}
        self.dot_grad: dict[str, Value] = {}
        for event in trace.events:
            if isinstance(event, (Forward, Mutate)):
                self.value[event.node] = event.value
            elif isinstance(event, Visit):
                self.gradient[event.node] = event.upstream
            elif isinstance(event, LeafGrad):
                self.dot_grad[event.node] = event.after
            elif isinstance(event, ZeroGrad):
                self.dot_grad.update({entry["node"]: entry.get("after") for entry in event.parameters})
            elif isinstance(event, Step):
                self.value.update({entry["node"]: entry.get("after") for entry in event.parameters})
        self.shown: dict[tuple[str, str], list[int]] = defaultdict(list)
        for index, frame in enumerate(frames):
            for kind, node in frame.marks:
                if node is not None:
                    self.shown[kind, node].append(index)
        self.last = len(frames) - 1

    def step(self, node: str | None, *kinds: str) -> int | None:
        """The last frame that shows one of these events of ``node``, the kinds tried in order."""
        return next((self.shown[kind, node][-1] for kind in kinds if node and self.shown.get((kind, node))), None)


def same(one: Value, other: Value) -> bool:
    """Whether two traced values are equal up to rounding."""
    if isinstance(one, (int, float)) and isinstance(other, (int, float)):
        return abs(one - other) <= TOLERANCE * max(abs(one), abs(other), 1e-30) or one == other
    if isinstance(one, (list, tuple)) and isinstance(other, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)


def _differences(left: _Side, right: _Side, pairs: Iterable[Pair]) -> list[Difference]:
    found: list[Difference] = []
    for pair in pairs:
        if pair.left is None or pair.right is None:
            found += _alone(left, right, pair)
        else:
            a, b = left.nodes[pair.left], right.nodes[pair.right]
            for what, one, other, kinds in _unlike(left, right, a, b):
                steps = left.step(a.id, *kinds, "forward"), right.step(b.id, *kinds, "forward")
                name = a.name or b.name or left.names[a.id]
                found.append(Difference(what, name, one, other, 1, a.id, b.id, a.line, b.line, *steps))
    return [*_endings(left, right), *found]


def _unlike(left: _Side, right: _Side, a: TraceNode, b: TraceNode) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """What differs between two tensors that correspond: kind, both texts, and the events that show it."""
    if a.requires_grad != b.requires_grad:
        yield RECORDING, _tracking(a), _tracking(b), ()
    if a.shape != b.shape:
        yield SHAPE, notation.shape(a.shape), notation.shape(b.shape), ()
    if not a.name and not b.name:
        return
    values = left.value.get(a.id), right.value.get(b.id)
    kept = left.dot_grad.get(a.id), right.dot_grad.get(b.id)
    passed = left.gradient.get(a.id), right.gradient.get(b.id)
    if a.shape == b.shape and not same(*values):
        yield VALUE, _short(values[0]), _short(values[1]), ("step", "mutate")
    if not same(*kept):
        yield DOT_GRAD, _short(kept[0]), _short(kept[1]), ("leaf_grad", "zero_grad")
    elif not same(*passed):
        yield GRADIENT, _short(passed[0]), _short(passed[1]), ("visit", "accumulate")


def _alone(left: _Side, right: _Side, pair: Pair) -> list[Difference]:
    """A tensor that only one of the programs makes; what printing makes is left out."""
    side, node_id = (left, pair.left) if pair.left else (right, pair.right)
    assert node_id is not None
    node = side.nodes[node_id]
    if node.op in ("item", "tolist") or (node.kind != "op" and node.name is None):
        return []
    said = f"{side.names[node_id]} = {_short(side.value.get(node_id))}"
    step = side.step(node_id, "forward")
    if pair.left:
        return [
            Difference(ONLY_LEFT, side.names[node_id], said, "", 1, node_id, None, node.line, None, step, None),
        ]
    return [Difference(ONLY_RIGHT, side.names[node_id], "", said, 1, None, node_id, None, node.line, None, step)]


def _endings(left: _Side, right: _Side) -> list[Difference]:
    out = []
    errors = [side.trace.error for side in (left, right)]
    said = ["runs to its end" if e is None else f"{e['type']}: {_first_words(str(e['message']))}" for e in errors]
    if said[0] != said[1]:
        lines = [None if e is None else e.get("line") for e in errors]
        out.append(
            Difference(
                ENDING, "the program", said[0], said[1], 1, None, None, lines[0], lines[1], left.last, right.last
            )
        )
    if left.trace.stdout != right.trace.stdout:
        texts = [side.trace.stdout.splitlines() for side in (left, right)]
        place = next((k for k, (a, b) in enumerate(zip(*texts, strict=False)) if a != b), min(map(len, texts)))
        shown = [text[place] if place < len(text) else "nothing more" for text in texts]
        out.append(Difference(PRINTED, f"line {place + 1} of the output", shown[0], shown[1]))
    return out


def _first_words(message: str, most: int = 96) -> str:
    """The first sentence of a message, shortened at a word."""
    line = message.splitlines()[0].split(". ")[0].split(": [")[0] if message else ""
    return line if len(line) <= most else line[:most].rpartition(" ")[0] + " …"


def _grouped(found: list[Difference]) -> list[Difference]:
    """Differences of the same kind and name (the turns of a loop) as one, with the values of the first few."""
    groups: dict[tuple[str, str], list[Difference]] = defaultdict(list)
    for one in found:
        groups[one.what, one.name].append(one)
    out = []
    for members in groups.values():
        first = members[0]
        if len(members) > 1:
            left, right = (_several([getattr(one, side) for one in members]) for side in ("left", "right"))
            rest = {key: value for key, value in first.to_dict().items() if key not in ("left", "right", "times")}
            first = Difference(left=left, right=right, times=len(members), **rest)
        out.append(first)
    return out


def _several(texts: list[str]) -> str:
    """The first three texts and the last: ``4, 2.56, 1.64, … 0.11``; only one when all are the same."""
    if len(set(texts)) == 1:
        return texts[0]
    return ", ".join(texts) if len(texts) <= 4 else ", ".join(texts[:3]) + f", … {texts[-1]}"


def _short(value: Value) -> str:
    return "None" if value is None else notation.short(value, 32)


def _tracking(node: TraceNode) -> str:
    if not node.requires_grad:
        return "not recorded" if node.op else "requires_grad=False"
    return f"recorded, {node.grad_fn}" if node.grad_fn else "requires_grad=True"


__all__ = ["Comparison", "Difference", "Pair", "compare", "pair_lines", "same"]
