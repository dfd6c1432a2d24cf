"""Linear algebra of square systems: inverse, determinant, solutions, triangular factors.

H stands for the transpose of a matrix (everything here is real). The rules are the classical ones, in matrix form.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..dtypes import OF_NUMPY
from ..tensor import Tensor
from .namespaces import LINALG, linalg
from .products import matmul
from .table import FUNCTIONS, composite, named_results, op


def H(m: Any, x: Any) -> Any:
    """The transpose of the last two dimensions."""
    return m.transpose(x, -2, -1)


def square(name: str, x: Any) -> None:
    """RuntimeError unless ``x`` is a batch of square float matrices."""
    if np.ndim(x) < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    if x.shape[-1] != x.shape[-2]:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {x.shape[-2]} by {x.shape[-1]} matrices"
        )
    if x.dtype.kind != "f":
        raise RuntimeError(
            f"{name}: Expected a floating point or complex tensor as input. Got {OF_NUMPY[x.dtype].word}"
        )


def _lin_alg_error(name: str, text: str) -> Exception:
    return LinAlgError(f"{name}: {text}")


class LinAlgError(RuntimeError):
    """A matrix that has no such factorisation or inverse: ``torch.linalg.LinAlgError``."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LINALG["LinAlgError"] = LinAlgError


def _culprit(A: Any, bad: Any) -> tuple[str, int]:
    """Which matrix of a batch cannot be factorised, in words, and the order of its first leading part that cannot."""
    for where in np.ndindex(*A.shape[:-2]):
        for k in range(1, A.shape[-1] + 1):
            if bad(A[where][:k, :k], A[where]):
                flat = int(np.ravel_multi_index(where, A.shape[:-2])) if where else 0
                return (f"(Batch element {flat}): " if where else ""), k
    return "", 1


def no_pivot(part: Any, whole: Any) -> bool:
    """Whether elimination with row exchanges finds no pivot in the last column of ``part``."""
    k = len(part)
    return bool(np.linalg.matrix_rank(whole[:, :k]) < k)


def not_positive(part: Any, whole: Any) -> bool:
    """Whether ``part`` has no Cholesky factor."""
    try:
        np.linalg.cholesky(part)
    except np.linalg.LinAlgError:
        return True
    return False


def _inverse(A: Any) -> Any:
    square("linalg.inv", A)
    try:
        return np.linalg.inv(A).astype(A.dtype)
    except np.linalg.LinAlgError:
        which, k = _culprit(A, no_pivot)
        raise _lin_alg_error(
            "linalg.inv",
            f"{which}The diagonal element {k} is zero, the inversion could not be completed because the input matrix "
            "is singular.",
        ) from None


inverse = op(
    "inverse", "LinalgInvExBackward0", _inverse,
    vjp={"A": lambda g, m, result: -m.matmul(m.matmul(H(m, result), g), H(m, result))},
    local={"A": "-A⁻ᵀ @ g @ A⁻ᵀ"}, symbol="{A}⁻¹",
)  # fmt: skip
LINALG["inv"] = inverse.function


def _cofactors(A: Any) -> Any:
    """The derivative of the determinant, also where the matrix is singular."""
    u, s, vh = np.linalg.svd(A)
    n = s.shape[-1]
    rest = [np.prod(np.delete(s, i, -1), axis=-1) for i in range(n)]
    middle = np.stack(rest, -1) if n else s
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return ((u * (middle * sign[..., None])[..., None, :]) @ vh).astype(A.dtype)


def _det_rule(g: Any, m: Any, A: Any, result: Any) -> Any:
    pull = g.reshape((*g.shape, 1, 1))
    if isinstance(A, Tensor):
        return pull * result.reshape((*result.shape, 1, 1)) * H(m, m.inverse(A))
    return pull * _cofactors(A)


def _det(A: Any) -> Any:
    square("linalg.det", A)
    return np.linalg.det(A).astype(A.dtype)


det = op(
    "det", "LinalgDetBackward0", _det, vjp={"A": _det_rule}, local={"A": "det({A})·{A}⁻ᵀ"}, symbol="det({A})",
)  # fmt: skip
LINALG["det"] = det.function


def _slogdet(A: Any) -> tuple[Any, Any]:
    square("linalg.slogdet", A)
    sign, logarithm = np.linalg.slogdet(A)
    return sign.astype(A.dtype), logarithm.astype(A.dtype)


