"""Hooks on tensors, on leaves after accumulation, and on nodes."""

from __future__ import annotations

from typing import Any


def _leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0], requires_grad=True)


def several_on_a_result_in_order(torch: Any) -> Any:
    x, seen = _leaf(torch), []
    y = x * 2
    y.register_hook(lambda g: seen.append(("first", g.clone())))
    y.register_hook(lambda g: g * 10)
    y.retain_grad()
    y.register_hook(lambda g: seen.append(("third", g.clone())))
    y.sum().backward()
    return seen, y.grad, x.grad


def removing_one(torch: Any) -> Any:
    x, seen = _leaf(torch), []
    y = x * 2
    handle = y.register_hook(lambda g: seen.append("called"))
    handle.remove()
    y.sum().backward()
    return seen


def on_a_leaf(torch: Any) -> Any:
    x = _leaf(torch)
    x.register_hook(lambda g: g + 1)
    (x * 3).sum().backward()
    (x * 3).sum().backward()
    return x.grad


def after_accumulation(torch: Any) -> Any:
    x, seen = _leaf(torch), []
    x.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad.clone()))
    (x * 3).sum().backward()
    (x * 3).sum().backward()
    return seen


def after_accumulation_of_a_non_leaf(torch: Any) -> Any:
    (_leaf(torch) * 2).register_post_accumulate_grad_hook(print)


def on_something_untracked(torch: Any) -> Any:
    torch.ones(2).register_hook(print)


def that_returns_no_tensor(torch: Any) -> Any:
    y = _leaf(torch) * 2
    y.register_hook(lambda g: 3)
    y.sum().backward()


def that_changes_the_size(torch: Any) -> Any:
    y = _leaf(torch) * 2
    y.register_hook(lambda g: g[:1])
    y.sum().backward()


def before_and_after_a_write(torch: Any) -> Any:
    x, seen = _leaf(torch), []
    y = x * 2
    y.register_hook(lambda g: seen.append(("before", g.clone())))
    y.mul_(2)
    y.register_hook(lambda g: seen.append(("after", g.clone())))
    y.sum().backward()
    return seen


def retain_grad_follows_a_write(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 2
    y.retain_grad()
    y.mul_(3)
    y.sum().backward()
    return y.grad, x.grad


def on_a_node(torch: Any) -> Any:
    x, seen = _leaf(torch), []
    y = x * x
    y.grad_fn.register_hook(lambda inputs, outputs: seen.append((inputs, outputs)))
    y.grad_fn.register_prehook(lambda outputs: (outputs[0] * 2,))
    y.sum().backward()
    return seen, x.grad


def on_a_node_replacing_gradients(torch: Any) -> Any:
    x = _leaf(torch)
    y = x.exp().log()
    y.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 0 + 7,))
    y.sum().backward()
    return [round(v, 4) for v in x.grad.tolist()]


def that_runs_backward_itself(torch: Any) -> Any:
    x, w = _leaf(torch), torch.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda g: (w * 3).sum().backward())
    y.sum().backward()
    return w.grad, x.grad


def of_a_gradient_with_history(torch: Any) -> Any:
    x, seen = torch.tensor(2.0, requires_grad=True), []
    y = x**2
    y.register_hook(lambda g: seen.append(g.requires_grad))
    torch.autograd.grad(y**2, x, create_graph=True)
    return seen


def on_saved_tensors(torch: Any) -> Any:
    packed: list[Any] = []

    def pack(t: Any) -> Any:
        packed.append(tuple(t.shape))
        return t.clone()

    x = _leaf(torch)
    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t * 1):
        y = (x * x).exp()
    return packed, torch.autograd.grad(y.sum(), x)


def on_several_gradients(torch: Any) -> Any:
    x, y, seen = _leaf(torch), _leaf(torch), []
    torch.autograd.graph.register_multi_grad_hook((x, y), lambda grads: seen.append([g.tolist() for g in grads]))
    (x * 2 + y * 3).sum().backward()
    return seen
