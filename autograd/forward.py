"""Forward mode: derivatives that travel along with the values.

A dual tensor carries, besides its value, a tangent for each level of differentiation that is open. A level has a tag of
its own, so that the tangents of nested derivatives are never mixed up: for ``f(x) = x * d/dy (x)`` the inner derivative
sees no tangent of its own in ``x`` and is 0, whatever the outer level put there.

Every operation pushes tangents through: by the same rule as backward where its Jacobian is diagonal (elementwise
operations), by itself where it is linear, by rules of its own, or, failing all these, by differentiating its backward
rule, which is linear in the gradient, once more: the transpose of the transpose.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .dispatch import apply, edge_of, make, saved_values
from .gradients import conform_tensor
from .mode import enable_grad, modes, sync
from .node import AccumulateGrad, Node, extra_of, meta_of
from .tensor import Meta, Tensor, meta_for

if TYPE_CHECKING:
    from .context import FunctionCtx
    from .function import Function
    from .ops.table import Operation

_tags = itertools.count(1)


class UnpackedDualTensor(NamedTuple):
    """A dual tensor taken apart."""

    primal: Any
    tangent: Any


def enter_dual_level() -> int:
    """Opens a level of forward mode; returns its tag."""
    tag = next(_tags)
    modes.dual_level = (*modes.dual_level, tag)
    sync()
    return tag


def exit_dual_level(*, level: int | None = None) -> None:
    """Closes the innermost level. Its tangents are out of reach afterwards."""
    if not modes.dual_level:
        raise RuntimeError("Dual level must be a positive number.")
    if level is not None and level != modes.dual_level[-1]:
        raise RuntimeError(
            "Trying to exit a forward AD level that was not the last one that was created. This is not supported."
        )
    modes.dual_level = modes.dual_level[:-1]
    sync()


@contextmanager
def nested_level() -> Iterator[int]:
    """``with nested_level():`` opens a level, in which :func:`make_dual` works, and closes it."""
    tag = enter_dual_level()
    try:
        yield tag
    finally:
        exit_dual_level()


@contextmanager
def dual_level() -> Iterator[int]:
    """:func:`nested_level` as ``torch.autograd.forward_ad`` has it: RuntimeError inside another. Transforms nest."""
    if modes.dual_level and not modes.transforms:
        raise RuntimeError("Nested forward mode AD is not supported at the moment")
    with nested_level() as tag:
        yield tag


def make_dual(tensor: Tensor, tangent: Tensor, *, level: int | None = None) -> Tensor:
    """``tensor`` together with ``tangent``, for the innermost level (or the given one)."""
    if level is None:
        if not modes.dual_level:
            raise RuntimeError(
                "Trying to create a dual Tensor for forward AD but no level exists, make sure to enter_dual_level() "
                "first."
            )
        level = modes.dual_level[-1]
    if not (tensor.is_floating_point() and tangent.is_floating_point()):
        raise ValueError(f"Expected primal to be floating point or complex, but got: {tensor.dtype}")
    if tensor.array.shape != tangent.array.shape:
        raise RuntimeError(
            "Trying to set a forward gradient that has a different size than that of the original Tensor, this is not "
            f"supported. Tensor is of size {list(tensor.shape)} while the given forward gradient is of size "
            f"{list(tangent.shape)}."
        )
    if tangent_at(tensor, level) is not None:
        raise RuntimeError(
            "Making a dual Tensor based on a Tensor that already has a forward gradient at the same level 0 is not "
            "supported."
        )
    dual: Tensor = stripped(tensor, level)
    _set(dual, level, tangent)
    return dual


def unpack_dual(tensor: Tensor, *, level: int | None = None) -> UnpackedDualTensor:
    """The value and the tangent (None if there is none) of the innermost level (or the given one)."""
    if level is None:
        if not modes.dual_level:
            return UnpackedDualTensor(tensor, None)
        level = modes.dual_level[-1]
    return UnpackedDualTensor(stripped(tensor, level), tangent_at(tensor, level))


def tangent_at(t: Any, level: int) -> Tensor | None:
    """The tangent of ``t`` at ``level``, or None."""
    if not isinstance(t, Tensor) or t._meta is None or t._meta.duals is None:
        return None
    return t._meta.duals.get(level)


def _set(t: Tensor, level: int, tangent: Tensor) -> None:
    meta = meta_for(t)
    if meta.duals is None:
        meta.duals = {}
    meta.duals[level] = tangent


def stripped(t: Any, level: int) -> Any:
    """``t`` as levels below ``level`` see it: same value, same place in the graph, no tangents from ``level`` on."""
    if not isinstance(t, Tensor):
        return t
    alias = make(t.array)
    alias._storage = t._storage
    edge = edge_of(t)
    alias._edge = edge if edge[0] is not None else None
    duals = t._meta.duals if t._meta is not None else None
    if duals:
        below = {tag: tangent for tag, tangent in duals.items() if tag < level}
        if below:
            alias._meta = Meta()
            alias._meta.duals = below
    return alias


@contextmanager
def _below(level: int) -> Iterator[None]:
    """Inside, only levels below ``level`` are open: a tangent is a value of the levels below."""
    before = modes.dual_level
    modes.dual_level = tuple(tag for tag in before if tag < level)
    sync()
    try:
        yield
    finally:
        modes.dual_level = before
        sync()


def settle(result: Any, aliases: Sequence[Tensor]) -> Any:
    """``result`` without history if nothing but ``aliases`` is in it: outside the call they mean nothing."""
    if not isinstance(result, Tensor) or not result.requires_grad:
        return result
    own = {id(a) for a in aliases}
    seen: set[Node] = set()
    stack = [edge_of(result)[0]]
    while stack:
        node = stack.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if isinstance(node, AccumulateGrad) and id(node.variable) not in own:
            return result
        stack.extend(target for target, _ in node.next_functions)
    settled = result.detach()
    if result._meta is not None and result._meta.duals is not None:
        meta_for(settled).duals = {tag: settle(t, aliases) for tag, t in result._meta.duals.items()}
    return settled


def push(op: Operation, inputs: Any, params: tuple[Any, ...], outputs: list[Tensor]) -> None:
    """Gives the ``outputs`` of an operation that just ran their tangents."""
    if not op.differentiable:
        return
    for level in modes.dual_level:
        tangents = [tangent_at(x, level) for x in inputs]
        if all(t is None for t in tangents):
            continue
        with _below(level):
            below = tuple(stripped(x, level) for x in inputs)
            results = [stripped(x, level) for x in outputs]
            found = _jvp(op, below, params, tangents, results)
        for t, tangent in zip(outputs, found, strict=True):
            if tangent is not None and t.array.dtype.kind == "f":
                _set(t, level, tangent)
    if op.saves_output:
        _keep(outputs)


def _keep(outputs: Sequence[Any]) -> None:
    """A node whose rules read its results needs their tangents too."""
    for number, t in enumerate(outputs):
        node = edge_of(t)[0] if isinstance(t, Tensor) and t._meta is not None and t._meta.duals else None
        if node is not None and not isinstance(node, AccumulateGrad):
            extra = extra_of(node)
            extra.duals = {**(extra.duals or {}), number: dict(t._meta.duals)}


def tangents_of(op: Operation, inputs: Any, params: tuple[Any, ...]) -> dict[int, Tensor] | None:
    """What the tangents of an in-place operation's result will be; None if there are none."""
    if not op.differentiable or all(tangent_at(x, level) is None for x in inputs for level in modes.dual_level):
        return None
    result = apply(op, tuple(stripped_alias(x) for x in inputs), params)
    found = dict(result._meta.duals or {}) if result._meta is not None else {}
    for level in modes.dual_level:  # a write that no tangent comes through leaves none behind either
        if level not in found and tangent_at(inputs[0], level) is not None:
            found[level] = make(np.zeros(inputs[0].array.shape, inputs[0].array.dtype)[()])
    return found


