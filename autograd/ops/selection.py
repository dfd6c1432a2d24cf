"""Choosing entries by an index tensor, and writing entries where one says: gather, scatter and their kin.

Gather and scatter-add are each other's transposes; most rules here say just that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY
from ..tensor import Tensor
from ..warn import once
from .shaping import axis_of
from .table import FUNCTIONS, METHODS, Operation, composite, op


def _long(name: str, index: Any) -> None:
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def _compatible(name: str, shape: tuple[int, ...], axis: int, index: Any, src: Any = None) -> None:
    """RuntimeError where PyTorch finds index (and source) too large, or of another number of dimensions."""
    if np.size(index) == 0:
        return
    if max(np.ndim(index), 1) != max(len(shape), 1):
        whose = "input" if name == "gather" else "self"
        raise RuntimeError(f"Index tensor must have the same number of dimensions as {whose} tensor")
    if src is not None and max(np.ndim(index), 1) != max(np.ndim(src), 1):
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    for d in range(np.ndim(index)):
        if d != axis and index.shape[d] > shape[d]:
            if src is None:
                raise RuntimeError(
                    f"Size does not match at dimension {d} expected index {list(index.shape)} to be no larger than "
                    f"self {list(shape)} apart from dimension {axis}"
                )
            raise RuntimeError(
                f"Expected index {list(index.shape)} to be no larger than self {list(shape)} apart from dimension "
                f"{axis} and to be no larger size than src {list(src.shape)}"
            )
        if src is not None and index.shape[d] > src.shape[d]:
            raise RuntimeError(
                f"Expected index {list(index.shape)} to be no larger than self {list(shape)} apart from dimension "
                f"{axis} and to be no larger size than src {list(src.shape)}"
            )


def places(shape: tuple[int, ...], axis: int, index: Any) -> tuple[Any, ...]:
    """A NumPy index for the entries that ``index`` names along ``axis``, all others counting up."""
    index = np.asarray(index)
    size = shape[axis] if shape else 1
    wrong = index[(index < 0) | (index >= size)]
    if wrong.size:
        raise RuntimeError(f"index {int(wrong.ravel()[0])} is out of bounds for dimension {axis} with size {size}")
    if not index.ndim:
        return (index,) if shape else ()
    grid = np.ogrid[tuple(slice(n) for n in index.shape)]
    return tuple(index if d == axis else grid[d] for d in range(index.ndim))


def _gather(input: Any, index: Any, dim: int) -> Any:
    if np.size(index):
        _long("gather", index)
    axis = axis_of(dim, np.ndim(input))
    _compatible("gather", np.shape(input), axis, index)
    if np.size(index) == 0:
        return np.zeros(np.shape(index), input.dtype)
    if np.ndim(input) == 0:
        places((), axis, index)
        return np.broadcast_to(input, np.shape(index)).copy()
    if np.ndim(index) == 0:
        return input[places(input.shape, axis, index)]
    return input[places(input.shape, axis, index)]


gather = op(
    "gather", "GatherBackward0", _gather, inputs="input index",
    vjp={"input": lambda g, m, input, dim, index: m.scatter_add(m.zeros(input.shape, g), dim, index, g)},
    local={"input": "how often each entry is chosen"}, rule={"input": "g added where chosen, else 0"},
    symbol="{input}.gather({dim}, {index})",
    parse=lambda input, dim, index, *, sparse_grad=False: ((input, index), (dim,)),
)  # fmt: skip


def _source(src: Any, index: Any) -> Any:
    """The part of ``src`` that ``index`` covers; a number stands for itself."""
    if np.ndim(src) == 0 or np.ndim(index) == 0:
        return np.reshape(src, np.shape(index)) if np.size(src) == 1 and np.size(index) == 1 else src
    return src[tuple(slice(n) for n in index.shape)]


def _same_kind(name: str, input: Any, src: Any) -> None:
    if hasattr(src, "dtype") and src.dtype != input.dtype:
        raise RuntimeError(f"{name}(): Expected self.dtype to be equal to src.dtype")


def _scatter_add(input: Any, index: Any, src: Any, dim: int) -> Any:
    if not np.size(index):
        return np.array(input)
    _long("scatter", index)
    axis = axis_of(dim, np.ndim(input))
    _compatible("scatter_add", np.shape(input), axis, index, src)
    _same_kind("scatter", input, src)
    out = np.array(input)
    if out.ndim == 0:
        places((), axis, index)
        return out + np.sum(_source(src, index), dtype=out.dtype)
    np.add.at(out, places(out.shape, axis, index), _source(src, index))
    return out


scatter_add = op(
    "scatter_add", "ScatterAddBackward0", _scatter_add, inputs="input index src",
    vjp={"input": lambda g: g,
    "src": lambda g, m, dim, index, src_shape: padded(m, m.gather(g, dim, index), src_shape)},
    local={"input": "1", "src": "1"}, rule={"input": "g", "src": "g where it went"},
    symbol="{input}.scatter_add({dim}, {index}, {src})", inplace=True,
    parse=lambda input, dim, index, src: ((input, index, src), (dim,)),
)  # fmt: skip


def padded(m: Any, part: Any, shape: tuple[int, ...]) -> Any:
    """``part`` with zeros behind it up to ``shape``: entries of a source that the index does not reach get none."""
    if part.shape == tuple(shape):
        return part
    if not shape or not part.shape:
        return part.reshape(shape)
    return m.embed(part, shape, tuple(slice(n) for n in part.shape))


def _scatter(input: Any, index: Any, src: Any, dim: int) -> Any:
    _long("scatter", index)
    axis = axis_of(dim, np.ndim(input))
    _compatible("scatter", np.shape(input), axis, index, src if np.ndim(src) else None)
    out = np.array(input)
    if np.size(index):
        out[places(out.shape, axis, index)] = _source(src, index)
    return out


def _cleared(g: Any, m: Any, dim: int, index: Any) -> Any:
    return m.scatter_value(g, index, 0, dim)


scatter_tensor = op(
    "scatter", "ScatterBackward0", _scatter, inputs="input index src",
    vjp={"input": _cleared, "src": lambda g, m, dim, index, src_shape: padded(m, m.gather(g, dim, index), src_shape)},
    local={"input": "0 where written, else 1", "src": "1"}, rule={"input": "g, 0 where written",
        "src": "g where it went"}, symbol="{input}.scatter({dim}, {index}, {src})",
    method=False,
    public=False,
)  # fmt: skip
scatter_value = op(
    "scatter_value", "ScatterBackward1",
    lambda input, index, value, dim: _scatter(input, index, value, dim), inputs="input index", vjp={"input": _cleared},
    local={"input": "0 where written, else 1"}, rule={"input": "g, 0 where written"},
    symbol="{input}.scatter({dim}, {index}, {value})", method=False,
    public=False,
    shown="scatter",
)  # fmt: skip


def _reduced(name: str, input: Any, index: Any, src: Any, dim: int) -> Any:
    out = np.array(input)
    at = {"add": np.add, "multiply": np.multiply}[name].at
    given = out.dtype.type(src) if isinstance(src, (int, float)) else src
    at(out, places(out.shape, axis_of(dim, np.ndim(input)), index), _source(given, index))
    return out


scatter_with = op(
    "scatter_with", "NotImplemented",
    lambda input, index, src, dim, reduce: _reduced(reduce, input, index, src, dim), inputs="input index src",
    vjp={"input": lambda g: _refuse_reduce(), "src": lambda g: _refuse_reduce()}, method=False, public=False,
    shown="scatter",
)  # fmt: skip


def _refuse_reduce() -> Any:
    raise RuntimeError("derivative for aten::scatter is not implemented")


def _which_scatter(input: Any, dim: int, index: Any, src: Any = None, *, value: Any = None, reduce: Any = None) -> Any:
    src = value if src is None else src
    if reduce is not None:
        if reduce not in ("add", "multiply"):
            raise RuntimeError("reduce argument must be either add or multiply.")
        if isinstance(src, Tensor):
            once(
                "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future "
                "PyTorch release. Use torch.scatter_reduce instead for more reduction options."
            )
        return scatter_with, (input, index, src), (dim, reduce)
    if isinstance(src, Tensor):
        if src.dtype is not input.dtype:
            raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
        return scatter_tensor, (input, index, src), (dim,)
    return scatter_value, (input, index), (src, dim)


def scatter(input: Tensor, dim: int, index: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """``input`` with the entries that ``index`` names along ``dim`` replaced by those of ``src`` (or by a number)."""
    from ..dispatch import apply

    result: Tensor = apply(*_which_scatter(input, dim, index, *args, **kwargs))
    return result


def scatter_(input: Tensor, dim: int, index: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """:func:`scatter`, written into ``input``."""
    from ..inplace import apply

    return apply(*_which_scatter(input, dim, index, *args, **kwargs))


composite("scatter", scatter)
METHODS["scatter_"] = FUNCTIONS["scatter_"] = scatter_

# -- whole slices ----------------------------------------------------------------------------------------------------


def _wrong_shape(name: str, index: Any) -> Exception:
    """What PyTorch says of an index that is no vector: each function in its own words."""
    if name == "index_fill_":
        return RuntimeError("Index has to be a vector/scalar")
    if name == "index_copy_":
        return IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {np.ndim(index)})")
    more = ""
    if name == "index_add_":
        size = list(np.shape(index))
        more = f", but got dim: {np.ndim(index)} with type: {OF_NUMPY[index.dtype].word} and size: {size}"
    return IndexError(f"{name}(): Index is supposed to be a vector{more}")


def _wrong_type(name: str, word: str) -> Exception:
    if name == "index_fill_":
        return IndexError("index_fill_(): Expected dtype int64 for index.")
    if name == "index_copy_":
        return RuntimeError(f"index_copy_(): Expected a long tensor for index, but got {word}")
    if name == "index_add_":
        return RuntimeError(f"index_add_(): Expected dtype int32/int64 for index but got: {word}")
    return RuntimeError(f"{name}(): Expected dtype int32 or int64 for index")


def _vector(name: str, index: Any) -> Any:
    if np.ndim(index) > 1:
        raise _wrong_shape(name, index)
    if index.dtype != np.int64 and (index.dtype != np.int32 or name in ("index_fill_", "index_copy_")):
        raise _wrong_type(name, OF_NUMPY[index.dtype].word)
    return np.reshape(index, -1)


def _key(shape: tuple[int, ...], dim: int, index: Any, name: str = "index_select") -> tuple[Any, ...]:
    """A NumPy index for the slices that ``index`` names along ``dim``."""
    axis = axis_of(dim, len(shape))
    line = _vector(name, index)
    size = shape[axis] if shape else 1
    wrong = line[(line < (-size if name == "index_fill_" else 0)) | (line >= size)]
    if wrong.size:
        where = f"index {int(wrong[0])} is out of bounds for dimension {axis} with size {size}"
        own = {"index_copy_": f"index_copy_(): {where}", "index_fill_": where}
        raise IndexError(own.get(name, "index out of range in self"))
    return (slice(None),) * axis + (line,)


def _index_select(input: Any, index: Any, dim: int) -> Any:
    key = _key(np.shape(input), dim, index)
    return np.array(input) if np.ndim(input) == 0 else input[key]


index_select = op(
    "index_select", "IndexSelectBackward0", _index_select, inputs="input index",
    vjp={"input": lambda g, m, input_shape, dim, index: m.index_add(m.zeros(input_shape, g), dim, index, g)},
    local={"input": "how often each slice is chosen"}, rule={"input": "g added where chosen, else 0"},
    symbol="{input}.index_select({dim}, {index})",
    parse=lambda input, dim, index: ((input, index), (dim,)),
)  # fmt: skip


def _index_add(input: Any, index: Any, source: Any, dim: int, alpha: Any = 1) -> Any:
    key = _key(np.shape(input), dim, index, "index_add_")
    if hasattr(source, "dtype") and source.dtype != input.dtype:
        raise RuntimeError(
            f"index_add_(): self ({OF_NUMPY[input.dtype].word}) and source ({OF_NUMPY[source.dtype].word}) must have "
            "the same scalar type"
        )
    axis = axis_of(dim, np.ndim(input))
    if axis < np.ndim(source) and np.shape(source)[axis] != np.size(index):
        raise RuntimeError(
            f"index_add_(): Number of indices ({np.size(index)}) should be equal to source.size(dim): "
            f"({np.shape(source)[dim]}), for dim: {dim}"
        )
    shape, given = list(np.shape(input)), list(np.shape(source))
    if shape and (len(given) != len(shape) or given[:axis] + given[axis + 1 :] != shape[:axis] + shape[axis + 1 :]):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
            f"{shape} source.shape = {given}"
        )
    out = np.array(input)
    if out.ndim == 0:
        return out + out.dtype.type(alpha) * np.sum(source, dtype=out.dtype)
    np.add.at(out, key, source if alpha == 1 else np.asarray(source) * out.dtype.type(alpha))
    return out


index_add = op(
    "index_add", "IndexAddBackward0", _index_add, inputs="input index source",
    vjp={
        "input": lambda g: g,
        "source": lambda g, m, dim, index, alpha, source: (m.index_select(g, dim, index) * alpha).reshape(source.shape),
    },
    local={"input": "1", "source": "{alpha}"}, rule={"input": "g", "source": "{alpha}·g where it went"},
    symbol="{input}.index_add({dim}, {index}, {source})", inplace=True,
    parse=lambda input, dim, index, source, *, alpha=1: ((input, index, source), (dim, alpha)),
)  # fmt: skip


def _index_copy(input: Any, index: Any, source: Any, dim: int) -> Any:
    axis, shape, given = axis_of(dim, np.ndim(input)), list(np.shape(input)), list(np.shape(source))
    _vector("index_copy_", index)
    if source.dtype != input.dtype:
        raise RuntimeError(
            "index_copy_(): self and source expected to have the same dtype, but got (self) "
            f"{OF_NUMPY[input.dtype].word} and (source) {OF_NUMPY[source.dtype].word}"
        )
    rest, other = shape[:axis] + shape[axis + 1 :], given[:axis] + given[axis + 1 :]
    if given and shape and rest != other:
        sizes = [" ".join(map(str, each)) for each in (rest, other)]
        raise RuntimeError(
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "
            f"{sizes[0]} at dimension {axis} and source slice shape: {sizes[1]} at dimension 0."
        )
    if given and given[axis] != np.size(index):
        raise IndexError(
            f"index_copy_(): Number of indices ({np.size(index)}) should be equal to source.size(dim) ({given[axis]})"
        )
    key = _key(np.shape(input), dim, index, "index_copy_")
    out = np.array(input)
    out[key if out.ndim else ...] = source if out.ndim else np.reshape(source, ())
    return out


index_copy = op(
    "index_copy", "IndexCopyBackward0", _index_copy, inputs="input index source",
    vjp={
        "input": lambda g, m, dim, index: m.index_fill_value(g, index, dim, 0),
        "source": lambda g, m, dim, index, source_shape: m.index_select(g, dim, index).reshape(source_shape),
    },
    local={"input": "0 where written, else 1", "source": "1"},
    rule={"input": "g, 0 where written", "source": "g where it went"},
    symbol="{input}.index_copy({dim}, {index}, {source})",
    inplace=True,
    parse=lambda input, dim, index, source: ((input, index, source), (dim,)),
)  # fmt: skip


def _index_fill(input: Any, index: Any, dim: int, value: Any) -> Any:
    key = _key(np.shape(input), dim, index, "index_fill_")
    out = np.array(input)
    out[key if out.ndim else ...] = value
    return out


index_fill_value = op(
    "index_fill_value", "IndexFillBackward0", _index_fill, inputs="input index",
    vjp={"input": lambda g, m, dim, index: m.index_fill_value(g, index, dim, 0)},
    local={"input": "0 where written, else 1"}, rule={"input": "g, 0 where written"},
    symbol="{input}.index_fill({dim}, {index}, {value})", method=False,
    public=False,
    shown="index_fill",
)  # fmt: skip
index_fill_tensor = op(
    "index_fill_tensor", "IndexFillBackward1",
    lambda input, index, value, dim: _index_fill(input, index, dim, value), inputs="input index value",
    vjp={
        "input": lambda g, m, dim, index: m.index_fill_value(g, index, dim, 0),
        "value": lambda g, m, dim, index: m.sum(m.index_select(g, dim, m.unique(index))),
    },
    local={"input": "0 where written, else 1", "value": "1"}, symbol="{input}.index_fill({dim}, {index}, {value})",
    method=False,
    public=False, shown="index_fill",
)  # fmt: skip


def _which_fill(input: Any, dim: int, index: Any, value: Any) -> tuple[Operation, tuple[Any, ...], tuple[Any, ...]]:
    if isinstance(value, Tensor):
        if value.ndim:
            raise RuntimeError(
                f"index_fill_ only supports a 0-dimensional value tensor, but got tensor with {value.ndim} "
                "dimension(s)."
            )
        return index_fill_tensor, (input, index, value), (dim,)
    return index_fill_value, (input, index), (dim, value)


def index_fill(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """``input`` with the slices that ``index`` names along ``dim`` set to ``value``."""
    from ..dispatch import apply

    result: Tensor = apply(*_which_fill(input, dim, index, value))
    return result


def index_fill_(input: Tensor, dim: int, index: Tensor, value: Any) -> Tensor:
    """:func:`index_fill`, written into ``input``."""
    from ..inplace import apply

    return apply(*_which_fill(input, dim, index, value))


composite("index_fill", index_fill)
METHODS["index_fill_"] = index_fill_

# -- the flattened tensor --------------------------------------------------------------------------------------------


def _flat(size: int, index: Any) -> Any:
    index = np.asarray(index)
    if index.size and (index.min() < -size or index.max() >= size):
        wrong = int(index[(index < -size) | (index >= size)].ravel()[0])
        raise IndexError(f"out of range: tried to access index {wrong} on a tensor of {size} elements.")
    return np.where(index < 0, index + size, index)


take = op(
    "take", "TakeBackward0",
    lambda input, index: np.reshape(np.ravel(input)[_flat(np.size(input), index)], np.shape(index)),
    inputs="input index",
    vjp={"input": lambda g, m, input, index: m.put(m.zeros(input.shape, g), index, g, True)},
    local={"input": "how often each entry is chosen"}, rule={"input": "g added where chosen, else 0"},
    symbol="take({input}, {index})",
)  # fmt: skip


def _put(input: Any, index: Any, source: Any, accumulate: bool = False) -> Any:
    flat = np.array(input, order="C").reshape(-1)
    where, values = np.ravel(_flat(flat.size, index)), np.ravel(source)
    if accumulate:
        np.add.at(flat, where, values)
    else:
        flat[where] = values
    return flat.reshape(np.shape(input))


put = op(
    "put", "PutBackward0", _put, inputs="input index source",
    vjp={
        "input": lambda g, m, index, accumulate: g if accumulate else m.put(g, index, m.zeros(np.shape(index), g)),
        "source": lambda g, m, index, source: m.take(g, index).reshape(source.shape),
    },
    local={"input": "0 where written, else 1", "source": "1"},
    rule={"input": "g, 0 where written", "source": "g where it went"}, symbol="{input}.put({index}, {source})",
    inplace=True,
    public=True,
)  # fmt: skip

# -- by name of a dimension ------------------------------------------------------------------------------------------


def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """The entries at ``indices`` along ``dim``; other dimensions are broadcast. Without ``dim``, of the flat
    tensor.
    """
    if indices.array.dtype.kind not in "iu":
        raise RuntimeError("torch.take_along_dim(): dtype of indices should be Long but got " + indices.dtype.word)
    if dim is None:
        input, indices, dim = input.reshape(-1), indices.reshape(-1), 0
    axis = axis_of(dim, input.ndim)
    if (indices.array < 0).any():
        from ..dispatch import make

        indices = make(np.where(indices.array < 0, indices.array + input.shape[axis], indices.array))
    shape = list(np.broadcast_shapes(
        tuple(1 if i == axis else n for i, n in enumerate(input.shape)),
        tuple(1 if i == axis else n for i, n in enumerate(indices.shape)),
    ))  # fmt: skip
    own, wanted = list(shape), list(shape)
    own[axis], wanted[axis] = input.shape[axis], indices.shape[axis]
    return gather.function(input.expand(own), axis, indices.expand(wanted))  # type: ignore[no-any-return]


composite("take_along_dim", take_along_dim)
