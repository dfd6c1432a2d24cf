"""Optimizers: which tensors they hold, and the order of the lines of a training step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from autograd.trace import LeafGrad, Step
from snippets.diagnose.reading import Reading, is_zero
from snippets.diagnose.report import FAULT, NOTE, Report, number
from snippets.diagnose.source import called, covers, first_line


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
        for i in set(grads) - set(r.roots())  # a root that is a leaf is a loss whose history was lost
        if i not in r.held and r.nodes[i].kind == "leaf" and r.nodes[i].is_leaf and not _moved_by_hand(r, r.nodes[i])
    ]
    if not missed:
        return
    dead = [i for i in r.held if i in r.nodes and i not in grads]
    rebuilt = dead and all(i not in grads for i in r.held)
    modules = {p for m in r.facts.get("modules", ()) for p in m.get("nodes", ())}
    wrapped = {c.lineno for c in r.source.calls("Parameter")}  # a weight by name, outside of any module
    trained = [n for n in missed if n.id in modules or rebuilt or n.line in wrapped]
    if not trained:
        return
    owner = next((m for m in r.facts.get("modules", ()) if trained[0].id in m.get("nodes", ())), None)
    maker = next(iter(r.source.calls("SGD", "Adam", "AdamW", "RMSprop", "Adagrad")), None)
    who = ", ".join(r.name(n.id) for n in trained[:3])
    yield Report(
        "optimizer-params",
        f"The optimizer does not hold {who}: backward fills .grad, and no step moves what it does not hold.",
        f"{len(r.steps)} steps moved {len(r.held)} other {'tensor' if len(r.held) == 1 else 'tensors'}"
        + (", none of which gets a gradient" if rebuilt else "")
        + f"; {r.name(trained[0].id)}.grad is {number(grads[trained[0].id].after)} and its value stays "
        f"{number(r.value.get(trained[0].id))}.",
        f"{r.source.line(maker.lineno)}  # after the network is final"
        if owner is not None and maker is not None and rebuilt and owner["name"] in r.source.line(maker.lineno)
        else f"opt.add_param_group({{'params': [{who}]}})  # or give them to the optimizer when it is made",
        line=maker.lineno if maker else r.steps[0].line,
        node=trained[0].id,
        event=r.steps[0].t,
        # Training a part only, or an input through a fixed network, may be meant: worth saying, no fault.
        severity=FAULT if rebuilt else NOTE,
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
    """step before backward, zero_grad between backward and step, clipping after step, a schedule before the step."""
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
    if "step" in names and "backward" in names and names.index("step") < names.index("backward"):
        step = kinds[names.index("step")]
        if step[2] in {s.t for s in empty} or any(s.t == step[2] and not s.parameters for s in r.steps):
            yield Report(
                "optimizer-order",
                f"opt.step() on line {step[1]} runs before backward: it uses the gradients of the turn "
                "before, or none.",
                f"{len(empty)} of {len(r.steps)} steps saw only empty gradients; the backward of line "
                f"{kinds[names.index('backward')][1]} comes later.",
                "opt.zero_grad(); loss.backward(); opt.step()",
                line=step[1],
                event=step[2],
            )
            return
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
    for warning in r.warnings:
        if "`lr_scheduler.step()` before `optimizer.step()`" in warning["message"]:
            yield Report(
                "optimizer-order",
                f"the schedule moves on (line {warning['line']}) before the optimizer has made its first step: the "
                "first learning rate is never used.",
                f"opt.step() is on line {r.steps[0].line}.",
                "opt.step(); scheduler.step()",
                line=warning["line"],
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
