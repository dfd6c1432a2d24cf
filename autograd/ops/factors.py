"""Factorisations in LAPACK's packed form: LU with its pivots, QR as reflections; and what is solved with them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor
from .joining import cat
from .matrices import solve_triangular, triangular_system
from .namespaces import LINALG, linalg
from .one_node import one_node
from .products import matmul
from .spectra import lu_op
from .table import FUNCTIONS, composite, named_results, op

_Factors = named_results("linalg_lu_factor", "LU pivots")
_FactorsInfo = named_results("linalg_lu_factor_ex", "LU pivots info")
_Unpacked = named_results("lu_unpack", "P L U")

# -- LU --------------------------------------------------------------------------------------------------------------


def _pivots(P: Any) -> Any:
    """LAPACK's pivots, the row that row i was swapped with (counted from 1), of permutation matrices."""
    rows = P.shape[-1]
    order = np.argmax(P, -2)  # where each row of L comes from
    out = np.zeros(order.shape, np.int32)
    for where in np.ndindex(*order.shape[:-1]):
        at = list(range(rows))
        for i, wanted in enumerate(order[where]):
            j = at.index(wanted)
            at[i], at[j] = at[j], at[i]
            out[where][i] = j + 1
    return out


def _permutation(pivots: Any, rows: int, kind: Any) -> Any:
    """The permutation matrix that ``pivots`` stand for."""
    out = np.zeros((*pivots.shape[:-1], rows, rows), kind)
    for where in np.ndindex(*pivots.shape[:-1]):
        at = list(range(rows))
        for i, j in enumerate(pivots[where]):
            at[i], at[j - 1] = at[j - 1], at[i]
        out[where][at, np.arange(rows)] = 1
    return out


def _packed(A: Tensor, pivot: bool) -> tuple[Tensor, Tensor]:
    from ..dispatch import make

    P, L, U = lu_op.function(A, pivot)
    rows, columns = A.shape[-2], A.shape[-1]
    k = min(rows, columns)
    lower, upper = L.tril(-1), U
    if columns > k:
        lower = cat.function([lower, lower.new_zeros((*lower.shape[:-1], columns - k))], -1)
    if rows > k:
        upper = cat.function([upper, upper.new_zeros((*upper.shape[:-2], rows - k, columns))], -2)
    return lower + upper, make(_pivots(P.array)[..., :k])


@linalg
def lu_factor(A: Tensor, *, pivot: bool = True) -> Any:
    """L (without its diagonal of ones) and U in one matrix, and the pivots."""
    return _Factors(*_packed(A, pivot))


@linalg
def lu_factor_ex(A: Tensor, *, pivot: bool = True, check_errors: bool = False) -> Any:
    """:func:`lu_factor`, and where U has its first zero on the diagonal (0: nowhere)."""
    from ..dispatch import make

    packed, pivots = _packed(A, pivot)
    zero = np.diagonal(packed.array, axis1=-2, axis2=-1) == 0
    info = np.where(zero.any(-1), zero.argmax(-1) + 1, 0) if zero.shape[-1] else np.zeros(zero.shape[:-1])
    return _FactorsInfo(packed, pivots, make(np.asarray(info, np.int32)))


def lu_unpack(LU_data: Tensor, LU_pivots: Tensor, unpack_data: bool = True, unpack_pivots: bool = True) -> Any:
    """P, L and U from what :func:`lu_factor` returned; empty tensors for what is not asked for."""
    from ..dispatch import make

    rows, columns = LU_data.shape[-2], LU_data.shape[-1]
    k = min(rows, columns)
    empty = make(np.zeros(0, LU_data.array.dtype))
    P = make(_permutation(LU_pivots.array, rows, LU_data.array.dtype)) if unpack_pivots else empty
    if not unpack_data:
        return _Unpacked(P, empty, empty)
    L = LU_data[..., :k].tril(-1) + make(np.eye(rows, k, dtype=LU_data.array.dtype))
    return _Unpacked(P, L, LU_data[..., :k, :].triu())


composite("lu_unpack", lu_unpack, method=False)


def lu(A: Tensor, pivot: bool = True, get_infos: bool = False, out: Any = None) -> Any:
    """``torch.lu``, the older spelling of :func:`lu_factor`."""
    packed, pivots, info = lu_factor_ex(A, pivot=pivot)
    return (packed, pivots, info) if get_infos else (packed, pivots)


composite("lu", lu)


@linalg
def lu_solve(LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False) -> Tensor:
    """X with A X = B (or X A = B) from the factors of A, or of its transpose (``adjoint``)."""
    if not left:
        return lu_solve(LU, pivots, B.mT, adjoint=not adjoint).mT  # type: ignore[no-any-return]
    P, L, U = lu_unpack(LU, pivots)
    if adjoint:
        y = solve_triangular(U.mT, B, upper=False)
        return matmul(P, triangular_system.function(L.mT, y, True, True, True))
    y = triangular_system.function(L, matmul(P.mT, B), False, True, True)
    return solve_triangular(U, y, upper=True)


