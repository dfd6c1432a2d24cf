"""Checking gradients against differences of values (``torch.autograd.gradcheck``).

The check is quick and catches what a check of every entry catches: for each input and each output it compares ``<u, J
v>``, the derivative along a random direction ``v`` seen through a random ``u``, once from the backward rules and once
from differences. A random ``u`` with entries of either sign is what exposes a rule that squares its gradient or drops a
term; every input is checked alone, so that a wrong second rule is not hidden by a right first one. Where the
differences at two step sizes disagree the function has a kink near the point, which is reported as that and not as a
wrong gradient.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .backward import grad
from .dispatch import make
from .mode import enable_grad
from .tensor import Tensor

Fun = Callable[..., Any]


class GradcheckError(RuntimeError):
    """A gradient does not agree with differences of values."""


def _differentiable(values: Any) -> list[Tensor]:
    found = values if isinstance(values, (tuple, list)) else (values,)
    return [x for x in found if isinstance(x, Tensor) and x.array.dtype.kind == "f"]


def _call(func: Fun, inputs: tuple[Any, ...], position: int, moved: Any) -> list[Any]:
    """The outputs of ``func`` as float64 arrays, with one input's array replaced."""
    given = list(inputs)
    given[position] = make(moved).requires_grad_()
    with enable_grad():
        outs = func(*given)
    return [np.array(o.array, np.float64) for o in _differentiable(outs)]


def _direction(rng: np.random.Generator, shape: tuple[int, ...]) -> Any:
    """A random direction none of whose entries is near zero."""
    return (rng.uniform(0.5, 1.5, shape) * rng.choice([-1.0, 1.0], shape)).astype(np.float64)


def _slope(func: Fun, inputs: tuple[Any, ...], position: int, v: Any, eps: float) -> list[Any]:
    """The derivative of every output along ``v``, by central differences with step ``eps``."""
    x = np.array(inputs[position].array)
    step = (eps * v).astype(x.dtype)
    ahead = _call(func, inputs, position, x + step)
    behind = _call(func, inputs, position, x - step)
    return [(a - b) / (2 * eps) for a, b in zip(ahead, behind, strict=True)]


def _name(func: Fun) -> str:
    owner = getattr(func, "__self__", None)
    name = getattr(func, "__name__", type(func).__name__)
    return f"{owner.__name__}.{name}" if isinstance(owner, type) else name


def _report(func: Fun, position: int, output: int, got: float, want: float, why: str) -> str:
    return (
        f"{why} for output {output} with respect to input {position},\n"
        f"function:   {_name(func)}\n"
        f"got:        {got:.10g}   (from the backward rules)\n"
        f"want:       {want:.10g}   (from differences of values)\n"
        "Both are the derivative of the output along one random direction of that input, weighted with random numbers."
    )


def _kink(func: Fun, inputs: tuple[Any, ...], position: int, v: Any, eps: float, wide: list[Any]) -> bool:
    """Whether steps of different size, or to either side, give different slopes: then there is a corner or a jump
    nearby.
    """
    narrow = _slope(func, inputs, position, v, eps / 8)
    x = np.array(inputs[position].array)
    here = _call(func, inputs, position, x)
    ahead = _call(func, inputs, position, x + (eps * v).astype(x.dtype))
    for a, b, at, fore in zip(wide, narrow, here, ahead, strict=True):
        size = np.maximum(np.abs(a), 1.0)
        if np.any(np.abs(a - b) > 1e-2 * size) or np.any(np.abs((fore - at) / eps - a) > 1e-2 * size):
            return True
    return False


