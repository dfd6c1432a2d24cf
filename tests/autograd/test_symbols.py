"""Rules as a reader writes them."""

from __future__ import annotations

import pytest

import autograd
from autograd.ops import NEURAL
from autograd.record import recording
from autograd.trace import Contribute


def rules(build: str, **given: object) -> list[str]:
    """The rules told while ``build`` (an expression of the names given) is walked backward."""
    with recording() as recorder:
        names = {name: autograd.tensor(value, requires_grad=True) for name, value in given.items()}
        eval(build, {"autograd": autograd, **names}).sum().backward()
    return [str(event.rule) for event in recorder.trace().events if isinstance(event, Contribute)]


@pytest.mark.claim("C23")
def test_the_sum_that_undoes_broadcasting_is_told() -> None:
    assert rules("a + b", a=[[1.0, 2.0], [3.0, 4.0]], b=[1.0, 1.0])[2] == "sum over dim 0 of g"
    assert rules("a + b", a=[[1.0, 2.0], [3.0, 4.0]], b=[[1.0], [1.0]])[2] == "sum over dim 1 of g"
    assert rules("a + b", a=[1.0, 2.0], b=1.0)[2] == "sum of g"
    assert rules("autograd.addmm(b, a, a)", a=[[1.0, 2.0], [3.0, 4.0]], b=[1.0, 1.0])[1] == "sum over dim 0 of g"


def test_nothing_is_summed_where_nothing_was_repeated() -> None:
    assert rules("a + b", a=[1.0, 2.0], b=[3.0, 4.0])[1:] == ["g", "g"]


def test_a_transposed_transpose_is_the_matrix_itself() -> None:
    assert not any("ᵀᵀ" in rule for rule in rules("a @ a.t()", a=[[1.0, 2.0], [3.0, 4.0]]))


def test_brackets_are_not_doubled() -> None:
    told = rules("(a * b) * c", a=[1.0, 2.0], b=[3.0, 4.0], c=[5.0, 6.0])
    assert not any("((" in rule for rule in told), told


def test_an_activation_is_written_with_its_bounds() -> None:
    with recording() as recorder:
        x = autograd.tensor([0.5, 3.0], requires_grad=True)
        NEURAL["hardtanh"](x, -2.0, 2.0)
    assert [node.expr for node in recorder.trace().nodes][-1].endswith(", -2, 2)")
