"""A graph is used once, unless it is retained."""

from __future__ import annotations

import pytest

from snippets import run
from tests.claims.programs import bytes_held, events, example, failed, grad, ran, traced

ONCE = """
import torch
x = torch.tensor(3.0, requires_grad=True)
y = x ** 2
y.backward({first})
y.backward()
"""


@pytest.mark.claim("C45")
def test_saved_values_are_freed_and_grad_stays() -> None:
    result = ran("""
import torch
x = torch.tensor(3.0, requires_grad=True)
y = torch.exp(x ** 2 / 9)
y.backward()
""")
    assert grad(result, "x") == pytest.approx(2 / 3 * 2.718281828)
    held = bytes_held(traced(result))
    assert max(held) > 0
    assert held[-1] == 0


@pytest.mark.claim("C45")
def test_a_second_backward_fails_unless_the_first_retained_the_graph() -> None:
    error = failed(ONCE.format(first=""))
    assert (error["type"], error["line"]) == ("RuntimeError", 6)
    assert "Trying to backward through the graph a second time" in error["message"]
    assert grad(ran(ONCE.format(first="retain_graph=True")), "x") == 12


@pytest.mark.claim("C45")
def test_the_card_walk_keeps_then_frees_then_fails() -> None:
    result = run(example("second-backward"), trace=True)
    trace = traced(result)
    assert result.error is not None
    assert result.error["line"] == 12
    assert [event.after for event in events(trace, "leaf_grad", "x")] == [6, 12]
    (free,) = events(trace, "free", "y")
    assert (free.pass_, free.bytes) == (2, 4)


@pytest.mark.claim("C45")
def test_an_operation_that_saves_nothing_can_be_walked_again() -> None:
    result = ran("""
import torch
x = torch.tensor(3.0, requires_grad=True)
y = x + x
y.backward()
y.backward()
""")
    assert grad(result, "x") == 4


@pytest.mark.claim("C46")
def test_a_fresh_forward_pass_repairs_and_holds_nothing_afterwards() -> None:
    again = ran("""
import torch
x = torch.tensor(3.0, requires_grad=True)
for _ in range(2):
    y = x ** 2
    y.backward()
""")
    retained = ran("""
import torch
x = torch.tensor(3.0, requires_grad=True)
y = x ** 2
for _ in range(2):
    y.backward(retain_graph=True)
""")
    assert grad(again, "x") == grad(retained, "x") == 12
    assert bytes_held(traced(again))[-1] == 0
    assert bytes_held(traced(retained))[-1] == 4  # the saved x, kept for a third pass


@pytest.mark.claim("C46")
def test_a_fresh_forward_pass_sees_the_parameters_as_they_are() -> None:
    program = """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.25)
{before}
seen = []
for _ in range(3):
    {inside}
    seen.append(loss.item())
    opt.zero_grad()
    loss.backward({retain})
    opt.step()
"""
    line = "loss = 2 * w + 1"
    fresh = ran(program.format(before="", inside=line, retain=""))
    stale = ran(program.format(before=line, inside="pass", retain="retain_graph=True"))
    assert fresh.values["seen"]["items"] == [3, 2, 1]
    assert stale.values["seen"]["items"] == [3, 3, 3]


@pytest.mark.claim("C46")
def test_two_losses_may_share_one_retained_encoding() -> None:
    result = ran("""
import torch
x = torch.tensor(3.0, requires_grad=True)
code = x ** 2
a = 2 * code
b = 5 * code
a.backward(retain_graph=True)
b.backward()
""")
    assert grad(result, "x") == (2 + 5) * 2 * 3
