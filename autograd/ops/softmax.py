"""softmax and log_softmax: shares that sum to one, computed so that large inputs do not overflow."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY, to_dtype
from ..summation import by_blas, ones, row_maxima, row_totals
from ..tensor import Tensor
from .elementary import precise
from .namespaces import NEURAL, SPECIAL
from .shaping import axis_of
from .table import FUNCTIONS, METHODS, Operation, op


def _shifted(input: Any, dim: int, name: str) -> tuple[Any, int]:
    """input minus its largest entry along ``dim``, so that exp stays at most 1."""
    if input.dtype.kind != "f":
        raise NotImplementedError(f"\"{name}_lastdim_kernel_impl\" not implemented for '{OF_NUMPY[input.dtype].word}'")
    axis = axis_of(dim, np.ndim(input))
    x = np.asarray(input)
    if x.ndim == 0:
        return x - x, 0
    if not x.size:
        return x, axis
    return x - (row_maxima(x) if axis == x.ndim - 1 else x.max(axis=axis, keepdims=True)), axis


_exp, _log = precise(np.exp), precise(np.log)


def _totals(x: Any, axis: int) -> Any:
    return row_totals(x) if axis == x.ndim - 1 else x.sum(axis=axis, keepdims=True)


def _softmax(input: Any, dim: int) -> Any:
    if input.dtype.kind == "f" and input.dtype.itemsize == 2:
        return _softmax(input.astype(np.float32), dim).astype(input.dtype)
    x, axis = _shifted(input, dim, "softmax")
    e = _exp(x)
    return e / _totals(e, axis) if e.ndim else e


def _log_softmax(input: Any, dim: int) -> Any:
    if input.dtype.kind == "f" and input.dtype.itemsize == 2:
        return _log_softmax(input.astype(np.float32), dim).astype(input.dtype)
    if dim == 1 and by_blas(input):  # rows of scores, as most networks end; the same in as few steps as can be
        x = input - row_maxima(input)
        totals = np.exp(x) @ ones(x.shape[1], x.dtype)
        x -= np.log(totals, out=totals)[:, None]
        return x
    x, axis = _shifted(input, dim, "log_softmax")
    return x - _log(_totals(_exp(x), axis)) if x.ndim else x


def _parse(input: Any, dim: Any = None, dtype: Any = None, _stacklevel: int = 3) -> Any:
    return _guessed("softmax", input, dim, dtype)


def _parse_log(input: Any, dim: Any = None, dtype: Any = None, _stacklevel: int = 3) -> Any:
    return _guessed("log_softmax", input, dim, dtype)


def _guessed(name: str, input: Any, dim: Any, dtype: Any) -> Any:
    if dtype is not None:
        input = input.to(to_dtype(dtype))
    if dim is None:  # PyTorch's old guess, with its warning
        warnings.warn(
            f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an "
            "argument.",
            UserWarning,
            stacklevel=4,
        )
        dim = 0 if input.ndim in (0, 1, 3) else 1
    if not isinstance(dim, (int, np.integer)):
        raise TypeError(f"{name}(): argument 'dim' (position 1) must be int, not {type(dim).__name__}")
    return (input,), (dim,)


def _total(m: Any, x: Any, dim: int) -> Any:
    if not x.shape:
        return x
    return _totals(x, axis_of(dim, x.ndim)) if isinstance(x, np.ndarray) else m.sum(x, (dim,), True)


def _log_rule(g: Any, m: Any, result: Any, dim: int) -> Any:
    if not isinstance(result, np.ndarray):
        return g - m.exp(result) * _total(m, g, dim)
    if dim == 1 and by_blas(g):
        share = np.exp(result)
        share *= (g @ ones(g.shape[1], g.dtype))[:, None]
    else:
        share = _exp(result)
        share *= _totals(g, axis_of(dim, result.ndim))
    return np.subtract(g, share, out=share)


softmax = op(
    "softmax", "SoftmaxBackward0", _softmax, inputs="input",
    vjp={"input": lambda g, m, result, dim: result * (g - _total(m, g * result, dim))},
    local={"input": "s·(g - Σ g·s)"}, rule={"input": "s·(g - Σ g·s)"}, symbol="softmax({input})", parse=_parse,
)  # fmt: skip
log_softmax = op(
    "log_softmax", "LogSoftmaxBackward0", _log_softmax, inputs="input",
    vjp={"input": _log_rule},
    local={"input": "g - softmax({input})·Σ g"}, symbol="log_softmax({input})", parse=_parse_log,
)  # fmt: skip


def softmin(input: Tensor, dim: Any = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """softmax of ``-input``."""
    result: Tensor = softmax.function(-input, dim, dtype)
    return result


NEURAL.update(softmax=softmax.function, log_softmax=log_softmax.function, softmin=softmin)
SPECIAL.update(softmax=softmax.function, log_softmax=log_softmax.function)


def _with_dim(name: str, of: Operation) -> None:
    """``torch.softmax`` and the method, which want a dimension; those of ``nn.functional`` guess one."""

    def function(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
        result: Tensor = of.function(input, dim, dtype)
        return result

    function.__name__ = function.__qualname__ = name
    FUNCTIONS[name] = METHODS[name] = function


_with_dim("softmax", softmax)
_with_dim("log_softmax", log_softmax)


def gumbel_softmax(logits: Tensor, tau: float = 1, hard: bool = False, eps: float = 1e-10, dim: int = -1) -> Tensor:
    """A sample from the Gumbel-softmax distribution; with ``hard`` one-hot, by the straight-through trick."""
    from ..creation import zeros_like
    from ..dispatch import make
    from ..random import numpy_generator

    noise = -np.log(numpy_generator().exponential(size=logits.shape)).astype(logits.array.dtype)
    soft: Tensor = softmax.function((logits + make(noise)) / tau, dim)
    if not hard:
        return soft
    index = soft.argmax(dim, keepdim=True)
    one_hot = zeros_like(logits).scatter(dim, index, 1.0)
    return one_hot - soft.detach() + soft  # type: ignore[no-any-return]


NEURAL["gumbel_softmax"] = gumbel_softmax
