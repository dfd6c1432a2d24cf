"""The training step: who is moved, in which order, from which gradient, in which mode."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograd.trace import LeafGrad, Step
from snippets.diagnose.reading import Pass, Reading, entries, is_zero
from snippets.diagnose.report import FAULT, NOTE, Report, number
from snippets.diagnose.source import called, covers, first_line, mentions, receiver


def unregistered(r: Reading) -> Iterator[Report]:
    """A module's weight or sub-module is not registered, so parameters() misses it."""
    for module in r.facts.get("modules", ()):
        hidden = module["hidden"]
        if not hidden:
            continue
        first = hidden[0]
        kind = first["what"]
        line = _attribute_line(r, first["path"])
        many = ", ".join(h["path"] for h in hidden[:4])
        if kind == "module":
            fix = "nn.ModuleList([...]) (or nn.ModuleDict, nn.Sequential) instead of a plain container"
        else:
            fix = f"self.{first['path']} = nn.Parameter(...)"
        yield Report(
            "parameter-registration",
            f"{module['name']} ({module['type']}) does not register {many}: parameters() misses "
            + ("the weights in it." if kind == "module" else "it."),
            f"{module['name']}.parameters() yields {module['parameters']} tensors; "
            + (f"the weights in {many} are not among them." if kind == "module" else f"{many} is not among them."),
            fix,
            line=line or r.error_line,
        )
        return
    if "cannot assign" in r.message and "as parameter" in r.message:
        yield Report(
            "parameter-registration",
            "A registered parameter can only be replaced by an nn.Parameter.",
            r.message,
            "nn.Parameter(...), or with torch.no_grad(): weight.copy_(...)",
            line=r.error_line,
        )
    elif "before Module.__init__() call" in r.message:
        yield Report(
            "parameter-registration",
            "super().__init__() must come first: without it the module can register nothing.",
            r.message,
            "super().__init__() as the first line of __init__",
            line=r.error_line,
        )


def _attribute_line(r: Reading, path: str) -> int | None:
    name = path.split(".")[0].split("[")[0]
    for statement in r.source.all:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            if any(isinstance(t, ast.Attribute) and t.attr == name and ast.unparse(t.value) == "self" for t in targets):
                return statement.lineno
    return next((c.lineno for c in r.source.calls("append") if mentions(c, name)), None)


def optimizer_parameters(r: Reading) -> Iterator[Report]:
    """The optimizer does not hold what should be trained, or moves what should be frozen."""
    if "optimizer got an empty parameter list" in r.message:
        if any(m["hidden"] for m in r.facts.get("modules", ())):
            return
        statement = r.source.statement_at(r.error_line)
        used = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)} if statement else set()
        spent = next(
            (
                s
                for s in r.source.all
                if isinstance(s, ast.Assign)
                and r.source.assigned(s) & used
                and (
                    isinstance(s.value, ast.GeneratorExp)
                    or (
                        isinstance(s.value, ast.Call)
                        and called(s.value) in ("filter", "map", "parameters", "named_parameters", "iter")
                    )
                )
            ),
            None,
        )
        if spent is not None:
            name = next(iter(r.source.assigned(spent) & used))
            yield Report(
                "optimizer-params",
                f"{name} is a one-shot iterator, and something consumed it before the optimizer was made.",
                f"line {spent.lineno}: `{r.source.line(spent.lineno)}` can be walked once; at line "
                f"{r.error_line} it is empty.",
                f"{name} = list(...)  (or call parameters() again)",
                line=spent.lineno,
            )
        else:
            yield Report(
                "optimizer-params",
                "The optimizer got no parameters at all.",
                f"line {r.error_line}: `{r.source.line(r.error_line)}` is given an empty list.",
                "pass model.parameters(), and check that the model registers its weights",
                line=r.error_line,
            )
        return
    if (
        "optimizer can only optimize Tensors" in r.message
        or "params argument given to the optimizer should be" in r.message
    ):
        yield Report(
            "optimizer-params",
            "The optimizer was given something that is not a list of tensors.",
            r.message,
            "pass model.parameters() or a list of tensors (not names, not a single tensor)",
            line=r.error_line,
        )
        return
    yield from _not_held(r)
    yield from _frozen_but_moved(r)
    yield from _freeze_undone(r)


