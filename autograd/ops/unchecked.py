"""Factorisations that answer with a number where others raise: ``cholesky_ex``, ``inv_ex``, ``solve_ex``.

The number is 0 for a matrix that has one, else the order of its first leading part that has none. Such a matrix is
replaced by the identity for the computation, so that the others of its batch keep their results and gradients.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..dispatch import make
from ..tensor import Tensor
from .matrices import LinAlgError, cholesky, inverse, no_pivot, not_positive, solve, square
from .namespaces import linalg
from .table import FUNCTIONS, named_results

_Cholesky = named_results("linalg_cholesky_ex", "L info")
_Inverse = named_results("linalg_inv_ex", "inverse info")
_Solved = named_results("linalg_solve_ex", "result info")


def _orders(A: Any, bad: Callable[[Any, Any], bool]) -> Any:
    """For each matrix the order of its first leading part that is ``bad``, or 0."""
    found = np.zeros(A.shape[:-2], np.int32)
    for where in np.ndindex(*found.shape):
        orders = range(1, A.shape[-1] + 1)
        found[where] = next((k for k in orders if bad(A[where][:k, :k], A[where])), 0)
    return found


def _raised(run: Callable[[], Any], name: str) -> None:
    """The error of the function ``name`` that ``run`` raises, if any, as that of the same with ``_ex``."""
    try:
        run()
    except LinAlgError as error:
        raise LinAlgError(str(error).replace(name, f"{name}_ex", 1)) from None


def _sound(A: Tensor, info: Any) -> Tensor:
    """``A`` with the identity for the matrices that ``info`` names."""
    if not info.any():
        return A
    identity = make(np.eye(A.shape[-1], dtype=A.array.dtype))
    return FUNCTIONS["where"](make(info[..., None, None] == 0), A, identity)  # type: ignore[no-any-return]


def _patched(result: Tensor, info: Any, left_over: Any) -> Tensor:
    """``result``, with what is ``left_over`` for the matrices that ``info`` names."""
    if not info.any():
        return result
    fine = make((info == 0).reshape(info.shape + (1,) * (result.ndim - info.ndim)))
    return FUNCTIONS["where"](fine, result, make(left_over))  # type: ignore[no-any-return]


def _begun(A: Any) -> Any:
    """The lower triangle of ``A`` as far as its factorisation comes, column by column, as LAPACK leaves it."""
    lower = np.tril(A)
    for j in range(len(lower)):
        lower[j, j] -= lower[j, :j] @ lower[j, :j]
        if lower[j, j] <= 0:
            break
        lower[j, j] = np.sqrt(lower[j, j])
        lower[j + 1 :, j] = (lower[j + 1 :, j] - lower[j + 1 :, :j] @ lower[j, :j]) / lower[j, j]
    return lower


@linalg
def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False) -> Any:
    """The Cholesky factor L, begun only where there is none, and the order of the first part that has none."""
    square("linalg.cholesky_ex", A.array)
    info = _orders(A.array, not_positive)
    if check_errors:
        _raised(lambda: cholesky.function(A, upper), "linalg.cholesky")
    left_over = np.zeros_like(A.array)
    for where in np.argwhere(info):
        left_over[tuple(where)] = _begun(A.array[tuple(where)])
    left_over = np.swapaxes(left_over, -1, -2) if upper else left_over
    return _Cholesky(_patched(cholesky.function(_sound(A, info), upper), info, left_over), make(info[()]))


@linalg
def inv_ex(A: Tensor, *, check_errors: bool = False) -> Any:
    """The inverse, nan where there is none, and the place of the first pivot that is zero."""
    square("linalg.inv_ex", A.array)
    info = _orders(A.array, no_pivot)
    if check_errors:
        _raised(lambda: inverse.function(A), "linalg.inv")
    return _Inverse(_patched(inverse.function(_sound(A, info)), info, np.full_like(A.array, np.nan)), make(info[()]))


@linalg
def solve_ex(A: Tensor, B: Tensor, *, left: bool = True, check_errors: bool = False) -> Any:
    """X with A X = B (or X A = B), nan where A is singular, and the place of the first pivot that is zero."""
    info = _orders(A.array, no_pivot)
    if check_errors:
        _raised(lambda: solve(A, B, left=left), "torch.linalg.solve")
    result = solve(_sound(A, info), B, left=left)
    return _Solved(_patched(result, info, np.full_like(result.array, np.nan)), make(info[()]))
