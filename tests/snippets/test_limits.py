"""Each limit, reached: the answer says which, and at which line."""

# ruff: noqa: E501 - a table reads best with one entry a line

from __future__ import annotations

import pytest

from snippets.limits import MEBIBYTE, Limits, workers_from_environment
from tests.snippets.conftest import Runner


@pytest.mark.parametrize(
    "source",
    [
        "x = 1\nwhile True:\n    x += 1\n",
        "x = 1\ndef f():\n    while True: pass\nf()\n".replace("while True: pass", "sum(range(10 ** 6))\n    f()"),
        "x = 1\n\n[i for i in iter(int, 1)]\n",
    ],
)
def test_cpu(source: str, run: Runner) -> None:
    result = run(source, cpu_seconds=0.3)
    if result.limit is None:  # the recursion ends before the clock does
        assert result.error is not None
        assert result.error["type"] == "RecursionError"
        return
    assert result.limit in ("cpu", "memory")
    assert result.error is not None
    assert result.error["line"] == (2 if "x += 1" in source else 3)


def test_cpu_in_a_computation_that_python_cannot_interrupt(run: Runner) -> None:
    result = run("x = 1\ny = sum(iter(int, 1))\n", cpu_seconds=0.3)
    assert result.limit == "cpu"
    assert result.error is not None
    assert result.error["line"] == 2
    assert "0.3 seconds of processor time" in result.error["message"]
    assert result.seconds < 30


def test_what_was_printed_before_the_limit_is_kept(run: Runner) -> None:
    result = run("print('before')\nx = [1, 2]\nwhile True:\n    pass\n", cpu_seconds=0.3)
    assert result.stdout == "before\n"
    assert result.values["x"] == {"kind": "list", "items": [1, 2]}
    assert result.error is not None
    assert result.error["type"] == "LimitReached"


def test_wall(run: Runner) -> None:
    result = run("import time\nprint(1)\ntime.sleep(60)\n", wall_seconds=0.5)
    assert (result.limit, result.stdout) == ("wall", "1\n")
    assert result.error is not None
    assert result.error["line"] == 3


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nx = np.ones(10 ** 9)\n",
        "x = []\nwhile True: x.append('x' * 10 ** 6)\n",
        "import torch\nx = torch.zeros(50000, 50000)\n",
        "x = 1\ny = bytearray(600 * 1024 * 1024)\n",
    ],
)
def test_memory(source: str, run: Runner) -> None:
    result = run(source)
    assert result.limit == "memory"
    assert result.error is not None
    assert (result.error["type"], result.error["line"]) == ("MemoryError", 2)
    assert "512 MiB" in result.error["message"]


def test_memory_up_to_the_limit_can_be_had(run: Runner) -> None:
    assert run("x = bytearray(400 * 1024 * 1024)\nprint(len(x))\n").stdout == "419430400\n"


def test_memory_limit_is_a_setting(run: Runner) -> None:
    result = run("x = bytearray(400 * 1024 * 1024)\n", memory_bytes=64 * MEBIBYTE)
    assert result.limit == "memory"


def test_a_program_may_catch_a_memory_error_and_go_on(run: Runner) -> None:
    result = run("try:\n    x = bytearray(10 ** 12)\nexcept MemoryError:\n    print('caught')\n")
    assert (result.error, result.limit, result.stdout) == (None, None, "caught\n")


def test_output(run: Runner) -> None:
    result = run("for i in range(10 ** 7):\n    print('x' * 100)\n")
    assert result.limit == "output"
    assert len(result.stdout) == MEBIBYTE
    assert result.error is not None
    assert result.error["line"] == 2
    assert "1 MiB" in result.error["message"]


def test_output_is_counted_in_bytes(run: Runner) -> None:
    result = run("print('é' * 60)\n", output_bytes=100)
    assert result.limit == "output"
    assert result.stdout == "é" * 50


def test_nodes_to_draw(run: Runner) -> None:
    source = "import torch\nx = torch.tensor(1.0, requires_grad=True)\nfor i in range(300):\n    x = x * 1.01\nprint('end')\n"
    result = run(source, drawn_nodes=100, trace=True)
    assert result.limit == "nodes"
    assert result.error is not None
    assert result.error["line"] == 4
    assert "100 nodes" in result.error["message"]
    assert result.trace is not None
    assert len(result.trace.nodes) == 100
    assert result.stdout == ""


def test_without_a_trace_the_program_goes_on(run: Runner) -> None:
    source = "import torch\nx = torch.tensor(1.0, requires_grad=True)\nfor i in range(300):\n    x = x * 1.01\nprint('end')\n"
    result = run(source, drawn_nodes=100, trace=False, diagnose=True)
    assert (result.limit, result.error, result.stdout, result.truncated) == (None, None, "end\n", True)


