"""Runs the rules over a run and keeps what matters most."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from autograd.trace import Trace
from snippets.diagnose.proposals import changed_lines, is_code, proposals
from snippets.diagnose.reading import Reading
from snippets.diagnose.report import FAULT, Report
from snippets.diagnose.rules import RULES

#: At most this many reports; the first is the one to read.
MOST = 4

#: What follows from a finding by itself, and would only repeat it.
FOLLOWS = {
    "leaf-reassigned": {"grad-is-none", "non-leaf-grad", "accumulation"},
    "jacobian": {"accumulation"},
    "optimizer-order": {"accumulation"},
    "higher-order": {"accumulation"},
}

_OPT = re.compile(r"(?<![\w.])opt(?=\.(step|zero_grad)\(| = torch\.optim)")

log = logging.getLogger(__name__)


def diagnose(
    trace: Trace,
    *,
    values: Mapping[str, Any] | None = None,
    error: Mapping[str, Any] | None = None,
    warnings: Iterable[Mapping[str, Any]] = (),
    facts: Mapping[str, Any] | None = None,
) -> list[dict[str, Any]]:
    """What is wrong with the program behind ``trace``: at most :data:`MOST` reports, most important first.

    ``values``, ``error`` and ``warnings`` are those of the run's result, ``facts`` what ``snippets.facts`` found. One
    report a category. A rule that fails on an unusual program is logged and passed over: the others still speak.
    """
    reading = Reading(trace, values=values, error=error, warnings=warnings, facts=facts)
    reports: dict[str, Report] = {}
    for rule in RULES:
        try:
            for report in rule(reading):
                reports.setdefault(report.category, report)
        except Exception:
            log.exception("the rule %s failed", rule.__name__)
    repeated = set().union(*(FOLLOWS.get(category, set()) for category in reports))
    kept = [report for category, report in reports.items() if category not in repeated]
    ranked = sorted(kept, key=lambda report: report.severity != FAULT)
    told = [_placed(reading, _with_its_names(reading, report)) for report in ranked[:MOST]]
    return [_as_code(reading, report).to_dict() for report in told]


def _placed(reading: Reading, report: Report) -> Report:
    """The report with a node and an event of its line, where the rule named none: the walk can go there."""
    node = report.node or next((n.id for n in reversed(reading.trace.nodes) if n.line == report.line), None)
    event = report.event
    if event is None:
        event = next((e.t for e in reading.trace.events if e.line == report.line), reading.born.get(node or ""))
    return replace(report, node=node, event=event)


def _with_its_names(reading: Reading, report: Report) -> Report:
    """The report with the program's own name for its optimizer, where a rule says ``opt``."""
    name = reading.optimizer
    if name in ("", "opt"):
        return report
    title, evidence, fix = (_OPT.sub(name, text) for text in (report.title, report.evidence, report.fix))
    return replace(report, title=title, evidence=evidence, fix=fix)


def _as_code(reading: Reading, report: Report) -> Report:
    """The report with the changed line as its fix, the words behind it as a comment, where the rule gave words only."""
    if is_code(report.fix):
        return report
    changed = next(proposals(reading.trace.source, reading.trace, report.to_dict()), None)
    if changed is None or "enable_grad" in changed.source:
        return report
    code = changed_lines(reading.trace.source, changed.source)
    repeats = report.fix.split(" at ")[0].split(" after ")[0] in code
    return replace(report, fix=code if repeats else f"{code}  # {report.fix}")
