"""Programs made up by chance: always an answer, never past the limit, nothing left behind, the app alive."""

# ruff: noqa: E501 - a table reads best with one entry a line

from __future__ import annotations

import json

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from snippets.limits import Limits
from snippets.pool import Pool
from snippets.result import Result

LIMITS = Limits(cpu_seconds=0.3, wall_seconds=1.0, drawn_nodes=300, recorded_operations=500, output_bytes=2000)
#: The longest a run may take when the machine has other things to do too.
PATIENCE = 60.0
KNOWN_TYPES = {"LimitReached", "Crashed", "NotAllowed"}

OPERATORS = "+ - * / ** @ // % == < and or is in"
UPDATES = "+= -= *= /= @="

names = st.sampled_from(["x", "y", "w", "f", "net", "torch", "np", "self", "__class__", "_", "print", "é", "int"])
attributes = st.sampled_from(
    ["grad", "data", "shape", "T", "backward", "detach", "item", "sum", "__class__", "__dict__", "__init__", "format", "_meta",
     "array", "numpy", "tofile", "gi_frame", "append", "grad_fn", "next_functions", "requires_grad", "tb_frame", "obj"]
)  # fmt: skip
numbers = st.one_of(st.integers(-10, 10), st.floats(allow_nan=False, allow_infinity=False, width=32)).map(repr)
texts = st.text(max_size=8).map(repr)


def _operations(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pairs = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(inner, st.sampled_from(OPERATORS.split()), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(inner, attributes).map(lambda t: f"({t[0]}).{t[1]}"),
        st.tuples(inner, attributes).map(lambda t: f"({t[0]}).{t[1]}()"),
        pairs.map(lambda t: f"({t[0]})[{t[1]}]"),
        pairs.map(lambda t: f"({t[0]})({t[1]})"),
        pairs.map(lambda t: f"[{t[0]} for x in ({t[1]},)]"),
        inner.map(lambda e: f"torch.tensor({e}, requires_grad=True)"),
        st.tuples(st.sampled_from(["exp", "log", "relu", "sum", "tanh", "sigmoid", "matmul", "stack"]), inner).map(
            lambda t: f"torch.{t[0]}({t[1]})"
        ),
        inner.map(lambda e: f'f"{{{e}!r:>5}}"' if '"' not in e and "\\" not in e and "'" not in e else e),
        st.tuples(
            st.sampled_from(["getattr", "isinstance", "type", "len", "print", "str", "next", "super", "vars"]), inner
        ).map(lambda t: f"{t[0]}({t[1]})"),
        pairs.map(lambda t: f"(lambda x: {t[0]})({t[1]})"),
        pairs.map(lambda t: f"({t[0]} if {t[1]} else 1)"),
    )


expressions = st.recursive(st.one_of(names, numbers, texts, st.just("torch.ones(2, 2)")), _operations, max_leaves=6)


def _indented(block: str) -> str:
    return "".join(f"    {line}\n" for line in block.splitlines())


def _blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(expressions, inner).map(lambda t: f"if {t[0]}:\n{_indented(t[1])}"),
        st.tuples(expressions, inner).map(lambda t: f"for y in range(3):\n{_indented(t[1])}"),
        inner.map(lambda b: f"while True:\n{_indented(b)}"),
        st.tuples(inner, inner).map(lambda t: f"try:\n{_indented(t[0])}except Exception as e:\n{_indented(t[1])}"),
        st.tuples(inner, inner).map(lambda t: f"try:\n{_indented(t[0])}finally:\n{_indented(t[1])}"),
        inner.map(lambda b: f"def f(x=1, *a, **k):\n{_indented(b)}"),
        inner.map(lambda b: f"class A(object):\n    def __init__(self):\n{_indented(_indented(b))}x = A()\n"),
        inner.map(lambda b: f"with torch.no_grad():\n{_indented(b)}"),
        st.tuples(expressions, inner).map(lambda t: f"match {t[0]}:\n    case [x, *_]:\n{_indented(_indented(t[1]))}"),
        st.tuples(inner, inner).map("".join),
    )


statements = st.recursive(
    st.one_of(
        expressions.map(lambda e: f"{e}\n"),
        st.tuples(names, expressions).map(lambda t: f"{t[0]} = {t[1]}\n"),
        st.tuples(names, st.sampled_from(UPDATES.split()), expressions).map(lambda t: f"{t[0]} {t[1]} {t[2]}\n"),
        st.tuples(names, attributes, expressions).map(lambda t: f"{t[0]}.{t[1]} = {t[2]}\n"),
        st.tuples(names, expressions).map(lambda t: f"x[{t[1]}] = {t[0]}\n"),
        expressions.map(lambda e: f"({e}).backward()\n"),
        st.sampled_from(["import os\n", "pass\n", "break\n", "return x\n", "yield x\n", "del x\n", "raise ValueError(x)\n",
                         "import torch.nn as nn\n", "global x\n", "nonlocal x\n", "assert x\n"]),
    ),
    _blocks,
    max_leaves=6,
)  # fmt: skip
programs = st.lists(statements, min_size=1, max_size=6).map(
    lambda parts: (
        "import torch\nimport numpy as np\nx = torch.tensor([1.0, 2.0], requires_grad=True)\n" + "".join(parts)
    )
)


def sound(result: Result, source: str) -> None:
    """The answer is whole, plain, and in time; an error has a line of the program."""
    text = json.dumps(result.to_dict("x"), allow_nan=False)
    assert "/work" not in text.replace(json.dumps(source), "")
    assert result.seconds < PATIENCE
    if result.error is not None:
        assert result.error["type"] != "Crashed", (result.error, source)
        line = result.error["line"]
        assert line is None or 1 <= line <= source.count("\n") + source.count("\r") + 1


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(programs)
def test_generated_programs(pool: Pool, source: str) -> None:
    sound(pool.run(source, LIMITS), source)


@settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.text(max_size=200))
def test_any_text(pool: Pool, source: str) -> None:
    sound(pool.run(source, LIMITS), source)


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.text(alphabet="()[]{}:.,'\"\\\n \t=@*f0x_", max_size=120))
def test_text_of_signs(pool: Pool, source: str) -> None:
    sound(pool.run(source, LIMITS), source)


def test_the_pool_lives_on(pool: Pool) -> None:
    assert pool.run("print(6 * 7)", LIMITS).stdout == "42\n"
