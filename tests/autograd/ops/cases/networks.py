"""Cases of linear algebra, convolution, pooling, normalisation, losses, attention, embedding and random operations."""

from __future__ import annotations

from .inputs import Case, Input, between, booleans, case, fault, integers, positive, real, unit, values

NAN = float("nan")


def probability(*shape: int) -> Input:
    return between(0.1, 0.9, *shape)


ALGEBRA: list[Case] = [
    *(
        case("matmul", "x @ y", x=x, y=y)
        for x, y in (
            (real(3), real(3)), (real(2, 3), real(3)), (real(3), real(3, 2)), (real(2, 3), real(3, 4)),
            (real(2, 3).transposed, real(3, 4).strided),
            (real(5, 2, 3), real(3, 4)), (real(5, 2, 3), real(5, 3, 4)), (real(2, 1, 2, 3), real(4, 3, 2)),
            (real(2, 3), real(4, 3, 2)),
            (real(4, 2, 3), real(3)), (real(3), real(4, 3, 2)), (real(0, 3), real(3, 2)), (real(2, 0), real(0, 3)),
            (real(2, 3).double, real(3, 2).double),
        )
    ),
    case("matmul", "torch.matmul(x, x)", x=real(2, 2)),
    case("mm", "x.mm(y)", x=real(2, 3), y=real(3, 2)),
    case("mm", "torch.mm(x, x.t())", x=real(2, 3)),
    case("bmm", "torch.bmm(x, y)", x=real(2, 3, 4), y=real(2, 4, 2)),
    case("mv", "torch.mv(x, y)", x=real(2, 3), y=real(3)),
    case("dot", "x.dot(y)", x=real(3), y=real(3)),
    case("vdot", "torch.vdot(x, y)", x=real(3), y=real(3)),
    case("inner", "torch.inner(x, y)", x=real(2, 3), y=real(4, 3)),
    case("outer", "torch.outer(x, y)", x=real(2), y=real(3)),
    case("addmm", "torch.addmm(x, y, z, beta=0.5, alpha=2)", x=real(2), y=real(3, 4), z=real(4, 2)),
    case("addmv", "torch.addmv(x, y, z)", x=real(3), y=real(3, 4), z=real(4)),
    case("addr", "torch.addr(x, y, z, alpha=2)", x=real(2, 3), y=real(2), z=real(3)),
    case("baddbmm", "torch.baddbmm(x, y, z)", x=real(3, 2), y=real(2, 3, 4), z=real(2, 4, 2)),
    case("addbmm", "torch.addbmm(x, y, z)", x=real(3, 2), y=real(2, 3, 4), z=real(2, 4, 2)),
    case("kron", "torch.kron(x, y)", x=real(2, 2), y=real(2, 3)),
    case("tensordot", "torch.tensordot(x, y, dims=1)", x=real(2, 3), y=real(3, 2)),
    case("tensordot", "torch.tensordot(x, y, dims=([1, 0], [0, 1]))", x=real(2, 3), y=real(3, 2, 2)),
    case("cross", "torch.linalg.cross(x, y)", x=real(2, 3), y=real(2, 3)),
    case("cross", "torch.cross(x, y, dim=0)", x=real(3, 2), y=real(3, 2)),
    *(
        case("einsum", f"torch.einsum('{rule}', {', '.join('xyz'[: len(given)])})",
            **dict(zip("xyz", given, strict=False)))
        for rule, given in (
            ("ij,jk->ik", (real(2, 3), real(3, 4))), ("ij,jk", (real(2, 3), real(3, 4))), ("ii->i", (real(3, 3),)),
            ("ii", (real(3, 3),)),
            ("ij->ji", (real(2, 3),)), ("ij->", (real(2, 3),)), ("i,j->ij", (real(2), real(3))),
            ("bij,bjk->bik", (real(2, 3, 4), real(2, 4, 2))),
            ("...ij,...jk->...ik", (real(2, 3, 4), real(4, 2))), ("i,i->", (real(3), real(3))),
            ("ij,kj,k->i", (real(2, 3), real(4, 3), real(4))),
            ("bhid,bhjd->bhij", (real(1, 2, 3, 4), real(1, 2, 2, 4))), ("ij,ij->i", (real(2, 3), real(2, 3))),
            ("ijj->ij", (real(2, 3, 3),)),
        )
    ),
    case("linear", "F.linear(x, w, b)", x=real(2, 3), w=real(4, 3), b=real(4)),
    case("linear", "F.linear(x, w)", x=real(5, 2, 3), w=real(4, 3)),
    case("linear", "F.linear(x, w, b)", x=real(3), w=real(4, 3), b=real(4)),
    case("bilinear", "F.bilinear(x, y, w, b)", x=real(2, 3), y=real(2, 2), w=real(4, 3, 2), b=real(4)),
    case("cdist", "torch.cdist(x, y)", x=real(3, 2), y=real(2, 2)),
    case("cdist", "torch.cdist(x, y, p=1)", second=False, x=real(2, 3, 2), y=real(2, 2, 2)),
    case("det", "torch.linalg.det(x)", x=real(3, 3)),
    case("slogdet", "torch.linalg.slogdet(x)[1]", x=real(3, 3)),
    case("inverse", "torch.inverse(x)", x=real(2, 2)),
    case("solve", "torch.linalg.solve(x, y)", x=real(2, 2), y=real(2, 3)),
    case("cholesky", "torch.linalg.cholesky(x @ x.mT + 2 * torch.eye(2))", x=real(2, 2)),
    case("matrix_power", "torch.linalg.matrix_power(x, 3)", x=real(2, 2)),
    case("eigvalsh", "torch.linalg.eigvalsh(x + x.mT)", x=real(2, 2).double),
    case("svdvals", "torch.linalg.svdvals(x)", x=real(2, 3).double),
    case("pinverse", "torch.linalg.pinv(x)", second=False, x=real(3, 2).double),
    case("multi_dot", "torch.linalg.multi_dot([x, y, x])", x=real(2, 3), y=real(3, 2)),
    case("matrix_exp", "torch.linalg.matrix_exp(x)", x=real(2, 2)),
    case("qr", "torch.linalg.qr(x)", second=False, x=real(3, 2).double),
    case("qr", "torch.linalg.qr(x)[1].abs()", second=False, x=real(2, 3).double),
    case("lu", "torch.linalg.lu(x)", second=False, x=real(3, 3).double),
    case("solve_triangular", "torch.linalg.solve_triangular(x, y, upper=True)", second=False,
        x=between(0.5, 2.0, 3, 3).double, y=real(3, 2).double),
    case("svd", "(lambda s: s[0] * s[1] @ s[2])(torch.linalg.svd(x, full_matrices=False))", second=False,
        x=real(3, 2).double),
    case("eigh", "(lambda e: e[1] * e[0].exp() @ e[1].mT)(torch.linalg.eigh(x + x.mT))", second=False,
        x=real(3, 3).double),
    case("cond", "torch.linalg.cond(x)", second=False, x=real(3, 3).double),
    case("logdet", "torch.logdet(x @ x.mT + torch.eye(2))", x=real(2, 2)),
    case("lstsq", "torch.linalg.lstsq(x, y)[0]", second=False, x=real(4, 2).double, y=real(4, 1).double),
    case("tensorinv", "torch.linalg.tensorinv(x.reshape(2, 2, 4))", second=False, x=real(4, 4).double),
    case("matrix_norm", "torch.linalg.matrix_norm(x)", x=real(2, 3)),
]  # fmt: skip

