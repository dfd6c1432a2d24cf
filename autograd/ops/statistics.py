"""Products, variances, norms and other sums over many entries."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY, get_default_dtype, to_dtype
from ..tensor import Tensor
from ..warn import once
from .namespaces import LINALG, linalg
from .one_node import one_node
from .reduction import axes, axes_of, count, parse_reduction
from .reduction import sum as total
from .shaping import axis_of
from .table import composite, op

# -- products --------------------------------------------------------------------------------------------------------


def _prod(input: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    kind = dtype.numpy if dtype is not None else np.int64 if input.dtype.kind in "biu" else None
    return np.prod(
        input, axis=None if dim is None or input.ndim == 0 else axis_of(dim, input.ndim), keepdims=keepdim, dtype=kind
    )


def _prod_rule(g: Any, m: Any, input: Any, result: Any, dim: Any, keepdim: bool) -> Any:
    """g times the product of all the others: result / x where nothing is zero, else from the products on either
    side.
    """
    shape = input.shape
    over = None if dim is None else (dim,)
    if not bool((input == 0).any()):
        return m.spread(g * result, shape, over, keepdim) / input
    axis = 0 if dim is None else axis_of(dim, len(shape)) if shape else 0
    line = input.reshape((-1,)) if dim is None or not shape else input
    before, after = others(m, line, axis, False), others(m, line, axis, True)
    return m.spread(g, shape, over, keepdim) * (before * after).reshape(shape)


def others(m: Any, x: Any, axis: int, reverse: bool) -> Any:
    """For each entry the product of those before it along ``axis`` (or after it, if ``reverse``)."""
    n = x.shape[axis]
    one = m.ones_like(m.narrow(x, axis, 0, 1))
    if reverse:
        x = m.flip(x, (axis,))
    shifted = m.cat([one, m.narrow(x, axis, 0, n - 1)], axis)
    result = m.cumprod(shifted, axis)
    return m.flip(result, (axis,)) if reverse else result


def _parse_prod(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    return (input,), (dim, keepdim, None if dtype is None else to_dtype(dtype))


prod = op(
    "prod", "ProdBackward0 ProdBackward1", _prod, vjp={"input": _prod_rule},
    local={"input": "the product of the others"}, rule={"input": "g · product of the others"}, symbol="prod({input})",
    parse=_parse_prod,
    variant=lambda inputs, params: int(params[0] is not None),
)  # fmt: skip

# -- sums without nan ------------------------------------------------------------------------------------------------


def _nansum(input: Any, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    known = np.where(np.isnan(input), 0, input) if input.dtype.kind == "f" else input
    kind = dtype.numpy if dtype is not None else np.int64 if input.dtype.kind in "biu" else input.dtype
    return np.sum(known, axis=axes_of(dim, input.ndim), keepdims=keepdim, dtype=kind)


nansum = op(
    "nansum", "NansumBackward0", _nansum,
    vjp={"input": lambda g, m, input, dim, keepdim: m.where(m.isnan(input), 0.0,
        m.spread(g, input.shape, dim, keepdim))},
    local={"input": "1, and 0 where nan"}, symbol="nansum({input})", parse=parse_reduction,
)  # fmt: skip


def nanmean(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The mean of the entries that are not nan."""
    present = input.eq(input).sum(dim, keepdim)
    summed: Tensor = nansum.function(input, dim, keepdim, dtype=dtype)
    return summed / present  # type: ignore[no-any-return]


composite("nanmean", nanmean)

# -- variance --------------------------------------------------------------------------------------------------------


def _centred(input: Any, dim: Any) -> Any:
    return input - np.mean(input, axis=axes_of(dim, input.ndim), keepdims=True)


def _var(input: Any, dim: Any = None, correction: Any = 1, keepdim: bool = False) -> Any:
    if input.dtype.kind != "f":
        raise RuntimeError("std and var only support floating point and complex dtypes")
    with np.errstate(all="ignore"):
        deviations = _centred(input, dim)
        squares = np.sum(deviations * deviations, axis=axes_of(dim, input.ndim), keepdims=keepdim)
        left = max(count(np.shape(input), dim) - correction, 0)
        return (squares / np.asarray(left, input.dtype)).astype(input.dtype)


def _std(input: Any, dim: Any = None, correction: Any = 1, keepdim: bool = False) -> Any:
    return np.sqrt(_var(input, dim, correction, keepdim))


