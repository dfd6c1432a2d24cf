"""Drawing random tensors: from the default generator, or from the one that is given.

See :mod:`autograd.random` for seeds and states. The in-place forms (``normal_``, ``uniform_``) are operations of the
table: what they overwrite gets a gradient of zero.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import errors
from .creation import _finish, _number, _numpy, size_of
from .dispatch import make
from .dtypes import OF_NUMPY, int64, to_dtype
from .errors import only_floats
from .ops import generate
from .ops.table import FUNCTIONS, METHODS, op
from .placement import combined
from .random import Generator, numpy_generator
from .tensor import Tensor


def uniform_array(shape: tuple[int, ...], kind: Any, generator: Generator | None = None) -> Any:
    """Numbers in [0, 1) as an array of type ``kind``."""
    kind = np.dtype(kind)
    only_floats("check_uniform_bounds", kind)
    draw = kind if kind in (np.float32, np.float64) else np.dtype(np.float32)
    return np.asarray(numpy_generator(generator).random(shape, draw)).astype(kind)


def normal_array(shape: tuple[int, ...], kind: Any, generator: Generator | None = None) -> Any:
    """Standard normal numbers as an array of type ``kind``."""
    kind = np.dtype(kind)
    only_floats("normal_kernel_cpu", kind)
    draw = kind if kind in (np.float32, np.float64) else np.dtype(np.float32)
    return np.asarray(numpy_generator(generator).standard_normal(shape, draw)).astype(kind)


@combined
def rand(
    *size: Any, generator: Generator | None = None, dtype: Any = None, requires_grad: bool = False, **_: Any
) -> Tensor:
    """Uniform numbers in [0, 1)."""
    return _finish(uniform_array(size_of(_.get("size", size), "rand"), _numpy(dtype), generator), requires_grad)


@combined
def randn(
    *size: Any, generator: Generator | None = None, dtype: Any = None, requires_grad: bool = False, **_: Any
) -> Tensor:
    """Standard normal numbers."""
    return _finish(normal_array(size_of(_.get("size", size), "randn"), _numpy(dtype), generator), requires_grad)


@combined
def randint(
    low: Any, high: Any = None, size: Any = None, *, generator: Generator | None = None, dtype: Any = None,
    requires_grad: bool = False, **_: Any,
) -> Tensor:  # fmt: skip
    """Integers from ``low`` (0 if left out) to ``high``, without ``high``."""
    if isinstance(high, (tuple, list)):
        size, high = high, None
    if high is None:
        low, high = 0, low
    elif size is None:
        raise TypeError("randint(): argument 'size' (position 2) must be tuple of ints, not int")
    for value in (low, high):
        if not isinstance(_number(value), (int, np.integer)):
            raise TypeError(f"argument 'high' (position 1) must be int, not {errors.type_name(value)}")
    if not isinstance(size, (tuple, list)):
        forms = "int high, tuple of ints size\nint low, int high, tuple of ints size"
        raise errors.no_form("randint", (high,) if size is None else (low, high, size), forms=forms)
    if low >= high:
        raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
    kind = int64 if dtype is None else to_dtype(dtype)
    if kind.category == 0 and high > 2:
        raise RuntimeError("to - 1 is out of bounds for bool")
    values = numpy_generator(generator).integers(int(low), int(high), size_of((size,), "randint"))
    return _finish(np.asarray(values).astype(kind.numpy), requires_grad)


@combined
def randperm(n: int, *, generator: Generator | None = None, dtype: Any = None, **_: Any) -> Tensor:
    """The numbers 0 to ``n`` - 1 in random order."""
    kind = int64 if dtype is None else to_dtype(dtype)
    if not isinstance(n, (int, np.integer)):
        raise TypeError(f"randperm(): argument 'n' (position 1) must be int, not {errors.type_name(n)}")
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    return _finish(numpy_generator(generator).permutation(n).astype(kind.numpy), False)


@combined
def rand_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Uniform numbers in [0, 1) in the shape and type of ``input``."""
    return rand(input.array.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


@combined
def randn_like(input: Tensor, *, dtype: Any = None, requires_grad: bool = False, **_: Any) -> Tensor:
    """Standard normal numbers in the shape and type of ``input``."""
    return randn(input.array.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


@combined
def randint_like(input: Tensor, low: Any, high: Any = None, *, dtype: Any = None, **_: Any) -> Tensor:
    """Random integers in the shape and type of ``input``."""
    low, high = (0, low) if high is None else (low, high)
    return randint(low, high, input.array.shape, dtype=dtype or input.dtype)


@combined
def normal(
    mean: Any, std: Any = 1.0, size: Any = None, *, generator: Generator | None = None, dtype: Any = None,
    requires_grad: bool = False, **_: Any,
) -> Tensor:  # fmt: skip
    """Normal numbers with the given means and standard deviations (tensors, or numbers with ``size``)."""
    if isinstance(std, (int, float)) and std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    if isinstance(std, Tensor) and (std.array < 0).any():
        raise RuntimeError("normal expects all elements of std >= 0.0")
    if isinstance(mean, Tensor) or isinstance(std, Tensor):
        shape = np.broadcast_shapes(*(x.array.shape for x in (mean, std) if isinstance(x, Tensor)))
        kind = (mean if isinstance(mean, Tensor) else std).array.dtype
        noise = make(normal_array(shape, kind, generator))
        with_grad: Tensor = (noise * std + mean).detach()
        return with_grad
    if not isinstance(size, (tuple, list)):
        given = [mean, std] if size is None else [mean, std, size]
        forms = "Tensor mean, Tensor std\nTensor mean, float std = 1\nfloat mean, Tensor std"
        raise errors.no_form("normal", given, forms=forms + "\nfloat mean, float std, tuple of ints size")
    shape = size_of((size,), "normal")
    kind = _numpy(dtype)
    return _finish((normal_array(shape, kind, generator) * std + mean).astype(kind), requires_grad)


def _multinomial(input: Any, num_samples: int, replacement: bool = False, *, generator: Generator | None = None) -> Any:
    """Indices drawn with probabilities proportional to the rows of ``input``."""
    if input.dtype.kind != "f":
        raise RuntimeError(
            "multinomial only supports floating-point dtypes for input, got: " + OF_NUMPY[input.dtype].word
        )
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if input.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    rows = np.atleast_2d(input.astype(np.float64))
    if (rows < 0).any() or not np.isfinite(rows).all():
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if (rows.sum(-1) == 0).any():
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    if not replacement and num_samples > rows.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    stream = numpy_generator(generator)
    drawn = [stream.choice(len(p), num_samples, replace=replacement, p=p / p.sum()) for p in rows]
    out = np.array(drawn, np.int64)
    return out[0] if input.ndim == 1 else out


multinomial = op("multinomial", None, _multinomial, inputs="input", symbol="multinomial({input}, {num_samples})")


def _chances(input: Any, p: Any = None, generator: Generator | None = None) -> Any:
    if p is None:
        errors.only_floats("bernoulli_tensor_cpu_p_", input)
    chance = np.asarray(input if p is None else p)
    if not ((chance >= 0) & (chance <= 1)).all():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  If "
            "so, please report an enhancement request to PyTorch.)"
        )
    return (uniform_array(np.shape(input), np.float64, generator) < chance).astype(input.dtype)


bernoulli = op(
    "bernoulli", "BernoulliBackward0", _chances,
    inputs="input", vjp={"input": lambda g, m: m.zeros_like(g)}, symbol="bernoulli({input})",
)  # fmt: skip


def _in_place(name: str, grad_fn: str, kernel: Any) -> None:
    made = op(
        f"{name}_fill", grad_fn, kernel, inputs="input", vjp={"input": lambda g, m: m.zeros_like(g)}, method=False,
        public=False, symbol="random numbers", shown=name,
    )  # fmt: skip
    METHODS[name + "_"] = generate.in_place(made)


def _uniform(input: Any, from_: float = 0.0, to: float = 1.0, *, generator: Generator | None = None) -> Any:
    if from_ > to:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={from_:g} > to={to:g}")
    return from_ + (to - from_) * uniform_array(np.shape(input), input.dtype, generator)


def _normal(input: Any, mean: float = 0.0, std: float = 1.0, *, generator: Generator | None = None) -> Any:
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    return mean + std * normal_array(np.shape(input), input.dtype, generator)


def _bernoulli(input: Any, p: Any = 0.5, *, generator: Generator | None = None) -> Any:
    chance = p.array if isinstance(p, Tensor) else p
    return (uniform_array(np.shape(input), np.float64, generator) < chance).astype(input.dtype)


def _exponential(input: Any, lambd: float = 1.0, *, generator: Generator | None = None) -> Any:
    if input.dtype.kind != "f":
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you "
            f"specified {OF_NUMPY[input.dtype].word}"
        )
    if lambd <= 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    return -np.log1p(-uniform_array(np.shape(input), np.float64, generator)) / lambd


