"""What a diagnosis costs once the trace is there: milliseconds over all examples."""

from __future__ import annotations

import time

import numpy as np

from snippets import examples
from snippets import run as run_snippet
from snippets.diagnose import diagnose


def diagnoses() -> list[float]:
    """Milliseconds of one diagnosis for each example, the best of five."""
    out = []
    for name in examples.names():
        result = run_snippet(examples.load(name).source, diagnose=False)
        if result.trace is None:
            continue
        best = float("inf")
        for _ in range(5):
            begin = time.perf_counter()
            diagnose(
                result.trace, values=result.values, error=result.error, warnings=result.warnings, facts=result.facts
            )
            best = min(best, time.perf_counter() - begin)
        out.append(best * 1e3)
    return out


def run() -> dict[str, float]:
    """Median, p95 and largest time of a diagnosis in milliseconds."""
    times = np.array(diagnoses())
    return {
        "median_ms": float(np.median(times)),
        "p95_ms": float(np.percentile(times, 95)),
        "largest_ms": float(times.max()),
    }
