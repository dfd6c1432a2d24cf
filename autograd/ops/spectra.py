"""Eigenvalues and singular values, and what is made of them: QR, pseudo-inverse, rank, condition."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from ..tensor import Tensor
from ..warn import once
from .matrices import H, is_vector, square
from .namespaces import LINALG, linalg
from .products import matmul
from .table import FUNCTIONS, composite, named_results, op, several


def _gaps(m: Any, values: Any) -> Any:
    """1 / (λ_j - λ_i) off the diagonal, 0 on it."""
    n = values.shape[-1]
    difference = values.reshape((*values.shape[:-1], 1, n)) - values.reshape((*values.shape, 1))
    same = m.asarray(np.eye(n, dtype=bool))
    return m.where(same, 0.0, 1 / m.where(same, 1.0, difference))


def _scaled(x: Any, values: Any) -> Any:
    """The columns of x times ``values``."""
    return x * values.reshape((*values.shape[:-1], 1, values.shape[-1]))


def _eigh(A: Any, UPLO: Any = "L") -> tuple[Any, Any]:
    square("linalg.eigh", A)
    values, vectors = np.linalg.eigh(A, UPLO)
    return values, vectors


def _eigh_rule(g: Any, m: Any, eigenvalues: Any, eigenvectors: Any) -> Any:
    """V (diag(g_λ) + W / (λ_j - λ_i)) Vᵀ with W the skew part of Vᵀ g_V, all that turning V can follow."""
    n, V = eigenvalues.shape[-1], eigenvectors
    inner = None
    if g[0] is not None:
        inner = m.eye(n, g[0]) * g[0].reshape((*g[0].shape, 1))
    if g[1] is not None:
        W = m.matmul(H(m, V), g[1])
        turned = (W - H(m, W)) / 2 * _gaps(m, eigenvalues)
        inner = turned if inner is None else inner + turned
    return m.matmul(m.matmul(V, inner), H(m, V))


eigh = op(
    "eigh", "LinalgEighBackward0", _eigh, inputs="A", outputs="eigenvalues eigenvectors", vjp={"A": _eigh_rule},
    local={"A": "V (diag g + Vᵀ g / Δλ) Vᵀ"}, symbol="eigh({A})", method=False, public=False,
)  # fmt: skip
eigh.returns = named_results("linalg_eigh", "eigenvalues eigenvectors")
LINALG["eigh"] = lambda A, UPLO="L": eigh.function(A, UPLO)
LINALG["eigvalsh"] = lambda A, UPLO="L": eigh.function(A, UPLO)[0]


def _svd(A: Any, full_matrices: bool = True) -> Any:
    return tuple(np.linalg.svd(A, full_matrices=full_matrices))


def _svd_rule(g: Any, m: Any, U: Any, S: Any, Vh: Any, full_matrices: bool) -> Any:
    """The thin factors' rule: what turns U and V within, and what leaves their span."""
    k = S.shape[-1]
    if full_matrices:
        U, Vh = m.narrow(U, -1, 0, k), m.narrow(Vh, -2, 0, k)
        if g[0] is not None:
            g = [m.narrow(g[0], -1, 0, k), *g[1:]]
        if g[2] is not None:
            g = [g[0], g[1], m.narrow(g[2], -2, 0, k)]
    V = H(m, Vh)
    inner = None if g[1] is None else m.eye(k, g[1]) * g[1].reshape((*g[1].shape, 1))
    gaps = _gaps(m, S * S)
    outside = None
    if g[0] is not None:
        W = m.matmul(H(m, U), g[0])
        skew = _scaled((W - H(m, W)) * gaps, S)
        inner = skew if inner is None else inner + skew
        if U.shape[-2] > k:
            free = _scaled(g[0] - m.matmul(U, W), 1 / S)
            outside = m.matmul(free, Vh)
    if g[2] is not None:
        gV = H(m, g[2])
        W = m.matmul(Vh, gV)
        skew = H(m, _scaled(H(m, (W - H(m, W)) * gaps), S))
        inner = skew if inner is None else inner + skew
        if V.shape[-2] > k:
            free = H(m, _scaled(gV - m.matmul(V, W), 1 / S))
            part = m.matmul(U, free)
            outside = part if outside is None else outside + part
    whole = m.matmul(m.matmul(U, inner), Vh)
    return whole if outside is None else whole + outside


