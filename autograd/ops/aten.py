"""Functions that PyTorch's own layers are made of, under the names they have in ``torch`` and ``torch.ops.aten``."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np

from ..tensor import Tensor
from .joining import cat, stack
from .namespaces import NEURAL
from .normalisation import _track, batch_norm_op, group_norm_op
from .one_node import one_node
from .pooling import put_back
from .table import FUNCTIONS, arrays, op, tensors

#: functions that stand in ``torch.ops.aten``; ``torch`` has those too that are in :data:`PRIVATE`
ATEN: dict[str, Callable[..., Any]] = {}
#: functions of ``torch`` whose names begin with an underscore
PRIVATE: dict[str, Callable[..., Any]] = {}


def aten(function: Callable[..., Any]) -> Callable[..., Any]:
    """Puts ``function`` into ``torch.ops.aten`` under its own name."""
    ATEN[function.__name__] = function
    return function


def private(function: Callable[..., Any]) -> Callable[..., Any]:
    """Puts ``function`` into ``torch`` and ``torch.ops.aten`` under its own name."""
    PRIVATE[function.__name__] = function
    return aten(function)


def public(function: Callable[..., Any]) -> Callable[..., Any]:
    """:func:`private` for names without an underscore."""
    FUNCTIONS[function.__name__] = function
    return aten(function)


# -- normalisation ---------------------------------------------------------------------------------------------------


@public
def native_batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None,
    running_var: Tensor | None, training: bool, momentum: float, eps: float,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """batch_norm, with the mean and one over the deviation it used while training."""
    means, variances = (None, None) if training else (running_mean, running_var)
    result, mean, rstd = batch_norm_op.function(input, weight, bias, means, variances, training, eps)
    if training:
        _track(input, running_mean, running_var, momentum)
        return result, mean, rstd
    return result, input.new_empty(0), input.new_empty(0)


@private
def _native_batch_norm_legit(input: Tensor, weight: Any, bias: Any, *rest: Any) -> tuple[Tensor, Tensor, Tensor]:
    """:func:`native_batch_norm`; or without running statistics."""
    statistics = () if len(rest) > 3 else (None, None)
    return native_batch_norm(input, weight, bias, *statistics, *rest)  # type: ignore[no-any-return]


@aten
def _batch_norm_with_update(
    input: Tensor, weight: Any, bias: Any, running_mean: Any, running_var: Any, momentum: float, eps: float
) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """:func:`native_batch_norm` while training, and an empty tensor that other machines keep notes in."""
    from ..creation import zeros
    from ..dtypes import uint8

    results = native_batch_norm(input, weight, bias, running_mean, running_var, True, momentum, eps)
    return (*results, zeros(0, dtype=uint8))


@public
def native_group_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, N: int, C: int, HxW: int, group: int, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """group_norm of ``input`` as (N, C, HxW), with the mean and one over the deviation of each group."""
    flat = input.reshape(N, C, HxW)
    parts = flat.reshape(N, group, C * HxW // max(group, 1))
    mean, rstd = parts.mean(2), (parts.var(2, unbiased=False) + eps).rsqrt()
    return group_norm_op.function(flat, weight, bias, group, eps)[0].reshape(tuple(input.shape)), mean, rstd


# -- softmax ---------------------------------------------------------------------------------------------------------


def _safely(input: Any, dim: int) -> Any:
    masked = (input == -np.inf).all(axis=dim, keepdims=True)
    return np.where(masked, 0, arrays.softmax(np.where(masked, 0, input), dim)).astype(input.dtype)


safe_softmax = op(
    "safe_softmax", "SafeSoftmaxBackward0", _safely, inputs="input",
    vjp={"input": lambda g, m, result, dim: result * g - result * m.sum(g * result, dim, True)},
    local={"input": "s·(g - Σ g·s)"}, rule={"input": "s·(g - Σ g·s)"}, symbol="softmax({input})", method=False,
    public=False,
)  # fmt: skip


@private
def _safe_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """softmax, and zeros where everything is -inf."""
    return safe_softmax.function(input if dtype is None else input.to(dtype), dim)  # type: ignore[no-any-return]


@private
@one_node("SoftmaxBackwardDataBackward0", "grad_output output")
def _softmax_backward_data(grad_output: Tensor, output: Tensor, dim: int, input_dtype: Any) -> Tensor:
    """The gradient of softmax's input from that of its ``output``."""
    product = grad_output * output
    return (product - output * product.sum(dim, keepdim=True)).to(input_dtype)  # type: ignore[no-any-return]


