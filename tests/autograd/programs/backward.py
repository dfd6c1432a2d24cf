"""The backward pass: seeds, sums over paths, graphs kept and freed, and what it refuses."""

from __future__ import annotations

from typing import Any


def _leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def a_value_used_twice(torch: Any) -> Any:
    a, b = torch.tensor(2.0, requires_grad=True), torch.tensor(3.0, requires_grad=True)
    ((a + b) * (a * b)).backward()
    return a.grad, b.grad


def a_quadratic(torch: Any) -> Any:
    x = torch.tensor(3.0, requires_grad=True)
    y = x**2 + 2 * x + 1
    y.backward()
    return y, x.grad


def stacked_diamonds(torch: Any) -> Any:
    x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
    h = x
    for _ in range(60):
        h = h + h
    h.backward()
    return x.grad.item()


def a_long_chain(torch: Any) -> Any:
    x = torch.tensor(1.0, requires_grad=True)
    h = x
    for _ in range(20_000):
        h = h * 1.0
    h.backward()
    return x.grad


def reused_intermediate_is_no_path_counted_twice(torch: Any) -> Any:
    x = torch.tensor(3.0, requires_grad=True)
    y = x**3
    y.backward(retain_graph=True)
    x.grad = None
    y.backward()
    return x.grad


def a_vector_needs_a_gradient(torch: Any) -> Any:
    (_leaf(torch) * 2).backward()


def a_vector_with_a_gradient(torch: Any) -> Any:
    x = _leaf(torch)
    (x * x).backward(torch.tensor([1.0, 0.0, -1.0]))
    return x.grad


def a_gradient_of_the_wrong_shape(torch: Any) -> Any:
    (_leaf(torch) * 2).backward(torch.ones(2))


def a_gradient_that_is_no_tensor(torch: Any) -> Any:
    (_leaf(torch) * 2).sum().backward(1.0)


def nothing_is_tracked(torch: Any) -> Any:
    torch.ones(3).sum().backward()


def the_loss_is_one_entry_of_a_vector(torch: Any) -> Any:
    x = torch.tensor([3.0], requires_grad=True)
    (x * x).backward()
    return x.grad


def a_leaf_itself(torch: Any) -> Any:
    x = torch.tensor(3.0, requires_grad=True)
    x.backward()
    return x.grad


def a_second_time(torch: Any) -> Any:
    y = (_leaf(torch) * 2).sum()
    y.backward()
    y.backward()


def a_second_time_where_nothing_was_saved(torch: Any) -> Any:
    x = _leaf(torch)
    y = (x + x).sum()
    y.backward()
    y.backward()
    return x.grad


def a_second_time_with_retain_graph(torch: Any) -> Any:
    x = _leaf(torch)
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    return x.grad


def two_losses_share_a_part(torch: Any) -> Any:
    x = _leaf(torch)
    shared = x.exp()
    first, second = shared.sum(), (shared * shared).sum()
    first.backward()
    second.backward()


def the_leaf_got_its_gradient_before_the_error(torch: Any) -> Any:
    table, w = _leaf(torch), torch.ones(3, requires_grad=True)
    encoded = table.tanh()
    (encoded @ w).backward()
    try:
        (encoded @ w).backward()
    except RuntimeError:
        return [round(v, 4) for v in w.grad.tolist()]


def only_some_inputs(torch: Any) -> Any:
    x, y = _leaf(torch), _leaf(torch)
    (x * y).sum().backward(inputs=[y])
    return x.grad, y.grad


def no_inputs(torch: Any) -> Any:
    x = _leaf(torch)
    x.sum().backward(inputs=[])


def several_roots(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * x
    torch.autograd.backward([y.sum(), x.sum()])
    return x.grad


def several_roots_with_gradients(torch: Any) -> Any:
    x = _leaf(torch)
    torch.autograd.backward([x * x, x.sum()], [torch.ones(3), torch.tensor(5.0)])
    return x.grad


def create_graph_warns(torch: Any) -> Any:
    x = torch.tensor(2.0, requires_grad=True)
    (x**3).backward(create_graph=True)
    return x.grad


def broadcast_factor(torch: Any) -> Any:
    x = torch.ones(3, requires_grad=True)
    (x * torch.ones(4, 3)).sum().backward()
    return x.grad


def broadcast_both(torch: Any) -> Any:
    a, b = torch.tensor([[1.0], [2.0]], requires_grad=True), torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
    (a * b).sum().backward()
    return a.grad, b.grad


def broadcast_scalar(torch: Any) -> Any:
    a = torch.tensor(2.0, requires_grad=True)
    (a * torch.ones(2, 3)).sum().backward()
    return a.grad


def mixed_types(torch: Any) -> Any:
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
    y = (a * b).sum()
    y.backward()
    return y, a.grad, b.grad


def next_functions_of_a_sum(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * x + 3
    return y.grad_fn, y.grad_fn.next_functions, y.grad_fn.next_functions[0][0].next_functions


def next_functions_of_a_number_times_a_leaf(torch: Any) -> Any:
    return (2 * _leaf(torch)).grad_fn.next_functions


def names_of_nodes(torch: Any) -> Any:
    x, m = _leaf(torch), torch.ones(2, 3, requires_grad=True)
    results = [
        x - 1, 1 - x, 2 / x, x / 2, x**2, 2**x, x**x, -x, x.exp(), x.log(), x.tanh(), x.sigmoid(), x.relu(), x.sum(),
        x.sum(0), x.mean(), x.mean(0), x.view(3, 1), x.reshape(1, 3), m.t().reshape(6), x[0], x[None], x[0:2], x[x > 1],
        x[...], m.t(), m.T, m.transpose(0, 1), m.permute(1, 0), m @ m.T, m @ x, x @ x, m.mT, torch.stack([x, x]),
        torch.cat([x, x]), x.clone(), x.to(torch.float64), x.unsqueeze(0), m[0, 1], m[:, 1], m.flatten(),
        x.expand(2, 3),
        m.unbind(0)[1], torch.where(x > 1, x, 2 * x),
    ]  # fmt: skip
    return [y.grad_fn for y in results]


def freed_saved_values_cannot_be_read(torch: Any) -> Any:
    x = _leaf(torch)
    y = x.exp()
    y.sum().backward()
    return y.grad_fn._saved_result


def saved_values_can_be_read(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * x
    return y.grad_fn._saved_self, y.grad_fn._saved_other
