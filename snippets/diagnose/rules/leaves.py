"""Leaves, names and dtypes: whose .grad is it?"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autograd.trace import TraceNode
from snippets.diagnose.reading import Reading
from snippets.diagnose.refusal import refused_root
from snippets.diagnose.report import Report
from snippets.diagnose.source import called, covers, mentions, receiver

CASTS = {
    "float",
    "double",
    "half",
    "to",
    "type",
    "view",
    "reshape",
    "cuda",
    "cpu",
    "t",
    "squeeze",
    "unsqueeze",
    "flatten",
}


def gradient_of_non_leaf(r: Reading) -> Iterator[Report]:
    """.grad of a computed tensor is read (PyTorch warns), or a computed tensor is optimised, marked or copied."""
    warned = [w for w in r.warnings if "not a leaf Tensor is being accessed" in w["message"]]
    if warned:
        line = warned[0]["line"]
        statement = r.source.statement_at(line)
        read = (
            [a for a in ast.walk(statement) if isinstance(a, ast.Attribute) and a.attr == "grad"] if statement else []
        )
        for attribute in read:
            name = ast.unparse(attribute.value)
            computed = [n for n in r.named(name) if n.kind == "op"]
            if computed:
                node = computed[-1]
                # w = w - lr * w.grad is explained as a reassigned leaf.
                if any(n.kind == "leaf" for n in r.named(name)) and any(leaf_reassigned(r)):
                    return
                leaves = [x for x in r.learners if x.id in r.behind(node.id)]
                who = next((x.name for x in leaves if x.name and x.name != name), None)
                where = f"the gradient is in {who}.grad" if who else "the leaf behind it was never given a name"
                yield Report(
                    "non-leaf-grad",
                    f"{name} is the result of an operation ({node.grad_fn or node.op}), not a leaf: its .grad "
                    "is not kept.",
                    f"line {node.line}: `{r.source.line(node.line)}` makes a new tensor; {where}.",
                    f"{name}.retain_grad() before backward" + f"  # or read {who}.grad"
                    if who
                    else _marked_at_the_end(r, name, node),
                    line=node.line,
                    node=node.id,
                    event=r.born.get(node.id),
                )
                return
        yield Report(
            "non-leaf-grad",
            "The .grad of a computed tensor is read; only leaves keep theirs.",
            f"line {line}: `{r.source.line(line)}`",
            "call .retain_grad() on it before backward, or read the leaf's .grad",
            line=line,
        )
        return
    refused = {
        "can't optimize a non-leaf Tensor": "an optimizer can only move leaves",
        "you can only change requires_grad flags of leaf variables": "requires_grad can only be changed on a leaf",
        "Only Tensors created explicitly by the user": "only leaves can be deep-copied",
    }
    for phrase, why in refused.items():
        if phrase in r.message:
            owner = _assigned_flag(r) or _made_by_cast(r)
            nodes = [n for n in r.named(owner) if n.kind == "op"] if owner else []
            made = nodes[-1].line if nodes else _cast_line(r)
            yield Report(
                "non-leaf-grad",
                f"{owner or 'The tensor'} is the result of an operation, not a leaf, and {why}.",
                f"line {made or r.error_line}: `{r.source.line(made or r.error_line)}` makes a computed tensor; line "
                f"{r.error_line} needs a leaf.",
                _leaf_instead(r, phrase, owner, nodes[-1] if nodes else None),
                line=made or r.error_line,
                node=nodes[-1].id if nodes else None,
            )
            return


def _marked_at_the_end(r: Reading, name: str, node: TraceNode) -> str:
    """The line that makes a tensor, with the data finished first and requires_grad set on the result."""
    statement = r.source.statement_at(node.line)
    text = r.source.segment(statement.value) if isinstance(statement, ast.Assign) else ""
    if ", requires_grad=True" not in text:
        return f"{name}.retain_grad()  # before backward"
    return f"{name} = ({text.replace(', requires_grad=True', '', 1)}).requires_grad_()"


def _leaf_instead(r: Reading, phrase: str, owner: str | None, node: TraceNode | None) -> str:
    """The repair of a call that needs a leaf and got a computed tensor."""
    if "flags" in phrase:
        if owner and "[" in owner:
            return f"{owner.split('[')[0]}.register_hook(lambda g: g * mask)  # a leaf can only be frozen as a whole"
        return f"{owner or 'x'} = {owner or 'x'}.detach().requires_grad_()"
    if "created explicitly" in phrase:
        return f"copy.deepcopy({owner or 'x'}.detach())"
    behind = [leaf.name for leaf in r.learners if node is not None and leaf.id in r.behind(node.id) and leaf.name]
    if owner and behind and "optimize" in phrase:
        return re.sub(rf"\b{re.escape(owner)}\b", ", ".join(behind), r.source.line(r.error_line))
    return "give dtype, device and shape to the constructor, so that the tensor itself is the leaf"


def _assigned_flag(r: Reading) -> str | None:
    statement = r.source.statement_at(r.error_line)
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Attribute):
        return ast.unparse(statement.targets[0].value)
    if statement is not None:
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and called(node) in ("requires_grad_", "deepcopy"):
                return receiver(node) if called(node) == "requires_grad_" else ast.unparse(node.args[0])
    return None


def _made_by_cast(r: Reading) -> str | None:
    statement = r.source.statement_at(r.error_line)
    if statement is None:
        return None
    used = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
    return next((n.name for n in r.trace.nodes if n.name in used and n.kind == "op"), None)


def _cast_line(r: Reading) -> int | None:
    return next(
        (
            c.lineno
            for c in r.source.calls(*CASTS)
            if "requires_grad" in ast.unparse(c) and c.lineno <= (r.error_line or 0)
        ),
        None,
    )


def leaf_reassigned(r: Reading) -> Iterator[Report]:
    """A parameter's name was rebound to the result of an update, so the leaf is lost."""
    # A functional update (a recorded step of the inner loop of meta-learning) is meant when create_graph is used.
    if "create_graph=True" in r.trace.source:
        return
    learners = {leaf.id for leaf in r.learners}
    derivatives = _gradient_names(r)
    for statement, target, value in _bindings(r):
        name = ast.unparse(target)
        reads_grad = any(
            isinstance(n, ast.Attribute) and n.attr == "grad" and ast.unparse(n.value) == name for n in ast.walk(value)
        )
        grad_names = {g for g in derivatives if mentions(value, g)}
        reads_self = any(ast.unparse(n) == name for n in ast.walk(value))
        if not reads_self or not (reads_grad or grad_names) or _made_leaf_again(r, statement, name):
            continue
        text = ast.unparse(value)
        unrecorded = r.source.under_no_grad(statement) or ".detach()" in text or ".data" in text
        made = [
            n
            for n in r.trace.nodes
            if n.line == statement.lineno
            and n.kind == "op"
            and n.requires_grad != unrecorded
            and n.name in (None, name)
        ]
        was_leaf = any(n.kind == "leaf" and n.requires_grad for n in r.named(name)) or any(
            edge.src in learners for n in made for edge in r.into[n.id]
        )
        if not made or not was_leaf or (unrecorded and not (r.error and _used_again(r, made[0]))):
            continue
        yield Report(
            "leaf-reassigned",
            f"`{r.source.line(statement.lineno)}` binds {name} to a new, computed tensor: the leaf is lost.",
            f"after line {statement.lineno} {name}.requires_grad is False: what is computed from it is not recorded."
            if unrecorded
            else f"after line {statement.lineno} {name}.is_leaf is False and grad_fn is {made[-1].grad_fn}; "
            "backward fills .grad of the old leaf only.",
            f"with torch.no_grad():\n    {_in_place(r, name, value)}",
            line=statement.lineno,
            node=made[-1].id,
            event=r.born.get(made[-1].id),
        )
        return