CONVOLUTION: list[Case] = [
    *(
        case("conv1d", f"F.conv1d(x, w, b{form})", x=given, w=real(4, 2, 3), b=real(4))
        for form in ("", ", padding=1", ", stride=2", ", padding=2, dilation=2", ", padding='same'", ", 2, 1")
        for given in (real(2, 2, 6), real(2, 2, 6).transposed, real(2, 6))
    ),
    case("conv1d", "F.conv1d(x, w, groups=2)", x=real(1, 4, 5), w=real(2, 2, 3)),
    *(
        case("conv2d", f"F.conv2d(x, w{form})", x=real(2, 2, 5, 4), w=real(3, 2, 3, 2))
        for form in ("", ", padding=1", ", stride=2", ", stride=(2, 1), padding=(1, 0)", ", padding='valid'",
            ", dilation=(1, 2), padding=1")
    ),
    case("conv2d", "F.conv2d(x, w, b, groups=2)", x=real(1, 4, 4, 4), w=real(2, 2, 3, 3), b=real(2)),
    case("conv2d", "F.conv2d(x, w, b)", x=real(2, 4, 4), w=real(3, 2, 1, 1), b=real(3)),
    case("conv2d", "F.conv2d(x, w)", x=real(1, 1, 4, 4).double, w=real(1, 1, 2, 2).double),
    case("conv3d", "F.conv3d(x, w, b, padding=1)", x=real(1, 2, 3, 3, 3), w=real(2, 2, 2, 2, 2), b=real(2)),
    case("conv_transpose1d", "F.conv_transpose1d(x, w, b, stride=2, padding=1, output_padding=1)", x=real(1, 2, 4),
        w=real(2, 3, 3), b=real(3)),
    case("conv_transpose2d", "F.conv_transpose2d(x, w, b, stride=2)", x=real(1, 2, 3, 3), w=real(2, 2, 2, 2),
        b=real(2)),
    case("unfold", "F.unfold(x, 2, padding=1, stride=2)", x=real(1, 2, 4, 4)),
    case("fold", "F.fold(x, (4, 4), 2, stride=2)", x=real(1, 8, 4)),
    case("max_pool1d", "F.max_pool1d(x, 2)", x=real(2, 2, 5)),
    case("max_pool1d", "F.max_pool1d(x, 3, stride=1, padding=1, dilation=1, ceil_mode=True)", x=real(2, 2, 5)),
    case("max_pool2d", "F.max_pool2d(x, 2)", x=real(2, 2, 4, 5)),
    case("max_pool2d", "F.max_pool2d(x, (2, 3), stride=1, padding=1)", x=real(1, 2, 4, 5).transposed),
    case("max_pool2d", "F.max_pool2d(x, 2, return_indices=True)", x=real(2, 4, 4)),
    case("max_pool2d", "F.max_pool2d(x, 2)", x=values([[[1.0, 1.0], [1.0, 0.0]]])),
    case("max_pool3d", "F.max_pool3d(x, 2)", x=real(1, 1, 4, 4, 2)),
    case("avg_pool1d", "F.avg_pool1d(x, 2)", x=real(2, 2, 5)),
    case("avg_pool1d", "F.avg_pool1d(x, 3, 2, 1, count_include_pad=False)", x=real(2, 2, 5)),
    case("avg_pool2d", "F.avg_pool2d(x, 2)", x=real(2, 2, 4, 5)),
    case("avg_pool2d", "F.avg_pool2d(x, 3, stride=2, padding=1, ceil_mode=True)", x=real(1, 2, 4, 5)),
    case("avg_pool2d", "F.avg_pool2d(x, 2, divisor_override=3)", x=real(1, 1, 4, 4)),
    case("avg_pool3d", "F.avg_pool3d(x, 2)", x=real(1, 1, 4, 4, 2)),
    case("adaptive_avg_pool1d", "F.adaptive_avg_pool1d(x, 3)", x=real(1, 2, 5)),
    case("adaptive_avg_pool2d", "F.adaptive_avg_pool2d(x, (1, 2))", x=real(1, 2, 4, 5)),
    case("adaptive_max_pool1d", "F.adaptive_max_pool1d(x, 3)", x=real(1, 2, 5)),
    case("adaptive_max_pool2d", "F.adaptive_max_pool2d(x, 2)", x=real(1, 2, 4, 5)),
    case("interpolate", "F.interpolate(x, scale_factor=2)", x=real(1, 2, 3)),
    *(
        case("interpolate", f"F.interpolate(x, size=(5, 4), mode='{mode}'{corners})", x=real(1, 2, 3, 3))
        for mode in ("bilinear", "bicubic")
        for corners in ("", ", align_corners=True")
    ),
    case("interpolate", "F.interpolate(x, scale_factor=(1.5, 2, 1), mode='trilinear')", x=real(1, 1, 2, 2, 3)),
    case("interpolate", "F.interpolate(x, size=5, mode='linear')", x=real(1, 1, 3)),
    case("interpolate", "F.interpolate(x, size=(2, 2), mode='area')", x=real(1, 1, 4, 3)),
    case("interpolate", "F.interpolate(x, size=(4, 5), mode='nearest-exact')", x=real(1, 1, 2, 3)),
    case("adaptive_avg_pool3d", "F.adaptive_avg_pool3d(x, 2)", x=real(1, 1, 4, 3, 2)),
    case("adaptive_max_pool3d", "F.adaptive_max_pool3d(x, 2)", x=real(1, 1, 4, 3, 2)),
    case("max_unpool2d", "F.max_unpool2d(x, i, 2)", x=real(1, 1, 1, 2), i=values([[[[0, 3]]]], dtype="int64")),
    case("grid_sample", "F.grid_sample(x, y, align_corners=False)", second=False, x=real(1, 2, 3, 3),
        y=unit(1, 2, 2, 2)),
    case("grid_sample", "F.grid_sample(x, y, align_corners=True, padding_mode='border')", second=False,
        x=real(1, 1, 3, 3), y=real(1, 2, 2, 2)),
    case("interpolate", "F.interpolate(x, size=(4, 5), mode='bilinear')", x=real(1, 1, 2, 3)),
    case("pixel_shuffle", "F.pixel_shuffle(x, 2)", x=real(1, 4, 2, 3)),
    case("pixel_unshuffle", "F.pixel_unshuffle(x, 2)", x=real(1, 1, 2, 4)),
    case("channel_shuffle", "F.channel_shuffle(x, 2)", x=real(1, 4, 3)),
    case("max_unpool3d", "F.max_unpool3d(x, i, 2)", second=False, x=real(1, 1, 1, 1, 2),
         i=values([[[[[0, 7]]]]], dtype="int64")),
    case("pdist", "F.pdist(x, 3.0)", second=False, x=real(4, 2)),
    case("lp_pool1d", "F.lp_pool1d(x, 2, 2)", second=False, x=positive(1, 2, 4)),
    fault("conv1d", "F.conv1d(x, w)", x=real(1, 3, 5), w=real(2, 2, 3)),
    fault("conv2d", "F.conv2d(x, w)", x=real(1, 3, 2, 2), w=real(2, 3, 3, 3)),
    fault("max_pool2d", "F.max_pool2d(x, 2)", x=real(5, 5)),
    fault("max_pool2d", "F.max_pool2d(x, 3)", x=real(1, 2, 2)),
]  # fmt: skip

