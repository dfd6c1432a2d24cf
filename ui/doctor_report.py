"""The Doctor's reports on a page: what is wrong, where, the numbers that show it, and the repair."""

from __future__ import annotations

from typing import Any

import streamlit as st

from autograd.frames import Frame, walk
from autograd.trace import Trace
from course import concepts
from snippets import Result
from snippets.diagnose.proposals import is_code
from ui import compare_page, links, run_report

_KIND = {
    "fault": (":material/error:", "Fault"),
    "note": (":material/info:", "Worth knowing"),
}

#: Words a sentence of the Doctor's may begin with; anything else in small letters is a name in the program.
# fmt: off
_WORDS = frozenset((
    "add", "after", "at", "check", "clipping", "divide", "each", "give", "its", "keep", "leave", "line", "make", "mark",
    "move", "no", "nothing", "one", "pass", "put", "read", "run", "stay", "the", "there", "this", "two", "use", "with",
    "write",
))
# fmt: on


def reports(source: str, result: Result, *, key: str) -> None:
    """Every report on ``source``, most important first; how the run ended when there is nothing to report."""
    run_report.stopped(result)
    if result.error and result.limit is None:
        line = f"line {result.error['line']}: " if result.error.get("line") else ""
        st.code(f"{line}{result.error['type']}: {result.error['message']}", language=None, wrap_lines=True)
    if not result.diagnosis:
        _nothing(result)
        return
    for place, report in enumerate(result.diagnosis):
        _report(source, result, report, key=f"{key}-{place}")


def _nothing(result: Result) -> None:
    if result.limit is not None or result.truncated:
        st.info("The run was stopped before its end, so the Doctor has nothing to judge.", icon=":material/info:")
    elif result.error:
        st.info(
            "The program stopped with this error, and the Doctor's rules have nothing to add. "
            "Paste the message under “An error message” for what it means in general.",
            icon=":material/help:",
        )
    else:
        st.success(
            "The Doctor found nothing wrong. Its rules know the usual faults, not all of them: if the numbers still "
            "surprise you, walk through the program.",
            icon=":material/check_circle:",
        )


def _report(source: str, result: Result, report: dict[str, Any], *, key: str) -> None:
    icon, kind = _KIND.get(report["severity"], _KIND["note"])
    with st.container(border=True, key=f"report-{report['severity']}-{key}"):
        where = f", line {report['line']}" if report.get("line") else ""
        st.caption(f"{icon} **{kind}{where}** · {report['category'].replace('-', ' ')}")
        st.markdown(f"**{plain(report['title'])}**")
        line = _line(source, report.get("line"))
        if line and line not in report["title"]:
            st.code(line, language="python", wrap_lines=True)
        tried = report.get("experiment")
        evidence = report["evidence"].removesuffix(tried["said"]).strip() if tried else report["evidence"]
        if evidence:
            st.markdown(plain(_sentence(evidence)))
        if tried:
            st.markdown(f":material/science: {plain(tried['said'])}")
            st.code(tried["code"], language="python", wrap_lines=True)
        if report.get("fix"):
            _repair(report["fix"], tried["code"] if tried else None)
        with st.container(horizontal=True):
            _to_walk(source, result, report)
            if tried:
                _to_comparison(source, tried["source"])
            if report.get("concept") in concepts.slugs():
                links.to_card(report["concept"])


def _repair(fix: str, tried: str | None) -> None:
    """The repair: the code (unless it is what was tried and stands there already), and the words that go with it."""
    code, _, words = fix.partition("  # ")
    if not is_code(code):
        code, words = "", fix
    if code and code != tried:
        st.caption("The smallest repair" if tried is None else "Another form of it")
        st.code(code, language="python", wrap_lines=True)
    if words:
        st.markdown(f":material/build: {plain(_sentence(words))}")


def _sentence(text: str) -> str:
    """With a capital, unless it begins with a name of the program's."""
    first = text.split(" ", 1)[0]
    return text[:1].upper() + text[1:] if first in _WORDS else text


def _to_walk(source: str, result: Result, report: dict[str, Any]) -> None:
    """The link to the step that shows the report."""
    if result.trace is None or not result.trace.nodes:
        return
    step = step_of(result.trace, report)
    links.to_program(source, "Open at this step" if step is not None else "Open the walk", step)


def _to_comparison(source: str, repaired: str) -> None:
    try:
        query = compare_page.query(source, repaired)
    except ValueError:
        return
    st.page_link("pages/step.py", label="Compare with it", icon=":material/compare_arrows:", query_params=query)


def step_of(trace: Trace, report: dict[str, Any]) -> int | None:
    """The index of the step that shows a report: its event, else its node, else its line; None when none does."""
    frames = walk(trace).frames
    node = report.get("node")
    event = next((e for e in trace.events if e.t == report.get("event")), None)
    if event is not None and node is not None:
        found = _showing(frames, lambda frame: (event.kind, node) in frame.marks)
        before = [
            e for e in trace.events if e.kind == event.kind and getattr(e, "node", None) == node and e.t < event.t
        ]
        if found:  # of several, the one as far into the walk as the event is into the trace
            return found[min(len(before), len(found) - 1)]
    if node is not None:
        found = _showing(frames, lambda frame: ("forward", node) in frame.marks)
        if found:
            return found[0]
    line = report.get("line")
    found = _showing(frames, lambda frame: line is not None and line in (frame.about, frame.line))
    return found[0] if found else None


def _showing(frames: tuple[Frame, ...], shows: Any) -> list[int]:
    return [index for index, frame in enumerate(frames) if shows(frame)]


def _line(source: str, number: int | None) -> str:
    lines = source.splitlines()
    return lines[number - 1].strip() if number is not None and 1 <= number <= len(lines) else ""


def plain(text: str) -> str:
    """Text of a report as Markdown: code between backticks stays, nothing else is markup."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        parts = [text.replace("`", "'")]
    escaped = [part if place % 2 else _escaped(part) for place, part in enumerate(parts)]
    return "`".join(escaped)


def _escaped(text: str) -> str:
    return "".join(f"\\{letter}" if letter in "\\*_[]<>$#~|:^!&" else letter for letter in text)
