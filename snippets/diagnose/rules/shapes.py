"""Shapes: silent broadcasting, results that are no single number, upstream vectors misread."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from autograd.trace import LeafGrad, TraceNode
from snippets.diagnose.reading import Reading, count, entries, is_zero
from snippets.diagnose.refusal import refused_root, refused_text
from snippets.diagnose.report import FAULT, NOTE, Report, number
from snippets.diagnose.source import keyword

# fmt: off
#: Operations in which an output depends on several entries of the input.
_MIXING = {
    "matmul", "mm", "mv", "addmm", "addmv", "baddbmm", "stack", "cat", "linear", "softmax", "cumsum", "bmm", "einsum",
    "outer",
}
# fmt: on


def silent_broadcast(r: Reading) -> Iterator[Report]:
    """Shapes such as (N, 1) and (N,) broadcast to (N, N) inside a loss."""
    roots = [p.start.root for p in (r.some_passes or r.passes)] or [n.id for n in r.trace.nodes[-1:]]
    relevant = set().union(*((r.behind(root, through_cuts=True) | {root}) for root in roots)) if roots else set()
    warned = any("Using a target size" in w["message"] for w in r.warnings)
    for node in r.trace.nodes:
        if node.id not in relevant or node.op not in (
            "sub",
            "rsub",
            "mul",
            "add",
            "mse_loss",
            "l1_loss",
            "smooth_l1_loss",
            "huber_loss",
            "binary_cross_entropy",
        ):
            continue
        arguments = [r.nodes[_before_expand(r, e.src)] for e in r.into[node.id]]
        if len(arguments) < 2:
            continue
        a, b = arguments[0].shape, arguments[1].shape
        spread = _outer(a, b)
        if spread is None or node.op == "add" or all(_shaped_for_pairs(r, n) for n in arguments[:2]):
            continue
        factors = _prediction_by_data(r, *arguments[:2]) if node.op == "mul" else FAULT
        if factors is None:
            continue
        if not warned and not _reduced(r, node.id):
            continue
        yield Report(
            "broadcasting",
            f"{r.name(arguments[0].id)} {a} and {r.name(arguments[1].id)} {b} broadcast to {spread}: every "
            "row meets every entry.",
            f"line {node.line}: {count(spread)} {'products' if node.op == 'mul' else 'differences'} enter the loss "
            f"instead of {max(count(a), count(b))}.",
            _same_shape(arguments[0], arguments[1]),
            line=node.line,
            node=node.id,
            event=r.born.get(node.id),
            severity=factors,
        )
        return


def _same_shape(a: TraceNode, b: TraceNode) -> str:
    """The repair that gives the flatter of two tensors the shape of the other."""
    flat, other = (a, b) if len(a.shape) < len(b.shape) else (b, a)
    if len(flat.shape) == len(other.shape) or not flat.name:
        return f"{other.name}.squeeze(1)  # or .unsqueeze(1) on the other" if other.name else "give both the same shape"
    return f"{flat.name}.unsqueeze({1 if other.shape[-1] == 1 else 0})  # {other.shape}, as the other"


def _before_expand(r: Reading, node_id: str) -> str:
    """What a loss broadcast to a common shape before it began."""
    if r.nodes[node_id].op == "expand":
        return next((e.src for e in r.into[node_id]), node_id)
    return node_id


def _shaped_for_pairs(r: Reading, node: TraceNode) -> bool:
    """Whether an axis of length 1 was put in by hand, as for all pairs of differences."""
    return (
        node.op in ("unsqueeze", "view", "reshape", "getitem", "index", "slice", "t", "transpose")
        or "None" in node.expr
    )


def _prediction_by_data(r: Reading, a: TraceNode, b: TraceNode) -> str | None:
    """How bad it is that a product spreads: a fault for computed values and given data, less for a leaf, else nothing.

    A side that was shaped by hand asks for an outer product.
    """
    if _shaped_for_pairs(r, a) or _shaped_for_pairs(r, b):
        return None
    tracked = next((x for x, y in ((a, b), (b, a)) if x.requires_grad and not y.requires_grad), None)
    if tracked is None:
        return None
    return FAULT if tracked.kind == "op" else NOTE


def _outer(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...] | None:
    """The broadcast shape when it has more entries than either side and both hold the same number; else None."""
    if a == b or not a or not b or count(a) != count(b) or count(a) < 2:
        return None
    length = max(len(a), len(b))
    left, right = (1,) * (length - len(a)) + a, (1,) * (length - len(b)) + b
    out = []
    for x, y in zip(left, right, strict=True):
        if x != y and 1 not in (x, y):
            return None
        out.append(max(x, y))
    return tuple(out) if count(tuple(out)) > count(a) else None


def _reduced(r: Reading, node_id: str) -> bool:
    """Whether the result is soon reduced to a loss."""
    if r.nodes[node_id].op in ("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "binary_cross_entropy"):
        return True
    frontier = [node_id]
    for _ in range(4):
        frontier = [e.dst for n in frontier for e in r.out_of[n]]
        if any(r.nodes[n].op in ("mean", "sum") for n in frontier):
            return True
    return False


def scalar_wanted(r: Reading) -> Iterator[Report]:
    """backward or grad was called on a result with more than one element without an upstream vector."""
    if "can be implicitly created only for scalar outputs" not in r.message:
        return
    root = refused_root(r)
    unreduced = next(
        (
            c
            for c in r.source.calls(
                *(
                    c
                    for c in (
                        "mse_loss",
                        "cross_entropy",
                        "l1_loss",
                        "nll_loss",
                        "MSELoss",
                        "L1Loss",
                        "BCELoss",
                        "CrossEntropyLoss",
                        "binary_cross_entropy",
                        "binary_cross_entropy_with_logits",
                    )
                )
            )
            if _is_none_reduction(c)
        ),
        None,
    )
    name = r.name(root.id) if root else "the result"
    text = refused_text(r) or "loss"
    of_grad = any(c.lineno == r.error_line for c in r.source.calls("grad"))
    summed = f"torch.autograd.grad({text}.sum(), ...)" if of_grad else f"{text}.mean().backward()"
    yield Report(
        "non-scalar-backward",
        f"{name} has {count(root.shape) if root else 'several'} elements, and backward starts from one number.",
        f"shape {root.shape if root else '?'}"
        + (
            f"; reduction='none' on line {unreduced.lineno} keeps one loss per element."
            if unreduced
            else f" on line {r.error_line}."
        ),
        f"{summed}  # .mean() or .sum(); or an upstream vector of the shape of {text}",
        line=r.error_line,
        node=root.id if root else None,
        event=r.born.get(root.id) if root else None,
    )


def _is_none_reduction(call: ast.Call) -> bool:
    value = keyword(call, "reduction")
    return isinstance(value, ast.Constant) and value.value == "none"


def misread_upstream(r: Reading) -> Iterator[Report]:
    """The upstream argument was misread: its shape is the output's; ones give column sums; rows pile up in .grad."""
    if "Mismatch in shape: grad_output" in r.message or "Mismatch in shape" in r.message:
        yield Report(
            "jacobian",
            "The upstream vector must have the shape of the output: it weights the outputs, it does not ask "
            "for a matrix.",
            r.message.splitlines()[0],
            "one row of the Jacobian at a time: one-hot vectors of the output's shape, or "
            "torch.autograd.functional.jacobian",
            line=r.error_line,
        )
        return
    if r.error:
        return
    vectors = [p for p in r.passes if isinstance(p.start.seed, list) and len(entries(p.start.seed)) > 1]
    piles = [
        landed
        for p in vectors[1:]
        for landed in p.leaf_grads
        if landed.before is not None and not is_zero(landed.before)
    ]
    roots = {p.start.root for p in vectors}
    if len(vectors) > 1 and piles and len(roots) == 1:
        landed = piles[0]
        yield Report(
            "jacobian",
            f"Each backward adds its row to {r.name(landed.node)}.grad, so the rows of the Jacobian pile up.",
            f"{r.name(landed.node)}.grad was {number(landed.before)}, + {number(landed.added)} = "
            f"{number(landed.after)}.",
            "torch.autograd.grad(y, x, v, retain_graph=True)[0] for each row, or clear .grad between",
            line=landed.line,
            node=landed.node,
            event=landed.t,
        )
        return
    yield from _rows_through_entries(r)
    yield from _gradient_called_jacobian(r)
    for p in vectors:
        seed = entries(p.start.seed)
        if not all(v == 1 for v in seed) or _one_each(r, p.start.root) or not _coupled(r, p.start.root):
            continue
        statement = r.source.statement_at(p.start.line)
        named = r.source.assigned(statement) if statement is not None else set()
        wanted = {"j", "jac", "jacobian", "jacob"}
        called_so = any(n.lower().strip("_") in wanted or "jac" in n.lower() for n in named)
        yield Report(
            "jacobian",
            f"An upstream of ones gives the sum of the rows of the Jacobian of {r.name(p.start.root)}, not "
            "the Jacobian.",
            f"upstream {number(p.start.seed)}: the result has the input's shape and adds up all outputs.",
            "one row per one-hot upstream vector, or torch.autograd.functional.jacobian(f, x)",
            line=p.start.line,
            node=p.start.root,
            event=p.start.t,
            severity=FAULT if called_so else NOTE,
        )
        return


