"""Taking a tensor apart along a dimension, and the joins named after directions (hstack, vstack, meshgrid)."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from ..errors import broadcast, whole
from ..tensor import Tensor
from ..warn import once
from .arrangement import movedim
from .indexing import narrow
from .joining import cat, stack
from .namespaces import neural
from .one_node import one_node
from .shaping import axis_of, expand, reshape
from .table import FUNCTIONS, composite, op


def _sizes(extent: int, split_size: Any) -> list[int]:
    if isinstance(split_size, int):
        if split_size < 0:
            raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
        if split_size == 0:
            if extent:
                raise RuntimeError(
                    f"split_size can only be 0 if dimension size is 0, but got dimension size of {extent}"
                )
            return [0]
        count = max(-(-extent // split_size), 1)
        return [min(split_size, extent - i * split_size) for i in range(count)]
    if sum(split_size) != extent:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {extent} (input tensor's size at dimension "
            f"{{dim}}), but got split_sizes={list(split_size)}"
        )
    return list(split_size)


def _split(input: Any, split_size: Any, dim: int = 0) -> list[Any]:
    if np.ndim(input) == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    axis = axis_of(dim, np.ndim(input))
    try:
        sizes = _sizes(input.shape[axis], split_size)
    except RuntimeError as error:
        raise RuntimeError(str(error).replace("{dim}", str(dim))) from None
    edges = [0, *itertools.accumulate(sizes)]
    return [input[(slice(None),) * axis + (slice(a, b),)] for a, b in itertools.pairwise(edges)]


def _join_back(g: Any, m: Any, input_shape: tuple[int, ...], split_size: Any, dim: int) -> Any:
    """The gradients of the parts side by side, zeros where a part has none."""
    axis = axis_of(dim, len(input_shape))
    like = next(x for x in g if x is not None)
    parts = []
    for size, part in zip(_sizes(input_shape[axis], split_size), g, strict=True):
        shape = (*input_shape[:axis], size, *input_shape[axis + 1 :])
        parts.append(m.zeros(shape, like) if part is None else part)
    return m.cat(parts, axis)


def _parse(
    input: Any, split_size: Any = None, dim: int = 0, *, split_size_or_sections: Any = None, split_sizes: Any = None
) -> Any:
    given = next(x for x in (split_size, split_size_or_sections, split_sizes) if x is not None)
    return (input,), (int(given) if not isinstance(given, (list, tuple)) else tuple(given), dim)


split = op(
    "split", "SplitBackward0 SplitWithSizesBackward0", _split, inputs="input", many=True, view=True,
    vjp={"input": _join_back},
    rule={"input": "the gradients of the parts, joined"}, symbol="split({input}, {split_size})", parse=_parse,
    variant=lambda inputs, params: int(not isinstance(params[0], int)),
    aliases="split_with_sizes",
)  # fmt: skip


def chunk(input: Tensor, chunks: int, dim: int = 0) -> Any:
    """At most ``chunks`` parts of equal size, the last one smaller."""
    if input.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    chunks = whole("chunks", chunks)
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    extent = input.shape[axis_of(dim, input.ndim)]
    size = -(-extent // chunks)
    if size == 0 and extent == 0:
        return split.function(input, (0,) * chunks, dim)
    return split.function(input, max(size, 1), dim)


composite("chunk", chunk)
composite("unsafe_chunk", lambda input, chunks, dim=0: tuple(x.clone() for x in chunk(input, chunks, dim)))
composite(
    "unsafe_split", lambda input, split_size, dim=0: tuple(x.clone() for x in split.function(input, split_size, dim))
)


def tensor_split(
    input: Tensor, indices_or_sections: Any = None, dim: int = 0, *, sections: Any = None, indices: Any = None
) -> Any:
    """Parts at the given places, or so many parts of nearly equal size."""
    where = next(x for x in (indices_or_sections, sections, indices) if x is not None)
    if input.ndim == 0:
        raise RuntimeError(
            f"tensor_split expected at least a 1-dimensional tensor, but got a tensor with {input.ndim} dims"
        )
    axis = axis_of(dim, input.ndim)
    extent = input.shape[axis]
    if isinstance(where, Tensor):
        where = where.tolist()
    if isinstance(where, int):
        if where <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {where}")
        small, larger = divmod(extent, where)
        edges = [0, *itertools.accumulate(small + (i < larger) for i in range(where))]
    else:
        edges = [0, *(max(0, min(extent, i + extent if i < 0 else i)) for i in where), extent]
    return tuple(narrow(input, axis, a, max(b - a, 0)) for a, b in itertools.pairwise(edges))


composite("tensor_split", tensor_split)


def _along(name: str, least: int, axis: Any) -> None:
    def function(input: Tensor, indices_or_sections: Any) -> Any:
        if input.ndim < least:
            raise RuntimeError(f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with "
                               f"{input.ndim} dimensions!")  # fmt: skip
        where = axis(input)
        if isinstance(indices_or_sections, int) and (
            indices_or_sections == 0 or input.shape[where] % indices_or_sections
        ):
            raise RuntimeError(
                f"torch.{name} attempted to split along dimension {where}, but the size of the dimension "
                f"{input.shape[where]} is not divisible by the split_size {indices_or_sections}!"
            )
        return tensor_split(input, indices_or_sections, where)

    composite(name, function)


_along("hsplit", 1, lambda x: 0 if x.ndim == 1 else 1)
_along("vsplit", 2, lambda x: 0)
_along("dsplit", 3, lambda x: 2)


def _some(name: str, tensors: Any) -> list[Tensor]:
    if not len(tensors):
        raise RuntimeError(f"{name} expects a non-empty TensorList")
    return list(tensors)


def hstack(tensors: Any) -> Tensor:
    """Side by side: along the first dimension of vectors, else along the second."""
    wide = FUNCTIONS["atleast_1d"](_some("hstack", tensors))
    result: Tensor = cat.function(wide, 0 if wide[0].ndim == 1 else 1)
    return result


def vstack(tensors: Any) -> Tensor:
    """One above the other."""
    result: Tensor = cat.function(FUNCTIONS["atleast_2d"](_some("vstack", tensors)), 0)
    return result


def dstack(tensors: Any) -> Tensor:
    """One behind the other."""
    result: Tensor = cat.function(FUNCTIONS["atleast_3d"](_some("dstack", tensors)), 2)
    return result


def column_stack(tensors: Any) -> Tensor:
    """As columns of a matrix."""
    columns = [reshape(x, (-1, 1)) if x.ndim <= 1 else x for x in tensors]
    result: Tensor = cat.function(columns, 1)
    return result


composite("hstack", hstack, method=False)
composite("vstack", vstack, method=False, aliases="row_stack")
composite("dstack", dstack, method=False)
composite("column_stack", column_stack, method=False)


def broadcast_tensors(*tensors: Any) -> tuple[Tensor, ...]:
    """All of them expanded to their common shape; those that have it already as they are."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    mismatch = broadcast([x.shape for x in tensors])
    if mismatch is not None:
        raise mismatch
    shape = broadcast_shapes(*(x.shape for x in tensors))
    return tuple(x if x.shape == shape else expand.function(x, shape) for x in tensors)


