"""What the Doctor says about a snippet."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

FAULT = "fault"
NOTE = "note"

#: The concept card that explains a category (slugs of the course; the Doctor only points there).
CONCEPT = {
    "nothing-requires-grad": "requires-grad",
    "graph-cut": "detach",
    "missing-detach": "detach",
    "result-discarded": "in-place",
    "python-value-not-tensor": "recording",
    "python-typo": "leaf",
    "dtype": "boundary",
    "non-leaf-grad": "leaf",
    "leaf-reassigned": "leaf",
    "grad-is-none": "leaf",
    "not-in-graph": "dag",
    "parameter-registration": "train-step",
    "optimizer-params": "train-step",
    "optimizer-order": "train-step",
    "accumulation": "accumulation",
    "reduction-scale": "micro-batches",
    "graph-freed": "graph-lifetime",
    "inplace-modified-saved": "in-place",
    "inplace-on-leaf": "in-place",
    "inplace-on-view": "in-place",
    "inplace-silent": "in-place",
    "aliasing": "detach",
    "non-scalar-backward": "vector-output",
    "jacobian": "vjp",
    "higher-order": "graph-lifetime",
    "broadcasting": "vjp",
    "nan-gradient": "boundary",
    "zero-gradient-op": "boundary",
    "subgradient": "boundary",
    "over-cancelled-gradient": "detach",
    "loss-misuse": "boundary",
    "train-eval-mode": "eval-mode",
    "memory-graph-retained": "activation-memory",
    "checkpointing": "checkpointing",
    "indexing": "in-place",
    "sign": "boundary",
    "not-a-fault": "recording",
}


@dataclass(frozen=True, slots=True)
class Report:
    """One finding, in the vocabulary of :data:`CONCEPT`'s keys.

    ``title`` says what is wrong in one sentence, ``evidence`` the numbers that show it, ``fix`` the smallest repair as
    code. ``line`` and ``node`` point into the source and the trace, ``event`` is the time ``t`` of the trace event that
    shows it (None when no event does).
    """

    category: str
    title: str
    evidence: str
    fix: str
    line: int | None = None
    node: str | None = None
    event: int | None = None
    severity: str = FAULT

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON-ready data, with the concept card that explains it."""
        return {**asdict(self), "concept": CONCEPT[self.category]}


def number(value: Any) -> str:
    """A traced value as a reader writes it: ``8``, ``0.25``, ``[1, nan]``, or the summary of a large array."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return str(value)
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list):
        return "[" + ", ".join(number(v) for v in value) + "]"
    if isinstance(value, dict) and "shape" in value:
        return f"array of shape {tuple(value['shape'])}, norm {number(value.get('norm'))}"
    return str(value)
