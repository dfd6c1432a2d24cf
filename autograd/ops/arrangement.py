"""Rearranging entries: flip, roll, repeat, triangles, diagonals, padding. All linear: each rule is the way back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..errors import type_name
from ..strided import memory, strided
from ..tensor import Tensor, meta_for
from .namespaces import LINALG
from .shaping import axis_of, expand, permute, reshape, size_of, squeeze, t, transpose, unsqueeze
from .table import FUNCTIONS, METHODS, Operation, composite, op


def _listed(dims: Any) -> tuple[int, ...]:
    return size_of(dims if isinstance(dims, (tuple, list)) else (dims,))


def _flip(input: Any, dims: tuple[int, ...]) -> Any:
    axes = tuple(axis_of(d, np.ndim(input)) for d in dims)
    if len(set(axes)) != len(axes):
        raise RuntimeError(
            f"dim {next(a for a in axes if axes.count(a) > 1)} appears multiple times in the list of dims"
        )
    return np.array(np.flip(input, axes)) if np.ndim(input) else np.array(input)


flip = op(
    "flip", "FlipBackward0", _flip, inputs="input", vjp={"input": lambda g, m, dims: m.flip(g, dims)}, jvp="linear",
    rule={"input": "g flipped back"}, symbol="{input}.flip{dims}", parse=lambda input, *args, dims=None: ((input,),
        (_listed(args if dims is None else dims),)),
)  # fmt: skip


def fliplr(input: Tensor) -> Tensor:
    """The second dimension turned round."""
    if input.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return flip.function(input, (1,))  # type: ignore[no-any-return]


def flipud(input: Tensor) -> Tensor:
    """The first dimension turned round."""
    if input.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return flip.function(input, (0,))  # type: ignore[no-any-return]


composite("fliplr", fliplr)
composite("flipud", flipud)


def _roll(input: Any, shifts: tuple[int, ...], dims: tuple[int, ...]) -> Any:
    if not shifts:
        raise RuntimeError("`shifts` required")
    if not dims:
        if len(shifts) != 1:
            raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:0")
        return np.roll(input, shifts[0])
    if len(shifts) != len(dims):
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if np.ndim(input) == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    return np.roll(input, shifts, [axis_of(d, np.ndim(input)) for d in dims])


roll = op(
    "roll", "RollBackward0", _roll, inputs="input",
    vjp={"input": lambda g, m, shifts, dims: m.roll(g, tuple(-s for s in shifts), dims)}, jvp="linear",
    rule={"input": "g rolled back"}, symbol="{input}.roll({shifts})",
    parse=lambda input, shifts, dims=(): ((input,), (_listed(shifts), _listed(dims))),
)  # fmt: skip


def _rot90(input: Any, k: int, dims: tuple[int, ...]) -> Any:
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if np.ndim(input) < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {np.ndim(input)}")
    if dims[0] == dims[1]:
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    return np.array(np.rot90(input, k, dims))


rot90 = op(
    "rot90", "Rot90Backward0", _rot90, inputs="input", vjp={"input": lambda g, m, k, dims: m.rot90(g, -k, dims)},
    jvp="linear",
    rule={"input": "g turned back"}, symbol="{input}.rot90({k})",
    parse=lambda input, k=1, dims=(0, 1): ((input,), (k, _listed(dims))),
)  # fmt: skip


def _repeat(input: Any, repeats: tuple[int, ...]) -> Any:
    if len(repeats) < np.ndim(input):
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    return np.tile(input, repeats)


def _repeat_rule(g: Any, m: Any, input_shape: tuple[int, ...], repeats: tuple[int, ...]) -> Any:
    """The sum over all copies."""
    lead = len(repeats) - len(input_shape)
    shape = (1,) * lead + tuple(input_shape)
    if 0 in repeats:
        return m.zeros(input_shape, g)
    split = g.reshape(tuple(n for pair in zip(repeats, shape, strict=True) for n in pair))
    return m.sum(split, tuple(range(0, 2 * len(repeats), 2)), False).reshape(input_shape) if repeats else g


repeat = op(
    "repeat", "RepeatBackward0", _repeat, inputs="input", vjp={"input": _repeat_rule}, jvp="linear",
    local={"input": "1 for every copy"},
    rule={"input": "Σ g over the copies"}, symbol="{input}.repeat{repeats}",
    parse=lambda input, *repeats: ((input,), (size_of(repeats, "repeat", "repeats"),)), public=False,
)  # fmt: skip


def tile(input: Tensor, *dims: Any) -> Tensor:
    """``repeat`` that leaves leading dimensions alone when fewer numbers are given."""
    counts = size_of(dims)
    result: Tensor = repeat.function(input, (1,) * (input.ndim - len(counts)) + counts)
    return result


composite("tile", tile)


def repeat_interleave(
    input: Tensor, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Every entry (or slice along ``dim``) several times in a row."""
    from ..creation import tensor

    if repeats is None:
        return tensor(np.repeat(np.arange(input.array.size), input.array))
    line = reshape(input, (-1,)) if dim is None else input
    axis = 0 if dim is None else axis_of(dim, input.ndim)
    if isinstance(repeats, int) and line.ndim:
        shape = line.shape
        wide = expand.function(unsqueeze.function(line, axis + 1), (*shape[: axis + 1], repeats, *shape[axis + 1 :]))
        return reshape(wide.contiguous(), (*shape[:axis], shape[axis] * repeats, *shape[axis + 1 :]))
    counts = np.asarray(repeats.array if isinstance(repeats, Tensor) else repeats).reshape(-1)
    size = line.shape[axis] if line.ndim else 1
    if len(counts) not in (1, size):
        raise RuntimeError("repeats must have the same size as input along dim, but got repeats.size(0) = "
                           f"{len(counts)} and input.size({axis}) = {size}")  # fmt: skip
    index = np.repeat(np.arange(size), counts if len(counts) > 1 else int(counts[0]))
    return (line if line.ndim else reshape(line, (1,))).index_select(axis, tensor(index))  # type: ignore[no-any-return]


