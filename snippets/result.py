"""What a run gives back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from autograd.trace import Trace


@dataclass(frozen=True)
class Result:
    """The answer to one run; plain data, nothing of it is alive.

    ``error`` is None or ``{"type", "message", "line"}``; ``warnings`` are ``{"category", "message", "line"}``;
    ``diagnosis`` holds ``{"category", "severity", "line", "node", "title", "evidence", "fix"}``. ``limit`` names the
    bound that stopped the run (``cpu``, ``wall``, ``memory``, ``output``, ``nodes``, ``operations``), otherwise None.
    ``truncated`` says that the program went on after its trace was full. ``facts`` is what :mod:`snippets.facts` found.
    """

    stdout: str = ""
    values: dict[str, Any] = field(default_factory=dict)
    error: dict[str, Any] | None = None
    warnings: list[dict[str, Any]] = field(default_factory=list)
    diagnosis: list[dict[str, Any]] = field(default_factory=list)
    trace: Trace | None = None
    limit: str | None = None
    seconds: float = 0.0
    truncated: bool = False
    facts: dict[str, Any] = field(default_factory=dict)

    def to_dict(self, file: str | None = None) -> dict[str, Any]:
        """The JSON object of the command line; without ``file`` the key is left out, without a trace it is None."""
        head: dict[str, Any] = {} if file is None else {"file": file}
        return {
            **head,
            "stdout": self.stdout,
            "values": self.values,
            "error": self.error,
            "warnings": self.warnings,
            "diagnosis": self.diagnosis,
            "limit": self.limit,
            "seconds": self.seconds,
            "trace": None if self.trace is None else self.trace.to_dict(),
        }


def _in_notebook(trace: Trace) -> str:
    """The stepper, for a trace shown in a notebook; what draws it is loaded only then."""
    from snippets.html import notebook

    return notebook(trace)


Trace.viewer = _in_notebook
