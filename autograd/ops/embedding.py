"""Rows of a table by number: embedding, bags of them, and one-hot vectors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY
from ..tensor import Tensor
from .namespaces import NEURAL, neural
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
    from ..creation import tensor, zeros
    from .joining import stack

    if input.ndim == 2:
        starts = np.arange(input.shape[0]) * input.shape[1]
        flat = input.reshape(-1)
        per = None if per_sample_weights is None else per_sample_weights.reshape(-1)
    else:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        starts, flat, per = np.array(offsets.array), input, per_sample_weights
        if include_last_offset:
            starts = starts[:-1]
    ends = np.append(starts[1:], flat.array.size)
    rows = embedding(flat, weight, padding_idx, max_norm, norm_type, scale_grad_by_freq, sparse)
    if per is not None:
        if mode != "sum":
            raise NotImplementedError(
                "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "
                f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
            )
        rows = rows * per.reshape(-1, 1)
    padding = None if padding_idx is None else padding_idx % weight.shape[0]
    bags = []
    for start, end in zip(starts, ends, strict=True):
        inside = np.arange(start, end)
        if padding is not None:
            inside = inside[flat.array[inside] != padding]
        if not inside.size:
            bags.append(zeros(weight.shape[1], dtype=weight.dtype))
            continue
        part = rows.index_select(0, tensor(inside))
        bags.append(part.sum(0) if mode == "sum" else part.mean(0) if mode == "mean" else part.max(0)[0])
    result: Tensor = stack.function(bags) if bags else zeros(0, weight.shape[1], dtype=weight.dtype)
    return result


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
