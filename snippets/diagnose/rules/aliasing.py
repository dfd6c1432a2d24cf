"""Names that share storage, and a write to one that changed the other."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autograd.trace import Mutate
from snippets.diagnose.reading import Reading, is_zero
from snippets.diagnose.report import Report, number
from snippets.diagnose.source import called, covers, first_line, keyword, last_line, mentions, receiver, target_of_write


def shared_storage(r: Reading) -> Iterator[Report]:
    """Two names share storage, and a write to one changed the other."""
    for write in _first_of_each_line(r):
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
    yield from _two_names(r)
    yield from _array_written(r)
    yield from _kept_reference(r)
    yield from _kept_in_object(r)
    yield from _one_network_twice(r)
    yield from _kept_gradient(r)
    yield from _shared_parameter(r)


def _first_of_each_line(r: Reading) -> list[Mutate]:
    """The in-place writes, of each line the first: the text says the same of the others."""
    first = {write.line: write for write in reversed(r.mutations)}
    return sorted(first.values(), key=lambda write: write.t)


def _two_names(r: Reading) -> Iterator[Report]:
    """``a = b`` gives the tensor a second name; after a write through one, the other is used as if it were the old."""
    for statement in r.source.all:
        if not (
            isinstance(statement, ast.Assign)
            and isinstance(statement.value, ast.Name)
            and isinstance(statement.targets[0], ast.Name)
        ):
            continue
        pair = {statement.value.id, statement.targets[0].id}
        for write in _first_of_each_line(r):
            changer = r.source.statement_at(write.line)
            written = target_of_write(changer) if changer is not None else None
            if changer is None or written not in pair or changer.lineno <= statement.lineno:
                continue
            other = next(iter(pair - {written}), written)
            used = [n for n in r.source.reads(other) if first_line(n) > last_line(changer)]
            both = [n for n in r.source.reads(written) if first_line(n) > last_line(changer)]
            rebound = any(other in r.source.assigned(s) and statement.lineno < first_line(s) for s in r.source.all)
            if not used or not both or rebound:
                continue
            yield Report(
                "inplace-silent" if r.nodes[write.node].requires_grad else "aliasing",
                f"{other} and {written} are one tensor (line {statement.lineno}), so `{r.source.line(write.line)}` "
                f"changed {other} too.",
                f"after line {write.line} both are {number(write.value)}; line {first_line(used[0])} uses {other} as "
                "well.",
                f"{statement.targets[0].id} = {statement.value.id}.clone()",
                line=write.line,
                node=write.node,
                event=write.t,
            )
            return


def _kept_gradient(r: Reading) -> Iterator[Report]:
    """``g = w.grad`` is no copy: the next backward adds to the same tensor."""
    for statement in r.source.all:
        for holder, value in keeps(statement):
            if not (isinstance(value, ast.Attribute) and value.attr == "grad"):
                continue
            owner = ast.unparse(value.value)
            emptied = next((c for c in r.source.calls("zero_grad", "zero_") if _empties(r, c, owner)), None)
            if emptied is not None and emptied.lineno > first_line(statement):
                after = [n for n in r.source.reads(holder) if first_line(n) > emptied.lineno]
                if after:
                    yield Report(
                        "aliasing",
                        f"{holder} is {owner}.grad itself, not a copy: line {emptied.lineno} fills it with 0.",
                        f"`{r.source.line(emptied.lineno)}` writes in place; line {first_line(after[0])} reads it.",
                        r.source.line_with(first_line(statement), value, f"{owner}.grad.clone()"),
                        line=first_line(statement),
                    )
                    return
            read = [n for n in r.source.reads(holder) if first_line(n) > last_line(statement)]
            for p in r.passes:
                again = (p.start.line or 0) > first_line(statement) or any(
                    covers(loop, p.start.line) for loop in r.source.loops(statement)
                )
                added = [e for e in p.leaf_grads if e.before is not None and r.nodes[e.node].name == owner]
                later = [n for n in read if first_line(n) > (p.start.line or 0)]
                if not (again and added and later) or is_zero(added[0].before):
                    continue
                yield Report(
                    "aliasing",
                    f"{holder} is the tensor {owner}.grad itself, not a copy: the backward of line {p.start.line} adds "
                    "to it.",
                    f"it was {number(added[0].before)}; line {first_line(later[0])} reads {number(added[0].after)}.",
                    r.source.line_with(first_line(statement), value, f"{owner}.grad.clone()"),
                    line=first_line(statement),
                    node=added[0].node,
                    event=added[0].t,
                )
                return


def _empties(r: Reading, call: ast.Call, owner: str) -> bool:
    """Whether a call writes zeros into the gradient of ``owner`` in place."""
    if called(call) == "zero_":
        return receiver(call) == f"{owner}.grad"
    flag = keyword(call, "set_to_none")
    return flag is not None and ast.unparse(flag) == "False"


def _array_written(r: Reading) -> Iterator[Report]:
    """An array that shares memory with a tensor is written by NumPy, out of sight of the engine."""
    for statement in r.source.all:
        if not isinstance(statement, ast.Assign | ast.AugAssign):
            continue
        target = statement.targets[0] if isinstance(statement, ast.Assign) else statement.target
        if not isinstance(target, ast.Subscript) and not isinstance(statement, ast.AugAssign):
            continue
        written = ast.unparse(target).split("[")[0]
        other = _alias_source(r, written) or _alias_made_of(r, written) or _kept_with(r, statement, written)
        if other is None or not any(word in other[2] for word in ("numpy", "as_tensor")):
            continue
        source, line, how = other
        if source == written:
            continue
        later = [n for n in r.source.reads(source) if first_line(n) > statement.lineno]
        if later and (line < statement.lineno or any(covers(loop, line) for loop in r.source.loops(statement))):
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


def _kept_with(r: Reading, statement: ast.AST, array: str) -> tuple[str, int, str] | None:
    """The list in which a tensor made of ``array`` without a copy is kept: (name, line, how)."""
    for loop in r.source.loops(statement):
        for other in ast.walk(loop):
            for holder, value in keeps(other):
                shares = isinstance(value, ast.Call) and called(value) in ("from_numpy", "as_tensor")
                if shares and [ast.unparse(a) for a in value.args] == [array]:  # type: ignore[attr-defined]
                    return holder, first_line(other), f"torch.{called(value)}"  # type: ignore[arg-type]
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
    """A parameter's storage is kept as a snapshot while an optimizer, or an update by hand, goes on writing to it."""
    steps = [s.line for s in r.steps] or [m.line for m in r.mutations if r.nodes[m.node].kind == "leaf"]
    for statement in r.source.all if steps else ():
        for holder, value in keeps(statement):
            shared = _shared_by(r, value, snapshot=holder)
            line = first_line(statement)
            later = [s for s in steps if s is not None and (s > line or r.source.loops(statement))]
            read = [n for n in r.source.reads(holder) if first_line(n) > last_line(statement)]
            if shared is None or not later or not read:
                continue
            owner, how = shared
            who = "opt.step()" if r.steps else "update"
            yield Report(
                "aliasing",
                f"{holder} refers to the storage of {owner}, it is not a copy: every {who} changes it too.",
                f"line {line}: {how} shares memory; line {later[0]} wrote to it ({len(later)}x).",
                r.source.line_with(line, value, _copied(r, value, how)),
                line=line,
            )
            return