def broadcast_shapes(*shapes: Any) -> Any:
    """The shape to which all of ``shapes`` broadcast."""
    from ..tensor import Size

    listed = [(s,) if isinstance(s, int) else tuple(s) for s in shapes]
    common = [1] * max(map(len, listed), default=0)
    for position, shape in enumerate(listed):
        for at in range(-1, -1 - len(shape), -1):
            if common[at] == 1:
                common[at] = shape[at]
            elif shape[at] not in (1, common[at]):
                raise RuntimeError(
                    f"Attempting to broadcast a dimension of length {shape[at]} at {at}! Mismatching argument at index "
                    f"{position} had {shape}; but expected shape should be broadcastable to {common}"
                )
    return Size(common)


composite("broadcast_tensors", broadcast_tensors, method=False)
composite("broadcast_shapes", broadcast_shapes, method=False)


def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """One coordinate tensor an axis, over the grid that the given vectors span."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    if indexing is None:
        once(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument. (Triggered "
            "internally at /__w/pytorch/pytorch/aten/src/ATen/native/TensorShape.cpp:4215.)"
        )
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    swap = indexing == "xy" and len(tensors) >= 2
    lines = [tensors[1], tensors[0], *tensors[2:]] if swap else list(tensors)
    shape = tuple(x.array.size for x in lines)
    grids = [
        expand.function(reshape(x, (1,) * i + (-1,) + (1,) * (len(lines) - i - 1)), shape) for i, x in enumerate(lines)
    ]
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


composite("meshgrid", meshgrid, method=False)


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All combinations of one entry from each, as rows."""
    if len(tensors) == 1:
        return tensors[0]
    grids = [reshape(x, (-1,)) for x in meshgrid(*tensors, indexing="ij")]
    result: Tensor = stack.function(grids, 1)
    return result


