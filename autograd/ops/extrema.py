"""Largest and smallest: of two tensors, of a tensor and bounds, along a dimension, and in order.

Where several entries are largest, PyTorch either shares the gradient among them (``amax``, ``max()`` of everything) or
gives it to the one whose index it reports (``max(dim)``, ``sort``, ``topk``). Both kinds are written down here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import no_form
from ..tensor import Tensor
from . import generate
from .reduction import axes, axes_of
from .shaping import axis_of
from .table import FUNCTIONS, METHODS, Operation, composite, op


def _between(
    name: str, kernel: Callable[[Any, Any], Any], loses: Callable[[Any, Any], Any], aliases: str = ""
) -> Operation:
    """The larger (or smaller) of two; at a tie each gets half."""
    return op(
        name, f"{name.capitalize()}Backward0",
        lambda input, other: kernel(input, other),
        vjp={
            "input": lambda g, m, input, other: m.where(loses(input, other), 0.0, m.where(input == other, g / 2, g)),
            "other": lambda g, m, input, other: m.where(loses(other, input), 0.0, m.where(input == other, g / 2, g)),
        },
        local={"input": "1 if it wins, 1/2 at a tie, else 0", "other": "1 if it wins, 1/2 at a tie, else 0"},
        symbol=f"{name}({{input}}, {{other}})", promote="numeric", elementwise=True, numbers=False, aliases=aliases,
    )  # fmt: skip


def _present(name: str, kernel: Callable[[Any, Any], Any], wins: Callable[[Any, Any], Any]) -> Operation:
    """As above, but nan loses against any number, and a tie goes to the first."""
    return op(
        name, f"{name.capitalize()}Backward0",
        lambda input, other: kernel(input, other),
        vjp={
            "input": lambda g, m, input, other: m.where(wins(input, other) | m.isnan(other), g, 0.0),
            "other": lambda g, m, input, other: m.where(wins(input, other) | m.isnan(other), 0.0, g),
        },
        local={"input": "1 if it wins, else 0", "other": "1 if it wins, else 0"},
        symbol=f"{name}({{input}}, {{other}})", promote="numeric", elementwise=True, numbers=False,
    )  # fmt: skip


maximum = _between("maximum", np.maximum, lambda a, b: a < b)
minimum = _between("minimum", np.minimum, lambda a, b: a > b)
fmax = _present("fmax", np.fmax, lambda a, b: a >= b)
fmin = _present("fmin", np.fmin, lambda a, b: a <= b)


# -- bounds ----------------------------------------------------------------------------------------------------------


def _within(input: Any, min: Any, max: Any) -> Any:
    """Where ``input`` is not outside its bounds; a bound itself counts as inside."""
    if min is None:
        return input <= max
    if max is None:
        return input >= min
    return (input >= min) & (input <= max)


def _clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    bounded = np.array(input) if min is None else np.maximum(input, min)
    return bounded if max is None else np.minimum(bounded, max)


clamp_numbers = op(
    "clamp", "ClampBackward1", _clamp,
    inputs="input", vjp={"input": lambda g, m, input, min, max: m.where(_within(input, min, max), g, 0.0)},
    local={"input": "1 from {min} to {max}, else 0"}, symbol="clamp({input}, {min}, {max})", elementwise=True,
    method=False, public=False,
)  # fmt: skip


def _min_rule(g: Any, m: Any, input: Any, min: Any, max: Any) -> Any:
    below = input < min
    return m.where(below if max is None else below & (min < max), g, 0.0)


def _max_rule(g: Any, m: Any, input: Any, min: Any, max: Any) -> Any:
    above = input > max
    return m.where(above if min is None else above | (max < min), g, 0.0)


clamp_tensors = op(
    "clamp_tensors", "ClampBackward0", _clamp,
    inputs="input min max",
    vjp={"input": lambda g, m, input, min, max: m.where(_within(input, min, max), g, 0.0), "min": _min_rule,
        "max": _max_rule},
    local={"input": "1 from {min} to {max}, else 0", "min": "1 if {input} < {min}", "max": "1 if {input} > {max}"},
    symbol="clamp({input}, {min}, {max})", elementwise=True, promote="numeric", method=False, public=False,
    shown="clamp",
)  # fmt: skip


def _one_bound(name: str, node: str, bound: str, number: bool) -> Operation:
    if bound == "min":
        kernel: Callable[..., Any] = lambda input, min: np.maximum(input, min)  # noqa: E731
        rule: dict[str, Callable[..., Any]] = {"input": lambda g, m, input, min: m.where(input >= min, g, 0.0)}
        other = {} if number else {"min": lambda g, m, input, min: m.where(input < min, g, 0.0)}
    else:
        kernel = lambda input, max: np.minimum(input, max)  # noqa: E731
        rule = {"input": lambda g, m, input, max: m.where(input <= max, g, 0.0)}
        other = {} if number else {"max": lambda g, m, input, max: m.where(input > max, g, 0.0)}
    sign = "≥" if bound == "min" else "≤"
    return op(
        name, node, kernel, inputs="input" if number else f"input {bound}", vjp={**rule, **other},
        local={"input": f"1 where {{input}} {sign} {{{bound}}}, else 0"},
        symbol=f"clamp({{input}}, {bound}={{{bound}}})",
        elementwise=True, promote="none" if number else "numeric", method=False, public=False, shown=f"clamp_{bound}",
    )  # fmt: skip


clamp_min_number = _one_bound("clamp_min_number", "ClampMinBackward0", "min", True)
clamp_max_number = _one_bound("clamp_max_number", "ClampMaxBackward0", "max", True)
clamp_min_tensor = _one_bound("clamp_min_tensor", "ClampMinBackward1", "min", False)
clamp_max_tensor = _one_bound("clamp_max_tensor", "ClampMaxBackward1", "max", False)


def _floating(input: Tensor, *bounds: Any) -> Tensor:
    """An integer tensor with a float bound becomes a float tensor."""
    if input.array.dtype.kind != "f" and any(isinstance(b, float) for b in bounds):
        from ..dtypes import get_default_dtype

        return input.to(get_default_dtype())  # type: ignore[no-any-return]
    return input


def _choose(input: Tensor, min: Any, max: Any) -> tuple[Operation, tuple[Any, ...], tuple[Any, ...]]:
    if isinstance(min, Tensor) or isinstance(max, Tensor):
        return clamp_tensors, (input, min, max), ()
    return clamp_numbers, (_floating(input, min, max),), (min, max)


def _check_bounds(min: Any, max: Any) -> None:
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    bounds = [each for each in (min, max) if each is not None]
    if len({isinstance(each, Tensor) for each in bounds}) > 1 or any(
        isinstance(each, (str, list, tuple)) for each in bounds
    ):
        forms = "Tensor min = None, Tensor max = None\nNumber min = None, Number max = None"
        raise no_form("clamp", bounds, forms=forms)


def clamp(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """``input`` held between ``min`` and ``max`` (numbers or tensors, either may be missing)."""
    from ..dispatch import apply

    _check_bounds(min, max)
    result: Tensor = apply(*_choose(input, min, max))
    return result


def clamp_(input: Tensor, min: Any = None, max: Any = None) -> Tensor:
    """:func:`clamp`, written into ``input``."""
    from ..inplace import apply

    _check_bounds(min, max)
    return apply(*_choose(input, min, max))


composite("clamp", clamp, array=_clamp, aliases="clip")
for _name in ("clamp_", "clip_"):
    METHODS[_name] = FUNCTIONS[_name] = clamp_


def _bounded(number: Operation, tensor: Operation) -> tuple[Callable[..., Any], Callable[..., Any]]:
    write_number, write_tensor = generate.in_place(number), generate.in_place(tensor)
    bound = number.param_names[0]

    def limited(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        value = args[0] if args else kwargs[bound]
        return (
            tensor.function(input, value)
            if isinstance(value, Tensor)
            else number.function(_floating(input, value), value)
        )

    def limited_(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        value = args[0] if args else kwargs[bound]
        return (write_tensor if isinstance(value, Tensor) else write_number)(input, value)

    return limited, limited_


for _name, _pair in {
    "clamp_min": _bounded(clamp_min_number, clamp_min_tensor),
    "clamp_max": _bounded(clamp_max_number, clamp_max_tensor),
}.items():  # fmt: skip
    composite(_name, _pair[0])
    METHODS[_name + "_"] = FUNCTIONS[_name + "_"] = _pair[1]


# -- of a whole tensor, or along a dimension ------------------------------------------------------------------------


def nonempty(name: str, array: Any, dim: Any = None) -> None:
    """RuntimeError or IndexError if there is nothing to choose from."""
    if np.size(array):
        return
    if dim is None:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
            "with the 'dim' argument."
        )
    for d in dim if isinstance(dim, tuple) else (dim,):
        if np.shape(array)[axis_of(d, np.ndim(array))] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {d} to have non-zero size.")


def _shared(m: Any, g: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """g split evenly among the entries that equal the result."""
    chosen = input == m.spread(result, input.shape, dim, keepdim)
    among = m.sum(m.where(chosen, m.ones_like(input), 0.0), dim, True)
    return m.where(chosen, m.spread(g, input.shape, dim, keepdim) / among, 0.0)


def _extreme(name: str, kernel: Any, symbol: str) -> Operation:
    def forward(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
        nonempty(name, input, dim)
        return kernel(input, axis=axes_of(dim, input.ndim), keepdims=keepdim)

    return op(
        name, f"{name.capitalize().replace('min', 'min')}Backward0", forward,
        vjp={"input": lambda g, m, input, result, dim, keepdim: _shared(m, g, input, result, dim, keepdim)},
        local={"input": "1"}, rule={"input": f"g shared where {{input}} is {symbol}, else 0"},
        symbol=f"{name}({{input}})",
        parse=lambda input, dim=None, keepdim=False, axis=None: (
            (input,), (axes(dim if axis is None else axis), keepdim),
        ),
    )  # fmt: skip


amax = _extreme("amax", np.max, "largest")
amin = _extreme("amin", np.min, "smallest")


def _whole(name: str, kernel: Callable[[Any], Any], node: str) -> Operation:
    def forward(input: Any) -> Any:
        if not input.size and name != "_median":
            raise RuntimeError(
                f"{name[1:]}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction "
                "dim with the 'dim' argument."
            )
        return kernel(input)

    return op(
        name, node, forward,
        vjp={"input": lambda g, m, input, result: _evenly(m, g, input, result)},
        local={"input": "1"}, rule={"input": "g shared among the k entries chosen, else 0"},
        symbol=f"{name[1:]}({{input}})", method=False,
        public=False,
        shown=name[1:],
    )  # fmt: skip


def _evenly(m: Any, g: Any, input: Any, result: Any) -> Any:
    same = m.isnan(input) if result != result else input == result
    count = int(same.sum())
    return m.where(same, g / max_int(count, 1), 0.0)


def max_int(a: int, b: int) -> int:
    """The larger of two ints, since this module's own ``max`` is the operation."""
    return a if a >= b else b