def _not_held(r: Reading) -> Iterator[Report]:
    """Leaves that get gradients while every optimizer step moves other tensors."""
    if not r.steps:
        return
    grads: dict[str, LeafGrad] = {}
    for p in r.passes:
        for landed in p.leaf_grads:
            grads[landed.node] = landed
    missed = [
        r.nodes[i]
        for i in grads
        if i not in r.held and r.nodes[i].kind == "leaf" and r.nodes[i].is_leaf and not _moved_by_hand(r, r.nodes[i])
    ]
    if not missed:
        return
    dead = [i for i in r.held if i in r.nodes and i not in grads]
    rebuilt = dead and all(i not in grads for i in r.held)
    modules = {p for m in r.facts.get("modules", ()) for p in m.get("nodes", ())}
    trained = [n for n in missed if n.id in modules or rebuilt]
    if not trained:
        return
    owner = next((m for m in r.facts.get("modules", ()) if trained[0].id in m.get("nodes", ())), None)
    partly = owner is not None and any(i in r.held for i in owner.get("nodes", ()))
    others = [m for m in r.facts.get("modules", ()) if any(i in r.held for i in m.get("nodes", ()))]
    # Training a part only, or through a fixed network, may be meant: worth saying, no fault.
    elsewhere = others and owner is not None and owner["name"] != others[0]["name"]
    choice = not rebuilt and (partly or elsewhere)
    maker = next(iter(r.source.calls("SGD", "Adam", "AdamW", "RMSprop", "Adagrad")), None)
    who = ", ".join(r.name(n.id) for n in trained[:3])
    yield Report(
        "optimizer-params",
        f"The optimizer does not hold {who}: backward fills .grad, and no step ever moves it.",
        f"{len(r.steps)} steps moved {len(r.held)} other {'tensor' if len(r.held) == 1 else 'tensors'}"
        + (", none of which gets a gradient" if rebuilt else "")
        + f"; {who}.grad is {number(grads[trained[0].id].after)} and its value stays "
        f"{number(r.value.get(trained[0].id))}.",
        "make the optimizer after the network is final: opt = torch.optim.SGD(net.parameters(), lr=...)"
        if owner is not None
        else f"opt = torch.optim.SGD([{who}], lr=...)",
        line=maker.lineno if maker else r.steps[0].line,
        node=trained[0].id,
        event=r.steps[0].t,
        severity=NOTE if choice else FAULT,
    )


def _moved_by_hand(r: Reading, node: Any) -> bool:
    """Was it written in place after its first gradient? Setting it up before training does not count."""
    landed = min((g.t for p in r.passes for g in p.leaf_grads if g.node == node.id), default=0)
    return any(m.node == node.id and m.t > landed for m in r.mutations)


def _frozen_but_moved(r: Reading) -> Iterator[Report]:
    """A tensor with requires_grad=False (or whose .grad is None or 0) is still moved by momentum or weight decay."""
    for step in r.steps:
        for parameter in step.parameters:
            grad = parameter.get("grad")
            if (grad is None or is_zero(grad)) and parameter["before"] != parameter["after"]:
                node = parameter["node"]
                late = (
                    not r.nodes[node].requires_grad
                    or any(
                        isinstance(s, ast.Assign) and ast.unparse(s.targets[0]).endswith("requires_grad")
                        for s in r.source.all
                    )
                    or bool(list(r.source.calls("requires_grad_")))
                )
                if not late:
                    continue
                yield Report(
                    "optimizer-params",
                    f"{r.name(node)} is meant to be frozen, but the optimizer still moves it.",
                    f"its gradient is {number(grad)}, yet the step of line {step.line} took it from "
                    f"{number(parameter['before'])} to "
                    f"{number(parameter['after'])} (momentum or weight decay).",
                    "give the optimizer only what should move: [p for p in model.parameters() if p.requires_grad]",
                    line=step.line,
                    node=node,
                    event=step.t,
                )
                return


def _freeze_undone(r: Reading) -> Iterator[Report]:
    """requires_grad is turned off for one tensor and on again for all of them later."""
    off = [s for s in r.source.all if _flag(s) is False]
    for freeze in off:
        for again in r.source.all:
            if _flag(again) is not True or first_line(again) <= first_line(freeze):
                continue
            loops = r.source.loops(again)
            if not loops or r.source.loops(freeze):
                continue
            landed = [e for p in r.passes for e in p.leaf_grads]
            if landed and len({e.node for e in landed}) > 1:
                early, late = first_line(freeze), first_line(again)
                yield Report(
                    "optimizer-params",
                    f"Line {late} turns requires_grad on for every tensor, which undoes the freeze of line {early}.",
                    f"`{r.source.line(early)}` comes first; afterwards {len({e.node for e in landed})} leaves receive "
                    "gradients, the frozen one among them.",
                    "freeze after the loop, or set the flag by name inside it",
                    line=late,
                )
                return


