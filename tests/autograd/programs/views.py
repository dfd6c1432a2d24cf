"""Views: shared memory, history through the base, and what may not be written."""

from __future__ import annotations

from typing import Any


def _leaf(torch: Any) -> Any:
    return torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], requires_grad=True)


def writing_a_view_rewrites_the_base(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 2
    v = y[0]
    v.mul_(10)
    return y, v, y.grad_fn.next_functions, v.grad_fn.next_functions, torch.autograd.grad(y.sum(), x)


def gradient_through_a_written_view(torch: Any) -> Any:
    x = _leaf(torch)
    v = (x * 2)[0]
    v.mul_(10)
    return torch.autograd.grad(v.sum(), x)


def writing_the_base_renews_the_view(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 2
    v = y[:, 1]
    y.mul_(3)
    return v, v.grad_fn, v._version, torch.autograd.grad((v**2).sum(), x)


def second_derivative_through_a_written_view(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 2
    v = y[1]
    v.mul_(v.detach().clone())
    (g,) = torch.autograd.grad((y**3).sum(), x, create_graph=True)
    return g, torch.autograd.grad(g.sum(), x)


def two_views_of_one_base(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 1
    a, b = y[0], y.view(6)[:2]
    a.mul_(3)
    return b, b.grad_fn, torch.autograd.grad(b.sum(), x)


def a_view_of_a_view(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 1
    v = y.t()[1][1:]
    v.add_(100)
    return y, v, v._base is y, torch.autograd.grad((y * y).sum(), x)


def a_chain_of_shapes(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 1
    y.view(3, 2).transpose(0, 1).unsqueeze(0)[0, 1].mul_(5)
    return y, torch.autograd.grad((y * y).sum(), x)


def writing_a_view_of_a_leaf(torch: Any) -> Any:
    _leaf(torch)[0].zero_()


def writing_a_reshaped_leaf(torch: Any) -> Any:
    _leaf(torch).view(6).add_(1)


def writing_a_view_of_a_leaf_under_no_grad(torch: Any) -> Any:
    x = _leaf(torch)
    with torch.no_grad():
        x[0].zero_()
    return x, x._version, x.is_leaf


def a_view_made_under_no_grad(torch: Any) -> Any:
    x = _leaf(torch)
    with torch.no_grad():
        v = x[1]
    return v.requires_grad, v.is_leaf, v.grad_fn, (v * 2).requires_grad


def writing_a_view_made_under_no_grad(torch: Any) -> Any:
    y = _leaf(torch) * 2
    with torch.no_grad():
        v = y[0]
    v.mul_(2)


def the_base_of_a_view_made_under_no_grad_is_written(torch: Any) -> Any:
    y = _leaf(torch) * 2
    with torch.no_grad():
        v = y[0]
    y.mul_(2)
    return v.grad_fn


def writing_one_of_several_views(torch: Any) -> Any:
    a, _b = (_leaf(torch) * 2).unbind(0)
    a.add_(1)


def the_base_of_several_views_is_written(torch: Any) -> Any:
    y = _leaf(torch) * 2
    a, _b = y.unbind(0)
    y.add_(1)
    return a.grad_fn


def writing_what_was_expanded(torch: Any) -> Any:
    torch.ones(1).expand(3).add_(1)


def writing_one_row_of_what_was_expanded(torch: Any) -> Any:
    e = torch.ones(1, 2).expand(3, 2)
    e[0].add_(1)
    return e


def an_untracked_base_gets_a_history(torch: Any) -> Any:
    w = torch.ones(3, requires_grad=True)
    j = torch.zeros(2, 3)
    j[1] = w * 2
    return j, j.requires_grad, j.is_leaf, torch.autograd.grad((j * j).sum(), w)


def a_view_of_an_untracked_base_requires_grad(torch: Any) -> Any:
    b = torch.ones(2)
    v = b[0:1].requires_grad_()
    w = b[1:]
    w.mul_(torch.ones(1, requires_grad=True))
    return b, v, v.grad_fn


def setitem_with_a_tracked_value(torch: Any) -> Any:
    x, w = _leaf(torch), torch.ones(3, requires_grad=True)
    y = x * 2
    y[0] = w * 5
    return y, torch.autograd.grad((y**2).sum(), [x, w])


def setitem_with_a_number(torch: Any) -> Any:
    x = _leaf(torch)
    y = x.clone()
    y[0, 1] = 7.0
    return y, y.grad_fn.next_functions, torch.autograd.grad((y**2).sum(), x)


def setitem_with_a_mask(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 1
    y[y > 3] = 0
    return y, torch.autograd.grad(y.sum(), x)


def setitem_with_index_tensors(torch: Any) -> Any:
    w = torch.tensor([5.0, 6.0], requires_grad=True)
    j = torch.zeros(2, 3)
    j[torch.tensor([0, 1]), torch.tensor([1, 2])] = w
    return j, torch.autograd.grad((j * j).sum(), w)


def setitem_scaled_in_place(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 1
    y[:, torch.tensor([0, 2])] *= 2
    return y, torch.autograd.grad(y.sum(), x)


def setitem_on_a_leaf(torch: Any) -> Any:
    _leaf(torch)[0] = 1.0


def view_of_what_does_not_lie_in_order(torch: Any) -> Any:
    return torch.ones(2, 3).t().view(6)


def reshape_of_what_does_not_lie_in_order_copies(torch: Any) -> Any:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    y = x.t().reshape(4)
    y[0] = 100
    return x, y, y._base


def view_to_a_wrong_size(torch: Any) -> Any:
    return torch.ones(4).view(3)


def detach_of_a_view_in_place(torch: Any) -> Any:
    (_leaf(torch) * 2)[0].detach_()


def a_zero_dimensional_view(torch: Any) -> Any:
    x = torch.tensor(2.0, requires_grad=True)
    z = (x * 2).view(1)
    z.mul_(3)
    return z, torch.autograd.grad(z.sum(), x)


def a_view_of_a_scalar_leaf(torch: Any) -> Any:
    torch.tensor(2.0, requires_grad=True).view(1).add_(1)


def strides_of_views(torch: Any) -> Any:
    a = torch.ones(3, 2)
    return a.stride(), a.t().stride(), a.t().is_contiguous(), a[1:].storage_offset(), a.t().contiguous().stride()
