"""``torch.autograd.functional``: products with the Jacobian and the Hessian of a function, and the matrices
themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .backward import grad as _grad
from .dispatch import make
from .func import _basis, _stack
from .mode import enable_grad
from .ops.table import TABLE
from .tensor import Tensor

Fun = Callable[..., Any]


def _as_tuple(value: Any, what: str, function: str) -> tuple[tuple[Tensor, ...], bool]:
    """``value`` as a tuple of tensors, and whether it was one; TypeError for anything else."""
    several = isinstance(value, (tuple, list))
    values = tuple(value) if several else (value,)
    for i, each in enumerate(values):
        if not isinstance(each, Tensor):
            if several:
                raise TypeError(
                    f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the value at "
                    f"index {i} has type {type(each)}."
                )
            raise TypeError(
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the given {what} "
                f"has type {type(each)}."
            )
    return values, several


def _inputs(inputs: tuple[Tensor, ...], create_graph: bool) -> tuple[Tensor, ...]:
    """Aliases of the inputs to differentiate with respect to; connected to their history if that is wanted."""
    if create_graph:
        return tuple(TABLE["alias"].function(x) if x.requires_grad else x.detach().requires_grad_() for x in inputs)
    return tuple(x.detach().requires_grad_() for x in inputs)


def _shape_check(v: tuple[Tensor, ...], like: tuple[Tensor, ...], what: str) -> None:
    if len(v) != len(like):
        raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}.")
    for i, (a, b) in enumerate(zip(v, like, strict=True)):
        if a.array.shape != b.array.shape:
            entry = f"Entry {i} in " if len(like) > 1 else ""
            raise RuntimeError(f"{entry}v has invalid size: should be {b.shape} but got {a.shape}.")


def _gradients(
    outputs: tuple[Tensor, ...], inputs: tuple[Tensor, ...], v: tuple[Any, ...] | None, create_graph: bool, strict: bool
) -> tuple[Tensor, ...]:
    """Gradients of the outputs that have history; zeros (with ``strict``, RuntimeError) for inputs that do not
    matter.
    """
    chosen = [(o, None if v is None else v[i]) for i, o in enumerate(outputs) if o.requires_grad]
    found: tuple[Any, ...] = (None,) * len(inputs)
    if chosen:
        given = None if v is None else [g for _, g in chosen]
        found = _grad([o for o, _ in chosen], inputs, given, create_graph=create_graph, allow_unused=True)
    out = []
    for i, (g, x) in enumerate(zip(found, inputs, strict=True)):
        if g is None and strict:
            raise RuntimeError(
                f"The output of the user-provided function is independent of input {i}. This is not allowed in strict "
                "mode."
            )
        out.append(make(np.zeros_like(x.array)) if g is None else g)
    return tuple(out)


def _strict(outputs: tuple[Tensor, ...], strict: bool) -> None:
    for i, each in enumerate(outputs):
        if strict and not each.requires_grad:
            raise RuntimeError(
                f"Output {i} of the user-provided function does not require gradients. The outputs must be computed in "
                "a differentiable manner from the input when running in strict mode."
            )


def _depends(grads: tuple[Any, ...], what: str) -> None:
    """RuntimeError for gradients that do not depend on the inputs: ``strict`` means that their derivative counts."""
    for i, g in enumerate(grads):
        if g is not None and not g.requires_grad:
            raise RuntimeError(
                f"The {what} of the user-provided function is independent of input {i}. This is not allowed in strict "
                "mode when create_graph=True."
            )


def _twice(grads: tuple[Tensor, ...]) -> None:
    """RuntimeError for first derivatives that are constant, where the second ones are wanted strictly."""
    for i, g in enumerate(grads):
        if not g.requires_grad:
            raise RuntimeError(
                "While computing the hessian, found that the jacobian of the user-provided function with respect to "
                f"input {i} is independent of the input. This is not allowed in strict mode. You should ensure that "
                "your function is twice differentiable and that the jacobian depends on the inputs (this would be "
                "violated by a linear function for example)."
            )


def _out(values: tuple[Tensor, ...], several: bool, create_graph: bool) -> Any:
    done = values if create_graph else tuple(x.detach() for x in values)
    return done if several else done[0]


def vjp(func: Fun, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple[Any, Any]:
    """The value of ``func`` at ``inputs`` and the product of ``v`` with its Jacobian."""
    with enable_grad():
        values, several = _as_tuple(inputs, "inputs", "vjp")
        aliases = _inputs(values, create_graph)
        outputs, many = _as_tuple(func(*aliases), "outputs of the user-provided function", "vjp")
        _strict(outputs, strict)
        given: tuple[Any, ...] | None = None
        if v is not None:
            given, _ = _as_tuple(v, "v", "vjp")
            _shape_check(given, outputs, "outputs")
        elif len(outputs) != 1 or outputs[0].array.size != 1:
            raise RuntimeError(
                "The vector v can only be None if the user-provided function returns a single Tensor with a single "
                "element."
            )
        grads = _gradients(outputs, aliases, given, create_graph, strict)
        if strict and create_graph:
            _depends(grads, "jacobian")
    return _out(outputs, many, create_graph), _out(grads, several, create_graph)


def jvp(func: Fun, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple[Any, Any]:
    """The value of ``func`` at ``inputs`` and the product of its Jacobian with ``v``.

    Computed in reverse mode twice: the VJP is linear in its vector, and the VJP of that is the JVP.
    """
    with enable_grad():
        values, _several = _as_tuple(inputs, "inputs", "jvp")
        aliases = _inputs(values, create_graph)
        outputs, many = _as_tuple(func(*aliases), "outputs of the user-provided function", "jvp")
        _strict(outputs, strict)
        if v is not None:
            given, _ = _as_tuple(v, "v", "jvp")
            _shape_check(given, aliases, "inputs")
        else:
            if len(aliases) != 1 or aliases[0].array.size != 1:
                raise RuntimeError(
                    "The vector v can only be None if the input to the user-provided function is a single Tensor with "
                    "a single element."
                )
            given = (make(np.ones_like(aliases[0].array)),)
        seeds = tuple(make(np.zeros_like(o.array)).requires_grad_() for o in outputs)
        pulled = _gradients(outputs, aliases, seeds, True, strict)
        pushed = _gradients(pulled, seeds, given, create_graph, False)
    return _out(outputs, many, create_graph), _out(pushed, many, create_graph)


def jacobian(
    func: Fun, inputs: Any, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """The Jacobian of ``func``: for each output and input a tensor of the output's shape followed by the input's."""
    values, several = _as_tuple(inputs, "inputs", "jacobian")
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs '
            'than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strict and vectorize:
        raise RuntimeError(
            "torch.autograd.functional.jacobian: `strict=True` and `vectorize=True` are not supported together. Please "
            "either set `strict=False` or `vectorize=False`."
        )
    if strategy == "forward-mode":
        if create_graph:
            raise NotImplementedError(
                'torch.autograd.functional.jacobian: `create_graph=True` and `strategy="forward-mode"` are not '
                'supported together (yet). Please either set `create_graph=False` or `strategy="reverse-mode"`.'
            )
        from .func import jacfwd

        if not vectorize:
            raise NotImplementedError(
                "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for "
                "`vectorize=True`."
            )
        return jacfwd(func, tuple(range(len(values))) if several else 0)(*values)
    with enable_grad():
        aliases = _inputs(values, create_graph)
        outputs, many = _as_tuple(func(*aliases), "outputs of the user-provided function", "jacobian")
        _strict(outputs, strict)
        rows: list[Any] = []
        for out in outputs:
            columns: list[list[Tensor]] = [[] for _ in aliases]
            for unit in _basis(out.array.shape, out.array.dtype):
                grads: list[Any]
                if out.requires_grad:
                    grads = list(
                        _grad(out, aliases, unit, retain_graph=True, create_graph=create_graph, allow_unused=True)
                    )
                else:
                    grads = [None] * len(aliases)
                for i, (column, g, x) in enumerate(zip(columns, grads, aliases, strict=True)):
                    if g is None and strict:
                        raise RuntimeError(
                            f"Output {len(rows)} of the user-provided function is independent of input {i}. This is "
                            "not allowed in strict mode."
                        )
                    if strict and create_graph and not g.requires_grad:
                        raise RuntimeError(
                            f"The jacobian of the user-provided function is independent of input {i}. This is not "
                            "allowed in strict mode when create_graph=True."
                        )
                    column.append(make(np.zeros_like(x.array)) if g is None else g)
            rows.append(tuple(_stack(c, out.array.shape) for c in columns))
    done = [r if create_graph else tuple(x.detach() for x in r) for r in rows]
    nested = tuple(r if several else r[0] for r in done)
    return nested if many else nested[0]


def _single(func: Fun, name: str) -> Fun:
    def checked(*args: Any) -> Any:
        out = func(*args)
        if not isinstance(out, Tensor):
            raise RuntimeError(f"The function given to {name} should return a single Tensor")
        if out.array.size != 1:
            raise RuntimeError(f"The Tensor returned by the function given to {name} should contain a single element")
        return out.reshape(()) if out.array.ndim else out

    return checked


def hessian(
    func: Fun, inputs: Any, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:  # fmt: skip
    """The matrix of second derivatives of ``func``, which returns one number."""
    values, several = _as_tuple(inputs, "inputs", "hessian")
    scalar = _single(func, "hessian")

    def gradient(*args: Any) -> Any:
        out = jacobian(scalar, args, create_graph=True)
        if strict:
            _twice(out)
        return out if several else out[0]

    return jacobian(gradient, values if several else values[0], create_graph=create_graph, strict=strict)


def vhp(func: Fun, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple[Any, Any]:
    """The value of ``func`` (one number) at ``inputs`` and the product of ``v`` with its Hessian."""
    return _hessian_times("vhp", func, inputs, v, create_graph, strict)


def _hessian_times(name: str, func: Fun, inputs: Any, v: Any, create_graph: bool, strict: bool) -> tuple[Any, Any]:
    with enable_grad():
        values, several = _as_tuple(inputs, "inputs", name)
        aliases = _inputs(values, create_graph)
        out = _single(func, name)(*aliases)
        _strict((out,), strict)
        if v is not None:
            given, _ = _as_tuple(v, "v", name)
            _shape_check(given, aliases, "inputs")
        elif len(aliases) != 1 or aliases[0].array.size != 1:
            raise RuntimeError(
                "The vector v can only be None if the input to the user-provided function is a single Tensor with a "
                "single element."
            )
        else:
            given = (make(np.ones_like(aliases[0].array)),)
        first = _gradients((out,), aliases, None, True, strict)
        if strict:
            _twice(first)
        second = _gradients(first, aliases, given, create_graph, strict)
    return _out((out,), False, create_graph), _out(second, several, create_graph)


def hvp(func: Fun, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple[Any, Any]:
    """The value of ``func`` (one number) at ``inputs`` and the product of its Hessian with ``v``.

    The Hessian is symmetric, so this is :func:`vhp`.
    """
    return _hessian_times("hvp", func, inputs, v, create_graph, strict)