def _integers(input: Any, from_: int = 0, to: int | None = None, *, generator: Generator | None = None) -> Any:
    if to is None:
        everything = (1 << 24) + 1 if input.dtype.kind == "f" else int(np.iinfo(input.dtype).max)
        from_, to = 0, from_ or everything
    return numpy_generator(generator).integers(from_, to, np.shape(input)).astype(input.dtype)


def _geometric(input: Any, p: float, *, generator: Generator | None = None) -> Any:
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    return np.ceil(np.log1p(-uniform_array(np.shape(input), np.float64, generator)) / np.log1p(-p)).clip(1)


def _cauchy(input: Any, median: float = 0.0, sigma: float = 1.0, *, generator: Generator | None = None) -> Any:
    if sigma <= 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    return median + sigma * np.tan(np.pi * (uniform_array(np.shape(input), np.float64, generator) - 0.5))


def _log_normal(input: Any, mean: float = 1.0, std: float = 2.0, *, generator: Generator | None = None) -> Any:
    if std <= 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    return np.exp(mean + std * normal_array(np.shape(input), np.float64, generator))


_in_place("geometric", "GeometricBackward0", _geometric)
_in_place("cauchy", "CauchyBackward0", _cauchy)
_in_place("log_normal", "LogNormalBackward0", _log_normal)
_in_place("uniform", "UniformBackward0", _uniform)
_in_place("normal", "NormalBackward0", _normal)
_in_place("bernoulli", "BernoulliBackward2", _bernoulli)
_in_place("exponential", "ExponentialBackward0", _exponential)
_in_place("random", "RandomBackward2", _integers)
for _function in (rand, randn, randint, randperm, rand_like, randn_like, randint_like, normal):
    FUNCTIONS[_function.__name__] = _function
