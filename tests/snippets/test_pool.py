"""Worker processes: shared by many, replaced when lost, the same in both modes."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import snippets
from snippets.limits import Limits
from snippets.pool import Pool, default_mode

LIMITS = Limits(cpu_seconds=2, wall_seconds=8)
MODES = ["once", "fork"] if sys.platform == "linux" else ["once"]


@pytest.fixture(params=MODES)
def pool(request: pytest.FixtureRequest) -> Iterator[Pool]:
    pool = Pool(workers=2, mode=request.param)
    yield pool
    pool.close()


def processes(pool: Pool) -> list[int]:
    """The process ids of the idle workers."""
    return [worker._process.pid for worker in pool._idle]  # type: ignore[attr-defined]


def test_runs_and_describes(pool: Pool) -> None:
    source = "import torch\nx = torch.tensor(2.0, requires_grad=True)\n(x * 3).backward()\nprint(x.grad)\n"
    result = pool.run(source, LIMITS)
    assert (result.stdout, result.error, result.limit) == ("tensor(3.)\n", None, None)
    assert result.trace is not None
    assert [node.op for node in result.trace.nodes][:2] == [None, "mul"]
    assert result.values["x"]["grad"] == 3.0


def test_time_limits(pool: Pool) -> None:
    result = pool.run("x = 1\nwhile True:\n    x += 1\n", Limits(cpu_seconds=0.3))
    assert result.limit == "cpu"
    assert result.error is not None
    assert result.error["line"] in (2, 3)
    result = pool.run("import time\ntime.sleep(60)\n", Limits(wall_seconds=0.5))
    assert result.limit == "wall"
    assert result.error is not None
    assert result.error["line"] == 2
    result = pool.run("x = 1\nsum(iter(int, 1))\n", Limits(cpu_seconds=0.3))
    assert result.limit in ("cpu", "wall")
    assert result.error is not None
    assert result.error["line"] == 2


def test_a_crash_is_an_answer(pool: Pool) -> None:
    result = pool.run("import ctypes\nprint(1)\nctypes.string_at(0)\n", LIMITS, policy=False)
    assert result.error is not None
    assert (result.error["type"], result.error["line"]) == ("Crashed", 3)
    assert pool.run("print(2)", LIMITS).stdout == "2\n"


def test_nothing_is_shared_between_runs(pool: Pool) -> None:
    assert pool.run("x = 1\nimport math\n", LIMITS).error is None
    assert pool.run("print(x)\n", LIMITS).error == {
        "type": "NameError",
        "message": "name 'x' is not defined",
        "line": 1,
    }
    first = pool.run("import random, numpy as np\nprint(random.random(), np.random.rand())\n", LIMITS)
    again = pool.run("import random, numpy as np\nprint(random.random(), np.random.rand())\n", LIMITS)
    assert first.stdout == again.stdout


def test_no_run_finds_a_word_of_the_run_before(pool: Pool) -> None:
    secret = "spoken-in-" + "the-run-before"
    assert secret in pool.run(f"x = '{secret}'\nprint(x)\n", LIMITS).stdout
    source = """
import gc, sys
held = [o for o in gc.get_objects() if isinstance(o, (dict, list, tuple))]
found = [type(o) for o in held if "erofeb-nur-eht"[::-1] in repr(o)[:100_000]]
frame = sys._getframe()
while frame:
    found += [0 for v in list(frame.f_locals.values()) if isinstance(v, (str, bytes)) and "ni-nekops"[::-1] in str(v)]
    frame = frame.f_back
print(len(found))
"""
    result = pool.run(source, Limits(), policy=False, trace=False, diagnose=False)
    assert (result.error, result.stdout) == (None, "0\n")


def test_a_killed_idle_worker_is_replaced(pool: Pool) -> None:
    assert pool.run("print(1)", LIMITS).stdout == "1\n"
    wait_for(lambda: bool(processes(pool)))
    for pid in processes(pool):
        os.kill(pid, signal.SIGKILL)
    assert pool.run("print(2)", LIMITS).stdout == "2\n"


def test_a_worker_killed_at_work_is_an_answer(pool: Pool) -> None:
    pool.warm(1)
    wait_for(lambda: bool(processes(pool)))
    (pid, *_) = processes(pool)
    killer = threading.Timer(0.8, os.kill, (pid, signal.SIGKILL))
    killer.start()
    result = pool.run("import time\ntime.sleep(1.5)\n", Limits(cpu_seconds=1, wall_seconds=4))
    killer.join()
    assert result.error is None or result.error["type"] == "Crashed"  # the run itself may have had the time to end
    assert pool.run("print(2)", LIMITS).stdout == "2\n"


def test_more_people_than_workers(pool: Pool) -> None:
    with ThreadPoolExecutor(8) as people:
        answers = list(people.map(lambda n: pool.run(f"print({n} ** 2)", LIMITS).stdout, range(12)))
    assert answers == [f"{n * n}\n" for n in range(12)]


def test_a_closed_pool_says_so() -> None:
    pool = Pool(workers=1)
    pool.close()
    with pytest.raises(RuntimeError, match="closed"):
        pool.run("print(1)", LIMITS)


def test_closing_ends_every_process(pool: Pool) -> None:
    pool.run("print(1)", LIMITS)
    wait_for(lambda: bool(processes(pool)))
    workers = [worker._process for worker in pool._idle]  # type: ignore[attr-defined]
    pool.close()
    assert all(process.poll() is not None for process in workers)


def test_a_long_program_does_not_hold_up_the_others() -> None:
    pool = Pool(workers=2)
    try:
        pool.warm(2)
        long = threading.Thread(target=pool.run, args=("import time\ntime.sleep(1000)", Limits(wall_seconds=20)))
        long.start()
        for _ in range(3):
            assert pool.run("print(1)", LIMITS).stdout == "1\n"
        assert long.is_alive()
    finally:
        pool.close()
        long.join()


def test_no_descriptor_is_left_behind() -> None:
    folder = Path("/proc/self/fd")
    if not folder.is_dir():
        return
    for _ in range(2):
        pool = Pool(workers=1)
        pool.run("print(1)", LIMITS)
        pool.close()
        open_now = len(list(folder.iterdir()))
    pool = Pool(workers=1)
    pool.run("print(1)", LIMITS)
    pool.close()
    assert len(list(folder.iterdir())) <= open_now


def test_the_shared_pool_and_the_function_run() -> None:
    result = snippets.run("import torch\nprint(torch.tensor(3.0) * 2)")
    assert result.stdout == "tensor(6.)\n"
    assert snippets.run("print(1)", trace=False, diagnose=False).trace is None


def test_mode_is_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BACKSTEP_WORKER_MODE", "once")
    assert default_mode() == "once"
    monkeypatch.setenv("BACKSTEP_WORKER_MODE", "threads")
    with pytest.raises(ValueError, match="fork or once"):
        default_mode()


def wait_for(condition: object, seconds: float = 20.0) -> None:
    until = time.monotonic() + seconds
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < until
        time.sleep(0.01)
