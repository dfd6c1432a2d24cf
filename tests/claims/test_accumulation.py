"""Gradients add up until they are cleared."""

from __future__ import annotations

import pytest

from tests.claims.programs import data, events, example, grad, ran, traced


@pytest.mark.claim("C25")
def test_second_backward_adds_to_what_the_first_left() -> None:
    result = ran(example("two-batches"))
    assert grad(result, "w") == pytest.approx(0.3 - 0.1)
    first, second = events(traced(result), "leaf_grad", "w")
    assert (first.before, first.after) == (None, pytest.approx(0.3))
    assert (second.before, second.added, second.after) == tuple(map(pytest.approx, (0.3, -0.1, 0.2)))


@pytest.mark.claim("C25")
def test_cleared_slot_takes_the_second_gradient_alone() -> None:
    result = ran(example("two-batches", clear=1))
    assert grad(result, "w") == pytest.approx(-0.1)
    assert events(traced(result), "leaf_grad", "w")[1].before is None


@pytest.mark.claim("C26")
def test_without_clearing_grad_is_the_sum_over_all_batches() -> None:
    slopes = [0.5, -2.0, 3.25, 1.0, -0.75]
    result = ran(f"""
import torch
w = torch.tensor(2.0, requires_grad=True)
seen = []
for slope in {slopes}:
    (slope * w).backward()
    seen.append(w.grad.item())
""")
    sums = [sum(slopes[: n + 1]) for n in range(len(slopes))]
    assert result.values["seen"]["items"] == pytest.approx(sums)


@pytest.mark.claim("C26")
def test_descent_that_never_clears_steps_along_the_running_sum() -> None:
    program = """
import torch
w = torch.tensor(4.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
sizes = []
for _ in range(8):
    {clear}
    loss = (w - 1) ** 2
    loss.backward()
    sizes.append(w.grad.item())
    opt.step()
"""
    cleared = ran(program.format(clear="opt.zero_grad()"), trace=False).values["sizes"]["items"]
    kept = ran(program.format(clear="pass"), trace=False).values["sizes"]["items"]
    # By hand: w - 1 starts at 3 and shrinks by 0.8 a step when cleared; otherwise the sum of all gradients is followed.
    assert cleared == pytest.approx([6 * 0.8**n for n in range(8)], rel=1e-5)
    w, total, expected = 4.0, 0.0, []
    for _ in range(8):
        total += 2 * (w - 1)
        expected.append(total)
        w -= 0.1 * total
    assert kept == pytest.approx(expected, rel=1e-4)
    assert max(map(abs, kept)) > 2 * max(map(abs, cleared))


@pytest.mark.claim("C26")
@pytest.mark.parametrize(("argument", "left"), [("", None), ("set_to_none=True", None), ("set_to_none=False", 0.0)])
def test_zero_grad_leaves_none_or_zeros(argument: str, left: float | None) -> None:
    result = ran(f"""
import torch
w = torch.tensor(2.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
(5 * w).backward()
opt.zero_grad({argument})
""")
    assert grad(result, "w") == left
    assert data(result, "w") == 2.0
    (cleared,) = events(traced(result), "zero_grad")
    assert [(one["before"], one["after"]) for one in cleared.parameters] == [(5.0, left)]