def _flag(statement: ast.AST) -> bool | None:
    """True or False when a statement sets some requires_grad to that, else None."""
    if (
        isinstance(statement, ast.Assign)
        and isinstance(statement.targets[0], ast.Attribute)
        and statement.targets[0].attr == "requires_grad"
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, bool)
    ):
        return statement.value.value
    if (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Call)
        and called(statement.value) == "requires_grad_"
    ):
        arguments = statement.value.args
        return not (arguments and isinstance(arguments[0], ast.Constant) and arguments[0].value is False)
    return None


def order_of_lines(r: Reading) -> Iterator[Report]:
    """step before backward, zero_grad between backward and step, clipping after step."""
    if not r.steps:
        return
    kinds: list[tuple[str, int | None, int]] = []
    for event in r.trace.events:
        if isinstance(event, Step):
            kinds.append(("step", event.line, event.t))
    kinds += [("backward", p.start.line, p.start.t) for p in r.passes]
    kinds += [("zero_grad", z.line, z.t) for z in r.zeroings]
    kinds.sort(key=lambda k: k[2])
    names = [k[0] for k in kinds]
    empty = [
        s for s in r.steps if s.parameters and all(p.get("grad") is None or is_zero(p["grad"]) for p in s.parameters)
    ]
    wiped = [i for i in range(len(names) - 2) if names[i : i + 3] == ["backward", "zero_grad", "step"]]
    if wiped and any(s.t == kinds[wiped[0] + 2][2] for s in empty):
        zero, step = kinds[wiped[0] + 1], kinds[wiped[0] + 2]
        yield Report(
            "optimizer-order",
            f"zero_grad on line {zero[1]} clears the gradients between backward and step, so step has nothing to use.",
            f"{len(empty)} of {len(r.steps)} steps saw only empty gradients: nothing moves.",
            "opt.zero_grad(); loss.backward(); opt.step()",
            line=zero[1],
            event=step[2],
        )
        return
    if "step" in names and "backward" in names and names.index("step") < names.index("backward"):
        step = kinds[names.index("step")]
        if step[2] in {s.t for s in empty} or any(s.t == step[2] and not s.parameters for s in r.steps):
            yield Report(
                "optimizer-order",
                f"opt.step() on line {step[1]} runs before backward: it uses the gradients of the turn "
                "before, or none.",
                "at the first step every gradient is None; the backward of line "
                f"{kinds[names.index('backward')][1]} comes later.",
                "opt.zero_grad(); loss.backward(); opt.step()",
                line=step[1],
                event=step[2],
            )
            return
    clips = list(r.source.calls("clip_grad_norm_", "clip_grad_value_"))
    for clip in clips:
        block = r.source.loops(clip)[0] if r.source.loops(clip) else r.source.tree
        inside = [s.line for s in r.steps if s.line and covers(block, s.line)]
        backwards = [p.start.line for p in r.passes if p.start.line and covers(block, p.start.line)]
        if inside and max(inside) < clip.lineno and not (backwards and clip.lineno < min(backwards)):
            yield Report(
                "optimizer-order",
                f"clipping on line {clip.lineno} comes after opt.step(): the step used the gradients unclipped.",
                f"step is on line {max(inside)}, `{r.source.line(clip.lineno)}` on line {clip.lineno}.",
                "loss.backward(); clip_grad_norm_(...); opt.step()",
                line=clip.lineno,
            )
            return
        if inside and backwards and clip.lineno < min(backwards):
            yield Report(
                "optimizer-order",
                f"clipping on line {clip.lineno} comes before backward: there is nothing to clip yet.",
                f"backward is on line {min(backwards)}.",
                "loss.backward(); clip_grad_norm_(...); opt.step()",
                line=clip.lineno,
            )
            return


