"""Sums of products in one step: lerp, addcmul, addcdiv, addmm and their kin."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY
from ..tensor import Tensor
from . import generate
from .table import FUNCTIONS, METHODS, op


def _lerp(input: Any, end: Any, weight: Any) -> Any:
    """input + weight·(end - input), computed from the nearer end, so that both ends are exact."""
    if end.dtype != input.dtype:
        names = {"float64": "double", "float32": "float", "float16": "c10::Half"}
        raise RuntimeError(
            f"expected dtype {names.get(input.dtype.name, input.dtype.name)} for `end` but got dtype "
            f"{names.get(end.dtype.name, end.dtype.name)}"
        )
    gap = end - input
    return np.where(np.abs(weight) < 0.5, input + weight * gap, end - gap * (1 - weight)).astype(input.dtype)


lerp_number = op(
    "lerp_number", "LerpBackward0", _lerp, inputs="input end",
    vjp={"input": lambda g, weight: g * (1 - weight), "end": lambda g, weight: g * weight},
    local={"input": "1 - {weight}", "end": "{weight}"}, symbol="lerp({input}, {end}, {weight})", elementwise=True,
    method=False, public=False, shown="lerp",
)  # fmt: skip
lerp_tensor = op(
    "lerp", "LerpBackward1", _lerp, inputs="input end weight",
    vjp={
        "input": lambda g, weight: g * (1 - weight), "end": lambda g, weight: g * weight,
        "weight": lambda g, input, end: g * (end - input),
    },
    local={"input": "1 - {weight}", "end": "{weight}", "weight": "{end} - {input}"},
    symbol="lerp({input}, {end}, {weight})",
    elementwise=True, method=False, public=False,
)  # fmt: skip
_write_number, _write_tensor = generate.in_place(lerp_number), generate.in_place(lerp_tensor)


def lerp(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """``input`` moved a share ``weight`` of the way to ``end``."""
    result: Tensor = (lerp_tensor if isinstance(weight, Tensor) else lerp_number).function(input, end, weight)
    return result


def lerp_(input: Tensor, end: Tensor, weight: Any) -> Tensor:
    """:func:`lerp`, written into ``input``."""
    result: Tensor = (_write_tensor if isinstance(weight, Tensor) else _write_number)(input, end, weight)
    return result


FUNCTIONS["lerp"] = METHODS["lerp"] = lerp
METHODS["lerp_"] = lerp_

addcmul = op(
    "addcmul", "AddcmulBackward0",
    lambda input, tensor1, tensor2, *, value=1: input + _scaled(tensor1 * tensor2, value),
    inputs="input tensor1 tensor2",
    vjp={
        "input": lambda g: g,
        "tensor1": lambda g, tensor2, value: g * (tensor2 * value),
        "tensor2": lambda g, tensor1, value: g * (tensor1 * value),
    },
    local={"input": "1", "tensor1": "{value}·{tensor2}", "tensor2": "{value}·{tensor1}"},
    symbol="{input} + {value}·{tensor1}·{tensor2}", promote="numeric", elementwise=True, inplace=True,
)  # fmt: skip
addcdiv = op(
    "addcdiv", "AddcdivBackward0",
    lambda input, tensor1, tensor2, *, value=1: input + value * (tensor1 / tensor2),
    inputs="input tensor1 tensor2",
    vjp={
        "input": lambda g: g,
        "tensor1": lambda g, tensor2, value: g * (value / tensor2),
        "tensor2": lambda g, tensor1, tensor2, value: -g * (value * tensor1 / (tensor2 * tensor2)),
    },
    local={"input": "1", "tensor1": "{value}/{tensor2}", "tensor2": "-{value}·{tensor1}/{tensor2}²"},
    symbol="{input} + {value}·{tensor1}/{tensor2}", promote="numeric", elementwise=True, inplace=True,
)  # fmt: skip


def _scaled(x: Any, factor: Any) -> Any:
    if factor == 1:
        return x
    return x * (x.dtype.type(factor) if isinstance(x, np.ndarray) and x.dtype.kind in "biu" else factor)


def _sum_of_product(name: str, ranks: tuple[int, int], product: Any) -> Any:
    """beta·input + alpha·(a @ b), after checking the shapes as PyTorch does."""

    def forward(input: Any, a: Any, b: Any, beta: Any, alpha: Any) -> Any:
        if a.ndim != ranks[0] or b.ndim != ranks[1]:
            kinds = {1: "vector", 2: "matrix", 3: "3-D tensor"}
            raise RuntimeError(
                f"{name}: expected a {kinds[ranks[0]]} and a {kinds[ranks[1]]}, but got {a.ndim}-D and {b.ndim}-D"
            )
        if a.dtype != b.dtype:
            words = [OF_NUMPY[x.dtype].word for x in (a, b)]
            if input.dtype == a.dtype:
                raise RuntimeError(f"self and mat2 must have the same dtype, but got {words[0]} and {words[1]}")
            raise RuntimeError(f"mat1 and mat2 must have the same dtype, but got {words[0]} and {words[1]}")
        value = product(a, b)
        if input.dtype != value.dtype:
            raise RuntimeError(
                f"self and mat2 must have the same dtype, but got {OF_NUMPY[input.dtype].word} and "
                f"{OF_NUMPY[b.dtype].word}"
            )
        value = np.asarray(value if alpha == 1 else _scaled(value, alpha))
        try:
            if beta != 0:
                np.add(value, input if beta == 1 else _scaled(input, beta), out=value)
            return value
        except ValueError:
            raise RuntimeError(
                f"The expanded size of the tensor ({value.shape[-1]}) must match the existing size "
                f"({np.shape(input)[-1]}) at non-singleton dimension {value.ndim - 1}.  Target sizes: "
                f"{list(value.shape)}.  Tensor sizes: {list(np.shape(input))}"
            ) from None

    return forward


def _mm(a: Any, b: Any) -> Any:
    if a.shape[1] != b.shape[0]:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        )
    return a @ b


_addmm = _sum_of_product("addmm", (2, 2), _mm)
addmm = op(
    "addmm", "AddmmBackward0",
    lambda input, mat1, mat2, *, beta=1, alpha=1: _addmm(input, mat1, mat2, beta, alpha), inputs="input mat1 mat2",
    vjp={
        "input": lambda g, beta: g if beta == 1 else _scaled(g, beta),
        "mat1": lambda g, m, mat2, alpha: _scaled(m.mm(g, m.t(mat2)), alpha),
        # written so that the gradient of a weight, which enters as weight.t(), lies in memory as the weight does
        "mat2": lambda g, m, mat1, alpha: _scaled(m.t(m.mm(m.t(g), mat1)), alpha),
    },
    local={"input": "{beta}", "mat1": "g @ {mat2}ᵀ", "mat2": "{mat1}ᵀ @ g"}, symbol="{input} + {mat1} @ {mat2}",
    inplace=True,
    flops=lambda input, a, b: a.shape[0] * a.shape[1] * b.shape[1],
)  # fmt: skip
_addmv = _sum_of_product("addmv", (2, 1), lambda a, b: a @ b)
addmv = op(
    "addmv", "AddmvBackward0",
    lambda input, mat, vec, *, beta=1, alpha=1: _addmv(input, mat, vec, beta, alpha), inputs="input mat vec",
    vjp={
        "input": lambda g, beta: _scaled(g, beta),
        "mat": lambda g, m, vec, alpha: m.outer(_scaled(g, alpha), vec),
        "vec": lambda g, m, mat, alpha: _scaled(m.mv(m.t(mat), g), alpha),
    },
    local={"input": "{beta}", "mat": "g ⊗ {vec}", "vec": "{mat}ᵀ @ g"}, symbol="{input} + {mat} @ {vec}", inplace=True,
    flops=lambda input, a, b: a.size,
)  # fmt: skip
_addr = _sum_of_product("addr", (1, 1), np.multiply.outer)
addr = op(
    "addr", "AddrBackward0",
    lambda input, vec1, vec2, *, beta=1, alpha=1: _addr(input, vec1, vec2, beta, alpha), inputs="input vec1 vec2",
    vjp={
        "input": lambda g, beta: _scaled(g, beta),
        "vec1": lambda g, m, vec2, alpha: _scaled(m.mv(g, vec2), alpha),
        "vec2": lambda g, m, vec1, alpha: _scaled(m.mv(m.t(g), vec1), alpha),
    },
    local={"input": "{beta}", "vec1": "g @ {vec2}", "vec2": "gᵀ @ {vec1}"}, symbol="{input} + {vec1} ⊗ {vec2}",
    inplace=True,
)  # fmt: skip
_baddbmm = _sum_of_product("baddbmm", (3, 3), np.matmul)
baddbmm = op(
    "baddbmm", "BaddbmmBackward0",
    lambda input, batch1, batch2, *, beta=1, alpha=1: _baddbmm(input, batch1, batch2, beta, alpha),
    inputs="input batch1 batch2",
    vjp={
        "input": lambda g, beta: _scaled(g, beta),
        "batch1": lambda g, m, batch2, alpha: _scaled(m.bmm(g, m.transpose(batch2, 1, 2)), alpha),
        "batch2": lambda g, m, batch1, alpha: _scaled(m.bmm(m.transpose(batch1, 1, 2), g), alpha),
    },
    local={"input": "{beta}", "batch1": "g @ {batch2}ᵀ", "batch2": "{batch1}ᵀ @ g"},
    symbol="{input} + {batch1} @ {batch2}",
    inplace=True, flops=lambda input, a, b: a.size * b.shape[-1],
)  # fmt: skip
_addbmm = _sum_of_product("addbmm", (3, 3), lambda a, b: np.matmul(a, b).sum(0))


def _stacked(g: Any, m: Any, n: int) -> Any:
    return m.broadcast_to(g, (n, *g.shape))


addbmm = op(
    "addbmm", "AddbmmBackward0",
    lambda input, batch1, batch2, *, beta=1, alpha=1: _addbmm(input, batch1, batch2, beta, alpha),
    inputs="input batch1 batch2",
    vjp={
        "input": lambda g, beta: _scaled(g, beta),
        "batch1": lambda g, m, batch2, alpha: _scaled(m.bmm(_stacked(g, m, batch2.shape[0]),
            m.transpose(batch2, 1, 2)), alpha),
        "batch2": lambda g, m, batch1, alpha: _scaled(m.bmm(m.transpose(batch1, 1, 2),
            _stacked(g, m, batch1.shape[0])), alpha),
    },
    local={"input": "{beta}", "batch1": "g @ {batch2}ᵀ", "batch2": "{batch1}ᵀ @ g"},
    symbol="{input} + Σ {batch1} @ {batch2}",
    inplace=True, flops=lambda input, a, b: a.size * b.shape[-1],
)  # fmt: skip
