"""What a leaf is, who requires a gradient, and where it lands."""

from __future__ import annotations

from typing import Any


def made_by_the_user(torch: Any) -> Any:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return x.is_leaf, x.requires_grad, x.grad_fn, x.grad, x.output_nr


def computed(torch: Any) -> Any:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    return y.is_leaf, y.requires_grad, y.grad_fn, y.grad_fn.name(), y.retains_grad


def untracked_result_is_a_leaf(torch: Any) -> Any:
    y = torch.ones(2) * 2
    return y.is_leaf, y.requires_grad, y.grad_fn


def integers_cannot(torch: Any) -> Any:
    return torch.tensor([1, 2], requires_grad=True)


def integers_cannot_later(torch: Any) -> Any:
    return torch.tensor([1, 2]).requires_grad_()


def half_precision_can(torch: Any) -> Any:
    x = torch.tensor([1.0, 2.0], dtype=torch.float16, requires_grad=True)
    (x * 3).sum().backward()
    return x.grad


def flag_of_a_non_leaf_off(torch: Any) -> Any:
    y = torch.ones(2, requires_grad=True) * 2
    y.requires_grad = False


def flag_of_a_non_leaf_on(torch: Any) -> Any:
    y = torch.ones(2, requires_grad=True) * 2
    y.requires_grad = True


def method_on_a_non_leaf_on(torch: Any) -> Any:
    return (torch.ones(2, requires_grad=True) * 2).requires_grad_(True)


def method_on_a_non_leaf_off(torch: Any) -> Any:
    return (torch.ones(2, requires_grad=True) * 2).requires_grad_(False)


def grad_of_a_non_leaf_warns(torch: Any) -> Any:
    y = torch.ones(2, requires_grad=True) * 2
    return y.grad


def grad_of_a_view_of_a_leaf_warns(torch: Any) -> Any:
    return torch.ones(2, requires_grad=True).view(2, 1).grad


def grad_must_be_a_tensor(torch: Any) -> Any:
    torch.ones(2, requires_grad=True).grad = 3


def grad_must_have_the_size(torch: Any) -> Any:
    torch.ones(2, requires_grad=True).grad = torch.ones(3)


def grad_can_be_assigned(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    x.grad = torch.tensor([5.0, 6.0])
    (x * 2).sum().backward()
    return x.grad


def grad_accumulates_in_place(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    held = x.grad
    (x * 3).sum().backward()
    return held, held is x.grad


def grads_of_two_leaves_are_apart(torch: Any) -> Any:
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    (x + y).sum().backward()
    x.grad.mul_(10)
    return x.grad, y.grad


def retain_grad_of_a_non_leaf(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.retain_grad()
    (y * y).sum().backward()
    return y.grad, x.grad, y.retains_grad


def retain_grad_of_a_leaf_changes_nothing(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    return x.retain_grad(), x.retains_grad


def retain_grad_of_an_untracked_tensor(torch: Any) -> Any:
    torch.ones(2).retain_grad()


def data_shares_memory_and_hides_the_write(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y.data.mul_(2)
    return torch.autograd.grad(y.sum(), x), y


def data_can_be_replaced(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    x.data = torch.tensor([5.0, 6.0, 7.0])
    (x * 2).sum().backward()
    return x, x.grad


def data_must_be_a_tensor(torch: Any) -> Any:
    torch.ones(2).data = 3


def numpy_of_a_tracked_tensor(torch: Any) -> Any:
    return torch.ones(2, requires_grad=True).numpy()


def numpy_shares_memory(torch: Any) -> Any:
    x = torch.ones(2)
    x.numpy()[0] = 5
    return x


def item_of_several_entries(torch: Any) -> Any:
    return torch.ones(2).item()


def truth_of_several_entries(torch: Any) -> Any:
    return bool(torch.ones(2))


def float_of_a_tracked_tensor_warns(torch: Any) -> Any:
    return float(torch.tensor(2.0, requires_grad=True))


def unknown_attributes_can_be_set(torch: Any) -> Any:
    x = torch.ones(2)
    x.note = "mine"
    return x.note


def deepcopy_of_a_leaf(torch: Any) -> Any:
    import copy

    x = torch.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    y = copy.deepcopy(x)
    return y, y.grad, y.is_leaf


def deepcopy_of_a_non_leaf(torch: Any) -> Any:
    import copy

    return copy.deepcopy(torch.ones(2, requires_grad=True) * 2)
