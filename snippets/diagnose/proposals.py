"""Which changes of a program would show what a report says, and the edits that make them.

A change is an edit of the source at a place in its syntax tree, on the same line, so that line numbers stay.
"""

from __future__ import annotations

import ast
import io
import re
import textwrap
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from autograd.trace import Trace
from snippets.diagnose.source import Source, called, keyword, mentions, receiver

#: Methods that hand out values without history.
_CUTS = ("detach", "item", "tolist", "numpy", "clone", "cpu")
_CUT_CALLS = re.compile(r"\.(detach|item|tolist|numpy)\(\)")
_COPIES = ("tensor", "as_tensor", "new_tensor", "from_numpy")


@dataclass(frozen=True, slots=True)
class Experiment:
    """A changed program, and the change in words that follow "Tried: " (``without .detach() on line 6``)."""

    change: str
    source: str


def proposals(source: str, trace: Trace, report: dict[str, Any]) -> Iterator[Experiment]:
    """Programs with one thing changed that would show what ``report`` says, most telling first."""
    propose = _PROPOSE.get(report["category"])
    read = Source(source)
    if propose is None:
        return
    line = report.get("line")
    innermost = read.statement_at(line)
    beside = [s for s in read.all if isinstance(s, ast.stmt) and s.lineno == line and s is not innermost]
    for statement in [*([innermost] if innermost is not None else []), *beside]:
        yield from propose(read, statement, trace, report)


