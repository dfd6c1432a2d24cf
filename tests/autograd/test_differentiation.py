"""Derivatives of whole functions: fan-out, constants, functions that close over variables, all pairs of shapes, second
and third derivatives by several ways. Such facts are what other engines' tests check first.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from snippets.torch_api import torch

Fun = Callable[..., Any]
RANDOM = np.random.default_rng(5)
GRAD = torch.func.grad


def real(*shape: int) -> Any:
    return torch.tensor(RANDOM.normal(size=shape), dtype=torch.float64)


def leaf(*shape: int) -> Any:
    return real(*shape).requires_grad_()


def sound(f: Fun, *inputs: Any) -> None:
    """First derivatives in reverse and forward mode, second ones in reverse over reverse and forward over reverse."""
    assert torch.autograd.gradcheck(f, inputs, check_forward_ad=True, directions=1)
    assert torch.autograd.gradgradcheck(f, inputs, check_fwd_over_rev=True, directions=1)


# -- expressions with known numbers ----------------------------------------------------------------------------------


def test_a_knot_of_shared_values_and_a_relu_that_is_off() -> None:
    a = torch.tensor(-2.0, dtype=torch.float64, requires_grad=True)
    b = a * 3 + 1  # -5
    c = (b * b - a).relu() + (a * b).relu() * 2  # 27 + 20
    d = c / b + b.relu()  # -9.4, the relu is off
    d.backward()
    # dc/da = (2·b·3 - 1) + 2·(b + 3·a) = -31 - 22; dd/da = (dc·b - c·3) / b²
    assert d.item() == pytest.approx(-9.4)
    assert a.grad.item() == pytest.approx((-53 * -5 - 47 * 3) / 25)


def test_augmented_assignments_make_new_values() -> None:
    a, b = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (3.0, -1.0))
    c = a - b
    c = c * c  # 16
    d = c
    d = d + 2 * d + (a + b).relu()  # 50
    e = 8 / d + d / 4 + b**3
    e.backward()
    slope = -8 / 50**2 + 1 / 4
    assert e.item() == pytest.approx(8 / 50 + 12.5 - 1)
    assert a.grad.item() == pytest.approx(slope * (3 * 8 + 1))
    assert b.grad.item() == pytest.approx(slope * (3 * -8 + 1) + 3)


UNARY: dict[str, Fun] = {
    "negated": lambda x: -x, "shifted": lambda x: 7 + x, "less": lambda x: x - 7, "times": lambda x: 3 * x,
    "over": lambda x: x / 3, "under": lambda x: 2 / (x + 120), "square": lambda x: x * x, "cube": lambda x: x * x * x,
    "log": lambda x: (x + 1e4).log(), "exp": lambda x: (x - 150).exp(), "relu": lambda x: (x + 2.5).relu(),
    "sigmoid": lambda x: x.sigmoid(), "nested": lambda x: ((x * 4 + 3).relu() * 2 + 1).relu().sigmoid().log() / 9,
}  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
@given(value=st.floats(-100, 100))
@settings(max_examples=25, deadline=None)
def test_scalar_functions_against_differences(name: str, value: float) -> None:
    f = UNARY[name]
    x = torch.tensor(value, dtype=torch.float64, requires_grad=True)
    f(x).backward()
    step = 1e-5
    slope = (f(x.detach() + step).item() - f(x.detach() - step).item()) / (2 * step)
    if min(abs(value + 2.5), abs(value * 4 + 3)) > 1e-4:  # away from the kinks
        assert x.grad.item() == pytest.approx(slope, rel=1e-3, abs=1e-4)


# -- fan-out and constants -------------------------------------------------------------------------------------------


def test_a_value_used_twice_three_levels_deep() -> None:
    f = lambda x: torch.cos(torch.cos(x) + torch.cos(x)) * x  # noqa: E731
    for function in (f, GRAD(f), GRAD(GRAD(f))):
        sound(function, torch.tensor(0.4, dtype=torch.float64, requires_grad=True))


def test_constants_and_the_identity() -> None:
    x = torch.tensor(1.5)
    assert GRAD(lambda x: torch.tensor(4.0))(x).item() == 0
    assert GRAD(lambda x: x * 0 + 4)(x).item() == 0
    assert GRAD(lambda x: x)(x).item() == 1
    assert GRAD(GRAD(lambda x: x))(x).item() == 0


@pytest.mark.parametrize("numbers", [(0, 1), (1, 0), (0, 0), (1, 1), (0, 1, 0), (1, 1, 0)])
def test_mixed_derivatives_in_any_order(numbers: tuple[int, ...]) -> None:
    f: Fun = lambda x, y: torch.sin(torch.exp(x) * y) + x * y * y  # noqa: E731
    for number in numbers:
        f = GRAD(f, argnums=number)
        sound(
            f, torch.tensor(0.3, dtype=torch.float64, requires_grad=True), torch.tensor(0.8).double().requires_grad_()
        )


def test_the_order_of_mixed_derivatives_does_not_matter() -> None:
    f = lambda x, y: torch.tanh(x * y) + x.exp() * y**3  # noqa: E731
    x, y = torch.tensor(0.3).double(), torch.tensor(0.7).double()
    one, other = GRAD(GRAD(f, argnums=0), argnums=1)(x, y), GRAD(GRAD(f, argnums=1), argnums=0)(x, y)
    assert one.item() == pytest.approx(other.item(), rel=1e-12)


@pytest.mark.parametrize("inner", [lambda x, y: x * y, lambda x, y: y * x, lambda x, y: (x + y) * y])
def test_an_inner_derivative_sees_the_outer_variable_as_a_constant(inner: Fun) -> None:
    sound(lambda x: x * GRAD(lambda y: inner(x, y))(torch.tensor(2.0).double()), leaf())
    through_tape = lambda x: x * torch.func.jvp(lambda y: inner(x, y), (x,), (x,))[1]  # noqa: E731
    sound(through_tape, leaf())


def test_gradients_that_are_shared_are_not_written_into() -> None:
    def by_value(a: Any) -> Any:
        b = a + 2.0
        return (b + 0.5) + (a + b)

    def by_index(a: Any) -> Any:
        b = a + 2.0
        return (b[0] + 0.5) + (a + b)

    sound(by_value, leaf(4))
    sound(by_index, leaf(4))
    x = leaf(4)
    by_index(x).sum().backward()
    assert x.grad.tolist() == [2 + 4, 2, 2, 2]


def test_a_product_of_a_gradient_with_a_vector_can_be_differentiated() -> None:
    weights = real(6)
    slope = GRAD(lambda x: torch.tanh(x @ weights))
    sound(lambda x, v: torch.tanh(slope(x) @ v), leaf(6), leaf(6))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x.cos().sum(dim=(0, 1), keepdim=True), lambda x: x.cos().sum(dim=0), lambda x: x.cos().sum(dim=1),
        lambda x: x.cos().mean(dim=0, keepdim=True), lambda x: x.cos().prod(dim=1, keepdim=True),
    ],
)  # fmt: skip
@pytest.mark.parametrize("shape", [(3, 1), (1, 3), (2, 2)])
def test_reductions_that_leave_one_entry_or_one_row(f: Fun, shape: tuple[int, ...]) -> None:
    sound(f, leaf(*shape))
    sound(lambda x: GRAD(lambda x: f(x).sum())(x).sum(), leaf(*shape))


def test_writing_into_a_leaf_is_refused_and_into_a_copy_recorded() -> None:
    def write(a: Any, b: Any) -> Any:
        a[1] = b
        return a

    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad is being used in an in-place"):
        write(leaf(3), torch.tensor(1.0).double())
    sound(lambda a, b: write(a * 1, b), leaf(3), leaf())


# -- two arguments of every pair of shapes ---------------------------------------------------------------------------

SHAPES: list[tuple[int, ...]] = [(), (4,), (3, 4), (1, 4)]
BINARY: dict[str, Fun] = {
    "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y,
    "/": lambda x, y: x / (y * y + 0.5).sqrt(), "**": lambda x, y: (x.abs() + 1.1) ** y,
    "%": lambda x, y: (x * x + 5.3) % (y * y + 0.7).sqrt(), "atan2": torch.atan2, "hypot": torch.hypot,
    "maximum": torch.maximum, "logaddexp": torch.logaddexp,
}  # fmt: skip


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize(("first", "second"), list(itertools.product(SHAPES, SHAPES)))
def test_binary_operations_broadcast(name: str, first: tuple[int, ...], second: tuple[int, ...]) -> None:
    x, y = leaf(*first), leaf(*second)
    if name == "%":  # stay away from the jumps
        quotient = (x * x + 5.3) / (y * y + 0.7).sqrt()
        if ((quotient - quotient.round()).abs() < 1e-3).any():
            x = x.detach() + 0.05
            x.requires_grad_()
    sound(BINARY[name], x, y)


@pytest.mark.parametrize("compare", [torch.lt, torch.le, torch.gt, torch.ge, torch.eq, torch.ne])
def test_comparisons_have_values_and_no_gradient(compare: Fun) -> None:
    for first, second in itertools.product(SHAPES, SHAPES):
        x, y = leaf(*first), leaf(*second)
        told = compare(x, y)
        assert told.grad_fn is None
        assert told.dtype is torch.bool
        count = told.sum() + (x * 0).sum()
        gradients = torch.autograd.grad(count, (x, y), allow_unused=True, materialize_grads=True)
        assert all(not g.any() for g in gradients)


# -- Jacobians -------------------------------------------------------------------------------------------------------


def test_the_jacobian_of_one_row_is_its_gradient() -> None:
    f = lambda x: x.cos().sum(dim=1, keepdim=True)  # noqa: E731
    x = real(1, 5)
    for jacobian in (torch.func.jacrev(f)(x), torch.func.jacfwd(f)(x), torch.autograd.functional.jacobian(f, x)):
        assert torch.allclose(jacobian.reshape(1, 5), GRAD(lambda x: f(x).sum())(x))


def test_the_jacobian_of_a_vector_of_powers() -> None:
    x = torch.tensor(1.3).double()
    found = torch.func.jacrev(lambda x: torch.stack([x**k for k in range(4)]))(x)
    assert found.tolist() == pytest.approx([0, 1, 2 * 1.3, 3 * 1.3**2])


def test_the_jacobian_is_the_stack_of_gradients_even_of_derivatives() -> None:
    parts = [
        lambda x: (x**4).sum(),
        lambda x: torch.prod(x.cos() + 2),
        lambda x: GRAD(lambda y: torch.cos(y) * x[0].sigmoid())(x[2]),
    ]
    x = real(4)
    stacked = torch.stack([GRAD(f)(x) for f in parts])
    whole = lambda x: torch.stack([f(x) for f in parts])  # noqa: E731
    assert torch.allclose(torch.func.jacrev(whole)(x), stacked)
    assert torch.allclose(torch.func.jacfwd(whole)(x), stacked)
    assert torch.allclose(torch.autograd.functional.jacobian(whole, x), stacked)


def test_jacobians_of_jacobians() -> None:
    f = lambda x: torch.outer(x, x).cos() + torch.sin(x @ x)  # noqa: E731
    jacobian = torch.func.jacrev(f)
    assert jacobian(real(2)).shape == (2, 2, 2)
    assert torch.func.jacrev(jacobian)(real(2)).shape == (2, 2, 2, 2)
    x = real(2)
    for other in (
        torch.func.jacfwd(jacobian),
        torch.func.jacrev(torch.func.jacfwd(f)),
        torch.func.jacfwd(torch.func.jacfwd(f)),
    ):
        assert torch.allclose(other(x), torch.func.jacrev(jacobian)(x))
    sound(lambda x: torch.cos(torch.func.jacrev(jacobian)(x)).sum(), leaf(2))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: x.exp().sum(), lambda x: (x.tanh() * x.sigmoid()).sum(), lambda x: x.softmax(0)[0],
        lambda x: (x * x + 1).sqrt().sum(), lambda x: x.norm(), lambda x: x.std(), lambda x: torch.logsumexp(x, 0),
        lambda x: (1 / (x * x + 1)).prod(), lambda x: (x.reshape(2, 2) @ x.reshape(2, 2)).inverse().sum(),
    ],
)  # fmt: skip
def test_four_ways_to_the_hessian(f: Fun) -> None:
    x = torch.tensor([0.7, -0.4, 1.2, 0.5], dtype=torch.float64)
    ways = [
        torch.func.hessian(f), torch.func.jacrev(torch.func.jacrev(f)), torch.func.jacfwd(torch.func.jacfwd(f)),
        torch.func.jacrev(torch.func.jacfwd(f)), lambda x: torch.autograd.functional.hessian(f, x),
    ]  # fmt: skip
    first, *rest = (way(x) for way in ways)
    assert torch.allclose(first, first.T)
    assert first.abs().max() > 1e-3
    for other in rest:
        assert torch.allclose(other, first)


# -- functions of one's own, one step of the chain rule --------------------------------------------------------------


class TimesAndPlus(torch.autograd.Function):
    """x·y + x."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        return x * y + x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensors
        return g * (y + 1), g * x


