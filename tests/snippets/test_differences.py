"""Central differences beside autograd's numbers."""

from __future__ import annotations

import pytest

from snippets import Result, examples, run
from snippets.differences import NotChecked, check, leaves, moved


def light(source: str) -> Result:
    return run(source, diagnose=False)


def checked(source: str, leaf: str) -> list[tuple[tuple[int, ...], float, float]]:
    result = light(source)
    assert result.trace is not None
    return [(d.index, d.autograd, d.central) for d in check(source, result.trace, leaf, light)]


@pytest.mark.claim("C09")
@pytest.mark.parametrize("name", ["quadratic", "square-plus-3x", "diamond", "neuron", "chain-rule"])
def test_every_leaf_of_the_examples_agrees(name: str) -> None:
    source = examples.load(name).source
    result = light(source)
    assert result.trace is not None
    found = leaves(result.trace)
    assert found
    for node in found:
        for difference in check(source, result.trace, str(node.name), light):
            assert difference.error <= 1e-5 * max(1.0, abs(difference.autograd)), (name, node.name, difference)


def test_entries_of_an_array_are_checked_one_by_one() -> None:
    source = "import torch\nx = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)\ny = (x ** 3).sum()\ny.backward()\n"
    for (index, autograd, central), expected in zip(checked(source, "x"), [3.0, 12.0, 27.0], strict=True):
        assert len(index) == 1
        assert autograd == expected
        assert central == pytest.approx(expected, abs=1e-5)


def test_a_leaf_that_is_no_literal_is_moved_by_a_line_of_its_own() -> None:
    source = "import torch\nw = torch.ones(2, requires_grad=True)\ny = (w * w * 3).sum()\ny.backward()\n"
    assert [central for _, _, central in checked(source, "w")] == pytest.approx([6.0, 6.0], abs=1e-5)
    assert moved(source, "w", (1,), 0.5, 2).splitlines()[2] == "w.data[1] += 0.5"


def test_only_the_first_backward_pass_counts() -> None:
    source = (
        "import torch\nx = torch.tensor(3.0, requires_grad=True)\n"
        "for _ in range(2):\n    (x ** 2).backward()\nprint(x.grad)\n"
    )
    assert checked(source, "x") == [((), 6.0, pytest.approx(6.0, abs=1e-6))]


def test_a_dtype_the_program_names_is_kept_and_the_step_grows() -> None:
    source = (
        "import torch\nx = torch.tensor(2.0, dtype=torch.float32, requires_grad=True)\ny = x ** 2 + x\ny.backward()\n"
    )
    result = light(source)
    assert result.trace is not None
    (difference,) = check(source, result.trace, "x", light)
    assert difference.h > 1e-3
    assert difference.error < 1e-2


def test_a_cut_gradient_differs() -> None:
    source = "import torch\nx = torch.tensor(2.0, requires_grad=True)\ny = x * x.detach()\ny.backward()\n"
    ((_, autograd, central),) = checked(source, "x")
    assert autograd == 2.0
    assert central == pytest.approx(4.0, abs=1e-5)


def test_what_cannot_be_checked_says_why() -> None:
    vector = "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\ny = x * 2\ny.backward(torch.ones(2))\n"
    with pytest.raises(NotChecked, match="several numbers"):
        checked(vector, "x")
    with pytest.raises(NotChecked, match="nothing got no gradient"):
        checked(vector, "nothing")
    inside = (
        "import torch\ndef make():\n    w = torch.ones(1, requires_grad=True)\n"
        "    (w * 2).sum().backward()\n    return w\nmake()\n"
    )
    result = light(inside)
    assert result.trace is not None
    for node in leaves(result.trace):
        with pytest.raises(NotChecked, match="outside loops and functions"):
            check(inside, result.trace, str(node.name), light)