NORMALISATION: list[Case] = [
    case("layer_norm", "F.layer_norm(x, (4,))", x=real(2, 3, 4)),
    case("layer_norm", "F.layer_norm(x, (3, 4), w, b)", x=real(2, 3, 4), w=real(3, 4), b=real(3, 4)),
    case("layer_norm", "F.layer_norm(x, [4], w, b, eps=0.1)", x=real(2, 4).transposed, w=real(4), b=real(4)),
    case("layer_norm", "F.layer_norm(x, (4,), w)", x=real(2, 4).double, w=real(4).double),
    case("rms_norm", "F.rms_norm(x, (4,), w)", second=False, x=real(2, 4), w=real(4)),
    case("group_norm", "F.group_norm(x, 2, w, b)", x=real(2, 4, 3), w=real(4), b=real(4)),
    case("batch_norm", "F.batch_norm(x, None, None, w, b, training=True)", x=real(4, 3), w=real(3), b=real(3)),
    case(
        "batch_norm",
        "F.batch_norm(x, m, v, w, b, training=True)",
        x=real(4, 3, 2),
        m=real(3).constant,
        v=positive(3).constant,
        w=real(3),
        b=real(3),
    ),
    case(
        "batch_norm",
        "F.batch_norm(x, m, v, w, b)",
        x=real(4, 3, 2, 2),
        m=real(3).constant,
        v=positive(3).constant,
        w=real(3),
        b=real(3),
    ),
    case(
        "batch_norm",
        "F.batch_norm(x, m, v, training=False, eps=0.1)",
        x=real(4, 3),
        m=real(3).constant,
        v=positive(3).constant,
    ),
    case(
        "batch_norm",
        "[F.batch_norm(x, m, v, training=True, momentum=0.3), m, v]",
        x=real(4, 3),
        m=real(3).constant,
        v=positive(3).constant,
    ),
    case("instance_norm", "F.instance_norm(x)", x=real(2, 3, 4)),
    case("local_response_norm", "F.local_response_norm(x, 2)", second=False, x=real(2, 3, 4)),
    case("normalize", "F.normalize(x)", x=real(2, 3)),
    case("normalize", "F.normalize(x, p=1, dim=0)", x=real(2, 3)),
    case("normalize", "F.normalize(x, dim=1)", second=False, x=values([[0.0, 0.0], [3.0, 4.0]])),
    case("cosine_similarity", "F.cosine_similarity(x, y)", x=real(2, 3), y=real(2, 3)),
    case("cosine_similarity", "F.cosine_similarity(x, y, dim=0)", x=real(3), y=real(3)),
    case("pairwise_distance", "F.pairwise_distance(x, y)", x=real(2, 3), y=real(2, 3)),
    fault("batch_norm", "F.batch_norm(x, None, None, training=True)", x=real(1, 3)),
    fault("layer_norm", "F.layer_norm(x, (3,))", x=real(2, 4)),
]

