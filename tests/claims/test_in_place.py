"""Writing over what a backward rule saved."""

from __future__ import annotations

import math

import pytest

from snippets import run
from tests.claims.programs import events, example, failed, grad, ran, traced


@pytest.mark.claim("C47")
def test_the_engine_raises_instead_of_returning_a_wrong_number() -> None:
    error = failed(example("in-place"))
    assert (error["type"], error["line"]) == ("RuntimeError", 12)
    for part in ("modified by an inplace operation", "output 0 of Exp", "is at version 1", "expected version 0"):
        assert part in error["message"]
    assert grad(ran(example("in-place", in_place=0)), "x") == pytest.approx(math.exp(2))


@pytest.mark.claim("C47")
def test_the_write_is_on_the_trace_with_its_line_and_versions() -> None:
    trace = traced(run(example("in-place"), trace=True))
    (write,) = events(trace, "mutate")
    assert (write.version_before, write.version_after) == (0, 1)
    assert trace.source.splitlines()[write.line - 1].strip() == "y.add_(1)"
    assert write.value == pytest.approx(math.exp(2) + 1)


@pytest.mark.claim("C47")
@pytest.mark.parametrize(
    ("operation", "slope"),
    [
        ("torch.exp(x)", None),  # keeps its result
        ("torch.tanh(x)", None),
        ("torch.sigmoid(x)", None),
        ("torch.sin(x)", math.cos(0.5)),  # keeps its input
        ("2 * x", 2),  # keeps nothing of either
        ("x + 1", 1),
    ],
)
def test_only_a_write_to_a_saved_value_is_refused(operation: str, slope: float | None) -> None:
    source = f"""
import torch
x = torch.tensor(0.5, requires_grad=True)
y = {operation}
y.mul_(3)
y.backward()
"""
    if slope is None:
        assert "modified by an inplace operation" in failed(source)["message"]
    else:
        assert grad(ran(source), "x") == pytest.approx(3 * slope)


@pytest.mark.claim("C48")
@pytest.mark.parametrize("alias", ["y[0]", "y.detach()", "y.detach()[0]", "y.view(4)", "y.t()"])
def test_a_write_through_any_alias_reaches_the_saved_value(alias: str) -> None:
    source = f"""
import torch
x = torch.tensor([[0.1, 0.2], [0.3, 0.4]], requires_grad=True)
y = torch.exp(x)
other = {alias}
before = y._version
with torch.no_grad():
    other.zero_()
after = y._version
loss = y.sum()
"""
    result = ran(source)
    assert (result.values["before"], result.values["after"]) == (0, 1)
    assert "modified by an inplace operation" in failed(source + "loss.backward()\n")["message"]


@pytest.mark.claim("C48")
def test_a_clone_is_out_of_reach() -> None:
    result = ran("""
import torch
x = torch.tensor([0.0, 1.0], requires_grad=True)
y = torch.exp(x)
other = y.detach().clone()
other.zero_()
y.sum().backward()
""")
    assert grad(result, "x") == pytest.approx([1, math.e])
