"""Cases of pooling with drawn windows, resizing without aliasing, and the functions that layers are made of."""

from __future__ import annotations

from .inputs import Case, between, booleans, case, fault, positive, real, values

DRAWN = values([[[0.2, 0.7], [0.9, 0.4]]]).constant
DRAWN3 = values([[[0.2, 0.7, 0.5]]]).constant

POOLING: list[Case] = [
    case("fractional_max_pool2d", "F.fractional_max_pool2d(x, 2, 3, _random_samples=u)", x=real(1, 2, 6, 5), u=DRAWN),
    case("fractional_max_pool2d", "F.fractional_max_pool2d(x, (3, 1), output_ratio=(0.5, 0.4), return_indices=True, "
         "_random_samples=u)", x=real(2, 6, 5), u=DRAWN),
    case("fractional_max_pool2d", "F.fractional_max_pool2d(x, 2, (1, 4), _random_samples=u)", x=real(1, 2, 6, 5),
         u=DRAWN),
    case("fractional_max_pool3d", "F.fractional_max_pool3d(x, 2, 2, _random_samples=u)", x=real(1, 1, 4, 5, 4),
         u=DRAWN3),
    case("fractional_max_pool3d", "F.fractional_max_pool3d(x, (1, 2, 2), (3, 1, 2), return_indices=True, "
         "_random_samples=u)", x=real(1, 4, 5, 4), u=DRAWN3),
    fault("fractional_max_pool2d", "F.fractional_max_pool2d(x, 3, 4, _random_samples=u)", x=real(1, 2, 5, 5), u=DRAWN),
    fault("fractional_max_pool2d", "F.fractional_max_pool2d(x, 2)", x=real(1, 2, 5, 5)),
    fault("fractional_max_pool2d", "F.fractional_max_pool2d(x, (1, 2, 3), 2, _random_samples=u)", x=real(1, 2, 5, 5),
          u=DRAWN),
    fault("fractional_max_pool2d", "F.fractional_max_pool2d(x, 2, 2, _random_samples=u)", x=real(1, 3, 5, 5), u=DRAWN),
    fault("fractional_max_pool3d", "F.fractional_max_pool3d(x, 2, 2, _random_samples=u)", x=real(1, 1, 3, 5, 4),
          u=DRAWN3),
]  # fmt: skip

RESIZING: list[Case] = [
    *(
        case("interpolate", f"F.interpolate(x, size=({size}), mode='{mode}', antialias=True)",
             x=real(1, 2, 7, 6).double)
        for mode in ("bilinear", "bicubic")
        for size in ("3, 2", "9, 4")
    ),
    case("interpolate", "F.interpolate(x, scale_factor=0.4, mode='bilinear', antialias=True)", x=real(1, 1, 7, 6)),
    case("interpolate", "F.interpolate(x, size=(3, 9), mode='lanczos', antialias=True)", x=real(1, 1, 7, 6).double),
    case("interpolate", "F.interpolate(x, size=3, mode='bilinear', antialias=True, align_corners=True)",
         x=real(1, 1, 7, 6)),
    case("interpolate", "F.interpolate(x, size=(3, 2), mode='bicubic', antialias=True) ** 2",
         x=real(1, 1, 5, 4).double),
    case("affine_grid", "F.affine_grid(x, (2, 1, 3, 2), align_corners=False)", x=real(2, 2, 3).double),
    case("affine_grid", "F.affine_grid(x, torch.Size([1, 1, 2, 3, 2]), align_corners=True)", x=real(1, 3, 4)),
    case("affine_grid", "F.grid_sample(y, F.affine_grid(x, y.size(), align_corners=False), align_corners=False)",
         x=real(1, 2, 3).double, y=real(1, 2, 3, 4).double),
    fault("affine_grid", "F.affine_grid(x, (2, 1, 3, 2), align_corners=False)", x=real(2, 3, 3)),
    fault("affine_grid", "F.affine_grid(x, (2, 1, 3), align_corners=False)", x=real(2, 2, 3)),
    fault("affine_grid", "F.affine_grid(x, (2, 1, 0, 2), align_corners=False)", x=real(2, 2, 3)),
    fault("interpolate", "F.interpolate(x, size=3, mode='linear', antialias=True)", x=real(1, 1, 7)),
]  # fmt: skip

