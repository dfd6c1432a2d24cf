"""no_grad, enable_grad, set_grad_enabled and inference_mode."""

from __future__ import annotations

from typing import Any


def no_grad_as_a_block(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        y = x * 2
    return y.requires_grad, (x * 2).requires_grad, torch.is_grad_enabled()


def no_grad_as_a_decorator(torch: Any) -> Any:
    @torch.no_grad()
    def double(x: Any) -> Any:
        return x * 2

    @torch.no_grad
    def triple(x: Any) -> Any:
        return x * 3

    x = torch.ones(2, requires_grad=True)
    return double(x).requires_grad, triple(x).requires_grad, double.__name__


def no_grad_around_a_generator(torch: Any) -> Any:
    @torch.no_grad()
    def numbers(x: Any) -> Any:
        yield x * 1
        yield x * 2

    x = torch.ones(2, requires_grad=True)
    out = []
    for y in numbers(x):
        out.append((y.requires_grad, torch.is_grad_enabled()))
    return out


def enable_grad_inside_no_grad(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        with torch.enable_grad():
            y = x * 2
        z = x * 2
    return y.requires_grad, z.requires_grad


def set_grad_enabled_as_a_function(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    torch.set_grad_enabled(False)
    y = x * 2
    torch.set_grad_enabled(True)
    return y.requires_grad, (x * 2).requires_grad


def set_grad_enabled_as_a_block(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    with torch.set_grad_enabled(False):
        y = x * 2
    return y.requires_grad, torch.is_grad_enabled()


def an_error_leaves_the_mode_as_it_was(torch: Any) -> Any:
    try:
        with torch.no_grad():
            raise ValueError
    except ValueError:
        return torch.is_grad_enabled()


def tensors_made_under_no_grad_may_require_grad(torch: Any) -> Any:
    with torch.no_grad():
        x = torch.ones(2, requires_grad=True)
    return x.requires_grad, (x * 2).grad_fn


def inference_tensors(torch: Any) -> Any:
    x = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        y = x * 2
        y.add_(1)
    return y, y.is_inference(), y.requires_grad, torch.is_inference_mode_enabled()


def inference_tensors_have_no_version(torch: Any) -> Any:
    with torch.inference_mode():
        y = torch.ones(2)
    return y._version


def inference_tensors_cannot_be_written_outside(torch: Any) -> Any:
    with torch.inference_mode():
        y = torch.ones(2)
    y.add_(1)


def inference_tensors_cannot_be_saved(torch: Any) -> Any:
    with torch.inference_mode():
        y = torch.ones(2)
    return torch.ones(2, requires_grad=True) * y


def inference_tensors_may_be_added(torch: Any) -> Any:
    with torch.inference_mode():
        y = torch.ones(2)
    x = torch.ones(2, requires_grad=True)
    (x + y).sum().backward()
    return x.grad


def a_clone_of_an_inference_tensor_is_normal(torch: Any) -> Any:
    with torch.inference_mode():
        y = torch.ones(2)
    z = y.clone()
    return z.is_inference(), torch.ones(2, requires_grad=True) * z


def inference_mode_as_a_decorator(torch: Any) -> Any:
    @torch.inference_mode()
    def double(x: Any) -> Any:
        return x * 2

    return double(torch.ones(2, requires_grad=True)).is_inference()


def requires_grad_of_an_inference_tensor(torch: Any) -> Any:
    with torch.inference_mode():
        y = torch.ones(2)
    y.requires_grad_()


def a_normal_tensor_written_in_inference_mode(torch: Any) -> Any:
    x = torch.ones(2)
    with torch.inference_mode():
        x.add_(1)
    return x, x.is_inference(), x._version
