"""C20, C21: a column a pass forward, a row a pass in reverse."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.claims.programs import events, example, ran, traced


def weight(i: int, j: int) -> float:
    """Entry (i, j) of the matrix in :func:`program`."""
    return ((3 * i + 5 * j) % 7 - 3) / 4


def program(n: int, m: int) -> str:
    """Both modes on tanh(W x), W of shape (m, n), one pass at a time."""
    return f"""
import torch
W = torch.tensor([[((3 * i + 5 * j) % 7 - 3) / 4 for j in range({n})] for i in range({m})])
x = torch.tensor([0.1 * (j + 1) for j in range({n})], requires_grad=True)

def f(t):
    return torch.tanh(W @ t)

columns = []
for j in range({n}):
    direction = torch.zeros({n})
    direction[j] = 1.0
    value, column = torch.func.jvp(f, (x.detach(),), (direction,))
    columns.append(column.tolist())

rows = []
for i in range({m}):
    y = f(x)
    upstream = torch.zeros({m})
    upstream[i] = 1.0
    x.grad = None
    y.backward(upstream)
    rows.append(x.grad.tolist())
"""


def plain(value: Any) -> Any:
    """Nested lists of numbers out of a traced value."""
    if isinstance(value, dict):
        return [plain(item) for item in value["items"]]
    return value


def by_hand(n: int, m: int) -> list[list[float]]:
    """The Jacobian of tanh(W x): (1 - tanh²) W."""
    table = []
    for i in range(m):
        inner = sum(weight(i, j) * 0.1 * (j + 1) for j in range(n))
        table.append([(1 - math.tanh(inner) ** 2) * weight(i, j) for j in range(n)])
    return table


@pytest.mark.claim("C20")
@pytest.mark.parametrize(("n", "m"), [(3, 2), (2, 4)])
def test_forward_passes_fill_columns_and_reverse_passes_fill_rows(n: int, m: int) -> None:
    values = ran(program(n, m)).values
    columns, rows, table = plain(values["columns"]), plain(values["rows"]), by_hand(n, m)
    for j in range(n):
        assert columns[j] == pytest.approx([table[i][j] for i in range(m)], abs=1e-6)
    for i in range(m):
        assert rows[i] == pytest.approx(table[i], abs=1e-6)


@pytest.mark.claim("C20")
def test_the_example_needs_one_pass_back_and_three_forward() -> None:
    result = ran(example("forward-vs-reverse"))
    assert len(events(traced(result), "backward_start")) == 1
    # f = a b + c² at (2, 3, 4)
    assert result.stdout.splitlines() == [
        "one pass back: tensor(3.) tensor(2.) tensor(8.)",
        "one pass forward: tensor(3.)",
        "one pass forward: tensor(2.)",
        "one pass forward: tensor(8.)",
    ]


@pytest.mark.claim("C21")
@pytest.mark.parametrize(("n", "m"), [(6, 1), (1, 6), (5, 3)])
def test_the_passes_needed_are_inputs_forward_and_outputs_in_reverse(n: int, m: int) -> None:
    result = ran(program(n, m))
    columns, rows = plain(result.values["columns"]), plain(result.values["rows"])

    assert len(columns) == n
    assert len(rows) == len(events(traced(result), "backward_start")) == m
    # either count of passes gives the whole table
    assert [[columns[j][i] for j in range(n)] for i in range(m)] == [pytest.approx(row, abs=1e-6) for row in rows]


@pytest.mark.claim("C21")
def test_one_reverse_pass_is_enough_for_a_loss_however_many_inputs_there_are() -> None:
    for n in (10, 1000):
        result = ran(
            "import torch\n"
            f"x = torch.linspace(0.0, 1.0, {n}, requires_grad=True)\n"
            "loss = (x ** 2).sum()\n"
            "loss.backward()\n"
            "entries = x.grad.numel()\n"
            "largest = x.grad.max().item()\n"
        )
        assert len(events(traced(result), "backward_start")) == 1
        assert result.values["entries"] == n
        assert result.values["largest"] == pytest.approx(2.0)
