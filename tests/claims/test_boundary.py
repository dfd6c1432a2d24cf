"""Conventions, cuts, and what autograd cannot know."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from snippets.torch_api import torch
from tests.claims.programs import example, failed, grad, ran

INF = float("inf")
# operation, point, slope from the left, slope from the right, what autograd gives there
KINKS: list[tuple[str, Callable, float, float | None, float, float]] = [
    ("relu", lambda x: torch.relu(x), 0, 0, 1, 0),
    ("abs", lambda x: torch.abs(x), 0, -1, 1, 0),
    ("clamp, upper end", lambda x: x.clamp(-1, 1), 1, 1, 0, 1),
    ("clamp, lower end", lambda x: x.clamp(-1, 1), -1, 0, 1, 1),
    ("maximum at a tie", lambda x: torch.maximum(x, torch.full_like(x, 2)), 2, 0, 1, 0.5),
    ("minimum at a tie", lambda x: torch.minimum(x, torch.full_like(x, 2)), 2, 1, 0, 0.5),
    ("max of all at a tie", lambda x: torch.stack([x, torch.full_like(x, 2)]).max(), 2, 0, 1, 0.5),
    ("max over a dimension at a tie", lambda x: torch.stack([x, torch.full_like(x, 2)]).max(dim=0).values, 2, 0, 1, 1),
    ("sqrt", lambda x: torch.sqrt(x), 0, None, INF, INF),
]


@pytest.mark.claim("C49")
@pytest.mark.parametrize(("name", "f", "point", "left", "right", "expected"), KINKS, ids=[row[0] for row in KINKS])
def test_conventions_at_kinks(
    name: str, f: Callable, point: float, left: float | None, right: float, expected: float
) -> None:
    x = torch.tensor(point, dtype=torch.float64, requires_grad=True)
    f(x).backward()
    assert x.grad.item() == expected, name

    def slope(step: float) -> float:
        ends = [f(torch.tensor(point + s, dtype=torch.float64)).item() for s in (0.0, step)]
        return (ends[1] - ends[0]) / step

    h = 1e-6
    if left is not None:
        assert slope(-h) == pytest.approx(left, abs=1e-6)
    assert slope(h) > 100 if right == INF else slope(h) == pytest.approx(right, abs=1e-6)


@pytest.mark.claim("C49")
@pytest.mark.parametrize(("x", "slope"), [(0.0, 0.0), (0.001, 2.0), (-0.001, -1.0)])
def test_the_card_walk_at_the_kink_and_beside_it(x: float, slope: float) -> None:
    assert grad(ran(example("kink-at-zero", x=x)), "x") == slope


@pytest.mark.claim("C50")
@pytest.mark.parametrize(
    "line", ["n = torch.tensor(3, requires_grad=True)", "n = torch.tensor([1, 2]).requires_grad_()"]
)
def test_integer_tensors_carry_no_derivatives(line: str) -> None:
    error = failed(f"import torch\n{line}\n")
    assert error["type"] == "RuntimeError"
    assert "floating point" in error["message"]


ROUND_TRIP = """
import torch
import numpy as np
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = 2 * x
squares = torch.from_numpy(np.square(y{cut}.numpy()))
loss = squares.sum()
loss.backward()
"""


@pytest.mark.claim("C50")
def test_a_round_trip_through_numpy_breaks_the_graph() -> None:
    refused = failed(ROUND_TRIP.format(cut=""))
    assert "Can't call numpy() on Tensor that requires grad" in refused["message"]
    assert refused["line"] == 6
    cut = failed(ROUND_TRIP.format(cut=".detach()"))
    assert "does not require grad and does not have a grad_fn" in cut["message"]
    assert cut["line"] == 8


@pytest.mark.claim("C50")
def test_a_custom_function_carries_the_gradient_over_numpy() -> None:
    result = ran("""
import torch
import numpy as np

class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return torch.from_numpy(np.square(x.detach().numpy()))

    @staticmethod
    def backward(ctx, upstream):
        (x,) = ctx.saved_tensors
        return 2 * x * upstream

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = 2 * x
loss = Square.apply(y).sum()
loss.backward()
""")
    # loss = sum (2x)^2, so the gradient is 8x
    assert grad(result, "x") == [8, 16, 24]


CAUSES = {
    "no_grad": "with torch.no_grad():\n    loss = (w * x) ** 2",
    "detach": "loss = ((w * x) ** 2).detach()",
    "numpy": "loss = torch.from_numpy(((w * x) ** 2).detach().numpy() * 1.0)",
    "item": "loss = torch.tensor(((w * x) ** 2).item())",
    "all frozen": "w.requires_grad_(False)\nloss = (w * x) ** 2",
}


@pytest.mark.claim("C51")
@pytest.mark.parametrize("cause", CAUSES)
def test_a_disconnected_loss_raises_and_marking_it_does_not_help(cause: str) -> None:
    source = f"""
