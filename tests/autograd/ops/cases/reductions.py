"""Cases of reductions, extrema, sorting and cumulative operations, with their ties, zeros and empty shapes."""

from __future__ import annotations

from .inputs import Case, Input, between, booleans, case, fault, integers, positive, real, values

INF, NAN = float("inf"), float("nan")


def spread(*shape: int) -> Input:
    return between(-9, 9, *shape)


FORMS = ["", "dim=0", "dim=-1", "dim=1, keepdim=True"]
MANY = [*FORMS, "dim=(0, 2)", "dim=(0, 1, 2), keepdim=True"]
LAYOUTS = [real(2, 3, 4), real(2, 3, 4).transposed, real(2, 3, 4).strided, real(2, 3, 4).double]

REDUCED: list[Case] = [
    *(
        case(op, f"x.{op}({form})", x=given)
        for op in ("sum", "mean", "std", "var", "amax", "amin", "nansum", "nanmean")
        for form in MANY
        for given in LAYOUTS
    ),
    *(case("prod", f"x.prod({form})", x=given) for form in FORMS for given in LAYOUTS),
    *(case(op, f"x.{op}({form})", x=given) for op in ("max", "min", "median") for form in FORMS for given in LAYOUTS),
    *(case(op, f"x.{op}({form})", x=real(2, 3, 4)) for op in ("argmax", "argmin") for form in FORMS),
    *(case("norm", f"x.norm({form})", x=given) for form in ("", "2", "1", "p=3", "dim=1", "2, 0, True") for given in LAYOUTS),
    *(case("norm", f"x.norm({form})", x=real(2, 3)) for form in ("float('inf')", "p='fro'", "float('-inf')", "0", "p=0.5")),
    *(case("logsumexp", f"torch.logsumexp(x, {dim})", x=given) for dim in ("0", "(1, 2)", "-1, keepdim=True") for given in LAYOUTS),
    *(case(op, f"torch.{op}(x, dim={dim})", x=given) for op in ("softmax", "log_softmax") for dim in (0, -1) for given in LAYOUTS),
    *(case(op, f"x.{op}({dim})", x=given) for op in ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp") for dim in (0, -1) for given in LAYOUTS),
    *(case("sort", f"x.sort({form})", x=given) for form in ("", "0", "dim=1, descending=True", "dim=0, stable=True") for given in (real(3, 4), real(3, 4).transposed)),
    *(case("topk", f"x.topk({form})", x=real(3, 4)) for form in ("2", "1, 0", "3, dim=1, largest=False")),
    *(case(op, f"x.{op}({form})", x=booleans(2, 3)) for op in ("all", "any") for form in ("", "0", "dim=1, keepdim=True")),
]  # fmt: skip

FORMS_OF_CALL: list[Case] = [
    case("sum", "torch.sum(x)", x=real()),
    case("sum", "torch.sum(x, 0)", x=real()),
    case("sum", "x.sum(0, True)", x=real(2, 3)),
    case("sum", "x.sum([])", x=real(2, 3)),
    case("sum", "torch.sum(x, (0, 1))", x=real(2, 3)),
    case("sum", "torch.sum(input=x, dim=1)", x=real(2, 3)),
    case("sum", "x.sum(axis=1, keepdims=True)", x=real(2, 3)),
    case("sum", "x.sum(dtype=torch.float64)", x=real(2, 3)),
    case("sum", "x.sum()", x=integers(2, 3)),
    case("sum", "x.sum(1)", x=booleans(2, 3)),
    case("sum", "x.sum()", x=integers(2, 3, dtype="int32")),
    case("sum", "x.sum()", x=real(0, 3)),
    case("sum", "x.sum(0)", x=real(0, 3)),
    case("mean", "torch.mean(x)", x=real()),
    case("mean", "x.mean()", x=real(0, 3)),
    case("mean", "x.mean(1)", x=real(0, 3)),
    case("mean", "x.mean(0)", x=real(0, 3)),
    case("mean", "x.mean(dtype=torch.float64)", x=integers(2, 3)),
    case("prod", "x.prod()", x=real(0)),
    case("prod", "x.prod()", x=integers(2, 3)),
    case("var", "torch.var(x, 1, False)", x=real(2, 3)),
    case("var", "x.var(unbiased=False)", x=real(2, 3)),
    case("var", "x.var(1, correction=0)", x=real(2, 3)),
    case("var", "x.var(1, correction=2)", x=real(2, 4)),
    case("std", "x.std(1, unbiased=False, keepdim=True)", x=real(2, 3)),
    case("std", "torch.std(x, False)", x=real(2, 3)),
    case("var_mean", "torch.var_mean(x, 1)", x=real(2, 3)),
    case("std_mean", "torch.std_mean(x)", x=real(2, 3)),
    case("max", "torch.max(x, 1)", x=real(2, 3)),
    case("max", "x.max(dim=1, keepdim=True)", x=integers(2, 3, high=9)),
    case("argmax", "x.argmax()", x=real(2, 3)),
    case("argmax", "torch.argmax(x, dim=1, keepdim=True)", x=values([[1.0, 3.0, 3.0], [2.0, 2.0, 1.0]])),
    case("argmin", "torch.argmin(x, 1)", x=values([[1.0, 3.0, 1.0], [2.0, 1.0, 1.0]])),
    case("aminmax", "torch.aminmax(x)", x=real(2, 3)),
    case("aminmax", "x.aminmax(dim=1)", x=real(2, 3)),
    case("median", "x.median()", x=real(2, 3)),
    case("median", "torch.median(x, 1)", x=real(2, 4)),
    case("mode", "torch.mode(x, 1)", x=values([[1.0, 2.0, 2.0], [3.0, 1.0, 1.0]])),
    case("kthvalue", "torch.kthvalue(x, 2, 1)", x=real(2, 4)),
    case("quantile", "torch.quantile(x, 0.4)", x=real(5)),
    case("quantile", "torch.quantile(x, torch.tensor([0.25, 0.75]), dim=1, keepdim=True)", x=real(2, 5)),
    case("argsort", "x.argsort()", x=real(2, 4)),
    case("argsort", "torch.argsort(x, dim=0, descending=True)", x=real(3, 4)),
    case("msort", "torch.msort(x)", x=real(3, 2)),
    case("count_nonzero", "torch.count_nonzero(x)", x=values([0.0, 1.0, 2.0])),
    case("unique", "torch.unique(x)", x=values([3.0, 1.0, 3.0]).constant),
    case("unique", "torch.unique(x, return_inverse=True, return_counts=True)", x=values([3.0, 1.0, 3.0]).constant),
    case("bincount", "torch.bincount(x)", x=integers(6, high=3)),
    case("dist", "torch.dist(x, y)", x=real(3), y=real(3)),
    case("vector_norm", "torch.linalg.vector_norm(x, 3, dim=1)", x=real(2, 3)),
    case("linalg_norm", "torch.linalg.norm(x)", x=real(2, 3)),
    case("renorm", "torch.renorm(x, 2, 0, 1.0)", x=real(2, 3)),
    case("trace", "torch.trace(x)", x=real(3, 2)),
    case("diff", "torch.diff(x)", x=real(2, 4)),
    case("softmax", "x.softmax(0)", x=real(3)),
    case("softmax", "F.softmax(x, dim=1, dtype=torch.float64)", x=real(2, 3)),
    case("log_softmax", "F.log_softmax(x, dim=-1)", x=real(2, 3)),
    case("softmax", "torch.softmax(x, 0)", x=real()),
    case("equal", "torch.equal(x, x.clone())", x=real(2)),
    case("allclose", "torch.allclose(x, x + 1e-9)", x=real(2)),
    case("nansum", "x.nansum()", x=values([1.0, NAN, 2.0])),
    case("nanmean", "x.nanmean()", x=values([1.0, NAN, 2.0])),
    case("cumulative_trapezoid", "torch.trapezoid(x)", x=real(2, 4)),
    case("cov", "torch.cov(x)", x=real(2, 4)),
]

CORNERS: list[Case] = [
    case("prod", "x.prod()", x=values([2.0, 0.0, 3.0])),
    case("prod", "x.prod()", x=values([0.0, 1.0])),
    case("prod", "x.prod()", x=values([0.0, 1.0, 0.0])),
    case("prod", "x.prod(1)", x=values([[2.0, 0.0, 3.0], [1.0, 2.0, 3.0], [0.0, 0.0, 3.0]])),
    case("cumprod", "x.cumprod(0)", second=False, x=values([2.0, 0.0, 3.0, 0.0, 1.0])),
    case("cumprod", "x.cumprod(1)", second=False, x=values([[2.0, 0.0, 3.0], [1.0, 2.0, 3.0]])),
    case("norm", "x.norm()", second=False, x=values([0.0, 0.0, 0.0])),
    case("norm", "x.norm(1)", x=values([0.0, -1.0, 2.0])),
    case("norm", "x.norm(3)", second=False, x=values([0.0, 0.0])),
    case("norm", "x.norm(1.5)", second=False, x=values([0.0, 0.0])),
    case("norm", "x.norm(float('inf'))", x=values([2.0, -2.0, 1.0])),
    case("norm", "x.norm(float('inf'))", x=values([0.0, 0.0])),
    case("norm", "x.norm(dim=1)", second=False, x=values([[0.0, 0.0], [3.0, 4.0]])),
    case("norm", "(x ** 2).sum().sqrt()", x=values([0.0, 0.0])),
    case("max", "x.max()", x=values([1.0, 3.0, 3.0])),
    case("max", "x.max(dim=0)", x=values([1.0, 3.0, 3.0])),
    case("max", "x.max()", x=values([1.0, NAN, 3.0])),
    case("max", "x.max(0)", x=values([1.0, NAN, 3.0])),
    case("min", "x.min()", x=values([1.0, 1.0, 3.0])),
    case("min", "x.min(dim=0)", x=values([1.0, 1.0, 3.0])),
    case("amax", "x.amax(0)", x=values([1.0, 3.0, 3.0])),
    case("amin", "x.amin()", x=values([1.0, 1.0, 1.0])),
    case("median", "x.median()", x=values([1.0, 1.0, 3.0, 3.0])),
    case("sort", "x.sort(stable=True)", x=values([2.0, 1.0, 2.0, 1.0])),
    case("sort", "x.sort(descending=True, stable=True)", x=values([2.0, 1.0, 2.0, 1.0])),
    case("sort", "x.sort()", x=values([2.0, NAN, 1.0])),
    case("sort", "torch.sort(x)", x=values(2.0)),
    case("topk", "x.topk(2)", x=values([3.0, 1.0, 2.0])),
    case("cummax", "x.cummax(0)", x=values([1.0, 3.0, 3.0, 2.0])),
    case("cummin", "x.cummin(0)", x=values([3.0, 1.0, 1.0, 2.0])),
    case("cumsum", "x.cumsum(0)", x=real()),
    case("cumsum", "x.cumsum(0)", x=real(0)),
    case("cumsum", "x.cumsum(0)", x=integers(3)),
    case("std", "x.std()", second=False, x=values([1.0, 1.0, 1.0])),
    case("std", "x.std()", second=False, x=values([2.0])),
    case("var", "x.var()", second=False, x=values([2.0])),
    case("std", "x.std(unbiased=False)", second=False, x=values([2.0, 2.0])),
    case("std", "x.std(1)", second=False, x=values([[1.0, 1.0], [1.0, 2.0]])),
    case("logsumexp", "torch.logsumexp(x, 0)", x=values([-INF, 0.0])),
    case("logsumexp", "torch.logsumexp(x, 0)", second=False, x=values([-INF, -INF])),
    case("logsumexp", "torch.logsumexp(x, 0)", second=False, x=values([INF, 0.0])),
    case("logsumexp", "torch.logsumexp(x, 0)", x=values([1000.0, 1000.0])),
    case("softmax", "torch.softmax(x, 1)", x=values([[-INF, -INF], [0.0, -INF]])),
    case("log_softmax", "torch.log_softmax(x, 1)", x=values([[-INF, -INF], [0.0, -INF]])),
    case("softmax", "torch.softmax(x, 0)", x=values([1000.0, 0.0])),
    case("log_softmax", "torch.log_softmax(x, 0)", x=values([1000.0, 0.0])),
    case("sum", "(x + x).sum()", x=real(3)),
    case("dist", "torch.dist(x, y)", second=False, x=values([1.0, 2.0]), y=values([1.0, 2.0])),
]

FAULTS: list[Case] = [
    fault("sum", "x.sum(2)", x=real(2, 3)),
    fault("sum", "x.sum((0, 0))", x=real(2, 3)),
    fault("mean", "x.mean()", x=integers(3)),
    fault("max", "x.max()", x=real(0)),
    fault("max", "x.max(0)", x=real(0)),
    fault("argmax", "x.argmax()", x=real(0)),
    fault("softmax", "torch.softmax(x, 2)", x=real(2, 3)),
    fault("softmax", "torch.softmax(x, 0)", x=integers(3)),
    fault("std", "x.std()", x=integers(3)),
    fault("topk", "x.topk(5)", x=real(3)),
    fault("cumsum", "x.cumsum(1)", x=real(3)),
    fault("norm", "x.norm()", x=integers(3)),
    fault("amax", "x.amax()", x=real(0)),
    fault("prod", "x.prod(3)", x=real(3)),
    fault("logsumexp", "torch.logsumexp(x, 4)", x=real(3)),
]

REDUCTIONS: list[Case] = [*REDUCED, *FORMS_OF_CALL, *CORNERS, *FAULTS, case("sum", "x.sum()", x=positive(2, 2).half)]
