"""Names that share storage, and a write to one that changed the other."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from snippets.diagnose.reading import Reading
from snippets.diagnose.report import Report, number
from snippets.diagnose.source import called, first_line, receiver, target_of_write


def shared_storage(r: Reading) -> Iterator[Report]:
    """Two names share storage, and a write to one changed the other."""
    for write in r.mutations:
        statement = r.source.statement_at(write.line)
        if statement is None:
            continue
        target = target_of_write(statement)
        alias = _alias_source(r, target) if target else None
        if alias is None or alias[0] == target:
            continue
        source, line, how = alias
        read_after = [n for n in r.source.reads(source) if first_line(n) > (write.line or 0)] or [
            n for n in r.source.all if isinstance(n, ast.Name) and n.id == source and first_line(n) > (write.line or 0)
        ]
        if not read_after:
            continue
        yield Report(
            "aliasing",
            f"{target} and {source} share storage ({how} on line {line}), so `{r.source.line(write.line)}` "
            f"changed {source} too.",
            f"after line {write.line} both read {number(write.value)}.",
            f"{target} = {source}.detach().clone()",
            line=write.line,
            node=write.node,
            event=write.t,
        )
        return
    yield from _array_written(r)
    yield from _kept_reference(r)


def _array_written(r: Reading) -> Iterator[Report]:
    """An array that shares memory with a tensor is written by NumPy, out of sight of the engine."""
    for statement in r.source.all:
        if not isinstance(statement, ast.Assign | ast.AugAssign):
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if not isinstance(target, ast.Subscript) and not isinstance(statement, ast.AugAssign):
            continue
        written = ast.unparse(target).split("[")[0]
        other = _alias_source(r, written) or _alias_made_of(r, written)
        if other is None or not any(word in other[2] for word in ("numpy", "as_tensor")):
            continue
        source, line, how = other
        later = [n for n in r.source.reads(source) if first_line(n) > statement.lineno]
        if later and line < statement.lineno:
            yield Report(
                "aliasing",
                f"{written} and {source} share memory ({how} on line {line}), so "
                f"`{r.source.line(statement.lineno)}` changed both.",
                f"NumPy writes to the tensor's own storage; {source} is read again on line {first_line(later[0])}.",
                "copy one of them: array.copy(), tensor.clone(), or torch.tensor(array)",
                line=statement.lineno,
            )
            return


def _alias_source(r: Reading, target: str) -> tuple[str, int, str] | None:
    """What ``target`` was bound to when that shares memory: (name, line, how)."""
    for statement in r.source.all:
        if not isinstance(statement, ast.Assign) or target not in r.source.assigned(statement):
            continue
        value = statement.value
        text = ast.unparse(value)
        if "clone" in text or "copy" in text:
            continue
        chain = value
        how = ""
        while isinstance(chain, ast.Call | ast.Attribute):
            if isinstance(chain, ast.Call):
                if called(chain) in ("detach", "numpy", "cpu", "data"):
                    how = how or f".{called(chain)}()"
                    chain = chain.func.value if isinstance(chain.func, ast.Attribute) else chain
                elif called(chain) in ("from_numpy", "as_tensor") and chain.args:
                    how = how or f"torch.{called(chain)}"
                    chain = chain.args[0]
                else:
                    break
            elif chain.attr == "data":
                how = how or ".data"
                chain = chain.value
            else:
                break
        if how and isinstance(chain, ast.Name | ast.Attribute):
            return ast.unparse(chain), statement.lineno, how
    return None


def _alias_made_of(r: Reading, source: str) -> tuple[str, int, str] | None:
    """What was made of ``source`` and shares its memory: (name, line, how)."""
    for statement in r.source.all:
        for name in r.source.assigned(statement) - {source}:
            alias = _alias_source(r, name)
            if alias is not None and alias[0] == source:
                return name, alias[1], alias[2]
    return None


def _kept_reference(r: Reading) -> Iterator[Report]:
    """A parameter's .data, .detach() or state_dict() is kept as a snapshot while an optimizer goes on writing to it."""
    if not r.steps:
        return
    for statement in r.source.all:
        if not isinstance(statement, ast.Assign):
            continue
        pairs = _pairs(statement)
        for target, value in pairs:
            text = ast.unparse(value)
            if "clone" in text or "copy" in text or "item" in text:
                continue
            how = None
            if isinstance(value, ast.Attribute) and value.attr == "data":
                how, owner = ".data", ast.unparse(value.value)
            elif isinstance(value, ast.Call) and called(value) == "detach":
                how, owner = ".detach()", receiver(value)
            elif isinstance(value, ast.Call) and called(value) == "state_dict":
                how, owner = ".state_dict()", receiver(value)
            if how is None or not isinstance(target, ast.Name):
                continue
            held = [n for n in r.named(owner) if r.optimizer_holds(n.id)] or (how == ".state_dict()")
            later = [
                s for s in r.steps if s.line is not None and (s.line > statement.lineno or r.source.loops(statement))
            ]
            read = [n for n in r.source.reads(target.id) if first_line(n) > statement.lineno]
            if held and later and read:
                yield Report(
                    "aliasing",
                    f"{target.id} is a reference to {owner}'s storage, not a copy: every opt.step() changes it too.",
                    f"line {statement.lineno}: {how} shares memory; {len(later)} optimizer steps wrote to it.",
                    f"{target.id} = {owner}.detach().clone()"
                    if how != ".state_dict()"
                    else f"{target.id} = copy.deepcopy({owner}.state_dict())",
                    line=statement.lineno,
                )
                return


def _pairs(statement: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    target = statement.targets[0]
    if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
        return list(zip(target.elts, statement.value.elts, strict=False))
    return [(target, statement.value)]
