"""torch.autograd.functional and torch.func."""

from __future__ import annotations

from typing import Any


def _x(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0])


def _cubes(x: Any) -> Any:
    return (x**3).sum()


def _pair(a: Any, b: Any) -> Any:
    return a * b, a.sum() * b


def _map(torch: Any) -> Any:
    m = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]])
    return lambda x: m @ (x * x)


def vjp(torch: Any) -> Any:
    return torch.autograd.functional.vjp(_map(torch), _x(torch), torch.tensor([1.0, 2.0]))


def vjp_without_a_vector(torch: Any) -> Any:
    return torch.autograd.functional.vjp(_map(torch), _x(torch))


def vjp_with_a_wrong_vector(torch: Any) -> Any:
    return torch.autograd.functional.vjp(_map(torch), _x(torch), torch.ones(3))


def jvp(torch: Any) -> Any:
    return torch.autograd.functional.jvp(_map(torch), _x(torch), _x(torch))


def jvp_of_no_tensor(torch: Any) -> Any:
    return torch.autograd.functional.jvp(_map(torch), 3)


def jacobian(torch: Any) -> Any:
    return torch.autograd.functional.jacobian(_map(torch), _x(torch))


def jacobian_of_several(torch: Any) -> Any:
    return torch.autograd.functional.jacobian(_pair, (_x(torch), _x(torch) * 2))


def jacobian_forward(torch: Any) -> Any:
    return torch.autograd.functional.jacobian(_map(torch), _x(torch), strategy="forward-mode", vectorize=True)


def jacobian_of_a_constant(torch: Any) -> Any:
    return torch.autograd.functional.jacobian(lambda x: torch.ones(2), _x(torch))


def jacobian_of_a_constant_strictly(torch: Any) -> Any:
    return torch.autograd.functional.jacobian(lambda x: torch.ones(2), _x(torch), strict=True)


def jacobian_with_history(torch: Any) -> Any:
    w = _x(torch).requires_grad_()
    j = torch.autograd.functional.jacobian(_map(torch), w, create_graph=True)
    return torch.autograd.grad(j.sum(), w)


def hessian(torch: Any) -> Any:
    return torch.autograd.functional.hessian(_cubes, _x(torch))


def hessian_of_several(torch: Any) -> Any:
    return torch.autograd.functional.hessian(lambda a, b: (a * b * b).sum(), (_x(torch), _x(torch)))


def hessian_of_a_vector(torch: Any) -> Any:
    return torch.autograd.functional.hessian(_map(torch), _x(torch))


def hvp_and_vhp(torch: Any) -> Any:
    af, x = torch.autograd.functional, _x(torch)
    return af.hvp(_cubes, x, x), af.vhp(_cubes, x, x)


def func_grad(torch: Any) -> Any:
    grad, x = torch.func.grad, _x(torch)
    return grad(_cubes)(x), grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, x * 2), grad(_cubes)(x).requires_grad


def func_grad_nested(torch: Any) -> Any:
    grad, two = torch.func.grad, torch.tensor(2.0)
    return grad(grad(lambda x: x**3))(two), grad(lambda x: x * grad(lambda y: x)(torch.tensor(1.0)))(two)


def func_grad_of_a_vector(torch: Any) -> Any:
    return torch.func.grad(_map(torch))(_x(torch))


def func_grad_with_more(torch: Any) -> Any:
    x = _x(torch)
    return torch.func.grad_and_value(_cubes)(x), torch.func.grad(lambda x: (_cubes(x), x * 2), has_aux=True)(x)


def func_grad_of_a_dict(torch: Any) -> Any:
    x = _x(torch)
    return torch.func.grad(lambda d: (d["a"] * d["b"]).sum())({"a": x, "b": x * 2})


def func_grad_keeps_outer_history(torch: Any) -> Any:
    w = _x(torch).requires_grad_()
    r = torch.func.grad(lambda x: (x * w).sum())(_x(torch))
    r.sum().backward()
    return r.requires_grad, w.grad


def func_vjp(torch: Any) -> Any:
    x = _x(torch)
    out, pull = torch.func.vjp(_map(torch), x)
    both, pull_both = torch.func.vjp(_pair, x, x)
    return out, pull(torch.tensor([1.0, 1.0])), both, pull_both((x, x))


def func_jacobians(torch: Any) -> Any:
    f, x = torch.func, _x(torch)
    return (
        f.jacrev(_map(torch))(x), f.jacfwd(_map(torch))(x), f.hessian(_cubes)(x), f.jacrev(_pair, argnums=(0, 1))(x, x),
        f.jacfwd(_pair, argnums=1)(x, x),
    )  # fmt: skip


def func_vmap(torch: Any) -> Any:
    f, x = torch.func, _x(torch)
    y = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]])
    return (
        f.vmap(lambda a: a * a.sum())(y), f.vmap(torch.dot)(y, y), f.vmap(lambda a, b: a + b, in_dims=(0, None))(y, x),
        f.vmap(f.grad(_cubes))(y), f.vmap(lambda a: a * 2, in_dims=1, out_dims=1)(y),
    )  # fmt: skip