def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """All choices of ``r`` entries, as rows."""
    from ..creation import tensor, zeros

    if r == 0:
        return zeros(0, dtype=input.dtype)
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    rows = np.array(list(choose(range(input.array.size), r)), np.int64).reshape(-1, r)
    columns = [input.index_select(0, tensor(rows[:, i])) for i in range(r)]
    result: Tensor = stack.function(columns, 1)
    return result


composite("cartesian_prod", cartesian_prod, method=False)
composite("combinations", combinations, method=False)


def _block_diag(tensors: Any) -> Any:
    blocks = [np.atleast_2d(x) for x in tensors]
    whole = np.zeros(np.sum([b.shape for b in blocks], axis=0), np.result_type(*blocks))
    row = column = 0
    for block in blocks:
        whole[row : row + block.shape[0], column : column + block.shape[1]] = block
        row, column = row + block.shape[0], column + block.shape[1]
    return whole


def _blocks(g: Any, m: Any, tensors_shape: Any) -> list[Any]:
    parts, row, column = [], 0, 0
    for shape in tensors_shape:
        height, width = ((1, 1), (1, *shape), shape)[len(shape)]
        parts.append(m.narrow(m.narrow(g, 0, row, height), 1, column, width).reshape(tuple(shape)))
        row, column = row + height, column + width
    return parts


block_diag = op(
    "block_diag", "BlockDiagBackward0", _block_diag, variadic="tensors", vjp={"tensors": _blocks}, promote="numeric",
    method=False,
    symbol="block_diag({tensors})", parse=lambda *tensors: (tuple(tensors), ()),
)  # fmt: skip


# -- a copy with a part replaced -------------------------------------------------------------------------------------


def _scattered(name: str, node: str, look: Any, back: Any, count: int) -> None:
    """``name(input, src, ...)``: a copy of ``input`` with the part that ``look`` sees replaced by ``src``."""

    def forward(input: Any, src: Any, where: tuple[Any, ...]) -> Any:
        out = np.array(input)
        part = look(out, *where)
        if np.shape(part) != np.shape(src):
            raise RuntimeError(
                f"expected src to have a size equal to the slice of self. src size = {list(np.shape(src))}, slice "
                f"size = {list(np.shape(part))}"
            )
        part[...] = src
        return out

    op(
        name, node, forward, inputs="input src", method=True, symbol=f"{name}({{input}}, {{src}})",
        vjp={
            "input": lambda g, m, src_shape, where: getattr(m, name)(g, m.zeros(src_shape, g), *where),
            "src": lambda g, m, where: getattr(m, back)(g, *where),
        },
        parse=lambda input, src, *where, **named: ((input, src), (_filled(where, named, count, name),)),
    )  # fmt: skip