def _in_place(r: Reading, name: str, value: ast.expr) -> str:
    """The update of a leaf as a write into it."""
    signs = {ast.Sub: "-=", ast.Add: "+=", ast.Mult: "*=", ast.Div: "/="}
    if isinstance(value, ast.BinOp) and type(value.op) in signs and name in ast.unparse(value.left):
        return f"{name} {signs[type(value.op)]} {r.source.segment(value.right)}"
    return f"{name}.copy_({r.source.segment(value)})"


def _bindings(r: Reading) -> Iterator[tuple[ast.Assign, ast.expr, ast.expr]]:
    """(statement, target, value) of every plain assignment; ``a, b = c, d`` is two."""
    for statement in r.source.all:
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            continue
        target, value = statement.targets[0], statement.value
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            yield from ((statement, one, other) for one, other in zip(target.elts, value.elts, strict=False))
        elif isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
            yield statement, target, value


def _used_again(r: Reading, made: TraceNode) -> bool:
    """Whether a result that should lead to a gradient was computed from a tensor that does not require grad."""
    roots = [*r.roots(), *[n.id for n in [refused_root(r)] if n is not None and r.error]]
    return any(made.id in r.behind(root, through_cuts=True) for root in roots)


def _made_leaf_again(r: Reading, statement: ast.Assign, name: str) -> bool:
    """Whether each turn of the loop makes the name a fresh leaf: ``x = x.detach().requires_grad_()``."""
    for loop in r.source.loops(statement):
        for other in ast.walk(loop):
            if (
                isinstance(other, ast.Assign)
                and other is not statement
                and any(ast.unparse(target) == name for target in other.targets)
                and (".detach()" in ast.unparse(other.value) or ".data" in ast.unparse(other.value))
            ):
                return True
    marked = [line for line in r.source.marked_on(name) if line > statement.lineno or _in_same_loop(r, statement, line)]
    return "requires_grad" in r.source.segment(statement) or bool(marked)