slogdet = op(
    "slogdet", "LinalgSlogdetBackward0", _slogdet, outputs="sign logabsdet",
    vjp={"A": lambda g, m, A: m.zeros_like(A) if g[1] is None else g[1].reshape((*g[1].shape, 1, 1)) * H(m,
        m.inverse(A))},
    local={"A": "{A}⁻ᵀ"}, symbol="slogdet({A})",
)  # fmt: skip
slogdet.returns = named_results("linalg_slogdet", "sign logabsdet")
LINALG["slogdet"] = slogdet.function


def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant; nan where it is negative."""
    sign, logarithm = slogdet.function(input)
    from .logic import where

    result: Tensor = where.function(sign.eq(-1), math.nan, logarithm)
    return result


composite("logdet", logdet)


def is_vector(A: Any, B: Any) -> bool:
    """Whether B is a batch of vectors rather than of matrices, as PyTorch decides."""
    return len(B.shape) == 1 or (len(A.shape) - 1 == len(B.shape) and tuple(B.shape) == tuple(A.shape[:-1]))


def _solve(A: Any, B: Any, left: bool = True) -> Any:
    square("linalg.solve", A)
    if A.dtype != B.dtype:
        raise RuntimeError(
            f"linalg.solve: Expected A and B to have the same dtype, but found A of type {OF_NUMPY[A.dtype].word} "
            f"and B of type {OF_NUMPY[B.dtype].word} instead"
        )
    try:
        if not left:
            return np.swapaxes(np.linalg.solve(np.swapaxes(A, -1, -2), np.swapaxes(B, -1, -2)), -1, -2)
        if is_vector(A, B):
            return np.linalg.solve(A, B[..., None])[..., 0]
        return np.linalg.solve(A, B)
    except np.linalg.LinAlgError:
        raise _lin_alg_error("torch.linalg.solve", "The solver failed because the input matrix is singular.") from None


def _solve_rule(g: Any, m: Any, A: Any, result: Any, left: bool) -> tuple[Any, Any]:
    """B gets A⁻ᵀ g; A gets minus that times the solution, transposed."""
    to_b = m.solve_system(H(m, A), g, left)
    if left and is_vector(A, g):
        return -(to_b.reshape((*to_b.shape, 1)) * result.reshape((*result.shape[:-1], 1, result.shape[-1]))), to_b
    to_a = -m.matmul(to_b, H(m, result)) if left else -m.matmul(H(m, result), to_b)
    return to_a, to_b


solve_system = op(
    "solve_system", "LinalgSolveExBackward0", _solve, inputs="A B", vjp={"A B": _solve_rule},
    local={"A": "-(A⁻ᵀ g) @ Xᵀ", "B": "A⁻ᵀ g"}, symbol="{A}⁻¹ @ {B}", method=False, public=False, shown="solve",
)  # fmt: skip


@linalg
def solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """X with A X = B (or X A = B); B may be a vector."""
    result: Tensor = solve_system.function(A, B, left)
    return result


def _cholesky(A: Any, upper: bool = False) -> Any:
    square("linalg.cholesky", A)
    try:
        lower = np.linalg.cholesky(A)
    except np.linalg.LinAlgError:
        which, k = _culprit(A, not_positive)
        raise _lin_alg_error(
            "linalg.cholesky",
            f"{which}The factorization could not be completed because the input is not positive-definite (the leading "
            f"minor of order {k} is not positive-definite).",
        ) from None
    return np.swapaxes(lower, -1, -2) if upper else lower


def _half_lower(m: Any, x: Any) -> Any:
    """The lower triangle of x, with half of the diagonal."""
    return m.tril(x, -1) + x * m.eye(x.shape[-1], x) * 0.5


def _cholesky_rule(g: Any, m: Any, result: Any, upper: bool) -> Any:
    lower, pull = (H(m, result), H(m, g)) if upper else (result, m.tril(g, 0))
    if upper:
        pull = m.tril(pull, 0)
    inverted = m.inverse(lower)
    middle = _half_lower(m, m.matmul(H(m, lower), pull))
    whole = m.matmul(m.matmul(H(m, inverted), middle), inverted)
    return (whole + H(m, whole)) * 0.5


cholesky = op(
    "cholesky", "LinalgCholeskyExBackward0", _cholesky, vjp={"A": _cholesky_rule},
    local={"A": "L⁻ᵀ Φ(Lᵀ g) L⁻¹, symmetrised"},
    rule={"A": "L⁻ᵀ Φ(Lᵀ g) L⁻¹, symmetrised"}, symbol="cholesky({A})",
)  # fmt: skip
LINALG["cholesky"] = lambda A, *, upper=False: cholesky.function(A, upper)


def _product(factor: Any, upper: bool) -> Any:
    """L Lᵀ, or Uᵀ U, of the triangle of ``factor`` that counts."""
    half = np.triu(factor) if upper else np.tril(factor)
    turned = np.swapaxes(half, -2, -1)
    return turned @ half if upper else half @ turned


def _factor_rule(m: Any, factor: Any, upper: bool, pull: Any) -> Any:
    """How the factor moves its product's inverse. As in PyTorch all of ``factor`` enters, not the triangle alone."""
    both = pull + H(m, pull)
    return -m.matmul(factor, both) if upper else -m.matmul(both, factor)


