"""Sums of products over named or numbered dimensions: einsum, tensordot, inner, kron, cross, linear."""

from __future__ import annotations

import math
import string
from typing import Any

import numpy as np

from ..dispatch import look
from ..errors import type_name
from ..mode import switch
from ..tensor import Tensor
from ..warn import once
from .blending import addmm
from .namespaces import LINALG, linalg, neural
from .products import _dot, matmul
from .shaping import axis_of, reshape, t
from .table import FUNCTIONS, composite, op

# -- einsum ----------------------------------------------------------------------------------------------------------


def _letters(equation: str, shapes: list[tuple[int, ...]]) -> tuple[list[str], str]:
    """The operands' and the result's dimensions as letters, ``...`` written out; RuntimeError as PyTorch has it."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    operands = left.split(",")
    if len(operands) != len(shapes):
        more = "fewer" if len(operands) > len(shapes) else "more"
        raise RuntimeError(f"einsum(): {more} operands were provided than specified in the equation")
    free = [c for c in string.ascii_letters if c not in equation]
    widest = max(
        (len(s) - len(o.replace("...", "")) for o, s in zip(operands, shapes, strict=True) if "..." in o), default=0
    )
    dots = "".join(free[:widest])
    spelled = []
    for number, (operand, shape) in enumerate(zip(operands, shapes, strict=True)):
        named = operand.replace("...", "")
        for c in named:
            if c not in string.ascii_letters:
                raise RuntimeError(
                    f"einsum(): invalid subscript given at index {equation.index(c)} in the equation string, "
                    "subscripts must be in [a-zA-Z]"
                )
        count = len(shape) - len(named)
        if count < 0 or (count > 0 and "..." not in operand):
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({len(named)}) does not match the number of "
                f"dimensions ({len(shape)}) for operand {number} and no ellipsis was given"
            )
        spelled.append(operand.replace("...", dots[len(dots) - count :]))
    if not arrow:
        joined = "".join(spelled)
        right = dots + "".join(sorted({c for c in joined if joined.count(c) == 1 and c not in dots}))
    else:
        right = right.replace("...", dots)
    joined = "".join(spelled)
    for c in right:
        if right.count(c) > 1:
            raise RuntimeError(f"einsum(): output subscript {c} appears more than once in the output")
        if c not in joined:
            raise RuntimeError(f"einsum(): output subscript {c} does not appear in the equation for any input operand")
    sizes: dict[str, int] = {}
    for letters, shape in zip(spelled, shapes, strict=True):
        for c, n in zip(letters, shape, strict=True):
            if sizes.setdefault(c, n) not in (n, 1) and n != 1:
                raise RuntimeError(
                    f"einsum(): subscript {c} has size {n} for operand {shapes.index(shape)} which does not "
                    f"broadcast with previously seen size {sizes[c]}"
                )
            sizes[c] = max(sizes[c], n) if n != 0 and sizes[c] != 0 else 0
    return spelled, right


def _diagonal(x: Tensor, letters: str) -> tuple[Tensor, str]:
    """Repeated letters of one operand become its diagonal."""
    for c in dict.fromkeys(letters):
        while letters.count(c) > 1:
            first = letters.index(c)
            second = letters.index(c, first + 1)
            x = x.diagonal(0, first, second)
            letters = letters[:first] + letters[first + 1 : second] + letters[second + 1 :] + c
    return x, letters


def _sum_out(x: Tensor, letters: str, keep: str) -> tuple[Tensor, str]:
    gone = tuple(i for i, c in enumerate(letters) if c not in keep)
    return (x.sum(gone), "".join(c for c in letters if c in keep)) if gone else (x, letters)


def _to(x: Tensor, letters: str, order: str) -> Tensor:
    """x with its dimensions in ``order``; missing ones have size one."""
    present = "".join(c for c in order if c in letters)
    if present != letters:
        x = x.permute(tuple(letters.index(c) for c in present))
    return reshape(x, tuple(x.shape[present.index(c)] if c in present else 1 for c in order)) if present != order else x


def _pair(a: Tensor, first: str, b: Tensor, second: str, keep: str) -> tuple[Tensor, str]:
    """One product of two operands: a batched matrix product over what they share and no one else wants."""
    a, first = _sum_out(a, first, second + keep)
    b, second = _sum_out(b, second, first + keep)

    def size(c: str, x: Tensor, letters: str) -> int:
        return int(x.shape[letters.index(c)])

    shared = [c for c in first if c in second]
    inner = [c for c in shared if c not in keep and size(c, a, first) == size(c, b, second)]
    broadcast = [c for c in shared if c not in keep and c not in inner]
    if broadcast or any(size(c, a, first) != size(c, b, second) for c in shared):
        letters = "".join(dict.fromkeys(first + second))
        product = _to(a, first, letters) * _to(b, second, letters)
        return _sum_out(product, letters, keep)
    batch = [c for c in shared if c in keep]
    rows = [c for c in first if c not in shared]
    columns = [c for c in second if c not in shared]
    if not inner:
        letters = "".join(batch + rows + columns)
        return _to(a, first, letters) * _to(b, second, letters), letters
    left, right = _to(a, first, "".join(batch + rows + inner)), _to(b, second, "".join(batch + inner + columns))
    nb, nr, ni = len(batch), len(rows), len(inner)
    shape_b, shape_r, shape_c = left.shape[:nb], left.shape[nb : nb + nr], right.shape[nb + ni :]
    count, groups = math.prod(left.shape[nb + nr :]), math.prod(shape_b)
    if batch:
        product = matmul(
            reshape(left, (groups, math.prod(shape_r), count)),
            reshape(right, (groups, count, math.prod(shape_c))),
        )
    else:
        product = matmul(reshape(left, (math.prod(shape_r), count)), reshape(right, (count, math.prod(shape_c))))
    return reshape(product, (*shape_b, *shape_r, *shape_c)), "".join(batch + rows + columns)


def _numbered(arguments: tuple[Any, ...]) -> str:
    """The equation of ``einsum(a, [0, 1], b, [1, 2], [0, 2])``."""

    def named(numbers: Any) -> str:
        return "".join("..." if n is Ellipsis else string.ascii_letters[26 + n if n < 26 else n - 26] for n in numbers)

    left = ",".join(named(numbers) for numbers in arguments[1 : len(arguments) // 2 * 2 : 2])
    return f"{left}->{named(arguments[-1])}" if len(arguments) % 2 else left


def einsum(equation: Any, *operands: Any) -> Tensor:
    """Sums of products by Einstein's convention: ``einsum("ij,jk->ik", a, b)``."""
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    if isinstance(equation, Tensor):  # the other form: operands and their dimensions as lists of numbers in turn
        every = (equation, *operands)
        equation, operands = _numbered(every), every[: len(every) // 2 * 2 : 2]
    if not operands:
        raise ValueError("einsum(): must provide at least one operand")
    spelled, right = _letters(equation, [tuple(x.shape) for x in operands])
    terms = [_diagonal(x, letters) for x, letters in zip(operands, spelled, strict=True)]
    result, letters = terms[0]
    for number, (operand, its) in enumerate(terms[1:], 1):
        later = "".join(t for _, t in terms[number + 1 :])
        result, letters = _pair(result, letters, operand, its, right + later)
    result, letters = _sum_out(result, letters, right)
    return _to(result, letters, right)


composite("einsum", einsum, method=False)

# -- products by number of dimension ---------------------------------------------------------------------------------


def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """The product summed over the last ``dims`` dimensions of ``a`` and the first of ``b``, or over the listed
    pairs.
    """
    if isinstance(dims, Tensor):
        dims = dims.tolist()
    if isinstance(dims, int):
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.ndim, b.ndim):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        first, second = list(range(a.ndim - dims, a.ndim)), list(range(dims))
    else:
        first = [axis_of(d, a.ndim) for d in ([dims[0]] if isinstance(dims[0], int) else dims[0])]
        second = [axis_of(d, b.ndim) for d in ([dims[1]] if isinstance(dims[1], int) else dims[1])]
        for i, j in zip(list(first), list(second), strict=False):  # a dimension of one goes with any other
            if a.shape[i] == 1 != b.shape[j]:
                b = b.sum(j, keepdim=True)
            elif b.shape[j] == 1 != a.shape[i]:
                a = a.sum(i, keepdim=True)
    if len(first) != len(second):
        raise RuntimeError("both dimension lists should have same length")
    for i, j in zip(first, second, strict=True):
        if a.shape[i] != b.shape[j] and 1 not in (a.shape[i], b.shape[j]):
            raise RuntimeError(
                f"contracted dimensions need to match, but first has size {a.shape[i]} in dim {i} and second has "
                f"size {b.shape[j]} in dim {j}"
            )
    rows, columns = [i for i in range(a.ndim) if i not in first], [j for j in range(b.ndim) if j not in second]
    count = int(np.prod([a.shape[i] for i in first]))
    left = reshape(a.permute(tuple(rows + first)), (int(np.prod([a.shape[i] for i in rows])), count))
    right = reshape(b.permute(tuple(second + columns)), (count, int(np.prod([b.shape[j] for j in columns]))))
    return reshape(matmul(left, right), tuple(a.shape[i] for i in rows) + tuple(b.shape[j] for j in columns))


