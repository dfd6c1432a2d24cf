"""Cases of special functions, packed factorisations, masked reductions, windows and histograms."""

from __future__ import annotations

from .inputs import Case, Input, between, booleans, case, fault, positive, real, values

BESSEL = [
    "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "modified_bessel_i0", "modified_bessel_i1",
    "modified_bessel_k0", "modified_bessel_k1", "scaled_modified_bessel_k0", "scaled_modified_bessel_k1", "airy_ai",
    "spherical_bessel_j0",
]  # fmt: skip
POLYNOMIALS = [
    "chebyshev_polynomial_t", "chebyshev_polynomial_u", "chebyshev_polynomial_v", "chebyshev_polynomial_w",
    "shifted_chebyshev_polynomial_t", "shifted_chebyshev_polynomial_u", "shifted_chebyshev_polynomial_v",
    "shifted_chebyshev_polynomial_w", "hermite_polynomial_h", "hermite_polynomial_he", "laguerre_polynomial_l",
    "legendre_polynomial_p",
]  # fmt: skip
PLACES = values([-3.0, 0.0, 0.25, 1.0, 4.5, 9.0])
CORNERS = values([0.0, float("inf"), float("nan"), -1.0])


def _symmetric() -> Input:
    return values([[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]], dtype="float64")


SPECIAL: list[Case] = [
    *(case(name, f"torch.special.{name}(x)", x=x.constant) for name in BESSEL for x in (PLACES, CORNERS)),
    *(
        case(name, f"torch.special.{name}(x, torch.tensor([0, 1, 2, 5, 7, -1]))", x=PLACES.constant)
        for name in POLYNOMIALS
    ),
    *(
        case(name, f"torch.{name}(a, x)", a=(positive(3).double if x.dtype == "float64" else positive(3)).constant, x=x)
        for name in ("igamma", "igammac")
        for x in (positive(3), positive(2, 3).double, between(5.0, 9.0, 3), values([0.0, float("inf"), -1.0]))
    ),
    fault("igamma", "torch.igamma(a, x).sum().backward()", "derivative for", a=positive(3), x=positive(3)),
    case("zeta", "torch.special.zeta(s, x)", s=between(1.5, 4.0, 3).constant, x=positive(3).double),
    case("zeta", "torch.special.zeta(s, x)", s=values([1.0, 0.5, 2.0]).constant, x=values([1.0, 1.0, -2.0])),
    fault("zeta", "torch.special.zeta(s, x).sum().backward()", "derivative for", s=between(2, 3, 3), x=positive(3)),
]

FACTORS: list[Case] = [
    case("lu", "torch.linalg.lu_factor(x)", second=False, x=_symmetric()),
    case("lu", "torch.linalg.lu_factor_ex(x)", second=False, x=real(4, 2).double),
    case("lu", "torch.linalg.lu(x)", second=False, x=real(2, 4).double),
    case("lu", "torch.lu_unpack(*torch.linalg.lu_factor(x))", second=False, x=real(3, 3).double),
    case(
        "lu", "torch.linalg.lu_solve(*torch.linalg.lu_factor(x), y)", second=False, x=_symmetric(),
        y=real(3, 2).double,
    ),
    case(
        "lu", "torch.linalg.lu_solve(*torch.linalg.lu_factor(x), y, left=False, adjoint=True)", second=False,
        x=_symmetric(), y=real(2, 3).double,
    ),
    case("cholesky", "torch.cholesky_inverse(x)", x=_symmetric()),
    case("cholesky", "torch.cholesky_solve(y, x, upper=True)", x=_symmetric(), y=real(3, 2).double),
    case("mvlgamma", "torch.mvlgamma(x.abs() + 2, 2)", second=False, x=real(3).double),
    case("geqrf", "torch.geqrf(x)", x=real(4, 3).double.constant),
    case("householder_product", "torch.linalg.householder_product(x, t)", x=real(4, 3).double, t=real(3).double),
    case("householder_product", "torch.linalg.householder_product(x, t)", second=False, x=real(3, 2).double,
         t=real(0).double),
    case("ormqr", "torch.ormqr(x, t, y, transpose=True)", x=real(4, 3).double, t=real(3).double, y=real(4, 2).double),
    case(
        "lstsq", "torch.linalg.lstsq(x, y, driver='gelsd')[:2]", second=False, x=real(4, 2).double,
        y=real(4, 3).double,
    ),
]  # fmt: skip

MASKED: list[Case] = [
    *(
        case(name.split("(")[0], f"torch.masked.{name}", x=real(2, 3), mask=booleans(2, 3))
        for name in (
            "sum(x, 1, mask=mask)", "prod(x, 1, mask=mask)", "mean(x, mask=mask)", "amax(x, 0, mask=mask)",
            "amin(x, mask=mask)", "softmax(x, 1, mask=mask)", "log_softmax(x, 0)", "cumsum(x, 1, mask=mask)",
            "logsumexp(x, 1, mask=mask)", "norm(x, 2.0, 1, mask=mask)", "var(x, mask=mask)",
            "std(x, 1, unbiased=False)",
            "normalize(x, 2.0, 1, mask=mask)", "argmax(x, 1, mask=mask)", "median(x, 1, mask=mask)",
        )
    ),
    fault("masked", "torch.masked.sum(x, (0, 0))", x=real(2, 3)),
    fault("masked", "torch.masked.sum(x, mask=mask)", x=real(3), mask=booleans(2, 3)),
]  # fmt: skip

REST: list[Case] = [
    *(
        case("windows", f"torch.signal.windows.{name}")
        for name in (
            "hann(5)", "hamming(6, sym=False)", "blackman(5)", "bartlett(4)", "kaiser(5, beta=8.0)",
            "gaussian(5, std=2.0)",
            "exponential(4, tau=3.0)", "cosine(4)", "nuttall(6)", "general_cosine(4, a=[0.4, 0.3, 0.3])",
            "hann(1)", "hann(0)",
        )
    ),
    case("windows", "torch.hann_window(6)"),
    case("windows", "torch.kaiser_window(6, True, 5.0)"),
    fault("windows", "torch.signal.windows.gaussian(-1)"),
    case("histogram", "torch.histogram(x, 3, range=(-2.0, 2.0))", x=real(10).constant),
    case("histogram", "torch.histogram(x, 4, density=True)", x=real(10).constant),
    case("histogram", "torch.histogramdd(x, [2, 3], range=(-2.0, 2.0, -2.0, 2.0))[0]", x=real(10, 2).constant),
    case("fftshift", "torch.fft.fftshift(x)", x=real(2, 5)),
    case("fftshift", "torch.fft.ifftshift(x, 1)", x=real(2, 5)),
    case("fftshift", "torch.fft.fftfreq(5, 0.5)"),
    case("linspace", "torch.linspace(-1, 1, 7)"),
    case("linspace", "torch.linspace(4.3, -3, 9, dtype=torch.int64)"),
    case("quantile", "torch.quantile(x, q)", x=real(5), q=values([0.1, 0.6])),
    case(
        "grid_sample", "F.grid_sample(x, g, mode='bicubic', align_corners=True)", x=real(1, 1, 4, 4),
        g=real(1, 2, 2, 2),
    ),
    case("linear_cross_entropy", "F.linear_cross_entropy(x, w, torch.tensor([0, 2]))", x=real(2, 3), w=real(4, 3)),
]  # fmt: skip

SPECIALS: list[Case] = [*SPECIAL, *FACTORS, *MASKED, *REST]
