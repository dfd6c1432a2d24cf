"""How long a graph lives: freed graphs, derivatives of derivatives, and graphs that pile up."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd.trace import TraceNode
from snippets.diagnose.flow import bound_by, computed_from
from snippets.diagnose.reading import Reading, is_zero
from snippets.diagnose.report import FAULT, NOTE, Report, number
from snippets.diagnose.source import called, covers, first_line, keyword, last_line, mentions, names, receiver


def graph_freed(r: Reading) -> Iterator[Report]:
    """backward reached saved values that an earlier backward already freed."""
    if "backward through the graph a second time" not in r.message:
        return
    earlier = [p for p in r.passes if p.end is not None]
    freed = set().union(*(p.freed for p in earlier)) if earlier else set()
    failing = r.failed_pass
    root = failing.start.root if failing else None
    shared = sorted((freed & (r.behind(root) | {root})), key=lambda n: r.born.get(n, 0)) if root else []
    if not shared:
        shared = sorted(freed, key=lambda n: r.born.get(n, 0))
    node = r.nodes[shared[-1]] if shared else None
    first = next((p for p in earlier if node is not None and node.id in p.freed), earlier[-1] if earlier else None)
    statement = r.source.statement_at(r.error_line)
    loops = r.source.loops(statement) if statement is not None else []
    carried = _carried_name(r, loops)
    if root is not None and any(p.start.root == root for p in earlier):
        title = f"backward ran twice on {r.name(root)}: its saved values were freed by the first."
        fix = "add the losses and call backward once, run the forward pass again, or retain_graph=True the first time"
    elif carried:
        title = f"{carried} still carries the graph of the turn before, which an earlier backward freed."
        fix = f"{carried} = {carried}.detach()  # at the start of each turn"
    elif loops and node is not None and not covers(loops[0], node.line):
        title = f"{r.name(node.id)} is computed once, before the loop; the first backward freed its saved values."
        fix = f"compute {r.name(node.id)} inside the loop, or detach it if it should not learn"
    else:
        title = "Two backward passes share a part of the graph, and the first one freed its saved values."
        fix = "add the losses and call backward once: (loss1 + loss2).backward(), or retain_graph=True in the first"
    line = f"line {r.error_line}"
    shown = (
        f"{r.name(node.id)} (line {node.line}, {node.grad_fn}) was freed by the backward of line {first.start.line}; "
        if node and first
        else ""
    )
    yield Report(
        "graph-freed",
        title,
        f"{shown}the backward of {'the next turn' if first and first.start.line == r.error_line else line} needs it "
        "again.",
        fix,
        line=r.error_line,
        node=node.id if node else None,
        event=failing.start.t if failing else None,
    )


def _carried_name(r: Reading, loops: list[ast.AST]) -> str | None:
    """A name that a turn of the loop reads before it rebinds it."""
    for loop in loops:
        for statement in ast.walk(loop):
            if isinstance(statement, ast.Assign | ast.AugAssign):
                bound = r.source.assigned(statement)
                read = names(statement.value) | (bound if isinstance(statement, ast.AugAssign) else set())
                for name in sorted(bound & read):
                    if any(n.kind == "op" and n.requires_grad for n in r.named(name)):
                        return name
    return None


def derivative_of_derivative(r: Reading) -> Iterator[Report]:
    """A derivative was differentiated that was not recorded, or a second backward piled up on the first."""
    grads = list(r.source.calls("grad", "backward"))
    recorded = [c for c in grads if _true(keyword(c, "create_graph"))]
    freed = "backward through the graph a second time" in r.message  # by a grad() that kept nothing for a second
    if freed:
        grads = [c for c in grads if called(c) == "grad" and not _true(keyword(c, "create_graph"))]
    if freed or "does not require grad" in r.message:
        statement = r.source.statement_at(r.error_line)
        asked = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)} if statement else set()
        reads_grad = statement is not None and any(
            isinstance(a, ast.Attribute) and a.attr == "grad" and isinstance(a.ctx, ast.Load) and not _is_function(r, a)
            for a in ast.walk(statement)
        )
        for call in grads:
            bound = _bound_by(r, call)
            flows = computed_from(r.source, bound)
            if call.lineno < (r.error_line or 0) and (flows & asked or (reads_grad and called(call) == "backward")):
                who = next(iter(flows & asked), "the first derivative")
                if _true(keyword(call, "create_graph")):
                    yield Report(
                        "higher-order",
                        f"{who} does not depend on the input any more: its derivative is 0, and there is "
                        "nothing to walk.",
                        f"line {call.lineno} recorded it (create_graph=True), but the result has no grad_fn: "
                        "a constant.",
                        "a derivative of something linear is constant; its derivative is 0 by itself",
                        line=r.error_line,
                    )
                else:
                    yield Report(
                        "higher-order",
                        f"{who} was computed without create_graph=True, so its own derivative can not be taken.",
                        f"line {call.lineno}: `{r.source.line(call.lineno)}` gives numbers without history; "
                        f"line {r.error_line} "
                        "asks for their derivative.",
                        r.source.with_argument(call, "create_graph=True"),
                        line=call.lineno,
                    )
                return
    if not r.error:
        yield from _gradient_as_a_number(r)
    if recorded and not r.error:
        first = next((c for c in recorded if called(c) == "backward"), None)
        if first is None:
            return
        owner = None
        for p in r.passes:
            for landed in p.leaf_grads:
                if landed.before is not None and landed.line != first.lineno:
                    owner = landed
        if owner is None:
            return
        cleared = [z for z in r.zeroings if z.line and z.line > first.lineno] or any(
            isinstance(s, ast.Assign) and ast.unparse(s).endswith(".grad = None") and s.lineno > first.lineno
            for s in r.source.all
        )
        if not cleared:
            yield Report(
                "higher-order",
                f"The second backward added to the first derivative that {r.name(owner.node)}.grad still held.",
                f"{r.name(owner.node)}.grad was {number(owner.before)}, + {number(owner.added)} = "
                f"{number(owner.after)}.",
                "use torch.autograd.grad(y, x, create_graph=True)[0], which leaves .grad alone",
                line=owner.line,
                node=owner.node,
                event=owner.t,
            )


def second_derivative_is_zero(r: Reading) -> Iterator[Report]:
    """A recorded gradient was differentiated, and it is flat: relu, abs and max have no curvature."""
    if "create_graph=True" not in r.trace.source:
        return
    named = {leaf.id for leaf in r.learners if leaf.name}
    for earlier, later in zip(r.passes, r.passes[1:], strict=False):
        end = earlier.end if earlier.end is not None else -1
        made = {n for n in r.behind(later.start.root) if earlier.start.t < r.born.get(n, -1) < end}
        reached = [e for e in later.accumulated if e.node in named]
        if made and reached and all(is_zero(e.after) for e in reached):
            name = r.name(reached[0].node)
            yield Report(
                "higher-order",
                f"The second derivative for {name} is 0: the first derivative is the same all around.",
                f"the pass of line {later.start.line} brings {number(reached[0].after)} to {name}; relu, abs, max and "
                "linear operations have no curvature.",
                "a smooth function such as softplus, where a curvature is wanted",
                line=later.start.line,
                node=later.start.root,
                event=later.start.t,
                severity=NOTE,
            )
            return


def _gradient_as_a_number(r: Reading) -> Iterator[Report]:
    """A derivative taken without create_graph=True enters a loss: it is a constant there."""
    for call in r.source.calls("grad"):
        statement = r.source.statement(call)
        of = keyword(call, "inputs") or (call.args[1] if len(call.args) > 1 else None)
        flag = keyword(call, "create_graph")
        if statement is None or of is None or not (flag is None or ast.unparse(flag) == "False"):
            continue
        # Where the input itself is moved by the gradient (a step, an attack), the number is what is wanted.
        flows = computed_from(r.source, bound_by(r.source, statement), stop=names(of))
        for p in r.passes:
            behind = r.behind(p.start.root, through_cuts=True) if p.end is not None and p.leaf_grads else set()
            terms = [n for n in r.trace.nodes if n.id in behind and not n.requires_grad and _holds_one_of(r, n, flows)]
            if not terms:
                continue
            term = terms[-1]
            name = term.name or next(iter(sorted(bound_by(r.source, statement))))
            asked = any(word in n for n in {name, *flows} for word in ("penal", "gp", "reg", "smooth", "curv", "hess"))
            yield Report(
                "higher-order",
                f"{name} is a gradient, or made from one, without history: in the loss it is a constant.",
                f"line {call.lineno} took it without create_graph=True; its {number(r.value.get(term.id))} on line "
                f"{term.line} has requires_grad=False.",
                _recorded(r, call),
                line=call.lineno,
                node=term.id,
                event=r.born.get(term.id),
                severity=FAULT if asked else NOTE,
            )
            return


def _recorded(r: Reading, call: ast.Call) -> str:
    """The text of a call of autograd.grad with create_graph=True."""
    text = r.source.segment(call)
    if keyword(call, "create_graph") is not None:
        return text.replace("create_graph=False", "create_graph=True")
    return r.source.with_argument(call, "create_graph=True")


def _holds_one_of(r: Reading, node: TraceNode, flows: set[str]) -> bool:
    """Whether a node is one of the names, or the unnamed number that a line reads from one of them."""
    if node.name is not None or node.kind != "constant":
        return node.name in flows
    statement = r.source.statement_at(node.line)
    return statement is not None and bool(names(statement) & flows)


def _true(value: ast.expr | None) -> bool:
    return isinstance(value, ast.Constant) and value.value is True


def _is_function(r: Reading, attribute: ast.Attribute) -> bool:
    parent = r.source.parent.get(attribute)
    return isinstance(parent, ast.Call) and parent.func is attribute


def _bound_by(r: Reading, call: ast.Call) -> set[str]:
    statement = r.source.statement(call)
    if statement is None:
        return set()
    if called(call) == "grad":
        return r.source.assigned(statement)
    # After y.backward() the derivative is x.grad: names bound to some .grad.
    return {
        name
        for s in r.source.all
        if isinstance(s, ast.Assign) and isinstance(s.value, ast.Attribute) and s.value.attr == "grad"
        for name in r.source.assigned(s)
    }


def graphs_pile_up(r: Reading) -> Iterator[Report]:
    """Losses or predictions with history are kept over the turns of a loop."""
    for statement in r.source.all:
        loops = r.source.loops(statement)
        if not loops or r.source.under_no_grad(statement):
            continue
        kept = _kept(r, statement)
        if kept is None:
            continue
        holder, what = kept
        if _walked_later(r, holder, loops[-1]):
            continue
        made = [
            n
            for n in r.trace.nodes
            if n.line is not None and n.requires_grad and n.kind == "op" and covers(loops[0], n.line)
        ]
        if not made:
            continue
        turns = sum(covers(loops[0], n.line) and n.kind == "op" for n in r.named(what))
        if turns < 2:
            continue
        trained = any(p.end is not None and covers(loops[0], p.start.line) for p in r.passes)
        evaluating = bool(list(r.source.calls("eval"))) and not r.passes
        if evaluating:
            continue  # explained as eval() taken for no_grad
        held = sum(n.saved_bytes for n in made)
        yield Report(
            "memory-graph-retained",
            f"`{r.source.line(first_line(statement))}` keeps {what} with history, so the graph of every turn stays "
            "in memory.",
            f"after {turns} turns {holder} still leads to {len(made)} recorded operations ({held} bytes saved "
            "for backward).",
            _keeping(r, statement, what),
            line=first_line(statement),
            node=made[-1].id,
            severity=FAULT if trained else NOTE,
        )
        return


def total_with_history(r: Reading) -> Iterator[Report]:
    """A sum that grows from pass to pass with its history, wherever the line stands, and that no pass starts from."""
    starts = [p.start.t for p in r.passes if p.end is not None]
    chains: dict[int | None, list[TraceNode]] = {}
    for node in r.trace.nodes if len(starts) > 1 else ():
        if node.op in ("add", "add_") and node.requires_grad:
            chains.setdefault(node.line, []).append(node)
    for line, chain in chains.items():
        if len(chain) < 2 or chain[-2].id not in r.behind(chain[-1].id):
            continue
        if not any(r.born[chain[-2].id] < t < r.born[chain[-1].id] for t in starts):
            continue
        if any(chain[-1].id in r.behind(root) | {root} for root in r.roots()):
            continue
        held = len(r.behind(chain[-1].id))
        yield Report(
            "memory-graph-retained",
            f"`{r.source.line(line)}` adds up tensors with history, so the graph of every turn stays in memory.",
            f"after {len(chain)} turns the sum still leads to {held} nodes, and no backward starts from it.",
            "add the number: .item(), or .detach() of an array",
            line=line,
            node=chain[-1].id,
            event=r.born.get(chain[-1].id),
        )
        return


def _keeping(r: Reading, statement: ast.AST, what: str) -> str:
    """The statement that keeps a value, with the value alone: .item() of a number, .detach() of an array."""
    value = f"{what}.item()" if all(n.shape == () for n in r.named(what)) else f"{what}.detach()"
    found = [n for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id == what and isinstance(n.ctx, ast.Load)]
    return r.source.line_with(first_line(statement), found[-1], value) if found else value


def _kept(r: Reading, statement: ast.AST) -> tuple[str, str] | None:
    """(holder, kept) when a statement adds something recorded to a holder outside the turn."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
        holder, value = ast.unparse(statement.target), statement.value
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        holder, value = ast.unparse(statement.targets[0].value), statement.value
        if r.named(holder):
            return None  # a tensor that is filled entry by entry
    elif (
        isinstance(statement, ast.Assign)
        and isinstance(statement.value, ast.BinOp)
        and isinstance(statement.value.op, ast.Add)
    ):
        holder, value = ast.unparse(statement.targets[0]), statement.value.right
        if ast.unparse(statement.value.left) != holder:
            return _mixed_in(r, holder, statement)
    elif isinstance(call, ast.Call) and called(call) == "append" and call.args:
        holder, value = receiver(call), call.args[0]
    else:
        return None
    if any(isinstance(part, ast.Call) for part in ast.walk(value)):
        return None  # .item(), .detach(), float(...)
    for name in sorted(names(value)):
        if any(n.requires_grad and n.kind == "op" for n in r.named(name)):
            return holder, name
    return None


