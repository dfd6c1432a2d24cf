"""Two versions of a program: what corresponds and what differs."""

from __future__ import annotations

from itertools import pairwise

import pytest

from autograd.frames import frames
from snippets import run
from snippets.compare import Comparison, compare, pair_lines, same

LOOP = """\
import torch
x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(3.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(3):
    opt.zero_grad()
    h = (x * w).detach()
    y = h * w + x
    y.backward()
    opt.step()
print(w.grad)
"""
DIAMOND = """\
import torch
x = torch.tensor(2.0, requires_grad=True)
u = x * x
v = 3 * x
y = u + v
y.backward()
"""


def of(left: str, right: str) -> Comparison:
    """The comparison of two programs."""
    traces = run(left, diagnose=False).trace, run(right, diagnose=False).trace
    assert traces[0] is not None
    assert traces[1] is not None
    return compare(traces[0], traces[1], frames(traces[0]), frames(traces[1]))


def told(found: Comparison) -> dict[tuple[str, str], tuple[str, str]]:
    """What differs, by kind and name."""
    return {(one.what, one.name): (one.left, one.right) for one in found.differences}


def test_a_program_equals_itself() -> None:
    found = of(LOOP, LOOP)
    assert found.differences == ()
    assert all(a == b for a, b in found.steps)
    assert [pair.left for pair in found.pairs] == [pair.right for pair in found.pairs]
    assert found.unlike == (frozenset(), frozenset())


def test_detach_shows_in_recording_and_gradients() -> None:
    found = of(LOOP, LOOP.replace(".detach()", ""))
    said = told(found)
    assert said[".grad", "x"] == ("3", "16.406")
    assert said["recording", "h"] == ("not recorded", "recorded, MulBackward0")
    assert said["gradient", "h"] == ("None", "3, 1.8, 1.08")
    assert said["value", "w"] == ("1.536", "0.648")
    assert said["printed", "line 1 of the output"] == ("tensor(3.8400)", "tensor(4.3200)")
    assert found.changed_lines(LOOP, LOOP.replace(".detach()", "")) == ([7], [7])


def test_steps_rise_on_both_sides_and_show_the_same_kind_of_event() -> None:
    left, right = (
        LOOP,
        LOOP.replace(".detach()", "").replace("    opt.zero_grad()\n", "    k = x * 3\n    opt.zero_grad()\n"),
    )
    found = of(left, right)
    traces = run(left, diagnose=False).trace, run(right, diagnose=False).trace
    walks = frames(traces[0]), frames(traces[1])  # type: ignore[arg-type]
    assert len(found.steps) > 25
    for (a0, b0), (a1, b1) in pairwise(found.steps):
        assert a0 < a1
        assert b0 < b1
    assert all(walks[0][a].kind == walks[1][b].kind for a, b in found.steps)


def test_every_tensor_is_in_exactly_one_pair() -> None:
    right = DIAMOND.replace("v = 3 * x\n", "v = 3 * x\nextra = v.exp()\n")
    found = of(DIAMOND, right)
    lefts = [pair.left for pair in found.pairs if pair.left]
    rights = [pair.right for pair in found.pairs if pair.right]
    assert len(lefts) == len(set(lefts))
    assert len(rights) == len(set(rights))
    assert told(found)["only in the second", "extra"][1].startswith("extra = ")


def test_a_renamed_variable_is_found_by_its_line() -> None:
    found = of(DIAMOND, DIAMOND.replace("u = ", "square = ").replace("u + v", "square + v"))
    assert found.differences == ()


def test_lines_in_another_order_are_found_by_name() -> None:
    swapped = DIAMOND.replace("u = x * x\nv = 3 * x\n", "v = 3 * x\nu = x * x\n")
    found = of(DIAMOND, swapped)
    names = {node.id: node.name for node in run(swapped, diagnose=False).trace.nodes}  # type: ignore[union-attr]
    partner = {pair.left: names.get(pair.right or "") for pair in found.pairs}
    assert {partner["n1"], partner["n2"]} == {"u", "v"}
    assert not [one for one in found.differences if one.what == ".grad"]


def test_an_ending_by_error_comes_first() -> None:
    found = of(DIAMOND, DIAMOND + "y.backward()\n")
    first = found.differences[0]
    assert (first.what, first.left) == ("ending", "runs to its end")
    assert first.right.startswith("RuntimeError: Trying to backward through the graph a second time")
    assert first.right_line == 7


def test_each_difference_points_at_steps_that_exist() -> None:
    right = LOOP.replace(".detach()", "")
    found = of(LOOP, right)
    lengths = [len(frames(run(source, diagnose=False).trace)) for source in (LOOP, right)]  # type: ignore[arg-type]
    for one in found.differences:
        assert one.left_step is None or 0 <= one.left_step < lengths[0]
        assert one.right_step is None or 0 <= one.right_step < lengths[1]
    assert all(one.left_step is not None for one in found.differences if one.what == ".grad")


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (1.0, 1.0 + 1e-9, True),
        (1.0, 1.001, False),
        (0.0, 0.0, True),
        ("nan", "nan", True),
        ([1.0, [2.0]], [1.0, [2.0]], True),
        ([1.0], [1.0, 2.0], False),
        (None, 0.0, False),
        ({"shape": [100], "norm": 2.0}, {"shape": [100], "norm": 2.0}, True),
        ({"shape": [100], "norm": 2.0}, {"shape": [100], "norm": 3.0}, False),
    ],
)
def test_values_are_equal_up_to_rounding(one: object, other: object, equal: bool) -> None:
    assert same(one, other) is equal


def test_lines_are_paired_by_text_then_by_likeness() -> None:
    assert pair_lines("a = 1\nb = f(a)\nc = 3\n", "a = 1\nnew()\nb = f(a).detach()\nc = 3\n") == [
        (1, 1),
        (None, 2),
        (2, 3),
        (3, 4),
    ]