def _filled(where: tuple[Any, ...], named: dict[str, Any], count: int, name: str) -> tuple[Any, ...]:
    names, defaults = {
        "select_scatter": (("dim", "index"), (0, 0)),
        "slice_scatter": (("dim", "start", "end", "step"), (0, None, None, 1)),
        "diagonal_scatter": (("offset", "dim1", "dim2"), (0, 0, 1)),
    }[name]
    return tuple(where[i] if i < len(where) else named.get(names[i], defaults[i]) for i in range(count))


def _selected(array: Any, dim: int, index: int) -> Any:
    return array[(slice(None),) * axis_of(dim, array.ndim) + (index, ...)]


def _sliced(array: Any, dim: int, start: Any, end: Any, step: int) -> Any:
    return array[(slice(None),) * axis_of(dim, array.ndim) + (slice(start, end, step), ...)]


def _on_diagonal(array: Any, offset: int, dim1: int, dim2: int) -> Any:
    from .arrangement import _diagonal

    return _diagonal(array, offset, dim1, dim2)


_scattered("select_scatter", "SelectScatterBackward0", _selected, "select", 2)
_scattered("slice_scatter", "SliceScatterBackward0", _sliced, "slice", 4)
_scattered("diagonal_scatter", "DiagonalScatterBackward0", _on_diagonal, "diagonal", 3)


@neural
@one_node("PixelShuffleBackward0", "input", linear=True)
def pixel_shuffle(input: Tensor, upscale_factor: int) -> Tensor:
    """(*, C·r², H, W) to (*, C, H·r, W·r)."""
    r = upscale_factor
    if input.ndim < 3:
        raise RuntimeError(
            f"pixel_shuffle expects input to have at least 3 dimensions, but got input with {input.ndim} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_shuffle expects a positive upscale_factor, but got {r}")
    *lead, channels, height, width = input.shape
    if channels % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square of upscale_factor, "
            f"but input.size(-3)={channels} is not divisible by {r * r}"
        )
    parts = reshape(input, (*lead, channels // (r * r), r, r, height, width))
    moved = movedim(parts, (-4, -3), (-3, -1))
    return reshape(moved, (*lead, channels // (r * r), height * r, width * r))


@neural
@one_node("PixelUnshuffleBackward0", "input", linear=True)
def pixel_unshuffle(input: Tensor, downscale_factor: int) -> Tensor:
    """(*, C, H·r, W·r) to (*, C·r², H, W)."""
    r = downscale_factor
    if input.ndim < 3:
        raise RuntimeError(
            f"pixel_unshuffle expects input to have at least 3 dimensions, but got input with {input.ndim} dimension(s)"
        )
    if r <= 0:
        raise RuntimeError(f"pixel_unshuffle expects a positive downscale_factor, but got {r}")
    for at, name in ((-2, "height"), (-1, "width")):
        if input.shape[at] % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {name} to be divisible by downscale_factor, but input.size({at})="
                f"{input.shape[at]} is not divisible by {r}"
            )
    *lead, channels, height, width = input.shape
    parts = reshape(input, (*lead, channels, height // r, r, width // r, r))
    moved = movedim(parts, (-3, -1), (-4, -3))
    return reshape(moved, (*lead, channels * r * r, height // r, width // r))


@neural
@one_node("ChannelShuffleBackward0", "input", linear=True)
def channel_shuffle(input: Tensor, groups: int) -> Tensor:
    """Channels dealt out anew: (N, g·C, *) with the two factors of the channels swapped."""
    n, channels, *size = input.shape
    return reshape(reshape(input, (n, groups, channels // groups, *size)).transpose(1, 2), (n, channels, *size))


composite("pixel_shuffle", pixel_shuffle, method=False)
composite("pixel_unshuffle", pixel_unshuffle, method=False)
composite("channel_shuffle", channel_shuffle, method=False)