def _mixed_in(r: Reading, holder: str, statement: ast.Assign) -> tuple[str, str] | None:
    """(holder, loss) for a running average such as ``ema = 0.9 * ema + 0.1 * loss``."""
    read = names(statement.value)
    walked = {r.nodes[p.start.root].name for p in r.passes}
    losses = [name for name in sorted(read - {holder}) if name in walked]
    return (holder, losses[0]) if holder in read and losses else None


def _walked_later(r: Reading, holder: str, loop: ast.AST) -> bool:
    """Whether what was kept is used for a backward (a sum of losses, an unrolled sequence)."""
    starts = {holder}
    for statement in r.source.all:
        if isinstance(statement, ast.Assign) and names(statement.value) & {
            s.split(".")[0].split("[")[0] for s in starts
        }:
            starts |= r.source.assigned(statement)
    for call in r.source.calls("backward", "grad"):
        text = receiver(call) if called(call) == "backward" else ast.unparse(call.args[0]) if call.args else ""
        if any(name and (name == text or name in text.replace("(", " ").replace(")", " ").split()) for name in starts):
            return True
        if call.lineno > last_line(loop) and any(mentions(call, name) for name in starts):
            return True
    return False


def checkpoint_without_grad(r: Reading) -> Iterator[Report]:
    """A re-entrant checkpoint got no input that requires grad."""
    warned = [w for w in r.warnings if "None of the inputs have requires_grad" in w["message"]]
    if not warned:
        return
    line = warned[0]["line"]
    call = next(iter(r.source.calls("checkpoint", "checkpoint_sequential")), None)
    inside = [n.name for n in r.learners if n.name]
    yield Report(
        "checkpointing",
        "The checkpointed segment got no input that requires grad, so nothing inside it is recorded.",
        f"line {line}: the re-entrant checkpoint looks at its tensor arguments only; "
        f"{', '.join(inside) or 'the parameters inside'}"
        " are used within it and do not count.",
        _not_reentrant(r, call) if call is not None else "checkpoint(..., use_reentrant=False)",
        line=call.lineno if call is not None else line,
    )


def _not_reentrant(r: Reading, call: ast.Call) -> str:
    """The line of a checkpoint, not re-entrant."""
    flag = keyword(call, "use_reentrant")
    if flag is not None:
        return r.source.line_with(
            call.lineno, call, r.source.segment(call).replace("use_reentrant=True", "use_reentrant=False")
        )
    return r.source.line_with(call.lineno, call, r.source.with_argument(call, "use_reentrant=False"))