def _without_cut(read: Source, statement: ast.stmt, trace: Trace, report: dict[str, Any]) -> Iterator[Experiment]:
    """The value with its history in place of the value alone."""
    line = report["line"]
    for node in ast.walk(_head(statement)):
        if isinstance(node, ast.Call) and called(node) in _COPIES and node.args:
            where = f"torch.{called(node)}(...) on line {line}"
            whole = _whole(node.args[0])
            if whole is not node.args[0]:
                kept = read.segment(whole)
                yield Experiment(f"with {kept} itself in place of {where}", _put(read, node, _operand(read, whole)))
                return
            given = _CUT_CALLS.sub("", read.segment(node.args[0]))
            yield Experiment(f"with torch.stack in place of {where}", _put(read, node, f"torch.stack({given})"))
            if not isinstance(node.args[0], (ast.List, ast.ListComp, ast.Tuple)):
                yield Experiment(f"with {given} itself in place of {where}", _put(read, node, f"({given})"))
    for node in ast.walk(_head(statement)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CUTS[:4]:
            inner, names = node, [node.func.attr]
            while (
                isinstance(inner.func, ast.Attribute)
                and isinstance(inner.func.value, ast.Call)
                and called(inner.func.value) in _CUTS
            ):
                inner = inner.func.value
                names.insert(0, called(inner))
            assert isinstance(inner.func, ast.Attribute)
            dots = "".join(f".{name}()" for name in names)
            yield Experiment(f"without {dots} on line {line}", _put(read, node, _operand(read, inner.func.value)))
        elif isinstance(node, ast.Attribute) and node.attr == "data" and isinstance(node.ctx, ast.Load):
            yield Experiment(f"without .data on line {line}", _put(read, node, _operand(read, node.value)))
    yield from _outside_no_grad(read, statement)


def _whole(node: ast.expr) -> ast.expr:
    """What a chain such as ``.detach().numpy()`` is called on."""
    while isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CUTS:
        node = node.func.value
    return node


def _outside_no_grad(read: Source, statement: ast.stmt) -> Iterator[Experiment]:
    """The same lines, recorded."""
    for block in [statement, *read.around(statement, ast.With, ast.FunctionDef)]:
        for manager in _managers(block):
            for node in ast.walk(manager):
                if isinstance(node, ast.Attribute) and node.attr in ("no_grad", "inference_mode"):
                    changed = _put(read, node, f"{read.segment(node.value)}.enable_grad")
                    yield Experiment(f"without {node.attr}() on line {node.lineno}", changed)


def _managers(block: ast.AST) -> list[ast.expr]:
    if isinstance(block, ast.With):
        return [item.context_expr for item in block.items]
    return list(block.decorator_list) if isinstance(block, ast.FunctionDef) else []


def _with_tracking(read: Source, statement: ast.stmt, trace: Trace, report: dict[str, Any]) -> Iterator[Experiment]:
    """requires_grad=True where the tensor is made."""
    for node in ast.walk(_head(statement)):
        if (
            isinstance(node, ast.Call)
            and receiver(node) == "torch"
            and keyword(node, "requires_grad") is None
            and called(node) in ("tensor", "zeros", "ones", "full", "arange", "linspace", "eye", "randn", "rand")
        ):
            text = read.segment(node)
            yield Experiment(
                f"with requires_grad=True on line {report['line']}",
                _put(read, node, f"{text[:-1].rstrip().rstrip(',')}, requires_grad=True)"),
            )
    yield from _outside_no_grad(read, statement)


def _with_clearing(read: Source, statement: ast.stmt, trace: Trace, report: dict[str, Any]) -> Iterator[Experiment]:
    """The gradients cleared right before each backward of that line."""
    if not _simple(statement):
        return
    name = next((node.name for node in trace.nodes if node.id == report.get("node")), None)
    optimizer = next((receiver(call) for call in read.calls("step")), None)
    clears = [f"{optimizer}.zero_grad()"] if optimizer and optimizer.isidentifier() else []
    if name and re.fullmatch(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*|\[\d+\])*", name):
        clears.append(f"{name}.grad = None")
    for clear in clears:
        yield Experiment(f"with {clear} before the backward of line {report['line']}", _before(read, statement, clear))


def _with_sign(read: Source, statement: ast.stmt, trace: Trace, report: dict[str, Any]) -> Iterator[Experiment]:
    """The other direction: backward from minus the loss, or the gradient subtracted."""
    line = report["line"]
    if isinstance(statement, ast.AugAssign) and isinstance(statement.op, (ast.Add, ast.Sub)):
        sign = "-=" if isinstance(statement.op, ast.Add) else "+="
        text = f"{read.segment(statement.target)} {sign} {read.segment(statement.value)}"
        yield Experiment(f"with {sign} on line {line}", _put(read, statement, text))
    for call in _backwards(statement):
        value = call.func.value if isinstance(call.func, ast.Attribute) else None
        if value is not None:
            yield Experiment(f"with the sign turned on line {line}", _put(read, value, f"(-({read.segment(value)}))"))


def _with_scale(read: Source, statement: ast.stmt, trace: Trace, report: dict[str, Any]) -> Iterator[Experiment]:
    """The mean in place of the sum, or the loss divided as the report says."""
    line = report["line"]
    wanted = re.search(r"\((.+)\)\.backward\(\)", report.get("fix", ""))
    for call in _backwards(statement):
        if wanted and isinstance(call.func, ast.Attribute):
            changed = _put(read, call.func.value, f"({wanted.group(1)})")
            yield Experiment(f"with ({wanted.group(1)}).backward() on line {line}", changed)
    for node in ast.walk(_head(statement)):
        if not isinstance(node, ast.Call):
            continue
        reduction = keyword(node, "reduction")
        if isinstance(reduction, ast.Constant) and reduction.value == "sum":
            yield Experiment(f'with reduction="mean" on line {line}', _put(read, reduction, '"mean"'))
        elif isinstance(node.func, ast.Attribute) and node.func.attr == "sum" and not node.keywords:
            text = f"{_operand(read, node.func.value)}.mean({', '.join(read.segment(a) for a in node.args)})"
            yield Experiment(f"with mean() in place of sum() on line {line}", _put(read, node, text))


def _with_order(read: Source, statement: ast.stmt, trace: Trace, report: dict[str, Any]) -> Iterator[Experiment]:
    """zero_grad before backward, or step after it."""
    call = statement.value if isinstance(statement, ast.Expr) else None
    if not isinstance(call, ast.Call) or called(call) not in ("zero_grad", "step"):
        return
    text = read.segment(call)
    block = read.loops(statement)[0] if read.loops(statement) else read.tree
    backward = next((s for c in _backwards(block) if (s := read.statement(c)) is not None and _simple(s)), None)
    if backward is None or not receiver(call).isidentifier():
        return
    whole = read.segment(backward)
    moved = f"{text}; {whole}" if called(call) == "zero_grad" else f"{whole}; {text}"
    edits = sorted([(backward, moved), (statement, "pass")], key=lambda edit: edit[0].lineno, reverse=True)
    source = read.text
    for node, new in edits:
        source = _put(Source(source), _same_place(source, node), new)
    where = "before" if called(call) == "zero_grad" else "after"
    yield Experiment(f"with {text} {where} the backward of line {backward.lineno}", source)


def _with_evaluation(read: Source, statement: ast.stmt, trace: Trace, report: dict[str, Any]) -> Iterator[Experiment]:
    """eval() before the line."""
    wanted = re.match(r"([A-Za-z_]\w*)\.eval\(\)", report.get("fix", ""))
    if wanted and _simple(statement) and not read.around(statement, ast.FunctionDef, ast.ClassDef):
        clear = f"{wanted.group(1)}.eval()"
        yield Experiment(f"with {clear} before line {report['line']}", _before(read, statement, clear))


def _with_detach(read: Source, statement: ast.stmt, trace: Trace, report: dict[str, Any]) -> Iterator[Experiment]:
    """detach() on the value that should be constant."""
    if isinstance(statement, ast.Assign) and not isinstance(statement.value, (ast.Tuple, ast.List)):
        text = f"({read.segment(statement.value)}).detach()"
        yield Experiment(f"with .detach() on line {report['line']}", _put(read, statement.value, text))


def _with_kept_gradient(
    read: Source, statement: ast.stmt, trace: Trace, report: dict[str, Any]
) -> Iterator[Experiment]:
    """retain_grad() where the computed tensor is made."""
    if not isinstance(statement, ast.Assign) or "retain_grad" not in report.get("fix", ""):
        return
    if len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        kept = f"{statement.targets[0].id}.retain_grad()"
        changed = _put(read, statement, f"{read.segment(statement)}; {kept}")
        yield Experiment(f"with {kept} on line {report['line']}", changed)


def _out_of_place(read: Source, statement: ast.stmt, trace: Trace, report: dict[str, Any]) -> Iterator[Experiment]:
    """A new tensor in place of a write into the old one."""
    line = report["line"]
    for node in ast.walk(_head(statement)):
        flag = keyword(node, "inplace") if isinstance(node, ast.Call) else None
        if flag is not None:
            yield Experiment(f"with inplace=False on line {line}", _put(read, flag, "False"))
    if isinstance(statement, ast.AugAssign) and isinstance(statement.target, (ast.Name, ast.Attribute)):
        target, way = read.segment(statement.target), _SIGNS.get(type(statement.op))
        if way:
            text = f"{target} = {target} {way} {_operand(read, statement.value)}"
            yield Experiment(f"with {text} on line {line}", _put(read, statement, text))
    if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
        owner = statement.targets[0].value
        if isinstance(owner, ast.Name):
            copy = f"{owner.id} = {owner.id}.clone()"
            yield Experiment(f"with {copy} before the write of line {line}", _before(read, statement, copy))
    call = statement.value if isinstance(statement, ast.Expr) else None
    if (
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and re.fullmatch(r"[a-z]\w*_", call.func.attr)
    ):
        owner = call.func.value
        if isinstance(owner, (ast.Name, ast.Attribute)):
            name, plain = read.segment(owner), call.func.attr[:-1]
            arguments = ", ".join(
                [read.segment(a) for a in call.args] + [f"{k.arg}={read.segment(k.value)}" for k in call.keywords]
            )
            yield Experiment(
                f"with {name} = {name}.{plain}({arguments}) on line {line}",
                _put(read, statement, f"{name} = {name}.{plain}({arguments})"),
            )


_SIGNS: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: "**",
}

