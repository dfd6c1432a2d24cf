"""Memory goes by reference counting alone; long chains need no recursion; the fast path is the same engine."""

from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from autograd.mode import switch
from autograd.ops.table import TABLE
from snippets.torch_api import torch


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def build(kind: str) -> tuple[Any, list[Any]]:
    """A loss, and weak references to what was made on the way."""
    x = torch.ones(3, 3, requires_grad=True)
    y = x.exp() if kind == "saved result" else x * x
    if kind == "view":
        y = y.view(9)[2:]
    if kind == "write":
        y = y * 1
        y[0] = 5
        y.mul_(2)
    if kind == "several":
        y = torch.stack([*y.unbind(0)]).max(0)[0]
    if kind == "hook":
        y.register_hook(lambda g: g * 2)
    if kind == "retained":
        y.retain_grad()
    if kind == "function":

        class Square(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: Any) -> Any:
                z = x * x
                ctx.save_for_backward(x, z)
                return z

            @staticmethod
            def backward(ctx: Any, g: Any) -> Any:
                return g * 2 * ctx.saved_tensors[0]

        y = Square.apply(y)
    loss = y.sum()
    return loss, [weakref.ref(t) for t in (x, y, loss, y.grad_fn, loss.grad_fn)]


KINDS = ["plain", "saved result", "view", "write", "several", "hook", "retained", "function"]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("after", ["forward", "backward", "create_graph"])
def test_nothing_is_left(kind: str, after: str) -> None:
    loss, refs = build(kind)
    if after == "backward":
        loss.backward()
    elif after == "create_graph":
        torch.autograd.grad(loss, refs[0](), create_graph=True)
    del loss
    assert [ref() for ref in refs] == [None] * len(refs)


def test_a_chain_of_a_hundred_thousand() -> None:
    x = torch.tensor(1.0, requires_grad=True)
    y = x
    for _ in range(50_000):
        y = y * 1.0
        y = y + 0.0
    y.backward()
    assert x.grad.item() == 1.0
    del y  # and this neither


def test_a_chain_of_arrays_views_and_writes() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    limit = sys.getrecursionlimit()
    for _ in range(limit):
        y = y.view(2)[:]
        y = y * 1
        y.add_(0)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]


def scalar_operations() -> list[str]:
    refused = {"clamp", "floor_divide", "heaviside", "igamma", "igammac", "zeta"}  # want a bound, or lack a derivative
    return [name for name, op in TABLE.items() if op.quick is not None and name not in refused]


@pytest.mark.parametrize("name", scalar_operations())
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_fast_path_and_the_general_path_agree(name: str, kind: Any) -> None:
    op = TABLE[name]
    count = len(op.input_names)

    def run(wrap: Callable[[Any], Any]) -> tuple[Any, Any]:
        leaves = [torch.tensor(kind(v), requires_grad=True) for v in (0.375, 0.75)[:count]]
        params = () if op.plain else (3,)
        out = op.function(*[wrap(x) for x in leaves], *params)
        grads = torch.autograd.grad(out, leaves, allow_unused=True)
        return out, grads

    fast = run(lambda x: x)
    before = switch.special
    switch.special += 1
    try:
        general = run(lambda x: x)
    finally:
        switch.special = before
    for a, b in zip((fast[0], *fast[1]), (general[0], *general[1]), strict=True):
        assert (a is None) == (b is None)
        if a is not None:
            assert a.dtype is b.dtype
            assert np.allclose(a.array, b.array, rtol=1e-6, equal_nan=True)


def test_modes_of_one_thread_leave_the_others_alone() -> None:
    inside, done = threading.Event(), threading.Event()

    def work() -> None:
        with torch.no_grad():
            inside.set()
            done.wait(10)

    thread = threading.Thread(target=work)
    thread.start()
    inside.wait(10)
    try:
        assert torch.is_grad_enabled()
        assert (torch.ones(1, requires_grad=True) * 2).requires_grad
        assert (torch.tensor(1.0, requires_grad=True) * 2).requires_grad
    finally:
        done.set()
        thread.join()
    assert switch.special == 0