REDUCTION = ["", ", reduction='sum'", ", reduction='none'"]

LOSSES: list[Case] = [
    *(
        case(op, f"F.{op}(x, y{form}{more})", x=real(2, 3), y=real(2, 3))
        for op, mores in {
            "mse_loss": ("",), "l1_loss": ("",), "smooth_l1_loss": ("", ", beta=0.5", ", beta=0.0"),
            "huber_loss": ("", ", delta=0.7"),
        }.items()
        for more in mores
        for form in REDUCTION
    ),
    *(case("binary_cross_entropy", f"F.binary_cross_entropy(x, y{form})", x=probability(2, 3),
        y=probability(2, 3).constant) for form in [*REDUCTION, ", weight=torch.tensor([1., 2., 3.])"]),
    *(
        case("binary_cross_entropy_with_logits", f"F.binary_cross_entropy_with_logits(x, y{form})", x=real(2, 3),
            y=probability(2, 3).constant)
        for form in [*REDUCTION, ", weight=torch.tensor([1., 2., 3.])", ", pos_weight=torch.tensor([1., 2., 3.])"]
    ),
    *(case("nll_loss", f"F.nll_loss(x, y{form})", x=real(4, 3), y=integers(4)) for form in [*REDUCTION,
        ", ignore_index=1", ", weight=torch.tensor([1., 2., 3.])"]),
    *(
        case("cross_entropy", f"F.cross_entropy(x, y{form})", x=real(4, 3), y=integers(4))
        for form in [
            *REDUCTION, ", ignore_index=1", ", weight=torch.tensor([1., 2., 3.])", ", label_smoothing=0.2",
            ", weight=torch.tensor([1., 2., 3.]), label_smoothing=0.2, ignore_index=0",
            ", reduction='none', label_smoothing=0.1",
            ", weight=torch.tensor([1., 2., 3.]), reduction='none'",
            ", weight=torch.tensor([1., 2., 3.]), reduction='sum'",
        ]
    ),
    case("cross_entropy", "F.cross_entropy(x, y)", x=real(3), y=values(1, dtype="int64")),
    case("cross_entropy", "F.cross_entropy(x, y)", x=real(2, 3, 4), y=integers(2, 4)),
    case("cross_entropy", "F.cross_entropy(x, y)", x=real(2, 3), y=probability(2, 3)),
    case("cross_entropy", "F.cross_entropy(x, y, weight=torch.tensor([1., 2., 3.]), label_smoothing=0.1)",
        x=real(2, 3), y=probability(2, 3).constant),
    case("cross_entropy", "F.cross_entropy(x, y, ignore_index=-100)", x=real(2, 3),
        y=values([-100, -100], dtype="int64"), second=False),
    case("cross_entropy", "F.cross_entropy(x, y)", x=values([[1000.0, 0.0], [0.0, 1000.0]]),
        y=values([1, 1], dtype="int64")),
    case("binary_cross_entropy", "F.binary_cross_entropy(x, y)", x=probability(2, 3), y=probability(2, 3)),
    case("binary_cross_entropy", "F.binary_cross_entropy(x, y, reduction='none')", x=probability(3), y=probability(3)),
    case("binary_cross_entropy_with_logits", "F.binary_cross_entropy_with_logits(x, y)", x=real(3), y=probability(3)),
    case(
        "binary_cross_entropy_with_logits",
        "F.binary_cross_entropy_with_logits(x, y, pos_weight=torch.tensor([1., 2., 3.]))",
        x=real(3),
        y=probability(3),
    ),
    case("nll_loss", "F.nll_loss(x, y)", x=real(2, 3, 2, 2), y=integers(2, 2, 2)),
    case("binary_cross_entropy", "F.binary_cross_entropy(x, y)", second=False, x=values([0.0, 1.0, 0.5]),
        y=values([0.0, 0.0, 1.0]).constant),
    case("binary_cross_entropy_with_logits", "F.binary_cross_entropy_with_logits(x, y)",
        x=values([100.0, -100.0, 0.0]), y=values([0.0, 1.0, 1.0]).constant),
    *(case("kl_div", f"F.kl_div(x, y{form})", x=real(2, 3), y=probability(2, 3)) for form in [*REDUCTION,
        ", reduction='batchmean'", ", log_target=True"]),
    case("kl_div", "F.kl_div(x, y, reduction='sum')", x=real(3), y=values([0.0, 0.5, 0.5]).constant),
    case("poisson_nll_loss", "F.poisson_nll_loss(x, y)", x=real(3), y=positive(3).constant),
    case("gaussian_nll_loss", "F.gaussian_nll_loss(x, y, v)", x=real(3), y=real(3), v=positive(3)),
    case("soft_margin_loss", "F.soft_margin_loss(x, y)", x=real(3), y=values([1.0, -1.0, 1.0]).constant),
    case("margin_ranking_loss", "F.margin_ranking_loss(x, y, z, margin=0.5)", x=real(3), y=real(3),
        z=values([1.0, -1.0, 1.0]).constant),
    case("hinge_embedding_loss", "F.hinge_embedding_loss(x, y)", x=real(3), y=values([1.0, -1.0, 1.0]).constant),
    case("cosine_embedding_loss", "F.cosine_embedding_loss(x, y, z)", x=real(2, 3), y=real(2, 3),
        z=values([1.0, -1.0]).constant),
    case("triplet_margin_loss", "F.triplet_margin_loss(x, y, z)", x=real(2, 3), y=real(2, 3), z=real(2, 3)),
    case("multi_margin_loss", "F.multi_margin_loss(x, y)", second=False, x=real(2, 3), y=integers(2)),
    case("multilabel_soft_margin_loss", "F.multilabel_soft_margin_loss(x, y)", x=real(2, 3),
        y=values([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]]).constant),
    case("smooth_l1_loss", "F.smooth_l1_loss(x, y)", x=values([-1.0, 0.0, 1.0, 2.0]), y=values([0.0, 0.0, 0.0, 0.0])),
    case("huber_loss", "F.huber_loss(x, y)", x=values([-1.0, 0.0, 1.0, 2.0]), y=values([0.0, 0.0, 0.0, 0.0])),
    case("l1_loss", "F.l1_loss(x, y)", x=values([-1.0, 0.0, 1.0]), y=values([0.0, 0.0, 0.0])),
    case("mse_loss", "F.mse_loss(x, y)", x=real(0), y=real(0)),
    case("mse_loss", "F.mse_loss(x, y)", x=real(2, 1), y=real(2)),
    *(
        case("ctc_loss", f"F.ctc_loss(x.log_softmax(2), y, (4, 3), (2, 1){form})", second=False, x=real(4, 2, 3),
            y=values([[1, 2], [2, 0]], dtype="int64"))
        for form in REDUCTION
    ),
    case("multilabel_margin_loss", "F.multilabel_margin_loss(x, y)", second=False, x=real(2, 3),
        y=values([[1, -1, 0], [0, 2, -1]], dtype="int64")),
    case("embedding_bag", "F.embedding_bag(y, x, mode='max')", second=False, x=real(4, 2),
         y=values([[1, 2], [2, 0]], dtype="int64")),
    case("embedding_bag", "F.embedding_bag(y, x, mode='sum', per_sample_weights=w)", second=False, x=real(4, 2),
         y=values([[1, 2], [2, 0]], dtype="int64"), w=real(2, 2)),
    case("embedding_bag", "F.embedding_bag(y, x, mode='sum')", second=False, x=real(4, 2),
        y=values([[1, 2], [2, 0]], dtype="int64")),
    fault("nll_loss", "F.nll_loss(x, y)", x=real(2, 3), y=real(2).constant),
    fault("nll_loss", "F.nll_loss(x, y)", x=real(2, 3), y=values([0, 5], dtype="int64")),
    fault("cross_entropy", "F.cross_entropy(x, y)", x=real(2, 3), y=integers(3)),
    fault("cross_entropy", "F.cross_entropy(x, y)", x=real(2, 3), y=values([[0], [1]], dtype="int64")),
    fault("cross_entropy", "F.cross_entropy(x, y)", x=real(2, 3), y=values([[0, 1, 0], [1, 0, 0]], dtype="int64")),
    fault("binary_cross_entropy", "F.binary_cross_entropy(x, y)", x=values([1.5]), y=values([1.0]).constant),
    fault("binary_cross_entropy", "F.binary_cross_entropy(x, y)", x=probability(2), y=probability(3).constant),
    fault("binary_cross_entropy_with_logits", "F.binary_cross_entropy_with_logits(x, y)", x=real(2),
        y=real(3).constant),
    fault("mse_loss", "F.mse_loss(x, y)", x=real(2), y=real(3)),
    fault("mse_loss", "F.mse_loss(x, y, reduction='average')", x=real(2), y=real(2)),
]  # fmt: skip