# -- pieces and places -----------------------------------------------------------------------------------------------


@private
def _chunk_cat(tensors: Any, dim: int, num_chunks: int) -> Tensor:
    """Each tensor cut into ``num_chunks`` along ``dim`` (padded with zeros), flattened, and all side by side."""
    if num_chunks < 1:
        raise RuntimeError("_chunk_cat expects positive num_chunks")
    axis = dim if dim >= 0 else dim + tensors[0].ndim
    parts = []
    for each in tensors:
        lead, size = tuple(each.shape[:axis]), each.shape[axis]
        missing = -size % num_chunks
        if missing:
            each = cat.function([each, each.new_zeros((*lead, missing, *each.shape[axis + 1 :]))], axis)
        parts.append(each.reshape(*lead, num_chunks, -1))
    return cat.function(parts, axis + 1)  # type: ignore[no-any-return]


def _allowed(mask: Tensor, indices: Any) -> tuple[Any, ...]:
    return tuple(slice(None) if each is None else each * mask for each in indices)


@private
def _unsafe_masked_index(input: Tensor, mask: Tensor, indices: Any, fill: Any) -> Tensor:
    """``input[indices]`` where ``mask``, else ``fill``; indices elsewhere may be anything."""
    return input[_allowed(mask, indices)].masked_fill(mask.logical_not(), fill)  # type: ignore[no-any-return]


@private
def _unsafe_masked_index_put_accumulate(input: Tensor, mask: Tensor, indices: Any, values: Tensor) -> Tensor:
    """``input`` with ``values`` added at ``indices`` where ``mask``."""
    places = [slice_ if isinstance(slice_, Tensor) else None for slice_ in _allowed(mask, indices)]
    return input.index_put(places, values.masked_fill(mask.logical_not(), 0), True)  # type: ignore[no-any-return]


@aten
def slice(input: Tensor, dim: int = 0, start: int | None = None, end: int | None = None, step: int = 1) -> Tensor:
    """``input[start:end:step]`` along ``dim``."""
    axis = dim + input.ndim if dim < 0 else dim
    where = [np.s_[:]] * axis + [np.s_[start:end:step]]
    return input[tuple(where)]


@aten
def max_pool2d_with_indices_backward(
    grad_output: Tensor, input: Tensor, kernel_size: Any, stride: Any, padding: Any, dilation: Any, ceil_mode: bool,
    indices: Tensor,
) -> Tensor:  # fmt: skip
    """Zeros like ``input`` with ``grad_output`` added where the largest entries were."""
    nothing = input.masked_fill(indices.new_ones((), dtype=bool), 0)  # for the input's gradient, which is zero
    return put_back(grad_output, tensors, tuple(input.shape), indices, 2) + nothing  # type: ignore[no-any-return]


def _with_indices(name: str) -> Callable[..., Any]:
    def pool(*args: Any, **kwargs: Any) -> Any:
        """The pooled values and where they are."""
        return NEURAL[name](*args, **{**kwargs, "return_indices": True})

    pool.__name__ = f"{name}_with_indices"
    return pool


for _kind, _ranks in {"max_pool": (1, 2, 3), "adaptive_max_pool": (1, 2, 3), "fractional_max_pool": (2, 3)}.items():
    for _rank in _ranks:
        NEURAL[f"{_kind}{_rank}d_with_indices"] = _with_indices(f"{_kind}{_rank}d")