_PROPOSE: dict[str, Callable[[Source, ast.stmt, Trace, dict[str, Any]], Iterator[Experiment]]] = {
    "graph-cut": _without_cut,
    "nothing-requires-grad": _with_tracking,
    "accumulation": _with_clearing,
    "sign": _with_sign,
    "reduction-scale": _with_scale,
    "optimizer-order": _with_order,
    "train-eval-mode": _with_evaluation,
    "missing-detach": _with_detach,
    "non-leaf-grad": _with_kept_gradient,
    "inplace-modified-saved": _out_of_place,
    "inplace-on-leaf": _out_of_place,
    "inplace-on-view": _out_of_place,
}


# -- edits -----------------------------------------------------------------------------------------------------------


def _head(statement: ast.stmt) -> ast.AST:
    """A statement without the block below it: of a loop or a with, only what stands on its first line."""
    if isinstance(statement, (ast.For, ast.While)):
        return statement.iter if isinstance(statement, ast.For) else statement.test
    if isinstance(statement, (ast.If,)):
        return statement.test
    if isinstance(statement, ast.With):
        return ast.Tuple(elts=[item.context_expr for item in statement.items], ctx=ast.Load())
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef, ast.Try, ast.Match)):
        return ast.Pass()
    return statement


def _operand(read: Source, node: ast.expr) -> str:
    """The text of an expression, in parentheses where it would fall apart without."""
    text = read.segment(node)
    whole = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.List, ast.Constant))
    return text if whole else f"({text})"


