"""Normalisation: layer, batch, group, instance, and root mean square.

All take the mean and the variance over some axes. Their common rule for the normalised value x̂ and its gradient ĝ is
rstd·(ĝ - mean(ĝ) - x̂·mean(ĝ·x̂)), the means over the same axes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..tensor import Tensor
from .namespaces import neural, neural_of_tensors
from .table import FUNCTIONS, op


def _stats(x: Any, axes: tuple[int, ...], eps: float) -> tuple[Any, Any]:
    """The mean, and one over the standard deviation."""
    mean = x.mean(axis=axes, keepdims=True)
    centred = x - mean
    return mean, (1 / np.sqrt((centred * centred).mean(axis=axes, keepdims=True) + x.dtype.type(eps))).astype(x.dtype)


def _through(m: Any, ghat: Any, x: Any, rstd: Any, mean: Any, axes: tuple[int, ...]) -> Any:
    """The gradient of x from that of its normalised value."""
    xhat = (x - mean) * rstd
    return rstd * (ghat - m.mean(ghat, axes, True) - xhat * m.mean(ghat * xhat, axes, True))


def _constants(m: Any, x: Any, axes: tuple[int, ...], eps: float, mean: Any, rstd: Any) -> tuple[Any, Any]:
    """The saved statistics; worked out again from x where the rule itself is being differentiated."""
    if not isinstance(x, Tensor):
        return mean, rstd
    centre = x.mean(axes, keepdim=True)
    return centre, ((x - centre) ** 2).mean(axes, keepdim=True).add(eps).rsqrt()


# -- layer norm ------------------------------------------------------------------------------------------------------


def _last(ndim: int, count: int) -> tuple[int, ...]:
    return tuple(range(ndim - count, ndim))


def _layer_norm(input: Any, weight: Any, bias: Any, normalized_shape: tuple[int, ...], eps: float) -> Any:
    axes = _last(input.ndim, len(normalized_shape))
    mean, rstd = _stats(input, axes, eps)
    result = (input - mean) * rstd
    if weight is not None:
        result = result * weight
    return (result if bias is None else result + bias), mean, rstd


def _layer_rule(
    g: Any,
    m: Any,
    input: Any,
    weight: Any,
    bias: Any,
    mean: Any,
    rstd: Any,
    needs: Any,
    normalized_shape: tuple[int, ...],
    eps: float,
) -> tuple[Any, Any, Any]:
    g, n = g[0], len(normalized_shape)
    axes, lead = _last(len(input.shape), n), tuple(range(len(input.shape) - n))
    mean, rstd = _constants(m, input, axes, eps, mean, rstd)
    ghat = g if weight is None else g * weight

    def over(x: Any) -> Any:
        return m.sum(x, lead, False) if lead else x

    return (
        _through(m, ghat, input, rstd, mean, axes) if needs[0] else None,
        over(g * ((input - mean) * rstd)) if needs[1] else None,
        over(g) if needs[2] else None,
    )


layer_norm_op = op(
    "native_layer_norm", "NativeLayerNormBackward0", _layer_norm, inputs="input weight bias",
    outputs="result mean rstd",
    nondiff="mean rstd", vjp={"input weight bias": _layer_rule},
    local={"input": "weight·rstd·(g - mean g - x̂·mean g·x̂)", "weight": "g·x̂", "bias": "g"},
    rule={"weight": "Σ g·x̂", "bias": "Σ g"}, symbol="layer_norm({input})", method=False, public=False,
    shown="layer_norm",
)  # fmt: skip


@neural_of_tensors
def layer_norm(
    input: Tensor, normalized_shape: Any, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Mean 0 and variance 1 over the last dimensions, then weight and bias."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []"
        )
    for name, given in (("weight", weight), ("bias", bias)):
        if given is not None and tuple(given.shape) != shape:
            raise RuntimeError(
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(given.shape)} and normalized_shape = {list(shape)}"
            )
    if tuple(input.shape[max(input.ndim - len(shape), 0) :]) != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [*, {', '.join(map(str, shape))}], but "
            f"got input of size{list(input.shape)}"
        )
    _same_kind(input, weight, bias)
    result: Tensor = layer_norm_op.function(input, weight, bias, shape, eps)[0]
    return result


def native_layer_norm(input: Tensor, normalized_shape: Any, weight: Any, bias: Any, eps: float) -> Any:
    """layer_norm with the mean and one over the deviation that it used."""
    return tuple(layer_norm_op.function(input, weight, bias, tuple(normalized_shape), eps))


FUNCTIONS["native_layer_norm"] = native_layer_norm
FUNCTIONS["layer_norm"] = layer_norm


@neural
def rms_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None) -> Tensor:
    """``input`` over its root mean square over the last dimensions."""
    shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    if not shape:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []"
        )
    if tuple(input.shape[max(input.ndim - len(shape), 0) :]) != shape:
        raise RuntimeError(
            f"Given normalized_shape={list(shape)}, expected input with shape [*, {', '.join(map(str, shape))}], but "
            f"got input of size{list(input.shape)}"
        )
    if weight is not None and tuple(weight.shape) != shape:
        raise RuntimeError(
            f"Expected weight to be of same shape as normalized_shape, but got weight of shape {list(weight.shape)} "
            f"and normalized_shape = {list(shape)}"
        )
    small = float(np.finfo(input.array.dtype).eps) if eps is None else eps
    result = input * ((input * input).mean(_last(input.ndim, len(shape)), keepdim=True) + small).rsqrt()
    return result if weight is None else result * weight  # type: ignore[no-any-return]


FUNCTIONS["rms_norm"] = rms_norm

# -- batch norm ------------------------------------------------------------------------------------------------------


def _but_channels(ndim: int) -> tuple[int, ...]:
    return (0, *range(2, ndim))


def _per_channel(x: Any, ndim: int) -> Any:
    return x.reshape((1, -1) + (1,) * (ndim - 2)) if ndim > 1 else x


def _batch_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, eps: float
) -> tuple[Any, Any, Any]:
    n = input.ndim
    if training:
        mean, rstd = _stats(input, _but_channels(n), eps)
    else:
        mean = _per_channel(running_mean, n).copy()
        rstd = (1 / np.sqrt(_per_channel(running_var, n) + running_var.dtype.type(eps))).astype(running_var.dtype)
    result = (input - mean) * rstd
    if weight is not None:
        result = result * _per_channel(weight, n)
    if bias is not None:
        result = result + _per_channel(bias, n)
    return result.astype(input.dtype), mean.reshape(-1), rstd.reshape(-1)


def _batch_rule(
    g: Any, m: Any, input: Any, weight: Any, save_mean: Any, save_rstd: Any, needs: Any, training: bool, eps: float
) -> tuple[Any, Any, Any]:
    g, n = g[0], len(input.shape)
    axes = _but_channels(n)
    mean, rstd = _per_channel(save_mean, n), _per_channel(save_rstd, n)
    if training:
        mean, rstd = _constants(m, input, axes, eps, mean, rstd)
    ghat = g if weight is None else g * _per_channel(weight, n)
    return (
        (_through(m, ghat, input, rstd, mean, axes) if training else ghat * rstd) if needs[0] else None,
        m.sum(g * ((input - mean) * rstd), axes, False) if needs[1] else None,
        m.sum(g, axes, False) if needs[2] else None,
    )


batch_norm_op = op(
    "native_batch_norm", "NativeBatchNormBackward0", _batch_norm, inputs="input weight bias running_mean running_var",
    outputs="result save_mean save_rstd", nondiff="save_mean save_rstd", vjp={"input weight bias": _batch_rule},
    local={"input": "weight·rstd·(g - mean g - x̂·mean g·x̂)", "weight": "Σ g·x̂", "bias": "Σ g"},
    rule={"weight": "Σ g·x̂", "bias": "Σ g"}, symbol="batch_norm({input})", method=False,
    public=False, shown="batch_norm",
)  # fmt: skip


def _track(input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, momentum: float) -> None:
    """Moves the running statistics towards those of this batch; the variance is the unbiased one."""
    from ..inplace import written

    axes = _but_channels(input.ndim)
    count = input.array.size // max(input.shape[1] if input.ndim > 1 else 1, 1)
    if not count:
        return
    if running_mean is not None:
        fresh = input.array.mean(axis=axes)
        running_mean.array[...] = (1 - momentum) * running_mean.array + momentum * fresh
        written(running_mean)
    if running_var is not None:
        fresh = input.array.var(axis=axes) * (count / max(count - 1, 1))
        running_var.array[...] = (1 - momentum) * running_var.array + momentum * fresh
        written(running_var)


def _same_kind(input: Tensor, *others: Tensor | None) -> None:
    if any(x is not None and x.dtype is not input.dtype for x in others):
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def _check_channels(input: Tensor, **given: Any) -> None:
    channels = input.shape[1] if input.ndim > 1 else input.shape[0]
    for name, tensor in given.items():
        if tensor is not None and tensor.array.size != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {tensor.array.size}")


@neural
def batch_norm(
    input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Mean 0 and variance 1 for each channel: of the batch while training (and remembered), else the remembered
    ones.
    """
    if training:
        count = input.array.size // max(input.shape[1], 1) if input.ndim > 1 else input.array.size
        if count <= 1 and input.array.size:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {input.shape}")
        if eps <= 0:
            raise ValueError(f"batch_norm eps must be positive during training, but got {eps}")
    _check_channels(input, running_mean=running_mean, running_var=running_var, weight=weight, bias=bias)
    _same_kind(input, running_mean, running_var, weight, bias)
    if not training and (running_mean is None or running_var is None):
        missing = "running_mean" if running_mean is None else "running_var"
        raise RuntimeError(f"{missing} must be defined in evaluation mode")
    result: Tensor = batch_norm_op.function(
        input, weight, bias, None if training else running_mean, None if training else running_var, training, eps
    )[0]
    if training:
        _track(input, running_mean, running_var, momentum)
    return result


