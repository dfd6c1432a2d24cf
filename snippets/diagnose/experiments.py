"""Evidence by experiment: the program runs again with one thing changed, and the two outcomes are compared.

An experiment says something only when the changed program runs and ends differently; then the report's evidence says
what was tried. Which programs are tried is in ``proposals``.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograd import notation
from autograd.trace import BackwardStart, Forward, LeafGrad, Trace, Value
from snippets.diagnose.proposals import changed_lines, proposals
from snippets.limits import Limits
from snippets.result import Result

#: An experiment may use this much of the processor; all on one program together last no longer than this.
SECONDS, WALL_SECONDS = 0.2, 0.2
#: At most this many reports are tried out, first reports first, and at most so many programs are run for it.
MOST, MOST_RUNS = 2, 3

Runs = Callable[[str, Limits], Result]


def with_experiments(
    source: str, result: Result, run: Runs, *, seconds: float = SECONDS, wall_seconds: float = WALL_SECONDS
) -> Result:
    """``result`` with what experiments add to its reports.

    Each report that could be tried out gets a sentence more of evidence, and ``experiment``: ``change``, ``said``,
    ``source`` (the changed program) and ``code`` (its changed lines). ``run`` runs a program within limits. What
    cannot be tried in ``seconds`` of processor time is left as it is.
    """
    if result.trace is None or result.limit is not None or result.truncated or not _repeats(source):
        return result
    deadline = time.monotonic() + wall_seconds
    runs = 0

    def within(program: str) -> Result | None:
        nonlocal runs
        left = deadline - time.monotonic()
        if left < 0.02 or runs == MOST_RUNS:
            return None
        runs += 1
        return run(program, replace(Limits.from_environment(), cpu_seconds=min(seconds, left), wall_seconds=left))

    reports, tried = [], 0
    for report in result.diagnosis:
        found = _try_out(source, result, report, within) if tried < MOST else None
        tried += found is not None
        reports.append(report if found is None else found)
    return replace(result, diagnosis=reports) if tried else result


def _try_out(
    source: str, result: Result, report: dict[str, Any], within: Callable[[str], Result | None]
) -> dict[str, Any] | None:
    """The report with its evidence from the first experiment that shows something; None when none does."""
    assert result.trace is not None
    for experiment in proposals(source, result.trace, report):
        changed = within(experiment.source)
        if changed is None:
            return None
        said = outcome(result, changed, training=report["category"] != "accumulation")
        if said:
            told = f"Tried: {experiment.change}, {said}."
            return report | {
                "evidence": f"{report['evidence']} {told}".strip(),
                "experiment": {
                    "change": experiment.change,
                    "said": told,
                    "source": experiment.source,
                    "code": changed_lines(source, experiment.source),
                },
            }
    return None


def _repeats(source: str) -> bool:
    """Whether two runs give the same numbers. torch's generator begins anew in every run, those of Python do not."""
    words = set(re.findall(r"\w+", source))
    return "random" not in words or "seed" in words


def outcome(before: Result, after: Result, *, training: bool = True) -> str:
    """What is different in the changed run, in words; empty when it failed or nothing is.

    With ``training`` a training loop is judged by how its loss goes, otherwise by the gradients.
    """
    if after.error is not None or after.limit is not None or after.trace is None or before.trace is None:
        return ""
    parts = ["the program runs to its end"] if before.error else []
    courses = _courses(before.trace, after.trace) if training else []
    parts += courses or _gradients(before.trace, after.trace, bool(before.error))
    return " and ".join(parts) if len(parts) < 3 else ", ".join(parts[:-1]) + f" and {parts[-1]}"


def _courses(before: Trace, after: Trace) -> list[str]:
    """How the loss of a training loop goes in both runs."""
    old, new = _course(before), _course(after)
    if old is None or new is None or old[0] != new[0] or old[1] == new[1]:
        return []
    name, values = new
    was = f" instead of {_way(old[1])}" if old[1][-1] != values[-1] else ""
    return [f"{name} goes {_way(values)}{was}"]


def _course(trace: Trace) -> tuple[str, list[float | str]] | None:
    """The name of the loss and its values, one for each backward pass; None when there is one pass or no name."""
    nodes = {node.id: node for node in trace.nodes}
    behind = {edge.dst: edge.src for edge in reversed(trace.edges) if edge.recorded}
    values = {event.node: event.value for event in trace.events if isinstance(event, Forward)}
    named: list[tuple[str, Any]] = []
    for event in trace.events:
        if isinstance(event, BackwardStart):
            root: str | None = event.root
            while root is not None and nodes[root].name is None:  # backward from -loss is about loss
                root = behind.get(root)
            if root is None or not isinstance(values.get(root), (int, float, str)):
                return None
            named.append((str(nodes[root].name), values[root]))
    names = {name for name, _ in named}
    updates = any(type(event).__name__ in ("Step", "Mutate") for event in trace.events)
    if len(named) < 2 or len(names) != 1 or not updates:
        return None
    return names.pop(), [value for _, value in named]


def _way(values: list[float | str]) -> str:
    first, last = notation.number(values[0]), notation.number(values[-1])
    return f"from {first} to {last}" if first != last else f"nowhere (it stays {first})"


def _gradients(before: Trace, after: Trace, stopped: bool) -> list[str]:
    """The .grad of named leaves that differ, at most two; ``stopped`` says that before there was none to expect."""
    old, new = _landed(before), _landed(after)
    said = []
    for name, value in new.items():
        was = old.get(name)
        if _text(value) != _text(was):
            than = "" if stopped and was is None else f" instead of {_text(was)}"
            said.append(f"{name}.grad is {_text(value)}{than}")
    said += [f"{name}.grad stays None" for name in old if name not in new]
    return said[:2]


def _landed(trace: Trace) -> dict[str, Value]:
    """The last .grad of each named leaf that got one."""
    names = {node.id: node.name for node in trace.nodes}
    return {
        str(names[event.node]): event.after
        for event in trace.events
        if isinstance(event, LeafGrad) and names.get(event.node)
    }


def _text(value: Value) -> str:
    return "None" if value is None else notation.short(value, 40)


__all__ = ["outcome", "with_experiments"]
