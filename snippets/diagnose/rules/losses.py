"""Losses that are fed with the wrong thing."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator

from autograd.trace import TraceNode
from snippets.diagnose.reading import Reading, count, entries
from snippets.diagnose.report import Report, number
from snippets.diagnose.source import called, keyword


def misused_loss(r: Reading) -> Iterator[Report]:
    """softmax before cross_entropy, sigmoid before bce_with_logits, probabilities to nll_loss or kl_div, softmax over
    the batch.
    """
    if "all elements of input should be between 0 and 1" in r.message:
        yield Report(
            "loss-misuse",
            "BCELoss expects probabilities, and gets numbers beyond 0..1: raw scores.",
            r.message.splitlines()[0],
            "BCEWithLogitsLoss (F.binary_cross_entropy_with_logits) on the scores, or torch.sigmoid before BCELoss",
            line=r.error_line,
        )
        return
    for node in r.trace.nodes:
        if node.op == "nll_loss":
            source = next((e.src for e in r.into[node.id]), None)
            if source is None:
                continue
            first = r.nodes[source]
            if first.op == "log_softmax" and first.line == node.line and not _calls_itself(r, node.line, "log_softmax"):
                inner = _through(r, source)
                if inner is not None and (
                    r.nodes[inner].op in ("softmax", "log_softmax", "sigmoid") or _from_softmax(r, inner)
                ):
                    yield _double(r, node.id, inner, "cross_entropy", "log_softmax")
                    return
            elif _raw_scores(r, source):
                yield _misuse(
                    r,
                    node,
                    f"nll_loss gets raw scores ({r.name(source)}), but expects log-probabilities: it only negates the "
                    "picked entry.",
                    f"line {node.line}: the exponentials of a row of {r.name(source)} do not sum to 1, so the loss "
                    f"{number(r.value.get(node.id))} has no lower bound.",
                    "F.cross_entropy(logits, target), or nll_loss on F.log_softmax(logits, dim=1)",
                )
                return
            elif first.op == "softmax" or (
                first.op not in ("log_softmax", "log", "logsigmoid") and _probabilities(r, source)
            ):
                yield _misuse(
                    r,
                    node,
                    f"nll_loss gets probabilities ({r.name(source)}), but expects log-probabilities: it only "
                    "negates the picked entry.",
                    f"line {node.line}: the loss is {number(r.value.get(node.id))}, a negative probability.",
                    "torch.log_softmax(logits, dim=1), or F.cross_entropy(logits, target)",
                )
                return
        if node.op == "sub":
            source = _compared_by_divergence(r, node.id)
            if source is not None and _probabilities(r, source):
                yield _misuse(
                    r,
                    node,
                    f"kl_div gets probabilities ({r.name(source)}) as its input, but expects log-probabilities there.",
                    f"line {node.line}: the rows of {r.name(source)} are positive and sum to 1; the loss is "
                    f"{number(r.value.get(node.id))}.",
                    "F.kl_div(F.log_softmax(logits, dim=1), target)",
                )
                return
        if node.op in ("cross_entropy", "cross_entropy_loss", "binary_cross_entropy_with_logits"):
            source = next((e.src for e in r.into[node.id]), None)
            inner = _through_self(r, source)
            wanted = ("softmax", "log_softmax", "sigmoid") if "binary" not in node.op else ("sigmoid", "softmax")
            if inner is not None and (r.nodes[inner].op in wanted or _squashed_by_hand(r, inner)):
                yield _double(r, node.id, inner, node.op, "sigmoid" if "binary" in node.op else "log_softmax")
                return
        if node.op == "binary_cross_entropy":
            inner = _through_self(r, next((e.src for e in r.into[node.id]), None))
            scores = _cut_to_probabilities(r, inner)
            if inner is not None and scores is not None:
                yield _misuse(
                    r,
                    node,
                    f"binary_cross_entropy gets scores that were cut to 0..1 (line {r.nodes[inner].line}): that makes "
                    "no probabilities of them.",
                    f"{r.name(scores)} = {number(r.value.get(scores))} goes beyond 0..1; where it does, the "
                    f"{r.nodes[inner].op} lets no gradient back.",
                    f"F.binary_cross_entropy_with_logits({r.name(scores)}, target), or torch.sigmoid in place of "
                    f"{r.nodes[inner].op}",
                )
                return
        if node.op in ("softmax", "log_softmax"):
            if _over_one_class(r, node.id):
                yield _misuse(
                    r,
                    node,
                    f"`{r.source.line(node.line)}` normalises over a dimension with one entry: every probability is 1.",
                    f"{r.name(node.id)} of shape {node.shape} is {number(r.value.get(node.id))}, whatever the input.",
                    "torch.sigmoid for one logit, or two logits for softmax",
                )
                return
            batch = _softmax_over_batch(r, node.id)
            if batch:
                yield _misuse(
                    r,
                    node,
                    f"`{r.source.line(node.line)}` normalises over the batch: each column sums to 1, not each sample.",
                    f"{r.name(node.id)} has shape {node.shape}; dimension {batch[0]} counts samples.",
                    "dim=1 (or dim=-1), the dimension of the classes",
                )
                return


def _misuse(r: Reading, node: TraceNode, title: str, evidence: str, fix: str) -> Report:
    """A report about the loss, or what leads to it, that ``node`` computes."""
    return Report("loss-misuse", title, evidence, fix, line=node.line, node=node.id, event=r.born.get(node.id))


def _double(r: Reading, loss: str, inner: str, name: str, applied: str) -> Report:
    op = str(r.nodes[inner].op)
    by_hand = op not in ("softmax", "log_softmax", "sigmoid")
    if by_hand:
        op = "sigmoid" if "binary" in name else "softmax"
    return Report(
        "loss-misuse",
        f"{name} applies {applied} itself, and it is given the output of {'a ' if by_hand else ''}{op}"
        f"{' written by hand' if by_hand else ''}: the {op} of line {r.nodes[inner].line} is one too many.",
        f"{r.name(inner)} = {number(r.value.get(inner))} lies between fixed bounds, so the loss "
        f"{number(r.value.get(loss))} can hardly fall.",
        f"pass the raw logits ({_source_name(r, inner)}) to {name}",
        line=r.nodes[loss].line,
        node=inner,
        event=r.born.get(inner),
    )


def _source_name(r: Reading, node_id: str) -> str:
    """What went into a squashing function; by hand, the first named value behind its exponential."""
    source = next((e.src for e in r.into[node_id]), None)
    if r.nodes[node_id].op not in ("softmax", "log_softmax", "sigmoid"):
        squashed = [n for n in r.trace.nodes if n.id in r.behind(node_id) and n.op in ("softmax", "log_softmax", "exp")]
        source = next((e.src for e in r.into[squashed[0].id]), None) if squashed else source
        while source is not None and not r.nodes[source].name and len(r.into[source]) == 1:
            source = r.into[source][0].src
    return r.name(source) if source else "logits"


def _through(r: Reading, node_id: str) -> str | None:
    """The node behind ``node_id``, skipping shape changes."""
    return _through_self(r, next((e.src for e in r.into[node_id]), None))


def _through_self(r: Reading, node_id: str | None) -> str | None:
    while node_id is not None and r.nodes[node_id].op in (
        "view",
        "reshape",
        "squeeze",
        "unsqueeze",
        "flatten",
        "getitem",
        "select",
        "clone",
    ):
        node_id = next((e.src for e in r.into[node_id]), None)
    return node_id


def _calls_itself(r: Reading, line: int | None, name: str) -> bool:
    return any(c.lineno == line for c in r.source.calls(name, "LogSoftmax"))


def _probabilities(r: Reading, node_id: str) -> bool:
    """Whether every row is positive and sums to 1."""
    value = r.value.get(node_id)
    rows = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
    for row in rows:
        numbers = [v for v in entries(row) if isinstance(v, int | float)]
        if not numbers or any(v < 0 for v in numbers) or abs(sum(numbers) - 1) > 1e-4:
            return False
    return True


def _compared_by_divergence(r: Reading, node_id: str) -> str | None:
    """The input q of kl_div, which computes xlogy(p, p) - p * q; None when ``node_id`` is no such difference."""
    parts = [e.src for e in r.into[node_id]]
    if [r.nodes[part].op for part in parts] != ["xlogy", "mul"]:
        return None
    logs, product = ([e.src for e in r.into[part]] for part in parts)
    target = logs[0] if len(logs) == 2 and logs[0] == logs[1] else None
    return product[1] if len(product) == 2 and product[0] == target else None


def _from_softmax(r: Reading, node_id: str) -> bool:
    """Whether a value is a distribution that was computed from a softmax by other operations."""
    return _probabilities(r, node_id) and any(
        r.nodes[n].op in ("softmax", "log_softmax", "exp") for n in r.behind(node_id)
    )


def _squashed_by_hand(r: Reading, node_id: str) -> bool:
    """Whether a value is ``1 / (1 + exp(-x))`` or the like: a quotient of exponentials, all between 0 and 1."""
    numbers = [v for v in entries(r.value.get(node_id)) if isinstance(v, int | float)]
    nearest = [r.nodes[node_id].op, *(r.nodes[e.src].op for e in r.into[node_id])]  # 1 / x is a reciprocal times 1
    quotient = any(op in ("div", "reciprocal") for op in nearest)
    return (
        quotient
        and any(r.nodes[n].op == "exp" for n in r.behind(node_id))
        and bool(numbers)
        and all(0 <= v <= 1 for v in numbers)
    )


def _cut_to_probabilities(r: Reading, node_id: str | None) -> str | None:
    """What went into a clamp whose results count as probabilities, when it was none itself; else None."""
    if node_id is None or r.nodes[node_id].op not in ("clamp", "clip", "clamp_max", "hardtanh", "relu", "clamp_min"):
        return None
    source = _through_self(r, next((e.src for e in r.into[node_id]), None))
    if source is None:
        return None
    if r.nodes[source].op in ("clamp_min", "clamp_max", "relu"):
        return _cut_to_probabilities(r, source)
    numbers = [v for v in entries(r.value.get(source)) if isinstance(v, int | float)]
    beyond = any(v < -1e-3 or v > 1 + 1e-3 for v in numbers)
    return source if beyond and r.nodes[source].requires_grad else None


def _raw_scores(r: Reading, node_id: str) -> bool:
    """Whether the exponentials of some row are far from summing to 1: these are no log-probabilities."""
    if r.nodes[node_id].op in ("log_softmax", "softmax", "log", "logsigmoid", "sub") or _probabilities(r, node_id):
        return False
    value = r.value.get(node_id)
    rows = value if isinstance(value, list) and value and isinstance(value[0], list) else [value]
    numbers = [[v for v in entries(row) if isinstance(v, int | float)] for row in rows]
    return any(row and (max(row) > 1e-3 or abs(sum(map(math.exp, row)) - 1) > 0.01) for row in numbers)


def _over_one_class(r: Reading, node_id: str) -> bool:
    """Whether a softmax goes over the last dimension, and that has one entry."""
    node = r.nodes[node_id]
    if not node.shape or node.shape[-1] != 1 or count(node.shape) < 2:
        return False
    dims = [keyword(c, "dim") or (c.args[-1] if c.args else None) for c in r.source.calls("softmax", "log_softmax")]
    asked = {ast.unparse(dim) for dim in dims if dim is not None}
    return bool(asked & {"-1", str(len(node.shape) - 1)}) and all(v in (0, 1) for v in entries(r.value.get(node_id)))


def _softmax_over_batch(r: Reading, node_id: str) -> tuple[int] | None:
    node = r.nodes[node_id]
    if len(node.shape) != 2 or node.shape[0] < 2:
        return None
    for call in r.source.calls("softmax", "log_softmax", "Softmax", "LogSoftmax"):
        dim = keyword(call, "dim") or (call.args[-1] if call.args and isinstance(call.args[-1], ast.Constant) else None)
        on_line = call.lineno == node.line or called(call) in ("Softmax", "LogSoftmax")
        if on_line and isinstance(dim, ast.Constant) and dim.value == 0:
            feeds_loss = any(
                r.nodes[e.dst].op in ("nll_loss", "cross_entropy", "mul", "log", "getitem", "gather", "index", "kl_div")
                for e in r.out_of[node_id]
            )
            labels = any(n.dtype == "int64" and n.shape == (node.shape[0],) for n in r.trace.nodes)
            if feeds_loss and labels:
                return (0,)
    return None