FUNCTIONS["batch_norm"] = batch_norm


@neural
def instance_norm(
    input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None, weight: Tensor | None = None,
    bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1, eps: float = 1e-5,
) -> Tensor:  # fmt: skip
    """Batch norm of every sample by itself."""
    n, c, *size = input.shape
    if use_input_stats and math.prod(size) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.shape}")
    flat = input.reshape(1, n * c, *size)

    def copies(x: Tensor | None) -> Tensor | None:
        return None if x is None else x.repeat(n)

    mean, var = copies(running_mean), copies(running_var)
    result: Tensor = batch_norm(flat, mean, var, copies(weight), copies(bias), use_input_stats, momentum, eps)
    if use_input_stats:
        from ..inplace import written

        for running, fresh in ((running_mean, mean), (running_var, var)):
            if running is not None and fresh is not None:
                running.array[...] = fresh.array.reshape(n, c).mean(0)
                written(running)
    return result.view(tuple(input.shape))  # type: ignore[no-any-return]


FUNCTIONS["instance_norm"] = instance_norm

# -- group norm ------------------------------------------------------------------------------------------------------


def _in_groups(x: Any, groups: int) -> Any:
    return x.reshape((x.shape[0], groups, math.prod(x.shape[1:]) // groups))


def _group_norm(input: Any, weight: Any, bias: Any, num_groups: int, eps: float) -> tuple[Any, Any, Any]:
    parts = _in_groups(input, num_groups)
    mean, rstd = _stats(parts, (2,), eps)
    result = ((parts - mean) * rstd).reshape(input.shape)
    if weight is not None:
        result = result * _per_channel(weight, input.ndim)
    if bias is not None:
        result = result + _per_channel(bias, input.ndim)
    return result, mean[..., 0], rstd[..., 0]


def _group_rule(
    g: Any, m: Any, input: Any, weight: Any, mean: Any, rstd: Any, needs: Any, num_groups: int, eps: float
) -> tuple[Any, Any, Any]:
    g, n = g[0], len(input.shape)
    parts, axes = _in_groups(input, num_groups), _but_channels(n)
    mean, rstd = mean.reshape((*mean.shape, 1)), rstd.reshape((*rstd.shape, 1))
    mean, rstd = _constants(m, parts, (2,), eps, mean, rstd)
    ghat = g if weight is None else g * _per_channel(weight, n)
    xhat = ((parts - mean) * rstd).reshape(tuple(input.shape))
    return (
        _through(m, _in_groups(ghat, num_groups), parts, rstd, mean, (2,)).reshape(tuple(input.shape))
        if needs[0]
        else None,
        m.sum(g * xhat, axes, False) if needs[1] else None,
        m.sum(g, axes, False) if needs[2] else None,
    )


group_norm_op = op(
    "native_group_norm", "NativeGroupNormBackward0", _group_norm, inputs="input weight bias",
    outputs="result mean rstd",
    nondiff="mean rstd", vjp={"input weight bias": _group_rule},
    local={"input": "as layer_norm, by groups", "weight": "Σ g·x̂", "bias": "Σ g"},
    rule={"input": "weight·rstd·(g - mean g - x̂·mean g·x̂), by groups", "weight": "Σ g·x̂", "bias": "Σ g"},
    symbol="group_norm({input})", method=False, public=False, shown="group_norm",
)  # fmt: skip


@neural
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Tensor:
    """Mean 0 and variance 1 over each group of channels of each sample."""
    if input.ndim < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.ndim}")
    if input.shape[1] % num_groups:
        raise RuntimeError(
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(input.shape)} and num_groups={num_groups}"
        )
    for name, given in (("weight", weight), ("bias", bias)):
        if given is not None and (given.ndim != 1 or given.array.size != input.shape[1]):
            raise RuntimeError(
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of "
                f"shape {list(given.shape)} and input of shape {list(input.shape)}"
            )
    result: Tensor = group_norm_op.function(input, weight, bias, num_groups, eps)[0]
    return result


FUNCTIONS["group_norm"] = group_norm
