"""Fractional max pooling (Graham, https://arxiv.org/abs/1412.6071): windows of one size whose steps are drawn, so that
the result gets any size asked for. The drawn numbers may be given; the result is determined then.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..tensor import Tensor
from .namespaces import NEURAL
from .pooling import put_back
from .table import Operation, op
from .windows import Sizes


def _starts(samples: Any, size: int, count: int, kernel: int) -> Any:
    """Where the ``count`` windows of each plane begin along a dimension: (planes, count)."""
    number = samples.dtype.type
    if count > 1:
        step = number(size - kernel) / number(count - 1)
        places = np.arange(count).astype(samples.dtype) + samples[:, None]
        starts = (places * step).astype(np.int64) - (samples[:, None] * step).astype(np.int64)
    else:
        starts = np.zeros((len(samples), count), np.int64)
    starts[:, -1:] = size - kernel
    return starts


def _fractional(rank: int) -> Operation:
    def forward(input: Any, samples: Any, kernel: Sizes, output: Sizes) -> Any:
        size = input.shape[-rank:]
        planes = input.reshape(-1, math.prod(size))
        drawn = samples[: input.shape[0] if input.ndim == rank + 2 else 1].reshape(-1, rank)
        drawn = drawn[:, ::-1] if rank == 2 else drawn  # in two dimensions the first number is that of the width
        where: Any = np.zeros((len(planes),) + (1,) * (2 * rank), np.int64)
        for axis in range(rank):
            starts = _starts(drawn[:, axis], size[axis], output[axis], kernel[axis])
            cells = starts.reshape(-1, *(output[axis] if d == axis else 1 for d in range(rank)), *(1,) * rank)
            inside = np.arange(kernel[axis]).reshape(*(1,) * (rank + 1), *(-1 if d == axis else 1 for d in range(rank)))
            where = where * size[axis] + cells + inside
        windows = where.reshape(len(planes), math.prod(output), math.prod(kernel))
        values = np.take_along_axis(planes[:, None, :], windows, -1)
        place = np.take_along_axis(windows, values.argmax(-1)[..., None], -1)[..., 0]
        shape = (*input.shape[:-rank], *output)
        return np.take_along_axis(planes, place, -1).reshape(shape), place.reshape(shape)

    return op(
        f"fractional_max_pool{rank}d", f"FractionalMaxPool{rank}DBackward0", forward, inputs="input samples",
        outputs="output indices", nondiff="indices",
        vjp={"input": lambda g, m, input, indices: put_back(g[0], m, input.shape, indices, rank)},
        rule={"input": "g at the largest of each window, else 0"}, symbol=f"fractional_max_pool{rank}d({{input}})",
        method=False, public=False,
    )  # fmt: skip


FRACTIONAL = {rank: _fractional(rank) for rank in (2, 3)}
_TUPLE = {2: "tuple of Ints", 3: "tuple of three Ints"}


def _sizes(name: str, argument: str, given: Any, rank: int) -> Sizes:
    listed = (given,) if isinstance(given, int) else tuple(given)
    if len(listed) not in (1, rank):
        raise RuntimeError(f"{name}: {argument} must either be a single Int or {_TUPLE[rank]}")
    return listed * rank if len(listed) == 1 else listed


def _checked(name: str, rank: int, input: Tensor, samples: Tensor, kernel: Sizes, output: Sizes) -> None:
    batch = input.ndim == rank + 2
    if input.ndim not in (rank + 1, rank + 2):
        raise RuntimeError(f"{name}(): Expected {rank + 1}D or {rank + 2}D tensor, but got: {list(input.shape)}")
    if 0 in input.shape[batch:]:
        raise RuntimeError(
            f"{name}(): Expected input to have non-zero size for non-batch dimensions, but got{list(input.shape)} with "
            f"dimension {input.shape.index(0, batch)} being empty."
        )
    if samples.dtype is not input.dtype:
        raise RuntimeError("Expect _random_samples to have the same dtype as input")
    if samples.ndim != 3:
        raise RuntimeError(f"Expect _random_samples to have 3 dimensions, got {samples.ndim}")
    if samples.shape[0] < (input.shape[0] if batch else 1):
        raise RuntimeError("Expect _random_samples.size(0) no less then input batch size.")
    if samples.shape[1] != input.shape[-rank - 1]:
        raise RuntimeError("Expect _random_samples.size(1) equals to input channel size.")
    if samples.shape[2] != rank:
        raise RuntimeError(f"Expect _random_samples.size(2) equals to {rank}; got {samples.shape[2]}.")
    for axis, word in enumerate(("time", "height", "width")[-rank:]):
        if output[axis] + kernel[axis] - 1 + (rank == 3) > input.shape[axis - rank]:  # of three, one must be left over
            raise RuntimeError(
                f"{name}{'_out' if rank == 3 else ''}(): pool {word} {kernel[axis]} too large relative to input {word} "
                f"{input.shape[axis - rank]}"
            )


def _pool(rank: int) -> Callable[..., Any]:
    name = f"fractional_max_pool{rank}d"

    def fractional_max_pool(
        input: Tensor, kernel_size: Any, output_size: Any = None, output_ratio: Any = None,
        return_indices: bool = False, _random_samples: Tensor | None = None,
    ) -> Any:  # fmt: skip
        """The largest entry of windows whose steps are drawn; ``output_size``, or ``output_ratio`` of the input's."""
        from ..sampling import rand

        if output_size is None and output_ratio is None:
            raise ValueError(f"{name} requires specifying either an output_size or an output_ratio")
        if output_size is None:
            if rank == 2 and len(output_ratio) > 2:
                raise ValueError(f"{name} requires output_ratio to either be a single Int or tuple of Ints.")
            ratios = (output_ratio,) * rank if isinstance(output_ratio, (int, float)) else output_ratio
            output_size = [int(input.size(axis - rank) * ratios[axis]) for axis in range(rank)]
        if _random_samples is None:
            batch = 1 if input.ndim == rank + 1 else input.size(0)
            _random_samples = rand(batch, input.size(-rank - 1), rank, dtype=input.dtype)
        kernel = _sizes(name, "kernel_size", kernel_size, rank)
        output = _sizes(name, "output_size", output_size, rank)
        _checked(name, rank, input, _random_samples, kernel, output)
        values, indices = FRACTIONAL[rank].function(input, _random_samples, kernel, output)
        return (values, indices) if return_indices else values

    fractional_max_pool.__name__ = fractional_max_pool.__qualname__ = name
    return fractional_max_pool


for _rank in (2, 3):
    NEURAL[f"fractional_max_pool{_rank}d"] = _pool(_rank)