LAYERS: list[Case] = [
    case("embedding", "F.embedding(i, w)", i=integers(2, 3, high=3), w=real(4, 2)),
    case("embedding", "F.embedding(i, w, padding_idx=0)", i=values([0, 1, 1, 0], dtype="int64"), w=real(4, 2)),
    case("dropout", "F.dropout(x, 0.5, training=False)", x=real(2, 3)),
    case("dropout", "F.dropout(x, 0.0)", x=real(2, 3)),
    case("dropout", "F.dropout(x, 1.0)", x=real(2, 3)),
    *(
        case(
            "scaled_dot_product_attention",
            f"F.scaled_dot_product_attention(q, k, v{form})",
            q=real(2, 3, 4),
            k=real(2, 3, 4),
            v=real(2, 3, 2),
        )
        for form in (
            "",
            ", is_causal=True",
            ", scale=0.3",
            ", attn_mask=torch.ones(3, 3).tril().bool()",
            ", attn_mask=torch.ones(3, 3)",
        )
    ),
    case(
        "scaled_dot_product_attention",
        "F.scaled_dot_product_attention(q, k, v, b)",
        q=real(1, 2, 3, 4),
        k=real(1, 2, 5, 4),
        v=real(1, 2, 5, 4),
        b=real(3, 5),
    ),
    case("mm", "torch.relu(x @ w + b).sum()", x=real(4, 3), w=real(3, 2), b=real(2)),
    case("where", "torch.where(m, x, y).sum()", m=booleans(2, 3), x=real(2, 3), y=real(3)),
    fault("matmul", "x @ y", x=real(2, 3), y=real(2, 3)),
    fault("matmul", "x @ y", x=real(3), y=real(2)),
    fault("matmul", "x @ 2", x=real(3)),
    fault("matmul", "x @ y", x=real(), y=real(2)),
    fault("mm", "torch.mm(x, y)", x=real(2), y=real(2, 2)),
    fault("bmm", "torch.bmm(x, y)", x=real(2, 2), y=real(2, 2)),
    fault("matmul", "x @ y", x=real(2, 2), y=real(2, 2).double),
    fault("matmul", "x @ y", x=real(2, 2), y=integers(2, 2)),
    fault("dot", "x.dot(y)", x=real(2), y=real(3)),
    fault("mv", "x.mv(y)", x=real(2, 3), y=real(2)),
    fault("linear", "F.linear(x, w)", x=real(2, 3), w=real(4, 2)),
    fault("einsum", "torch.einsum('ij,jk->ik', x, y)", "does not broadcast", x=real(2, 3), y=real(2, 3)),
    fault("embedding", "F.embedding(i, w)", i=values([7], dtype="int64"), w=real(4, 2)),
    fault("embedding", "F.embedding(x, w)", x=real(1).constant, w=real(4, 2)),
    fault("addmm", "torch.addmm(x, y, z)", x=real(2, 2), y=real(2, 3), z=real(2, 2)),
    fault("linear", "F.linear(x, w, b)", x=real(2, 3).double, w=real(4, 3), b=real(4)),
    fault("linear", "F.linear(x, w, b)", x=integers(2, 3), w=real(4, 3), b=real(4)),
    fault("linear", "F.linear(x, w)", x=real(2, 3).double, w=real(4, 3)),
    fault("linear", "F.linear(x, w, b)", x=real(4), w=real(4, 3), b=real(4)),
    fault("linear", "F.linear(x, w, b)", x=real(2, 2, 4), w=real(4, 3), b=real(4)),
    fault("linear", "F.linear([1, 2, 3], w)", w=real(4, 3)),
    fault("addmm", "torch.addmm(x, y, z)", x=real(2), y=real(2, 3), z=real(3, 2).double),
    fault("bmm", "torch.bmm(x, y)", x=real(1, 2, 3), y=real(1, 3, 2).double),
    fault("dot", "x.dot(y)", x=real(2), y=real(2).double),
    fault("matmul", "x @ y", x=real(2, 3, 4), y=real(3, 4, 5)),
    fault("bilinear", "F.bilinear(x, y, w)", x=real(2, 3), y=real(3, 2), w=real(4, 3, 2)),
    fault("batch_norm", "F.batch_norm(x, None, None, w, w, True)", x=real(2, 3).double, w=real(3)),
    fault("layer_norm", "F.layer_norm(x, (3,), w)", x=real(2, 3).double, w=real(3)),
    fault("dropout", "F.dropout(x)", x=integers(3)),
    fault("relu", "F.relu(3)"),
    fault("binary_cross_entropy", "F.binary_cross_entropy(x, y)", x=probability(2), y=integers(2, high=1)),
    fault(
        "binary_cross_entropy_with_logits", "F.binary_cross_entropy_with_logits(x, y)", x=real(2), y=integers(2, high=1)
    ),
    fault("mse_loss", "F.mse_loss(x, 1.0)", x=real(2)),
    fault("cross_entropy", "F.cross_entropy([1.0], 0)"),
    fault("cross_entropy", "F.cross_entropy(x, y)", x=real(2, 3), y=integers(2, dtype="int32")),
    fault("conv1d", "F.conv1d(x, w)", x=real(1, 2, 5).double, w=real(2, 2, 3)),
    fault("conv1d", "F.conv1d(x, w, b)", x=real(1, 2, 5).double, w=real(2, 2, 3), b=real(2)),
    fault("max_pool1d", "F.max_pool1d(x, 2)", x=real(3)),
    fault("outer", "torch.outer(x, y)", x=real(2, 2), y=real(2)),
]

