"""What the command line prints for a reader."""

from __future__ import annotations

from snippets.result import Result


def steps_text(result: Result, *, steps: bool = True) -> str:
    """What the program printed, its warnings, and the steps of its walk in words."""
    lines: list[str] = []
    if result.stdout:
        lines.append(result.stdout.rstrip("\n"))
    for warning in result.warnings:
        lines.append(f"{_place(warning['line'])}{warning['category']}: {warning['message']}")
    if steps and result.trace is not None and result.trace.nodes:
        from autograd.frames import frames

        if lines:
            lines.append("")
        walk = frames(result.trace)
        width = len(str(len(walk)))
        for number, frame in enumerate(walk, start=1):
            where = f"line {frame.line}" if frame.line is not None else ""
            lines.append(f"{number:>{width}}  {where:<9} {frame.text}")
    return "".join(line + "\n" for line in lines)


def error_text(name: str, result: Result) -> str:
    """How the program ended, in one line."""
    error = result.error or {}
    return f"{name}: {_place(error.get('line'))}{error.get('type')}: {error.get('message')}"


def doctor_text(name: str, result: Result) -> str:
    """What the Doctor found, for a reader."""
    lines = [f"== {name}"]
    if result.error:
        lines.append(f"{_place(result.error['line'])}{result.error['type']}: {result.error['message']}")
    if not result.diagnosis:
        lines.append("nothing wrong was found")
    for finding in result.diagnosis:
        lines.append(f"{finding['severity']}: {_place(finding.get('line'))}{finding['title']} [{finding['category']}]")
        for key in ("evidence", "fix"):
            if finding.get(key):
                lines.append(f"  {key}: {finding[key]}")
    return "".join(line + "\n" for line in lines)


def _place(line: int | None) -> str:
    return "" if line is None else f"line {line}: "