def _simple(statement: ast.stmt) -> bool:
    """Whether another statement may stand before it on its line."""
    return isinstance(statement, (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return))


def _backwards(node: ast.AST) -> list[ast.Call]:
    """The calls of some tensor's backward."""
    return [
        call
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and called(call) == "backward" and not mentions(call.func, "autograd")
    ]


def _same_place(source: str, node: ast.stmt) -> ast.AST:
    """The statement at the same place in an edited text."""
    return next(
        found
        for found in Source(source).all
        if isinstance(found, ast.stmt) and (found.lineno, found.col_offset) == (node.lineno, node.col_offset)
    )


def _before(read: Source, statement: ast.stmt, text: str) -> str:
    """The source with another statement in front of ``statement``, on its line."""
    return _put(read, statement, f"{text}; {read.segment(statement)}")


def _put(read: Source, node: ast.AST, text: str) -> str:
    """The source with ``text`` in place of ``node``."""
    start = _offset(read.text, node.lineno, node.col_offset)  # type: ignore[attr-defined]
    end = _offset(read.text, node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
    return read.text[:start] + text + read.text[end:]


def _offset(text: str, line: int, column: int) -> int:
    """Where a place of the syntax tree (line from 1, column in UTF-8 bytes) lies in the text."""
    lines = text.splitlines(keepends=True)
    return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())


def changed_lines(before: str, after: str) -> str:
    """The lines of ``after`` that are not those of ``before``; experiments keep the number of lines."""
    pairs = zip(before.splitlines(), after.splitlines(), strict=False)
    return textwrap.dedent("\n".join(_without_comment(new) for old, new in pairs if old != new))


def _without_comment(line: str) -> str:
    """A line of code without the comment at its end."""
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(line.strip()).readline))
    except (tokenize.TokenError, SyntaxError):
        return line
    comment = next((token for token in tokens if token.type == tokenize.COMMENT), None)
    return line if comment is None else line[: -len(comment.string)].rstrip() if line.endswith(comment.string) else line


def is_code(text: str) -> bool:
    """Whether Python can read the text: as it is, or as the head of a block."""
    for candidate in (text, f"{text}\n    pass"):
        try:
            ast.parse(candidate)
        except SyntaxError:
            continue
        return True
    return False