svd_op = op(
    "svd", "LinalgSvdBackward0", _svd, inputs="A", outputs="U S Vh", vjp={"A": _svd_rule}, local={"A": "U (...) Vᵀ"},
    rule={"A": "U (g's turning and stretching) Vᵀ"}, symbol="svd({A})", method=False, public=False,
)  # fmt: skip
svd_op.returns = named_results("linalg_svd", "U S Vh")
LINALG["svd"] = lambda A, full_matrices=True, *, driver=None: svd_op.function(A, full_matrices)
LINALG["svdvals"] = lambda A, *, driver=None: svd_op.function(A, False)[1]


def svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """The older spelling: U, S, V with ``input`` = U diag(S) Vᵀ."""
    u, s, vh = svd_op.function(input, not some)
    return named_results("svd", "U S V")(u, s, vh.mT)


composite("svd", svd)


def _qr(A: Any, mode: Any = "reduced") -> tuple[Any, Any]:
    if mode not in ("reduced", "complete", "r"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    if mode == "r":
        return np.zeros(0, A.dtype), np.linalg.qr(A, "r")
    q, r = np.linalg.qr(A, mode)
    return q, r


def _qr_rule(g: Any, m: Any, Q: Any, R: Any, mode: str) -> Any:
    """(g_Q + Q copyltu(M)) R⁻ᵀ with M = R g_Rᵀ - g_Qᵀ Q. The right part of a wide matrix is A₂ = Q R₂."""
    if mode == "r" or (mode == "complete" and Q.shape[-1] > R.shape[-1]):
        raise RuntimeError(
            f"The derivative of linalg.qr depends on Q, which is not computed as needed when mode='{mode}'."
        )
    rows, columns = R.shape[-2], R.shape[-1]
    gq, gr = g
    if columns <= rows:
        return _qr_square(m, gq, gr, Q, R)
    square_part, wide = m.narrow(R, -1, 0, rows), m.narrow(R, -1, rows, columns - rows)
    right = m.zeros((*Q.shape[:-1], columns - rows), Q)
    if gr is not None:
        g_wide = m.narrow(gr, -1, rows, columns - rows)
        right, gr = m.matmul(Q, g_wide), m.narrow(gr, -1, 0, rows)
        turned = m.matmul(m.matmul(Q, wide), H(m, g_wide))
        gq = turned if gq is None else gq + turned
    return m.cat([_qr_square(m, gq, gr, Q, square_part), right], -1)


def _qr_square(m: Any, gq: Any, gr: Any, Q: Any, R: Any) -> Any:
    M: Any = None
    if gr is not None:
        M = m.matmul(R, H(m, gr))
    if gq is not None:
        part = m.matmul(H(m, gq), Q)
        M = -part if M is None else M - part
    lower = m.tril(M, -1)
    symmetric = lower + H(m, lower) + M * m.eye(M.shape[-1], M)
    left = m.matmul(Q, symmetric)
    if gq is not None:
        left = left + gq
    return H(m, m.solve_system(R, H(m, left), True))


qr = op(
    "qr_factors", "LinalgQrBackward0", _qr, inputs="A", outputs="Q R", vjp={"A": _qr_rule},
    local={"A": "(g + Q M) R⁻ᵀ"},
    rule={"A": "(g + Q M) R⁻ᵀ"}, symbol="qr({A})", method=False, public=False, shown="qr",
)  # fmt: skip
qr.returns = named_results("linalg_qr", "Q R")
LINALG["qr"] = lambda A, mode="reduced": qr.function(A, mode)


def old_qr(input: Tensor, some: bool = True) -> Any:
    """The older spelling of ``torch.linalg.qr``."""
    once(
        "torch.qr is deprecated in favor of torch.linalg.qr and will be removed in a future PyTorch release.\nThe "
        "boolean parameter 'some' has been replaced with a string parameter 'mode'.\nQ, R = torch.qr(A, some)\n"
        "should be replaced with\nQ, R = torch.linalg.qr(A, 'reduced' if some else 'complete')"
    )
    return named_results("qr", "Q R")(*qr.function(input, "reduced" if some else "complete"))


old_qr.__name__ = "qr"
composite("qr", old_qr)


def _pinv(A: Any, rcond: float, hermitian: bool) -> Any:
    return np.linalg.pinv(A, rcond, hermitian).astype(A.dtype)


def _pinv_rule(g: Any, m: Any, A: Any, result: Any) -> Any:
    """-(P gᵀ P)ᵀ + (1 - A P) gᵀ P Pᵀ + Pᵀ P gᵀ (1 - P A), with P the pseudo-inverse (Golub and Pereyra)."""
    P, t = result, H(m, g)
    inside = m.matmul(m.matmul(P, t), P)
    outside_columns = t - m.matmul(A, m.matmul(P, t))
    outside_rows = t - m.matmul(m.matmul(t, P), A)
    return m.matmul(m.matmul(outside_columns, P), H(m, P)) + m.matmul(H(m, P), m.matmul(P, outside_rows)) - H(m, inside)


pinverse = op(
    "pinverse", "LinalgPinvBackward0", _pinv, inputs="A", vjp={"A": _pinv_rule}, local={"A": "-Pᵀ g Pᵀ + ..."},
    symbol="{A}⁺",
    parse=lambda A, rcond=1e-15: ((A,), (rcond, False)),
)  # fmt: skip


@linalg
def pinv(A: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False, rcond: Any = None) -> Tensor:
    """The Moore-Penrose inverse; singular values below ``rtol`` times the largest count as zero."""
    from ..dispatch import apply

    given = rtol if rtol is not None else rcond
    if isinstance(given, Tensor):
        given = float(given.array.max())
    eps = float(np.finfo(A.array.dtype).eps)
    cut = given if given is not None else (0.0 if atol is not None else max(A.shape[-2:]) * eps)
    result: Tensor = apply(pinverse, (A,), (cut, hermitian))
    return result


@linalg
def matrix_rank(A: Tensor, *, atol: Any = None, rtol: Any = None, hermitian: bool = False, tol: Any = None) -> Tensor:
    """How many singular values are not negligible."""
    from ..dispatch import make

    values = np.abs(np.linalg.eigvalsh(A.array)) if hermitian else np.linalg.svd(A.array, compute_uv=False)
    raw = [x.array if isinstance(x, Tensor) else x for x in (atol if tol is None else tol, rtol)]
    largest = values.max(-1, initial=0)
    eps = max(A.shape[-2:], default=1) * float(np.finfo(A.array.dtype).eps)
    relative = raw[1] if raw[1] is not None else (0.0 if raw[0] is not None and np.all(np.asarray(raw[0]) > 0) else eps)
    limit = np.maximum(0 if raw[0] is None else raw[0], relative * largest)
    return make(np.asarray((values > np.expand_dims(limit, -1)).sum(-1)))


@linalg
def cond(A: Tensor, p: Any = None) -> Tensor:
    """The condition number: the ratio of extreme singular values, or ‖A‖·‖A⁻¹‖ in another norm."""
    if p is None or p in (2, -2):
        values = LINALG["svdvals"](A)
        ratio = values[..., 0] / values[..., -1]
        return 1 / ratio if p == -2 else ratio  # type: ignore[no-any-return]
    return LINALG["matrix_norm"](A, p) * LINALG["matrix_norm"](LINALG["inv"](A), p)  # type: ignore[no-any-return]


def _lu_parts(A: Any, pivot: bool = True) -> tuple[Any, Any, Any]:
    """Partial pivoting, one matrix at a time: P, L, U with A = P L U."""
    if not pivot:
        raise RuntimeError("linalg.lu_factor: LU without pivoting is not implemented on the CPU")
    rows, columns = A.shape[-2:]
    k = min(rows, columns)
    lead = A.shape[:-2]
    P, L, U = (
        np.zeros((*lead, rows, rows), A.dtype),
        np.zeros((*lead, rows, k), A.dtype),
        np.zeros((*lead, k, columns), A.dtype),
    )
    for where in np.ndindex(*lead):
        work, order = A[where].astype(np.float64).copy(), np.arange(rows)
        for i in range(k):
            largest = i + int(np.abs(work[i:, i]).argmax())
            work[[i, largest]], order[[i, largest]] = work[[largest, i]], order[[largest, i]]
            if work[i, i] != 0:
                work[i + 1 :, i] /= work[i, i]
                work[i + 1 :, i + 1 :] -= np.outer(work[i + 1 :, i], work[i, i + 1 :])
        P[where][order, np.arange(rows)] = 1
        L[where] = np.tril(work[:, :k], -1) + np.eye(rows, k)
        U[where] = np.triu(work[:k])
    return P, L, U


def _lu_rule(g: Any, m: Any, P: Any, L: Any, U: Any) -> Any:
    """P L⁻ᵀ (tril(Lᵀ g_L, -1) + triu(g_U Uᵀ)) U⁻ᵀ for a square matrix.

    A wide one is (A₁ | P L U₂) with A₁ square, a tall one the same upside down, with L₂ U₁ below: what belongs to the
    added part is taken over directly, and what it does to L, or to U, is taken off the square part's share.
    """
    _, gl, gu = g
    if gl is None and gu is None:
        return None
    rows, columns, k = P.shape[-1], U.shape[-1], L.shape[-1]
    gl = m.zeros_like(L) if gl is None else gl
    gu = m.zeros_like(U) if gu is None else gu
    L1, U1 = m.narrow(L, -2, 0, k), m.narrow(U, -1, 0, k)
    lower = m.matmul(H(m, L1), m.narrow(gl, -2, 0, k))
    upper = m.matmul(m.narrow(gu, -1, 0, k), H(m, U1))
    added = None
    if columns > k:
        g2 = m.narrow(gu, -1, k, columns - k)
        lower = lower - m.matmul(g2, H(m, m.narrow(U, -1, k, columns - k)))
        added = m.triangular_system(H(m, L1), g2, True, True, True)
    if rows > k:
        g2 = m.narrow(gl, -2, k, rows - k)
        upper = upper - m.matmul(H(m, m.narrow(L, -2, k, rows - k)), g2)
        added = m.triangular_system(H(m, U1), g2, False, False, False)
    left = m.triangular_system(H(m, L1), m.tril(lower, -1) + m.triu(upper, 0), True, True, True)
    whole = m.triangular_system(H(m, U1), left, False, False, False)
    if added is not None:
        whole = m.cat([whole, added], -1 if columns > k else -2)
    return m.matmul(P, whole)


lu_op = op(
    "lu", "LinalgLuBackward0", _lu_parts, inputs="A", outputs="P L U", nondiff="P", vjp={"A": _lu_rule},
    local={"A": "P L⁻ᵀ (...) U⁻ᵀ"}, rule={"A": "P L⁻ᵀ (...) U⁻ᵀ"}, symbol="lu({A})", method=False, public=False,
)  # fmt: skip
lu_op.returns = named_results("linalg_lu", "P L U")
LINALG["lu"] = lambda A, *, pivot=True: lu_op.function(A, pivot)


@linalg
def lstsq(A: Tensor, B: Tensor, rcond: Any = None, *, driver: Any = None) -> Any:
    """The X of least ‖A X - B‖, with residuals, rank and singular values as far as LAPACK's ``driver`` gives them."""
    from ..dispatch import make

    driver = driver or "gelsy"
    if driver not in ("gels", "gelsy", "gelsd", "gelss"):
        raise RuntimeError(
            f"torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss), but got {driver}"
        )
    vector = is_vector(A.array, B.array)
    right = B.unsqueeze(-1) if vector else B
    solution = matmul(pinv(A, rtol=rcond), right)
    rank = matrix_rank(A, rtol=rcond)
    residuals = solution.reshape(-1)[:0]
    tall, whole = A.shape[-2] > A.shape[-1], bool((rank.array == min(A.shape[-2:])).all())
    if tall and whole and driver != "gelsy":
        residuals = ((matmul(A, solution) - right) ** 2).sum(-2)
        residuals = residuals.squeeze(-1) if vector else residuals
    values = LINALG["svdvals"](A.detach()) if driver in ("gelsd", "gelss") else make(np.zeros(0, A.array.dtype))
    if driver == "gels":
        rank = make(np.zeros(0, np.int64))
    return LeastSquares(solution.squeeze(-1) if vector else solution, residuals, rank, values)


LeastSquares = namedtuple("LeastSquares", "solution residuals rank singular_values")
LeastSquares.__module__, LeastSquares.__name__ = "torch.return_types", "linalg_lstsq"
LeastSquares.__repr__ = several  # type: ignore[method-assign]


FUNCTIONS["inverse"] = LINALG["inv"]