def stripped_alias(t: Any) -> Any:
    """``t`` with all its tangents, as another object."""
    return stripped(t, 1 << 62)


def copied(t: Tensor) -> dict[int, Tensor]:
    """The tangents of ``t`` as they are now; later writes do not change them."""
    found = {}
    for level, tangent in ((t._meta.duals or {}) if t._meta is not None else {}).items():
        with _below(level):
            found[level] = tangent.clone()
    return found


def write_tangents(t: Tensor, tangents: dict[int, Tensor]) -> None:
    """Writes the tangents of an in-place result, in place, so that the tangents of views and bases see it."""
    for level, tangent in tangents.items():
        with _below(level):
            held = tangent_at(t, level)
            if held is None:
                view = t._meta.view if t._meta is not None else None
                if view is not None:
                    from .views import replay_tensor

                    whole = make(np.zeros(view.base.array.shape, view.base.array.dtype))
                    _set(view.base, level, whole)
                    held = replay_tensor(view.chain, whole)
                    held.copy_(tangent)
                    _set(t, level, held)
                else:
                    _set(t, level, tangent)
            else:
                held.copy_(tangent)


def _fit(tangent: Any, like: Tensor) -> Any:
    """``tangent`` in the shape and type of ``like``."""
    if not isinstance(tangent, Tensor):
        tangent = make(np.asarray(tangent, like.array.dtype)[()])
    if tangent.array.dtype != like.array.dtype:
        tangent = tangent.to(like.dtype)
    if tangent.array.shape != like.array.shape:
        tangent = tangent.expand(like.array.shape)
    return tangent