MEMORY: list[Case] = [
    case("as_strided_scatter", "x.as_strided_scatter(y, (2, 2), (1, 2), 1)", x=real(3, 3), y=real(2, 2)),
    case("as_strided_scatter", "torch.as_strided_scatter(x, y, (2,), (3,))", x=real(6), y=real(2)),
    fault("as_strided_scatter", "x.as_strided_scatter(y, (2,), (2,), 1)", x=real(4), y=real(3)),
    case("as_strided", "x.clone()[1:].as_strided((2, 2), (1, 2))", x=real(3, 3)),
    case("as_strided", "x.t().as_strided((3,), (2,), 1)", x=real(3, 3)),
    case("as_strided", "x.as_strided((2, 3), (1, 3), 1)", x=real(4, 4).transposed),
]

PARTS: list[Case] = [
    case("weight_norm", "torch._weight_norm(v, g, 0)", v=real(3, 2).double, g=positive(3, 1).double),
    case("weight_norm", "torch._weight_norm(v, g, 1)", v=real(3, 2).double, g=positive(1, 2).double),
    case("weight_norm", "torch._weight_norm(v, g, 1)", second=False, v=real(2, 3, 2).double,
         g=positive(1, 3, 1).double),
    case("pack_padded_sequence", "torch.nn.utils.rnn.pack_padded_sequence(x, [3, 2])[0]", x=real(4, 2, 2)),
    case("pack_padded_sequence", "torch.nn.utils.rnn.pack_padded_sequence(x, [3, 1], batch_first=True)[0] ** 2",
         x=real(2, 3)),
    case("native_group_norm", "torch.native_group_norm(x, w, b, 2, 4, 3, 2, 1e-5)", second=False,
         x=real(2, 4, 3).double,
         w=real(4).double, b=real(4).double),
    case("native_batch_norm", "torch.native_batch_norm(x, w, b, None, None, True, 0.1, 1e-5)", x=real(3, 2).double,
         w=real(2).double, b=real(2).double),
    case("safe_softmax", "torch._safe_softmax(x, 1)", x=values([[1.0, float("-inf"), 2.0], [float("-inf")] * 3])),
    case("softmax_backward", "torch._softmax_backward_data(g, s, 1, torch.float64)", g=real(2, 3).double,
         s=positive(2, 3).double),
    case("chunk_cat", "torch._chunk_cat([x, y], 0, 2)", x=real(3, 2).constant,
         y=real(1, 4).constant),
    case("masked_index", "torch._unsafe_masked_index(x, m, [i, j], 0.5)", x=real(3, 3), m=booleans(2, 2),
         i=values([[0], [2]], dtype="int64"), j=values([0, 1], dtype="int64")),
    case("grid_sampler", "torch.grid_sampler(x, g, 0, 1, False)", x=real(1, 2, 3, 3).double,
         g=between(-1.5, 1.5, 1, 2, 2, 2).double),
    *(
        case("segment_reduce", f"torch.segment_reduce(x, '{how}', lengths=torch.tensor([2, 0, 3]), initial=1)",
             second=False, x=between(0.5, 3.0, 5, 2).double)
        for how in ("sum", "mean", "prod", "max", "min")
    ),
    case("segment_reduce", "torch.segment_reduce(x, 'mean', offsets=torch.tensor([[0, 1, 3], [0, 0, 3]]), axis=1)",
         second=False, x=real(2, 3)),
    fault("segment_reduce", "torch.segment_reduce(x, 'sum', lengths=torch.tensor([1, 1]))", x=real(3)),
]  # fmt: skip

LAYERS: list[Case] = [*POOLING, *RESIZING, *MEMORY, *PARTS]
