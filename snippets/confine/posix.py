"""Resource limits by setrlimit."""

from __future__ import annotations

import math
import os
import resource
from collections.abc import Iterable

from snippets.limits import Limits


def close_descriptors(keep: Iterable[int]) -> None:
    """Close every descriptor except those in ``keep``."""
    highest = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    if highest == resource.RLIM_INFINITY or highest > 65536:
        highest = 65536
    start = 0
    for descriptor in sorted(set(keep)):
        if start < descriptor:  # closerange(0, 0) would close all of them
            os.closerange(start, descriptor)
        start = descriptor + 1
    os.closerange(start, highest)


def address_space() -> int | None:
    """The size in bytes of this process's address space, where the system tells it (Linux)."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return None


def limit_resources(limits: Limits, after_run: float) -> list[str]:
    """Bound processor time, memory, files and processes; returns what could be bounded."""
    held: list[str] = []

    def bound(name: str, value: int) -> None:
        kind = getattr(resource, name, None)
        if kind is None:
            return
        hard = resource.getrlimit(kind)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            return
        held.append(name)

    used = address_space()
    if used is not None:
        bound("RLIMIT_AS", used + limits.memory_bytes)
    bound("RLIMIT_CPU", math.ceil(limits.cpu_seconds + after_run) + 1)
    bound("RLIMIT_FSIZE", 0)
    bound("RLIMIT_CORE", 0)
    bound("RLIMIT_NPROC", 0)
    bound("RLIMIT_NOFILE", 16)
    bound("RLIMIT_MEMLOCK", 0)
    bound("RLIMIT_MSGQUEUE", 0)
    return held
