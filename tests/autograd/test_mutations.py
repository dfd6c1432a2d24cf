"""The tests test: typical mistakes, put into the engine on purpose, are caught by the check that is meant for them."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from autograd.gradcheck import GradcheckError, gradcheck
from autograd.ops.table import TABLE
from snippets.torch_api import torch
from tests.autograd.programs import outcome, programs

GOLDEN: dict[str, Any] = json.loads((Path(__file__).parent.parent / "golden" / "programs.json").read_text())["answers"]


def leaf(*shape: int, seed: int = 0) -> Any:
    values = np.random.default_rng(seed).uniform(0.5, 1.5, shape)
    return torch.tensor(values, requires_grad=True)


def agrees(name: str) -> bool:
    """Whether the program still gives PyTorch's answer."""
    return bool(outcome(torch, programs()[name]) == GOLDEN[name])


def test_the_unchanged_engine_passes_what_follows() -> None:
    assert gradcheck(lambda a, b: (a - b) * a.exp(), (leaf(3), leaf(3, seed=1)))
    assert gradcheck(lambda a, b: a * b, (leaf(1, 3), leaf(2, 3, seed=1)))
    assert agrees("versions.a_saved_input")
    assert agrees("views.writing_a_view_rewrites_the_base")
    assert agrees("backward.a_second_time")


@pytest.mark.parametrize("name", ["sub", "mul", "div"])
@pytest.mark.parametrize("position", [0, 1])
def test_a_flipped_sign(monkeypatch: pytest.MonkeyPatch, name: str, position: int) -> None:
    op = TABLE[name]
    backward: Callable[..., Any] = op.node_class.backward  # type: ignore[union-attr]

    def flipped(node: Any, g: Any) -> Any:
        grads = list(backward(node, g))
        grads[position] = -grads[position]
        return tuple(grads)

    monkeypatch.setattr(op.node_class, "backward", flipped)
    with pytest.raises(GradcheckError, match=f"input {position}"):
        gradcheck(op.function, (leaf(3), leaf(3, seed=1)))


def test_skipped_un_broadcasting(monkeypatch: pytest.MonkeyPatch) -> None:
    gradients = importlib.import_module("autograd.gradients")

    def first_slice(g: Any, shape: tuple[int, ...]) -> Any:
        return np.ravel(g)[: int(np.prod(shape))].reshape(shape)

    monkeypatch.setattr(gradients, "unbroadcast", first_slice)
    with pytest.raises(GradcheckError):
        gradcheck(lambda a, b: a * b, (leaf(1, 3), leaf(2, 3, seed=1)))


def test_the_wrong_thing_saved() -> None:
    def exp(a: Any) -> Any:
        result = a.exp()
        result.grad_fn.saved = (a.array,)
        return result

    with pytest.raises(GradcheckError):
        gradcheck(exp, (leaf(3),))


def test_versions_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    dispatch = importlib.import_module("autograd.dispatch")
    monkeypatch.setattr(dispatch, "_check", lambda *_: None)
    assert not agrees("versions.a_saved_input")


def test_writes_that_do_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    storage = importlib.import_module("autograd.storage")
    monkeypatch.setattr(storage.Storage, "version", property(lambda self: 0, lambda self, value: None), raising=False)
    assert not agrees("versions.a_saved_input")


def test_the_history_of_a_base_not_rewritten(monkeypatch: pytest.MonkeyPatch) -> None:
    views = importlib.import_module("autograd.views")
    monkeypatch.setattr(views, "rebase", lambda t, node: None)
    assert not agrees("views.writing_a_view_rewrites_the_base")


def test_nothing_freed(monkeypatch: pytest.MonkeyPatch) -> None:
    for op in TABLE.values():
        if op.node_class is not None:
            monkeypatch.setattr(op.node_class, "frees", False)
    assert not agrees("backward.a_second_time")


def gradients_apart() -> bool:
    """Whether two leaves that get the same gradient, and the one who gave it, each have memory of their own."""
    x, y, g = leaf(3), leaf(3), torch.ones(3, dtype=torch.float64)
    (x + y).backward(g)
    x.grad.mul_(10)
    return bool(y.grad.tolist() == [1.0] * 3 and g.tolist() == [1.0] * 3)


def test_a_gradient_stolen_that_somebody_else_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert gradients_apart()
    engine = importlib.import_module("autograd.leaves")

    class Sys:
        @staticmethod
        def getrefcount(x: Any) -> int:
            return 0

    monkeypatch.setattr(engine, "sys", Sys)
    assert not gradients_apart()
