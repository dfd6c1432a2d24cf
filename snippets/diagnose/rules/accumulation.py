"""What .grad sums up: backward calls that were not meant, and batches that were not scaled."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from autograd.trace import LeafGrad
from snippets.diagnose.reading import MANY, Pass, Reading, count, is_zero
from snippets.diagnose.report import FAULT, NOTE, Report, number
from snippets.diagnose.source import covers, keyword, mentions
from snippets.diagnose.trend import course


def walked_twice(r: Reading) -> Iterator[Report]:
    """backward from a loss, and again from a sum that holds the same loss: its gradient counts twice."""
    early = r.passes[:MANY]
    for first, second in pairwise(early):
        root, total = first.start.root, second.start.root
        if not any(e.before is not None for e in second.leaf_grads):
            continue
        cleared = any(first.start.t < z.t < second.start.t for z in r.zeroings)
        stepped = any(first.start.t < s.t < second.start.t for s in r.steps)
        piled = [e for e in second.leaf_grads if e.before is not None and not is_zero(e.before)]
        if root == total or root not in r.behind(total) or not first.leaf_grads or not piled or cleared or stepped:
            continue
        if "create_graph=True" in r.trace.source:
            continue
        landed = piled[0]
        yield Report(
            "accumulation",
            f"{r.name(root)} is a part of {r.name(total)}, and backward ran from both: its gradient counts twice.",
            f".grad of {r.name(landed.node)} was {number(landed.before)}, + {number(landed.added)} = "
            f"{number(landed.after)}.",
            f"call backward once, from {r.name(total)}",
            line=first.start.line,
            node=landed.node,
            event=landed.t,
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
        used = used or _was_for_another(r, landed, earlier[-1], p)
        name = r.name(landed.node)
        grad = f"{name}.grad" if _short_name(name) == name else f".grad of {name}"
        held = r.optimizer_holds(landed.node)
        sums = f"{number(landed.before)}; this backward added {number(landed.added)}: {number(landed.after)}"
        numbers = f"{grad} held {sums}."
        if p.start.root == same and not _read_rows(r):
            yield Report(
                "accumulation",
                f"backward ran twice from {r.name(p.start.root)}, so the same gradient is in {grad} twice.",
                numbers,
                "call backward once, or clear between: " + f"{_short_name(name)}.grad = None",
                line=p.start.line,
                node=landed.node,
                event=landed.t,
            )
            return
        afterwards = used is None and not held and bool(r.zeroings) and len(piles) > 1
        if afterwards:
            used = _read_afterwards(r, landed)
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
            title = f"zero_grad stands outside the loop over batches: {grad} sums several before it is cleared."
            fix = "move opt.zero_grad() into the loop, before backward"
        else:
            title = f"{grad} is never cleared, so each backward adds to the ones before."
            fix = (
                "opt.zero_grad() at the start of each turn"
                if held
                else f"{_short_name(name)}.grad = None after each use"
            )
        yield Report(
            "accumulation",
            title,
            f"{numbers} The sum was used ({used})." if afterwards else f"{numbers} It was used in between ({used}).",
            fix,
            line=p.start.line,
            node=landed.node,
            event=landed.t,
            # A pile that is only looked at may be the point; one that moves a parameter is not.
            severity=NOTE if used.startswith("read") and (not r.zeroings or afterwards) else FAULT,
        )
        return


def _read_afterwards(r: Reading, landed: LeafGrad) -> str | None:
    """Where the source reads the pile of a leaf once the last pass is over."""
    name, last = r.nodes[landed.node].name or "", r.passes[-1].start.line or 0
    reads = [a.lineno for a in r.source.attributes("grad") if ast.unparse(a.value) == name and a.lineno > last]
    return f"read on line {reads[0]}" if reads else None


def _was_for_another(r: Reading, landed: LeafGrad, earlier: Pass, p: Pass) -> str | None:
    """How the earlier pass was used when it was run for another leaf's gradient, and a step uses the sum of both."""
    cleared = [z for z in r.zeroings if z.t > earlier.start.t and any(q["node"] == landed.node for q in z.parameters)]
    before_step = next((s.t for s in r.steps if s.t > landed.t), None)
    if not r.optimizer_holds(landed.node) or before_step is None or any(z.t < before_step for z in cleared):
        return None
    others = {r.nodes[e.node].name for e in earlier.leaf_grads if not r.optimizer_holds(e.node)} - {None}
    for attribute in r.source.attributes("grad"):
        between = (earlier.start.line or 0) < attribute.lineno <= (p.start.line or 0)
        if between and ast.unparse(attribute.value) in others and isinstance(attribute.ctx, ast.Load):
            return f"for {ast.unparse(attribute)} on line {attribute.lineno}"
    return None


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
        any(
            ast.unparse(a.value) == name
            and isinstance(a.ctx, ast.Load)
            and (a.lineno > (landed.line or 0) or _comes_again(r, a, landed.line))
            for a in r.source.attributes("grad")
        )
        or not r.steps
    )