import torch
w = torch.tensor([2.0], requires_grad=True)
x = 3.0
{CAUSES[cause]}
"""
    if cause == "item":
        source = source.replace("[2.0]", "2.0")
    error = failed(source + "loss.backward()\n")
    assert "does not require grad and does not have a grad_fn" in error["message"]
    marked = ran(source + "loss = loss.sum()\nloss.requires_grad_(True)\nloss.backward()\n")
    assert grad(marked, "w") is None
    assert grad(marked, "loss") == 1


@pytest.mark.claim("C52")
@pytest.mark.parametrize(("sign", "path"), [("", [1.8, 2.44, 2.952]), ("-", [0.2, -0.76, -1.912])])
def test_a_wrong_sign_gets_correct_gradients_and_moves_away(sign: str, path: list[float]) -> None:
    # By hand: w - 5 is multiplied by 0.8 in each step, or by 1.2 with the wrong sign.
    result = ran(f"""
import torch

def objective(w):
    return {sign}(w - 5) ** 2

point = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
checked = torch.autograd.gradcheck(objective, (point,))
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
path = []
errors = []
for _ in range(3):
    opt.zero_grad()
    objective(w).backward()
    opt.step()
    path.append(w.item())
    errors.append((w.item() - 5) ** 2)
""")
    assert result.values["checked"] is True
    assert result.values["path"]["items"] == pytest.approx(path, rel=1e-5)
    errors = result.values["errors"]["items"]
    assert errors == sorted(errors, reverse=not sign)


@pytest.mark.claim("C52")
def test_wrong_labels_are_fitted_as_faithfully_as_right_ones() -> None:
    program = """
import torch
w = torch.tensor(0.0, requires_grad=True)
x = torch.tensor([1.0, 2.0])
label = torch.tensor({labels})
loss = ((w * x - label) ** 2).mean()
loss.backward()
"""
    # d/dw mean (wx - l)^2 at w = 0 is -mean(2 x l)
    assert grad(ran(program.format(labels=[3.0, 6.0])), "w") == -(3 + 12)
    assert grad(ran(program.format(labels=[-3.0, -6.0])), "w") == 3 + 12


MINIMAL = '''
import torch


class Node:
    """The engine in few lines: numbers only, one recursive call for each path."""

    visits = 0

    def __init__(self, value, parents=()):
        self.value = value
        self.parents = parents
        self.grad = 0.0

    def __add__(self, other):
        return Node(self.value + other.value, [(self, 1.0), (other, 1.0)])

    def __mul__(self, other):
        return Node(self.value * other.value, [(self, other.value), (other, self.value)])

    def backward(self, upstream=1.0):
        Node.visits = Node.visits + 1
        self.grad = self.grad + upstream
        for parent, local in self.parents:
            parent.backward(upstream * local)

'''


@pytest.mark.claim("C53")
def test_both_engines_agree_where_the_small_one_suffices() -> None:
    result = ran(
        MINIMAL
        + """
a = Node(3.0)
(a * a + a).backward()
small = a.grad
x = torch.tensor(3.0, requires_grad=True)
(x * x + x).backward()
"""
    )
    assert result.values["small"] == grad(result, "x") == 7


@pytest.mark.claim("C53")
def test_the_small_engine_has_no_tensors_and_no_broadcasting() -> None:
    assert failed(MINIMAL + "y = Node([1.0, 2.0]) * Node([3.0, 4.0])\n")["type"] == "TypeError"
    full = ran("""
import torch
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor(3.0, requires_grad=True)
(a * b).sum().backward()
""")
    assert (grad(full, "a"), grad(full, "b")) == ([3, 3], 3)


@pytest.mark.claim("C53")
def test_the_small_engine_has_no_schedule() -> None:
    result = ran(
        MINIMAL
        + """
a = Node(1.0)
b = a
for _ in range(10):
    b = b + b
b.backward()
visits = Node.visits

x = torch.tensor(1.0, requires_grad=True)
y = x
for _ in range(10):
    y = y + y
y.backward()
"""
    )
    assert result.values["visits"] == 2**11 - 1
    assert result.trace is not None
    assert sum(event.kind == "visit" for event in result.trace.events) == 10 + 1
    assert grad(result, "x") == 2**10


@pytest.mark.claim("C53")
def test_the_small_engine_frees_nothing_and_so_walks_old_gradients_again() -> None:
    result = ran(
        MINIMAL
        + """
a = Node(3.0)
b = a * a
b.backward()
a.grad = 0.0
b.backward()
inner = b.grad
"""
    )
    assert result.values["inner"] == 2  # the gradient of the first pass is still in the interior node
    error = failed("""
import torch
x = torch.tensor(3.0, requires_grad=True)
y = x * x
y.backward()
y.backward()
""")
    assert "a second time" in error["message"]


@pytest.mark.claim("C53")
def test_the_small_engine_does_not_notice_a_changed_value() -> None:
    result = ran(
        MINIMAL
        + """
a = Node(3.0)
b = a * a
a.value = 100.0
b.backward()
found = a.grad
"""
    )
    assert result.values["found"] == 6  # it works with the numbers of the forward pass and says nothing
    error = failed("""
import torch
x = torch.tensor(3.0, requires_grad=True)
h = x * 1.0
y = h * h
h.fill_(100.0)
y.backward()
""")
    assert "modified by an inplace operation" in error["message"]


@pytest.mark.claim("C53")
def test_the_small_engine_runs_out_of_stack_where_the_full_one_does_not() -> None:
    deep = MINIMAL + "a = Node(1.0)\nb = a\nfor _ in range(3000):\n    b = b + Node(0.0)\nb.backward()\n"
    assert failed(deep)["type"] == "RecursionError"
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(20_000):
        y = y + 0.0
    y.backward()
    assert x.grad.item() == 1
