"""The sign of each term of a loss: what should shrink stands with a plus, what should grow with a minus."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from snippets.diagnose.reading import Pass, Reading, entries
from snippets.diagnose.report import FAULT, NOTE, Report, number
from snippets.diagnose.source import called, names
from snippets.diagnose.trend import over_steps

# fmt: off
#: Operations that keep the sign of what goes in.
_KEEPS = {
    "sum", "mean", "getitem", "select", "gather", "index", "squeeze", "view", "reshape", "index_select", "unsqueeze",
    "flatten", "clone", "cat", "stack", "add", "expand", "masked_select", "unbind", "slice",
}
#: What weights a log-probability so that it should grow.
_GAINS = {
    "reward", "rewards", "return", "returns", "advantage", "advantages", "adv", "advs", "discounted", "r", "g", "gt",
    "rt",
}
#: Terms that are there to be made small.
_SMALL = {"kl", "kld", "penalty", "reg", "regularization", "regularizer", "gp"}
#: Words that say that a similarity should fall.
_APART = {
    "neg", "negative", "negatives", "ortho", "orthogonality", "orthogonal", "diversity", "div", "push", "repel",
    "redundancy", "distance", "dist", "dissimilarity",
}
#: Words that say that two things belong together.
_TOGETHER = {
    "pos", "positive", "positives", "anchor", "target", "view", "aug", "augmented", "student", "teacher", "pair",
}
#: Words in the name of an input that an attack moves.
_ATTACKED = {"delta", "adv", "perturb", "perturbation", "perturbed", "attack", "eta", "adversarial"}
# fmt: on

#: How many nodes of a loss are looked at.
_MOST = 200


@dataclass(slots=True)
class Term:
    """A value inside a loss, with the sign that sums, products and minuses before it give it."""

    node: str
    sign: int
    weighted_at: int | None  # the line of a product with data
    alone: bool  # whether nothing was added to it on the way


def wrong_sign_of_a_term(r: Reading) -> Iterator[Report]:
    """One term of what an optimizer minimises has the wrong sign: a KL divergence, a penalty, a log-probability, a
    similarity.
    """
    finished = [p for p in r.some_passes if p.leaf_grads]
    if not finished or not r.steps or "maximize=True" in r.trace.source:
        return
    for p in (finished[0], finished[-1]):
        terms = _terms(r, p.start.root)
        for rule in (_log_probability, _small_term, _similarity, _entropy):
            for term in terms:
                report = rule(r, term, p, finished)
                if report is not None:
                    yield report
                    return


def _terms(r: Reading, root: str) -> list[Term]:
    """Every value from which a loss is put together by sums, differences and factors, outermost first."""
    found: list[Term] = []
    stack, seen, logs = [Term(root, 1, None, True)], {root}, _log_prob_lines(r)
    while stack and len(found) < _MOST:
        term = stack.pop(0)
        found.append(term)
        node = r.nodes[term.node]
        if node.line in logs:
            continue  # what a distribution subtracts inside is its own affair
        incoming = [e.src for e in r.into[node.id] if e.recorded and r.nodes[e.src].requires_grad]
        signs = [term.sign] * len(incoming)
        weighted = term.weighted_at
        if node.op in ("neg", "rsub"):
            signs = [-term.sign] * len(incoming)
        elif node.op == "sub":
            first = next((e.src for e in r.into[node.id]), None)
            signs = [term.sign if source == first else -term.sign for source in incoming]
        elif node.op in ("mul", "div") and len(incoming) == 1:
            data = next((e.src for e in r.into[node.id] if e.src != incoming[0]), None)
            weighted = node.line
            if re.match(r"\(*-\s*[\d.]+\s*\*", node.expr) or (data is not None and r.nodes[data].op == "neg"):
                signs = [-term.sign]
        elif node.op not in _KEEPS:
            continue
        alone = term.alone and not (node.op in ("add", "sub") and len(incoming) > 1)
        for source, sign in zip(incoming, signs, strict=True):
            if source not in seen:
                seen.add(source)
                stack.append(Term(source, sign, weighted, alone))
    return found


def _without_minus(statement: ast.AST | None) -> bool:
    """Whether no value is negated or subtracted in a statement (``dim=-1`` is none)."""
    minus = [n for n in ast.walk(statement) if isinstance(n, ast.UnaryOp | ast.BinOp)] if statement else []
    negated = [n for n in minus if isinstance(n, ast.UnaryOp) and not isinstance(n.operand, ast.Constant)]
    factors = [
        n for n in minus if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mult) and isinstance(n.left, ast.UnaryOp)
    ]
    taken = [n for n in minus if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Sub)]
    return statement is not None and not any(isinstance(n.op, ast.USub) for n in negated) and not factors and not taken


def _calls(statement: ast.AST | None, *wanted: str) -> bool:
    return statement is not None and any(isinstance(n, ast.Call) and called(n) in wanted for n in ast.walk(statement))


def _in_front(r: Reading, node_id: str, sign: str) -> str:
    """The line that made a value, with a sign before it."""
    node = r.nodes[node_id]
    statement = r.source.statement_at(node.line)
    if not isinstance(statement, ast.Assign):
        return f"({sign}{node.name or 'loss'}).backward()"
    value = r.source.segment(statement.value)
    simple = isinstance(statement.value, ast.Call | ast.Name)
    return r.source.line_with(node.line, statement.value, f"{sign}{value}" if simple else f"{sign}({value})")


def _difference(r: Reading, line: int | None, name: str, form: str) -> str | None:
    """The line with the difference whose right side holds ``name`` written in another form."""
    statement = r.source.statement_at(line)
    for part in ast.walk(statement) if statement is not None else ():
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Sub) and name in names(part.right):
            new = form.format(r.source.segment(part.left), r.source.segment(part.right))
            return r.source.line_with(line, part, new)
    return None


def _words(*found: str | None) -> set[str]:
    return {word for name in found if name for word in re.split(r"[_\d]+", name.lower())}


def _log_prob_lines(r: Reading) -> set[int]:
    """The lines that take ``log_prob`` of a distribution with no minus beside it."""
    calls = r.source.calls("log_prob") if "log_prob" in r.source.text else ()
    made = [r.source.statement(call) for call in calls]
    return {
        line for s in made if s is not None and _without_minus(s) for line in range(s.lineno, (s.end_lineno or 0) + 1)
    }


def _log_probability(r: Reading, term: Term, p: Pass, finished: list[Pass]) -> Report | None:
    """log_prob of a distribution, alone or weighted by rewards, is minimised."""
    node = r.nodes[term.node]
    if term.sign < 0 or not (node.op in ("log_softmax", "logsigmoid") or node.line in _log_prob_lines(r)):
        return None
    made = r.source.statement_at(node.line)
    weighing = r.source.statement_at(term.weighted_at)
    weights = _words(*names(weighing)) if weighing is not None else _words(*names(made)) if made is not None else set()
    if not (weights & _GAINS if term.weighted_at is not None else term.alone):
        return None
    if term.weighted_at is None and not _calls(made, "log_prob"):
        return None
    name = r.name(p.start.root)
    line = term.weighted_at or r.nodes[term.node].line
    what = "a log-probability times a reward" if term.weighted_at is not None else "a log-probability"
    return Report(
        "sign",
        f"{name} is made of {what}, and the optimizer minimises it: what was good becomes less likely.",
        f"`{r.source.line(line)}` has no minus, and none follows; {over_steps(r, name, finished)}",
        _in_front(r, p.start.root, "-"),
        line=line,
        node=p.start.root,
        event=p.start.t,
    )


def _small_term(r: Reading, term: Term, p: Pass, finished: list[Pass]) -> Report | None:
    """A divergence or penalty that is taken away from the loss, or a divergence that is negative."""
    node = r.nodes[term.node]
    value = r.value.get(node.id)
    if term.alone or not _words(node.name) & _SMALL or not isinstance(value, int | float):
        return None
    made = r.source.statement_at(node.line)
    if term.sign < 0 and value > 0:
        user = next((e.dst for e in r.out_of[node.id] if e.dst in p.visited), p.start.root)
        while r.nodes[user].op == "mul":
            user = next((e.dst for e in r.out_of[user] if e.dst in p.visited), p.start.root)
        line = r.nodes[user].line
        return Report(
            "sign",
            f"{node.name} is taken away from {r.name(p.start.root)}: the optimizer makes it larger.",
            f"{node.name} = {number(value)} enters with a minus on line {line}.",
            _difference(r, line, node.name or "", "{} + {}") or f"add {node.name}",
            line=line,
            node=user,
            event=r.born.get(user),
        )
    if term.sign > 0 and value < 0 and _words(node.name) & {"kl", "kld"} and _calls(made, "exp"):
        return Report(
            "sign",
            f"{node.name} is {number(value)}, and a divergence is never negative: it has the wrong sign.",
            f"`{r.source.line(node.line)}`; the optimizer makes the divergence larger.",
            _in_front(r, node.id, "-"),
            line=node.line,
            node=node.id,
            event=r.born.get(node.id),
        )
    return None


def _similarity(r: Reading, term: Term, p: Pass, finished: list[Pass]) -> Report | None:
    """A cosine similarity is all there is to minimise, and it falls."""
    node = r.nodes[term.node]
    if term.sign < 0 or not term.alone or "cosine_similarity" not in r.source.text:
        return None
    made = r.source.statement_at(node.line)
    bare = _calls(made, "cosine_similarity") and _without_minus(made) and not _calls(made, "abs", "relu", "clamp")
    values = [r.value.get(one.start.root) for one in finished]
    falls = [v for v in values if isinstance(v, int | float)]
    if not bare or made is None or len(falls) < 2 or falls[-1] >= falls[0]:
        return None
    said = _words(node.name, r.nodes[p.start.root].name, *names(made))
    if said & _APART:
        return None
    name = r.name(p.start.root)
    return Report(
        "sign",
        f"{name} is a similarity, and the optimizer minimises it: what is compared is pushed apart.",
        over_steps(r, name, finished),
        _in_front(r, p.start.root, "1 - "),
        line=r.nodes[p.start.root].line,
        node=p.start.root,
        event=p.start.t,
        severity=FAULT if said & _TOGETHER else NOTE,
    )


def _entropy(r: Reading, term: Term, p: Pass, finished: list[Pass]) -> Report | None:
    """The entropy of a policy is added to its loss: the optimizer makes it smaller, and exploration ends."""
    node = r.nodes[term.node]
    if term.sign < 0 or term.alone or "log_prob" not in r.source.text:
        return None
    made = r.source.statement_at(node.line)
    named = _words(node.name)
    entropy = (named & {"entropy", "ent"} and "loss" not in named) or (_calls(made, "entropy") and _without_minus(made))
    found = [v for v in entries(r.value.get(node.id)) if isinstance(v, int | float)]
    if not entropy or not found or min(found) <= 0:
        return None
    name = r.name(p.start.root)
    return Report(
        "sign",
        f"The entropy is a part of {name} with a plus: a step makes it smaller, and exploring wants it large.",
        f"{r.name(node.id)} = {number(r.value.get(node.id))} is added (line {r.nodes[p.start.root].line}).",
        "take the entropy away: loss = policy_loss - beta * entropy",
        line=r.nodes[p.start.root].line,
        node=p.start.root,
        event=p.start.t,
        severity=NOTE,
    )


#: Words for the two sides of a margin, and for what is compared.
_NEAR, _FAR = {"pos", "positive", "ap"}, {"neg", "negative", "an"}
_DISTANCES, _SIMILARITIES = {"d", "dist", "distance", "distances"}, {"sim", "similarity", "cos", "score", "scores"}


def swapped_margin(r: Reading) -> Iterator[Report]:
    """``relu(d_neg - d_pos + margin)``: the hinge of a triplet with its two sides swapped."""
    walked = {n for p in r.some_passes if p.leaf_grads for n in p.visited}
    for node in r.trace.nodes if r.steps else ():
        if node.op != "sub" or node.id not in walked or len(r.into[node.id]) != 2:
            continue
        sides = [_words(r.nodes[e.src].name) for e in r.into[node.id]]
        apart = sides[0] & _FAR and sides[1] & _NEAR and all(side & _DISTANCES for side in sides)
        alike = sides[0] & _NEAR and sides[1] & _FAR and all(side & _SIMILARITIES for side in sides)
        ahead = [e.dst for e in r.out_of[node.id]]
        ahead += [e.dst for n in ahead if r.nodes[n].op == "add" for e in r.out_of[n]]
        hinge = any(r.nodes[n].op in ("relu", "clamp", "clamp_min", "softplus") for n in ahead)
        if hinge and (apart or alike):
            first, second = (r.name(e.src) for e in r.into[node.id])
            yield Report(
                "sign",
                f"The margin pushes the wrong way: {first} - {second} is made small, and should be large.",
                f"`{r.source.line(node.line)}`; a step brings the negative nearer and takes the positive away.",
                _difference(r, node.line, second, "{1} - {0}") or f"swap {first} and {second}",
                line=node.line,
                node=node.id,
                event=r.born.get(node.id),
            )
            return


def attack_downhill(r: Reading) -> Iterator[Report]:
    """A perturbation that moves against the sign of the gradient makes the loss smaller, as a targeted attack wants."""
    said = r.source.text.lower()
    losses = [v for p in r.passes if isinstance(v := r.value.get(p.start.root), int | float)]
    if "targeted" in said or len(losses) < 2 or losses[-1] >= losses[0]:
        return
    for statement in r.source.all:
        if not isinstance(statement, ast.AugAssign) or not isinstance(statement.op, ast.Sub):
            continue
        moved = ast.unparse(statement.target)
        if ".grad.sign()" in ast.unparse(statement.value) and _words(*names(statement.value)) & _ATTACKED:
            yield Report(
                "sign",
                f"{moved} moves against the gradient, so the loss falls; an attack on the true label wants it to grow.",
                f"the loss goes from {number(losses[0])} to {number(losses[-1])}.",
                f"{moved} += {ast.unparse(statement.value)}",
                line=statement.lineno,
                severity=NOTE,
            )
            return


def meant_uphill(target: str, value: str) -> bool:
    """Whether a step along the gradient is an attack's: along its sign, or of an input such as a perturbation."""
    return "sign(" in value or bool(_words(*re.split(r"\W+", target)) & (_ATTACKED | {"img", "image", "input"}))
