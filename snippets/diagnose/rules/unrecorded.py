"""What was never recorded: nothing asked to be tracked when the forward pass ran."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd.trace import TraceNode
from snippets.diagnose.reading import Reading
from snippets.diagnose.refusal import refused_root, refused_text
from snippets.diagnose.report import NOTE, Report, number
from snippets.diagnose.rules.cuts import cut, values_that_left
from snippets.diagnose.rules.leaves import leaf_reassigned
from snippets.diagnose.source import called, first_line, keyword, mentions, receiver


def backward_without_history(r: Reading) -> Iterator[Report]:
    """backward or grad was refused since the result has no history: find out who lost it."""
    if "does not require grad and does not have a grad_fn" not in r.message:
        return
    if any("None of the inputs have requires_grad" in w["message"] for w in r.warnings):
        return  # the checkpointing rule explains this one
    root = refused_root(r)
    if root is None or _is_a_gradient(r, refused_text(r)):
        return  # the higher-order rule explains this one
    if any(leaf_reassigned(r)):
        return
    marked = [leaf for leaf in r.learners if leaf.id in r.behind(root.id, through_cuts=True) | {root.id}]
    if marked:
        yield cut(r, marked, root)
        return
    outside = values_that_left(r)
    if outside is not None:
        yield outside
        return
    inputs = [
        n
        for n in r.trace.nodes
        if n.id in r.behind(root.id, through_cuts=True) | {root.id} and not r.into[n.id] and n.dtype.startswith("float")
    ]
    yield _all_frozen(r, root, inputs) or _untouched(r, root) or _unmarked(r, root, inputs)


def _all_frozen(r: Reading, root: TraceNode, inputs: list[TraceNode]) -> Report | None:
    """The report where a line turned requires_grad off for what would have learned."""
    off = next((s for s in r.source.all if _turns_off(s)), None)
    weights = [n for n in inputs if n.name and "." in n.name]
    if off is None or not weights:
        return None
    line = first_line(off)
    return Report(
        "nothing-requires-grad",
        f"Line {line} turned requires_grad off for everything that {r.name(root.id)} was computed from.",
        f"`{r.source.line(line)}`; {', '.join(n.name or '' for n in weights[:4])} have requires_grad=False, so the "
        "forward pass recorded nothing.",
        "leave requires_grad on for the part that should learn",
        line=line,
        node=weights[0].id,
        event=r.born.get(root.id),
    )


def _untouched(r: Reading, root: TraceNode) -> Report | None:
    """The report where something is tracked, and its result does not enter the loss."""
    results = [n for n in r.trace.nodes if n.kind == "op" and n.requires_grad and n.name and not r.out_of[n.id]]
    if not results:
        return None
    who = ", ".join(dict.fromkeys(leaf.name or "" for leaf in r.learners if leaf.id in r.behind(results[-1].id)))
    return Report(
        "nothing-requires-grad",
        f"{r.name(root.id)} does not use {results[-1].name}, the only result that was recorded.",
        f"line {root.line}: `{r.source.line(root.line)}` reads only values without requires_grad; {who} leads to "
        f"{results[-1].name} (line {results[-1].line}) alone.",
        f"compute {r.name(root.id)} from {results[-1].name}",
        line=root.line,
        node=root.id,
        event=r.born.get(root.id),
    )


def _unmarked(r: Reading, root: TraceNode, inputs: list[TraceNode]) -> Report:
    """The report where nothing was ever marked."""
    named = [n for n in inputs if n.name]
    shown = ", ".join(n.name or "" for n in named[:4]) or "none of its inputs"
    first = named[-1] if named else None
    return Report(
        "nothing-requires-grad",
        f"Nothing that {r.name(root.id)} was computed from requires grad, so the forward pass recorded nothing.",
        f"{r.name(root.id)} = {number(r.value.get(root.id))} has requires_grad=False; so have its inputs: {shown}.",
        f"{first.name} = torch.tensor(..., requires_grad=True)" if first else "torch.tensor(..., requires_grad=True)",
        line=first.line if first else root.line,
        node=first.id if first else root.id,
        event=r.born.get(root.id),
    )


def _turns_off(statement: ast.AST) -> bool:
    """Whether a statement sets requires_grad to False."""
    if isinstance(statement, ast.Assign):
        flag = any(isinstance(t, ast.Attribute) and t.attr == "requires_grad" for t in statement.targets)
        return flag and not (isinstance(statement.value, ast.Constant) and statement.value.value is True)
    call = statement.value if isinstance(statement, ast.Expr) else None
    return (
        isinstance(call, ast.Call)
        and called(call) == "requires_grad_"
        and bool(call.args)
        and ast.unparse(call.args[0]) == "False"
    )


def untracked_refused(r: Reading) -> Iterator[Report]:
    """retain_grad or a hook was refused on a tensor that is not tracked."""
    phrases = (
        "can't retain_grad on Tensor that has requires_grad=False",
        "cannot register a hook on a tensor that doesn't require gradient",
    )
    if not any(phrase in r.message for phrase in phrases):
        return
    statement = r.source.statement_at(r.error_line)
    calls = [c for c in ast.walk(statement) if isinstance(c, ast.Call) and receiver(c)] if statement else []
    name = receiver(calls[0]) if calls else "the tensor"
    nodes = r.named(name)
    yield Report(
        "nothing-requires-grad",
        f"{name} is not tracked, so no gradient will ever arrive at it.",
        f"line {r.error_line}: {r.message}.",
        f"give requires_grad=True to {name} or to what it is computed from",
        line=nodes[-1].line if nodes else r.error_line,
        node=nodes[-1].id if nodes else None,
    )


def _is_a_gradient(r: Reading, name: str) -> bool:
    """Whether ``name`` was bound to the result of autograd.grad or to some .grad."""
    for node in r.source.all:
        if isinstance(node, ast.Assign) and name in r.source.assigned(node):
            value = node.value
            if any(isinstance(n, ast.Call) and called(n) == "grad" for n in ast.walk(value)):
                return True
            if isinstance(value, ast.Attribute) and value.attr == "grad":
                return True
    return False


def gradient_of_unmarked(r: Reading) -> Iterator[Report]:
    """.grad of an input is read that was never marked with requires_grad."""
    if not any(p.end is not None for p in r.passes):
        return
    for attribute in r.source.attributes("grad"):
        name = ast.unparse(attribute.value)
        nodes = r.named(name)
        if (
            not nodes
            or not isinstance(attribute.ctx, ast.Load)
            or any(n.requires_grad for n in nodes)
            or nodes[-1].kind == "op"
            or not nodes[-1].dtype.startswith("float")
            or _frozen_on_purpose(r, name)
        ):
            continue
        roots = [root for root in r.roots() if nodes[-1].id in r.behind(root, through_cuts=True)]
        if roots:
            yield Report(
                "nothing-requires-grad",
                f"{name} was never marked with requires_grad=True, so its .grad stays None.",
                f"{r.name(roots[0])} depends on {name} = {number(r.value.get(nodes[-1].id))}, but "
                f"{name}.requires_grad is "
                "False.",
                f"{name} = torch.tensor(..., requires_grad=True)",
                line=nodes[-1].line,
                node=nodes[-1].id,
                event=r.born.get(nodes[-1].id),
                severity=NOTE,
            )
            return


def _frozen_on_purpose(r: Reading, name: str) -> bool:
    """Whether the source turns tracking of ``name`` off or detaches it."""
    for node in r.source.all:
        if isinstance(node, ast.Assign) and any(ast.unparse(t) == f"{name}.requires_grad" for t in node.targets):
            return True
        if (
            isinstance(node, ast.Call)
            and called(node) in ("requires_grad_", "detach_")
            and receiver(node).startswith(name)
        ):
            return True
        if isinstance(node, ast.Assign) and name in r.source.assigned(node):
            flag = next((keyword(c, "requires_grad") for c in ast.walk(node.value) if isinstance(c, ast.Call)), None)
            if flag is not None and ast.unparse(flag) == "False":
                return True
            if mentions(node.value, "detach") or mentions(node.value, "data"):
                return True
    return False