def piled_up(r: Reading) -> Iterator[Report]:
    """.grad holds a sum over backward calls that was not meant."""
    piles = [
        (p, landed)
        for p in r.passes
        for landed in p.leaf_grads
        if landed.before is not None and not is_zero(landed.before)
    ]
    if not piles:
        return
    # A derivative of a derivative has its own rule.
    if "create_graph=True" in r.trace.source:
        return
    by_root: dict[str, list[int]] = {}
    for p in r.passes:
        by_root.setdefault(p.start.root, []).append(p.number)
    same = next((root for root, numbers in by_root.items() if len(numbers) > 1), None)
    for p, landed in piles:
        earlier = [q for q in r.passes if q.number < p.number and any(x.node == landed.node for x in q.leaf_grads)]
        if not earlier:
            continue
        used = _gradient_used_between(r, landed, earlier[-1].start.t, p.start.t)
        if used is not None and not _pile_used(r, landed):
            used = None
        name = r.name(landed.node)
        held = r.optimizer_holds(landed.node)
        sums = f"{number(landed.before)}; this backward added {number(landed.added)}: {number(landed.after)}"
        numbers = f"{name}.grad held {sums}."
        if p.start.root == same and not _read_rows(r):
            yield Report(
                "accumulation",
                f"backward ran twice from {r.name(p.start.root)}, so the same gradient is in {name}.grad twice.",
                numbers,
                "call backward once, or clear between: " + f"{_short_name(name)}.grad = None",
                line=p.start.line,
                node=landed.node,
                event=landed.t,
            )
            return
        if used is None:
            continue
        if not held and r.zeroings:
            title = (
                f"{name} is not in the optimizer, so opt.zero_grad() never clears its .grad: it sums over the turns."
            )
            fix = f"{_short_name(name)}.grad = None after each turn"
        elif held and r.zeroings and not any(p["node"] == landed.node for z in r.zeroings for p in z.parameters):
            title = f"zero_grad is called, but not for {name}: its .grad is never cleared."
            fix = f"{_mover(r, landed)}.zero_grad() at the start of each turn"
        elif held and r.zeroings:
            title = f"zero_grad stands outside the loop over batches: {name}.grad sums several before it is cleared."
            fix = "move opt.zero_grad() into the loop, before backward"
        else:
            title = f"{name}.grad is never cleared, so each backward adds to the ones before."
            fix = (
                "opt.zero_grad() at the start of each turn"
                if held
                else f"{_short_name(name)}.grad = None after each use"
            )
        yield Report(
            "accumulation",
            title,
            f"{numbers} It was used in between ({used}).",
            fix,
            line=p.start.line,
            node=landed.node,
            event=landed.t,
            # A pile that is only looked at may be the point; one that moves a parameter is not.
            severity=NOTE if used.startswith("read") and not r.zeroings else FAULT,
        )
        return


def _mover(r: Reading, landed: LeafGrad) -> str:
    """The name of the optimizer that holds a leaf."""
    found = (o["name"] for o in r.facts.get("optimizers", ()) if landed.node in o["parameters"])
    return next(found, "opt")


def _pile_used(r: Reading, landed: LeafGrad) -> bool:
    """Whether the sum was used before it was cleared: by a step, an update, or a read in the source."""
    cleared = next(
        (z.t for z in r.zeroings if z.t > landed.t and any(p["node"] == landed.node for p in z.parameters)), None
    )
    end = cleared if cleared is not None else 1 << 60
    if any(landed.t < s.t < end and any(p["node"] == landed.node for p in s.parameters) for s in r.steps):
        return True
    if any(landed.t < m.t < end and m.node == landed.node for m in r.mutations):
        return True
    name = r.nodes[landed.node].name or ""
    return (
        any(ast.unparse(a.value) == name and isinstance(a.ctx, ast.Load) for a in r.source.attributes("grad"))
        or not r.steps
    )


def _short_name(name: str) -> str:
    return name if name.replace(".", "").replace("_", "").isalnum() else "x"


def _read_rows(r: Reading) -> bool:
    """Several backward calls with one-hot vectors are rows of a Jacobian: the jacobian rule speaks of them."""
    seeds = [p.start.seed for p in r.passes]
    return any(isinstance(s, list) for s in seeds)