def _kept_in_object(r: Reading) -> Iterator[Report]:
    """``self.shadow[name] = p.data`` in a loop over the parameters: the average shares the memory of the weights."""
    for statement in r.source.all if r.steps else ():
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Subscript):
            continue
        holder, value = ast.unparse(statement.targets[0].value), statement.value
        bare = _unwrapped(value)
        over = [n for n in r.source.loops(statement) if isinstance(n, ast.For) and mentions_parameters(n.iter)]
        looped = [n for n in over if isinstance(bare, ast.Name) and mentions(n.target, bare.id)]
        if not looped or bare is value or not means_a_moment(holder):
            continue
        owner = ast.unparse(bare)
        rebound = any(
            isinstance(s, ast.Assign) and ast.unparse(s.targets[0]) == f"{owner}.data" for s in ast.walk(looped[0])
        )
        if not rebound:  # a swap: the parameter gets other memory, and what is kept stays as it is
            yield Report(
                "aliasing",
                f"{holder} keeps the storage of the parameters, no copies: every step changes it too.",
                f"`{r.source.line(statement.lineno)}` shares memory; line {r.steps[0].line} wrote to it "
                f"({len(r.steps)}x).",
                r.source.line_with(statement.lineno, value, f"{r.source.segment(value)}.clone()"),
                line=statement.lineno,
            )
            return