composite("repeat_interleave", repeat_interleave)

# -- triangles and diagonals -----------------------------------------------------------------------------------------


def _triangle(name: str, kernel: Any) -> Any:
    def forward(input: Any, diagonal: int = 0) -> Any:
        if not isinstance(diagonal, (int, np.integer)):
            raise TypeError(f"{name}(): argument 'diagonal' (position 1) must be int, not {type_name(diagonal)}")
        if np.ndim(input) < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        return kernel(input, diagonal)

    return op(
        name, f"{name.capitalize()}Backward0", forward,
        vjp={"input": lambda g, m, diagonal: getattr(m, name)(g, diagonal)},
        jvp="linear", rule={"input": "g in the triangle, else 0"}, symbol=f"{name}({{input}})", inplace=True,
    )  # fmt: skip


tril, triu = _triangle("tril", np.tril), _triangle("triu", np.triu)


def _diagonal(input: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    first, second = axis_of(dim1, np.ndim(input)), axis_of(dim2, np.ndim(input))
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    planes = np.moveaxis(np.asarray(input), (first, second), (-2, -1))
    rows, columns = planes.shape[-2:]
    count = max(min(rows + min(offset, 0), columns - max(offset, 0)), 0)
    corner = planes[..., max(-offset, 0) :, max(offset, 0) :] if count else planes[..., :0, :0]
    down, across = planes.strides[-2:]
    return strided(corner, (*planes.shape[:-2], count), (*planes.strides[:-2], down + across))


diagonal = op(
    "diagonal", "DiagonalBackward0", _diagonal,
    vjp={"input": lambda g, m, input_shape, offset, dim1, dim2: m.on_diagonal(g, input_shape, offset, dim1, dim2)},
    jvp="linear",
    rule={"input": "g on the diagonal, else 0"}, symbol="diagonal({input})", view=True,
)  # fmt: skip


def _on_diagonal(input: Any, size: tuple[int, ...], offset: int, dim1: int, dim2: int) -> Any:
    whole = np.zeros(size, input.dtype)
    if np.size(input):
        _diagonal(whole, offset, dim1, dim2)[...] = input
    return whole


on_diagonal = op(
    "on_diagonal", "DiagonalBackwardBackward0", _on_diagonal,
    vjp={"input": lambda g, m, offset, dim1, dim2: m.diagonal(g, offset, dim1, dim2)}, jvp="linear", method=False,
    public=False,
)  # fmt: skip


def _diag_embed(input: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    rank = np.ndim(input) + 1
    first, second = axis_of(dim1, rank), axis_of(dim2, rank)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    n = input.shape[-1] + abs(offset)
    shape = list(input.shape[:-1])
    for axis in sorted((first, second)):
        shape.insert(axis, n)
    return _on_diagonal(input, tuple(shape), offset, first, second)


diag_embed = op(
    "diag_embed", "DiagEmbedBackward0", _diag_embed,
    vjp={"input": lambda g, m, offset, dim1, dim2: m.diagonal(g, offset, dim1, dim2)}, jvp="linear",
    rule={"input": "the diagonal of g"}, symbol="diag({input})",
)  # fmt: skip


def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """A matrix with this diagonal, or the diagonal of this matrix."""
    if input.ndim == 1:
        return diag_embed.function(input, diagonal)  # type: ignore[no-any-return]
    if input.ndim == 2:
        return FUNCTIONS["diagonal_copy"](input, diagonal)  # type: ignore[no-any-return]
    raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.ndim}D")


diagonal_copy = op(
    "diagonal_copy", "DiagonalBackward0_copy",
    lambda input, offset=0, dim1=0, dim2=1: np.array(_diagonal(input, offset, dim1, dim2)),
    vjp={"input": lambda g, m, input_shape, offset, dim1, dim2: m.on_diagonal(g, input_shape, offset, dim1, dim2)},
    jvp="linear",
    rule={"input": "g on the diagonal, else 0"}, symbol="diagonal({input})", method=False, shown="diag",
)  # fmt: skip
composite("diag", diag)
composite("diagflat", lambda input, offset=0: diag_embed.function(reshape(input, (-1,)), offset))
LINALG["diagonal"] = lambda A, *, offset=0, dim1=-2, dim2=-1: diagonal.function(A, offset, dim1, dim2)


def _as_strided(input: Any, size: Any, stride: Any, storage_offset: Any = None, geometry: Any = None) -> Any:
    array = np.asarray(input)
    base = memory(array)
    flat = strided(base, (base.size,), (base.itemsize,)) if base.flags.forc else base.reshape(-1)
    itemsize = array.itemsize
    own = (array.__array_interface__["data"][0] - flat.__array_interface__["data"][0]) // itemsize
    offset = own if storage_offset is None else storage_offset
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if min(stride, default=0) < 0:
        raise RuntimeError(f"as_strided: Negative strides are not supported at the moment, got strides: {list(stride)}")
    if offset < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {offset}")
    reach = offset + sum((n - 1) * s for n, s in zip(size, stride, strict=True) if n) + 1
    if reach > flat.size:
        raise RuntimeError(
            f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {offset}, and itemsize "
            f"{itemsize} requiring a storage size of {reach * itemsize} are out of bounds for storage of size "
            f"{flat.size * itemsize}"
        )
    return strided(flat[offset:], tuple(size), tuple(s * itemsize for s in stride))


def _strided_rule(
    g: Any, m: Any, input_shape: Any, size: Any, stride: Any, storage_offset: Any, geometry: Any = None
) -> Any:
    """``g`` added where the view looks; for an input that is not the whole of its memory, in a copy of that memory."""
    if geometry is None:
        return m.put(m.zeros(input_shape, g), m.asarray(_strided_index(size, stride, storage_offset or 0)), g, True)
    steps, offset = geometry
    mine = _strided_index(input_shape, steps, offset)
    looked = _strided_index(size, stride, offset if storage_offset is None else storage_offset)
    count = 1 + max(mine.max(initial=0), looked.max(initial=0))
    return m.take(m.put(m.zeros((count,), g), m.asarray(looked), g, True), m.asarray(mine))


def _strided_index(size: Any, stride: Any, offset: int) -> Any:
    index = np.full((), offset, np.int64)
    for n, s in zip(size, stride, strict=True):
        index = index[..., None] + np.arange(n) * s
    return index


def _geometry(input: Any) -> Any:
    """The strides of a tensor and where it begins, unless it is the whole of its memory in its order."""
    if not isinstance(input, Tensor):
        return None
    offset = METHODS["storage_offset"](input)
    return (METHODS["stride"](input), offset) if offset or not np.asarray(input.array).flags.c_contiguous else None


def _parse_strided(input: Any, size: Any, stride: Any, storage_offset: Any = None) -> Any:
    return (input,), (tuple(size), tuple(stride), storage_offset, _geometry(input))


as_strided = op(
    "as_strided", "AsStridedBackward0 AsStridedBackward1", _as_strided, inputs="input", vjp={"input": _strided_rule},
    view=True, in_place_nodes=1,
    rule={"input": "g added where the view looks"}, symbol="{input}.as_strided({size}, {stride})",
    parse=_parse_strided,
)  # fmt: skip

# -- windows along one dimension -------------------------------------------------------------------------------------


def _unfold(input: Any, dimension: int, size: int, step: int) -> Any:
    array = np.asarray(input)
    axis = axis_of(dimension, array.ndim)
    extent = array.shape[axis] if array.ndim else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    if size > extent:
        raise RuntimeError(f"maximum size for tensor at dimension {dimension} is {extent} but size is {size}")
    if array.ndim == 0:
        return strided(array, (size,), (array.itemsize,))
    count = (extent - size) // step + 1
    shape = (*array.shape[:axis], count, *array.shape[axis + 1 :], size)
    strides = (*array.strides[:axis], array.strides[axis] * step, *array.strides[axis + 1 :], array.strides[axis])
    return strided(array, shape, strides)


def _refold(input: Any, size: tuple[int, ...], dimension: int, width: int, step: int) -> Any:
    """Adds windows back where they came from."""
    whole = np.zeros(size, input.dtype)
    if not size:
        return np.sum(input, dtype=input.dtype)
    windows = _unfold(whole, dimension, width, step)
    for i in range(width):
        windows[..., i] += input[..., i]
    return whole


unfold = op(
    "unfold", "UnfoldBackward0", _unfold, inputs="input",
    vjp={"input": lambda g, m, input_shape, dimension, size, step: m.refold(g, input_shape, dimension, size, step)},
    jvp="linear",
    rule={"input": "Σ g over the windows"}, symbol="{input}.unfold({dimension}, {size}, {step})", view=True,
    public=False,
)  # fmt: skip
refold = op(
    "refold", "UnfoldBackwardBackward0", _refold, inputs="input",
    vjp={"input": lambda g, m, dimension, width, step: m.unfold(g, dimension, width, step)}, jvp="linear",
    method=False, public=False,
)  # fmt: skip

# -- order and number of dimensions ----------------------------------------------------------------------------------


def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """Dimensions ``source`` moved to ``destination``, the others in order around them."""
    from_, to = _listed(source), _listed(destination)
    if len(from_) != len(to):
        raise RuntimeError("movedim: Invalid source or destination dims: source "
                           f"({list(from_)} dims) should contain the same number of dims as destination "
                           f"({list(to)} dims)")  # fmt: skip
    n = input.ndim
    first, last = [axis_of(d, n) for d in from_], [axis_of(d, n) for d in to]
    if n == 0:
        return input
    if len(set(first)) != len(first) or len(set(last)) != len(last):
        which = "source" if len(set(first)) != len(first) else "destination"
        raise RuntimeError(f"movedim: repeated dim in `{which}` ({list(from_ if which == 'source' else to)})")
    rest = iter(i for i in range(n) if i not in first)
    order = [first[last.index(i)] if i in last else next(rest) for i in range(n)]
    return permute.function(input, tuple(order))  # type: ignore[no-any-return]


composite("movedim", movedim, aliases="moveaxis")


def unflatten(input: Tensor, dim: int, sizes: Any) -> Tensor:
    """One dimension taken apart into several."""
    axis = axis_of(dim, input.ndim)
    shape = input.shape
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    known = math.prod(n for n in sizes if n != -1)
    if known != shape[axis] and not (-1 in tuple(sizes) and known and shape[axis] % known == 0):
        raise RuntimeError(
            f"unflatten: Provided sizes {list(sizes)} don't multiply up to the size of dim {axis} ({shape[axis]}) in "
            "the input tensor"
        )
    filled = [shape[axis] // known if n == -1 else n for n in sizes]
    return reshape(input, (*shape[:axis], *filled, *shape[axis + 1 :]))


composite("unflatten", unflatten)


def _atleast(rank: int) -> Any:
    def one(x: Any) -> Tensor:
        if rank == 3 and x.ndim == 2:
            return unsqueeze.function(x, -1)  # type: ignore[no-any-return]
        if x.ndim >= rank:
            return x  # type: ignore[no-any-return]
        if rank == 3 and x.ndim == 1:
            return unsqueeze.function(unsqueeze.function(x, 0), -1)  # type: ignore[no-any-return]
        if x.ndim == 0:
            return reshape(x, (1,) * rank)
        return unsqueeze.function(x, 0)  # type: ignore[no-any-return]

    def atleast(*tensors: Any) -> Any:
        """Views with dimensions of one in front, up to the wanted number."""
        if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
            tensors = tuple(tensors[0])
            return tuple(one(x) for x in tensors)
        return one(tensors[0]) if len(tensors) == 1 else tuple(one(x) for x in tensors)

    return atleast


for _rank in (1, 2, 3):
    composite(f"atleast_{_rank}d", _atleast(_rank), method=False)


def _turned(name: str) -> Any:
    def take(self: Tensor) -> Tensor:
        if self.array.ndim < 2:
            raise RuntimeError(
                f"tensor.{name} is only supported on matrices or batches of matrices. Got {self.array.ndim}-D tensor."
            )
        return transpose.function(self, -2, -1)  # type: ignore[no-any-return]

    return take


def _conjugate_turned(self: Tensor) -> Tensor:
    if self.array.ndim not in (0, 2):
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self.array.ndim}-D tensor.")
    return transpose.function(self, 0, 1) if self.array.ndim else self


METHODS["mH"] = property(_turned("mH"))  # type: ignore[assignment]
METHODS["H"] = property(_conjugate_turned)  # type: ignore[assignment]
composite("adjoint", _turned("adjoint()"))

# -- padding ---------------------------------------------------------------------------------------------------------


def _widths(pad: tuple[int, ...], rank: int) -> list[tuple[int, int]]:
    """(before, after) for each dimension; PyTorch counts from the last."""
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) // 2 > rank:
        raise RuntimeError(
            "Length of pad should be no more than twice the number of dimensions of the input. Pad length is "
            f"{len(pad)} while the input has {rank} dimensions."
        )
    widths = [(0, 0)] * rank
    for i in range(len(pad) // 2):
        widths[rank - 1 - i] = (pad[2 * i], pad[2 * i + 1])
    return widths


def _constant_pad(input: Any, pad: tuple[int, ...], value: Any = 0) -> Any:
    widths = _widths(pad, np.ndim(input))
    for axis, (before, after) in enumerate(widths):
        if input.shape[axis] + before + after < 0:
            raise RuntimeError(
                f"The input size {input.shape[axis]}, plus negative padding {before} and {after} resulted in a "
                f"negative output size, which is invalid. Check dimension {axis} of your input."
            )
    cut = input[tuple(slice(max(0, -b), n - max(0, -a)) for (b, a), n in zip(widths, input.shape, strict=True))]
    return np.pad(cut, [(max(0, b), max(0, a)) for b, a in widths], constant_values=0 if value is None else value)


constant_pad_nd = op(
    "constant_pad_nd", "ConstantPadNdBackward0", _constant_pad, inputs="input",
    vjp={"input": lambda g, m, pad: m.constant_pad_nd(g, tuple(-n for n in pad), 0)}, local={"input": "1 inside"},
    rule={"input": "g without the border"}, symbol="pad({input}, {pad})",
    parse=lambda input, pad, value=0: ((input,), (tuple(pad), value)), method=False,
    shown="pad",
)  # fmt: skip

# -- changing the shape of a tensor itself ---------------------------------------------------------------------------


def _reshaped(operation: Operation) -> Any:
    """``name_``: the tensor takes the shape that the view operation gives; its memory stays."""

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        from ..dispatch import edge_of
        from ..inplace import check_writable, written

        check_writable(self)
        looked = operation.function(self, *args, **kwargs)
        node, number = edge_of(looked)
        written(self)
        self.array = looked.array
        if node is not None:
            if type(node) in operation.node_classes:
                which = operation.node_classes.index(type(node))
                node.__class__ = operation.node_classes[which + operation.in_place_nodes]
            self._edge = (node, number)
        if looked._meta is not None and looked._meta.duals is not None:
            meta_for(self).duals = looked._meta.duals
        return self

    method.__name__ = operation.name + "_"
    return method


for _operation in (t, unsqueeze, squeeze, transpose):
    METHODS[_operation.name + "_"] = _reshaped(_operation)
METHODS["swapaxes_"] = METHODS["swapdims_"] = METHODS["transpose_"]
METHODS["as_strided_"] = _reshaped(as_strided)
