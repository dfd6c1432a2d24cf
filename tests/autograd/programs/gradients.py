"""torch.autograd.grad, and derivatives of derivatives."""

from __future__ import annotations

from typing import Any


def _leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def leaves_grad_alone(torch: Any) -> Any:
    x = _leaf(torch)
    return torch.autograd.grad((x * x).sum(), x), x.grad


def of_an_intermediate(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 2
    return torch.autograd.grad((y * y).sum(), [y, x])


def of_something_untracked(torch: Any) -> Any:
    return torch.autograd.grad(_leaf(torch).sum(), torch.ones(1))


def of_something_unused(torch: Any) -> Any:
    return torch.autograd.grad(_leaf(torch).sum(), torch.ones(1, requires_grad=True))


def of_something_unused_allowed(torch: Any) -> Any:
    x, y = _leaf(torch), torch.ones(1, requires_grad=True)
    return torch.autograd.grad(x.sum(), [x, y], allow_unused=True)


def of_something_unused_as_zeros(torch: Any) -> Any:
    x, y = _leaf(torch), torch.ones(1, requires_grad=True)
    return torch.autograd.grad(x.sum(), [x, y], materialize_grads=True)


def contradictory_arguments(torch: Any) -> Any:
    x = _leaf(torch)
    return torch.autograd.grad(x.sum(), x, allow_unused=False, materialize_grads=True)


def with_grad_outputs(torch: Any) -> Any:
    x = _leaf(torch)
    return torch.autograd.grad(x * x, x, torch.tensor([1.0, 10.0, 100.0]))


def of_an_overwritten_name(torch: Any) -> Any:
    a, b = _leaf(torch), _leaf(torch)
    total, packed = (a * b).sum(), torch.cat((a, b))
    return torch.autograd.grad(total, packed)


def the_second_derivative(torch: Any) -> Any:
    x = torch.tensor(2.0, requires_grad=True)
    (first,) = torch.autograd.grad(x**3, x, create_graph=True)
    (second,) = torch.autograd.grad(first, x, create_graph=True)
    return first, second, torch.autograd.grad(second, x)


def the_second_derivative_without_create_graph(torch: Any) -> Any:
    x = torch.tensor(2.0, requires_grad=True)
    (first,) = torch.autograd.grad(x**3, x)
    return torch.autograd.grad(first, x)


def second_derivatives_of_elementary_functions(torch: Any) -> Any:
    out = []
    for name in ("exp", "log", "tanh", "sigmoid", "sqrt", "sin", "reciprocal"):
        x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
        (first,) = torch.autograd.grad(getattr(x, name)().sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x)
        out.append([round(v, 10) for v in second.tolist()])
    return out


def a_gradient_penalty(torch: Any) -> Any:
    w, x = torch.tensor(3.0, requires_grad=True), torch.tensor(2.0, requires_grad=True)
    y = w * x**2
    (g,) = torch.autograd.grad(y, x, create_graph=True)
    (y + g**2).backward()
    return w.grad, x.grad


def through_a_matrix_product(torch: Any) -> Any:
    a = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    (g,) = torch.autograd.grad(((a @ a) ** 2).sum(), a, create_graph=True)
    return g, torch.autograd.grad(g.sum(), a)


def of_a_graph_that_is_gone(torch: Any) -> Any:
    x = _leaf(torch)
    y = (x * x).sum()
    torch.autograd.grad(y, x)
    return torch.autograd.grad(y, x)


def with_respect_to_the_output_itself(torch: Any) -> Any:
    x = _leaf(torch)
    y = (x * x).sum()
    return torch.autograd.grad(y, y)