class PlusTen(torch.autograd.Function):
    """x + y + 10, for tensors and numbers."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        return x + y + 10

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return tuple(g if wanted else None for wanted in ctx.needs_input_grad)


def test_one_step_of_the_chain_rule_by_hand() -> None:
    x, y = torch.tensor(4.0, requires_grad=True), torch.tensor(6.0, requires_grad=True)
    g = torch.tensor(3.0)
    assert [v.item() for v in TimesAndPlus.apply(x, y).grad_fn.apply(g)] == [21, 12]
    assert [v.item() for v in (x * y).grad_fn(g)] == [18, 12]


def test_constants_among_the_arguments_get_no_gradient() -> None:
    y = torch.tensor(0.0, requires_grad=True)
    PlusTen.apply(5, y).backward(torch.tensor(3.0))
    assert y.grad.item() == 3
    c = torch.tensor(10.0)
    TimesAndPlus.apply(c, y).backward(torch.tensor(2.0))
    assert (c.grad, y.grad.item()) == (None, 3 + 20)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_paths_through_functions_of_ones_own_add_up(depth: int) -> None:
    x = torch.tensor(0.0, requires_grad=True)
    value = x
    for _ in range(depth):
        value = PlusTen.apply(PlusTen.apply(0, value), PlusTen.apply(0, value))
    value.backward(torch.tensor(5.0))
    assert x.grad.item() == 5 * 2**depth


def test_a_power_of_zero() -> None:
    zero = torch.tensor(0.0).double()
    assert GRAD(lambda x: x**0.0)(zero).item() == 0
    assert GRAD(GRAD(lambda x: x**0.0))(zero).item() == 0
    assert GRAD(lambda x: x**1)(zero).item() == 1
    assert GRAD(GRAD(lambda x: x**2))(zero).item() == 2
    assert GRAD(lambda y: torch.pow(zero, y))(torch.tensor(2.0).double()).item() == 0
    assert math.isinf(GRAD(lambda x: x**0.5)(zero).item())


def test_second_derivatives_of_powers_of_zero_are_numbers() -> None:
    zero, two = torch.tensor(0.0).double(), torch.tensor(2.0).double()
    assert GRAD(GRAD(lambda y: torch.pow(zero, y)))(two).item() == 0
    assert GRAD(GRAD(lambda y: 0.0**y))(two).item() == 0
    assert GRAD(GRAD(lambda x: x ** torch.zeros((), dtype=torch.float64)))(zero).item() == 0
