"""Products of matrices and vectors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dispatch import as_input
from ..dtypes import OF_NUMPY
from ..errors import argument_of, broadcast
from ..tensor import Tensor
from .table import METHODS, arrays, composite, op


def _same_type(a: Any, b: Any) -> None:
    if a.dtype != b.dtype:
        from ..dtypes import OF_NUMPY

        names = [OF_NUMPY[x.dtype].name for x in (a, b)]
        words = {"float32": "float", "float64": "double", "int64": "long int", "int32": "int", "float16": "c10::Half"}
        a_name, b_name = (words.get(n, n) for n in names)
        raise RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {a_name} != {b_name}")


def _mm(input: Any, mat2: Any) -> Any:
    if input.ndim != 2 or mat2.ndim != 2:
        which = "self" if input.ndim != 2 else "mat2"
        raise RuntimeError(f"{which} must be a matrix")
    if input.shape[1] != mat2.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({input.shape[0]}x{input.shape[1]} and "
            f"{mat2.shape[0]}x{mat2.shape[1]})"
        )
    if input.dtype != mat2.dtype:
        _same_type(input, mat2)
    return input @ mat2


mm = op(
    "mm", "MmBackward0", _mm,
    vjp={"input": "m.mm(g, m.t(mat2))", "mat2": "m.mm(m.t(input), g)"},
    jvp="bilinear", local={"input": "g @ {mat2}ᵀ", "mat2": "{input}ᵀ @ g"}, symbol="{input} @ {mat2}", shown="matmul",
    flops=lambda a, b: a.shape[0] * a.shape[1] * b.shape[1],
)  # fmt: skip


arrays.mm = np.matmul  # rules multiply what fits


def _mv(input: Any, vec: Any) -> Any:
    if input.shape[1] != vec.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({input.shape[0]}), mat ({input.shape[0]}x{input.shape[1]}), vec "
            f"({vec.shape[0]})"
        )
    _same_type(input, vec)
    return input @ vec


mv = op(
    "mv", "MvBackward0", _mv,
    vjp={"input": lambda g, m, vec: m.outer(g, vec), "vec": lambda g, m, input: m.mv(m.t(input), g)},
    jvp="bilinear", local={"input": "g ⊗ {vec}", "vec": "{input}ᵀ @ g"}, symbol="{input} @ {vec}", shown="matmul",
    flops=lambda a, b: a.shape[0] * a.shape[1],
)  # fmt: skip


def _dot(input: Any, tensor: Any) -> Any:
    if input.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {input.ndim}D and {tensor.ndim}D tensors")
    if input.dtype != tensor.dtype:
        words = [OF_NUMPY[x.dtype].word for x in (input, tensor)]
        raise RuntimeError(f"dot : expected both vectors to have same dtype, but found {words[0]} and {words[1]}")
    if input.shape != tensor.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{input.shape[0]}] and src [{tensor.shape[0]}] to have the "
            f"same number of elements, but got {input.shape[0]} and {tensor.shape[0]} elements respectively"
        )
    return input @ tensor


dot = op(
    "dot", "DotBackward0", _dot,
    vjp={"input": lambda g, tensor: g * tensor, "tensor": lambda g, input: g * input},
    jvp="bilinear", local={"input": "g · {tensor}", "tensor": "g · {input}"}, symbol="{input} @ {tensor}",
    shown="matmul", flops=lambda a, b: a.size,
)  # fmt: skip


def _bmm(input: Any, mat2: Any) -> Any:
    for name, x in (("batch1", input), ("batch2", mat2)):
        if np.ndim(x) != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if input.shape[0] != mat2.shape[0] or input.shape[2] != mat2.shape[1]:
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{input.shape[0]}, {input.shape[2]}] "
            f"but got: [{mat2.shape[0]}, {mat2.shape[1]}]."
        )
    if input.dtype != mat2.dtype:
        words = [OF_NUMPY[x.dtype].word for x in (input, mat2)]
        raise RuntimeError(f"expected scalar type {words[0]} but found {words[1]}")
    return np.matmul(input, mat2)


bmm = op(
    "bmm", "BmmBackward0",
    lambda input, mat2: _bmm(input, mat2),
    vjp={
        "input": lambda g, m, mat2: m.bmm(g, m.transpose(mat2, -2, -1)),
        "mat2": lambda g, m, input: m.bmm(m.transpose(input, -2, -1), g),
    },
    jvp="bilinear", local={"input": "g @ {mat2}ᵀ", "mat2": "{input}ᵀ @ g"}, symbol="{input} @ {mat2}", shown="matmul",
    flops=lambda a, b: a.size * b.shape[-1],
)  # fmt: skip


def _stacks(input: Any, other: Any) -> Any:
    """Products of stacks of matrices whose leading dimensions broadcast."""
    problem = broadcast([input.shape[:-2], other.shape[:-2]])
    if problem is not None:
        raise problem
    if input.dtype != other.dtype:
        _same_type(input, other)
    if input.shape[-1] != other.shape[-2]:
        lead = math.prod(np.broadcast_shapes(input.shape[:-2], other.shape[:-2]))
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: [{lead}, {input.shape[-1]}] but got: "
            f"[{lead}, {other.shape[-2]}]."
        )
    return np.matmul(input, other)


matmul_nd = op(
    "_matmul_nd", "UnsafeViewBackward0",
    lambda input, other: _stacks(input, other),
    vjp={
        "input": lambda g, m, other: m.matmul(g, m.transpose(other, -2, -1)),
        "other": lambda g, m, input: m.matmul(m.transpose(input, -2, -1), g),
    },
    jvp="bilinear", local={"input": "g @ {other}ᵀ", "other": "{input}ᵀ @ g"}, symbol="{input} @ {other}",
    shown="matmul", method=False, public=False, flops=lambda a, b: np.matmul(a, b).size * a.shape[-1],
)  # fmt: skip


def _as_vector(g: Any) -> Any:
    return g.reshape((-1,))


matvec_nd = op(
    "_matvec_nd", "UnsafeViewBackward0",
    lambda input, other: np.matmul(input, other),
    vjp={
        "input": lambda g, m, other: g.reshape((*g.shape, 1)) * other,
        "other": lambda g, m, input: m.mv(m.t(input.reshape((-1, input.shape[-1]))), _as_vector(g)),
    },
    jvp="bilinear", local={"input": "g ⊗ {other}", "other": "{input}ᵀ @ g"}, symbol="{input} @ {other}",
    shown="matmul", method=False, public=False, flops=lambda a, b: a.size,
)  # fmt: skip

#: the dimension that a vector got for the product, taken out again; no view, since nobody else has the matrix
squeezed = op(
    "_squeezed", "SqueezeBackward4", lambda input, dim: input.squeeze(dim), inputs="input",
    vjp={"input": lambda g, input_shape: g.reshape(input_shape)}, jvp="linear", rule={"input": "g as a row"},
    symbol="{input}.squeeze({dim})", method=False, public=False, shown="squeeze",
)  # fmt: skip


def _fits(input: Any, other: Any) -> None:
    """RuntimeError if a stack of matrices cannot be multiplied with a vector."""
    if input.dtype != other.dtype:
        _same_type(input, other)
    if input.shape[-1] != other.shape[0]:
        rows = math.prod(input.shape[:-1])
        raise RuntimeError(f"size mismatch, got input ({rows}), mat ({rows}x{input.shape[-1]}), vec ({other.shape[0]})")


def matmul(input: Any, other: Any) -> Tensor:
    """The matrix product: of vectors, matrices, and stacks of matrices (``@``)."""
    if not isinstance(other, Tensor):
        if not hasattr(other, "ndim"):
            raise argument_of("matmul", "other", 2, other)
        other = as_input(other)
    a, b = input.array.ndim, other.array.ndim
    if a == 0 or b == 0:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {a}D and {b}D")
    result: Tensor
    if a == 2 and b == 2:
        result = mm.function(input, other)
    elif a == 2 and b == 1:
        result = mv.function(input, other)
    elif a == 1 and b == 1:
        result = dot.function(input, other)
    elif a == 1 and b == 2:
        # a row matrix, and the row taken out again
        result = squeezed.function(mm.function(input.unsqueeze(0), other), 0)
    elif a == 1:
        result = matmul(other.mT, input)
    elif b == 1:
        _fits(input.array, other.array)
        result = matvec_nd.function(input, other)
    else:
        result = matmul_nd.function(input, other)
    return result


composite("matmul", matmul, array=np.matmul)


def _at(self: Any, other: Any) -> Any:
    if isinstance(other, Tensor) and self.array.ndim == other.array.ndim == 2:
        return mm.function(self, other)
    return matmul(self, other) if hasattr(other, "ndim") else NotImplemented


METHODS["__matmul__"] = _at
METHODS["__rmatmul__"] = lambda self, other: matmul(as_input(other), self) if hasattr(other, "ndim") else NotImplemented


def outer(input: Tensor, vec2: Tensor) -> Tensor:
    """Every entry of one vector times every entry of the other."""
    for name, x in (("self", input), ("vec2", vec2)):
        if x.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {x.ndim}-D")
    return input.reshape(-1, 1) * vec2  # type: ignore[no-any-return]


composite("outer", outer, array=lambda a, b: np.reshape(a, (-1, 1)) * b, aliases="ger")
