"""Every example gives on our engine what PyTorch gave (tests/golden/examples, written by make_examples.py)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from snippets import examples, run

GOLDEN = Path(__file__).parent / "golden" / "examples"
REQUIRED = ("quadratic", "square-plus-3x", "diamond", "branch", "neuron", "mlp", "broadcast", "minimal-engine")


def close(got: Any, want: Any) -> bool:
    """Equal up to 1e-6 + 1e-5 relative in numbers, and exactly in everything else."""
    if isinstance(want, bool) or want is None or isinstance(want, str):
        return type(got) is type(want) and got == want
    if isinstance(want, int | float):
        return isinstance(got, int | float) and not isinstance(got, bool) and abs(got - want) <= 1e-6 + 1e-5 * abs(want)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(close, got, want))
    if isinstance(want, dict):
        return isinstance(got, dict) and got.keys() == want.keys() and all(close(got[k], want[k]) for k in want)
    return False


@pytest.mark.parametrize("name", examples.names())
def test_example_gives_what_pytorch_gives(name: str) -> None:
    want = json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))
    result = run(examples.load(name).source, trace=True)

    assert result.limit is None
    assert result.error == want["error"]
    assert result.stdout == want["stdout"]
    assert result.values.keys() == want["values"].keys()
    for variable, value in want["values"].items():
        assert close(result.values[variable], value), f"{variable}: got {result.values[variable]}, want {value}"
    got_warnings = [{"category": one["category"], "message": one["message"]} for one in result.warnings]
    assert got_warnings == want["warnings"]


@pytest.mark.parametrize("name", REQUIRED)
def test_the_named_examples_exist(name: str) -> None:
    example = examples.load(name)
    assert example.title
    assert example.summary
    assert example.source.startswith("import torch")


@pytest.mark.parametrize("name", examples.names())
def test_an_example_records_something_to_step_through(name: str) -> None:
    trace = run(examples.load(name).source, trace=True, diagnose=False).trace
    assert trace is not None
    assert any(node.kind == "op" for node in trace.nodes)


def test_every_golden_file_belongs_to_an_example() -> None:
    assert {path.stem for path in GOLDEN.glob("*.json")} == set(examples.names())
