"""In-place operations: rules and history, and what refuses them."""

from __future__ import annotations

from typing import Any


def _leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def on_a_leaf(torch: Any) -> Any:
    _leaf(torch).add_(1)


def on_a_leaf_by_an_operator(torch: Any) -> Any:
    x = _leaf(torch)
    x -= 1


def on_a_leaf_under_no_grad(torch: Any) -> Any:
    x = _leaf(torch)
    with torch.no_grad():
        x.add_(1)
    return x, x._version


def on_a_result(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 2
    y.add_(1)
    y.mul_(3)
    return y, y.grad_fn, y.grad_fn.next_functions, torch.autograd.grad(y.sum(), x)


def the_old_value_is_kept_for_the_rule(torch: Any) -> Any:
    x, w = _leaf(torch), torch.tensor([2.0, 3.0, 4.0], requires_grad=True)
    y = x * 1
    y.mul_(w)
    return torch.autograd.grad(y.sum(), [x, w])


def a_power_in_place(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 1
    y.pow_(3)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return g, torch.autograd.grad(g.sum(), x)


def exp_in_place(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 1
    y.exp_()
    return y, torch.autograd.grad(y.sum(), x)


def relu_in_place(torch: Any) -> Any:
    x = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    y = x * 1
    torch.relu_(y)
    return y, torch.autograd.grad(y.sum(), x)


def with_a_tracked_operand_into_an_untracked_tensor(torch: Any) -> Any:
    x, total = _leaf(torch), torch.zeros(3)
    total += x
    total += x * x
    return total, torch.autograd.grad(total.sum(), x)


def zero_and_fill(torch: Any) -> Any:
    x = _leaf(torch)
    y, z = x * 1, x * 1
    y.zero_()
    z.fill_(3.0)
    return y, torch.autograd.grad(y.sum(), x), z, torch.autograd.grad(z.sum(), x)


def copy_into_a_result(torch: Any) -> Any:
    x, z = _leaf(torch), torch.ones(3, requires_grad=True)
    y = x * 1
    y.copy_(z * 3)
    return y, y.grad_fn, torch.autograd.grad(y.sum(), [x, z])


def copy_broadcasts_and_casts(torch: Any) -> Any:
    q = torch.zeros(2, 3)
    q.copy_(torch.tensor([1, 2, 3]))
    return q


def copy_of_a_wrong_shape(torch: Any) -> Any:
    torch.ones(3).copy_(torch.ones(2))


def copy_of_a_larger_shape(torch: Any) -> Any:
    torch.ones(2).copy_(torch.ones(3, 2))


def a_result_that_does_not_fit(torch: Any) -> Any:
    torch.ones(2).add_(torch.ones(3, 2))


def a_result_of_another_type(torch: Any) -> Any:
    torch.tensor([1, 2]).add_(1.5)


def division_of_integers(torch: Any) -> Any:
    torch.tensor([1, 2]).div_(2)


def a_float_into_a_smaller_float(torch: Any) -> Any:
    x = torch.ones(2)
    x.add_(torch.ones(2, dtype=torch.float64))
    return x


def on_a_scalar(torch: Any) -> Any:
    x = torch.tensor(2.0, requires_grad=True)
    y = x * 3
    s = y * 1
    y.add_(1)
    return y, s, torch.autograd.grad(y, x)


def detach_sees_the_write(torch: Any) -> Any:
    y = torch.tensor(2.0) * 3
    d = y.detach()
    d.add_(1)
    return y, d, y._version


def with_alpha(torch: Any) -> Any:
    x, w = _leaf(torch), torch.ones(3, requires_grad=True)
    y = x * 1
    y.add_(w, alpha=-0.5)
    return y, torch.autograd.grad(y.sum(), [x, w])


def returns_itself(torch: Any) -> Any:
    y = torch.ones(2)
    return y.add_(1) is y, y.zero_() is y


def clamp_in_place(torch: Any) -> Any:
    x = torch.tensor([-2.0, 0.5, 2.0], requires_grad=True)
    y = x * 1
    y.clamp_(-1, 1)
    return y, torch.autograd.grad(y.sum(), x)


def detach_in_place_is_not_retroactive(torch: Any) -> Any:
    a = _leaf(torch)
    b = a * 2
    c = b.sum()
    b.detach_()
    c.backward()
    return b.requires_grad, b.grad_fn, b.is_leaf, a.grad
