"""What a run may use. Every limit is a setting: ``Limits(cpu_seconds=2)``, or a variable of the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

PREFIX = "BACKSTEP_"
MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of one run; the environment overrides the defaults (``BACKSTEP_CPU_SECONDS=2`` and so on).

    ``memory_bytes`` counts what the program adds to the idle worker. ``drawn_nodes`` bounds the trace, so it stops a
    program only when its trace is wanted; ``recorded_operations`` bounds what autograd records either way.
    """

    cpu_seconds: float = 5.0
    wall_seconds: float = 10.0
    memory_bytes: int = 512 * MEBIBYTE
    output_bytes: int = MEBIBYTE
    drawn_nodes: int = 20_000
    recorded_operations: int = 200_000
    source_bytes: int = 256 * 1024
    result_bytes: int = 64 * MEBIBYTE

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 < value < float("inf"):
                raise ValueError(f"{field.name} must be a positive number, not {value!r}")

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Limits:
        """The defaults, with what ``BACKSTEP_<NAME>`` says instead; ValueError names a variable that is no number."""
        environment = os.environ if environment is None else environment
        changed: dict[str, Any] = {}
        for field in fields(cls):
            text = environment.get(PREFIX + field.name.upper())
            if text is None or not text.strip():
                continue
            try:
                changed[field.name] = float(text) if field.name.endswith("_seconds") else int(text)
            except ValueError:
                raise ValueError(f"{PREFIX}{field.name.upper()} must be a number, not {text!r}") from None
        return replace(cls(), **changed)


def workers_from_environment(environment: Mapping[str, str] | None = None) -> int:
    """How many programs may run at once: ``BACKSTEP_WORKERS``, by default twice the processors, at least 4."""
    environment = os.environ if environment is None else environment
    text = environment.get(PREFIX + "WORKERS", "").strip()
    if not text:
        return max(4, min(16, 2 * (os.cpu_count() or 2)))
    try:
        count = int(text)
    except ValueError:
        count = 0
    if count < 1:
        raise ValueError(f"{PREFIX}WORKERS must be a whole number of at least 1, not {text!r}")
    return count