def _comes_again(r: Reading, node: ast.AST, line: int | None) -> bool:
    """Whether a loop or function holds both a node and a line, so that the node runs after the line as well."""
    return any(covers(block, line) for block in r.source.around(node, ast.For, ast.While, ast.FunctionDef))


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
        again = r.source.around(attribute, ast.For, ast.While, ast.FunctionDef)
        if first < line <= last or (again and first == last and covers(again[0], first)):
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
        passes = _first_piled(r, passes)
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
                f"sum the losses and divide by the number of all items: (...).sum() / {sum(means)}",
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


def _first_piled(r: Reading, passes: list[Pass]) -> list[Pass]:
    """The first passes of one line between which no step and no zero_grad came; all, when none did at all."""
    breaks = sorted(event.t for event in (*r.steps, *r.zeroings))
    groups: dict[tuple[int, int | None], list[Pass]] = {}
    for p in passes:
        groups.setdefault((sum(t < p.start.t for t in breaks), p.start.line), []).append(p)
    return next((group for group in groups.values() if len(group) > 1), passes)


def mean_of_unequal_means(r: Reading) -> Iterator[Report]:
    """A loop adds up means over different numbers of items, and one backward follows."""
    for p in r.some_passes:
        stack, means = [p.start.root], []
        while stack:
            node = r.nodes[stack.pop()]
            if node.op in ("mean", "mse_loss", "l1_loss"):
                means.append(node)
            elif node.op in ("add", "div", "mul"):
                stack += [e.src for e in r.into[node.id] if e.recorded]
        sizes = [count(r.nodes[r.into[m.id][0].src].shape) for m in means if r.into[m.id]]
        if len(set(sizes)) > 1 and not _summed(r) and _one_mean_a_turn(r, {m.line for m in means}):
            yield Report(
                "reduction-scale",
                "The parts have different sizes, so the sum of their means is not the mean over all items.",
                f"sizes {', '.join(map(str, reversed(sizes)))}: each item of a small part counts more.",
                f"sum the losses and divide by the number of all items: (...).sum() / {sum(sizes)}",
                line=means[0].line,
                node=means[-1].id,
                event=r.born.get(means[-1].id),
            )
            return


def _one_mean_a_turn(r: Reading, lines: set[int | None]) -> bool:
    """Whether the means come from one place in a loop: different losses on a line are added on purpose."""
    statement = r.source.statement_at(next(iter(lines)))
    if len(lines) != 1 or statement is None or not r.source.loops(statement):
        return False
    return sum(call.lineno in lines for call in r.source.calls("mean", "mse_loss", "l1_loss")) == 1


def mean_over_classes(r: Reading) -> Iterator[Report]:
    """kl_div with its default reduction divides by all entries, not by the batch."""
    for warning in r.warnings:
        if "'batchmean' divides only by the batch size" not in warning["message"]:
            continue
        node = next((n for n in r.trace.nodes if n.op == "kl_div"), None)
        source = next((r.nodes[e.src] for e in r.into[node.id]), None) if node else None
        shape = source.shape if source else ()
        times = count(shape[1:])
        yield Report(
            "reduction-scale",
            "kl_div averages over every entry here; the divergence is a sum over classes, averaged over the batch.",
            f"input of shape {shape}: loss and gradient are {times} times too small."
            if times > 1
            else f"PyTorch warns on line {warning['line']} that 'mean' divides by the number of classes as well.",
            'F.kl_div(..., reduction="batchmean")',
            line=warning["line"],
            node=node.id if node else None,
            severity=NOTE,
        )
        return


def sum_that_diverges(r: Reading) -> Iterator[Report]:
    """A loss summed over the batch grows from step to step: the step is as many times too large."""
    finished = [p for p in r.passes if p.end is not None and p.leaf_grads]  # not those of autograd.grad
    updates = len(r.steps) or sum(r.nodes[m.node].is_leaf and r.nodes[m.node].requires_grad for m in r.mutations)
    if updates < 2 or len(finished) < 2:
        return
    kind, size = _reduced_over(r, finished[0].start.root)
    terms = _added_terms(r, finished[0].start.root)
    if terms > 2:
        kind, size = "sum", terms
    elif kind == "sum" and not _sums_at_the_end(r, finished[0].start.root):
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
            f"the loss goes {course(r, finished)} in {updates} steps.",
            f"use the mean, or a learning rate {size} times smaller",
            line=r.nodes[finished[0].start.root].line,
            node=finished[0].start.root,
            event=finished[0].start.t,
            severity=NOTE,
        )


def _added_terms(r: Reading, root: str) -> int:
    """How many terms a loop added up to a loss: the longest run of additions on the first argument, all of one line."""
    terms, node_id = 1, root
    while r.nodes[node_id].op == "add" and r.nodes[node_id].line == r.nodes[root].line:
        earlier = [e.src for e in r.into[node_id] if e.recorded]
        terms += len(earlier) > 1
        if not earlier:
            break
        node_id = earlier[0]
    return terms


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


def _summed(r: Reading) -> bool:
    """Whether the losses of the program are asked to sum."""
    asked = [keyword(call, "reduction") for call in r.source.all if isinstance(call, ast.Call)]
    return any(isinstance(value, ast.Constant) and value.value == "sum" for value in asked)


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
                    kind = "sum" if node.op == "sum" or (node.op != "mean" and _summed(r)) else "mean"
                    return kind, size
            following += [e.src for e in r.into[node_id] if e.recorded]
        frontier = following
    return None, 0
