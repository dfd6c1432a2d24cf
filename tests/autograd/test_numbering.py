"""Names that a program gives to several tensors are told apart, wherever they are written."""

from __future__ import annotations

from autograd import frames, notation
from autograd.numbering import Numbering
from autograd.trace import Trace
from snippets import run

LOOP = """import torch
h = torch.tensor(1.0)
for layer in range(2):
    w = torch.tensor(0.5, requires_grad=True)
    z = w * h + w
    h = torch.relu(z)
loss = h.sum() ** 2
loss.backward()
"""


def traced(source: str) -> Trace:
    trace = run(source, diagnose=False).trace
    assert trace is not None
    return trace


def titles(source: str) -> list[str]:
    return [notation.titled(node) for node in Numbering(traced(source)).nodes]


def test_a_second_use_of_a_name_is_numbered_in_its_expression_too() -> None:
    assert titles(LOOP) == [
        *("h", "w", "w·h", "z = (w·h) + w", "h₂ = relu(z)"),
        *("w₂", "w₂·h₂", "z₂ = (w₂·h₂) + w₂", "h₃ = relu(z₂)"),
        *("h₃.sum()", "loss = h₃.sum()²"),
    ]


def test_the_rules_speak_of_the_same_tensors() -> None:
    said = [frame.text for frame in frames.frames(traced(LOOP))]
    assert any("w₂·h₂ passes 2 × w₂ = 2 × 0.5 = 1 to h₂." in text for text in said), said
    assert any("w·h passes 1 × h = 1 × 1 = 1 to w." in text for text in said), said


def test_parts_of_longer_names_and_methods_stay() -> None:
    source = """import torch
sum = torch.tensor([2.0, 1.0], requires_grad=True)
sums = sum * 3
sum = sums * sum
total = sum.sum() + sums.sum()
"""
    assert titles(source)[2:] == ["sum₂ = sums·sum", "sum₂.sum()", "sums.sum()", "total = sum₂.sum() + sums.sum()"]


def test_names_used_once_are_left_alone() -> None:
    trace = traced("import torch\nx = torch.tensor(3.0, requires_grad=True)\ny = x * x\ny.backward()\n")
    assert Numbering(trace).nodes is trace.nodes
