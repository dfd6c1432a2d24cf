"""Faulty programs and their repairs: output, variables, error and warnings are those of PyTorch 2.13."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.snippets.conftest import Runner

FOLDER = Path(__file__).parent / "cases"
CASES = [f"{case['id']}-{case['slug']}" for case in json.loads((FOLDER / "index.json").read_text())]


def close(got: Any, want: Any) -> bool:
    """Equal, numbers to 1e-6 + 1e-5 relative."""
    if isinstance(want, bool) or want is None or isinstance(want, str):
        return type(got) is type(want) and got == want
    if isinstance(want, (int, float)):
        return isinstance(got, (int, float)) and abs(got - want) <= 1e-6 + 1e-5 * abs(want)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(close, got, want))
    return isinstance(got, dict) and got.keys() == want.keys() and all(close(got[key], want[key]) for key in want)


@pytest.mark.parametrize("kind", ["case", "fix"])
@pytest.mark.parametrize("name", CASES)
def test_behaves_as_in_pytorch(name: str, kind: str, run: Runner) -> None:
    expected = json.loads((FOLDER / name / "expected.json").read_text())
    want, skip = expected[kind], expected["skip_values"]
    got = run((FOLDER / name / f"{kind}.py").read_text())
    assert got.stdout == want["stdout"]
    if want["error"] is None:
        assert got.error is None
    else:
        assert got.error is not None
        assert (got.error["type"], got.error["line"]) == (want["error"]["type"], want["error"]["line"])
        assert want["error"]["phrase"] in got.error["message"]
    for variable, value in want["values"].items():
        if variable not in skip:
            assert close(got.values.get(variable), value), (variable, got.values.get(variable), value)
    messages = [warning["message"] for warning in got.warnings]
    assert all(any(w["phrase"] in message for message in messages) for w in want["warnings"])
    assert bool(messages) == bool(want["warnings"])


@pytest.mark.parametrize("name", CASES)
def test_recording_changes_nothing(name: str, run: Runner) -> None:
    source = (FOLDER / name / "fix.py").read_text()
    plain, recorded = run(source), run(source, trace=True)
    assert (plain.stdout, plain.values, plain.error, plain.warnings) == (
        recorded.stdout, recorded.values, recorded.error, recorded.warnings,
    )  # fmt: skip
    assert recorded.trace is not None
    assert (recorded.trace.stdout, recorded.trace.error) == (recorded.stdout, recorded.error)
