"""Functions that transform functions (``torch.func``): grad, vjp, jvp, jacobians, vmap.

They nest: the derivative of a derivative is taken by applying one to the result of the other. A derivative with respect
to
``x`` is taken with respect to an alias of ``x`` that belongs to this call alone, so what is a constant for an inner
derivative stays one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from .backward import grad as _grad
from .dispatch import make
from .forward import make_dual, nested_level, settle, tangent_at, unpack_dual
from .mode import enable_grad, modes
from .ops.table import TABLE
from .random import get_rng_state, set_rng_state
from .record import unwatched
from .tensor import Tensor

Fun = Callable[..., Any]


def flatten(tree: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    """The leaves of nested tuples, lists and dicts, and a function that builds the same nest of others."""
    if isinstance(tree, (tuple, list)):
        parts = [flatten(each) for each in tree]
        sizes = [len(leaves) for leaves, _ in parts]

        def rebuild(leaves: list[Any]) -> Any:
            out, at = [], 0
            for (_, build), n in zip(parts, sizes, strict=True):
                out.append(build(leaves[at : at + n]))
                at += n
            if hasattr(tree, "_fields"):
                return type(tree)(*out)
            return tuple(out) if isinstance(tree, tuple) else out

        return [x for leaves, _ in parts for x in leaves], rebuild
    if isinstance(tree, dict):
        leaves, build = flatten(list(tree.values()))
        return leaves, lambda new: dict(zip(tree, build(new), strict=True))
    return [tree], lambda new: new[0]


def only_tensors(leaves: list[Any], api: str, function: str) -> None:
    """RuntimeError unless the results of a transformed function are tensors."""
    for x in leaves:
        if not isinstance(x, Tensor):
            raise RuntimeError(f"{api}: expected {function} to return only tensors, got unsupported type {type(x)}")


def only_aux(leaves: list[Any]) -> None:
    """RuntimeError unless what a function returns besides its results is made of tensors."""
    for x in leaves:
        if not isinstance(x, Tensor):
            raise RuntimeError(f"Expected tensors, got unsupported type {type(x)}")


@contextmanager
def transforming(kind: str) -> Iterator[None]:
    """Inside, the function of a transform runs: custom functions mind it."""
    modes.transforms = (*modes.transforms, kind)
    try:
        yield
    finally:
        modes.transforms = modes.transforms[:-1]


def fresh(x: Tensor) -> Tensor:
    """An alias of ``x`` to differentiate with respect to: connected to the history of ``x`` if that has any."""
    if x.requires_grad:
        with enable_grad():
            alias: Tensor = TABLE["alias"].function(x)
        return alias
    alias = x.detach()
    if x._meta is not None and x._meta.duals is not None:
        from .tensor import meta_for

        meta_for(alias).duals = dict(x._meta.duals)
    return alias.requires_grad_()


def _aliased(args: tuple[Any, ...], argnums: Any) -> tuple[list[Any], list[Tensor], Callable[[list[Any]], Any]]:
    """``args`` with fresh aliases in the places ``argnums``; the aliases; how to nest results as those arguments
    are.
    """
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
    for i in numbers:
        if not -len(args) <= i < len(args):
            raise RuntimeError(f"Got argnum={i}, but only {len(args)} positional inputs")
    leaves, build = flatten(tuple(args[i] for i in numbers))
    for x in leaves:
        if not isinstance(x, Tensor):
            raise ValueError(f"Thing passed to transform API must be Tensor, got {type(x)}")
    aliases = [fresh(x) for x in leaves]
    new = list(args)
    for i, value in zip(numbers, build(aliases), strict=True):
        new[i] = value

    def nest(results: list[Any]) -> Any:
        out = build(results)
        return out[0] if isinstance(argnums, int) else out

    return new, aliases, nest


def grad_and_value(func: Fun, argnums: Any = 0, has_aux: bool = False) -> Fun:
    """A function that returns the gradient of ``func`` (which returns one number) and its value."""

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        new, aliases, nest = _aliased(args, argnums)
        with enable_grad():
            with transforming("grad"):
                out = func(*new, **kwargs)
            aux = None
            if has_aux:
                if not isinstance(out, tuple) or len(out) != 2:
                    raise RuntimeError(
                        "grad_and_value(f)(*args): output of function f should be a tuple: (output, aux) if has_aux is "
                        "True"
                    )
                out, aux = out
            if not isinstance(out, Tensor):
                raise RuntimeError(f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(out)}")
            if out.array.ndim:
                raise RuntimeError(
                    "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
                    f"{out.array.ndim} dims. Maybe you wanted to use the vjp or jacrev APIs instead?"
                )
            if out.requires_grad:
                grads = _grad(out, aliases, create_graph=True, allow_unused=True, materialize_grads=True)
            else:
                grads = tuple(make(np.zeros_like(a.array)) for a in aliases)
        gradient = nest([settle(g, aliases) for g in grads])
        leaves, build = flatten((out, aux))
        value, aux = build([settle(x, aliases) for x in leaves])
        return (gradient, (value, aux)) if has_aux else (gradient, value)

    return wrapper


def grad(func: Fun, argnums: Any = 0, has_aux: bool = False) -> Fun:
    """A function that returns the gradient of ``func``, which returns one number (and with ``has_aux`` something
    more).
    """
    both = grad_and_value(func, argnums, has_aux)

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        gradient, value = both(*args, **kwargs)
        return (gradient, value[1]) if has_aux else gradient

    return wrapper


def vjp(func: Fun, *primals: Any, has_aux: bool = False) -> Any:
    """The value of ``func`` at ``primals``, and a function from a cotangent to the vector-Jacobian product."""
    new, aliases, nest = _aliased(primals, tuple(range(len(primals))))
    with enable_grad(), transforming("grad"):
        result = func(*new)
    out, aux = result if has_aux else (result, None)
    leaves, build = flatten(out)
    only_tensors(leaves, "vjp(f, *primals)", "f(*primals)")
    wanted = [x for x in leaves if isinstance(x, Tensor) and x.requires_grad]

    def pull(*cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        given, _ = flatten(
            cotangents if len(cotangents) > 1 or (isinstance(out, tuple) and len(leaves) == 1) else cotangents[0]
        )
        if len(given) != len(leaves):
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                f"function. cotangents: {len(given)} tensors, primal output: {len(leaves)} tensors"
            )
        seeds = [g for g, x in zip(given, leaves, strict=True) if isinstance(x, Tensor) and x.requires_grad]
        with enable_grad():
            if wanted:
                grads = _grad(wanted, aliases, seeds, create_graph=True, allow_unused=True, materialize_grads=True)
            else:
                grads = tuple(make(np.zeros_like(a.array)) for a in aliases)
        return nest([settle(g, aliases) for g in grads])

    settled = build([settle(x, aliases) for x in leaves])
    kept, rebuild = flatten(aux)
    aux = rebuild([settle(x, aliases) if isinstance(x, Tensor) else x for x in kept])
    return (settled, pull, aux) if has_aux else (settled, pull)


def jvp(func: Fun, primals: Any, tangents: Any, *, strict: bool = False, has_aux: bool = False) -> Any:
    """The value of ``func`` at ``primals`` and its derivative in the direction ``tangents``, by forward mode."""
    if not isinstance(primals, tuple):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals to be a tuple. E.g. it should be valid to call f(*primals)."
        )
    values, build = flatten(primals)
    directions, _ = flatten(tangents)
    if len(values) != len(directions):
        raise RuntimeError(
            "jvp(f, primals, tangents): Expected primals and tangents to have the same python structure. For example, "
            "if primals is a tuple of 3 tensors, tangents also must be."
        )
    with unwatched(), nested_level() as level:
        duals = [make_dual(x, t, level=level) for x, t in zip(values, directions, strict=True)]
        with transforming("jvp"):
            result = func(*build(duals))
        out, aux = result if has_aux else (result, None)
        leaves, rebuild = flatten(out)
        only_tensors(leaves, "jvp(f, primals, tangents)", "f(*primals)")
        pairs = [unpack_dual(x, level=level) for x in leaves]
        aux_leaves, aux_build = flatten(aux)
        if has_aux:
            only_aux(aux_leaves)
        aux = aux_build([unpack_dual(x, level=level).primal if isinstance(x, Tensor) else x for x in aux_leaves])
    outputs = rebuild([p.primal for p in pairs])
    pushed = rebuild([p.tangent if p.tangent is not None else make(np.zeros_like(p.primal.array)) for p in pairs])
    return (outputs, pushed, aux) if has_aux else (outputs, pushed)


def linearize(func: Fun, *primals: Any) -> tuple[Any, Fun]:
    """The value of ``func`` at ``primals`` and its derivative there as a linear function of the tangents."""
    value = func(*primals)
    return value, lambda *tangents: jvp(func, primals, tangents)[1]


def _basis(shape: tuple[int, ...], kind: Any) -> Any:
    """The unit vectors of arrays of ``shape``, in order."""
    n = int(np.prod(shape))
    for i in range(n):
        unit = np.zeros(n, kind)
        unit[i] = 1
        yield make(unit.reshape(shape) if shape else unit[0])


def _stack(rows: list[Any], shape: tuple[int, ...]) -> Tensor:
    """Rows as one tensor whose first dimensions are ``shape``."""
    if not rows:
        raise RuntimeError("a jacobian needs at least one entry")
    tall: Tensor = TABLE["stack"].function(rows)
    result: Tensor = tall.reshape(tuple(shape) + tuple(rows[0].shape))
    return result


def jacrev(func: Fun, argnums: Any = 0, *, has_aux: bool = False, **_: Any) -> Fun:
    """The Jacobian of ``func``, row by row in reverse mode."""

    @functools.wraps(func)
    def wrapper(*args: Any) -> Any:
        new, aliases, nest = _aliased(args, argnums)
        with enable_grad():
            with transforming("grad"):
                result = func(*new)
            out, aux = result if has_aux else (result, None)
            leaves, build = flatten(out)
            only_tensors(leaves, "vjp(f, *primals)", "f(*primals)")
            jacobians = []
            for x in leaves:
                columns: list[list[Any]] = [[] for _ in aliases]
                for unit in _basis(x.array.shape, x.array.dtype):
                    if x.requires_grad:
                        grads = _grad(x, aliases, unit, create_graph=True, allow_unused=True, materialize_grads=True)
                    else:
                        grads = tuple(make(np.zeros_like(a.array)) for a in aliases)
                    for column, g in zip(columns, grads, strict=True):
                        column.append(g)
                jacobians.append(nest([settle(_stack(c, x.array.shape), aliases) for c in columns]))
        nested = build(jacobians)
        kept, rebuild = flatten(aux)
        aux = rebuild([settle(x, aliases) if isinstance(x, Tensor) else x for x in kept])
        return (nested, aux) if has_aux else nested

    return wrapper


def jacfwd(func: Fun, argnums: Any = 0, has_aux: bool = False, **_: Any) -> Fun:
    """The Jacobian of ``func``, column by column in forward mode."""

    @functools.wraps(func)
    def wrapper(*args: Any) -> Any:
        numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)
        leaves, build_args = flatten(tuple(args[i] for i in numbers))
        pushed: list[list[Any]] = []
        rebuild: Any = None
        aux: Any = None
        for position, leaf in enumerate(leaves):
            columns: list[Any] = []
            for unit in _basis(leaf.array.shape, leaf.array.dtype):
                with nested_level() as level:
                    duals = list(leaves)
                    duals[position] = make_dual(leaf, unit, level=level)
                    new = list(args)
                    for i, value in zip(numbers, build_args(duals), strict=True):
                        new[i] = value
                    with transforming("jvp"):
                        result = func(*new)
                    out, aux = result if has_aux else (result, None)
                    outs, rebuild = flatten(out)
                    only_tensors(outs, "jvp(f, primals, tangents)", "f(*primals)")
                    tangents = [tangent_at(x, level) for x in outs]
                columns.append(
                    [t if t is not None else make(np.zeros_like(x.array)) for x, t in zip(outs, tangents, strict=True)]
                )
            per_output = []
            for k in range(len(columns[0])):
                first = columns[0][k]
                tall = TABLE["stack"].function([c[k] for c in columns], first.array.ndim)
                per_output.append(tall.reshape(tuple(first.shape) + leaf.array.shape))
            pushed.append(per_output)
        jacobians = []
        for k in range(len(pushed[0])):
            out = build_args([p[k] for p in pushed])
            jacobians.append(out[0] if isinstance(argnums, int) else out)
        nested = rebuild(jacobians)
        return (nested, aux) if has_aux else nested

    return wrapper


def hessian(func: Fun, argnums: Any = 0) -> Fun:
    """The matrix of second derivatives: forward over reverse."""
    return jacfwd(jacrev(func, argnums), argnums)


def vmap(
    func: Fun, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", *, chunk_size: int | None = None
) -> Fun:
    """``func`` applied to each slice of its arguments along ``in_dims``, the results stacked along ``out_dims``.

    Runs slice by slice: it is as fast as a loop, and exact.
    """

    name = getattr(func, "__name__", type(func).__name__)

    @functools.wraps(func)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        leaves, build = flatten(args)
        start = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"
        if not isinstance(in_dims, (int, tuple)):
            raise ValueError(
                f"{start}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of "
                f"inputs, got: {type(in_dims)}."
            )
        if isinstance(in_dims, int):
            for x in leaves:
                if not isinstance(x, Tensor):
                    raise ValueError(
                        f"{start}: Got in_dim={in_dims} for an input but the input is of type {type(x)}. We cannot "
                        "vmap over non-Tensor arguments, please use None as the respective in_dim"
                    )
            dims: list[Any] = [in_dims for _ in leaves]
        else:
            dims = []
            if len(in_dims) != len(args):
                raise ValueError(
                    f"{start}: in_dims is not compatible with the structure of `inputs`. in_dims has {len(in_dims)} "
                    f"entries but there are {len(args)} inputs."
                )
            for d, each in zip(in_dims, args, strict=True):
                inner, _ = flatten(each)
                ds, _ = flatten(d)
                dims += ds if len(ds) == len(inner) else [ds[0]] * len(inner)
        for x, d in zip(leaves, dims, strict=True):
            if d is not None and not -x.ndim <= d < x.ndim:
                raise ValueError(
                    f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={d} for some input, but that input is "
                    f"a Tensor of dimensionality {x.ndim} so expected in_dim to satisfy -{x.ndim} <= in_dim < {x.ndim}."
                )
        sizes = {x.shape[d] for x, d in zip(leaves, dims, strict=True) if d is not None}
        if not sizes:
            raise ValueError("vmap: at least one input must be mapped over; got in_dims with None everywhere")
        if len(sizes) > 1:
            raise ValueError(
                f"vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {sorted(sizes)} "
                "for the mapped dimension"
            )
        rows: list[list[Any]] = []
        rebuild: Any = None
        state = get_rng_state()
        for i in range(sizes.pop()):
            sliced = [x.select(d, i) if d is not None else x for x, d in zip(leaves, dims, strict=True)]
            if randomness == "same":
                set_rng_state(state)
            with transforming("vmap"):
                outs, rebuild = flatten(func(*build(sliced), **kwargs))
            if randomness == "error" and not np.array_equal(get_rng_state().array, state.array):
                raise RuntimeError(
                    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
                )
            rows.append(outs)
        if not rows:
            raise ValueError("vmap: the mapped dimension has size 0")
        count = len(rows[0])
        targets, _ = flatten(out_dims)
        targets = targets if len(targets) == count else targets * count
        stacked = []
        for k in range(count):
            column = [r[k] for r in rows]
            if targets[k] is None:
                stacked.append(column[0])
                continue
            if not isinstance(column[0], Tensor):
                raise ValueError(
                    f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(column[0])}. Did you mean "
                    "to set out_dims= to None for output?"
                )
            stacked.append(TABLE["stack"].function(column, targets[k]))
        return rebuild(stacked)

    return wrapper


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Any = None,
    kwargs: Any = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """``module(*args)`` with some of its parameters and buffers replaced by the given tensors, for this call only.

    RuntimeError if ``strict`` and the names are not just those that the module has.
    """
    given = parameter_and_buffer_dicts
    replaced: dict[str, Any] = {}
    for each in given if isinstance(given, (tuple, list)) else (given,):
        replaced.update(each)
    if strict:
        own = {name for name, _ in (*module.named_parameters(), *module.named_buffers())}
        odd = {"Unexpected": sorted(set(replaced) - own), "Missing": sorted(own - set(replaced))}
        lines = [f"\n\t{word} key(s): {', '.join(map(repr, names))}." for word, names in odd.items() if names]
        if lines:
            raise RuntimeError(f"Error(s) in reparametrizing for {type(module).__name__}:{''.join(lines)}")
    before: list[tuple[dict[str, Any], str, Any]] = []
    for name, value in replaced.items():
        path, last = name.rpartition(".")[::2]
        owner = dict(module.named_modules()).get(path)  # names that the module does not have change nothing
        stores = () if owner is None else (owner._parameters, owner._buffers)
        for store in stores:
            if last in store:
                before.append((store, last, store[last]))
                store[last] = value
    try:
        positional = args if isinstance(args, tuple) else () if args is None else (args,)
        return module(*positional, **(kwargs or {}))
    finally:
        for store, last, value in before:
            store[last] = value