@pytest.mark.parametrize("trace", [True, False])
def test_recorded_operations(trace: bool, run: Runner) -> None:
    source = "import torch\nx = torch.tensor(1.0, requires_grad=True)\nwhile True:\n    x = x * 1.01\n"
    result = run(source, recorded_operations=500, trace=trace, diagnose=trace)
    assert result.limit == "operations"
    assert result.error is not None
    assert result.error["line"] == 4
    assert "500 operations" in result.error["message"]


def test_operations_that_are_not_recorded_do_not_count(run: Runner) -> None:
    source = "import torch\nx = torch.tensor(1.0)\nfor i in range(1000):\n    x = x * 1.001\nprint('end')\n"
    assert run(source, recorded_operations=500).stdout == "end\n"


def test_default_limits_of_the_graph_are_met_in_time(run: Runner) -> None:
    source = "import torch\nx = torch.tensor(1.0, requires_grad=True)\nwhile True:\n    x = x * 1.0001\n"
    assert run(source).limit == "operations"
    drawn = run(source, trace=True)
    assert drawn.limit == "nodes"
    assert drawn.trace is not None
    assert len(drawn.trace.nodes) == 20_000


def test_length_of_the_program(run: Runner) -> None:
    result = run("x = 1\n" * 50_000)
    assert result.limit == "source"
    assert result.error is not None
    assert "at most" in result.error["message"]


def test_size_of_the_answer(run: Runner) -> None:
    source = "x = [[0.5] * 1000 for _ in range(100)]\n"
    result = run(source, result_bytes=100_000)
    assert result.limit == "output"
    assert result.error is not None
    assert "takes more than" in result.error["message"]


@pytest.mark.parametrize(
    "source",
    [
        "while True:\n    try:\n        while True: pass\n    except BaseException:\n        pass\n",
        "while True:\n    try:\n        while True: pass\n    except:\n        continue\n",
        "while True:\n    try:\n        while True: pass\n    finally:\n        continue\n",
        "class A:\n    def __enter__(self): pass\n    def __exit__(self, *a): return True\nwhile True:\n    with A():\n        while True: pass\n",
        "def g():\n    while True:\n        try:\n            yield 1\n        except GeneratorExit:\n            pass\nfor x in g(): pass\n",
        "class A:\n    def __eq__(self, other):\n        while True: pass\nA() == 1\n",
    ],
)
def test_no_program_keeps_itself_from_being_stopped(source: str, run: Runner) -> None:
    result = run(source, cpu_seconds=0.3, wall_seconds=1.0)
    assert result.error is not None
    assert result.limit in ("cpu", "wall")
    assert result.seconds < 30


def test_an_error_whose_message_never_ends_is_told_without_it(run: Runner) -> None:
    result = run("class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E\n")
    assert result.error == {"type": "E", "message": "(its message takes too long)", "line": 4}


def test_variables_that_never_let_themselves_be_read_are_left_out(run: Runner) -> None:
    source = "class L(list):\n    def __iter__(self):\n        while True: pass\nx = L([1])\ny = 2\n"
    assert run(source).values == {"x": {"kind": "list", "items": [1]}, "y": 2}


def test_settings_come_from_the_environment() -> None:
    limits = Limits.from_environment({"BACKSTEP_CPU_SECONDS": "2.5", "BACKSTEP_DRAWN_NODES": "7", "OTHER": "1"})
    assert (limits.cpu_seconds, limits.drawn_nodes, limits.wall_seconds) == (2.5, 7, 10.0)
    assert workers_from_environment({"BACKSTEP_WORKERS": "3"}) == 3
    assert workers_from_environment({}) >= 4


@pytest.mark.parametrize("text", ["many", "-1", "0", "nan", "inf"])
def test_a_setting_that_is_no_number_is_named(text: str) -> None:
    with pytest.raises(ValueError, match=r"(?i)cpu_seconds"):
        Limits.from_environment({"BACKSTEP_CPU_SECONDS": text})
    with pytest.raises(ValueError, match="BACKSTEP_WORKERS"):
        workers_from_environment({"BACKSTEP_WORKERS": text})


def test_defaults_are_those_promised() -> None:
    limits = Limits()
    assert (limits.cpu_seconds, limits.wall_seconds, limits.memory_bytes) == (5.0, 10.0, 512 * MEBIBYTE)
    assert (limits.output_bytes, limits.drawn_nodes, limits.recorded_operations) == (MEBIBYTE, 20_000, 200_000)
