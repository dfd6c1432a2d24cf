"""Checkpointing: the same gradients, a second run, and its refusals."""

from __future__ import annotations

from typing import Any


def _part(torch: Any) -> tuple[Any, Any, list[str]]:
    w, runs = torch.tensor([1.0, 2.0], requires_grad=True), []

    def run(x: Any) -> Any:
        runs.append("run")
        return torch.tanh(x * w) * x

    return run, w, runs


def _input(torch: Any) -> Any:
    return torch.tensor([0.5, 0.3], requires_grad=True)


def _both(torch: Any, use_reentrant: bool) -> Any:
    run, w, runs = _part(torch)
    x = _input(torch)
    y = torch.utils.checkpoint.checkpoint(run, x, use_reentrant=use_reentrant)
    before = len(runs)
    y.sum().backward()
    return [round(v, 4) for v in x.grad.tolist() + w.grad.tolist()], before, len(runs), type(y.grad_fn).__name__


def reentrant(torch: Any) -> Any:
    return _both(torch, True)


def not_reentrant(torch: Any) -> Any:
    return _both(torch, False)


def reentrant_without_a_tracked_input(torch: Any) -> Any:
    run, _w, _runs = _part(torch)
    return torch.utils.checkpoint.checkpoint(run, torch.ones(2), use_reentrant=True).requires_grad


def not_reentrant_without_a_tracked_input(torch: Any) -> Any:
    run, w, _runs = _part(torch)
    torch.utils.checkpoint.checkpoint(run, torch.ones(2), use_reentrant=False).sum().backward()
    return [round(v, 4) for v in w.grad.tolist()]


def reentrant_and_autograd_grad(torch: Any) -> Any:
    run, _w, _runs = _part(torch)
    x = _input(torch)
    return torch.autograd.grad(torch.utils.checkpoint.checkpoint(run, x, use_reentrant=True).sum(), x)


def differentiated_twice(torch: Any) -> Any:
    run, _w, _runs = _part(torch)
    x = _input(torch)
    y = torch.utils.checkpoint.checkpoint(run, x, use_reentrant=False)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    return [[round(v, 4) for v in t.tolist()] for t in (g, *torch.autograd.grad(g.sum(), x))]


def a_second_backward(torch: Any) -> Any:
    run, _w, _runs = _part(torch)
    y = torch.utils.checkpoint.checkpoint(run, _input(torch), use_reentrant=False).sum()
    y.backward()
    y.backward()


def sequential(torch: Any) -> Any:
    out = []
    for use_reentrant in (True, False):
        x = _input(torch)
        steps = [lambda x: x * 2, torch.sin, lambda x: x * 3, torch.exp]
        y = torch.utils.checkpoint.checkpoint_sequential(steps, 2, x, use_reentrant=use_reentrant)
        y.sum().backward()
        out.append([round(v, 4) for v in x.grad.tolist()])
    return out


def with_random_numbers_inside(torch: Any) -> Any:
    out = []
    for use_reentrant in (True, False):
        gradients = []
        for how in (
            lambda f, x: f(x),
            lambda f, x, r=use_reentrant: torch.utils.checkpoint.checkpoint(f, x, use_reentrant=r),
        ):
            torch.manual_seed(0)
            x = torch.ones(8, requires_grad=True)
            y = how(lambda x: x * torch.rand(8), x)
            (y * torch.rand(8)).sum().backward()
            gradients.append(x.grad.tolist())
        out.append(gradients[0] == gradients[1])
    return out
