"""State machines: views and in-place writes behave as NumPy's memory does, and their gradients as differences say.

Random programs of views, writes, detaches and arithmetic run on tensors and, at the same time, on NumPy arrays with
NumPy's aliasing. After each step every live tensor must equal its array. A second test compares the gradient of such
programs with central differences of the same program run on arrays alone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from numpy.lib.array_utils import byte_bounds

from snippets.torch_api import torch

SHAPE = (2, 3)

#: views by name: the same on a tensor and on an array
VIEWS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "first": (lambda t: t[0], lambda a: a[0, ...]),
    "tail": (lambda t: t[1:], lambda a: a[1:]),
    "every other": (lambda t: t[::2], lambda a: a[::2]),
    "transposed": (lambda t: t.t() if t.dim() == 2 else t[...], lambda a: a.T if a.ndim == 2 else a[...]),
    "a dimension more": (lambda t: t.unsqueeze(0), lambda a: a[None]),
    "flat": (lambda t: t.view(-1), lambda a: np.reshape(a, -1, copy=False)),
    "all": (lambda t: t[...], lambda a: a[...]),
}

#: writes by name, with a number
WRITES: dict[str, Callable[[Any, float], None]] = {
    "add": lambda x, c: x.__iadd__(c),
    "multiply": lambda x, c: x.__imul__(c),
    "subtract": lambda x, c: x.__isub__(c),
    "set": lambda x, c: x.__setitem__(..., c),
}


def dense(a: Any) -> bool:
    """Whether a view has no gaps; PyTorch looks for overlaps among those only."""
    low, high = byte_bounds(a)
    return bool(high - low == a.nbytes)


def place(t: Any) -> Any:
    """Which view of its memory a tensor is."""
    return t.data_ptr(), t.stride()


class Aliasing(RuleBasedStateMachine):
    """Pairs of a tensor and an array that must stay equal."""

    def __init__(self) -> None:
        super().__init__()
        self.pairs: list[tuple[Any, Any]] = []

    @initialize(values=st.lists(st.integers(-3, 3), min_size=6, max_size=6))
    def start(self, values: list[int]) -> None:
        array = np.array(values, np.float64).reshape(SHAPE)
        leaf = torch.tensor(array, requires_grad=True)
        self.leaf = leaf
        t = leaf * 1
        self.pairs.append((t, array.copy()))

    @rule(pick=st.integers(0, 100), name=st.sampled_from(sorted(VIEWS)))
    def view(self, pick: int, name: str) -> None:
        t, a = self.pairs[pick % len(self.pairs)]
        on_tensor, on_array = VIEWS[name]
        assume(t.dim() > 0 and t.numel() > 0 and len(self.pairs) < 12)
        try:
            view = on_array(a)
        except ValueError:  # NumPy would have to copy: so would PyTorch, which refuses
            try:
                on_tensor(t)
            except RuntimeError:
                return
            raise
        self.pairs.append((on_tensor(t), view))

    @rule(pick=st.integers(0, 100), name=st.sampled_from(sorted(WRITES)), c=st.integers(-2, 2))
    def write(self, pick: int, name: str, c: int) -> None:
        t, a = self.pairs[pick % len(self.pairs)]
        WRITES[name](t, float(c))
        WRITES[name](a, float(c))

    @rule(pick=st.integers(0, 100))
    def detach(self, pick: int) -> None:
        t, a = self.pairs[pick % len(self.pairs)]
        assume(len(self.pairs) < 12)
        d = t.detach()
        assert not d.requires_grad
        self.pairs.append((d, a))

    @rule(pick=st.integers(0, 100))
    def compute(self, pick: int) -> None:
        t, a = self.pairs[pick % len(self.pairs)]
        assume(len(self.pairs) < 12)
        self.pairs.append((t * 2, a * 2))

    @rule(pick=st.integers(0, 100), other=st.integers(0, 100))
    def add_to(self, pick: int, other: int) -> None:
        t, a = self.pairs[pick % len(self.pairs)]
        u, b = self.pairs[other % len(self.pairs)]
        assume(a.shape == b.shape)
        if a.size and np.shares_memory(a, b) and dense(a) and dense(b) and place(t) != place(u):
            with pytest.raises(RuntimeError, match="refer to a single memory location"):
                t.add_(u)
            return
        t.add_(u)
        a += b

    @precondition(lambda self: self.pairs)
    @invariant()
    def memory_agrees(self) -> None:
        for t, a in self.pairs:
            assert t.shape == a.shape
            assert np.array_equal(t.detach().numpy(), a)

    @precondition(lambda self: self.pairs)
    @invariant()
    def versions_agree_among_aliases(self) -> None:
        for t, a in self.pairs:
            for u, b in self.pairs:
                if t.numel() and u.numel() and np.shares_memory(a, b):
                    assert t._version == u._version


TestAliasing = Aliasing.TestCase
TestAliasing.settings = settings(max_examples=30, stateful_step_count=12, deadline=None)

STEP = st.tuples(
    st.sampled_from(["view", "multiply", "add", "square", "write part", "write tensor", "compute"]),
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from(sorted(VIEWS)),
)


def play(steps: list[Any], start: Any, tensors: bool) -> Any:
    """Runs a program of views and writes; returns the sum of squares of everything it made."""
    made = [start]
    for what, i, j, name in steps:
        x, y = made[i % len(made)], made[j % len(made)]
        shape = tuple(x.shape)
        if what == "view" and shape and 0 not in shape:
            try:
                made.append(VIEWS[name][0 if tensors else 1](x))
            except (ValueError, RuntimeError):
                made.append(x)
        elif what == "multiply":
            x *= 1.5
        elif what == "add":
            x += 0.25
        elif what == "square":
            made.append(x * x if tensors else np.asarray(x * x))  # NumPy's 0-d results are no arrays
        elif what == "write part" and shape and shape[0]:
            x[0] = x[0] * 2
        elif what == "write tensor" and tuple(y.shape) == shape and x is not y:
            x[...] = y * 0.5
        elif what == "compute":
            made.append(x * 0.5 + 1 if tensors else np.asarray(x * 0.5 + 1))
    total: Any = 0
    for k, x in enumerate(made):
        total = total + (x * x * (1 + 0.1 * k)).sum()
    return total


@given(st.lists(STEP, max_size=8), st.integers(0, 1000))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_gradients_of_random_programs_agree_with_differences(steps: list[Any], seed: int) -> None:
    rng = np.random.default_rng(seed)
    point = rng.uniform(0.5, 1.5, SHAPE)
    leaf = torch.tensor(point, requires_grad=True)
    try:
        (got,) = torch.autograd.grad(play(steps, leaf * 1, True), leaf)
    except RuntimeError as error:
        # a value that a rule needs was overwritten: PyTorch says so too, and there is nothing to compare
        assert "modified by an inplace operation" in str(error)  # noqa: PT017
        return
    for _ in range(3):
        v = rng.choice([-1.0, 1.0], SHAPE) * rng.uniform(0.5, 1.0, SHAPE)
        eps = 1e-5
        want = (play(steps, point + eps * v, False) - play(steps, point - eps * v, False)) / (2 * eps)
        assert np.isclose((got.numpy() * v).sum(), want, rtol=1e-5, atol=1e-6)


def test_entries_of_a_leaf_are_updated_without_recording() -> None:
    w = torch.ones(2, 2, requires_grad=True)
    with torch.no_grad():
        row = w[0]
        w[1] -= 1
        w[0] += row
    assert w.tolist() == [[2.0, 2.0], [0.0, 0.0]]
    assert repr(row) == "tensor([2., 2.], grad_fn=<Invalid>)"
