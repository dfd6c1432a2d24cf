"""Custom functions."""

from __future__ import annotations

from typing import Any


def _function(torch: Any, forward: Any, backward: Any, **more: Any) -> Any:
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("My", (torch.autograd.Function,), {**body, **{k: staticmethod(v) for k, v in more.items()}}).apply


def _leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def straight_through(torch: Any) -> Any:
    x = torch.tensor([0.2, 0.8], requires_grad=True)
    y = _function(torch, lambda ctx, x: x.round(), lambda ctx, g: g)(x)
    y.sum().backward()
    return y, x.grad, y.grad_fn.name(), y.grad_fn.next_functions[0][0].name()


def too_many_gradients(torch: Any) -> Any:
    _function(torch, lambda ctx, x: x * 2, lambda ctx, g: (g, g))(_leaf(torch)).sum().backward()


def too_many_that_are_none(torch: Any) -> Any:
    x = _leaf(torch)
    _function(torch, lambda ctx, x: x * 2, lambda ctx, g: (g, None))(x).sum().backward()
    return x.grad


def too_few_gradients(torch: Any) -> Any:
    _function(torch, lambda ctx, x, k: x * k, lambda ctx, g: g)(_leaf(torch), 2).sum().backward()


def a_gradient_for_a_number(torch: Any) -> Any:
    _function(torch, lambda ctx, x, k: x * k, lambda ctx, g: (g, g))(_leaf(torch), 2).sum().backward()


def a_gradient_of_the_wrong_shape(torch: Any) -> Any:
    _function(torch, lambda ctx, x: x * 2, lambda ctx, g: g[:2])(_leaf(torch)).sum().backward()


def a_gradient_that_is_a_number(torch: Any) -> Any:
    _function(torch, lambda ctx, x: x * 2, lambda ctx, g: 3)(_leaf(torch)).sum().backward()


def no_gradient(torch: Any) -> Any:
    x = _leaf(torch)
    _function(torch, lambda ctx, x: x * 2, lambda ctx, g: None)(x).sum().backward()
    return x.grad


def no_backward(torch: Any) -> Any:
    cls = type("My", (torch.autograd.Function,), {"forward": staticmethod(lambda ctx, x: x * 2)})
    cls.apply(_leaf(torch)).sum().backward()


def no_forward(torch: Any) -> Any:
    type("My", (torch.autograd.Function,), {}).apply(_leaf(torch))


def _square(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * g

    return _function(torch, forward, backward)


def saved_tensors_are_freed(torch: Any) -> Any:
    y = _square(torch)(_leaf(torch)).sum()
    y.backward()
    y.backward()


def a_saved_input_was_written(torch: Any) -> Any:
    z = _leaf(torch) * 1
    y = _square(torch)(z)
    z.mul_(2)
    y.sum().backward()


def differentiated_twice(torch: Any) -> Any:
    x = _leaf(torch)
    (g,) = torch.autograd.grad(_square(torch)(x).sum(), x, create_graph=True)
    return g, torch.autograd.grad(g.sum(), x)


def _exponential(torch: Any, wrap: Any = lambda f: f) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    def backward(ctx: Any, g: Any) -> Any:
        return ctx.saved_tensors[0] * g

    return _function(torch, forward, wrap(backward))


def a_saved_result(torch: Any) -> Any:
    x = torch.zeros(2, requires_grad=True)
    (g,) = torch.autograd.grad(_exponential(torch)(x).sum(), x, create_graph=True)
    return g, torch.autograd.grad(g.sum(), x)


def a_saved_result_was_written(torch: Any) -> Any:
    y = _exponential(torch)(torch.zeros(2, requires_grad=True))
    y.add_(1)
    y.sum().backward()


def once_differentiable(torch: Any) -> Any:
    x = torch.zeros(2, requires_grad=True)
    y = _exponential(torch, torch.autograd.function.once_differentiable)(x)
    (g,) = torch.autograd.grad((y * x).sum(), x, create_graph=True)
    return torch.autograd.grad(g.sum(), x)


def setup_context_and_a_mask(torch: Any) -> Any:
    def setup(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.factor = inputs[1]
        ctx.mark_non_differentiable(output[1])

    seen = []

    def backward(ctx: Any, g: Any, mask: Any) -> Any:
        seen.append((ctx.needs_input_grad, g, mask))
        return g * ctx.factor, None

    x = _leaf(torch)
    a, b = _function(torch, lambda x, k: (x * k, x > k), backward, setup_context=setup)(x, 2.0)
    a.sum().backward()
    return a, b, a.requires_grad, b.requires_grad, x.grad, seen


def unused_results_get_zeros(torch: Any) -> Any:
    seen = []

    def backward(ctx: Any, a: Any, b: Any) -> Any:
        seen.append((a, b))
        return a * 2 + b * 3

    x = _leaf(torch)
    first, _second = _function(torch, lambda ctx, x: (x * 2, x * 3), backward)(x)
    first.sum().backward()
    return seen, x.grad


def unused_results_get_none_if_asked(torch: Any) -> Any:
    seen = []

    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    def backward(ctx: Any, a: Any, b: Any) -> Any:
        seen.append((a, b))
        return a * 2

    first, _second = _function(torch, forward, backward)(_leaf(torch))
    first.sum().backward()
    return seen


def an_input_marked_dirty(torch: Any) -> Any:
    def forward(ctx: Any, x: Any) -> Any:
        x.add_(1)
        ctx.mark_dirty(x)
        return x

    x = _leaf(torch)
    y = x * 2
    z = _function(torch, forward, lambda ctx, g: g * 7)(y)
    return z is y, y, z.grad_fn.name(), torch.autograd.grad(z.sum(), x)


def a_view_as_result_may_not_be_written(torch: Any) -> Any:
    v = _function(torch, lambda ctx, x: x.view(-1), lambda ctx, g: g)(_leaf(torch) * 1)
    v.add_(1)


def an_input_as_result(torch: Any) -> Any:
    x = _leaf(torch)
    y = _function(torch, lambda ctx, x: x, lambda ctx, g: g * 5)(x)
    y.sum().backward()
    return y is x, y, x.grad


def under_no_grad(torch: Any) -> Any:
    with torch.no_grad():
        return _square(torch)(_leaf(torch))


def nothing_tracked(torch: Any) -> Any:
    return _square(torch)(torch.ones(2))


def the_node_is_the_context(torch: Any) -> Any:
    x = _leaf(torch)
    return _square(torch)(x).grad_fn.saved_tensors


def every_name_on_ctx_is_the_programs_own(torch: Any) -> Any:
    names = (
        "meta",
        "saved",
        "extra",
        "op",
        "frees",
        "shapes",
        "function",
        "several",
        "is_tensor",
        "input_shapes",
        "ctx",
    )

    def forward(ctx: Any, x: Any) -> Any:
        for place, name in enumerate(names):
            setattr(ctx, name, place)
        return x * 2

    def backward(ctx: Any, g: Any) -> Any:
        return g * sum(getattr(ctx, name) for name in names)

    x = _leaf(torch)
    y = _function(torch, forward, backward)(x)
    y.sum().backward()
    return x.grad, y.grad_fn.shapes, type(y.grad_fn).__name__


def ctx_knows_its_node(torch: Any) -> Any:
    def backward(ctx: Any, g: Any) -> Any:
        return g * len(ctx.next_functions) if ctx.name() == "MyBackward" else None

    x = _leaf(torch)
    _function(torch, lambda ctx, x: x * 2, backward)(x).sum().backward()
    return x.grad