def _grid_sampler(
    input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool
) -> Tensor:
    """grid_sample, with numbers for the modes."""
    mode, padding = ("bilinear", "nearest", "bicubic")[interpolation_mode], ("zeros", "border", "reflection")
    return NEURAL["grid_sample"](input, grid, mode, padding[padding_mode], align_corners)  # type: ignore[no-any-return]


for _name in ("grid_sampler", "grid_sampler_2d", "grid_sampler_3d"):
    FUNCTIONS[_name] = ATEN[_name] = _grid_sampler

# -- segments --------------------------------------------------------------------------------------------------------


def _segment(part: Tensor, reduce: str, initial: Any) -> Tensor:
    """One segment (length, *) reduced over its entries, beginning with ``initial``."""
    if reduce == "sum":
        return part.sum(0) + (0 if initial is None else initial)  # type: ignore[no-any-return]
    if reduce == "prod":
        return part.prod(0) * (1 if initial is None else initial)  # type: ignore[no-any-return]
    if reduce == "mean":
        if not part.shape[0]:
            return part.sum(0) + (np.nan if initial is None else initial)  # type: ignore[no-any-return]
        return (part.sum(0) + (0 if initial is None else initial)) / part.shape[0]  # type: ignore[no-any-return]
    sign = -1 if reduce == "max" else 1
    start: float = sign * np.inf if initial is None else initial
    if not part.shape[0]:
        return part.sum(0) + start  # type: ignore[no-any-return]
    best = part.amax(0) if reduce == "max" else part.amin(0)
    return best.clamp_min(start) if reduce == "max" else best.clamp_max(start)  # type: ignore[no-any-return]


@one_node("SegmentReduceBackward0", "data", result=True, shown="segment_reduce")
def segments_reduced(data: Tensor, borders: Any, reduce: str, initial: Any) -> Tensor:
    """The segments between ``borders``, an array whose last dimension runs along the one that is reduced."""
    if borders.ndim > 1:
        parts = [segments_reduced(data[i], borders[i], reduce, initial) for i in range(len(borders))]
    else:
        parts = [_segment(data[a:b], reduce, initial) for a, b in pairwise(borders)]
    return stack.function(parts)  # type: ignore[no-any-return]


def segment_reduce(
    data: Tensor, reduce: str, *, lengths: Tensor | None = None, indices: Tensor | None = None,
    offsets: Tensor | None = None, axis: int = 0, unsafe: bool = False, initial: Any = None,
) -> Tensor:  # fmt: skip
    """``data`` reduced in segments along ``axis``, which are given by their ``lengths`` or by where they begin.

    ``reduce`` is max, min, mean, sum or prod. RuntimeError for lengths that do not add up, unless ``unsafe``.
    """
    if indices is not None:
        raise RuntimeError("segment_reduce(): indices based reduction is not supported yet.")
    if lengths is None and offsets is None:
        raise RuntimeError("segment_reduce(): Either lengths or offsets must be defined.")
    if lengths is None:
        assert offsets is not None
        borders = offsets.array
    else:
        extent = data.shape[axis]
        if not unsafe:
            if lengths.array.size and lengths.array.min() < 0:
                raise RuntimeError("lengths contains negative value!")
            if (lengths.array.sum(-1) != extent).any():
                raise RuntimeError(
                    "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) "
                    "when !unsafe."
                )
        zero = np.zeros((*lengths.array.shape[:-1], 1), np.int64)
        borders = np.concatenate([zero, lengths.array.cumsum(-1)], -1)

    return segments_reduced(data, borders, reduce, initial)  # type: ignore[no-any-return]


public(segment_reduce)
PRIVATE["_segment_reduce"] = segment_reduce


class Overloads:
    """A name of ``torch.ops.aten``: called itself, or by the name of an overload (``.default``, ``.Tensor``)."""

    def __init__(self, name: str, function: Callable[..., Any]) -> None:
        self.__name__ = name
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._function(*args, **kwargs)

    def __getattr__(self, overload: str) -> Callable[..., Any]:
        if overload.startswith("_"):
            raise AttributeError(overload)
        return self._function

    def __repr__(self) -> str:
        return f"<OpOverloadPacket(op='aten.{self.__name__}')>"