def _gradient_used_between(r: Reading, landed: LeafGrad, start: int, end: int) -> str | None:
    """How the gradient was used between two passes: by a step, a write, or a read in the source."""
    for step in r.steps:
        if start < step.t < end and any(p["node"] == landed.node for p in step.parameters):
            return f"opt.step() on line {step.line}"
    for write in r.mutations:
        if start < write.t < end and write.node == landed.node:
            return f"the update on line {write.line}"
    name = r.nodes[landed.node].name or ""
    first = next((q.start.line for q in r.passes if q.start.t == start), None)
    last = next((q.start.line for q in r.passes if q.start.t == end), None)
    for attribute in r.source.attributes("grad"):
        if ast.unparse(attribute.value) != name or not isinstance(attribute.ctx, ast.Load):
            continue
        statement = r.source.statement(attribute)
        if statement is None or mentions(statement, "zero_") or first is None or last is None:
            continue
        parent = r.source.parent.get(attribute)
        if isinstance(parent, ast.Compare):
            continue
        line = attribute.lineno
        loops = r.source.loops(attribute)
        if first < line <= last or (loops and first == last and covers(loops[0], first)):
            return f"read on line {line}"
    return None


def scale_of_the_loss(r: Reading) -> Iterator[Report]:
    """Micro-batches that are not scaled, or are of unequal size and averaged; a sum where a mean was compared."""
    loops: dict[ast.AST, list[Pass]] = {}
    for p in r.passes:
        statement = r.source.statement_at(p.start.line)
        loop = r.source.loops(statement)[0] if statement is not None and r.source.loops(statement) else None
        if loop is not None and p.end is not None:
            loops.setdefault(loop, []).append(p)
    for loop, passes in loops.items():
        if len(passes) < 2:
            continue
        cleared = any(covers(loop, z.line or 0) and passes[0].start.t < z.t < passes[-1].start.t for z in r.zeroings)
        moved = any(passes[0].start.t < s.t < passes[-1].start.t for s in r.steps)
        piled = any(
            landed.before is not None and not is_zero(landed.before) for p in passes[1:] for landed in p.leaf_grads
        )
        if cleared or moved or not piled:
            continue
        sizes = [_reduced_over(r, p.start.root) for p in passes]
        means = [size for kind, size in sizes if kind == "mean"]
        divided = any(
            isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div | ast.Mult) and _divides_loss(n)
            for n in ast.walk(loop)
        )
        if len(means) == len(sizes) and len(set(means)) > 1:
            yield Report(
                "reduction-scale",
                "The micro-batches have different sizes, so the mean of their means is not the mean over all items.",
                f"batch sizes {', '.join(str(m) for m in means)}: each item of a small batch counts more.",
                "sum the losses and divide by the number of all items",
                line=passes[0].start.line,
                node=passes[0].start.root,
                event=passes[0].start.t,
            )
            return
        if len(means) == len(sizes) and not divided and not _root_scaled(r, passes[0].start.root):
            yield Report(
                "reduction-scale",
                f"{len(passes)} micro-batches are accumulated without scaling: the gradient is {len(passes)} "
                "times that of one batch.",
                f"each loss is a mean over {means[0]} items and is not divided by {len(passes)}.",
                f"(loss / {len(passes)}).backward()",
                line=passes[0].start.line,
                node=passes[0].start.root,
                event=passes[0].start.t,
                severity=FAULT if r.steps else NOTE,
            )
            return


def sum_that_diverges(r: Reading) -> Iterator[Report]:
    """A loss summed over the batch grows from step to step: the step is as many times too large."""
    finished = [p for p in r.passes if p.end is not None and p.leaf_grads]  # not those of autograd.grad
    if len(r.steps) < 2 or len(finished) < 2:
        return
    kind, size = _reduced_over(r, finished[0].start.root)
    if kind == "sum" and not _sums_at_the_end(r, finished[0].start.root):
        return
    first, last = r.value.get(finished[0].start.root), r.value.get(finished[-1].start.root)
    grew = isinstance(last, str) or (
        isinstance(first, int | float) and isinstance(last, int | float) and last > 2 * first > 0
    )
    if kind == "sum" and size > 1 and grew:
        yield Report(
            "reduction-scale",
            f"{r.name(finished[0].start.root)} sums over {size} entries: its gradient is {size} times the mean's, "
            "and the steps overshoot.",
            f"the loss goes {_course(r, finished)} in {len(r.steps)} steps.",
            f"use the mean, or a learning rate {size} times smaller",
            line=r.nodes[finished[0].start.root].line,
            node=finished[0].start.root,
            event=finished[0].start.t,
            severity=NOTE,
        )


