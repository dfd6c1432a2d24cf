"""What a diagnosis costs: alone once the trace is there, and with experiments on programs that have a fault."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np

from snippets import examples
from snippets import run as run_snippet
from snippets.diagnose import diagnose

SYMPTOMS = Path(__file__).parent.parent / "assets" / "symptoms"


#: A long run: 300 steps, about 1,500 operations and 10,000 events.
LONG = """
import torch
x = torch.tensor([[1.0], [2.0], [3.0]])
y = torch.tensor([[2.0], [4.0], [6.0]])
w = torch.tensor([[0.0]], requires_grad=True)
b = torch.tensor([0.0], requires_grad=True)
opt = torch.optim.SGD([w, b], lr=0.05)
for step in range(300):
    loss = ((x @ w + b - y) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
"""


def diagnoses() -> list[float]:
    """Milliseconds of one diagnosis: each example, each broken program of the Doctor page, and a long training."""
    sources = [examples.load(name).source for name in examples.names()]
    sources += [path.read_text(encoding="utf-8") for path in sorted(SYMPTOMS.glob("*_broken.py"))]
    out = []
    for source in [*sources, LONG]:
        result = run_snippet(source, diagnose=False)
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


def runs(*, experiments: bool) -> list[float]:
    """Milliseconds of a whole run of each broken program of the Doctor page, the best of three."""
    out = []
    for path in sorted(SYMPTOMS.glob("*_broken.py")):
        source = path.read_text(encoding="utf-8")
        best = float("inf")
        for _ in range(3):
            begin = time.perf_counter()
            run_snippet(source, experiments=experiments)
            best = min(best, time.perf_counter() - begin)
        out.append(best * 1e3)
    return out


def run() -> dict[str, dict[str, float]]:
    """Times in milliseconds of a diagnosis alone, and of whole runs without and with experiments."""
    return {
        "diagnosis_ms": _spread(diagnoses()),
        "run_ms": _spread(runs(experiments=False)),
        "run_with_experiments_ms": _spread(runs(experiments=True)),
    }


def _spread(times: list[float]) -> dict[str, float]:
    return {
        "median": float(np.median(times)),
        "p95": float(np.percentile(times, 95)),
        "largest": max(times),
    }
