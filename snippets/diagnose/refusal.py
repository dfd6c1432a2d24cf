"""What the line that failed asked for: the tensor on which backward or grad was called, and with respect to what."""

from __future__ import annotations

import ast

from autograd.trace import TraceNode
from snippets.diagnose.reading import Reading
from snippets.diagnose.source import called, keyword, receiver


def refused_text(r: Reading) -> str:
    """What the failing line called backward or grad on, as text; empty when it does neither."""
    statement = r.source.statement_at(r.error_line)
    for node in ast.walk(statement) if statement is not None else ():
        if isinstance(node, ast.Call) and called(node) in ("backward", "grad"):
            if called(node) == "backward" and receiver(node) != "torch.autograd":
                return receiver(node)
            if node.args:
                return ast.unparse(node.args[0])
    return ""


def refused_root(r: Reading) -> TraceNode | None:
    """The tensor on which the failing line called backward or grad."""
    found = r.named(refused_text(r))
    if found:
        return found[-1]
    on_line = [n for n in r.trace.nodes if n.line == r.error_line]
    if on_line:
        return on_line[-1]
    ops = [n for n in r.trace.nodes if n.kind == "op"]
    return (ops or list(r.trace.nodes) or [None])[-1]  # type: ignore[list-item]


def wanted_names(r: Reading) -> list[str]:
    """The names with respect to which the failing line asked for gradients."""
    statement = r.source.statement_at(r.error_line)
    if statement is None:
        return []
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and called(node) in ("grad", "backward"):
            target = keyword(node, "inputs") or (
                node.args[1] if called(node) == "grad" and len(node.args) > 1 else None
            )
            if isinstance(target, ast.Tuple | ast.List):
                return [ast.unparse(item) for item in target.elts]
            if target is not None:
                return [ast.unparse(target)]
    return []
