"""Writes in place: refused, corrupting, silent, or going nowhere."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from autograd.trace import Mutate, TraceEdge, Visit
from snippets.diagnose.reading import Reading
from snippets.diagnose.report import Report, number
from snippets.diagnose.source import called, first_line, mentions, receiver, target_of_write

#: Operations whose backward rule reads their own result, or an argument: writing to those corrupts the rule.


SAVES_RESULT = {
    "exp",
    "sigmoid",
    "tanh",
    "relu",
    "sqrt",
    "softmax",
    "log_softmax",
    "reciprocal",
    "rsqrt",
    "tan",
    "leaky_relu",
}


def _failing_operation(r: Reading) -> str:
    """The operation whose backward rule could not run: the last one that the failed pass came to."""
    visits = [v for v in r.events(Visit) if r.failed_pass and v.pass_ == r.failed_pass.number]
    node = r.nodes[visits[-1].node] if visits else None
    if node is None or node.kind != "op":
        return ""
    shown = f"`{node.expr}`" if node.expr and len(node.expr) <= 40 else str(node.op)
    return f"{shown} (line {node.line})" if node.line else shown


def saved_value_changed(r: Reading) -> Iterator[Report]:
    """A value that a backward rule saved was changed in place before backward."""
    if "modified by an inplace operation" not in r.message:
        return
    versions = re.search(r"is at version (\d+); expected version (\d+)", r.message)
    maker = re.search(r"which is output \d+ of (\w+)", r.message)
    expected = int(versions.group(2)) if versions else None
    candidates = [m for m in r.mutations if expected is None or m.version_after > expected]
    failing = r.failed_pass
    on_way = (r.behind(failing.start.root) | {failing.start.root}) if failing else set(r.nodes)
    close = [m for m in candidates if _touches(r, m, on_way)] or candidates
    named = [m for m in close if maker and (r.nodes[m.node].grad_fn == maker.group(1))] or close
    write = named[-1] if named else None
    step = _optimizer_write(r)
    line = write.line if write else step
    if write is None and step is not None:
        who, text = "a parameter", r.source.line(step)
        fix = "run forward again after opt.step(); detach state that is carried over instead of retain_graph=True"
    else:
        text = r.source.line(line)
        statement = r.source.statement_at(line)
        who = (target_of_write(statement) if statement else None) or (r.name(write.node) if write else "a saved value")
        copied = who if who.isidentifier() else "x"
        fix = f"write to a copy: {copied}.clone(), or use the operation without the underscore"
    saver = _failing_operation(r)
    needs = f"and the backward of {saver} still needs its old value" if saver else "which backward still needs"
    numbers = (
        f"{who} is at version {versions.group(1)}, {saver or 'the rule'} saved version {versions.group(2)}"
        if versions
        else r.message
    )
    yield Report(
        "inplace-modified-saved",
        f"`{text}` changed {who} in place, {needs}.",
        f"line {line}: {numbers}; the backward of line {r.error_line} would use the wrong value.",
        fix,
        line=line or r.error_line,
        node=write.node if write else None,
        event=write.t if write else None,
    )


def _touches(r: Reading, write: Mutate, on_way: set[str]) -> bool:
    return write.node in on_way or any(edge.src in on_way for edge in r.into[write.node])


def _optimizer_write(r: Reading) -> int | None:
    return r.steps[-1].line if r.steps else None


def write_to_leaf(r: Reading) -> Iterator[Report]:
    """A leaf that requires grad, or a view of one, was changed in place while recording."""
    if "a leaf Variable that requires grad" not in r.message:
        return
    view = "view of a leaf" in r.message
    what = _written(r)
    nodes = r.named(what) if what else []
    yield Report(
        "inplace-on-leaf",
        f"`{r.source.line(r.error_line)}` changes {'a view of ' if view else ''}a leaf in place while recording.",
        f"{what or 'the tensor'} is a leaf with requires_grad=True; its history would start after the change, "
        "so PyTorch refuses.",
        f"with torch.no_grad():\n    {r.source.line(r.error_line)}"
        if _sets_values(r)
        else "use the operation that returns a new tensor",
        line=r.error_line,
        node=nodes[-1].id if nodes else None,
    )


def _written(r: Reading) -> str | None:
    statement = r.source.statement_at(r.error_line)
    if isinstance(statement, ast.AugAssign):
        return ast.unparse(statement.target).split("[")[0]
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        return ast.unparse(statement.targets[0].value)
    if statement is not None:
        for call in ast.walk(statement):
            if isinstance(call, ast.Call):
                if called(call).endswith("_"):
                    return receiver(call)
                if call.args and isinstance(call.args[0], ast.Name):
                    return call.args[0].id
    return None


def _sets_values(r: Reading) -> bool:
    """Whether the statement stands for itself: an update or a first value, not a step of the computation."""
    statement = r.source.statement_at(r.error_line)
    if isinstance(statement, ast.Assign):
        return isinstance(statement.targets[0], ast.Subscript)
    method = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and receiver(statement.value)
    return isinstance(statement, ast.AugAssign) or bool(method and method not in ("F", "torch", "nn.functional"))


def write_to_view(r: Reading) -> Iterator[Report]:
    """A write to a view that does not allow it."""
    phrases = {
        "more than one element of the written-to tensor refers to a single memory location": (
            "expand() makes several elements share one memory cell",
            "x.clone() after expand, or repeat()",
        ),
        "is a view and is being modified inplace": (
            "this view comes from an operation that returns several views, or was made with recording off",
            "write to a clone, or build the result with torch.stack",
        ),
        "A view was created in no_grad mode": (
            "the view was made under no_grad and is written to while recording",
            "make the view and write to it in the same mode, or clone it",
        ),
        "A view was created in inference mode": (
            "the view was made in inference mode and is written to while recording",
            "clone it outside inference mode",
        ),
        "unsupported operation: some elements of the input tensor and the written-to tensor": (
            "source and destination overlap in memory",
            "clone the source first",
        ),
    }
    for phrase, (why, fix) in phrases.items():
        if phrase in r.message:
            what = _written(r)
            made = next((n for n in reversed(r.named(what or "")) if n.op), None)
            where = (
                f"{what} was made on line {made.line} (`{r.source.line(made.line)}`)."
                if made
                else r.message.splitlines()[0]
            )
            maker = r.source.statement_at(made.line) if made else None
            if "expand" in why and made and isinstance(maker, ast.Assign):
                fix = r.source.line_with(made.line, maker.value, f"{r.source.segment(maker.value)}.clone()")
            yield Report(
                "inplace-on-view",
                f"`{r.source.line(r.error_line)}` writes to a view that does not allow it: {why}.",
                where,
                fix,
                line=r.error_line,
                node=made.id if made else None,
            )
            return


def result_thrown_away(r: Reading) -> Iterator[Report]:
    """An out-of-place call stands alone as a statement, or a write went into a temporary copy."""
    for statement in r.source.all:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        inner = target.value if isinstance(target, ast.Subscript) else None
        if isinstance(inner, ast.Subscript) and _copies(r, inner) and _is_tensor(r, ast.unparse(inner.value)):
            copied = ast.unparse(inner)
            yield Report(
                "result-discarded",
                f"`{copied}` copies the chosen entries, so the assignment changes a temporary copy only.",
                f"line {first_line(statement)}: after it {ast.unparse(inner.value)} is unchanged.",
                "put both indices into one pair of brackets",
                line=first_line(statement),
            )
            return
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            call = statement.value
            name, owner = called(call), receiver(call)
            if not owner or not isinstance(call.func, ast.Attribute):
                continue
            if _is_module(r, owner) and not name.endswith("_"):
                continue
            if owner in ("torch", "F", "torch.nn.functional") and not name.endswith("_"):
                made = [n for n in r.trace.nodes if n.line == statement.lineno and n.kind != "leaf"]
                if made and not r.out_of[made[-1].id] and not _in_try(r, statement):
                    yield Report(
                        "result-discarded",
                        f"`{r.source.line(statement.lineno)}` returns a new tensor, and nothing keeps it.",
                        f"line {statement.lineno}: {name} leaves its arguments as they are.",
                        f"result = {r.source.segment(call)}",
                        line=statement.lineno,
                        node=made[-1].id,
                        event=r.born.get(made[-1].id),
                    )
                    return
                continue
            if isinstance(call.func.value, ast.Subscript) and name.endswith("_"):
                if _copies(r, call.func.value):
                    yield Report(
                        "result-discarded",
                        f"`{owner}` copies the chosen entries, so `.{name}()` changes a temporary copy only.",
                        f"line {statement.lineno}: after it {ast.unparse(call.func.value.value)} is unchanged.",
                        f"{owner} = ...  (assignment writes into the tensor)",
                        line=statement.lineno,
                    )
                    return
                continue
            ran = [
                n for n in r.trace.nodes if n.line == statement.lineno and (n.op or "") in (name, "_to_copy", "clone")
            ]
            if name in OUT_OF_PLACE and (ran or _is_tensor(r, owner)) and not _in_try(r, statement):
                node = ran[-1] if ran else None
                if node is not None and any(e.recorded or e.how for e in r.out_of[node.id]):
                    continue
                yield Report(
                    "result-discarded",
                    f"`{r.source.line(statement.lineno)}` returns a new tensor, and nothing keeps it: {owner} "
                    "is unchanged.",
                    f"line {statement.lineno}: {name} does not work in place.",
                    f"{owner} = {r.source.segment(call)}",
                    line=statement.lineno,
                    node=node.id if node else None,
                    event=r.born.get(node.id) if node else None,
                )
                return


# fmt: off
OUT_OF_PLACE = {
    "abs", "add", "clamp", "clone", "contiguous", "cpu", "cuda", "detach", "div", "double", "exp", "expand",
    "fill", "flatten", "float", "floor", "half", "index_add", "index_copy", "index_fill", "int", "log",
    "log_softmax", "long", "masked_fill", "mul", "neg", "permute", "pow", "relu", "repeat", "requires_grad",
    "reshape", "round", "scatter", "scatter_add", "sigmoid", "softmax", "sqrt", "squeeze", "sub", "t", "tanh",
    "to", "transpose", "type", "unsqueeze", "view", "zero",
}
# fmt: on


def _is_tensor(r: Reading, owner: str) -> bool:
    value = r.values.get(owner)
    return bool(r.named(owner)) or (isinstance(value, dict) and value.get("kind") == "tensor")


def _is_module(r: Reading, owner: str) -> bool:
    """Whether ``owner`` is a module or a part of one: .to(), .float() and the like work in place there."""
    root = owner.split(".")[0].split("[")[0]
    value = r.values.get(root)
    return (isinstance(value, dict) and value.get("kind") == "module") or any(
        module["name"] == root for module in r.facts.get("modules", ())
    )


def _in_try(r: Reading, statement: ast.stmt) -> bool:
    """An expression tried for its error is not a forgotten assignment."""
    return bool(r.source.around(statement, ast.Try))


def _copies(r: Reading, subscript: ast.Subscript) -> bool:
    """Whether the index is a mask or a list of indices (a copy), not a slice or number (a view)."""
    index = subscript.slice
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    for part in parts:
        if isinstance(part, ast.List | ast.Compare):
            return True
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Invert):
            return True
        if isinstance(part, ast.Call | ast.BinOp) and any(
            n.op == "index" and n.line == first_line(subscript) for n in r.trace.nodes
        ):
            return True
        value = r.values.get(ast.unparse(part))
        if isinstance(value, dict) and value.get("kind") in ("tensor", "list") and value.get("shape", [1]) != []:
            return True
        if any(n.dtype in ("bool", "int64") and n.shape for n in r.named(ast.unparse(part))):
            return True
    return False


def silent_write(r: Reading) -> Iterator[Report]:
    """A write changed a value that another path still uses, and no rule had saved it: no error, another result."""
    if "modified by an inplace operation" in r.message:
        return
    looked_at: set[int | None] = set()
    recorded = {
        line: _writes_data(statement)
        for line in {write.line for write in r.mutations}
        if (statement := r.source.statement_at(line)) is not None and not r.source.under_no_grad(statement)
    }
    for write in r.mutations:
        if write.line not in recorded:
            continue
        node = r.nodes[write.node]
        statement = r.source.statement_at(write.line)
        through_data = recorded[write.line]
        write = replace(write, node=r.origin(write.node))
        if (
            through_data
            and statement is not None
            and not _parameter_update(statement)
            and _read_before_and_walked_after(r, write)
        ):
            yield Report(
                "inplace-silent",
                f"`{r.source.line(write.line)}` writes through .data, which hides the change from the version check.",
                f"{r.name(write.node)} became {number(write.value)} after it was used; backward computes with "
                "the new numbers "
                "and raises no error.",
                "with torch.no_grad(): and no .data, so that the check can see it; or work on a clone",
                line=write.line,
                node=write.node,
                event=write.t,
            )
            return
        if through_data or node.kind == "leaf":
            continue
        # y = f_(x) with both names used afterwards: x is y.
        makers = _inplace_makers(r, write)
        if not makers or write.line in looked_at:
            continue
        looked_at.add(write.line)  # a later write of the line has less that follows it
        later = [
            (edge, name)
            for edge in r.trace.edges
            for name in [_other_name(r, edge, write)]
            if name and r.born.get(edge.dst, -1) > write.t
        ]
        if later:
            first = min(later, key=lambda item: r.born[item[0].dst])
            yield Report(
                "inplace-silent",
                f"`{r.source.line(write.line)}` overwrote {first[1]} itself, and line "
                f"{r.nodes[first[0].dst].line} still uses "
                f"{first[1]} as if it were the old value.",
                f"{first[1]} is now {number(write.value)} (version {write.version_after}); no rule had saved "
                "it, so no error is "
                "raised.",
                _not_in_place(r, write.line),
                line=write.line,
                node=write.node,
                event=write.t,
            )
            return


def _not_in_place(r: Reading, line: int | None) -> str:
    """The line with the operation that returns a new tensor."""
    text = r.source.line(line)
    plain = re.sub(r"\.(\w+[a-z0-9])_\(", r".\1(", text.replace("inplace=True", "inplace=False"))
    return plain if plain != text else "use the operation without in-place (inplace=False, no trailing underscore)"


def _writes_data(statement: ast.stmt) -> bool:
    return any(isinstance(n, ast.Attribute) and n.attr == "data" for n in ast.walk(statement))


def _parameter_update(statement: ast.stmt) -> bool:
    """``p.data -= lr * p.grad`` is an update written the old way, not a corruption."""
    return mentions(statement, "grad") or mentions(statement, "_grad")


#: Operations whose backward rule reads their own result.
_SAVES_RESULT = {"sigmoid", "tanh", "exp", "sqrt", "rsqrt", "softmax", "log_softmax", "reciprocal", "norm", "relu"}


def _read_before_and_walked_after(r: Reading, write: Mutate) -> bool:
    """Whether a recorded operation read the value before the write, and a later pass goes through that operation."""
    early = {e.dst for e in r.out_of[write.node] if e.recorded and r.born.get(e.dst, 1 << 60) < write.t}
    if r.nodes[write.node].op in _SAVES_RESULT:
        early.add(write.node)
    return any(p.start.t > write.t and early & (r.behind(p.start.root) | {p.start.root}) for p in r.passes)


def _inplace_makers(r: Reading, write: Mutate) -> set[str]:
    """The names a statement binds to the result of an in-place call: ``y = f_(x)`` gives {y}."""
    statement = r.source.statement_at(write.line)
    return (
        r.source.assigned(statement)
        if isinstance(statement, ast.Assign) and not isinstance(statement.targets[0], ast.Subscript)
        else set()
    )


def _other_name(r: Reading, edge: TraceEdge, write: Mutate) -> str | None:
    """The name of the overwritten tensor when a later statement reads it beside the in-place call's own name."""
    statement = r.source.statement_at(write.line)
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    call = statement.value
    if called(call) in ("grad", "backward"):
        return None  # a recorded backward writes to tensors of its own
    bound = r.source.assigned(statement)
    source = receiver(call) if called(call).endswith("_") and not called(call).endswith("__") else None
    if source is None or not source.isidentifier():
        source = next((a.id for a in call.args if isinstance(a, ast.Name)), None)
    if source is None or source in bound:
        return None
    later = r.source.statement_at(r.nodes[edge.dst].line)
    if later is None or later.lineno <= statement.lineno or not mentions(later, source):
        return None
    return source if any(mentions(later, name) for name in bound) or mentions(later, source) else None
