"""The engine against its peers: scalar graphs, an MLP, a long chain, and what recording a trace costs.

Peers (micrograd, HIPS autograd, PyTorch) are installed with pip into folders of their own under ``.bench/`` and run in
processes of their own; the runs alternate, so that a slow moment of the machine hits all of them.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from autograd.record import recording
from snippets.torch_api import torch

ROOT = Path(__file__).parent.parent
PEERS = {"micrograd": "micrograd==0.1.0", "hips": "autograd==1.9.1", "torch": "torch==2.13.0"}
OPERATIONS = 1_000


def run() -> dict[str, object]:
    """All figures of the engine."""
    return {"scalar_graph": scalar_graph(), "mlp": mlp(), "chain": chain(), "recording": recording_cost()}


def install(name: str) -> Path | None:
    """The folder that holds the peer ``name``, or None when it can not be installed here."""
    folder = ROOT / ".bench" / name
    if not folder.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(folder), PEERS[name]]
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode:
            return None
    return folder


def scalar_graph(rounds: int = 5, repeats: int = 20) -> dict[str, object]:
    """Microseconds an operation, forward and backward, 1,000 scalar operations; medians over alternating rounds."""
    folders: dict[str, Path | None] = {"backstep": ROOT, **{name: install(name) for name in PEERS}}
    script = ROOT / "benchmarks" / "peers" / "scalar_graph.py"
    times: dict[str, list[float]] = {name: [] for name, folder in folders.items() if folder}
    for _ in range(rounds):
        for name in times:
            environment = {**os.environ, "PYTHONPATH": str(folders[name]), "PYTHONSAFEPATH": "1"}
            command = [sys.executable, str(script), name, str(OPERATIONS), str(repeats)]
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
            times[name].append(float(done.stdout))
    median = {name: statistics.median(values) for name, values in times.items()}
    ratios = {f"of_{name}": median["backstep"] / median[name] for name in median if name != "backstep"}
    return {"microseconds_an_operation": median, "ratio": ratios}


def best(function: Callable[[], object], repeats: int) -> float:
    """The least of ``repeats`` timings, in seconds."""
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return min(times)


def mlp(batch: int = 256, repeats: int = 300) -> dict[str, float]:
    """Forward and backward of a 784-128-10 network with cross-entropy, against the same by hand in NumPy."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal((batch, 784), dtype=np.float32)
    labels = rng.integers(0, 10, batch)
    w1, w2 = (rng.standard_normal(s, dtype=np.float32) * 0.05 for s in ((784, 128), (128, 10)))
    b1, b2 = np.zeros(128, np.float32), np.zeros(10, np.float32)
    rows = np.arange(batch)

    def by_hand() -> tuple[np.ndarray, ...]:
        h = x @ w1 + b1
        a = np.maximum(h, 0)
        z = a @ w2 + b2
        shifted = z - z.max(1, keepdims=True)
        log_p = shifted - np.log(np.exp(shifted).sum(1, keepdims=True))
        _loss = -log_p[rows, labels].mean()
        g = np.exp(log_p)
        g[rows, labels] -= 1
        g /= batch
        ga = (g @ w2.T) * (h > 0)
        return x.T @ ga, ga.sum(0), a.T @ g, g.sum(0)

    tensors = [torch.tensor(v, requires_grad=True) for v in (w1, b1, w2, b2)]
    tx, ty = torch.tensor(x), torch.tensor(labels)

    def by_engine() -> None:
        for t in tensors:
            t.grad = None
        p1, q1, p2, q2 = tensors
        hidden = (tx @ p1 + q1).relu()
        torch.nn.functional.cross_entropy(hidden @ p2 + q2, ty).backward()

    by_engine()
    difference = max(float(np.abs(t.grad.numpy() - g).max()) for t, g in zip(tensors, by_hand(), strict=True))
    hand = engine = float("inf")
    for _ in range(repeats // 10):
        hand, engine = min(hand, best(by_hand, 10)), min(engine, best(by_engine, 10))
    return {"by_hand_ms": hand * 1e3, "engine_ms": engine * 1e3, "ratio": engine / hand, "difference": difference}


def chain(length: int = 100_000) -> dict[str, float]:
    """Seconds for forward, backward and deletion of a chain of ``length`` additions and multiplications."""
    x = torch.tensor(1.0, requires_grad=True)
    begin = time.perf_counter()
    y = x
    for _ in range(length // 2):
        y = y * 1.0
        y = y + x
    forward = time.perf_counter()
    y.backward()
    backward = time.perf_counter()
    del y
    end = time.perf_counter()
    return {
        "forward_s": forward - begin,
        "backward_s": backward - forward,
        "deletion_s": end - backward,
        "total_s": end - begin,
    }


def recording_cost(operations: int = OPERATIONS, repeats: int = 50) -> dict[str, float]:
    """What recording a trace costs, as a ratio of the same scalar graph without."""
    from benchmarks.peers.scalar_graph import graph

    leaves = [torch.tensor(v, requires_grad=True) for v in (0.7, 1.1, 0.3)]

    def plain() -> None:
        graph(*leaves, operations).backward()

    def recorded() -> None:
        with recording(""):
            graph(*leaves, operations).backward()

    off = on = float("inf")
    for _ in range(repeats // 5):
        off, on = min(off, best(plain, 5)), min(on, best(recorded, 5))
    return {"off_ms": off * 1e3, "on_ms": on * 1e3, "ratio": on / off}
