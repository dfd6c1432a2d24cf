"""Modules: what is registered, and in which mode they run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from snippets.diagnose.reading import Reading
from snippets.diagnose.report import FAULT, NOTE, Report
from snippets.diagnose.source import called, covers, first_line, keyword, mentions, receiver


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
            fix = _as_container(r, line)
        else:
            fix = f"self.{first['path'].split('.')[-1]} = {_as_parameter(r, line)}"
        yield Report(
            "parameter-registration",
            f"{module['name']} ({module['type']}) does not register {many}: parameters() misses "
            + ("their weights." if kind == "module" else "it."),
            f"{module['name']}.parameters() yields {module['parameters']} tensors; "
            + (f"the weights in {many} are not among them." if kind == "module" else f"{many} is not among them."),
            fix,
            line=line or r.error_line,
        )
        return
    yield from _computed_from_parameter(r)
    yield from _made_in_forward(r)
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


def _made_in_forward(r: Reading) -> Iterator[Report]:
    """Weights that forward makes anew at every call: no optimizer can hold them."""
    for call in r.source.all:
        if not isinstance(call, ast.Call) or receiver(call) not in ("nn", "torch.nn") or not called(call)[:1].isupper():
            continue
        around = [f for f in r.source.around(call, ast.FunctionDef) if f.name == "forward"]  # type: ignore[attr-defined]
        # What stands in no registry is named after its class.
        made = [n for n in r.learners if f"{called(call)}." in (n.name or "") and not r.optimizer_holds(n.id)]
        if around and any(covers(around[0], n.line) for n in made):
            yield Report(
                "parameter-registration",
                f"forward makes a new {called(call)} at every call: nothing registers or trains its weights.",
                f"line {call.lineno}: `{r.source.line(call.lineno)}` made {len(made)} weights inside forward.",
                f"self.layer = {r.source.segment(call)}  # in __init__",
                line=call.lineno,
                node=made[0].id,
                event=r.born.get(made[0].id),
            )
            return


def _as_container(r: Reading, line: int | None) -> str:
    """The line with nn.ModuleList or nn.ModuleDict around a plain list or dict."""
    statement = r.source.statement_at(line)
    value = statement.value if isinstance(statement, ast.Assign) else None
    kind = "ModuleDict" if isinstance(value, ast.Dict | ast.DictComp) else "ModuleList"
    if value is None or isinstance(value, ast.Call):
        return f"nn.{kind}(...) instead of a plain container"
    return r.source.line_with(line, value, f"nn.{kind}({r.source.segment(value)})")


def _as_parameter(r: Reading, line: int | None) -> str:
    """``nn.Parameter`` of the value that a line assigns."""
    statement = r.source.statement_at(line)
    if not isinstance(statement, ast.Assign):
        return "nn.Parameter(...)"
    text = r.source.segment(statement.value)
    return f"nn.Parameter({text.replace(', requires_grad=True', '').removesuffix('.requires_grad_()')})"


def _computed_from_parameter(r: Reading) -> Iterator[Report]:
    """``self.w = nn.Parameter(...) * 0.1``: the attribute is the result of an operation, and nothing registers it."""
    for statement in r.source.all:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.targets[0], ast.Attribute):
            continue
        target, value = statement.targets[0], statement.value
        chained = value.func.value if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) else None
        computed = isinstance(value, ast.BinOp | ast.UnaryOp) or isinstance(chained, ast.Call)
        inside = [c for c in ast.walk(value) if isinstance(c, ast.Call) and called(c) == "Parameter"]
        made = [n for n in r.trace.nodes if n.line == statement.lineno and n.kind == "op" and n.requires_grad]
        if ast.unparse(target.value) == "self" and computed and inside and made:
            kept = r.source.segment(inside[0].args[0]) if inside[0].args else "..."
            yield Report(
                "parameter-registration",
                f"self.{target.attr} is computed from a Parameter, so it is no Parameter: parameters() misses it.",
                f"line {statement.lineno}: `{r.source.line(statement.lineno)}` stores the result of {made[-1].op} "
                f"({made[-1].grad_fn}), not the leaf.",
                f"self.{target.attr} = nn.Parameter(...)  # change {kept} before it is wrapped",
                line=statement.lineno,
                node=made[-1].id,
                event=r.born.get(made[-1].id),
            )
            return


def _attribute_line(r: Reading, path: str) -> int | None:
    for part in reversed(path.split(".")):  # of norm.scale the line in the class of norm
        name = part.split("[")[0]
        for statement in r.source.all:
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                found = [t for t in targets if isinstance(t, ast.Attribute) and t.attr == name]
                if any(ast.unparse(t.value) == "self" for t in found):
                    return statement.lineno
    name = path.split(".")[0].split("[")[0]
    return next((c.lineno for c in r.source.calls("append") if mentions(c, name)), None)


def mode_of_modules(r: Reading) -> Iterator[Report]:
    """Dropout or batch normalisation in the wrong mode; eval() taken for no_grad() or the other way round."""
    if "Expected more than 1 value per channel when training" in r.message:
        yield Report(
            "train-eval-mode",
            "Batch normalisation in training mode needs more than one sample: it normalises by the batch.",
            r.message,
            f"{next((m['name'] for m in r.facts.get('modules', ()) if m['modal']), 'model')}.eval()  # before single "
            "samples, or use a larger batch",
            line=r.error_line,
        )
        return
    evals = [c for c in r.source.calls("eval", "train") if called(c) == "eval" or _is_false(c)]
    trains = [c for c in r.source.calls("train") if not _is_false(c)]
    modal = [n for n in r.trace.nodes if n.op and ("dropout" in n.op or "batch_norm" in n.op)]
    training = [m for m in r.facts.get("modules", ()) if m["training"] and m.get("modal")]
    drop = [n for n in modal if "dropout" in (n.op or "")]
    yield from _frozen_batch_norm(r)
    deaf = next((c for c in r.source.calls("dropout") if evals and not _told_the_mode(c)), None)
    if deaf is not None and any(n.line == deaf.lineno for n in drop):
        yield Report(
            "train-eval-mode",
            f"F.dropout on line {deaf.lineno} does not know about eval(): its training argument is True by default.",
            f"eval() was called on line {evals[0].lineno}, and the dropout of line {deaf.lineno} still ran.",
            f"{r.source.segment(deaf)[:-1]}, training=self.training)",
            line=deaf.lineno,
            node=next(n.id for n in drop if n.line == deaf.lineno),
        )
        return
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
    undone = trains if not _left_off(r) else [c for c in trains if _comes_again(r, c, evals)]
    if evals and not undone and r.passes and modal_children(r) and not _frozen(r, receiver(evals[-1])):
        last_eval = evals[-1]
        places = _where_it_runs(r, last_eval)
        after = [
            p
            for p in r.passes
            for walk in [r.source.statement_at(p.start.line)]
            if walk is not None
            for run in _where_it_runs(r, walk)
            if any(first_line(run) > first_line(place) or _same_loop(r, place, first_line(run)) for place in places)
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
                severity=FAULT if _kept_outputs(r, {n.line for n in kept}) else NOTE,
            )


def _left_off(r: Reading) -> bool:
    """Whether a module with dropout or batch normalisation ends in evaluation mode."""
    return any(m["modes"] and not m["training"] for m in r.facts.get("modules", ()))


def _where_it_runs(r: Reading, node: ast.AST, depth: int = 3) -> list[ast.AST]:
    """The lines at which a statement runs: itself, or the calls of the function that it stands in."""
    function = next(iter(r.source.around(node, ast.FunctionDef)), None)
    if function is None or depth == 0:
        return [node]
    calls = r.source.calls(function.name)  # type: ignore[attr-defined]
    return [place for call in calls for place in _where_it_runs(r, call, depth - 1)]


def _comes_again(r: Reading, train: ast.Call, evals: list[ast.Call]) -> bool:
    """Whether train() runs in a loop, or after eval()."""
    before = min((first_line(place) for call in evals for place in _where_it_runs(r, call)), default=0)
    return any(r.source.loops(place) or first_line(place) > before for place in _where_it_runs(r, train))


def _is_false(call: ast.Call) -> bool:
    """``train(False)`` is eval()."""
    return bool(call.args) and ast.unparse(call.args[0]) == "False"


def _told_the_mode(call: ast.Call) -> bool:
    return keyword(call, "training") is not None or len(call.args) > 2


def _frozen(r: Reading, name: str) -> bool:
    """Whether a module has no weight that learns: then evaluation mode is where it belongs."""
    nodes = next((m["nodes"] for m in r.facts.get("modules", ()) if m["name"] == name), ())
    return bool(nodes) and not any(r.nodes[n].requires_grad for n in nodes if n in r.nodes)


def modal_children(r: Reading) -> bool:
    """Whether some module behaves differently in training and evaluation."""
    return any(m["modes"] for m in r.facts.get("modules", ()))


def _kept_outputs(r: Reading, lines: set[int | None]) -> bool:
    """Whether predictions are made turn after turn, in a loop or a list: then their graphs pile up."""
    for line in lines:
        statement = r.source.statement_at(line)
        if statement is not None and (
            r.source.loops(statement) or any(isinstance(n, ast.ListComp) for n in ast.walk(statement))
        ):
            return True
    return bool(list(r.source.calls("append")))


def _same_loop(r: Reading, call: ast.AST, line: int) -> bool:
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