composite("tensordot", tensordot, method=False)


def inner(input: Tensor, other: Tensor) -> Tensor:
    """The product summed over the last dimension of both."""
    if input.ndim == 0 or other.ndim == 0:
        return input * other
    if input.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            f"inner() the last dimension must match on both input tensors but got shapes {list(input.shape)} and "
            f"{list(other.shape)}"
        )
    if input.ndim == other.ndim == 1:
        return matmul(input, other)
    return tensordot(input, other, ([-1], [-1]))


composite("inner", inner)


def kron(input: Tensor, other: Tensor) -> Tensor:
    """Every entry of ``input`` times the whole of ``other``."""
    n = max(input.ndim, other.ndim)
    first = (1,) * (n - input.ndim) + tuple(input.shape)
    second = (1,) * (n - other.ndim) + tuple(other.shape)
    a = reshape(input, tuple(k for size in first for k in (size, 1)))
    b = reshape(other, tuple(k for size in second for k in (1, size)))
    return reshape(a * b, tuple(x * y for x, y in zip(first, second, strict=True)))


composite("kron", kron)
vdot = op(
    "vdot", "VdotBackward0", lambda input, other: _dot(input, other),
    vjp={"input": lambda g, other: g * other, "other": lambda g, input: g * input}, jvp="bilinear",
    local={"input": "g · {other}", "other": "g · {input}"}, symbol="{input} · {other}",
)  # fmt: skip


