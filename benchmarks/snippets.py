"""How long it takes to run somebody's program: warm, with eight people at once, and for large graphs."""

from __future__ import annotations

import json
import threading
import time
from typing import Any

from snippets.limits import Limits
from snippets.pool import Pool

PROGRAM = """import torch
import torch.nn as nn

x = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
target = torch.tensor([[1.0], [0.0], [1.0]])
w1 = torch.tensor([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]], requires_grad=True)
b1 = torch.zeros(3, requires_grad=True)
w2 = torch.tensor([[0.5], [-0.5], [0.25]], requires_grad=True)
b2 = torch.zeros(1, requires_grad=True)
optimizer = torch.optim.SGD([w1, b1, w2, b2], lr=0.1)
for step in range(2):
    optimizer.zero_grad()
    hidden = torch.tanh(x @ w1 + b1)
    out = torch.sigmoid(hidden @ w2 + b2)
    error = out - target
    loss = (error * error).mean()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4))
print(w1.grad.shape)
"""

CHAIN = "import torch\nx = torch.tensor(1.0, requires_grad=True)\nfor i in range({}):\n    x = x * 1.0001\n"


def run(times: int = 40, people: int = 8, runs_each: int = 6) -> dict[str, Any]:
    """The figures, in milliseconds unless their name says otherwise."""
    limits = Limits()
    pool = Pool()
    begin = time.perf_counter()
    pool.warm(1)
    start = time.perf_counter() - begin
    alone = [_timed(pool, PROGRAM, limits) for _ in range(times)]
    chains = {f"chain_of_{count}_seconds": _timed(pool, CHAIN.format(count), limits) / 1000 for count in (1000, 19_000)}
    together: list[float] = []
    lock = threading.Lock()
    pool.warm(people)

    def person() -> None:
        for _ in range(runs_each):
            took = _timed(pool, PROGRAM, limits)
            with lock:
                together.append(took)

    crowd = [threading.Thread(target=person) for _ in range(people)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    pool.close()
    return {
        "worker_start_seconds": start,
        "run_20_lines": _spread(alone),
        f"run_20_lines_{people}_people_at_once": _spread(together),
        **chains,
    }


def _timed(pool: Pool, source: str, limits: Limits) -> float:
    begin = time.perf_counter()
    result = pool.run(source, limits)
    took = (time.perf_counter() - begin) * 1000
    if result.error:
        raise RuntimeError(f"the benchmark's program failed: {result.error}")
    return took


def _spread(times: list[float]) -> dict[str, float]:
    ordered = sorted(times)
    return {
        "median": ordered[len(ordered) // 2],
        "p95": ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))],
        "worst": ordered[-1],
    }


if __name__ == "__main__":
    print(json.dumps(run(), indent=1))
