"""Small completions: copies where PyTorch also has a view, names for real numbers that matter for complex ones "
"only."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import get_default_dtype
from ..tensor import Tensor
from ..warn import once
from .arrangement import as_strided, unfold
from .one_node import one_node
from .shaping import axis_of, expand, permute, squeeze, t, transpose, unsqueeze, view
from .splitting import split
from .table import FUNCTIONS, METHODS, TABLE, Operation, composite, op


def _copied(operation: Operation, name: str) -> None:
    def function(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        looked = operation.function(input, *args, **kwargs)
        return tuple(x.clone() for x in looked) if operation.multi else looked.clone()

    function.__name__ = name
    composite(name, function, method=False)


for _operation, _name in (
    (expand, "expand_copy"), (permute, "permute_copy"), (squeeze, "squeeze_copy"), (t, "t_copy"),
    (transpose, "transpose_copy"),
    (unfold, "unfold_copy"), (unsqueeze, "unsqueeze_copy"), (view, "view_copy"), (as_strided, "as_strided_copy"),
    (split, "split_with_sizes_copy"), (split, "split_copy"), (TABLE["unbind"], "unbind_copy"),
    (TABLE["select"], "select_copy"),
    (TABLE["alias"], "alias_copy"),
):  # fmt: skip
    _copied(_operation, _name)
composite("narrow_copy", lambda input, dim, start, length: FUNCTIONS["narrow"](input, dim, start, length).clone())


for _name in ("conj", "resolve_conj", "resolve_neg"):
    composite(_name, lambda input: input)
composite("conj_physical", lambda input: input.clone())
composite("real", lambda input: input, method=False)


def imag(input: Tensor) -> Tensor:
    """RuntimeError: there are no complex numbers here."""
    raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


composite("imag", imag, method=False)
angle = op(
    "angle", "AngleBackward0", lambda input: np.where(np.isnan(input), input,
        np.where(input < 0, np.pi, 0)).astype(input.dtype),
    vjp={"input": lambda g, m, input: m.zeros_like(g)}, local={"input": "0"}, symbol="angle({input})", elementwise=True,
    promote="float",
)  # fmt: skip
nextafter = op(
    "nextafter", "NextafterBackward0", lambda input, other: np.nextafter(input, other),
    vjp={"input": lambda g, m, input, other: m.where(input == other, 0.0, g), "other": lambda g, m: m.zeros_like(g)},
    elementwise=True, numbers=False, promote="numeric",
    symbol="nextafter({input}, {other})", inplace=True,
)  # fmt: skip


for _name, _kernel in {"gcd": np.gcd, "lcm": np.lcm}.items():
    op(
        _name, None, lambda input, other, kernel=_kernel: kernel(input, other), inputs="input other", elementwise=True,
        numbers=False, promote="numeric", symbol=f"{_name}({{input}}, {{other}})", inplace=True,
    )  # fmt: skip
for _name, _kernel in {"bitwise_left_shift": np.left_shift, "bitwise_right_shift": np.right_shift}.items():
    op(
        _name, None, lambda input, other, kernel=_kernel: kernel(input, other), inputs="input other", elementwise=True,
        promote="numeric", symbol=f"{_name}({{input}}, {{other}})", inplace=True,
        shown=_name.split("_")[1][0] + "shift",
    )  # fmt: skip
METHODS["__lshift__"] = METHODS["bitwise_left_shift"]
METHODS["__rshift__"] = METHODS["bitwise_right_shift"]


@one_node("MvlgammaBackward0", "input", inplace=True)
def mvlgamma(input: Tensor, p: int) -> Tensor:
    """The multivariate log-gamma function."""
    from ..creation import arange

    offsets = arange(1 - p, 1, 1).to(input.dtype) / 2
    total = (input.unsqueeze(-1) + offsets).lgamma().sum(-1)
    return total + p * (p - 1) / 4 * float(np.log(np.pi))  # type: ignore[no-any-return]


composite("mvlgamma", mvlgamma)


def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Tensor:
    """How many entries fall into each of ``bins`` equal intervals."""
    from ..dispatch import make

    low, high = (min, max) if min != max else (float(input.array.min(initial=0)), float(input.array.max(initial=0)))
    if input.array.size and min == max:
        low, high = float(input.array.min()), float(input.array.max())
    if low == high:
        low, high = low - 1, high + 1
    counts, _ = np.histogram(input.array, bins, (low, high))
    return make(counts.astype(input.array.dtype))


composite("histc", histc)


def nonzero_static(input: Tensor, *, size: int, fill_value: int = -1) -> Tensor:
    """:func:`nonzero` with a fixed number of rows."""
    from ..dispatch import make

    found = np.stack(np.nonzero(np.atleast_1d(input.array)), 1)[:size]
    out = np.full((size, input.ndim), fill_value, np.int64)
    out[: len(found)] = found[:, : input.ndim]
    return make(out)


composite("nonzero_static", nonzero_static)


def _native_dropout_backward(grad_output: Tensor, mask: Tensor, scale: float) -> Tensor:
    """The gradient of dropout from its mask."""
    return grad_output * (mask.to(grad_output.dtype) * scale)  # type: ignore[no-any-return]


FUNCTIONS["native_dropout_backward"] = _native_dropout_backward


def gradient(input: Tensor, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1) -> Any:
    """Central differences inside and one-sided ones at the ends, along each dimension."""
    from .joining import cat

    dims = list(range(input.ndim)) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    spacing = 1 if spacing is None else spacing
    if not input.is_floating_point():
        input = input.to(get_default_dtype())
    spaces = list(spacing) if isinstance(spacing, (list, tuple)) else [spacing] * len(dims)
    if len(spaces) != len(dims):
        raise RuntimeError(
            "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the "
            f"same length, but got a spacing argument of length {len(spaces)} and a dim argument of length {len(dims)}."
        )
    if edge_order not in (1, 2):
        raise RuntimeError("torch.gradient only supports edge_order=1 and edge_order=2.")
    axes = [axis_of(axis, input.ndim) for axis in dims]
    for axis in axes:
        if axes.count(axis) > 1:
            raise RuntimeError(f"dim {axis} appears multiple times in the list of dims")
        if input.shape[axis] < edge_order + 1:
            raise RuntimeError("torch.gradient expected each dimension size to be at least edge_order+1")
    results = []
    for axis, space in zip(dims, spaces, strict=True):
        n = input.shape[axis]

        def part(start: int, length: int, axis: int = axis) -> Tensor:
            return input.narrow(axis, start, length)  # type: ignore[no-any-return]

        if isinstance(space, Tensor):
            shape = tuple(-1 if i == axis % input.ndim else 1 for i in range(input.ndim))
            h = (space.narrow(0, 1, n - 1) - space.narrow(0, 0, n - 1)).reshape(shape)
        else:
            from ..creation import full

            h = full(
                tuple(n - 1 if i == axis % input.ndim else 1 for i in range(input.ndim)),
                float(space),
                dtype=input.dtype,
            )
        before, after = h.narrow(axis, 0, n - 2), h.narrow(axis, 1, n - 2)
        left, middle, right = part(0, n - 2), part(1, n - 2), part(2, n - 2)
        inner = (before * before * right + (after * after - before * before) * middle - after * after * left) / (
            before * after * (before + after)
        )
        first, last = h.narrow(axis, 0, 1), h.narrow(axis, n - 2, 1)
        if edge_order == 1:
            start = (part(1, 1) - part(0, 1)) / first
            end = (part(n - 1, 1) - part(n - 2, 1)) / last
        else:
            second, previous = h.narrow(axis, 1, 1), h.narrow(axis, n - 3, 1)
            start = (
                -(2 * first + second) / (first * (first + second)) * part(0,
                    1) + (first + second) / (first * second) * part(1, 1)
                - first / (second * (first + second)) * part(2, 1)
            )  # fmt: skip
            end = (
                last / (previous * (previous + last)) * part(n - 3,
                    1) - (last + previous) / (previous * last) * part(n - 2, 1)
                + (2 * last + previous) / (last * (previous + last)) * part(n - 1, 1)
            )  # fmt: skip
        results.append(cat.function([start, inner, end], axis))
    return tuple(results)


composite("gradient", gradient, method=False)


def _frexp(input: Any) -> tuple[Any, Any]:
    mantissa, exponent = np.frexp(input)
    return mantissa, exponent.astype(np.int32)


frexp = op(
    "frexp", "FrexpBackward0", _frexp, outputs="mantissa exponent", nondiff="exponent",
    vjp={"input": lambda g, m, exponent: g[0] * m.exp2(-exponent)}, local={"input": "2^-exponent"},
    symbol="frexp({input})",
)  # fmt: skip


@one_node("IndexReduceBackward0", "input index source", wrt="input source", result=True)
def _index_reduce(input: Tensor, index: Tensor, source: Tensor, dim: int, reduce: str, include_self: bool) -> Tensor:
    axis = dim % max(input.ndim, 1)
    shape = tuple(-1 if i == axis else 1 for i in range(input.ndim))
    places = index.reshape(shape).expand(source.shape) if input.ndim else index.reshape(())
    return FUNCTIONS["scatter_reduce"](input, dim, places, source, reduce, include_self=include_self)  # type: ignore[no-any-return]


def index_reduce(
    input: Tensor, dim: int, index: Tensor, source: Tensor, reduce: str, *, include_self: bool = True
) -> Tensor:
    """:func:`index_add` with another reduction: prod, mean, amax or amin."""
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    once("index_reduce() is in beta and the API may change at any time.")
    return _index_reduce(input, index, source, dim, reduce, include_self)  # type: ignore[no-any-return]


composite("index_reduce", index_reduce)


def _written_over(name: str) -> None:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        self.copy_(METHODS[name](self, *args, **kwargs))
        return self

    method.__name__ = name + "_"
    METHODS[name + "_"] = method


for _name in ("float_power", "heaviside", "index_reduce", "renorm", "conj_physical", "mvlgamma", "polygamma", "lerp"):
    if _name + "_" not in METHODS:
        _written_over(_name)


def fill_diagonal_(self: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """Writes ``fill_value`` on the diagonal."""
    self.diagonal().fill_(fill_value)
    return self


METHODS["fill_diagonal_"] = fill_diagonal_
METHODS["__reversed__"] = lambda self: self.flip(tuple(range(self.ndim))) if self.ndim else self
FUNCTIONS["detach"] = lambda input: input.detach()
FUNCTIONS["is_inference"] = lambda input: input.is_inference()
FUNCTIONS["is_signed"] = lambda input: input.is_signed()


def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """Places in a flat tensor as places along each dimension of ``shape``."""
    from ..dispatch import make

    return tuple(make(np.asarray(i)) for i in np.unravel_index(indices.array, tuple(shape)))


composite("unravel_index", unravel_index, method=False)


def _poisson(input: Any, generator: Any = None) -> Any:
    """Counts drawn at the rates ``input``."""
    from ..random import numpy_generator

    return np.asarray(numpy_generator(generator).poisson(input)).astype(input.dtype)


poisson = op(
    "poisson", "PoissonBackward0", _poisson, inputs="input", vjp={"input": lambda g, m: m.zeros_like(g)},
    symbol="poisson({input})", method=False,
)  # fmt: skip


def _wrapped(self: Tensor, array: Any, context: Any = None, return_scalar: bool = False) -> Tensor:
    """What a NumPy function of a tensor gives back: a tensor."""
    from ..creation import from_numpy

    found = np.asarray(array)
    return from_numpy(found.astype(np.uint8) if found.dtype == np.bool_ else found)


METHODS["__array_wrap__"] = _wrapped
