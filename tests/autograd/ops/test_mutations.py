"""The tests tested: whichever rule of the table is made wrong, the golden values notice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograd.mode import modes, sync
from autograd.ops import TABLE
from snippets.torch_api import torch

from .cases import FAMILIES, Case
from .cases.evaluate import evaluate
from .test_rules import INNER, RANDOM
from .test_table import STORED, check

#: their gradient is zero wherever it exists, or refused: there is no sign to flip
FLAT = {
    "angle", "bernoulli_fill", "cauchy_fill", "ceil", "div_rounded", "exponential_fill", "floor", "floor_divide",
    "geometric_fill", "heaviside", "log_normal_fill", "no_reflections", "normal_fill", "random_fill",
    "round", "scatter_with", "sgn",
    "sign", "trunc", "uniform_fill", "zero",
}  # fmt: skip
#: inputs of others whose gradient is zero, or which are numbers
FLAT_INPUTS = {
    ("_pieces", "input"), ("copysign", "other"), ("copy", "input"), ("fill", "input"), ("igamma", "input"),
    ("igammac", "input"), ("nextafter", "other"), ("rsub", "other"), ("zeta", "input"),
}  # fmt: skip
RULES = sorted(
    name for name, op in TABLE.items() if op.differentiable and name not in FLAT | INNER | RANDOM
)  # fmt: skip


def _cases_by_operation() -> dict[str, list[tuple[str, Case]]]:
    found: dict[str, list[tuple[str, Case]]] = {}
    running: list[tuple[str, Case]] = []

    class Observer:
        """Notes for each operation the cases that run it."""

        def operation(self, op: Any, inputs: Any, params: Any, outputs: Any) -> None:
            listed = found.setdefault(op.name, [])
            if running[-1] not in listed:
                listed.append(running[-1])

        def visited(self, node: Any) -> None: ...
        def released(self, node: Any) -> None: ...

    modes.observer = Observer()
    sync()
    try:
        for family, cases in FAMILIES.items():
            for case in cases:
                if "grads" in STORED[family][case.id]:
                    running.append((family, case))
                    evaluate(torch, case)
    finally:
        modes.observer = None
        sync()
    return found


@pytest.fixture(scope="module")
def cases_by_operation() -> dict[str, list[tuple[str, Case]]]:
    return _cases_by_operation()


def flipped(rule: Callable[..., Any], place: int) -> Callable[..., Any]:
    """`rule` with the sign of one gradient turned."""

    def wrong(node: Any, g: Any) -> Any:
        grads = list(rule(node, g))
        where = place if place < len(grads) else 0
        if grads[where] is not None:
            grads[where] = -grads[where]
        return tuple(grads)

    return wrong


def noticed(cases: list[tuple[str, Case]]) -> bool:
    for family, case in cases:
        try:
            check(case, STORED[family][case.id])
        except AssertionError:
            return True
    return False


@pytest.mark.parametrize("name", RULES)
def test_a_flipped_sign_is_noticed(
    name: str, cases_by_operation: dict[str, list[tuple[str, Case]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    op = TABLE[name]
    cases = sorted(cases_by_operation.get(name, []), key=lambda each: each[1].op not in (name, op.shown))[:40]
    assert cases, f"no case runs {name}"
    with_rules = [
        i
        for i, each in enumerate(op.input_names)
        if any(each in key.split() for key in op.vjp) and (name, each) not in FLAT_INPUTS
    ]
    for place in with_rules:
        for node_class in op.node_classes:
            for edition in ("backward", "backward_tensors"):
                monkeypatch.setattr(node_class, edition, flipped(getattr(node_class, edition), place))
        assert noticed(cases), f"the gradient of {op.input_names[place]} in {name} can have the wrong sign unnoticed"
        monkeypatch.undo()


def test_a_missing_unbroadcast_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    import autograd.gradients

    def first_row(g: Any, shape: tuple[int, ...]) -> Any:
        while g.ndim > len(shape):
            g = g[0]
        for axis, n in enumerate(shape):
            if n == 1:
                g = g.take([0], axis)
        return np.broadcast_to(g, shape)

    monkeypatch.setattr(autograd.gradients, "unbroadcast", first_row)
    broadcast = [("elementwise", c) for c in FAMILIES["elementwise"] if c.expression == "x * y"]
    assert noticed(broadcast)