def gradcheck(
    func: Fun,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
    directions: int = 3,
    seed: int = 0,
) -> bool:
    """Whether the gradients of ``func`` at ``inputs`` agree with differences of its values.

    ``inputs`` should be float64. GradcheckError (a RuntimeError) says which input and output disagree, with what was
    got and what was wanted; with ``raise_exception=False`` the result is False instead. ValueError if no input requires
    grad.
    """
    given = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    checked = [i for i, x in enumerate(given) if isinstance(x, Tensor) and x.requires_grad]
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    for i in checked:
        if given[i].array.dtype != np.float64:
            warnings.warn(
                f"Input #{i} requires gradient and is not a double precision floating point or complex. This check "
                "will likely fail if all the inputs are not of double precision floating point or complex. ",
                UserWarning,
                stacklevel=2,
            )
    try:
        rng = np.random.default_rng(seed)
        if check_backward_ad:
            _check_backward(func, given, checked, eps, atol, rtol, nondet_tol, directions, rng)
        if check_forward_ad:
            _check_forward(func, given, checked, eps, atol, rtol, directions, rng)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def _check_backward(
    func: Fun, given: tuple[Any, ...], checked: list[int], eps: float, atol: float, rtol: float, nondet: float,
    directions: int, rng: np.random.Generator,
) -> None:  # fmt: skip
    with enable_grad():
        outputs = _differentiable(func(*given))
    if not outputs:
        return  # nothing that could have a gradient
    targets = [given[i] for i in checked]
    slopes: dict[tuple[int, int], tuple[Any, list[Any]]] = {}
    for k in range(directions):
        for i in checked:
            v = _direction(rng, given[i].array.shape)
            slopes[i, k] = (v, _slope(func, given, i, v, eps))
    for number, out in enumerate(outputs):
        for k in range(directions):
            u = _direction(rng, out.array.shape)
            seed = make(u.astype(out.array.dtype)[()])
            if out.requires_grad:
                grads = grad(out, targets, seed, retain_graph=True, allow_unused=True)
                again = grad(out, targets, seed, retain_graph=True, allow_unused=True)
            else:
                grads = again = (None,) * len(targets)
            for i, g, h in zip(checked, grads, again, strict=True):
                v, slope = slopes[i, k]
                if g is not None and h is not None and np.any(np.abs(g.array - h.array) > nondet):
                    raise GradcheckError(
                        f"gradcheck of {_name(func)}: Backward is not reentrant, i.e., running backward with same "
                        "input and grad_output multiple times gives different values, although analytical gradient "
                        f"matches numerical gradient. The tolerance for nondeterminism was {nondet}."
                    )
                if g is not None and g.array.shape != given[i].array.shape:
                    raise GradcheckError(
                        f"gradcheck of {_name(func)}, input {i}: the gradient has shape {list(g.shape)}, the input "
                        f"{list(given[i].shape)}"
                    )
                got = 0.0 if g is None else float((np.asarray(g.array, np.float64) * v).sum())
                want = float((slope[number] * u).sum())
                if abs(got - want) <= atol + rtol * abs(want) or (np.isnan(got) and np.isnan(want)):
                    continue
                if given[i].array.dtype == np.float64 and _kink(func, given, i, v, eps, slope):
                    why = (
                        "The function has a kink or a jump at this point (differences at two step sizes disagree), so "
                        "nothing can be said about its gradient; move the input away from it. Seen"
                    )
                else:
                    why = "Jacobian mismatch"
                raise GradcheckError(_report(func, i, number, got, want, why))


def _check_forward(
    func: Fun, given: tuple[Any, ...], checked: list[int], eps: float, atol: float, rtol: float, directions: int,
    rng: np.random.Generator,
) -> None:  # fmt: skip
    from .forward import make_dual, nested_level, tangent_at

    for i in checked:
        for _ in range(directions):
            v = _direction(rng, given[i].array.shape)
            slope = _slope(func, given, i, v, eps)
            with nested_level() as level:
                duals = list(given)
                duals[i] = make_dual(given[i], make(v.astype(given[i].array.dtype)[()]), level=level)
                outputs = _differentiable(func(*duals))
                tangents = [tangent_at(o, level) for o in outputs]
            for number, (t, s) in enumerate(zip(tangents, slope, strict=True)):
                got = np.zeros_like(s) if t is None else np.asarray(t.array, np.float64)
                bad = np.abs(got - s) > atol + rtol * np.abs(s)
                if np.any(bad):
                    at = int(np.argmax(bad))
                    why = "Jacobian mismatch in forward mode"
                    raise GradcheckError(
                        _report(func, i, number, float(np.ravel(got)[at]), float(np.ravel(s)[at]), why)
                    )


def gradgradcheck(
    func: Fun,
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    seed: int = 0,
    **options: Any,
) -> bool:
    """The same check for second derivatives: gradcheck of the gradient as a function of inputs and output gradients.

    The second derivative is taken in reverse mode (``check_rev_over_rev``), in forward mode (``check_fwd_over_rev``) or
    in both.
    """
    given = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    with enable_grad():
        outputs = [o for o in _differentiable(func(*given)) if o.requires_grad]
    rng = np.random.default_rng(seed + 1)
    if grad_outputs is None:
        seeds = tuple(make(_direction(rng, o.array.shape).astype(o.array.dtype)[()]).requires_grad_() for o in outputs)
    else:
        seeds = tuple(grad_outputs) if isinstance(grad_outputs, (tuple, list)) else (grad_outputs,)
    count = len(seeds)
    wanted = [i for i, x in enumerate(given) if isinstance(x, Tensor) and x.requires_grad]

    def gradient(*args: Any) -> Any:
        values, us = args[:-count], args[-count:]
        outs = [o for o in _differentiable(func(*values)) if o.requires_grad]
        targets = [values[i] for i in wanted]
        grads = grad(outs, targets, list(us), create_graph=True, allow_unused=True)
        return tuple(g for g in grads if g is not None)

    gradient.__name__ = f"the gradient of {_name(func)}"
    return gradcheck(
        gradient, (*given, *seeds), eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception, seed=seed,
        check_backward_ad=check_rev_over_rev, check_forward_ad=check_fwd_over_rev, **options,
    )  # fmt: skip
