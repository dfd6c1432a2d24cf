"""Variables as plain data."""

# ruff: noqa: E501 - a table reads best with one entry a line

from __future__ import annotations

from typing import Any

import pytest

from tests.snippets.conftest import Runner


def tensor(data: Any, shape: list[int], **fields: Any) -> dict[str, Any]:
    return {
        "kind": "tensor", "dtype": "float32", "shape": shape, "data": data, "requires_grad": False, "is_leaf": True, "grad": None,
    } | fields  # fmt: skip


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("x = 3", 3),
        ("x = 2.5", 2.5),
        ("x = float('nan')", "nan"),
        ("x = -float('inf')", "-inf"),
        ("x = 'text'", "text"),
        ("x = True", True),
        ("x = None", None),
        ("x = [1, (2.0, None)]", {"kind": "list", "items": [1, {"kind": "list", "items": [2.0, None]}]}),
        ("import torch\nx = torch.tensor(1.5)", tensor(1.5, [])),
        ("import torch\nx = torch.zeros(0, 2)", tensor([], [0, 2])),
        ("import torch\nx = torch.tensor([float('inf'), float('nan')])", tensor(["inf", "nan"], [2])),
        ("import torch\nx = torch.tensor([True])", tensor([True], [1], dtype="bool")),
        (
            "import torch\nx = torch.tensor([1.0, 2.0], requires_grad=True)\n(x * x).sum().backward()",
            tensor([1.0, 2.0], [2], requires_grad=True, grad=[2.0, 4.0]),
        ),
        ("import numpy as np\nx = np.array([[1, 2]])", {"kind": "ndarray", "data": [[1, 2]]}),
        ("import numpy as np\nx = np.float32(0.5)", 0.5),
    ],
)
def test_kinds(source: str, value: Any, run: Runner) -> None:
    result = run(source)
    assert result.error is None
    assert result.values["x"] == value


@pytest.mark.parametrize(
    "source",
    [
        "x = {'a': 1}",
        "x = [1, {}]",
        "x = lambda: 0",
        "import math as x",
        "class x:\n    pass",
        "x = (i for i in [])",
        "x = []\nx.append(x)",
        "x = [0] * 10 ** 6",
        "x = 'a' * 10 ** 6",
        "x = 1 << 10 ** 6",
        "import numpy as np\nx = np.zeros(10 ** 6)",
        "import torch\nx = torch.zeros(1000, 1000)",
        "_x = 1",
        "class L(int):\n    pass\nx = L(1)",
    ],
)
def test_left_out(source: str, run: Runner) -> None:
    result = run(source + "\nlast = 1\n")
    assert result.values == {"last": 1}


def test_a_non_leaf_is_read_without_a_warning(run: Runner) -> None:
    result = run("import torch\nx = torch.tensor(1.0, requires_grad=True)\ny = x * 2\n")
    assert result.warnings == []
    assert result.values["y"]["is_leaf"] is False


def test_modules(run: Runner) -> None:
    source = """
import torch
import torch.nn as nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.ModuleList([nn.Identity()])
        self.w = nn.Parameter(torch.tensor([1.0]))
        self.register_buffer("count", torch.tensor(2.0))
net = Net().eval()
"""
    state = {"w": tensor([1.0], [1], requires_grad=True), "count": tensor(2.0, [])}
    assert run(source).values == {"net": {"kind": "module", "training": False, "state": state}}


def test_variables_up_to_the_error(run: Runner) -> None:
    result = run("x = 1\ny = 2\n1 / 0\nz = 3\n")
    assert result.values == {"x": 1, "y": 2}