def _cholesky_inverse(input: Any, upper: bool = False) -> Any:
    square("cholesky_inverse", input)
    return np.linalg.inv(_product(input, upper))


def _cholesky_solve(input: Any, input2: Any, upper: bool = False) -> Any:
    for name, x in (("b", input), ("u", input2)):
        if np.ndim(x) < 2:
            raise RuntimeError(f"{name} should have at least 2 dimensions, but has {np.ndim(x)} dimensions instead")
    square("cholesky_solve", input2)
    return np.linalg.solve(_product(input2, upper), input)


def _cholesky_solve_rule(g: Any, m: Any, input: Any, input2: Any, result: Any, upper: bool) -> tuple[Any, Any]:
    pull = m.cholesky_solve(g, input2, upper)
    return pull, _factor_rule(m, input2, upper, m.matmul(pull, H(m, result)))


cholesky_inverse = op(
    "cholesky_inverse", "CholeskyInverseBackward0", _cholesky_inverse,
    vjp={
        "input": lambda g, m, input, result, upper: _factor_rule(
            m, input, upper, m.matmul(result, m.matmul(g, result))
        )
    },
    local={"input": "-A⁻¹(g + gᵀ)A⁻¹ L"}, symbol="({input} {input}ᵀ)⁻¹",
)  # fmt: skip
cholesky_solve = op(
    "cholesky_solve", "CholeskySolveBackward0", _cholesky_solve, inputs="input input2",
    vjp={"input input2": _cholesky_solve_rule},
    local={"input": "A⁻¹ g", "input2": "-(A⁻¹g Xᵀ + its transpose) L"}, symbol="({input2} {input2}ᵀ)⁻¹ @ {input}",
)  # fmt: skip


def _triangle(m: Any, x: Any, upper: bool, unitriangular: bool) -> Any:
    shift = 1 if unitriangular else 0
    return m.triu(x, shift) if upper else m.tril(x, -shift)


def _solve_triangular(A: Any, B: Any, upper: bool, left: bool, unitriangular: bool) -> Any:
    T = np.triu(A) if upper else np.tril(A)
    if unitriangular:
        n = A.shape[-1]
        T = np.where(np.eye(n, dtype=bool), 1, T).astype(A.dtype)
    return _solve(T, B, left)


def _triangular_rule(
    g: Any, m: Any, A: Any, result: Any, upper: bool, left: bool, unitriangular: bool
) -> tuple[Any, Any]:
    to_b = m.triangular_system(H(m, A), g, not upper, left, unitriangular)
    to_a = -m.matmul(to_b, H(m, result)) if left else -m.matmul(H(m, result), to_b)
    return _triangle(m, to_a, upper, unitriangular), to_b


triangular_system = op(
    "triangular_system", "LinalgSolveTriangularBackward0", _solve_triangular, inputs="A B",
    vjp={"A B": _triangular_rule},
    local={"A": "-(A⁻ᵀ g) @ Xᵀ in the triangle", "B": "A⁻ᵀ g"}, symbol="{A}⁻¹ @ {B}", method=False, public=False,
    shown="solve_triangular",
)  # fmt: skip