def _sums_at_the_end(r: Reading, root: str) -> bool:
    """Whether only scalings stand between the root and its sum: a sum inside a square is no sum over a batch."""
    node_id: str | None = root
    while node_id is not None and r.nodes[node_id].op in ("mul", "div", "neg", "add", "sub", "clone", "squeeze"):
        node_id = next((e.src for e in r.into[node_id] if e.recorded), None)
    return node_id is not None and r.nodes[node_id].op in ("sum", "mse_loss", "l1_loss")


def _divides_loss(node: ast.BinOp) -> bool:
    return mentions(node, "loss") or "loss" in ast.unparse(node).lower() or "backward" in ast.unparse(node)


def _root_scaled(r: Reading, root: str) -> bool:
    return r.nodes[root].op in ("div", "mul")


def _reduced_over(r: Reading, root: str) -> tuple[str | None, int]:
    """The reduction behind a loss and over how many entries it went."""
    frontier = [root]
    for _ in range(6):
        following: list[str] = []
        for node_id in frontier:
            node = r.nodes[node_id]
            if node.op in ("mean", "sum", "mse_loss", "l1_loss", "nll_loss", "cross_entropy", "binary_cross_entropy"):
                source = next((e.src for e in r.into[node_id]), None)
                if source is not None:
                    shape = r.nodes[source].shape
                    size = 1
                    for extent in shape if node.op in ("mean", "sum", "mse_loss", "l1_loss") else shape[:1]:
                        size *= extent
                    kind = "sum" if node.op == "sum" else "mean"
                    return kind, size
            following += [e.src for e in r.into[node_id] if e.recorded]
        frontier = following
    return None, 0


def wrong_sign(r: Reading) -> Iterator[Report]:
    """The optimizer minimises something that looks like an objective to be maximised."""
    finished = [p for p in r.passes if p.end is not None]
    if not finished or "maximize=True" in r.trace.source:
        return
    if not r.steps:
        yield from _wrong_way_update(r)
        return
    chains = [_linear_chain(r, p.start.root) for p in finished]
    turning = len({chain[0] for chain in chains if chain is not None}) > 1  # weighted by an advantage, as in REINFORCE
    for p, chain in zip(finished, chains, strict=True):
        if chain is None or turning:
            continue
        sign, node_id = chain
        node = r.nodes[node_id]
        if (
            sign > 0
            and node.op in ("log_softmax", "log_sigmoid", "logsigmoid", "log", "log_prob")
            and _probability(r, node_id)
        ):
            yield Report(
                "sign",
                f"{r.name(p.start.root)} is a log-probability, and the optimizer minimises it: training "
                "pushes it down.",
                _over_steps(r, r.name(p.start.root), finished),
                f"loss = -{r.nodes[p.start.root].name or 'objective'}",
                line=p.start.line,
                node=p.start.root,
                event=p.start.t,
            )
            return
        if sign < 0 and node.op in (
            "pow",
            "mse_loss",
            "abs",
            "square",
            "cross_entropy",
            "nll_loss",
            "l1_loss",
            "binary_cross_entropy",
        ):
            if node.op == "nll_loss" and any(r.nodes[e.src].op != "log_softmax" for e in r.into[node_id][:1]):
                continue
            yield Report(
                "sign",
                f"{r.name(p.start.root)} is a distance with a minus sign: the optimizer makes the distance larger.",
                _over_steps(r, r.name(p.start.root), finished),
                "leave the minus out",
                line=p.start.line,
                node=p.start.root,
                event=p.start.t,
            )
            return
    name = r.nodes[finished[0].start.root].name or ""
    if any(
        word in name.lower()
        for word in (
            "reward",
            "objective",
            "likelihood",
            "accuracy",
            "score",
            "log_prob",
            "logp",
            "elbo",
            "utility",
            "gain",
        )
    ):
        values = _numbers(r, finished)
        if len(values) > 1 and values[-1] < values[0]:
            yield Report(
                "sign",
                f"{name} is minimised: an optimizer goes downhill, and by its name it should grow.",
                f"{name} goes {_course(r, finished)} over {len(r.steps)} steps.",
                f"loss = -{name}",
                line=finished[0].start.line,
                node=finished[0].start.root,
                event=finished[0].start.t,
            )
            return
    yield from _wrong_way_update(r)