#: something curved after a linear operation, so that the rule of its rule is tried too
CURVED: list[Case] = [
    case("avg_pool2d", "F.avg_pool2d(x, 2) ** 2", x=real(1, 1, 4, 4)),
    case("avg_pool3d", "F.avg_pool3d(x, 2) ** 2", x=real(1, 1, 2, 2, 4)),
    case("adaptive_avg_pool2d", "F.adaptive_avg_pool2d(x, 2) ** 2", x=real(1, 1, 3, 4)),
    case("adaptive_avg_pool3d", "F.adaptive_avg_pool3d(x, 2) ** 2", x=real(1, 1, 2, 3, 2)),
    case("interpolate", "F.interpolate(x, scale_factor=2) ** 2", x=real(1, 1, 3)),
    case("embed", "x[0] ** 2", x=real(2, 3)),
    case("embed", "x[:, 1:] ** 2", x=real(2, 3)),
    case("index_put_zeros", "x[[0, 0, 1]] ** 2", x=real(2, 3)),
    case("index_clear", "x.index_put((torch.tensor([0]),), y) ** 2", x=real(2, 3), y=real(1, 3)),
    case("on_diagonal", "x.diagonal() ** 2", x=real(3, 3)),
    case("refold", "x.unfold(0, 2, 1) ** 2", x=real(4)),
    case("col2im", "F.unfold(x, 2) ** 2", x=real(1, 1, 3, 3)),
    case("conv2d", "F.conv2d(x, w) ** 2", x=real(1, 1, 3, 3), w=real(1, 1, 2, 2)),
    case("conv_transpose2d", "F.conv_transpose2d(x, w) ** 2", x=real(1, 1, 2, 2), w=real(1, 1, 2, 2)),
    case("gather", "x.gather(0, i) ** 2", x=real(3), i=values([0, 0, 2], dtype="int64")),
    case("max_pool2d", "F.max_pool2d(x, 2) ** 2", x=real(1, 1, 4, 4)),
    case("sort", "x.sort()[0] ** 2", x=real(4)),
    case("cat", "torch.cat([x, y]) ** 2", x=real(2), y=real(2)),
    case("split", "x.split(2)[0] ** 2", x=real(4)),
    case("expand", "x.expand(2, 3) ** 2", x=real(3)),
    case("cumsum", "x.cumsum(0) ** 2", x=real(3)),
    case("flip", "x.flip(0) ** 2", x=real(3)),
    case("pad", "F.pad(x, (1, 1), mode='reflect') ** 2", x=real(1, 3)),
    case("mean", "x.mean(0) ** 2", x=real(2, 3)),
    case("embedding", "F.embedding(i, w) ** 2", i=values([0, 1, 1], dtype="int64"), w=real(2, 2)),
]

NETWORKS: list[Case] = [*CURVED, *ALGEBRA, *CONVOLUTION, *NORMALISATION, *LOSSES, *LAYERS]
