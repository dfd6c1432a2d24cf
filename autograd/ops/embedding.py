"""Rows of a table by number: embedding, bags of them, and one-hot vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY
from ..tensor import Tensor
from .namespaces import NEURAL, neural
from .one_node import one_node
from .table import FUNCTIONS, op


def _embedding(weight: Any, indices: Any, padding_idx: int, scale_grad_by_freq: bool) -> Any:
    if indices.dtype not in (np.int64, np.int32):
        raise RuntimeError(
            "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but "
            f"got torch.{OF_NUMPY[indices.dtype].word}Tensor instead (while checking arguments for embedding)"
        )
    if np.size(indices) and (np.min(indices) < 0 or np.max(indices) >= weight.shape[0]):
        raise IndexError("index out of range in self")
    return weight[indices]


def _embedding_rule(
    g: Any, m: Any, weight_shape: tuple[int, ...], indices: Any, padding_idx: int, scale_grad_by_freq: bool
) -> Any:
    """Each row gets the sum of the gradients of its uses; the padding row gets none."""
    raw = (indices.array if isinstance(indices, Tensor) else np.asarray(indices)).reshape(-1)
    rows = g.reshape((raw.size, *weight_shape[1:]))
    factor = np.ones(raw.size)
    if scale_grad_by_freq:
        counts = np.bincount(raw, minlength=weight_shape[0])
        factor = 1 / np.maximum(counts[raw], 1)
    if padding_idx >= 0:
        factor = np.where(raw == padding_idx, 0, factor)
    if (factor != 1).any():
        dtype = g.array.dtype if isinstance(g, Tensor) else g.dtype
        rows = rows * m.asarray(factor.astype(dtype).reshape((-1,) + (1,) * (len(weight_shape) - 1)))
    return m.index_add(m.zeros(weight_shape, rows), 0, m.asarray(raw), rows)


embedding_op = op(
    "embedding", "EmbeddingBackward0", _embedding, inputs="weight indices", vjp={"weight": _embedding_rule},
    local={"weight": "how often each row is used"}, rule={"weight": "Σ g over the uses of each row"},
    symbol="embedding({indices}, {weight})", method=False, public=False,
)  # fmt: skip


@neural
def embedding(
    input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Tensor:  # fmt: skip
    """The rows of ``weight`` that ``input`` names."""
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    padding = -1
    if padding_idx is not None:
        rows = weight.shape[0]
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        padding = padding_idx % rows
    if max_norm is not None:
        _shorten(weight, input, max_norm, norm_type)
    result: Tensor = embedding_op.function(weight, input, padding, scale_grad_by_freq)
    return result


def _shorten(weight: Tensor, input: Tensor, max_norm: float, norm_type: float) -> None:
    """Scales the rows in use down to ``max_norm``, in place and unrecorded, as PyTorch does."""
    from ..inplace import written

    rows = np.unique(input.array)
    norms = np.linalg.norm(weight.array[rows], norm_type, axis=1, keepdims=True)
    weight.array[rows] *= np.where(norms > max_norm, max_norm / (norms + 1e-7), 1).astype(weight.array.dtype)
    written(weight)


@neural
def embedding_bag(
    input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: float | None = None, norm_type: float = 2,
    scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False, padding_idx: int | None = None,
) -> Tensor:  # fmt: skip
    """Sums, means or maxima of bags of rows."""
    from ..creation import tensor

    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum, mean or max")
    if per_sample_weights is not None and per_sample_weights.shape != input.shape:
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({list(per_sample_weights.shape)}) is not None, then it must have "
            f"the same shape as the input ({list(input.shape)})"
        )
    flat, per = input, per_sample_weights
    if input.ndim == 2:
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                f"sequences. However, found offsets of type {type(offsets)}"
            )
        offsets = tensor(np.arange(input.shape[0]) * input.shape[1])
        flat = input.reshape(-1)
        per = None if per is None else per.reshape(-1)
    elif input.ndim != 1:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.ndim}")
    elif offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    if per is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
            f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
        )
    if max_norm is not None:
        _shorten(weight, input, max_norm, norm_type)
    starts = offsets[:-1] if include_last_offset else offsets
    if mode == "max":
        return largest_of_bags(weight, tensor(_largest(weight, flat, starts, padding_idx)))  # type: ignore[no-any-return]
    if per is not None:
        return weighted_bags(weight, per, flat, starts, padding_idx, scale_grad_by_freq)  # type: ignore[no-any-return]
    return bags(weight, flat, starts, padding_idx, scale_grad_by_freq, mode)  # type: ignore[no-any-return]


def _bags(
    weight: Tensor, per_sample_weights: Tensor | None, input: Tensor, offsets: Tensor, padding_idx: int | None,
    scale_grad_by_freq: bool, mode: str,
) -> Tensor:  # fmt: skip
    """What each bag, from one of the ``offsets`` to the next, makes of its rows."""
    from ..creation import tensor, zeros
    from .joining import stack

    starts = np.asarray(offsets.array)
    ends = np.append(starts[1:], input.array.size)
    rows = embedding(input, weight, padding_idx, None, 2, scale_grad_by_freq)
    if per_sample_weights is not None:
        rows = rows * per_sample_weights.reshape(-1, 1)
    padding = None if padding_idx is None else padding_idx % weight.shape[0]
    made = []
    for start, end in zip(starts, ends, strict=True):
        inside = np.arange(start, end)
        if padding is not None:
            inside = inside[input.array[inside] != padding]
        if not inside.size:
            made.append(zeros(weight.shape[1], dtype=weight.dtype))
            continue
        part = rows.index_select(0, tensor(inside))
        made.append(part.sum(0) if mode == "sum" else part.mean(0))
    result: Tensor = stack.function(made) if made else zeros(0, weight.shape[1], dtype=weight.dtype)
    return result


@one_node("EmbeddingBagBackward0", "weight input offsets", wrt="weight", linear=True, shown="embedding_bag")
def bags(
    weight: Tensor, input: Tensor, offsets: Tensor, padding_idx: int | None, scale_grad_by_freq: bool, mode: str
) -> Tensor:
    """Sums or means of bags."""
    return _bags(weight, None, input, offsets, padding_idx, scale_grad_by_freq, mode)


@one_node(
    "EmbeddingBagBackward0", "weight per_sample_weights input offsets", wrt="weight per_sample_weights",
    shown="embedding_bag",
)  # fmt: skip
def weighted_bags(
    weight: Tensor, per_sample_weights: Tensor, input: Tensor, offsets: Tensor, padding_idx: int | None,
    scale_grad_by_freq: bool,
) -> Tensor:  # fmt: skip
    """Sums of rows, each times its weight."""
    return _bags(weight, per_sample_weights, input, offsets, padding_idx, scale_grad_by_freq, "sum")


def _largest(weight: Tensor, input: Tensor, offsets: Tensor, padding_idx: int | None) -> Any:
    """The row of ``weight`` that is largest in each bag and column, -1 in an empty bag."""
    starts, rows = np.asarray(offsets.array), np.asarray(input.array)
    padding = None if padding_idx is None else padding_idx % weight.shape[0]
    found = np.full((len(starts), weight.shape[1]), -1)
    for bag, (start, end) in enumerate(zip(starts, np.append(starts[1:], rows.size), strict=True)):
        inside = rows[start:end] if padding is None else rows[start:end][rows[start:end] != padding]
        if inside.size:
            found[bag] = inside[weight.array[inside].argmax(0)]
    return found


@one_node("EmbeddingBagBackward0", "weight rows", wrt="weight", linear=True, shown="embedding_bag")
def largest_of_bags(weight: Tensor, rows: Tensor) -> Tensor:
    """The entries of ``weight`` in the given rows, 0 where there is none."""
    return weight.gather(0, rows.clamp(0)).masked_fill(rows < 0, 0.0)  # type: ignore[no-any-return]


def _one_hot(input: Any, num_classes: int = -1) -> Any:
    """A row of zeros with a one where each number points."""
    numbers = np.asarray(input)
    if numbers.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if numbers.size == 0 and num_classes <= 0:
        raise RuntimeError("Can not infer total number of classes from empty tensor.")
    if numbers.size and numbers.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    count = int(numbers.max()) + 1 if num_classes == -1 else num_classes
    if numbers.size and numbers.max() >= count:
        raise RuntimeError("Class values must be smaller than num_classes.")
    return (np.expand_dims(numbers, -1) == np.arange(count)).astype(np.int64)


one_hot = op("one_hot", None, _one_hot, symbol="one_hot({input})", method=False, public=False)
NEURAL["one_hot"] = one_hot.function


def _embedding_first(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Tensor:
    """``torch.embedding``, which takes the table first."""
    result: Tensor = embedding_op.function(weight, indices, padding_idx, scale_grad_by_freq)
    return result


FUNCTIONS["embedding"] = _embedding_first