def _wrong_way_update(r: Reading) -> Iterator[Report]:
    """``w += lr * w.grad`` climbs the loss."""
    finished = [p for p in r.passes if p.end is not None]
    for statement in r.source.all:
        if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
            text = ast.unparse(statement.value)
            if ".grad" in text and not text.lstrip().startswith("-") and "-" not in text:
                values = _numbers(r, finished)
                name = r.nodes[finished[0].start.root].name or "" if finished else ""
                if len(values) > 1 and values[-1] > values[0] and "loss" in name:
                    yield Report(
                        "sign",
                        f"`{r.source.line(statement.lineno)}` adds the gradient: the loss goes up.",
                        f"{name} goes {_course(r, finished)}.",
                        f"{ast.unparse(statement.target)} -= {text}",
                        line=statement.lineno,
                    )
                    return


def _numbers(r: Reading, passes: list[Pass]) -> list[float]:
    """The losses from which the passes started, where they are finite numbers."""
    values = [r.value.get(p.start.root) for p in passes]
    return [value for value in values if isinstance(value, int | float)]


def _course(r: Reading, passes: list[Any]) -> str:
    values = [r.value.get(p.start.root) for p in passes]
    return f"from {number(values[0])} to {number(values[-1])}"


def _over_steps(r: Reading, name: str, passes: list[Pass]) -> str:
    """``loss goes from -4 to -17 over 5 steps``; with one pass only its value."""
    if len(passes) == 1:
        return f"{name} = {number(r.value.get(passes[0].start.root))} is what the step makes smaller."
    return f"{name} goes {_course(r, passes)} over {len(r.steps)} steps."


def _linear_chain(r: Reading, root: str) -> tuple[int, str] | None:
    """(sign, node): follow sums, means, picks and scalings from the root down to the first other operation."""
    sign, node_id = 1, root
    for _ in range(40):
        node = r.nodes[node_id]
        incoming = [e for e in r.into[node_id] if e.recorded]
        if node.op in (
            "sum",
            "mean",
            "getitem",
            "select",
            "gather",
            "index",
            "squeeze",
            "view",
            "reshape",
            "index_select",
        ):
            pass
        elif node.op == "neg":
            sign = -sign
        elif node.op in ("mul", "div") and len(incoming) == 1:
            constant = next((r.value.get(e.src) for e in r.into[node_id] if e.src != incoming[0].src), None)
            factor = _leading_number(node.expr) if constant is None else _sign_of(constant)
            if factor is None:
                return None
            sign *= factor
        else:
            return sign, node_id
        if not incoming:
            return None
        node_id = incoming[0].src
    return None


def _sign_of(value: Any) -> int | None:
    found = [v for v in entries(value) if isinstance(v, int | float)]
    if found and all(v > 0 for v in found):
        return 1
    if found and all(v < 0 for v in found):
        return -1
    return None


def _leading_number(expression: str) -> int | None:
    try:
        tree = ast.parse(expression, mode="eval").body
    except SyntaxError:
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return -1
    factors = [tree.left, tree.right] if isinstance(tree, ast.BinOp) else []
    return 1 if any(isinstance(factor, ast.Constant) for factor in factors) else None


def _probability(r: Reading, node_id: str) -> bool:
    """Whether a log is taken of something between 0 and 1."""
    node = r.nodes[node_id]
    if node.op != "log":
        return True
    source = next((e.src for e in r.into[node_id]), None)
    if source is None or r.nodes[source].op not in ("softmax", "sigmoid", "getitem", "select", "gather", "clamp"):
        return False
    values = [v for v in entries(r.value.get(source)) if isinstance(v, int | float)]
    return bool(values) and all(0 <= v <= 1 for v in values)