def _rows_through_entries(r: Reading) -> Iterator[Report]:
    """backward from one entry of a vector after the other, all adding into the same .grad."""
    by_vector: dict[str, list[LeafGrad]] = {}
    for p in r.passes:
        root = r.nodes[p.start.root]
        source = next((e.src for e in r.into[root.id]), None)
        if root.op in ("select", "index", "getitem") and source is not None:
            by_vector.setdefault(source, []).extend(p.leaf_grads)
    for vector, landed in by_vector.items():
        piled = [e for e in landed if e.before is not None and not is_zero(e.before)]
        if piled:
            name = r.name(piled[0].node)
            yield Report(
                "jacobian",
                f"backward from one entry of {r.name(vector)} after another adds row upon row into {name}.grad.",
                f"{name}.grad was {number(piled[0].before)}, + {number(piled[0].added)} = {number(piled[0].after)}.",
                "torch.autograd.grad(y[i], x, retain_graph=True)[0] for each row, or clear .grad between",
                line=piled[0].line,
                node=piled[0].node,
                event=piled[0].t,
                severity=NOTE,
            )
            return


def _gradient_called_jacobian(r: Reading) -> Iterator[Report]:
    """The gradient of a sum over outputs is given a Jacobian's name: it is the sum of the rows."""
    for statement in r.source.all:
        if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Attribute):
            continue
        named = [name for name in r.source.assigned(statement) if "jac" in name.lower() or name == "J"]
        before = [p for p in r.passes if (p.start.line or 0) <= statement.lineno and p.leaf_grads]
        if statement.value.attr != "grad" or not named or not before:
            continue
        root = r.nodes[before[-1].start.root]
        vector = next((r.nodes[e.src] for e in r.into[root.id] if count(r.nodes[e.src].shape) > 1), None)
        if root.op in ("sum", "mean") and vector is not None and vector.kind == "op" and _coupled(r, vector.id):
            yield Report(
                "jacobian",
                f"{named[0]} is the gradient of a {root.op} over {count(vector.shape)} outputs, not the Jacobian: the "
                "rows are added up.",
                f"the Jacobian has one row for each entry of {r.name(vector.id)} {vector.shape}.",
                "torch.stack([torch.autograd.grad(y[i], x, retain_graph=True)[0] for i in range(len(y))])",
                line=before[-1].start.line,
                node=root.id,
                event=before[-1].start.t,
            )
            return


def _one_each(r: Reading, root: str) -> bool:
    """Whether a result holds one number for each sample of a batch: the rows are independent."""
    node = r.nodes[root]
    before = next((r.nodes[e.src].shape for e in r.into[root]), ())
    flat = node.op in ("squeeze", "view", "reshape", "flatten", "select") and before[1:] == (1,)
    return node.shape[1:] == (1,) or (len(node.shape) == 1 and flat and before[0] == node.shape[0] > 1)


def _coupled(r: Reading, root: str) -> bool:
    """Whether outputs share inputs: a matrix product, a stack of combinations; not entry by entry."""
    return any(r.nodes[n].op in _MIXING for n in (r.behind(root) | {root}))
