"""Four lines, their order, and a real model on real data."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from tests.claims.programs import data, events, example, failed, grad, ran, traced

LINES = {
    "clear": "opt.zero_grad()",
    "forward": "loss = (2 * w - 4) ** 2",
    "backward": "loss.backward()",
    "step": "opt.step()",
}


def turns(order: str, count: int = 3) -> str:
    """A loop with the four lines in the given order, collecting ``w`` after each turn."""
    body = "\n".join("    " + LINES[word] for word in order.split())
    return f"""
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
path = []
for _ in range({count}):
{body}
    path.append(w.item())
"""


@pytest.mark.claim("C27")
@pytest.mark.parametrize("order", ["clear forward backward step", "forward clear backward step"])
def test_right_order_shrinks_the_distance_by_the_factor_of_calculus(order: str) -> None:
    # d/dw (2w - 4)^2 = 8 (w - 2), so w - 2 is multiplied by 1 - 0.8 = 0.2 in each turn.
    path = ran(turns(order)).values["path"]["items"]
    assert path == pytest.approx([2 - 0.2, 2 - 0.2**2, 2 - 0.2**3], rel=1e-5)


@pytest.mark.claim("C27")
@pytest.mark.parametrize(
    ("order", "path"),
    [
        ("clear forward step backward", [1, 1, 1]),  # the gradient comes after the step and is cleared before the next
        ("forward backward clear step", [1, 1, 1]),  # cleared before anybody has read it
        ("step clear forward backward", [1, 1.8, 1.96]),  # one turn late
        ("forward step clear backward", [1, 1.8, 2.6]),  # each step follows the gradient of the turn before
    ],
)
def test_wrong_order_has_its_consequence_in_numbers(order: str, path: list[float]) -> None:
    assert ran(turns(order)).values["path"]["items"] == pytest.approx(path, rel=1e-5)


@pytest.mark.claim("C27")
def test_backward_before_any_forward_has_nothing_to_start_from() -> None:
    assert failed(turns("clear backward forward step"))["type"] == "NameError"


@pytest.mark.claim("C28")
def test_backward_fills_grad_and_step_moves_the_parameter() -> None:
    program = """
import torch
w = torch.tensor(1.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
loss = (2 * w - 4) ** 2
loss.backward()
"""
    before_step = ran(program)
    after_step = ran(program + "opt.step()\n")
    assert (data(before_step, "w"), grad(before_step, "w")) == (1.0, -8.0)
    assert data(after_step, "w") == pytest.approx(1.8)
    assert grad(after_step, "w") == -8.0
    assert data(after_step, "loss") == 4.0
    assert not events(traced(before_step), "step")
    (step,) = events(traced(after_step), "step")
    assert [(one["before"], one["grad"]) for one in step.parameters] == [(1.0, -8.0)]
    assert step.parameters[0]["after"] == pytest.approx(1.8)


@pytest.mark.claim("C28")
def test_step_passes_over_a_parameter_without_gradient() -> None:
    result = ran("""
import torch
w = torch.tensor(1.0, requires_grad=True)
unused = torch.tensor(5.0, requires_grad=True)
opt = torch.optim.SGD([w, unused], lr=0.1)
(3 * w).backward()
opt.step()
""")
    assert data(result, "w") == pytest.approx(0.7)
    assert data(result, "unused") == 5.0


@pytest.mark.claim("C27", "C28")
def test_the_card_walk_ends_where_calculus_says() -> None:
    steps = events(traced(ran(example("training-step"))), "step")
    moved = [step.parameters[0]["after"] for step in steps]
    assert [value[0][0] for value in moved] == pytest.approx([1.8, 1.96])


@pytest.mark.claim("C29")
def test_the_same_four_lines_fit_a_network_to_iris() -> None:
    table = Path(__file__).parents[2] / "assets" / "iris.csv"
    rows = list(csv.reader(table.read_text(encoding="utf-8").splitlines()))[1:]
    species = ["setosa", "versicolor", "virginica"]
    result = ran(
        f"""
import torch
features = torch.tensor({[[float(cell) for cell in row[:4]] for row in rows]})
labels = torch.tensor({[species.index(row[4]) for row in rows]})
held_out = [i for i in range(150) if i % 5 == 4]
kept = [i for i in range(150) if i % 5 != 4]
features = (features - features[kept].mean(0)) / features[kept].std(0)

net = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.Tanh(), torch.nn.Linear(8, 3))
with torch.no_grad():
    for p in net.parameters():
        p.zero_()
    for layer in (net[0], net[2]):
        w = layer.weight
        w.copy_(0.5 * torch.sin(torch.arange(w.numel(), dtype=torch.float32) * 1.7 + 0.3).reshape(w.shape))
opt = torch.optim.SGD(net.parameters(), lr=0.5)
order = [kept[i * 37 % 120] for i in range(120)]
losses = []
for epoch in range(20):
    for start in range(0, 120, 30):
        batch = order[start:start + 30]
        opt.zero_grad()
        loss = torch.nn.functional.cross_entropy(net(features[batch]), labels[batch])
        loss.backward()
        opt.step()
        losses.append(loss.item())
with torch.no_grad():
    right = (net(features[held_out]).argmax(1) == labels[held_out]).sum().item()
""",
        trace=False,
    )
    losses = result.values["losses"]["items"]
    assert len(losses) == 80
    assert losses[0] == pytest.approx(0.9886154532432556, rel=1e-5)  # what PyTorch gives for the first batch
    assert max(losses[-4:]) < 0.15 * losses[0]
    assert result.values["right"] >= 27