def _median(x: Any) -> Any:
    if not x.size:
        return x.dtype.type(np.nan)
    flat = np.sort(x, axis=None)
    return flat[-1] if x.dtype.kind == "f" and np.isnan(flat[-1]) else flat[(x.size - 1) // 2]


def _nanmedian(x: Any) -> Any:
    flat = np.sort(x, axis=None)
    count = int(x.size - (np.isnan(flat).sum() if x.dtype.kind == "f" else 0))
    return flat[(count - 1) // 2] if count else x.dtype.type(np.nan)


whole_max = _whole("_max", np.max, "MaxBackward1")
whole_min = _whole("_min", np.min, "MinBackward1")
whole_median = _whole("_median", _median, "MedianBackward0")
whole_nanmedian = _whole("_nanmedian", _nanmedian, "NanmedianBackward0")


def placed(g: Any, m: Any, input_shape: tuple[int, ...], dim: int, indices: Any, keepdim: bool) -> Any:
    """Zeros with ``g`` at the chosen ``indices`` of ``dim``: the gradient of every choice that reports its index."""
    if not input_shape:
        return g
    axis = axis_of(dim, len(input_shape))
    if not keepdim:
        shape = tuple(1 if i == axis else n for i, n in enumerate(input_shape))
        g, indices = g.reshape(shape), indices.reshape(shape)
    return m.scatter_add(m.zeros(input_shape, g), axis, indices, g)


def _placed(g: Any, m: Any, input_shape: tuple[int, ...], dim: int, indices: Any, keepdim: bool) -> Any:
    return placed(g[0], m, input_shape, dim, indices, keepdim)


def chosen(array: Any, dim: int, index: Any, keepdim: bool) -> tuple[Any, Any]:
    """The values at ``index`` along ``dim``, and the index, with or without that dimension."""
    if np.ndim(array) == 0:
        return np.array(array), np.zeros((), np.int64)
    axis = axis_of(dim, array.ndim)
    index = np.expand_dims(index, axis)
    values = np.take_along_axis(array, index, axis)
    return (values, index) if keepdim else (values.squeeze(axis), index.squeeze(axis))


def _along(name: str, find: Callable[[Any, int], Any], node: str) -> Operation:
    def forward(input: Any, dim: int, keepdim: bool = False) -> Any:
        axis = axis_of(dim, np.ndim(input))
        nonempty(name[:-4], input, dim)
        return chosen(input, dim, find(input, axis) if np.ndim(input) else 0, keepdim)

    return op(
        name, node, forward, outputs="values indices", nondiff="indices",
        vjp={"input": _placed},
        local={"input": "1"}, rule={"input": "g at the chosen index, else 0"},
        symbol=f"{name[:-4]}({{input}}, dim={{dim}})", method=False,
        public=False,
        shown=name[:-4],
    )  # fmt: skip


def _middle(x: Any, axis: int) -> Any:
    order = np.argsort(x, axis=axis, kind="stable")
    n = x.shape[axis]
    middle = np.take(order, (n - 1) // 2, axis)
    if x.dtype.kind == "f":
        unknown = np.isnan(x)
        middle = np.where(unknown.any(axis), unknown.argmax(axis), middle)
    return middle


def _known_middle(x: Any, axis: int) -> Any:
    order = np.argsort(x, axis=axis, kind="stable")
    count = x.shape[axis] - (np.isnan(x).sum(axis, keepdims=True) if x.dtype.kind == "f" else np.zeros(1, np.int64))
    place = np.broadcast_to(np.maximum(count - 1, 0) // 2, tuple(1 if i == axis else n for i, n in enumerate(x.shape)))
    return np.take_along_axis(order, place, axis).squeeze(axis)


def _most_frequent(x: Any, axis: int) -> Any:
    def one(row: Any) -> int:
        values, counts = np.unique(row, return_counts=True)
        return int(np.flatnonzero(row == values[counts.argmax()])[-1])

    return np.apply_along_axis(one, axis, x)


max_along = _along("max_dim", lambda x, axis: np.argmax(x, axis), "MaxBackward0")
min_along = _along("min_dim", lambda x, axis: np.argmin(x, axis), "MinBackward0")
median_along = _along("median_dim", _middle, "MedianBackward1")
nanmedian_along = _along("nanmedian_dim", _known_middle, "NanmedianBackward1")
mode_along = _along("mode_dim", _most_frequent, "ModeBackward0")
for _operation in (max_along, min_along, median_along, nanmedian_along, mode_along):
    _operation.returns.__name__ = _operation.name[:-4]


def _either(whole: Operation, along: Operation, pair: Operation | None) -> Callable[..., Any]:
    def function(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        if "axis" in kwargs:
            kwargs["dim"] = kwargs.pop("axis")
        kwargs = {name: value for name, value in kwargs.items() if value is not None}  # as NumPy passes axis and out
        if pair is not None and ("other" in kwargs or (args and isinstance(args[0], Tensor))):
            return pair.function(input, *args, **kwargs)
        if not args and not kwargs:
            return whole.function(input)
        if args and not isinstance(args[0], (int, np.integer)):
            raise no_form(whole.shown, args, forms="\nTensor other\nint dim, bool keepdim = False")
        return along.function(input, *args, **kwargs)

    return function


composite("max", _either(whole_max, max_along, maximum))
composite("min", _either(whole_min, min_along, minimum))
composite("median", _either(whole_median, median_along, None))
composite("nanmedian", _either(whole_nanmedian, nanmedian_along, None))
composite("mode", lambda input, dim=-1, keepdim=False: mode_along.function(input, dim, keepdim))


def _arg(name: str, find: Callable[..., Any]) -> Operation:
    def forward(input: Any, dim: int | None = None, keepdim: bool = False) -> Any:
        if dim is None and not np.size(input):
            raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
        if input.dtype.kind == "b":
            raise RuntimeError(f"{name}(): does not support bool input")
        nonempty(name, input, dim)
        if dim is None:
            place = np.asarray(find(input))
            return place.reshape((1,) * np.ndim(input)) if keepdim else place
        if np.ndim(input) == 0:
            axis_of(dim, 0)
            return np.zeros((), np.int64)
        return find(input, axis=axis_of(dim, input.ndim), keepdims=keepdim)

    return op(name, None, forward, symbol=f"{name}({{input}})", inputs="input")


argmax = _arg("argmax", np.argmax)
argmin = _arg("argmin", np.argmin)


def _aminmax(input: Any, *, dim: int | None = None, keepdim: bool = False) -> Any:
    if not np.size(input) and dim is None:
        raise RuntimeError(
            "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
        )
    over = None if dim is None else (dim,)
    where = axes_of(over, np.ndim(input))
    if dim is not None and np.ndim(input) and not np.shape(input)[where[0]]:
        raise IndexError(f"aminmax: Expected reduction dim {dim} to have non-zero size.")
    return np.min(input, axis=where, keepdims=keepdim), np.max(input, axis=where, keepdims=keepdim)


def _aminmax_rule(g: Any, m: Any, input: Any, min: Any, max: Any, dim: Any, keepdim: bool) -> Any:
    over = None if dim is None else (dim,)
    parts = [
        _shared(m, part, input, result, over, keepdim)
        for part, result in zip(g, (min, max), strict=True)
        if part is not None
    ]
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


aminmax = op(
    "aminmax", "AminmaxBackward0", _aminmax, outputs="min max", vjp={"input": _aminmax_rule},
    local={"input": "1/k where smallest, and 1/k where largest"},
    rule={"input": "g shared among the smallest and the largest"}, symbol="aminmax({input})",
)  # fmt: skip