#: Names of networks that stand beside the one that learns.
_SECOND = {"target", "teacher", "frozen", "reference", "ref"}


def _one_network_twice(r: Reading) -> Iterator[Report]:
    """``target = net`` gives a module a second name: both are the network that learns."""
    learning = {m["name"] for m in r.facts.get("modules", ()) if any(n in r.held for n in m["nodes"])}
    for statement in r.source.all if r.steps else ():
        for target, value in _pairs(statement) if isinstance(statement, ast.Assign) else ():
            shallow = isinstance(value, ast.Call) and called(value) == "copy" and receiver(value) == "copy"
            if not (isinstance(value, ast.Name | ast.Attribute) or (shallow and value.args)):  # type: ignore[attr-defined]
                continue
            source = ast.unparse(value.args[0] if shallow else value)  # type: ignore[attr-defined]
            name = ast.unparse(target)
            second = means_a_moment(name) or set(re.split(r"[_\W\d]+", name.lower())) & _SECOND
            known = source in learning or (source.startswith("self.") and f"{source}.parameters()" in r.source.text)
            if known and second and source != name and len([n for n in r.source.all if _is(n, name)]) > 1:
                yield Report(
                    "aliasing",
                    f"{name} is {source} itself, no copy: every step changes both.",
                    f"`{r.source.line(first_line(statement))}` gives one network a second name"
                    + (" (copy.copy keeps the same parameters)." if shallow else "."),
                    r.source.line_with(first_line(statement), value, f"copy.deepcopy({source})"),
                    line=first_line(statement),
                )
                return


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == name


def mentions_parameters(iterated: ast.expr) -> bool:
    """Whether a loop runs over the parameters of a module."""
    return any(mentions(iterated, name) for name in ("parameters", "named_parameters", "state_dict"))


def _copied(r: Reading, value: ast.expr, how: str) -> str:
    """The text of a kept value, as a copy."""
    text = r.source.segment(value)
    if isinstance(value, ast.DictComp | ast.ListComp):
        element = r.source.segment(_element(value))
        return text.replace(f"{element} for", f"{element}.detach().clone() for", 1)
    if "state_dict" in how:
        return f"copy.deepcopy({text})"
    if "list" in how:
        return f"[p.detach().clone() for p in {text.removeprefix('list(').removesuffix(')')}]"
    if "numpy" in how:
        return f"{text}.copy()"
    return f"{text}.clone()" if "detach" in how or "data" in how else f"{text}.detach().clone()"


def _shared_parameter(r: Reading) -> Iterator[Report]:
    """``a.data = b.data`` gives two parameters one storage."""
    for statement in r.source.all if r.steps or r.mutations else ():
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Attribute):
            continue
        target, value = statement.targets[0], statement.value
        text = ast.unparse(value)
        bare = isinstance(value, ast.Attribute) and value.attr == "data"
        bare = bare or (isinstance(value, ast.Call) and called(value) == "detach")
        owner = ast.unparse(target.value)
        if target.attr == "data" and bare and not text.startswith(owner + "."):
            yield Report(
                "aliasing",
                f"{owner} gets the storage of {text.rsplit('.', 1)[0]}, not a copy: a write to one changes both.",
                f"line {statement.lineno}: `{r.source.line(statement.lineno)}` hands on the memory itself.",
                r.source.line_with(statement.lineno, value, f"{r.source.segment(value)}.clone()"),
                line=statement.lineno,
            )
            return


