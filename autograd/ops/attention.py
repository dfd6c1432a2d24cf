"""Scaled dot-product attention: softmax(q·kᵀ / √d)·v."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tensor import Tensor
from .dropout import dropout
from .namespaces import neural
from .products import matmul
from .softmax import softmax


@neural
def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    """(..., L, d), (..., S, d), (..., S, e) to (..., L, e).

    ``attn_mask`` is True where a query may look, or is added to the scores; ``is_causal`` lets it look back only.
    """
    from ..creation import tensor

    for name, x in (("query", query), ("key", key), ("value", value)):
        if x.ndim < 2:
            raise RuntimeError(f"scaled_dot_product_attention: Expected {name} to be at least 2 dimensional")
    if attn_mask is not None and is_causal:
        raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
    if enable_gqa:
        times = query.shape[-3] // key.shape[-3]
        key, value = key.repeat_interleave(times, -3), value.repeat_interleave(times, -3)
    factor = math.sqrt(1 / math.sqrt(query.shape[-1]) if scale is None else abs(scale))
    sign = -1.0 if scale is not None and scale < 0 else 1.0
    scores = matmul(query * (factor * sign), key.transpose(-2, -1) * factor)
    blocked: Any = None
    if is_causal:
        blocked = ~np.tri(query.shape[-2], key.shape[-2], dtype=bool)
    elif attn_mask is not None and attn_mask.array.dtype.kind == "b":
        blocked = ~attn_mask.array
    elif attn_mask is not None:
        scores = scores + attn_mask
    if blocked is not None:
        scores = scores.masked_fill(tensor(blocked), -math.inf)
    weights: Tensor = softmax.function(scores, -1)
    hopeless = np.isneginf(scores.array).all(-1, keepdims=True) if scores.array.size else np.zeros(1, bool)
    if hopeless.any():  # a query that may look nowhere sees zero, not nan
        weights = weights.masked_fill(tensor(hopeless), 0.0)
    if dropout_p > 0:
        weights = dropout(weights, dropout_p)
    return matmul(weights, value)
