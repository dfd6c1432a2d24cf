"""Runs the rules over a run and keeps what matters most."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from typing import Any

from autograd.trace import Trace
from snippets.diagnose.reading import Reading
from snippets.diagnose.report import FAULT, Report
from snippets.diagnose.rules import RULES

#: At most this many reports; the first is the one to read.
MOST = 4

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
    ranked = sorted(reports.values(), key=lambda report: report.severity != FAULT)
    return [report.to_dict() for report in ranked[:MOST]]
