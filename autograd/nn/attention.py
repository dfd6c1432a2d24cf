"""Multi-head attention: every query looks at all keys, in several subspaces at once, and takes a mix of the values."""

from __future__ import annotations

import math
import warnings
from typing import Any

from autograd.dtypes import bool_
from autograd.nn import functional as F
from autograd.nn import init
from autograd.nn.linear import NonDynamicallyQuantizableLinear
from autograd.nn.module import Module
from autograd.nn.parameter import Parameter, new_parameter, zeros
from autograd.tensor import Tensor


class MultiheadAttention(Module):
    """softmax(q k^T / sqrt(d)) v in ``num_heads`` heads of size d = embed_dim / num_heads, then one linear map.

    query (L, N, embed_dim), key (S, N, kdim), value (S, N, vdim); (N, L, ...) with ``batch_first``; or without N.
    Returns the output and the attention weights (N, L, S), or (N, heads, L, S) without ``average_attn_weights``, or
    None without ``need_weights``. Masks: True or -inf where attention is not allowed; ``key_padding_mask`` (N, S),
    ``attn_mask`` (L, S) or (N * heads, L, S). Raises AssertionError for sizes that do not fit.
    """

    in_proj_weight: Parameter | None
    q_proj_weight: Parameter | None
    k_proj_weight: Parameter | None
    v_proj_weight: Parameter | None
    in_proj_bias: Parameter | None
    bias_k: Parameter | None
    bias_v: Parameter | None

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                f"num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = kdim if kdim is not None else embed_dim
        self.vdim = vdim if vdim is not None else embed_dim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")

        def new(*shape: int) -> Parameter:
            return new_parameter(shape, dtype, device)

        if self._qkv_same_embed_dim:
            self.in_proj_weight = new(3 * embed_dim, embed_dim)
            for name in ("q_proj_weight", "k_proj_weight", "v_proj_weight"):
                self.register_parameter(name, None)
        else:
            self.q_proj_weight = new(embed_dim, embed_dim)
            self.k_proj_weight = new(embed_dim, self.kdim)
            self.v_proj_weight = new(embed_dim, self.vdim)
            self.register_parameter("in_proj_weight", None)
        if bias:
            self.in_proj_bias = new(3 * embed_dim)
        else:
            self.register_parameter("in_proj_bias", None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias=bias, device=device, dtype=dtype)
        if add_bias_kv:
            self.bias_k = new(1, 1, embed_dim)
            self.bias_v = new(1, 1, embed_dim)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        """Draw all weights anew; biases start at zero."""
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            assert self.out_proj.bias is not None
            init.zeros_(self.out_proj.bias)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:
        swap = self.batch_first and query.ndim == 3
        if swap:
            same_kv, same_qk = key is value, query is key
            query = query.transpose(0, 1)
            key = query if same_qk else key.transpose(0, 1)
            value = key if same_kv else value.transpose(0, 1)
        out, weights = multi_head_attention_forward(
            query,
            key,
            value,
            self.embed_dim,
            self.num_heads,
            self.in_proj_weight,
            self.in_proj_bias,
            self.bias_k,
            self.bias_v,
            self.add_zero_attn,
            self.dropout,
            self.out_proj.weight,
            self.out_proj.bias,
            training=self.training,
            key_padding_mask=key_padding_mask,
            need_weights=need_weights,
            attn_mask=attn_mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim,
            q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight,
            v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights,
            is_causal=is_causal,
        )
        return (out.transpose(0, 1) if swap else out), weights