def _chained(*tensors: Any) -> Tensor:
    """Matrices multiplied in a row."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    result: Tensor = tensors[0]
    for each in tensors[1:]:
        result = matmul(result, each)
    return result


composite("chain_matmul", _chained, method=False)


@linalg
def multi_dot(tensors: Any) -> Tensor:
    """Matrices multiplied in the cheapest order; the first and last may be vectors."""
    if len(tensors) < 2:
        raise RuntimeError("multi_dot(): expected at least 2 tensors but got " + str(len(tensors)))
    return _chained(*tensors)


def _cross(input: Any, other: Any, dim: int) -> Any:
    return np.cross(input, other, axis=dim)


cross_op = op(
    "cross", "LinalgCrossBackward0", _cross, inputs="input other",
    vjp={"input": lambda g, m, other, dim: m.cross(other, g, dim),
    "other": lambda g, m, input, dim: m.cross(g, input, dim)},
    local={"input": "{other} × g", "other": "g × {input}"}, symbol="{input} × {other}", method=False, public=False,
)  # fmt: skip


def _crossed(input: Tensor, other: Tensor, dim: int) -> Tensor:
    from .splitting import broadcast_tensors

    if input.ndim != other.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    a, b = broadcast_tensors(input, other)
    axis = axis_of(dim, a.ndim)
    if input.shape[axis] != 3 or other.shape[axis] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {input.shape[axis]} and {other.shape[axis]}"
        )
    result: Tensor = cross_op.function(a, b, axis)
    return result


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The cross product along ``dim``, or along the first dimension of size 3."""
    if dim is None:
        sizes = np.broadcast_shapes(tuple(input.shape), tuple(other.shape))
        once(
            "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or "
            "simply use torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross "
            "in a future release."
        )
        if 3 not in sizes:
            raise RuntimeError("no dimension of size 3 in input")
        dim = sizes.index(3)
    return _crossed(input, other, dim)


composite("cross", cross, array=_cross)
LINALG["cross"] = lambda input, other, *, dim=-1: _crossed(input, other, dim)


@linalg
def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """The dot product along ``dim``."""
    return (x * y).sum(dim)  # type: ignore[no-any-return]


LINALG["matmul"] = matmul

# -- layers ----------------------------------------------------------------------------------------------------------


@neural
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input @ weightᵀ + bias."""
    if not isinstance(input, Tensor) or not isinstance(weight, Tensor):
        wrong = "'input' (position 1)" if not isinstance(input, Tensor) else "'weight' (position 2)"
        given = type_name(weight if isinstance(input, Tensor) else input)
        raise TypeError(f"linear(): argument {wrong} must be Tensor, not {given}")
    if bias is not None and input.array.ndim == weight.array.ndim == 2:
        turned = None if switch.special else look(t, weight)  # the usual case, without a detour
        result: Tensor = addmm.function(bias, input, weight.t() if turned is None else turned)
        return result
    if bias is not None and input.ndim not in (0, 2) and weight.ndim == 2:
        flat = reshape(input, (-1, input.shape[-1]))
        if weight.shape[1] == input.shape[-1] and input.array.size:
            return addmm.function(bias, flat, weight.t()).view(*input.shape[:-1], weight.shape[0])  # type: ignore[no-any-return]
    if input.ndim == 0:
        raise RuntimeError(
            f"both arguments to linear need to be at least 1D, but they are {input.ndim}D and {weight.ndim}D"
        )
    if weight.ndim == 2 and weight.shape[1] != input.shape[-1]:
        rows = math.prod(input.shape[:-1])
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{input.shape[-1]} and "
            f"{weight.shape[1]}x{weight.shape[0]})"
        )
    product = matmul(input, weight.t())
    return product if bias is None else product + bias


@neural
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """input1 · weight · input2 for each output, plus bias."""
    for i, (a, b) in enumerate(zip(input1.shape[:-1], input2.shape[:-1], strict=False)):
        if a != b:
            raise RuntimeError(f"bilinear(): input batch dimensions do not match at dim {i}: got {a} and {b}")
    product = einsum("...i,oij,...j->...o", input1, weight, input2)
    return product if bias is None else product + bias


FUNCTIONS["bilinear"] = bilinear