def lu_solve_older(b: Tensor, LU_data: Tensor, LU_pivots: Tensor) -> Tensor:
    """``torch.lu_solve``: the right-hand side comes first."""
    return lu_solve(LU_data, LU_pivots, b)


composite("lu_solve", lu_solve_older)

# -- QR --------------------------------------------------------------------------------------------------------------


def _geqrf(input: Any) -> tuple[Any, Any]:
    """R above the diagonal, and below it the reflections whose product is Q."""
    rows, columns = input.shape[-2:]
    k = min(rows, columns)
    out, tau = input.astype(np.float64).copy(), np.zeros((*input.shape[:-2], k))
    for where in np.ndindex(*input.shape[:-2]):
        a = out[where]
        for i in range(k):
            head, rest = a[i, i], np.linalg.norm(a[i + 1 :, i])
            if rest == 0:
                continue
            length = -np.copysign(np.hypot(head, rest), head)
            tau[where][i] = (length - head) / length
            a[i + 1 :, i] /= head - length
            a[i, i] = length
            v = np.concatenate([[1.0], a[i + 1 :, i]])
            a[i:, i + 1 :] -= tau[where][i] * np.outer(v, v @ a[i:, i + 1 :])
    return out.astype(input.dtype), tau.astype(input.dtype)


geqrf_op = op("geqrf", None, _geqrf, outputs="a tau", symbol="geqrf({input})")


def _reflections(input: Tensor, tau: Tensor) -> list[tuple[Tensor, Tensor]]:
    """The vectors of the reflections 1 - tau v vᵀ, as columns, with their factors."""
    from ..dispatch import make

    rows, k = input.shape[-2], tau.shape[-1]
    unit = make(np.eye(rows, k, dtype=input.array.dtype))
    vectors = input[..., :k].tril(-1) + unit
    return [(vectors[..., i : i + 1], tau[..., i : i + 1].unsqueeze(-1)) for i in range(k)]


def _reflected(x: Tensor, v: Tensor, factor: Tensor) -> Tensor:
    return x - matmul(v * factor, matmul(v.mT, x))


#: of no reflections at all: the identity, which is said to require grad but hands none on, as in PyTorch
no_reflections = op(
    "no_reflections", "LinalgHouseholderProductBackward0",
    lambda input, tau: np.broadcast_to(np.eye(*input.shape[-2:], dtype=input.dtype), input.shape).copy(),
    vjp={"input tau": lambda g: (None, None)}, jvp={"input": lambda t, m: m.zeros_like(t)}, method=False, public=False,
    shown="householder_product",
)  # fmt: skip


@one_node("LinalgHouseholderProductBackward0", "input tau", result=True, shown="householder_product")
def product_of_reflections(input: Tensor, tau: Tensor) -> Tensor:
    """I - v τ vᵀ, one after the other, of the columns v below the diagonal of ``input``."""
    from ..dispatch import make

    shape = tuple(input.shape)
    result = make(np.broadcast_to(np.eye(shape[-2], shape[-1], dtype=input.array.dtype), shape).copy())
    for v, factor in reversed(_reflections(input, tau)):
        result = _reflected(result, v, factor)
    return result


@linalg
def householder_product(input: Tensor, tau: Tensor) -> Tensor:
    """The first columns of the product of the reflections that :func:`geqrf` returns: Q."""
    shape = tuple(input.shape)
    if len(shape) < 2:
        raise RuntimeError("torch.linalg.householder_product: input must have at least 2 dimensions.")
    if shape[-2] < shape[-1]:
        raise RuntimeError(
            "torch.linalg.householder_product: input.shape[-2] must be greater than or equal to input.shape[-1]"
        )
    if not tau.shape[-1]:
        return no_reflections.function(input, tau)  # type: ignore[no-any-return]
    return product_of_reflections(input, tau)  # type: ignore[no-any-return]


FUNCTIONS["orgqr"] = LINALG["householder_product"]


@one_node("OrmqrBackward0", "input tau other", result=True, shown="ormqr")
def turned_by_reflections(input: Tensor, tau: Tensor, other: Tensor, left: bool, transpose: bool) -> Tensor:
    """Q times ``other``, one reflection after the other."""
    if not left:
        return turned_by_reflections(input, tau, other.mT, True, not transpose).mT  # type: ignore[no-any-return]
    reflections = _reflections(input, tau)
    for v, factor in reflections if transpose else reversed(reflections):
        other = _reflected(other, v, factor)
    return other


def ormqr(input: Tensor, tau: Tensor, other: Tensor, left: bool = True, transpose: bool = False) -> Tensor:
    """Q times ``other``, or Qᵀ, or from the right, with Q the product of reflections."""
    if not other.array.size:
        return other.clone()  # type: ignore[no-any-return]
    return turned_by_reflections(input, tau, other, left, transpose)  # type: ignore[no-any-return]


composite("ormqr", ormqr)
