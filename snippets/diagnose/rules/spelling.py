"""Names that are misspelt: sought and not found, or set and silently ignored."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Iterator

from snippets.diagnose.reading import Reading
from snippets.diagnose.report import Report
from snippets.diagnose.source import called, mentions, receiver

TENSOR_NAMES = (
    "requires_grad",
    "grad",
    "grad_fn",
    "data",
    "is_leaf",
    "retain_grad",
    "zero_",
    "detach",
    "backward",
    "item",
)
MODULE_NAMES = ("training", "weight", "bias", "parameters", "zero_grad", "forward", "requires_grad_", "eval", "train")


KEYWORDS = (
    "requires_grad",
    "retain_graph",
    "create_graph",
    "allow_unused",
    "set_to_none",
    "reduction",
    "keepdim",
    "dtype",
    "weight_decay",
    "momentum",
    "gradient",
    "inplace",
)
FUNCTIONS = (
    "no_grad",
    "enable_grad",
    "inference_mode",
    "set_grad_enabled",
    "manual_seed",
    "tensor",
    "zeros_like",
    "ones_like",
    "softmax",
    "log_softmax",
    "cross_entropy",
    "mse_loss",
    "sigmoid",
    "matmul",
    "autograd",
)
#: Methods that nobody names without wanting them to run.
CALLED_FOR_EFFECT = ("step", "zero_grad", "backward", "eval", "train", "zero_", "detach_", "retain_grad")


def misspelt(r: Reading) -> Iterator[Report]:
    """A misspelt attribute: sought and not found, or set and silently ignored."""
    if (
        "object has no attribute" in r.message
        and "NoneType" not in r.message
        and "has no attribute 'backward'" not in r.message
    ):
        wanted = r.message.split("has no attribute")[1].split("'")[1] if "'" in r.message else ""
        statement = r.source.statement_at(r.error_line)
        owner = (
            next(
                (
                    ast.unparse(a.value)
                    for a in ast.walk(statement)
                    if isinstance(a, ast.Attribute) and a.attr == wanted
                ),
                "it",
            )
            if statement
            else "it"
        )
        if wanted == "zero_grad":
            fix = _respelt(r, wanted, "grad.zero_")
        elif wanted.startswith("grad_") and wanted != "grad_fn":
            fix = _respelt(r, wanted, f"grad.{wanted.removeprefix('grad_')}")
        else:
            near = difflib.get_close_matches(
                wanted, (*TENSOR_NAMES, *MODULE_NAMES, "sum", "mean", "zero_grad", "step"), 1
            )
            fix = _respelt(r, wanted, near[0]) if near else "check the spelling"
        yield Report(
            "python-typo",
            f"{owner} has no {wanted}.",
            r.message,
            fix,
            line=r.error_line,
        )
        return
    if 'missing the required "forward" function' in r.message:
        methods = [n for n in r.source.all if isinstance(n, ast.FunctionDef) and r.source.around(n, ast.ClassDef)]
        near = difflib.get_close_matches("forward", [m.name for m in methods], 1, cutoff=0.7)
        for method in methods:
            if method.name in near:
                yield Report(
                    "python-typo",
                    f"A module is called by its method forward, and this one is spelt {method.name}.",
                    r.message,
                    f"def forward({ast.unparse(method.args)}):",
                    line=method.lineno,
                )
                return
    missing = re.search(r"module '([\w.]+)' has no attribute '(\w+)'", r.message) or re.search(
        r"(name) '(\w+)' is not defined", r.message
    )
    if missing:
        module, wanted = missing.groups()
        known = [n for n in _bound_names(r) if n != wanted and len(n) > 2] if module == "name" else FUNCTIONS
        near = difflib.get_close_matches(wanted, known, 1, cutoff=0.75)
        if module == "name" and not near:
            return
        owner = "" if module == "name" else f"{module}."
        yield Report(
            "python-typo",
            f"There is no {owner}{wanted}.",
            r.message,
            _respelt(r, wanted, near[0]) if near else "check the spelling",
            line=r.error_line,
        )
        return
    if re.search(r"'(Torch)?[Mm]odule' object is not callable", r.message):
        text = r.source.line(r.error_line)
        calls = [c for c in ast.walk(r.source.statement_at(r.error_line) or ast.Pass()) if isinstance(c, ast.Call)]
        called_so = next((ast.unparse(c.func) for c in calls if called(c).islower() and receiver(c)), text)
        last = called_so.rpartition(".")[2]
        yield Report(
            "python-typo",
            f"{called_so} is a module of PyTorch's, not a class or function.",
            r.message,
            _respelt(r, last, last.capitalize()),
            line=r.error_line,
        )
        return
    unknown = _unknown_argument(r)
    if unknown:
        near = difflib.get_close_matches(unknown, KEYWORDS, 1)
        yield Report(
            "python-typo",
            f"`{r.source.line(r.error_line)}` passes {unknown}=, which this function does not know.",
            r.message.splitlines()[0],
            re.sub(rf"\b{unknown}=", f"{near[0]}=", r.source.line(r.error_line)) if near else "check its spelling",
            line=r.error_line,
        )
        return
    for idle in r.source.all:
        if (
            isinstance(idle, ast.Expr)
            and isinstance(idle.value, ast.Attribute)
            and idle.value.attr in CALLED_FOR_EFFECT
        ):
            text = r.source.segment(idle.value)
            yield Report(
                "python-typo",
                f"`{text}` without parentheses names the method and does not call it: nothing happens.",
                f"line {idle.lineno}: the statement has no effect.",
                f"{text}()",
                line=idle.lineno,
            )
            return
    for node in r.source.all:
        if not isinstance(node, ast.Assign):
            continue
        for target in node.targets:
            if not isinstance(target, ast.Attribute) or ast.unparse(target.value) == "self":
                continue
            owner = ast.unparse(target.value)
            if target.attr in TENSOR_NAMES or target.attr in MODULE_NAMES or not _holds_tensor_or_module(r, owner):
                continue
            near = difflib.get_close_matches(target.attr, ("requires_grad", "grad", "data", "training"), 1, cutoff=0.75)
            if near:
                yield Report(
                    "python-typo",
                    f"`{owner}.{target.attr}` is not an attribute PyTorch reads; setting it does nothing.",
                    f"line {node.lineno}: `{r.source.line(node.lineno)}` creates a new attribute; "
                    f"{owner}.{near[0]} is unchanged.",
                    f"{owner}.{near[0]} = {r.source.segment(node.value)}",
                    line=node.lineno,
                )
                return


def _respelt(r: Reading, wrong: str, right: str) -> str:
    """The failing line with a name in place of another."""
    return re.sub(rf"\b{re.escape(wrong)}\b", right, r.source.line(r.error_line), count=1)


def _unknown_argument(r: Reading) -> str | None:
    """The keyword argument that a call was refused for, as far as the message or the likeness of its name tells."""
    named = re.search(r"unexpected keyword argument '(\w+)'", r.message)
    if named:
        return named.group(1)
    given = re.search(r"invalid combination of arguments - got \((.*?)\)", r.message)
    for name in re.findall(r"(\w+)=", given.group(1)) if given else ():
        if name not in KEYWORDS and difflib.get_close_matches(name, KEYWORDS, 1, cutoff=0.75):
            return str(name)
    return None


def _bound_names(r: Reading) -> list[str]:
    return sorted({name for statement in r.source.all for name in r.source.assigned(statement)})


def _holds_tensor_or_module(r: Reading, owner: str) -> bool:
    value = r.values.get(owner)
    if isinstance(value, dict) and value.get("kind") in ("tensor", "module"):
        return True
    if r.named(owner):
        return True
    root = owner.split(".")[0].split("[")[0]
    held = r.values.get(root)
    if isinstance(held, dict) and held.get("kind") in ("tensor", "module", "list"):
        return True
    return any(  # a loop variable over parameters
        isinstance(n, ast.For)
        and owner in {x.id for x in ast.walk(n.target) if isinstance(x, ast.Name)}
        and mentions(n.iter, "parameters")
        for n in r.source.all
    )