def multi_head_attention_forward(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    embed_dim_to_check: int,
    num_heads: int,
    in_proj_weight: Tensor | None,
    in_proj_bias: Tensor | None,
    bias_k: Tensor | None,
    bias_v: Tensor | None,
    add_zero_attn: bool,
    dropout_p: float,
    out_proj_weight: Tensor,
    out_proj_bias: Tensor | None,
    training: bool = True,
    key_padding_mask: Tensor | None = None,
    need_weights: bool = True,
    attn_mask: Tensor | None = None,
    use_separate_proj_weight: bool = False,
    q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None,
    v_proj_weight: Tensor | None = None,
    static_k: Tensor | None = None,
    static_v: Tensor | None = None,
    average_attn_weights: bool = True,
    is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:
    """Multi-head attention as a function of its weights; query (L, N, E), key and value (S, N, E), or without N.

    Raises AssertionError or RuntimeError for sizes and masks that do not fit.
    """
    if static_k is not None or static_v is not None:
        raise RuntimeError("static_k and static_v are not supported; pass key and value instead")
    batched = _check_shapes(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query, key, value = query.unsqueeze(1), key.unsqueeze(1), value.unsqueeze(1)
        if key_padding_mask is not None:
            key_padding_mask = key_padding_mask.unsqueeze(0)
    length, batch, width = query.shape
    source = key.shape[0]
    if is_causal and attn_mask is None:
        raise RuntimeError(
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
            "`generate_square_subsequent_mask` to create this mask."
        )
    if width != embed_dim_to_check:
        raise AssertionError(f"was expecting embedding dimension of {embed_dim_to_check}, but got {width}")
    size = width // num_heads
    if size * num_heads != width:
        raise AssertionError(f"embed_dim {width} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        if key.shape[:2] != value.shape[:2]:
            raise AssertionError(
                f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
            )
    elif key.shape != value.shape:
        raise AssertionError(f"key shape {key.shape} does not match value shape {value.shape}")
    padding = additive_mask(key_padding_mask, "key_padding_mask", query, attn_mask, "attn_mask")
    mask = _mask_of_heads(additive_mask(attn_mask, "attn_mask", query), batch, num_heads, length, source)

    separate = (q_proj_weight, k_proj_weight, v_proj_weight) if use_separate_proj_weight else None
    q, k, v = _project(query, key, value, in_proj_weight, in_proj_bias, separate)
    extra = 0
    if bias_k is not None and bias_v is not None:
        k = F.cat([k, bias_k.repeat(1, batch, 1)])
        v = F.cat([v, bias_v.repeat(1, batch, 1)])
        extra += 1
    # (L, N, E) to (N, heads, L, size)
    q, k, v = (t.reshape(t.shape[0], batch, num_heads, size).permute(1, 2, 0, 3) for t in (q, k, v))
    if add_zero_attn:
        nothing = zeros((batch, num_heads, 1, size), k.dtype)
        k, v = F.cat([k, nothing], 2), F.cat([v, nothing], 2)
        extra += 1
    if extra:  # the added keys are never masked
        mask = None if mask is None else F.pad(mask, (0, extra))
        padding = None if padding is None else F.pad(padding, (0, extra))
    if padding is not None:
        if tuple(padding.shape) != (batch, k.shape[2]):
            raise AssertionError(f"expecting key_padding_mask shape of {(batch, k.shape[2])}, but got {padding.shape}")
        padding = padding.reshape(batch, 1, 1, k.shape[2])
        mask = padding if mask is None else mask + padding

    probability = dropout_p if training else 0.0
    weights: Tensor | None = None
    if need_weights:
        scores = (q * math.sqrt(1.0 / size)) @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores + mask
        weights = F.softmax(scores, -1)
        if probability > 0.0:
            weights = F.dropout(weights, probability)
        mixed = weights @ v
        if average_attn_weights:
            weights = weights.mean(1)
        if not batched:
            weights = weights.squeeze(0)
    else:
        mixed = F.scaled_dot_product_attention(q, k, v, mask, probability)
    rows = mixed.permute(2, 0, 1, 3).reshape(length * batch, width)
    out = F.linear(rows, out_proj_weight, out_proj_bias).view(length, batch, -1)
    return (out if batched else out.squeeze(1)), weights


def _project(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    separate: tuple[Tensor | None, Tensor | None, Tensor | None] | None,
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values by their linear maps; one map for all three when they are the same tensor."""
    if separate is None:
        assert weight is not None
        if query is key and key is value:
            q, k, v = F.linear(query, weight, bias).chunk(3, -1)
            return q, k, v
        parts: Any = weight.chunk(3)
    else:
        parts = separate
    biases: Any = (None, None, None) if bias is None else bias.chunk(3)
    q, k, v = (F.linear(x, w, b) for x, w, b in zip((query, key, value), parts, biases, strict=True))
    return q, k, v


def additive_mask(
    mask: Tensor | None, name: str, like: Tensor, other: Tensor | None = None, other_name: str = ""
) -> Tensor | None:
    """A mask to add to scores: -inf where a boolean mask says True; floating masks as they are.

    Raises AssertionError for masks of integers.
    """
    if mask is None:
        return None
    if other is not None and other.dtype != mask.dtype:
        warnings.warn(
            f"Support for mismatched {name} and {other_name} is deprecated. Use same type for both instead.",
            stacklevel=3,
        )
    if mask.dtype.is_floating_point:
        return mask
    if mask.dtype is not bool_:
        raise AssertionError(f"only bool and floating types of {name} are supported")
    filled: Tensor = zeros(tuple(mask.shape), like.dtype).masked_fill(mask, -math.inf)
    return filled


def _mask_of_heads(mask: Tensor | None, batch: int, heads: int, length: int, source: int) -> Tensor | None:
    """An attention mask (L, S) or (N * heads, L, S) in a shape that goes with scores (N, heads, L, S)."""
    if mask is None:
        return None
    if mask.ndim == 2:
        if tuple(mask.shape) != (length, source):
            raise RuntimeError(f"The shape of the 2D attn_mask is {mask.shape}, but should be {(length, source)}.")
        return mask
    wanted = (batch * heads, length, source)
    if tuple(mask.shape) != wanted:
        raise RuntimeError(f"The shape of the 3D attn_mask is {mask.shape}, but should be {wanted}.")
    out: Tensor = mask.reshape(batch, heads, length, source)
    return out


def _check_shapes(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    key_padding_mask: Tensor | None,
    attn_mask: Tensor | None,
    heads: int,
) -> bool:
    """Whether the input has a batch dimension. Raises AssertionError for numbers of dimensions that do not fit."""
    if query.ndim not in (2, 3):
        raise AssertionError(
            f"query should be unbatched 2D or batched 3D tensor but received {query.ndim}-D query tensor"
        )
    n = query.ndim
    kind = f"{'batched' if n == 3 else 'unbatched'} ({n}-D) `query`"
    if key.ndim != n or value.ndim != n:
        raise AssertionError(
            f"For {kind}, expected `key` and `value` to be {n}-D but found {key.ndim}-D and {value.ndim}-D tensors "
            "respectively"
        )
    if key_padding_mask is not None and key_padding_mask.ndim != n - 1:
        raise AssertionError(
            f"For {kind}, expected `key_padding_mask` to be `None` or {n - 1}-D but found {key_padding_mask.ndim}-D "
            "tensor instead"
        )
    if attn_mask is not None:
        if attn_mask.ndim not in (2, 3):
            raise AssertionError(
                f"For {kind}, expected `attn_mask` to be `None`, 2-D or 3-D but found {attn_mask.ndim}-D tensor instead"
            )
        wanted = (heads, query.shape[0], key.shape[0])
        if n == 2 and attn_mask.ndim == 3 and tuple(attn_mask.shape) != wanted:
            raise AssertionError(f"Expected `attn_mask` shape to be {wanted} but got {attn_mask.shape}")
    return n == 3
