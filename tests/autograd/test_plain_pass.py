"""The plain backward pass leaves behind what the general one does, and steps aside where something is unusual."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from autograd import plain_pass
from snippets.torch_api import torch

GENERAL = sys.modules["autograd.backward"]

Made = tuple[Any, list[Any]]


def random_graph(seed: int) -> Made:
    """A graph of diamonds, views, broadcasts and operations with several results over three leaves, and the leaves."""
    rng = np.random.default_rng(seed)
    leaves = [torch.tensor(rng.uniform(0.5, 2.0, shape), requires_grad=True) for shape in ((3, 2), (2,), ())]
    made = [*leaves]
    for _ in range(25):
        a, b = (made[i] for i in rng.integers(len(made), size=2))
        kind = rng.integers(6)
        if kind == 0:
            made.append(a * b if a.ndim == b.ndim or 0 in (a.ndim, b.ndim) else a + b)
        elif kind == 1:
            made.append((a - b).tanh())
        elif kind == 2 and a.ndim:
            made.extend(a.max(0)[:1] if rng.integers(2) else a.unbind(0))
        elif kind == 3 and a.ndim == 2:
            made.append(a.t() @ a)
        elif kind == 4 and a.ndim:
            made.append(a.sum(-1))
        else:
            made.append(a.exp().log())
        if made[-1].ndim > 2 or made[-1].shape not in ((3, 2), (2,), ()):
            made[-1] = made[-1].sum()
    return sum((t.sum() for t in made), torch.tensor(0.0)), leaves


@pytest.mark.parametrize("seed", range(40))
def test_the_same_gradients_as_the_general_pass(seed: int) -> None:
    loss, leaves = random_graph(seed)
    loss.backward()
    again, others = random_graph(seed)
    torch.autograd.backward([again])
    for leaf, other in zip(leaves, others, strict=True):
        np.testing.assert_array_equal(leaf.grad.numpy(), other.grad.numpy())


def layers() -> Made:
    leaves = [torch.ones(2, requires_grad=True), torch.tensor(3.0, requires_grad=True)]
    return (leaves[0] * leaves[1] + leaves[0]).sum(), leaves


def hook_inside() -> Made:
    loss, leaves = layers()
    doubled = loss * 1
    doubled.register_hook(lambda g: g * 2)
    return doubled, leaves


def hook_on_a_leaf() -> Made:
    leaves = [torch.ones(2, requires_grad=True)]
    leaves[0].register_hook(lambda g: g * 2)
    return (leaves[0] * 3).sum(), leaves


def hook_after_accumulation() -> Made:
    doubled: list[Any] = []
    leaves = [torch.ones(2, requires_grad=True)]
    leaves[0].register_post_accumulate_grad_hook(lambda p: doubled.append(p.grad * 2))
    return (leaves[0] * 3).sum(), leaves


def retained() -> Made:
    leaves = [torch.ones(2, requires_grad=True)]
    middle = leaves[0] * 3
    middle.retain_grad()
    return (middle * 2).sum(), [*leaves, middle]


class Doubling(torch.autograd.Function):  # type: ignore[name-defined,misc]
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2


def custom_function() -> Made:
    leaves = [torch.ones(2, requires_grad=True)]
    return Doubling.apply(leaves[0]).sum(), leaves


@pytest.mark.parametrize("make", [hook_inside, hook_on_a_leaf, hook_after_accumulation, retained, custom_function])
def test_what_is_unusual_is_left_to_the_general_pass(make: Any) -> None:
    loss, leaves = make()
    assert not plain_pass.from_number(loss, drop=False)
    assert all(leaf.grad is None for leaf in leaves)
    loss.backward()
    assert all(leaf.grad is not None for leaf in leaves)


def test_it_is_the_way_a_usual_pass_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GENERAL, "run", None)
    loss, leaves = layers()
    loss.backward()
    assert leaves[0].grad.tolist() == [4.0, 4.0]
    assert leaves[1].grad.item() == 2.0


def test_a_graph_is_freed_unless_it_is_retained() -> None:
    loss, leaves = layers()
    loss.backward(retain_graph=True)
    loss.backward()
    assert leaves[1].grad.item() == 4.0
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        loss.backward()


def test_one_result_of_several_may_be_the_root() -> None:
    x = torch.tensor([[1.0, 5.0], [7.0, 3.0]], requires_grad=True)
    value, _ = x.reshape(-1).max(0)
    value.backward()
    assert x.grad.tolist() == [[0.0, 0.0], [1.0, 0.0]]


def test_a_gradient_is_never_shared_between_leaves() -> None:
    a, b = torch.ones(3, requires_grad=True), torch.ones(3, requires_grad=True)
    (a + b).sum().backward()
    a.grad[0] = 9
    assert b.grad.tolist() == [1.0, 1.0, 1.0]