@linalg
def solve_triangular(A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Tensor:
    """X with A X = B (or X A = B) for a triangular A."""
    result: Tensor = triangular_system.function(A, B, upper, left, unitriangular)
    return result


def triangular_solve(
    b: Tensor, A: Tensor, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Any:
    """The older spelling of :func:`solve_triangular`; returns the solution and ``A``."""
    factor, up = (A.mT, not upper) if transpose else (A, upper)
    return triangular_system.function(factor, b, up, True, unitriangular), A.clone()


composite("triangular_solve", triangular_solve)


@linalg
def matrix_power(A: Tensor, n: int) -> Tensor:
    """A times itself, n times over; the inverse for negative n."""
    square("linalg.matrix_power", A.array)
    if n < 0:
        return matrix_power(inverse.function(A), -n)
    if n == 0:
        from ..dispatch import make
        from .shaping import copy

        return copy.function(A, make(np.broadcast_to(np.eye(A.shape[-1], dtype=A.array.dtype), A.array.shape)))  # type: ignore[no-any-return]
    result: Tensor | None = None
    power = A
    while n:
        if n % 2:
            result = power if result is None else matmul(result, power)
        n //= 2
        if n:
            power = matmul(power, power)
    assert result is not None
    return result if result is not A else A.clone()


composite("matrix_power", matrix_power)


def _exponential(A: Any) -> Any:
    """exp of a matrix: scaled down, its series, squared up again."""
    norm = float(np.abs(A).sum(-1).max(initial=0))
    halvings = max(0, math.ceil(math.log2(norm)) + 1) if norm > 0 else 0
    small = (A / 2**halvings).astype(np.float64)
    term = total = np.broadcast_to(np.eye(A.shape[-1]), A.shape).copy()
    for k in range(1, 20):
        term = term @ small / k
        total = total + term
    for _ in range(halvings):
        total = total @ total
    return total.astype(A.dtype)


def _exponential_rule(g: Any, m: Any, A: Any) -> Any:
    """The upper right block of exp([[Aᵀ, g], [0, Aᵀ]])."""
    t, zero, n = H(m, A), m.zeros_like(A), A.shape[-1]
    block = m.cat([m.cat([t, g], -1), m.cat([zero, t], -1)], -2)
    return m.narrow(m.narrow(m.matrix_exp(block), -1, n, n), -2, 0, n)


matrix_exp = op(
    "matrix_exp", "LinalgMatrixExpBackward0", _exponential, vjp={"A": _exponential_rule},
    local={"A": "a block of exp [[Aᵀ, g], [0, Aᵀ]]"},
    rule={"A": "a block of exp [[{A}ᵀ, g], [0, {A}ᵀ]]"}, symbol="exp({A})",
)  # fmt: skip
LINALG["matrix_exp"] = matrix_exp.function


@linalg
def tensorinv(A: Tensor, ind: int = 2) -> Tensor:
    """The inverse of ``A`` as a map of the last dimensions onto the first ``ind``."""
    first, last = tuple(A.shape[:ind]), tuple(A.shape[ind:])
    flat = inverse.function(A.reshape(math.prod(first), -1))
    return flat.reshape((*last, *first))  # type: ignore[no-any-return]


@linalg
def tensorsolve(A: Tensor, B: Tensor, dims: Any = None) -> Tensor:
    """X with tensordot(A, X) = B."""
    if dims is not None:
        A = A.movedim(tuple(dims), tuple(range(A.ndim - len(dims), A.ndim)))
    shape = tuple(A.shape[B.ndim :])
    flat = solve(A.reshape(math.prod(B.shape), -1), B.reshape(-1))
    return flat.reshape(shape)  # type: ignore[no-any-return]


@linalg
def vander(x: Tensor, *, N: int | None = None) -> Tensor:
    """Rows of powers 0, 1, ... of each entry."""
    from .joining import stack

    x = x.reshape(1) if x.ndim == 0 else x
    count = x.shape[-1] if N is None else N
    result: Tensor = stack.function([x**k for k in range(count)], -1)
    return result


def vander_decreasing(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """``torch.vander``: powers from the highest down, unless ``increasing``."""
    rows = vander(x, N=N)
    return rows if increasing else rows.flip(-1)


composite("vander", vander_decreasing, method=False)
FUNCTIONS["slogdet"] = lambda input: named_results("slogdet", "sign logabsdet")(*slogdet.function(input))
