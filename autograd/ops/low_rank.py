"""Singular values of matrices of low rank, by random projection (Halko, Martinsson, Tropp: arXiv:0909.4061, 5.1)."""

from __future__ import annotations

from typing import Any

from ..tensor import Tensor
from .namespaces import LINALG
from .table import composite


def _basis(A: Tensor, count: int, niter: int) -> Tensor:
    """``count`` orthonormal columns that span nearly what the columns of ``A`` do."""
    from ..sampling import randn

    Q: Tensor = LINALG["qr"](A @ randn(A.shape[-1], count, dtype=A.dtype)).Q
    for _ in range(niter):
        Q = LINALG["qr"](A.mT @ Q).Q
        Q = LINALG["qr"](A @ Q).Q
    return Q


def svd_lowrank(
    A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """(U, S, V) with A - M ≈ U diag(S) Vᵀ for (m, n) matrices whose rank is at most about ``q``: U (m, q), V (n, q).

    ``niter`` rounds make the basis, which is drawn, better.
    """
    count, rounds = 6 if q is None else q, 2 if niter is None else niter
    if M is not None:
        A = A - M
    wide = A.shape[-2] < A.shape[-1]
    if wide:
        A = A.mT
    Q = _basis(A, count, rounds)
    U, S, Vh = LINALG["svd"](Q.mT @ A, full_matrices=False)
    U, V = Q @ U, Vh.mT
    return (V, S, U) if wide else (U, S, V)


def pca_lowrank(A: Tensor, q: int | None = None, center: bool = True, niter: int = 2) -> tuple[Tensor, Tensor, Tensor]:
    """Principal components: :func:`svd_lowrank` of ``A`` with its columns' means taken away (unless not ``center``).

    ValueError if ``q`` is not between 0 and the smaller side, or ``niter`` is negative.
    """
    least: Any = min(A.shape[-2:])
    if q is None:
        q = min(6, least)
    elif not 0 <= q <= least:
        raise ValueError(f"q(={q}) must be non-negative integer and not greater than min(m, n)={least}")
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(-2, keepdim=True) if center else A, q, niter)


composite("svd_lowrank", svd_lowrank, method=False)
composite("pca_lowrank", pca_lowrank, method=False)
