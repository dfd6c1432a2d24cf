"""Version counters, and the error when a saved value was written."""

from __future__ import annotations

from typing import Any


def _leaf(torch: Any) -> Any:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def a_saved_result(torch: Any) -> Any:
    y = _leaf(torch).exp()
    y.add_(1)
    y.sum().backward()


def a_saved_result_under_no_grad(torch: Any) -> Any:
    y = _leaf(torch).sigmoid()
    with torch.no_grad():
        y[1] = 2.0
    y.sum().backward()


def a_saved_input(torch: Any) -> Any:
    y = _leaf(torch) * 1
    z = y * y
    y.mul_(2)
    z.sum().backward()


def a_saved_leaf(torch: Any) -> Any:
    x = _leaf(torch)
    z = (x * x).sum()
    with torch.no_grad():
        x.add_(1)
    z.backward()


def a_saved_constant(torch: Any) -> Any:
    c = torch.ones(3)
    z = (_leaf(torch) * c).sum()
    c.zero_()
    z.backward()


def a_saved_scalar(torch: Any) -> Any:
    y = torch.tensor(2.0, requires_grad=True).exp()
    y += 1
    y.backward()


def a_saved_scalar_leaf(torch: Any) -> Any:
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    with torch.no_grad():
        x.add_(1)
    y.backward()


def written_through_detach(torch: Any) -> Any:
    y = _leaf(torch).exp()
    y.detach().zero_()
    y.sum().backward()


def written_through_data_goes_unnoticed(torch: Any) -> Any:
    x = torch.tensor(2.0, requires_grad=True)
    y = x * x
    x.data.add_(1)
    y.backward()
    return x.grad


def written_through_a_view(torch: Any) -> Any:
    y = _leaf(torch) * 1
    z = y.exp()
    z[0:1].zero_()
    z.sum().backward()


def written_twice(torch: Any) -> Any:
    y = _leaf(torch) * 1
    z = y * y
    y.mul_(2)
    y.mul_(2)
    z.sum().backward()


def saved_after_a_write(torch: Any) -> Any:
    y = _leaf(torch) * 1
    y.mul_(2)
    z = y * y
    y.mul_(2)
    z.sum().backward()


def what_is_not_saved_may_be_written(torch: Any) -> Any:
    x = _leaf(torch)
    y = x * 1
    z = y + 1
    w = y * 2
    y.zero_()
    (z + w).sum().backward()
    return x.grad


def an_optimizer_step_between(torch: Any) -> Any:
    w = _leaf(torch)
    h = w * 2
    z = (h * w).sum()
    with torch.no_grad():
        w.sub_(0.1)
    z.backward()


def counting(torch: Any) -> Any:
    y = torch.ones(3)
    v, d = y[0:2], y.detach()
    counts = [y._version]
    y.add_(1)
    v.add_(1)
    d.add_(1)
    y[0] = 5
    counts += [y._version, v._version, d._version]
    y.data.add_(1)
    counts.append(y._version)
    return counts


def a_matrix_saved_by_a_product(torch: Any) -> Any:
    w = torch.ones(2, 2, requires_grad=True)
    x = torch.ones(2, 2)
    y = (x @ w).sum()
    x.mul_(2)
    y.backward()


def a_clone_is_apart(torch: Any) -> Any:
    x = _leaf(torch)
    y = x.sigmoid()
    z = y.clone()
    z[1] = 2.0
    z.sum().backward()
    return [round(v, 5) for v in x.grad.tolist()]
