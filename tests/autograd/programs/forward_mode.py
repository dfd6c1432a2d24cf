"""Forward mode: tangents through every kind of operation, and levels that do not mix."""

from __future__ import annotations

from typing import Any


def _point(torch: Any) -> Any:
    return torch.tensor([[1.0, 2.0], [3.0, 4.0]]), torch.tensor([[1.0, -1.0], [0.5, 2.0]])


def _push(torch: Any, function: Any) -> Any:
    a, t = _point(torch)
    return torch.func.jvp(function, (a,), (t,))


def sine_at_three(torch: Any) -> Any:
    return torch.func.jvp(lambda x: torch.sin(x) * 2 - x, (torch.tensor(3.0),), (torch.tensor(1.0),))


def no_perturbation_confusion(torch: Any) -> Any:
    jvp, one = torch.func.jvp, torch.tensor(1.0)
    return jvp(lambda x: x * jvp(lambda y: x, (torch.tensor(2.0),), (one,))[1], (torch.tensor(3.0),), (one,))


def a_second_derivative_by_nesting(torch: Any) -> Any:
    jvp, one = torch.func.jvp, torch.tensor(1.0)
    return jvp(lambda x: jvp(lambda y: y**3 * x, (x,), (one,))[1], (torch.tensor(3.0),), (one,))


def through_products(torch: Any) -> Any:
    b = torch.tensor([[1.0, -1.0], [0.5, 2.0]])
    return _push(torch, lambda a: a @ b), _push(torch, lambda a: a @ a), _push(torch, lambda a: a @ a[0])


def through_reductions(torch: Any) -> Any:
    return [
        _push(torch, f)
        for f in (
            lambda a: a.sum(0),
            lambda a: a.mean(),
            lambda a: a.max(0)[0],
            lambda a: a.cumsum(0),
            lambda a: a.norm(),
        )
    ]


def through_views(torch: Any) -> Any:
    return [
        _push(torch, f)
        for f in (lambda a: a[0], lambda a: a.t().reshape(-1), lambda a: a.view(4).unbind(0)[2], lambda a: a[:, None])
    ]


def through_joining_and_choosing(torch: Any) -> Any:
    return [
        _push(torch, f)
        for f in (
            lambda a: torch.cat([a, a * 2]),
            lambda a: torch.stack([a, torch.ones(2, 2)]),
            lambda a: torch.where(a > 2, a * a, a),
            lambda a: a.sort(1)[0],
        )
    ]


def through_powers(torch: Any) -> Any:
    return _push(torch, lambda a: a**a), _push(torch, lambda a: a**3), _push(torch, lambda a: 2**a)


def through_writes(torch: Any) -> Any:
    def write(a: Any) -> Any:
        c = a * 1
        c[0] *= 2
        c.mul_(a)
        c[1] = a[0]
        return c

    return _push(torch, write)


def dual_tensors(torch: Any) -> Any:
    import importlib

    fw = importlib.import_module("torch.autograd.forward_ad") if hasattr(torch, "_C") else torch.autograd.forward_ad
    a, t = _point(torch)
    with fw.dual_level():
        dual = fw.make_dual(a, t)
        inside = fw.unpack_dual(dual * dual)
        detached = fw.unpack_dual((dual * dual).detach())
    return inside, detached, fw.unpack_dual(dual)


def no_level(torch: Any) -> Any:
    a, t = _point(torch)
    return torch.autograd.forward_ad.make_dual(a, t)


def reverse_over_forward(torch: Any) -> Any:
    fw = torch.autograd.forward_ad
    a, t = _point(torch)
    a.requires_grad_()
    with fw.dual_level():
        tangent = fw.unpack_dual((fw.make_dual(a, t) ** 3).sum()).tangent
        return tangent, torch.autograd.grad(tangent, a)


def a_custom_function(torch: Any) -> Any:
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_forward(x)
            return x * x

        @staticmethod
        def jvp(ctx: Any, t: Any) -> Any:
            return 2 * t * ctx.saved_tensors[0]

    fw = torch.autograd.forward_ad
    a, t = _point(torch)
    with fw.dual_level():
        return fw.unpack_dual(Square.apply(fw.make_dual(a, t)))
