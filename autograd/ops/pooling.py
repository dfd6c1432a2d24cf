"""Pooling: the largest or the mean of each window."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..tensor import Tensor
from .convolution import sizes
from .namespaces import NEURAL, neural
from .one_node import one_node
from .table import FUNCTIONS, Operation, op
from .windows import Geometry, Sizes, averaged, averaged_adjoint, divisors, pooled_places


def _taken(x: Any, place: Any, rank: int) -> Any:
    flat = x.reshape(*x.shape[:-rank], -1)
    return np.take_along_axis(flat, place.reshape(*place.shape[:-rank], -1), -1).reshape(place.shape)


def put_back(g: Any, m: Any, input_shape: tuple[int, ...], indices: Any, rank: int) -> Any:
    """Zeros with ``g`` added where the largest entries were."""
    flat = (*input_shape[:-rank], math.prod(input_shape[-rank:]))
    where = (*g.shape[:-rank], math.prod(g.shape[-rank:]))
    spread = m.scatter_add(m.zeros(flat, g), len(flat) - 1, indices.reshape(where), g.reshape(where))
    return spread.reshape(tuple(input_shape))


def _max_pool(rank: int) -> Operation:
    def forward(input: Any, geometry: Geometry, ceil_mode: bool) -> Any:
        place = pooled_places(input, geometry, ceil_mode)
        return _taken(input, place, rank), place

    return op(
        f"max_pool{rank}d_with_indices", f"MaxPool{rank}DWithIndicesBackward0", forward, inputs="input",
        outputs="output indices",
        nondiff="indices",
        vjp={"input": lambda g, m, input, indices: put_back(g[0], m, input.shape, indices, rank)},
        rule={"input": "g at the largest of each window, else 0"}, symbol=f"max_pool{rank}d({{input}})", method=False,
        public=False,
        shown=f"max_pool{rank}d",
    )  # fmt: skip


def _adaptive_max(rank: int) -> Operation:
    def forward(input: Any, output: Sizes) -> Any:
        size = input.shape[-rank:]
        values = np.empty((*input.shape[:-rank], *output), input.dtype)
        places = np.empty(values.shape, np.int64)
        grid = np.arange(math.prod(size)).reshape(size)
        for cell in np.ndindex(*output):
            where = tuple(slice(c * n // o, -(-(c + 1) * n // o)) for c, n, o in zip(cell, size, output, strict=True))
            part = input[(..., *where)].reshape(*input.shape[:-rank], -1)
            best = part.argmax(-1)
            values[(..., *cell)] = np.take_along_axis(part, best[..., None], -1)[..., 0]
            places[(..., *cell)] = grid[where].reshape(-1)[best]
        return values, places

    return op(
        f"adaptive_max_pool{rank}d", f"AdaptiveMaxPool{rank}DBackward0", forward, inputs="input",
        outputs="output indices",
        nondiff="indices",
        vjp={"input": lambda g, m, input, indices: put_back(g[0], m, input.shape, indices, rank)},
        rule={"input": "g at the largest of each cell, else 0"}, symbol=f"adaptive_max_pool{rank}d({{input}})",
        method=False, public=False,
    )  # fmt: skip


def _avg_pool(rank: int) -> Operation:
    def forward(input: Any, geometry: Geometry, counts: Sizes, divisor: Any) -> Any:
        return averaged(input, geometry, counts, divisor)

    spread = op(
        f"avg_pool{rank}d_spread", f"AvgPool{rank}DBackwardBackward0",
        lambda input, size, geometry, counts, divisor: averaged_adjoint(input, size, geometry, divisor), inputs="input",
        vjp={"input": lambda g, m, geometry, counts, divisor: getattr(m, f"avg_pool{rank}d")(g, geometry, counts,
            divisor)},
        jvp="linear", method=False, public=False,
    )  # fmt: skip
    return op(
        f"avg_pool{rank}d", f"AvgPool{rank}DBackward0", forward, inputs="input",
        vjp={
            "input": lambda g, m, input, geometry, counts, divisor: getattr(m, spread.name)(
                g, input.shape[-rank:], geometry, counts, divisor
            )
        },
        jvp="linear", rule={"input": "Σ g/k over the windows it is in"}, symbol=f"avg_pool{rank}d({{input}})",
        method=False, public=False,
    )  # fmt: skip


def _cells(size: Sizes, output: Sizes) -> list[Any]:
    """For each dimension the matrix (output, size) that averages the entries of each cell."""
    matrices = []
    for n, o in zip(size, output, strict=True):
        matrix = np.zeros((o, n))
        for c in range(o):
            start, end = c * n // o, -(-(c + 1) * n // o)
            matrix[c, start:end] = 1 / (end - start)
        matrices.append(matrix)
    return matrices


def _along_each(x: Any, matrices: list[Any], transpose: bool) -> Any:
    for axis, matrix in enumerate(matrices):
        where = axis - len(matrices)
        x = np.moveaxis(np.moveaxis(x, where, -1) @ (matrix if transpose else matrix.T).astype(x.dtype), -1, where)
    return np.ascontiguousarray(x)


def _adaptive_avg(rank: int) -> Operation:
    spread = op(
        f"adaptive_avg_pool{rank}d_spread", f"AdaptiveAvgPool{rank}DBackwardBackward0",
        lambda input, size, output: _along_each(input, _cells(size, output), True), inputs="input",
        vjp={"input": lambda g, m, output: getattr(m, f"adaptive_avg_pool{rank}d")(g, output)}, jvp="linear",
        method=False, public=False,
    )  # fmt: skip
    return op(
        f"adaptive_avg_pool{rank}d", f"AdaptiveAvgPool{rank}DBackward0",
        lambda input, output: _along_each(input, _cells(input.shape[-rank:], output), False), inputs="input",
        vjp={"input": lambda g, m, input, output: getattr(m, spread.name)(g, input.shape[-rank:], output)},
        jvp="linear",
        rule={"input": "Σ g/k over the cells it is in"}, symbol=f"adaptive_avg_pool{rank}d({{input}})", method=False,
        public=False,
    )  # fmt: skip


MAX = {rank: _max_pool(rank) for rank in (2, 3)}
AVG = {rank: _avg_pool(rank) for rank in (2, 3)}
ADAPTIVE_MAX = {rank: _adaptive_max(rank) for rank in (2, 3)}
ADAPTIVE_AVG = {rank: _adaptive_avg(rank) for rank in (2, 3)}


def _checked(name: str, rank: int, input: Tensor, geometry: Geometry) -> None:
    if input.ndim not in (rank + 1, rank + 2):
        if rank > 1:
            raise RuntimeError(f"non-empty {rank + 1}D or {rank + 2}D (batch mode) tensor expected for input")
        raise RuntimeError(
            f"{name}: Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with optional 0 dim batch size for "
            f"input, but got:{list(input.shape)}"
        )
    if rank == 1 and name.startswith("max"):
        for what in ("kernel_size", "stride", "dilation"):
            extent = getattr(geometry, what.removesuffix("_size"))[0]
            if extent <= 0:
                raise RuntimeError(f"max_pool1d() {what} must be greater than zero, but got {extent}")
    elif 0 in geometry.stride:
        raise RuntimeError("stride should not be zero")
    if min(geometry.kernel) <= 0:
        listed = ", ".join(f"k{axis}: {k}" for axis, k in zip("TLHW"[-rank:], geometry.kernel, strict=True))
        raise RuntimeError(f"kernel size should be greater than zero, but got {listed}")
    if 0 in input.shape[-rank - 1 :]:
        start = "" if rank > 1 else f"{name}: "
        raise RuntimeError(
            f"{start}Expected {rank + 1}D or {rank + 2}D (batch mode) tensor with optional 0 dim batch size for input, "
            f"but got:{list(input.shape)}"
        )
    if min(geometry.padding) < 0:
        raise RuntimeError(f"pad must be non-negative, but got pad: {min(geometry.padding)}")
    if min(geometry.dilation) <= 0:
        raise RuntimeError(f"dilation must be greater than zero, but got {min(geometry.dilation)}")
    for axis, (kernel, padding) in enumerate(zip(geometry.kernel, geometry.padding, strict=True)):
        if 2 * padding > kernel:
            raise RuntimeError(
                f"pad should be at most half of effective kernel size, but got pad={padding}, kernel_size={kernel} "
                f"and dilation={geometry.dilation[axis]}"
            )
    counts = geometry.output(tuple(input.shape[-rank:]))
    if any(n <= 0 for n in counts):
        if name == "max_pool1d":
            raise RuntimeError(f"max_pool1d() Invalid computed output size: {counts[0]}")
        raise RuntimeError(
            f"Given input size: ({'x'.join(map(str, input.shape[-rank - 1 :]))}). Calculated output size: "
            f"({'x'.join(map(str, (input.shape[-rank - 1], *counts)))}). Output size is too small"
        )


def _lifted(input: Tensor, geometry: Geometry) -> tuple[Tensor, Geometry]:
    """One dimension as two, of which the first has one row: what PyTorch does for 1-d pooling."""
    wide = Geometry((1, *geometry.kernel), (1, *geometry.stride), (0, *geometry.padding), (1, *geometry.dilation))
    return input.unsqueeze(-2), wide


def _max(rank: int) -> Callable[..., Any]:
    def max_pool(
        input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        ceil_mode: bool = False,
        return_indices: bool = False,
    ) -> Any:  # fmt: skip
        """The largest entry of each window (and where it is, if asked)."""
        kernel = sizes(kernel_size, rank, "kernel_size")
        stride = kernel if stride is None or stride == [] or stride == () else sizes(stride, rank, "stride")
        geometry = Geometry(kernel, stride, sizes(padding, rank, "padding"), sizes(dilation, rank, "dilation"))
        _checked(f"max_pool{rank}d", rank, input, geometry)
        if rank == 1:
            lifted, wide = _lifted(input, geometry)
            values, indices = (x.squeeze(-2) for x in MAX[2].function(lifted, wide, ceil_mode))
        else:
            values, indices = MAX[rank].function(input, geometry, ceil_mode)
        return (values, indices) if return_indices else values

    max_pool.__name__ = f"max_pool{rank}d"
    return max_pool


def _avg(rank: int) -> Callable[..., Tensor]:
    def avg_pool(
        input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> Tensor:  # fmt: skip
        """The mean of each window."""
        kernel = sizes(kernel_size, rank, "kernel_size")
        stride = kernel if stride is None or stride == [] or stride == () else sizes(stride, rank, "stride")
        geometry = Geometry(kernel, stride, sizes(padding, rank, "padding"), (1,) * rank)
        _checked(f"avg_pool{rank}d", rank, input, geometry)
        if divisor_override == 0:
            raise RuntimeError("divisor must be not zero")
        if rank == 1:
            lifted, geometry = _lifted(input, geometry)
        else:
            lifted = input
        size = tuple(lifted.shape[-len(geometry.kernel) :])
        counts = geometry.output(size, ceil_mode)
        divisor: Any = (
            divisors(size, geometry, counts, count_include_pad)
            if divisor_override is None
            else np.array(divisor_override)
        )
        result = AVG[max(rank, 2)].function(lifted, geometry, counts, divisor.astype(input.array.dtype))
        return result.squeeze(-2) if rank == 1 else result  # type: ignore[no-any-return]

    avg_pool.__name__ = f"avg_pool{rank}d"
    return avg_pool


def _target(output_size: Any, input: Tensor, rank: int, kind: str) -> Sizes:
    listed = (output_size,) * rank if isinstance(output_size, int) or output_size is None else tuple(output_size)
    if len(listed) == 1:
        listed = listed * rank
    name = f"adaptive_{kind}_pool{rank}d"
    if len(listed) != rank:
        if rank == 1:
            raise RuntimeError(f"{name}() argument 'output_size' should contain one int (got {len(listed)})")
        what = "(): internal error: output_size.size()" if kind == "max" else ": output_size"
        raise RuntimeError(f"{name}{what} must be {rank}")
    lowest = min(n for n in (0, *listed) if n is not None)
    if lowest < 0:
        if kind == "max":
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {lowest}: "
                f"{[*input.shape[:-rank], *([1] if rank == 1 else []), *listed]}"
            )
        shown = ", ".join(map(str, listed if rank > 1 else (1, *listed)))
        raise RuntimeError(
            f"adaptive_avg_pool{max(rank, 2)}d: elements of output_size must be greater than or equal to 0 but "
            f"received {{{shown}}}"
        )
    return tuple(
        have if wanted is None else int(wanted) for wanted, have in zip(listed, input.shape[-rank:], strict=True)
    )


def _adaptive(rank: int, kind: str) -> Callable[..., Any]:
    table = ADAPTIVE_MAX if kind == "max" else ADAPTIVE_AVG

    def pool(input: Tensor, output_size: Any, return_indices: bool = False) -> Any:
        """Windows chosen so that the result has ``output_size``."""
        if isinstance(output_size, (tuple, list)) and len(output_size) > input.ndim:
            raise ValueError(f"Input dimension should be at least {len(output_size) + 1}, got {input.ndim}")
        if input.ndim not in (rank + 1, rank + 2):
            raise RuntimeError(
                f"adaptive_{kind}_pool{rank}d(): Expected {rank + 1}D or {rank + 2}D tensor, but got "
                f"{list(input.shape)}"
            )
        target = _target(output_size, input, rank, kind)
        if rank == 1:
            result = table[2].function(input.unsqueeze(-2), (1, *target))
            result = tuple(x.squeeze(-2) for x in result) if kind == "max" else result.squeeze(-2)
        else:
            result = table[rank].function(input, target)
        if kind == "avg":
            return result
        return tuple(result) if return_indices else result[0]

    pool.__name__ = f"adaptive_{kind}_pool{rank}d"
    return pool


for _rank in (1, 2, 3):
    for _made in (_max(_rank), _avg(_rank), _adaptive(_rank, "max"), _adaptive(_rank, "avg")):
        NEURAL[_made.__name__] = FUNCTIONS[_made.__name__] = _made


def _power_mean(rank: int) -> Callable[..., Tensor]:
    def lp_pool(
        input: Tensor, norm_type: float, kernel_size: Any, stride: Any = None, ceil_mode: bool = False
    ) -> Tensor:
        """The p-norm of each window."""
        kernel = sizes(kernel_size, rank)
        mean = NEURAL[f"avg_pool{rank}d"](input.pow(norm_type), kernel, stride, 0, ceil_mode)
        return (mean.sign() * mean.abs().relu() * math.prod(kernel)).pow(1.0 / norm_type)  # type: ignore[no-any-return]

    lp_pool.__name__ = f"lp_pool{rank}d"
    return lp_pool


for _rank in (1, 2, 3):
    NEURAL[f"lp_pool{_rank}d"] = _power_mean(_rank)


def _unpooled(rank: int) -> Callable[..., Any]:
    def max_unpooled(input: Tensor, indices: Tensor, size: tuple[int, ...]) -> Tensor:
        from ..creation import zeros

        lead = tuple(input.shape[:-rank])
        flat = zeros((*lead, math.prod(size)), dtype=input.dtype)
        spread = flat.scatter(-1, indices.reshape((*lead, -1)), input.reshape((*lead, -1)))
        return spread.reshape((*lead, *size))  # type: ignore[no-any-return]

    max_unpooled.__name__ = f"max_unpooled{rank}d"
    return one_node(f"MaxUnpool{rank}DBackward0", "input indices", wrt="input", linear=True)(max_unpooled)


def _unpool(rank: int, place: Callable[..., Any]) -> Callable[..., Tensor]:
    def max_unpool(
        input: Tensor, indices: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, output_size: Any = None
    ) -> Tensor:
        """Puts the largest entries back where :func:`max_pool` found them, zeros elsewhere."""
        kernel = sizes(kernel_size, rank)
        steps = kernel if stride is None else sizes(stride, rank)
        edge = sizes(padding, rank)
        if input.shape != indices.shape:
            raise RuntimeError(
                f"Expected shape of indices to be same as that of the input tensor ({list(input.shape)}) but got "
                f"indices tensor with shape: {list(indices.shape)}"
            )
        size = tuple((n - 1) * steps[a] - 2 * edge[a] + kernel[a] for a, n in enumerate(input.shape[-rank:]))
        if output_size is not None:
            size = tuple(output_size)[-rank:]
        if rank > 1:
            return place(input, indices, size)  # type: ignore[no-any-return]
        wide = place(input.unsqueeze(-1), indices.unsqueeze(-1), (*size, 1))
        return wide.squeeze(-1)  # type: ignore[no-any-return]

    max_unpool.__name__ = f"max_unpool{rank}d"
    return max_unpool


_flat, _solid = _unpooled(2), _unpooled(3)
for _rank, _place in ((1, _flat), (2, _flat), (3, _solid)):
    NEURAL[f"max_unpool{_rank}d"] = _unpool(_rank, _place)


@neural
def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Tensor:
    """Each entry over a power of the mean square of its neighbours in other channels."""
    if input.ndim < 3:
        raise ValueError(
            f"Expected 3D or higher dimensionality                          input (got {input.ndim} dimensions)"
        )
    if input.array.size == 0:
        return input
    squares = (input * input).unsqueeze(1)
    pad, pool = NEURAL["pad"], NEURAL["avg_pool2d" if input.ndim == 3 else "avg_pool3d"]
    if input.ndim == 3:
        mean = pool(pad(squares, (0, 0, size // 2, (size - 1) // 2)), (size, 1), stride=1).squeeze(1)
    else:
        shape = input.shape
        flat = squares.reshape(shape[0], 1, shape[1], shape[2], -1)
        mean = (
            pool(pad(flat, (0, 0, 0, 0, size // 2, (size - 1) // 2)), (size, 1, 1), stride=1).squeeze(1).reshape(shape)
        )
    return input / (mean * alpha + k).pow(beta)  # type: ignore[no-any-return]
