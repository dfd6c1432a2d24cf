"""What should be a constant and is not: missing detach, and paths that cancel."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from autograd.trace import LeafGrad, TraceNode
from snippets.diagnose.reading import MANY, Pass, Reading, is_zero
from snippets.diagnose.report import NOTE, Report, number
from snippets.diagnose.source import names, receiver

TARGET_WORDS = {
    "pseudo",
    "running",
    "moving",
    "label",
    "labels",
    "targets",
    "ref",
    "target",
    "teacher",
    "backup",
    "copy",
    "snapshot",
    "old",
    "prev",
    "baseline",
    "ema",
    "frozen",
    "const",
    "reference",
}
#: Names of what an actor's log-probabilities are multiplied with.
_ADVANTAGE = {"advantage", "advantages", "adv", "delta", "td"}
#: Names of factors that weight a loss term and are constants for it.
WEIGHT_WORDS = {"advantage", "advantages", "adv", "weight", "weights", "importance", "coef", "coeff", "confidence"}


def detached_too_late(r: Reading) -> Iterator[Report]:
    """detach_() or detach() came after the tensor had been used: the recorded edge stays."""
    for node in r.trace.nodes:
        if node.op not in ("detach_", "detach"):
            continue
        source = next((e.src for e in r.into[node.id]), node.id)
        early = [e for e in r.out_of[source] if e.recorded and r.born.get(e.dst, 1 << 60) < r.born.get(node.id, 0)]
        walked = [
            e
            for e in early
            if any(
                p.start.t > r.born.get(node.id, 0) and e.dst in r.behind(p.start.root) | {p.start.root}
                for p in r.passes
            )
        ]
        in_place = node.op == "detach_" or any(c.lineno == node.line for c in r.source.calls("detach_"))
        if walked and in_place:
            yield _late(r, node.line, source, walked[0].dst)
            return
    for call in r.source.calls("detach_"):
        name = receiver(call)
        for node in r.named(name):
            used = [e for e in r.out_of[node.id] if e.recorded and (r.nodes[e.dst].line or 0) < call.lineno]
            if (
                used
                and any((p.start.line or 0) > call.lineno for p in r.passes)
                and any(used[0].dst in r.behind(p.start.root) | {p.start.root} for p in r.passes)
            ):
                yield _late(r, call.lineno, node.id, used[0].dst)
                return


def _late(r: Reading, line: int | None, node: str, user: str) -> Report:
    return Report(
        "missing-detach",
        f"{r.name(node)} is detached on line {line}, after {r.name(user)} had recorded it: the gradient still flows.",
        f"{r.name(user)} (line {r.nodes[user].line}) keeps its edge to {r.name(node)}; detach_ only affects "
        "later uses.",
        f"detach before the use: {r.name(user)} from {r.name(node)}.detach()",
        line=line,
        node=node,
    )


def copy_with_history(r: Reading) -> Iterator[Report]:
    """clone() or another plain copy is meant as an independent constant, and gradients flow through it."""
    if not any(p.end is not None for p in r.passes):
        return
    for node in r.trace.nodes:
        if node.op != "clone" or not node.requires_grad or not node.name:
            continue
        source = next((e.src for e in r.into[node.id] if e.recorded), None)
        if source is None or node.id not in r.reached:
            continue
        original_used = [e for e in r.out_of[source] if e.dst != node.id and e.recorded and e.dst in r.reached]
        written = any(m.node == node.id for m in r.mutations)
        if original_used and not written and r.nodes[source].name:
            flowed = [e for p in r.passes for e in p.contributions if r.edges[e.edge].dst == node.id]
            yield Report(
                "missing-detach",
                f"{node.name} = clone of {r.nodes[source].name} keeps its history: gradients of the copy flow "
                "back to the source.",
                f"{number(flowed[-1].value) if flowed else 'a contribution'} of {r.nodes[source].name}'s "
                f"gradient came through {node.name}.",
                f"{node.name} = {r.nodes[source].name}.detach().clone()",
                line=node.line,
                node=node.id,
                event=flowed[-1].t if flowed else None,
                severity=NOTE,
            )
            return


def target_with_history(r: Reading) -> Iterator[Report]:
    """A tensor meant as a constant (target, other network's output) still carries history."""
    if "the derivative for 'target' is not implemented" in r.message:
        yield Report(
            "missing-detach",
            "The target of this loss requires grad, and the loss has no derivative for it.",
            r.message,
            "pass target.detach()",
            line=r.error_line,
        )
        return
    if not any(p.end is not None for p in r.passes):
        return
    reached = {e.node: e for p in r.passes for e in p.leaf_grads}
    for name in dict.fromkeys(n.name for n in r.trace.nodes if n.name and n.kind == "op"):
        words = _words(name)
        target = bool((words | _other_names(r, name)) & TARGET_WORDS)
        if not target and not words & (WEIGHT_WORDS | _ADVANTAGE):
            continue
        held = [n for n in r.named(name) if n.requires_grad and n.id in r.reached and n.op not in (None, "clone")]
        node = next((n for n in held if target or _weighs(r, n.id)), None)
        if node is None:
            continue
        leaves = [i for i in reached if i in r.behind(node.id)]
        if leaves:
            landed = reached[leaves[0]]
            yield Report(
                "missing-detach",
                f"{node.name} still carries history, so gradient flows into {r.name(leaves[0])} through it.",
                f"{r.name(leaves[0])}.grad received {number(landed.added)}; a target is a constant for the loss.",
                _cut_off(r, node) if not target else f"{node.name} = {node.name}.detach()",
                line=node.line,
                node=node.id,
                event=landed.t,
                severity=NOTE,
            )
            return
    yield from _labelling_network(r, reached)
    yield from _step_of_another(r)
    yield from _bootstrapped(r)
    yield from _optimizer_for_some(r, reached)


def _labelling_network(r: Reading, reached: Mapping[str, LeafGrad]) -> Iterator[Report]:
    """A network that only gives targets (a teacher, a target network) receives gradients, and no optimizer moves it."""
    for module in r.facts.get("modules", ()):
        words = _words(module["name"])
        taught = [n for n in module.get("nodes", ()) if n in reached and not r.optimizer_holds(n)]
        beside = bool(words & TARGET_WORDS) or (bool(r.steps) and any(_follows(r, reached[n]) for n in taught))
        if beside and taught and len(r.facts["modules"]) > 1:
            landed = reached[taught[0]]
            used = next((e.dst for e in r.out_of[taught[0]] if e.recorded), taught[0])
            yield Report(
                "missing-detach",
                f"{module['name']} gives targets, and gradients flow into its weights.",
                f"{r.name(landed.node)}.grad received {number(landed.added)}; a target is a constant for the loss.",
                f"with torch.no_grad(): around the call of {module['name']}, or .detach() on its output",
                line=r.nodes[used].line,
                node=used,
                event=landed.t,
                severity=NOTE,
            )
            return


#: Losses that compare a prediction with a target.
_COMPARES = {"sub", "mse_loss", "smooth_l1_loss", "huber_loss", "l1_loss"}
_REWARDS = {"reward", "rewards", "rew", "r"}


def _bootstrapped(r: Reading) -> Iterator[Report]:
    """Reward plus the value of the next state, by the network that learns: both sides of a loss carry history."""
    for p in r.some_passes[:2] if r.steps else ():
        for node in r.trace.nodes:
            if node.op not in _COMPARES or node.id not in p.visited:
                continue
            sides = [e.src for e in r.into[node.id] if e.recorded and r.nodes[e.src].requires_grad]
            made = next((m for m in (_reward_added(r, side) for side in sides) if m is not None), None)
            if len(sides) != 2 or made is None:
                continue
            shared = r.behind(sides[0]) & r.behind(sides[1]) & r.held
            if not shared:
                continue
            leaf = min(shared)
            yield Report(
                "missing-detach",
                f"The target of line {made.line} is computed by the network that learns, with history: the gradient "
                "also moves the target.",
                f"both sides of the difference on line {node.line} lead to {r.name(leaf)}; a target is a constant.",
                "detach the value of the next state, or compute it under torch.no_grad()",
                line=made.line,
                node=made.id,
                event=r.born.get(made.id),
                severity=NOTE,
            )
            return


def _reward_added(r: Reading, node_id: str) -> TraceNode | None:
    """The sum of a reward and something with history from which a value was made, by shape changes alone."""
    for _ in range(6):
        node = r.nodes[node_id]
        recorded = [e.src for e in r.into[node_id] if e.recorded and r.nodes[e.src].requires_grad]
        if node.op == "add" and len(recorded) == 1 and len(r.into[node_id]) == 2:
            statement = r.source.statement_at(node.line)
            said = {word for name in names(statement) for word in _words(name)} if statement else set()
            return node if said & _REWARDS else None
        if node.op not in ("stack", "cat", "view", "reshape", "squeeze", "unsqueeze", "flip", "slice", "expand"):
            return None
        if not recorded:
            return None
        node_id = recorded[0]
    return None


def _step_of_another(r: Reading) -> Iterator[Report]:
    """A backward whose step moves one network alone also walks through the other network that made its input."""
    held = [set(found["parameters"]) for found in r.facts.get("optimizers", ())]
    following = [p.start.t for p in r.passes[1:]] + [1 << 60]
    for p, until in zip(r.passes[:MANY], following, strict=False) if len(held) > 1 else ():
        moved = {q["node"] for s in r.steps if p.start.t < s.t < until for q in s.parameters}
        landed = {e.node for e in p.leaf_grads}
        for other in held:
            idle = other & landed - moved
            node = _finished(r, p, idle, moved) if idle and moved & landed else None
            if node is None:
                continue
            used = min((e.dst for e in r.out_of[node.id] if e.dst in p.visited), key=lambda n: r.born.get(n, 0))
            line = r.nodes[used].line
            statement = r.source.statement_at(line)
            read = (
                [n for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id == node.name] if statement else []
            )
            who = r.name(min(idle))
            yield Report(
                "missing-detach",
                f"{r.name(node.id)} carries history, so this backward also walks to {who}, which the step after it "
                "does not move.",
                f"the pass of line {p.start.line} filled {who}.grad; the step moves {len(moved)} other tensors.",
                r.source.line_with(line, read[0], f"{node.name}.detach()") if read else "detach what goes in here",
                line=line,
                node=node.id,
                event=p.start.t,
                severity=NOTE,
            )
            return


def _finished(r: Reading, p: Pass, idle: set[str], moved: set[str]) -> TraceNode | None:
    """The first node of a pass behind which all of ``idle`` stands and nothing of ``moved``: a network's output."""
    behind: dict[str, frozenset[str]] = {}
    for node in r.trace.nodes:
        if node.id in p.visited or node.id in idle | moved:
            into = [behind[e.src] for e in r.into[node.id] if e.recorded and e.src in behind]
            behind[node.id] = frozenset([node.id] if node.id in idle | moved else []).union(*into)
            if node.kind == "op" and idle == behind[node.id]:
                return node
    return None


def _follows(r: Reading, landed: LeafGrad) -> bool:
    """Whether a weight is only averaged or copied by hand after its first gradient, never moved by a gradient."""
    writes = [m for m in r.mutations if m.node == landed.node]
    first = min(e.t for p in r.passes for e in p.leaf_grads if e.node == landed.node)
    by_hand = [r.source.statement_at(m.line) for m in writes if m.t > first]
    return bool(by_hand) and not any(s is None or "grad" in ast.unparse(s) for s in by_hand)


def _words(name: str) -> set[str]:
    """The words of a name: ``{"td", "target"}`` for ``td_target2``."""
    return set(re.split(r"[_\d]+", name.lower()))


def _other_names(r: Reading, name: str) -> set[str]:
    """The words in names that a plain assignment gave to the same tensor."""
    others = [
        target.id
        for s in r.source.all
        if isinstance(s, ast.Assign) and isinstance(s.value, ast.Name) and s.value.id == name
        for target in s.targets
        if isinstance(target, ast.Name)
    ]
    return {word for other in others for word in _words(other)}


def _weighs(r: Reading, node_id: str) -> bool:
    """Whether a recorded product takes it as a factor of a loss term, and every use of it is such a product."""
    uses = [e for e in r.out_of[node_id] if e.dst in r.reached]
    products = [e for e in uses if e.recorded and r.nodes[e.dst].op == "mul"]
    others = [e.src for use in products for e in r.into[use.dst] if e.src != node_id and r.nodes[e.src].requires_grad]
    own = r.behind(node_id)
    if _words(r.nodes[node_id].name or "") & _ADVANTAGE and any(_log_of_policy(r, other) for other in others):
        return True
    # Attention weights multiply values; a loss weight multiplies the errors it was made of, or another network's term.
    return bool(others) and len(products) == len(uses) and any(o in own or not (r.behind(o) & own) for o in others)


def _cut_off(r: Reading, node: TraceNode) -> str:
    """The repair that leaves the history to other uses of a weight, such as a loss of its own."""
    uses = [e.dst for e in r.out_of[node.id] if e.dst in r.reached]
    product = next((r.nodes[use] for use in uses if r.nodes[use].op == "mul"), None)
    statement = r.source.statement_at(product.line) if product and len(uses) > 1 else None
    read = [n for n in ast.walk(statement) if isinstance(n, ast.Name) and n.id == node.name] if statement else []
    if product is None or not read:
        return f"{node.name} = {node.name}.detach()"
    return r.source.line_with(product.line, read[0], f"{node.name}.detach()")


def _log_of_policy(r: Reading, node_id: str) -> bool:
    """Whether a factor is the log-probability of an action."""
    node = r.nodes[node_id]
    called_so = any(c.lineno == node.line for c in r.source.calls("log_prob"))
    return called_so or bool(_words(node.name or "") & {"logp", "log", "logprob", "logprobs"})


def _optimizer_for_some(r: Reading, reached: Mapping[str, LeafGrad]) -> Iterator[Report]:
    """A loss named after one part also fills gradients of another part, through a named intermediate."""
    leaves = [i for i in reached if r.nodes[i].kind == "leaf" and r.nodes[i].name]
    for p in r.passes:
        root = r.nodes[p.start.root].name or ""
        owner = _prefix(root)
        if not owner:
            continue
        mine = [i for i in leaves if (r.nodes[i].name or "").lower().startswith(owner)]
        others = [i for i in leaves if i not in mine and i in {e.node for e in p.leaf_grads}]
        if not mine or not others:
            continue
        between = [
            n
            for n in r.trace.nodes
            if n.kind == "op"
            and n.name
            and n.id in p.visited
            and n.id != p.start.root
            and any(o in r.behind(n.id) for o in others)
            and not any(m in r.behind(n.id) for m in mine)
        ]
        if between:
            node = between[-1]
            yield Report(
                "missing-detach",
                f"{root} is meant for {r.name(mine[0])}, but {node.name} carries history, so "
                f"{r.name(others[0])} receives gradient too.",
                f"{r.name(others[0])}.grad is not None after this pass.",
                f"use {node.name}.detach() in {root}",
                line=node.line,
                node=node.id,
                severity=NOTE,
            )
            return


def _prefix(root: str) -> str:
    """``d`` of ``d_loss``, ``critic`` of ``loss_critic``."""
    parts = [part for part in root.lower().split("_") if part]
    rest = [part for part in parts if part != "loss"]
    return rest[0] if len(parts) == 2 and len(rest) == 1 else ""


def cancelled_paths(r: Reading) -> Iterator[Report]:
    """Two paths cancel exactly since a part that should be constant was not detached."""
    for p in r.some_passes:
        sums: dict[str, list[object]] = {}
        last: dict[str, object] = {}
        for event in p.accumulated:
            sums.setdefault(event.node, []).append(event.added)
            last[event.node] = event.after
        for node_id, added in sums.items():
            node = r.nodes[node_id]
            added = [a for a in added if not is_zero(a)]
            if len(added) < 2 or not is_zero(last[node_id]):
                continue
            place = _cancelled_at(r, node_id, p.start.root)
            if place is None:
                continue
            yield Report(
                "over-cancelled-gradient",
                f"The contributions to {r.name(node_id)} cancel exactly: its gradient is 0 whatever its value.",
                f"{' + '.join(number(a) for a in added)} = {number(last[node_id])} at {r.name(node_id)} (line "
                f"{node.line}), from both places where it is used.",
                "detach the part that should be constant, as in x + (f(x) - x).detach()",
                line=r.nodes[place].line,
                node=node_id,
            )
            return


def _cancelled_at(r: Reading, node_id: str, root: str) -> str | None:
    """Where something is taken from itself or divided by itself: there paths cancel whatever the value.

    A gradient that is 0 by its numbers, as at a minimum, is none of this.
    """
    ahead = r.ahead(node_id) | {node_id}
    for meeting in ahead:
        arguments = [e.src for e in r.into[meeting] if e.recorded]
        if len(arguments) != 2 or not all(one in ahead for one in arguments):
            continue
        first, second = (r.value.get(one) for one in arguments)
        itself = r.nodes[meeting].op in ("sub", "div") and first == second
        # x + (f - x), f - x + x: added once and taken away once.
        between = arguments[1] if arguments[0] == node_id else arguments[0]
        linear = r.nodes[meeting].op in ("add", "sub") and r.nodes[between].op in ("add", "sub")
        back = linear and node_id in arguments and any(edge.src == node_id for edge in r.into[between])
        if (itself or back) and not _passed_by(r, node_id, meeting, root):
            return meeting
    return None


def _passed_by(r: Reading, node_id: str, meeting: str, root: str) -> bool:
    """Whether some way to the root leads past the meeting: then the zero comes from elsewhere, as for the bias of a
    network of which only differences are taken.
    """
    seen, stack = {node_id, meeting}, [node_id] if node_id != meeting else []
    while stack:
        for edge in r.out_of[stack.pop()]:
            if edge.recorded and edge.dst not in seen:
                seen.add(edge.dst)
                stack.append(edge.dst)
    return root in seen and root != meeting