def _var_rule(g: Any, m: Any, input: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    n = count(input.shape, dim)
    left = n - correction
    factor = 2 / left if left > 0 else math.inf if left == 0 else 2 / left
    centred = input - m.spread(m.mean(input, dim, True), input.shape, dim, True)
    return m.spread(g, input.shape, dim, keepdim) * factor * centred


def _std_rule(g: Any, m: Any, input: Any, result: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    return _var_rule(m.where(result == 0, 0.0, g / (2 * result)), m, input, dim, correction, keepdim)


def parse_var(
    input: Any,
    dim: Any = None,
    unbiased: Any = None,
    keepdim: bool = False,
    *,
    correction: Any = None,
    axis: Any = None,
) -> Any:
    """``var(unbiased)``, ``var(dim, unbiased, keepdim)`` and ``var(dim, correction=1, keepdim=False)`` in one form."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if axis is not None:
        dim = axis
    if correction is None:
        correction = 1 if unbiased is None or unbiased else 0
    return (input,), (axes(dim), correction, keepdim)


def _enough(name: str) -> Any:
    """:func:`parse_var` with PyTorch's warning where too few entries are left to divide by."""

    def parse(*args: Any, **kwargs: Any) -> Any:
        (input,), params = parse_var(*args, **kwargs)
        if isinstance(input, Tensor) and input.array.dtype.kind != "f":
            raise RuntimeError("std and var only support floating point and complex dtypes")
        shape = np.shape(getattr(input, "array", input))
        if count(shape, params[0]) - params[1] <= 0:
            once(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the reduction factor "
                "(input numel divided by output numel). (Triggered internally at "
                "/__w/pytorch/pytorch/aten/src/ATen/native/ReduceOps.cpp:1861.)"
            )
        return (input,), params

    return parse


var = op(
    "var", "VarBackward0", _var, vjp={"input": _var_rule}, local={"input": "2·({input} - mean)/(n-1)"},
    symbol="var({input})", parse=_enough("var"),
)  # fmt: skip
std = op(
    "std", "StdBackward0", _std, vjp={"input": _std_rule}, local={"input": "({input} - mean)/((n-1)·std)"},
    symbol="std({input})", parse=_enough("std"),
)  # fmt: skip


def _mean_too(kernel: Any) -> Any:
    def forward(input: Any, dim: Any = None, correction: Any = 1, keepdim: bool = False) -> Any:
        return kernel(input, dim, correction, keepdim), np.mean(input, axis=axes_of(dim, input.ndim), keepdims=keepdim)

    return forward


def _mean_share(g: Any, m: Any, shape: tuple[int, ...], dim: Any, keepdim: bool) -> Any:
    return m.spread(g, shape, dim, keepdim) / max(count(shape, dim), 1)


def _var_mean_rule(g: Any, m: Any, input: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    parts = []
    if g[0] is not None:
        parts.append(_var_rule(g[0], m, input, dim, correction, keepdim))
    if g[1] is not None:
        parts.append(_mean_share(g[1], m, input.shape, dim, keepdim))
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


def _std_mean_rule(g: Any, m: Any, input: Any, std: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
    parts = []
    if g[0] is not None:
        parts.append(_std_rule(g[0], m, input, std, dim, correction, keepdim))
    if g[1] is not None:
        parts.append(_mean_share(g[1], m, input.shape, dim, keepdim))
    return parts[0] if len(parts) == 1 else parts[0] + parts[1]


var_mean = op(
    "var_mean", "VarMeanBackward0", _mean_too(_var), outputs="var mean", vjp={"input": _var_mean_rule},
    local={"input": "2·({input} - mean)/(n-1), and 1/n"}, symbol="var_mean({input})", parse=parse_var, method=False,
)  # fmt: skip
std_mean = op(
    "std_mean", "StdMeanBackward0", _mean_too(_std), outputs="std mean", vjp={"input": _std_mean_rule},
    local={"input": "({input} - mean)/((n-1)·std), and 1/n"}, symbol="std_mean({input})", parse=parse_var, method=False,
)  # fmt: skip

for _operation in (var_mean, std_mean):
    _operation.returns = lambda *results: results  # plain tuples, as in PyTorch

# -- norms -----------------------------------------------------------------------------------------------------------


def _norm(input: Any, ord: Any = 2.0, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
    x = np.asarray(input if dtype is None else input.astype(dtype.numpy))
    if x.dtype.kind != "f":
        raise RuntimeError(
            f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {OF_NUMPY[x.dtype].word}"
        )
    over = axes_of(dim, x.ndim)
    size = np.abs(x)
    if size.size == 0 and (ord < 0 or ord == math.inf) and not all(x.shape[a] for a in over):
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {'infinity' if ord == math.inf else ord} norm on an empty tensor "
            "because the operation does not have an identity"
        )
    with np.errstate(all="ignore"):
        if ord == math.inf:
            value = np.max(size, axis=over, keepdims=keepdim)
        elif ord == -math.inf:
            value = np.min(size, axis=over, keepdims=keepdim)
        elif ord == 0:
            value = np.sum(size != 0, axis=over, keepdims=keepdim)
        elif ord == 1:
            value = np.sum(size, axis=over, keepdims=keepdim)
        elif ord == 2:
            value = np.sqrt(np.sum(size * size, axis=over, keepdims=keepdim))
        else:
            value = np.sum(size**ord, axis=over, keepdims=keepdim) ** (1 / ord)
    return np.asarray(value).astype(x.dtype)


def _norm_rule(g: Any, m: Any, input: Any, result: Any, ord: Any, dim: Any, keepdim: bool) -> Any:
    """x·|x|^(p-2) / norm^(p-1); 0 is taken where the norm is 0."""
    shape = input.shape
    g, norm = m.spread(g, shape, dim, keepdim), m.spread(result, shape, dim, keepdim)
    if ord == 0:
        return None
    if ord == 1:
        return g * m.sgn(input)
    if ord == 2:
        return g * m.where(norm == 0, 0.0, input / m.where(norm == 0, 1.0, norm))
    if math.isinf(ord):
        winners = m.abs(input) == norm
        among = m.sum(m.where(winners, m.ones_like(input), 0.0), dim, True)
        return m.where(winners, m.sgn(input) * (g / among), 0.0)
    safe = m.where(norm == 0, 1.0, norm)
    if ord < 1:
        own = m.where(input == 0, 0.0, m.sgn(input) * m.abs(m.where(input == 0, 1.0, input)) ** (ord - 1))
        return own * g * safe ** (1 - ord)
    scale = m.where(norm == 0, 0.0, g / safe ** (ord - 1))
    if ord < 2:
        magnitude = m.where(input == 0, 0.0, m.abs(m.where(input == 0, 1.0, input)) ** (ord - 1))
        return m.sgn(input) * magnitude * scale
    return input * m.abs(input) ** (ord - 2) * scale


def _parse_norm(input: Any, ord: Any = 2.0, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    if isinstance(ord, str):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    return (input,), (float(ord), axes(dim), keepdim, None if dtype is None else to_dtype(dtype))


vector_norm = op(
    "vector_norm", "LinalgVectorNormBackward0", _norm, vjp={"input": _norm_rule}, local={"input": "{input}/‖{input}‖"},
    symbol="‖{input}‖", parse=_parse_norm, method=False, public=False, shown="norm",
)  # fmt: skip
LINALG["vector_norm"] = vector_norm.function


@linalg
def matrix_norm(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The norm of the matrices in dimensions ``dim``: Frobenius, nuclear, 1, 2 or infinity."""
    if A.ndim < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    if dtype is not None:
        A = A.to(dtype)
    if ord == "fro":
        result: Tensor = vector_norm.function(A, 2, dim, keepdim)
        return result
    rows, columns = axis_of(dim[0], A.ndim), axis_of(dim[1], A.ndim)
    if ord in ("nuc", 2, -2):
        values = LINALG["svdvals"](A.movedim((rows, columns), (-2, -1)))
        result = values.sum(-1) if ord == "nuc" else values.amax(-1) if ord == 2 else values.amin(-1)
        if keepdim:
            for axis in sorted((rows, columns)):
                result = result.unsqueeze(axis)
        return result
    if ord not in (1, -1, math.inf, -math.inf):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    summed, chosen = (rows, columns) if abs(ord) == 1 else (columns, rows)
    sums = vector_norm.function(A, 1, summed, True)
    both = sums.amax(chosen, True) if ord > 0 else sums.amin(chosen, True)
    return both if keepdim else both.squeeze((rows, columns))  # type: ignore[no-any-return]


@linalg
def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The norm of a vector or a matrix, which of the two as ``dim`` or the number of dimensions says."""
    if dim is None and ord is None:
        result: Tensor = vector_norm.function(A, 2, None, keepdim, dtype=dtype)
        return result
    if isinstance(dim, int):
        dim = (dim,)
    if ord in ("fro", "nuc") or (ord is not None and (A.ndim == 2 if dim is None else len(dim) == 2)):
        return matrix_norm(A, ord, (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    if dim is None and A.ndim > 2:
        raise RuntimeError(
            f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {A.ndim}D."
        )
    return vector_norm.function(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)  # type: ignore[no-any-return]


def norm_of(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """``torch.norm``: the p-norm over everything or over ``dim``; ``"fro"`` is 2, ``"nuc"`` that of a matrix."""
    if p == "nuc":
        return matrix_norm(input, "nuc", (-2, -1) if dim is None else dim, keepdim, dtype=dtype)
    order = 2.0 if p is None or p == "fro" else p
    result: Tensor = vector_norm.function(input, order, dim, keepdim, dtype=dtype)
    return result


composite("norm", norm_of)


def _dist_rule(g: Any, m: Any, input: Any, other: Any, result: Any, p: Any) -> tuple[Any, Any]:
    slope = _norm_rule(g, m, input - other, result, p, None, False)
    return (None, None) if slope is None else (slope, -slope)


dist = op(
    "dist", "DistBackward0", lambda input, other, p=2: _norm(input - other, float(p)), inputs="input other",
    vjp={"input other": _dist_rule}, local={"input": "({input}-{other})/distance",
        "other": "({other}-{input})/distance"},
    symbol="‖{input} - {other}‖",
)  # fmt: skip


@one_node("RenormBackward0", "input", inplace=True)
def renorm(input: Tensor, p: Any, dim: int, maxnorm: Any) -> Tensor:
    """Slices along ``dim`` whose p-norm exceeds ``maxnorm`` are scaled down to it."""
    if p <= 0:
        raise RuntimeError("renorm: non-positive-norm not supported")
    if maxnorm < 0:
        raise RuntimeError(f"renorm: expected maxnorm to be >= 0 but got {maxnorm}")
    if input.ndim < 2:
        raise RuntimeError(f"renorm: input needs at least 2 dimensions, got {input.ndim} dimensions")
    rest = tuple(i for i in range(input.ndim) if i != axis_of(dim, input.ndim))
    norms = vector_norm.function(input, p, rest, True)
    scale = (norms > maxnorm).to(input.dtype)
    return input * (scale * (maxnorm / (norms + 1e-7)) + (1 - scale))  # type: ignore[no-any-return]


composite("renorm", renorm)

# -- logsumexp -------------------------------------------------------------------------------------------------------


def _logsumexp(input: Any, dim: Any, keepdim: bool = False) -> Any:
    x = input if input.dtype.kind == "f" else input.astype(get_default_dtype().numpy)
    over = axes_of(dim, x.ndim)
    if x.size == 0:
        with np.errstate(divide="ignore"):
            return np.log(np.sum(np.exp(x), axis=over, keepdims=keepdim))
    top = np.max(x, axis=over, keepdims=True)
    top = np.where(np.isinf(top), 0, top).astype(x.dtype)
    with np.errstate(divide="ignore", over="ignore"):
        value = np.log(np.sum(np.exp(x - top), axis=over, keepdims=True)) + top
    return value if keepdim else np.squeeze(value, over)


logsumexp = op(
    "logsumexp", "LogsumexpBackward0", _logsumexp, inputs="input",
    vjp={
        "input": lambda g, m, input, result, dim, keepdim: m.spread(g, input.shape, dim, keepdim)
        * m.exp(input - m.spread(result, input.shape, dim, keepdim))
    },
    local={"input": "exp({input} - result)"}, symbol="logsumexp({input})",
    parse=lambda input, dim, keepdim=False: ((input,), (axes(dim), keepdim)),
)  # fmt: skip


# -- truth, counts ---------------------------------------------------------------------------------------------------


def _truth(name: str, kernel: Any) -> None:
    def forward(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
        value = kernel(input, axis=axes_of(dim, np.ndim(input)), keepdims=keepdim)
        return value.astype(np.uint8) if np.asarray(input).dtype == np.uint8 else value

    op(
        name, None, forward, inputs="input", symbol=f"{name}({{input}})",
        parse=lambda input, dim=None, keepdim=False, axis=None: ((input,),
            (axes(dim if axis is None else axis), keepdim)),
    )  # fmt: skip


_truth("all", np.all)
_truth("any", np.any)
count_nonzero = op(
    "count_nonzero", None,
    lambda input, dim=None: np.asarray(np.count_nonzero(input, axis=axes_of(dim, np.ndim(input)))), inputs="input",
    symbol="count_nonzero({input})", parse=lambda input, dim=None: ((input,), (axes(dim),)),
)  # fmt: skip


def _trace(input: Any) -> Any:
    if input.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.ndim}")
    return np.trace(input)


trace = op(
    "trace", "TraceBackward0", _trace,
    vjp={"input": lambda g, m, input_shape: g * m.asarray(np.eye(*input_shape) == 1)},
    jvp="linear", local={"input": "1 on the diagonal, else 0"}, rule={"input": "g on the diagonal, else 0"},
    symbol="trace({input})",
)  # fmt: skip


def sum_to_size(input: Tensor, *size: Any) -> Tensor:
    """The sum over the dimensions along which ``size`` would broadcast to the shape of ``input``."""
    target = tuple(size[0]) if len(size) == 1 and not isinstance(size[0], int) else size
    lead = input.ndim - len(target)
    if lead < 0 or any(n not in (1, have) for n, have in zip(target, input.shape[lead:], strict=True)):
        raise RuntimeError(f"size {{{list(target)}}} is not expandable to size {{{list(input.shape)}}}.")
    over = tuple(range(lead)) + tuple(lead + i for i, n in enumerate(target) if n == 1 and input.shape[lead + i] != 1)
    result = total.function(input, over, True) if over or not input.ndim else input
    return result.reshape(target) if lead else result


composite("sum_to_size", sum_to_size, public=False)


def _check_weights(name: str, given: Any, whole: bool, count: int) -> None:
    """RuntimeError unless ``given`` is None or a vector of ``count`` weights of the right kind."""
    if given is None:
        return
    if given.ndim > 1:
        raise RuntimeError(
            f"cov(): expected {name} to have one or fewer dimensions but got {name} with {given.ndim} dimensions"
        )
    if given.is_floating_point() is whole:
        raise RuntimeError(
            f"cov(): expected {name} to have {'integral' if whole else 'floating point'} dtype but got {name} with "
            f"{given.dtype.word} dtype"
        )
    if given.array.size != count:
        raise RuntimeError(
            f"cov(): expected {name} to have the same numel as there are observations in the input but got "
            f"{given.array.size} != {count}"
        )
    if (given.array < 0).any():
        raise RuntimeError(f"cov(): {name} cannot be negative")


def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """The covariance matrix of variables (rows) over observations (columns)."""
    from ..creation import ones

    if input.ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {input.ndim} dimensions"
        )
    x = input.reshape(1, -1) if input.ndim < 2 else input
    for name, given, whole in (("fweights", fweights, True), ("aweights", aweights, False)):
        _check_weights(name, given, whole, x.shape[1])
    if not x.is_floating_point():
        x = x.to(get_default_dtype())
    weights = None
    for given in (fweights, aweights):
        if given is not None:
            weights = given if weights is None else weights * given
    w = ones(x.shape[1], dtype=x.dtype) if weights is None else weights
    share = w.sum()
    centred = x - (x * w).sum(1, keepdim=True) / share
    if aweights is not None and correction != 0:
        left = share - correction * (w * aweights).sum() / share
    else:
        left = share - correction
    result = (centred * w) @ centred.mT / left.clamp(min=0)
    return result.squeeze()  # type: ignore[no-any-return]


def corrcoef(input: Tensor) -> Tensor:
    """The correlation matrix of variables (rows)."""
    matrix = cov(input)
    if matrix.ndim == 0:
        return matrix / matrix
    scale = matrix.diagonal().sqrt()
    return (matrix / scale.unsqueeze(1) / scale.unsqueeze(0)).clamp(-1, 1)  # type: ignore[no-any-return]


composite("cov", cov)
composite("corrcoef", corrcoef)