def _jvp(
    op: Operation,
    inputs: tuple[Any, ...],
    params: tuple[Any, ...],
    tangents: list[Tensor | None],
    outputs: list[Tensor],
) -> list[Any]:
    """The tangents of the outputs, by the way the operation's entry names."""
    how = op.jvp
    if how == "linear":
        filled = tuple(
            t if t is not None else (make(np.zeros_like(x.array)) if isinstance(x, Tensor) else x)
            for x, t in zip(inputs, tangents, strict=True)
        )
        result = apply(op, filled, params)
        return list(result) if op.multi else [_fit(result, outputs[0])]
    parts: list[Any] = []
    if how == "bilinear":
        for i, t in enumerate(tangents):
            if t is not None:
                parts.append(apply(op, (*inputs[:i], t, *inputs[i + 1 :]), params))
    else:
        rules = how if isinstance(how, dict) else op.vjp if op.elementwise and not op.multi else None
        if rules is None or op.variadic:
            return _transposed(op, inputs, params, tangents, outputs)
        from .ops.table import tensors

        for name, rule in rules.items():
            if " " in name:
                return _transposed(op, inputs, params, tangents, outputs)
            t = tangents[op.input_names.index(name)] if name in op.input_names else None
            if t is not None:
                if rules is op.vjp:
                    t = _fit(t, outputs[0]) if t.array.shape != outputs[0].array.shape else t
                parts.append(rule(t, *_arguments(op, rule, tensors, inputs, params, outputs)))
    if op.multi:
        return _sum_each(parts, outputs)
    total = None
    for part in parts:
        total = part if total is None else total + part
    return [None if total is None else _fit(total, outputs[0])]


def _sum_each(parts: list[Any], outputs: list[Tensor]) -> list[Any]:
    totals: list[Any] = [None] * len(outputs)
    for part in parts:
        for i, each in enumerate(part):
            if each is not None:
                totals[i] = each if totals[i] is None else totals[i] + each
    return [None if t is None else _fit(t, out) for t, out in zip(totals, outputs, strict=True)]


def _arguments(
    op: Operation, rule: Any, m: Any, inputs: tuple[Any, ...], params: tuple[Any, ...], outputs: list[Tensor]
) -> list[Any]:
    """What ``rule`` asks for, by the names of its parameters after the first."""
    values: list[Any] = []
    for name in op.rule_names(rule):
        if name == "m":
            values.append(m)
            continue
        if name == "needs":
            values.append((True,) * len(op.input_names))
            continue
        kind, where = op.source(name)
        if kind == "input":
            values.append(inputs[where])
        elif kind == "output":
            values.append(outputs[where])
        elif kind == "param":
            values.append(params[where])
        else:
            x = inputs[where]
            array = x.array if isinstance(x, Tensor) else None
            values.append(
                (() if array is None else array.shape) if kind == "shape" else None if array is None else array.dtype
            )
    return values


def _transposed(
    op: Operation,
    inputs: tuple[Any, ...],
    params: tuple[Any, ...],
    tangents: list[Tensor | None],
    outputs: list[Tensor],
) -> list[Any]:
    """The JVP as the transpose of the VJP: that is linear in its gradient, so its own VJP is what we look for."""
    from .backward import grad

    assert op.node_class is not None
    with enable_grad():
        seeds = []
        for out in outputs:
            seed = make(np.zeros(out.array.shape, out.array.dtype)[()])
            if out.array.dtype.kind == "f":
                seed.requires_grad_()
            seeds.append(seed)
        node = op.node_class()
        node.extra = None
        anchor = (AccumulateGrad(seeds[0]), 0)
        node.next_functions = tuple(anchor for _ in inputs)
        node.saved = saved_values(op, inputs, params, outputs, node.next_functions)
        extra_of(node).results = outputs
        node.meta = [meta_of(out.array) for out in outputs] if op.multi else meta_of(outputs[0].array)
        grads = node.backward_tensors(seeds if op.multi else seeds[0])
        pairs = [
            (conform_tensor(g, meta_of(t.array)), t)
            for g, t in zip(grads, tangents, strict=True)
            if t is not None and isinstance(g, Tensor)
        ]
        pairs = [(g, t) for g, t in pairs if g.requires_grad]
        wanted = [s for s in seeds if s.requires_grad]
        if not pairs:
            return [None] * len(outputs)
        found = iter(grad([g for g, _ in pairs], wanted, [t for _, t in pairs], create_graph=True, allow_unused=True))
    results = [next(found) if s.requires_grad else None for s in seeds]
    return [settle(r, wanted) for r in results]


def push_function(cls: type[Function], ctx: FunctionCtx, args: tuple[Any, ...], results: list[Any]) -> None:
    """The tangents of a custom function's results, by its own ``jvp``."""
    for level in modes.dual_level:
        tangents = [tangent_at(x, level) for x in args]
        if all(t is None for t in tangents):
            continue
        with _below(level):
            if ctx.materialize_grads:
                tangents = [
                    make(np.zeros_like(x.array)) if t is None and isinstance(x, Tensor) else t
                    for t, x in zip(tangents, args, strict=True)
                ]
            ctx._in_jvp = True
            found = cls.jvp(ctx, *tangents)
            ctx._in_jvp = False
        found = found if isinstance(found, tuple) else (found,)
        for t, tangent in zip(results, found, strict=False):
            if isinstance(t, Tensor) and tangent is not None:
                _set(t, level, tangent)
    _keep(results)
