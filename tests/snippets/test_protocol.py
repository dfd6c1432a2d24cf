"""What a worker says is believed only as far as it is well formed."""

# ruff: noqa: E501 - a table reads best with one entry a line

from __future__ import annotations

from typing import Any

import pytest

from snippets.limits import Limits
from snippets.protocol import BrokenProtocol, checked_diagnosis, checked_result, frame, messages, read_frame, to_line
from snippets.verdict import verdict

GOOD: dict[str, Any] = {
    "stdout": "x", "values": {}, "error": None, "warnings": [], "trace": None, "limit": None, "truncated": False, "facts": {},
}  # fmt: skip


def reader(data: bytes) -> Any:
    rest = bytearray(data)

    def read(count: int) -> bytes:
        part = bytes(rest[: min(count, 3)])  # in small pieces, as a pipe may give them
        del rest[: len(part)]
        return part

    return read


def test_frames() -> None:
    read = reader(frame(b"hello") + frame(b""))
    assert read_frame(read, 100) == b"hello"
    assert read_frame(read, 100) == b""
    assert read_frame(read, 100) is None


@pytest.mark.parametrize("data", [frame(b"hello")[:-1], frame(b"x")[:4], frame(b"x" * 200)])
def test_broken_frames(data: bytes) -> None:
    with pytest.raises(BrokenProtocol):
        read_frame(reader(data), 100)


def test_a_proper_result_is_taken() -> None:
    assert checked_result(GOOD, 10)["stdout"] == "x"


@pytest.mark.parametrize(
    "change",
    [
        {"stdout": 5},
        {"stdout": "x" * 100},
        {"values": []},
        {"error": {"type": "E"}},
        {"error": {"type": "E", "message": "m", "line": "one"}},
        {"error": "text"},
        {"warnings": [{"category": 1, "message": "", "line": None}]},
        {"limit": "patience"},
        {"truncated": 1},
        {"facts": None},
        {"trace": {"version": 1}},
        {"trace": {"version": 99}},
        {
            "trace": {
                "version": 1,
                "source": "",
                "nodes": [{"id": "n0"}],
                "edges": [],
                "events": [],
                "stdout": "",
                "error": None,
                "warnings": [],
            }
        },
        {"trace": []},
    ],
)
def test_a_forged_result_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(BrokenProtocol):
        checked_result({**GOOD, **change}, 10)


@pytest.mark.parametrize("key", list(GOOD))
def test_a_missing_field_is_refused(key: str) -> None:
    with pytest.raises(BrokenProtocol):
        checked_result({name: value for name, value in GOOD.items() if name != key}, 10)


def test_lines_that_are_no_objects_are_dropped() -> None:
    assert messages(b'nonsense\n[1]\n\xff\n{"a": 1}\n' + b"[" * 100_000 + b"\n") == [{"a": 1}]


def test_a_diagnosis_without_form_is_dropped() -> None:
    good = {"category": "c", "severity": "fault", "title": "t", "extra": 1}
    found = checked_diagnosis({"diagnosis": [good, 5, {"category": "c"}, None]})
    assert [finding["category"] for finding in found] == ["c"]
    assert "extra" not in found[0]
    assert checked_diagnosis({"diagnosis": "text"}) == checked_diagnosis({}) == []


def test_numbers_that_json_lacks_become_strings() -> None:
    assert to_line({"x": [float("nan"), float("inf"), -float("inf"), 1.5]}) == b'{"x":["nan","inf","-inf",1.5]}\n'


STACK = "Stack (most recent call first):"


@pytest.mark.parametrize(
    ("outcome", "limit", "type_"),
    [
        ({"exit": -9, "killed": "wall", "side": 'File "<snippet>", line 7 in f', "cpu": 9.0}, "cpu", "LimitReached"),
        ({"exit": -9, "killed": "wall", "side": 'File "<snippet>", line 7 in f', "cpu": 0.1}, "wall", "LimitReached"),
        ({"exit": 72, "killed": None, "side": 'File "<snippet>", line 7', "cpu": 0.1}, "memory", "LimitReached"),
        ({"exit": -11, "killed": None, "side": 'Fatal\n  File "<snippet>", line 7', "cpu": 0.1}, None, "Crashed"),
        (
            {"exit": -11, "killed": None, "side": f'{STACK}\n  File Fatal\n  File "<snippet>", line 7', "cpu": 9.0},
            "cpu",
            "LimitReached",
        ),
    ],
)
def test_a_process_that_ends_without_an_answer(outcome: dict[str, Any], limit: str | None, type_: str) -> None:
    result = verdict(outcome, b"", Limits(), 1.0)
    assert result.limit == limit
    assert result.error is not None
    assert (result.error["type"], result.error["line"]) == (type_, 7)
