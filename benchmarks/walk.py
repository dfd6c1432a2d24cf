"""How long it takes to lay a graph out, and to build frames, DOT and picture, by the size of the walk."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from autograd.dot import dot
from autograd.frames import walk
from autograd.layout import layout
from autograd.presentation import present
from autograd.trace import Trace
from benchmarks._walks import program, traced
from snippets import run as run_program

SIZES = (20, 60, 300, 1000)


def run(sizes: tuple[int, ...] = SIZES, repeats: int = 5) -> dict[str, Any]:
    """Milliseconds (best and median of ``repeats``) for each size, and the size of the JSON."""
    out: dict[str, Any] = {}
    for size in sizes:
        trace = traced(size)  # of a copy nothing is known yet
        known = walk(trace)
        whole = dot(trace)
        shown = present(trace)
        out[str(size)] = {
            "trace_and_frames_ms": _timed(lambda size=size: walk(_traced(size)), max(2, repeats // 2)),
            "frames_ms": _timed(lambda trace=trace: walk(replace(trace)), repeats),
            "dot_ms": _timed(lambda trace=trace: dot(trace), repeats),
            "layout_ms": _timed(lambda whole=whole: layout(whole), repeats),
            "presented_ms": _timed(lambda trace=trace: present(replace(trace)), repeats),
            "frames": len(known.frames),
            "walk_json_kB": round(len(shown.walk.text) / 1000, 1),
            "svg_kB": round(len(shown.svg) / 1000, 1),
        }
    return out


def _traced(size: int) -> Trace:
    result = run_program(program(size), diagnose=False)
    assert result.trace is not None
    return result.trace


def _timed(work: Callable[[], Any], repeats: int) -> dict[str, float]:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
    times.sort()
    return {"best": round(times[0], 2), "median": round(times[len(times) // 2], 2)}


if __name__ == "__main__":
    print(json.dumps(run(), indent=2))