def mode_of_modules(r: Reading) -> Iterator[Report]:
    """Dropout or batch normalisation in the wrong mode; eval() taken for no_grad() or the other way round."""
    if "Expected more than 1 value per channel when training" in r.message:
        yield Report(
            "train-eval-mode",
            "Batch normalisation in training mode needs more than one sample: it normalises by the batch.",
            r.message,
            "model.eval() before single samples, or a larger batch",
            line=r.error_line,
        )
        return
    evals = list(r.source.calls("eval"))
    trains = [c for c in r.source.calls("train") if not (c.args and ast.unparse(c.args[0]) == "False")]
    modal = [n for n in r.trace.nodes if n.op and ("dropout" in n.op or "batch_norm" in n.op)]
    training = [m for m in r.facts.get("modules", ()) if m["training"] and m.get("modal")]
    drop = [n for n in modal if "dropout" in (n.op or "")]
    yield from _frozen_batch_norm(r)
    if training and not r.passes and not evals and not r.steps:
        who = training[0]
        lines = sorted({n.line for n in drop if n.line})
        kind = "dropout" if "Dropout" in who["modal"] else "batch normalisation"
        yield Report(
            "train-eval-mode",
            f"{who['name']} is used for prediction in training mode: {kind} is active.",
            f"{who['name']}.training is True and no backward ever runs; {who['modal']} changes the output"
            + (
                " at random from call to call."
                if kind == "dropout"
                else " with the batch and updates its running statistics."
            ),
            f"{who['name']}.eval() before predicting",
            line=lines[0] if lines else None,
            severity=FAULT if kind == "dropout" or _under_no_grad_call(r, who["name"]) else NOTE,
        )
        return
    if training and _under_no_grad_call(r, training[0]["name"]) and not evals:
        who = training[0]
        yield Report(
            "train-eval-mode",
            f"{who['name']} is evaluated under no_grad but still in training mode: {who['modal']} is active.",
            f"no_grad stops recording only; {who['name']}.training is {who['training']}.",
            f"{who['name']}.eval() before the evaluation, {who['name']}.train() after it",
            line=_no_grad_call_line(r, who["name"]),
        )
        return
    if evals and not trains and r.passes and modal_children(r):
        last_eval = evals[-1]
        after = [
            p
            for p in r.passes
            if p.start.line and (p.start.line > last_eval.lineno or _same_loop(r, last_eval, p.start.line))
        ]
        if after and r.steps:
            yield Report(
                "train-eval-mode",
                f"eval() on line {last_eval.lineno} is never undone: training goes on in evaluation mode.",
                f"{len(after)} backward passes run after it, with dropout off and batch statistics frozen.",
                f"{receiver(last_eval)}.train() before training goes on",
                line=last_eval.lineno,
            )
            return
    if evals and not r.passes:
        recorded = [n for n in r.trace.nodes if n.recorded and n.kind == "op" and n.line and n.line > evals[0].lineno]
        kept = [n for n in recorded if n.requires_grad]
        frozen = not any(leaf.requires_grad for leaf in r.learners)
        if kept and not frozen:
            yield Report(
                "train-eval-mode",
                "eval() does not stop recording: these predictions still build a graph.",
                f"{len(kept)} operations after line {evals[0].lineno} were recorded, "
                f"{sum(n.saved_bytes for n in kept)} bytes are held "
                "for a backward that never comes.",
                "with torch.no_grad():",
                line=evals[0].lineno,
                node=kept[0].id,
                event=r.born.get(kept[0].id),
                severity=FAULT if len({n.line for n in kept}) < len(kept) or _kept_outputs(r) else NOTE,
            )


def modal_children(r: Reading) -> bool:
    """Whether some module behaves differently in training and evaluation."""
    return any(m["modes"] for m in r.facts.get("modules", ()))


def _kept_outputs(r: Reading) -> bool:
    return bool(list(r.source.calls("append")))


def _same_loop(r: Reading, call: ast.Call, line: int) -> bool:
    loops = r.source.loops(call)
    return bool(loops) and covers(loops[-1], line)


def _under_no_grad_call(r: Reading, module: str) -> bool:
    return _no_grad_call_line(r, module) is not None


def _no_grad_call_line(r: Reading, module: str) -> int | None:
    return next((c.lineno for c in r.source.calls(module) if r.source.under_no_grad(c)), None)


def _frozen_batch_norm(r: Reading) -> Iterator[Report]:
    """Batch normalisation with frozen parameters, left in training mode: its running statistics drift."""
    for module in r.facts.get("modules", ()):
        for path in module.get("drifting", ()):
            yield Report(
                "train-eval-mode",
                f"{path} is frozen (requires_grad=False) but in training mode: its running statistics still change.",
                "running_mean and running_var are buffers, updated by every forward in training mode, not by "
                "gradients.",
                f"{path}.eval()",
                line=next((c.lineno for c in r.source.calls(module["name"])), None),
            )
            return
