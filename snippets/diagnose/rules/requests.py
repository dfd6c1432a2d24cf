"""Requests that can not be met: gradients of what was not used, backward of what is no tensor."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from snippets.diagnose.reading import Reading
from snippets.diagnose.refusal import refused_root, wanted_names
from snippets.diagnose.report import Report, number
from snippets.diagnose.source import called, receiver


def not_in_graph(r: Reading) -> Iterator[Report]:
    """A gradient was asked for with respect to something the result does not depend on."""
    if (
        "appears to not have been used in the graph" not in r.message
        and "One of the differentiated Tensors does not require grad" not in r.message
    ):
        return
    wanted = wanted_names(r)
    position = re.search(r"at index (\d+)", r.message)
    if position and int(position.group(1)) < len(wanted):
        wanted = [wanted[int(position.group(1))]]
    root = refused_root(r)
    for name in wanted:
        nodes = r.named(name)
        if not nodes or root is None:
            continue
        node = nodes[-1]
        across = node.id in r.behind(root.id, through_cuts=True)
        cut_on_the_way = [e for e in r.cuts_between(node.id, root.id) if e.how] if across else []
        if cut_on_the_way and node.requires_grad and "does not require grad" not in r.message:
            place = r.nodes[cut_on_the_way[0].dst]
            yield Report(
                "not-in-graph",
                f"{r.name(root.id)} has no recorded path to {name}: it was cut on line {place.line} "
                f"({cut_on_the_way[0].how}).",
                f"`{r.source.line(place.line)}` uses the value of {name} ({number(r.value.get(node.id))}) without its "
                "history.",
                f"keep the history on line {place.line}, or do not ask for the gradient of {name}",
                line=r.error_line,
                node=place.id,
                event=r.born.get(place.id),
            )
        elif across or "does not require grad" in r.message:
            late = next((line for line in r.source.marked_on(name) if line > (root.line or 0)), None)
            extra = f" It was marked on line {late}, after the forward pass." if late else ""
            yield Report(
                "nothing-requires-grad",
                f"{name} did not require grad when {r.name(root.id)} was computed, so its use was not recorded.",
                f"line {node.line} made {name}; the operations that read it kept no edge to it.{extra}",
                f"mark {name} first (requires_grad=True), then run the forward pass",
                line=late or node.line,
                node=node.id,
                event=r.born.get(node.id),
            )
        else:
            rebound = len(nodes) > 1 and nodes[0].id in r.behind(root.id, through_cuts=True)
            yield Report(
                "not-in-graph",
                f"{r.name(root.id)} was not computed from {name}, so it has no gradient with respect to it.",
                f"line {node.line} bound {name} to a new tensor; {r.name(root.id)} was computed from the old one."
                if rebound
                else f"{name} (line {node.line}) is not among the inputs of {r.name(root.id)} (line {root.line}); "
                "a later copy or packing of the same values does not count.",
                f"compute {r.name(root.id)} from {name}, or ask for the tensors it was computed from",
                line=r.error_line,
                node=node.id,
                event=r.born.get(node.id),
            )
        return
    yield Report(
        "not-in-graph",
        "A gradient was asked for with respect to a tensor that the result does not depend on.",
        f"line {r.error_line}: `{r.source.line(r.error_line)}`",
        "ask for tensors that the result was computed from, or pass allow_unused=True to get None",
        line=r.error_line,
    )


def python_value(r: Reading) -> Iterator[Report]:
    """backward was called on a Python number, tuple, list, module or None."""
    found = re.match(r"'([\w.]+)' object", r.message)
    kind = found.group(1) if found else "Tensor"
    asked = "has no attribute 'backward'" in r.message
    if kind == "Tensor" or not (asked or ("backward" in r.source.line(r.error_line) and "'grad" not in r.message)):
        return
    statement = r.source.statement_at(r.error_line)
    call = (
        next((c for c in ast.walk(statement) if isinstance(c, ast.Call) and called(c) == "backward"), None)
        if statement
        else None
    )
    name = receiver(call) if call else "the loss"
    made = _where_bound(r, name)
    if kind in ("tuple", "list", "dict"):
        fix = f"{name}, *rest = ...  # or {name}[0].backward()"
        why = f"`{name}` is a {kind} of several values"
    elif any(m["name"] == name for m in r.facts.get("modules", ())) or kind.endswith("Loss"):
        fix = f"loss = {name}(...)  # then loss.backward()"
        why, made = f"`{name}` is a module, not the value that it computes", r.error_line
    else:
        leak = next((c for c in r.source.calls("item", "tolist", "numpy") if c.lineno <= (r.error_line or 0)), None)
        if leak is not None and made is None:
            made = leak.lineno
        made = leak.lineno if leak is not None else made
        what = "None" if kind == "NoneType" else "a NumPy value" if kind.startswith("numpy") else f"a Python {kind}"
        why = f"`{name}` is {what}, which has no history"
        fix = f"keep tensors on the way to {name}, and call .item() only for printing"
        if kind == "NoneType" and (function := _without_return(r, made)):
            why = f"`{name}` is None, since {function} returns nothing"
            fix = f"return the loss at the end of {function}"
        kept = _kept_tensor(r, made)
        fix = f"{kept}  # {fix}" if kept else fix
    yield Report(
        "python-value-not-tensor",
        f"{why}: only a tensor has backward.",
        f"line {made or r.error_line}: `{r.source.line(made or r.error_line)}` makes it a {kind}.",
        fix,
        line=made or r.error_line,
    )


def _without_return(r: Reading, line: int | None) -> str:
    """The function of the program that a line calls and that returns nothing; empty when there is none."""
    for function in r.source.all:
        silent = isinstance(function, ast.FunctionDef) and not any(
            isinstance(n, ast.Return) for n in ast.walk(function)
        )
        if silent and any(call.lineno == line for call in r.source.calls(function.name)):  # type: ignore[attr-defined]
            return str(function.name)  # type: ignore[attr-defined]
    return ""


def _kept_tensor(r: Reading, line: int | None) -> str:
    """The line on which a value left its tensor, with the tensor; empty when there is no such call on it."""
    text = r.source.line(line)
    statement = r.source.statement_at(line)
    number = next((c for c in r.source.calls("float", "int") if c.lineno == line and len(c.args) == 1), None)
    if number is not None and isinstance(statement, ast.Assign) and statement.value is number:
        return r.source.line_with(line, number, r.source.segment(number.args[0]))
    plain = re.sub(r"(\.detach\(\))?(\.cpu\(\))?\.(item|tolist|numpy)\(\)", "", text)
    return plain if plain != text else ""


def _where_bound(r: Reading, name: str) -> int | None:
    lines = [s.lineno for s in r.source.all if isinstance(s, ast.Assign) and name in r.source.assigned(s)]
    return max((line for line in lines if line <= (r.error_line or 0)), default=None)
