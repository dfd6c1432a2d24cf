"""The numbers of a program that a reader may change."""

# ruff: noqa: E501 - a table reads best with one entry a line

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippets import inputs

SOURCE = """import torch

x = torch.tensor(3.0, requires_grad=True)  # here
w = torch.tensor([[1.0, -2.0],
                  [0.5, 4]])
k = -3
rate: float = 0.1
é = torch.tensor(2.0)
name = "text"
flag = True
y = x * 2
z = torch.tensor([[1.0], [2.0, 3.0]])
p = torch.nn.Parameter(torch.tensor([1.0]))
_hidden = 5
k = 7
for i in range(3):
    inner = 4
"""


def test_find() -> None:
    found = inputs.find(SOURCE)
    assert [(item.name, item.line, item.value) for item in found] == [
        ("x", 3, 3.0), ("w", 4, [[1.0, -2.0], [0.5, 4]]), ("k", 6, -3), ("rate", 7, 0.1), ("é", 8, 2.0), ("p", 13, [1.0]),
    ]  # fmt: skip
    assert [SOURCE[item.start : item.end] for item in found if item.name in ("x", "k", "é")] == ["3.0", "-3", "2.0"]
    assert [item.shape for item in found][:2] == [(), (2, 2)]


def test_replace_edits_only_the_literals() -> None:
    changed = inputs.replace(SOURCE, {"x": 4, "k": "5", "é": "\N{MINUS SIGN}1.5", "w": [[1, 2], [3, 4]]})
    assert "x = torch.tensor(4.0, requires_grad=True)  # here\n" in changed
    assert "k = 5\n" in changed
    assert "é = torch.tensor(-1.5)\n" in changed
    assert "w = torch.tensor([[1.0, 2.0], [3.0, 4.0]])\n" in changed
    assert "k = 7\n" in changed


def test_lines_with_other_ends() -> None:
    source = "a = 1\r\ns = 'x\u2028y'\r\nb = 2.0\r\n"
    assert inputs.replace(source, {"b": 3}) == "a = 1\r\ns = 'x\u2028y'\r\nb = 3.0\r\n"


@pytest.mark.parametrize(
    ("value", "phrase"),
    [
        ("", "missing"),
        ("abc", "not a number"),
        ("__import__('os')", "not a number"),
        ("nan", "ordinary number"),
        ("-inf", "ordinary number"),
        ("1e999", "too large"),
        (float("nan"), "finite"),
        (1e40, "too large"),
        ("[1, 2]", "single number"),
        (True, "must be a number"),
        ("9" * 5000, "too long"),
    ],
)
def test_bad_values_are_answered_in_words(value: Any, phrase: str) -> None:
    with pytest.raises(ValueError, match=phrase):
        inputs.replace(SOURCE, {"x": value})


def test_whole_numbers_stay_whole() -> None:
    with pytest.raises(ValueError, match="whole number"):
        inputs.replace(SOURCE, {"k": 2.5})
    assert "k = 2\n" in inputs.replace(SOURCE, {"k": 2.0})


def test_a_name_that_is_no_input() -> None:
    with pytest.raises(ValueError, match=r"y is no input.*x, w, k"):
        inputs.replace(SOURCE, {"y": 1})


@pytest.mark.parametrize("source", ["x = (", "x = 1\x00", "(" * 10_000, ""])
def test_what_is_no_python_has_no_inputs(source: str) -> None:
    assert inputs.find(source) == []


@given(st.floats(-1e6, 1e6), st.lists(st.floats(-100, 100), min_size=2, max_size=2))
def test_what_was_put_in_is_found_again(number: float, row: list[float]) -> None:
    changed = inputs.replace(SOURCE, {"x": number, "w": [row, row]})
    found = {item.name: item.value for item in inputs.find(changed)}
    assert found["x"] == number
    assert found["w"] == [row, row]
    assert ast.dump(ast.parse(inputs.replace(changed, {"x": 3.0, "w": [[1.0, -2.0], [0.5, 4]]}))) == ast.dump(
        ast.parse(inputs.replace(SOURCE, {"w": [[1.0, -2.0], [0.5, 4]]}))
    )