def _in_same_loop(r: Reading, statement: ast.stmt, line: int) -> bool:
    return any(covers(loop, line) for loop in r.source.loops(statement))


def _gradient_names(r: Reading) -> set[str]:
    out: set[str] = set()
    for node in r.source.all:
        if isinstance(node, ast.Assign) and any(
            (isinstance(c, ast.Call) and called(c) == "grad") or (isinstance(c, ast.Attribute) and c.attr == "grad")
            for c in ast.walk(node.value)
        ):
            out |= r.source.assigned(node)
    return out


def gradient_is_none(r: Reading) -> Iterator[Report]:
    """.grad was used while it was None."""
    if "NoneType" not in r.message:
        return
    statement = r.source.statement_at(r.error_line)
    if statement is None:
        return
    reads = [a for a in ast.walk(statement) if isinstance(a, ast.Attribute) and a.attr == "grad"]
    if not reads:
        aliases = _gradient_names(r)
        if not aliases & {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}:
            return
    name = ast.unparse(reads[0].value) if reads else "the tensor"
    nodes = r.named(name)
    cleared = [z for z in r.zeroings if z.line is not None]
    if cleared and r.passes:
        why = f"zero_grad on line {cleared[-1].line} set it to None"
        fix = "read .grad before zero_grad, or opt.zero_grad(set_to_none=False)"
    elif not r.passes:
        why = "no backward has run yet"
        fix = "call loss.backward() first"
    elif nodes and not any(n.requires_grad for n in nodes):
        why = f"{name} was never marked with requires_grad=True"
        fix = f"{name}.requires_grad_()  # before it is used"
    elif nodes and any(nodes[-1].id in p.visited and not p.leaf_grads for p in r.passes):
        why = "torch.autograd.grad returns gradients, it does not fill .grad"
        fix = f"g = torch.autograd.grad(..., {name})[0]  # or loss.backward(), which fills {name}.grad"
    elif nodes and nodes[-1].kind == "op":
        why = f"{name} is a computed tensor, which keeps no .grad"
        fix = f"{name}.retain_grad() before backward, or use the leaf"
    else:
        idle = next((m for m in r.facts.get("modules", ()) if not nodes and m["parameters"] > len(m["nodes"])), None)
        used = (
            f": {idle['name']} has {idle['parameters']} parameters, and {len(idle['nodes'])} took part" if idle else ""
        )
        why = f"no backward pass reached {name}{used}"
        fix = f"check that the loss is computed from {name}, or skip those whose .grad is None"
    yield Report(
        "grad-is-none",
        f"{name}.grad is None on line {r.error_line}: {why}.",
        f"{r.error['type'] if r.error else 'Error'}: {r.message}; backward passes so far: {len(r.passes)}.",
        fix,
        line=r.error_line,
        node=nodes[-1].id if nodes else None,
    )