def keeps(statement: ast.AST) -> list[tuple[str, ast.expr]]:
    """(name, value) for each name, or list that is appended to, in which a statement keeps a value."""
    if isinstance(statement, ast.Assign):
        return [(target.id, value) for target, value in _pairs(statement) if isinstance(target, ast.Name)]
    if (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and called(statement.value) == "append"
    ):
        return [(receiver(statement.value), value) for value in statement.value.args]
    return []


# fmt: off
#: Names that say that a value of this moment is meant.
_SNAPSHOTS = {
    "before", "old", "prev", "previous", "start", "initial", "init", "best", "saved", "snapshot", "last", "backup",
    "ema", "shadow", "averaged", "swa", "polyak", "original", "orig", "copy", "copied", "stored",
}
# fmt: on
_SHARING = ("detach", "numpy", "cpu", "view", "reshape", "flatten", "squeeze", "unsqueeze", "t")


def _shared_by(r: Reading, value: ast.expr, *, snapshot: str) -> tuple[str, str] | None:
    """(owner, how) when an expression shares the storage of something that an optimizer moves, else None."""
    if isinstance(value, ast.Call) and called(value) == "state_dict":
        return receiver(value), ".state_dict()"
    if isinstance(value, ast.Call) and called(value) == "list" and value.args and mentions(value.args[0], "parameters"):
        value = value.args[0]
        return (ast.unparse(value).split(".")[0], "a list of the parameters") if means_a_moment(snapshot) else None
    if isinstance(value, ast.DictComp | ast.ListComp):
        element, source = _element(value), value.generators[0].iter
        over = mentions_parameters(source)
        shares = isinstance(_unwrapped(element), ast.Name) and means_a_moment(snapshot)
        return (ast.unparse(source).split(".")[0], "each entry") if over and shares else None
    how, chain = "", value
    while isinstance(chain, ast.Call | ast.Attribute):
        if isinstance(chain, ast.Call) and called(chain) in _SHARING and isinstance(chain.func, ast.Attribute):
            how, chain = f".{called(chain)}(){how}", chain.func.value
        elif isinstance(chain, ast.Attribute) and chain.attr == "data":
            how, chain = f".data{how}", chain.value
        else:
            break
    owner = ast.unparse(chain)
    written = {m.node for m in r.mutations}
    held = any(r.optimizer_holds(n.id) or (not r.steps and n.id in written and n.requires_grad) for n in r.named(owner))
    plain = not any(cut in how for cut in ("detach", "data", "numpy"))
    return (owner, how or "the name alone") if held and (not plain or means_a_moment(snapshot)) else None


def _element(value: ast.DictComp | ast.ListComp) -> ast.expr:
    return value.value if isinstance(value, ast.DictComp) else value.elt


def _unwrapped(value: ast.expr) -> ast.expr:
    """What is left without the calls and attributes that share storage."""
    while True:
        if isinstance(value, ast.Call) and called(value) in _SHARING and isinstance(value.func, ast.Attribute):
            value = value.func.value
        elif isinstance(value, ast.Attribute) and value.attr == "data":
            value = value.value
        else:
            return value


def means_a_moment(name: str) -> bool:
    return bool(set(re.split(r"[_\W\d]+", name.lower())) & _SNAPSHOTS)


def _pairs(statement: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    target = statement.targets[0]
    if isinstance(target, ast.Tuple) and isinstance(statement.value, ast.Tuple):
        return list(zip(target.elts, statement.value.elts, strict=False))
    return [(target, statement.value)]
