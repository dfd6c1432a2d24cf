"""Indices: which entries are read, written and given which gradient."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograd.trace import TraceNode
from snippets.diagnose.reading import Reading, entries
from snippets.diagnose.report import NOTE, Report, number
from snippets.diagnose.source import first_line


def index_assignment(r: Reading) -> Iterator[Report]:
    """Repeated indices in ``t[idx] += v``; an entry that was overwritten and so gets no gradient."""
    for statement in r.source.all:
        target = _read_and_written(statement)
        if target is None:
            continue
        index, owner = ast.unparse(target.slice), ast.unparse(target.value)
        value = r.values.get(index)
        numbers = value.get("data") if isinstance(value, dict) else None
        whole = isinstance(numbers, list) and bool(numbers) and all(type(v) is int for v in numbers)
        if isinstance(numbers, list) and whole and len(set(numbers)) < len(numbers):
            line = first_line(statement)
            yield Report(
                "indexing",
                f"`{r.source.line(line)}` reads, adds and writes back once, so a repeated index counts once.",
                f"{index} = {numbers} repeats entries.",
                f"{owner}.index_add_(0, {index}, values), or index_put_(..., accumulate=True)",
                line=line,
            )
            return
    yield from _repeated_read(r)
    for statement in r.source.all:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Subscript):
            continue
        owner = ast.unparse(statement.targets[0].value)
        writes = [m for m in r.mutations if m.line == statement.lineno and r.nodes[m.node].requires_grad]
        if not writes or not any(p.end is not None for p in r.passes):
            continue
        lost = [
            leaf
            for leaf in r.learners
            if leaf.name != owner
            and any(_some_zero(e.after) for p in r.passes for e in p.leaf_grads if e.node == leaf.id)
        ]
        if lost:
            leaf = lost[0]
            landed = next(e for p in r.passes for e in p.leaf_grads if e.node == leaf.id)
            yield Report(
                "indexing",
                f"`{r.source.line(statement.lineno)}` overwrites entries of {owner}: what stood there no "
                "longer influences the result.",
                f".grad of {leaf.name or 'the leaf'} is {number(landed.after)}: 0 where its entry was overwritten.",
                "build the vector with torch.cat or torch.stack from the pieces that should count",
                line=statement.lineno,
                node=writes[-1].node,
                event=writes[-1].t,
                severity=NOTE,
            )
            return


def _read_and_written(statement: ast.AST) -> ast.Subscript | None:
    """The entries that a statement reads and writes: ``t[i] += v`` or ``t[i] = t[i] + v``."""
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Subscript):
        return statement.target
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        target = statement.targets[0]
        again = isinstance(statement.value, ast.BinOp) and ast.unparse(target) in ast.unparse(statement.value)
        return target if again else None
    return None


_READS = {"gather", "index", "index_select"}
_WRITES = {"index_put_", "index_put", "scatter", "scatter_", "index_copy", "index_copy_"}


def _repeated_read(r: Reading) -> Iterator[Report]:
    """A leaf is read (or written from) with repeated indices: contributions add up, or the last write wins."""
    for node in r.trace.nodes:
        if node.op not in _READS | _WRITES or node.id not in r.reached:
            continue
        repeated = _repeats(r, node)
        source = next((e.src for e in r.into[node.id] if e.recorded and r.nodes[e.src].requires_grad), None)
        if repeated is None or source is None:
            continue
        writes = node.op in _WRITES
        if not writes and r.steps:
            continue  # in a training, an item that occurs twice counts twice
        if writes and "accumulate=True" in r.source.line(node.line):
            continue
        what = r.nodes[source].name or r.name(source)
        yield Report(
            "indexing",
            f"`{r.source.line(node.line)}` uses an index more than once: "
            + (
                "the last write to a place wins, and the overwritten entries have no influence."
                if writes
                else f"that entry of {what} receives one contribution for each use."
            ),
            f"indices {number(repeated)}.",
            "index_add_, scatter_add_ or index_put_(..., accumulate=True) to add them up"
            if writes
            else "nothing to repair if it is meant",
            line=node.line,
            node=node.id,
            event=r.born.get(node.id),
            severity=NOTE,
        )
        return


def _repeats(r: Reading, node: TraceNode) -> list[float | str] | None:
    """The indices of a node when some occur twice, else None."""
    found: list[float | str] = []
    for edge in r.into[node.id]:
        if r.nodes[edge.src].dtype == "int64":
            index = r.value.get(edge.src)
            if node.op == "gather" and len(r.nodes[edge.src].shape) > 1:
                return _repeats_in_gather(r, node, index)
            found = entries(index)
    statement = r.source.statement_at(node.line)
    for part in ast.walk(statement) if statement is not None and not found else ():
        named = part.slice if isinstance(part, ast.Subscript) else part
        if isinstance(named, ast.Tuple) and sum(not isinstance(one, ast.Slice) for one in named.elts) > 1:
            return None  # pairs of indices, such as (row, label)
        held = r.values.get(ast.unparse(named)) if isinstance(named, ast.Name | ast.Tuple) else None
        if isinstance(held, dict) and held.get("dtype") == "int64":
            found = entries(held.get("data"))
    return found if len(set(found)) < len(found) else None


def _repeats_in_gather(r: Reading, node: TraceNode, index: Any) -> list[float | str] | None:
    """The first row (or column) of a two-dimensional gather in which an index occurs twice, else None."""
    call = next((c for c in r.source.calls("gather") if c.lineno == node.line and c.args), None)
    dim = next((ast.unparse(a) for a in call.args if isinstance(a, ast.Constant | ast.UnaryOp)), "0") if call else "0"
    if not isinstance(index, list) or not all(isinstance(row, list) for row in index):
        return None
    lines = index if dim in ("1", "-1") else [list(column) for column in zip(*index, strict=False)]
    return next((line for line in lines if len(set(line)) < len(line)), None)


def _some_zero(value: object) -> bool:
    found = entries(value)
    return len(found) > 1 and any(v == 0 for v in found) and any(v != 0 for v in found)
