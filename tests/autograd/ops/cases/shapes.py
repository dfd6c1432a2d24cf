"""Cases of indexing, of changing shape and of joining and splitting."""

from __future__ import annotations

from .inputs import Case, Input, booleans, case, fault, integers, real, values


def index(*numbers: object) -> Input:
    return values(list(numbers), dtype="int64")


INDEXING: list[Case] = [
    *(
        case("getitem", f"x[{key}]", x=given)
        for key in (
            "0", "-1", "1:", "::2", ":, 1", "0, 1", "..., 0", "None", ":, None, :2", "1, ..., 0", "[0, 1]", "[0, 0, 1]", "[1, 1], [0, 2]",
            ":, [0, 2]", "[[0], [1]], [0, 2]", "torch.tensor([0, 0, 1])", "torch.tensor([1, 0]), 1:", "torch.tensor(1)", ":, torch.tensor([2, 2])",
            "x[..., 0] > 0", "x > 0", "torch.tensor([True, False])", "True", "1:1", "torch.tensor([], dtype=torch.long)", "-2:", ":, -1:, 1",
            "[0, 1], :, [1, 0]", "0, [0, 1, 1]", "[True, False]", "None, 0, None", "torch.tensor([[0, 1], [1, 1]])", "torch.tensor([-1, -2])",
        )
        for given in (real(2, 3, 4), real(2, 3, 4).transposed, real(2, 3, 4).double)
    ),
    case("getitem", "x[()]", x=real()),
    case("getitem", "x[None]", x=real()),
    case("getitem", "x[...]", x=real(2)),
    case("getitem", "x[i]", x=real(4), i=integers(3, 2, high=3)),
    case("getitem", "x[i, j]", x=real(3, 4), i=integers(5, high=2), j=integers(5, high=3)),
    case("getitem", "x[i.tolist()]", x=real(3, 4), i=integers(5, high=2)),
    case("getitem", "x[b]", x=real(3, 4), b=booleans(3)),
    case("getitem", "x[slice(0, 2), 1]", x=real(3, 4)),
    case("getitem", "x[torch.tensor(0)]", x=real(3)),
    case("gather", "torch.gather(x, 1, i)", x=real(2, 3), i=integers(2, 2)),
    case("gather", "x.gather(0, i)", x=real(2, 3), i=integers(1, 3, high=1)),
    case("gather", "x.gather(1, i)", x=real(2, 3).double, i=index([0, 0, 0], [1, 1, 2])),
    case("take_along_dim", "torch.take_along_dim(x, i, dim=1)", x=real(2, 3), i=integers(2, 2)),
    case("take_along_dim", "torch.take_along_dim(x, i)", x=real(2, 3), i=integers(2, high=5)),
    case("take", "torch.take(x, i)", x=real(2, 3), i=integers(4, high=5)),
    case("index_select", "torch.index_select(x, 1, i)", x=real(2, 3), i=index(0, 0, 2)),
    case("index_select", "x.index_select(0, i)", x=real(2, 3).transposed, i=index(1)),
    case("masked_select", "torch.masked_select(x, x > 0)", x=real(2, 3)),
    case("masked_fill", "x.masked_fill(m, 2.5)", x=real(2, 3), m=booleans(2, 3)),
    case("masked_fill", "x.masked_fill(m, v)", x=real(2, 3), m=booleans(3), v=real()),
    case("masked_scatter", "x.masked_scatter(m, y)", x=real(2, 3), m=booleans(2, 3), y=real(6)),
    case("scatter", "x.scatter(1, i, y)", x=real(2, 4), i=index([0, 2], [1, 3]), y=real(2, 2)),
    case("scatter", "torch.scatter(x, 1, i, 1.5)", x=real(2, 4), i=index([0, 2], [1, 3])),
    case("scatter_add", "x.scatter_add(0, i, y)", x=real(2, 3), i=index([0, 0, 1], [1, 0, 0]), y=real(2, 3)),
    case("scatter_reduce", "x.scatter_reduce(0, i, y, reduce='sum')", x=real(2), i=index(0, 0, 1), y=real(3)),
    case("scatter_reduce", "x.scatter_reduce(0, i, y, reduce='mean')", x=real(2), i=index(0, 0, 1), y=real(3)),
    case("scatter_reduce", "x.scatter_reduce(0, i, y, reduce='amax')", second=False, x=real(2), i=index(0, 0, 1), y=real(3)),
    case("scatter_reduce", "x.scatter_reduce(0, i, y, reduce='prod')", second=False, x=real(2), i=index(0, 0, 1), y=real(3)),
    case("index_add", "x.index_add(0, i, y)", x=real(3, 2), i=index(0, 2, 0), y=real(3, 2)),
    case("index_add", "torch.index_add(x, 1, i, y, alpha=2)", x=real(2, 3), i=index(1), y=real(2, 1)),
    case("index_copy", "x.index_copy(0, i, y)", x=real(3, 2), i=index(0, 2), y=real(2, 2)),
    case("index_fill", "x.index_fill(0, i, 2.0)", x=real(3, 2), i=index(0, 2)),
    case("index_put", "x.index_put((i,), y)", x=real(3, 2), i=index(0, 2), y=real(2, 2)),
    case("index_put", "x.index_put((i,), y, accumulate=True)", x=real(3, 2), i=index(0, 0), y=real(2, 2)),
    case("put", "torch.put(x, i, y)", x=real(2, 3), i=index(0, 5), y=real(2)),
    case("select", "x.select(1, 2)", x=real(2, 3)),
    case("narrow", "x.narrow(1, 1, 2)", x=real(2, 3)),
    case("nonzero", "torch.nonzero(x > 0)", x=real(2, 3)),
    case("nonzero", "torch.nonzero(x > 0, as_tuple=True)", x=real(2, 3)),
    case("where", "torch.where(x > 0)", x=real(2, 3)),
    case("searchsorted", "torch.searchsorted(torch.tensor([1., 2., 3.]), x)", x=values([0.5, 2.0, 4.0]).constant),
    case("one_hot", "F.one_hot(x, 4)", x=integers(3, high=3)),
    case("select_scatter", "torch.select_scatter(x, y, 0, 1)", x=real(2, 3), y=real(3)),
    case("slice_scatter", "torch.slice_scatter(x, y, 1, 0, 2)", x=real(2, 3), y=real(2, 2)),
    case("diagonal_scatter", "torch.diagonal_scatter(x, y)", x=real(3, 3), y=real(3)),
]  # fmt: skip

WRITES: list[Case] = [
    case("setitem", f"(lambda t: t.__setitem__({key}, {what}) or t)(x.clone())", x=real(3, 4), y=real(4), z=real())
    for key, what in (
        ("0", "y"), ("(slice(None), 1)", "z"), ("slice(1, None)", "y"), ("Ellipsis", "z"), ("0", "2.5"), ("torch.tensor([0, 2])", "y"),
        ("[0, 2]", "z"), ("x > 0", "z"), ("x > 0", "1.0"), ("(0, 1)", "z"), ("(slice(None), [0, 1])", "z"), ("(None, 1)", "y"), ("torch.tensor(1)", "y"),
    )
] + [
    case("fill_", "(lambda t: t[0].fill_(2.0) is None or t)(x.clone())", x=real(2, 3)),
    case("mul_", "(lambda t: t[:, 1].mul_(3.0) is None or t)(x.clone())", x=real(2, 3)),
    case("add_", "(lambda t: t.view(-1)[2:4].add_(y) is None or t)(x.clone())", x=real(2, 3), y=real(2)),
    case("copy_", "(lambda t: t.t().copy_(y) is None or t)(x.clone())", x=real(2, 3), y=real(3, 2)),
    case("index_add_", "x.clone().index_add_(0, i, y)", x=real(3, 2), i=index(0, 2, 0), y=real(3, 2)),
    case("index_put_", "x.clone().index_put_((i,), y, accumulate=True)", x=real(3), i=index(0, 2, 0), y=real(3)),
    case("scatter_", "x.clone().scatter_(1, i, y)", x=real(2, 4), i=index([0, 2], [1, 3]), y=real(2, 2)),
    case("scatter_add_", "x.clone().scatter_add_(0, i, y)", x=real(2, 3), i=index([0, 0, 1]), y=real(1, 3)),
    case("masked_fill_", "x.clone().masked_fill_(m, v)", x=real(2, 3), m=booleans(2, 3), v=real()),
    case("put_", "x.clone().put_(i, y)", x=real(2, 3), i=index(0, 5), y=real(2)),
    case("index_fill_", "x.clone().index_fill_(0, i, 2.0)", x=real(3, 2), i=index(0, 2)),
    case("tril_", "x.clone().tril_()", x=real(3, 3)),
]  # fmt: skip

SHAPING: list[Case] = [
    case(name.split("(")[0].removeprefix("torch."), name if name.startswith("torch.") else f"x.{name}", x=given)
    for name in (
        "view(6, 4)", "view(-1)", "view((2, 12))", "view(2, -1, 2)", "reshape(4, 6)", "reshape((-1,))", "torch.reshape(x, (3, 8))", "flatten()",
        "flatten(1)", "torch.flatten(x, 0, 1)", "unsqueeze(0)", "unsqueeze(-1)", "torch.unsqueeze(x, dim=1)", "permute(2, 0, 1)",
        "permute((1, 0, 2))", "torch.permute(x, (2, 1, 0))", "transpose(0, 2)", "transpose(-1, -2)", "torch.transpose(x, 0, 1)", "mT",
        "swapaxes(0, 1)", "movedim(0, 2)", "expand(5, 2, 3, 4)", "expand(-1, 3, 4)", "repeat(2, 1, 3)", "repeat((1, 2, 1, 1))", "torch.tile(x, (2, 1))",
        "flip(0)", "flip(0, 2)", "torch.flip(x, dims=(1,))", "roll(1)", "roll(1, 0)", "torch.roll(x, (1, -1), (0, 2))", "rot90()", "tril()", "triu(1)",
        "torch.tril(x, diagonal=-1)", "diagonal()", "torch.diagonal(x, 1, 0, 2)", "unfold(2, 2, 1)", "contiguous()", "unflatten(2, (2, 2))",
        "repeat_interleave(2)", "repeat_interleave(2, dim=1)", "torch.atleast_3d(x)", "view(torch.Size([6, 4]))", "view_as(torch.zeros(24))",
        "fliplr()", "flipud()", "ravel()", "reshape_as(torch.zeros(12, 2))", "moveaxis(0, 1)", "broadcast_to((2, 2, 3, 4))",
    )
    for given in (
        [real(2, 3, 4), real(2, 3, 4).double]
        + ([] if name.startswith(("view", "flatten(1)")) else [real(2, 3, 4).transposed, real(2, 3, 4).strided])
    )
] + [
    case("squeeze", "x.squeeze()", x=real(1, 3, 1)),
    case("squeeze", "x.squeeze(0)", x=real(1, 3, 1)),
    case("squeeze", "torch.squeeze(x, 1)", x=real(1, 3, 1)),
    case("squeeze", "x.squeeze((0, 2))", x=real(1, 3, 1)),
    case("t", "x.t()", x=real(2, 3)),
    case("t", "x.T", x=real(2, 3)),
    case("t", "x.t()", x=real(3)),
    case("expand", "x.expand(3, 4)", x=real(3, 1)),
    case("expand", "x.expand((2, 3))", x=real(3)),
    case("expand", "x.expand(3)", x=real()),
    case("expand_as", "x.expand_as(torch.zeros(2, 3))", x=real(1, 3)),
    case("broadcast_to", "torch.broadcast_to(x, (2, 3))", x=real(3)),
    case("view", "x.view(1, 1)", x=real()),
    case("view", "x.view(0, 2)", x=real(0, 3).strided),
    case("reshape", "x.reshape(3, 2)", x=real(2, 3).transposed),
    case("diag", "torch.diag(x)", x=real(3)),
    case("diag", "torch.diag(x, 1)", x=real(3, 3)),
    case("diag", "x.diag(-1)", x=real(2)),
    case("diag_embed", "torch.diag_embed(x)", x=real(2, 3)),
    case("diagflat", "torch.diagflat(x)", x=real(2, 2)),
    case("as_strided", "x.as_strided((2, 2), (1, 2), 1)", x=real(6)),
    case("repeat", "x.repeat(2)", x=real()),
    case("repeat_interleave", "torch.repeat_interleave(x, torch.tensor([1, 0, 2]))", x=real(3)),
    case("roll", "x.roll(2)", x=real(5)),
    case("tril", "torch.tril(x)", x=real(2, 3)),
    case("select", "x[0].select(0, 1)", x=real(2, 3)),
    case("real", "x.detach() * x", x=real(2)),
    case("pad", "F.pad(x, (1, 2))", x=real(2, 3)),
    case("pad", "F.pad(x, (1, 0, 0, 2), value=3.0)", x=real(2, 3)),
    case("pad", "F.pad(x, (-1, 1))", x=real(2, 3)),
    case("pad", "F.pad(x, (1, 1), mode='reflect')", x=real(1, 2, 3)),
    case("pad", "F.pad(x, (1, 2), mode='replicate')", x=real(1, 2, 3)),
    case("pad", "F.pad(x, (1, 2), mode='circular')", x=real(1, 2, 3)),
    case("sum_to_size", "x.sum_to_size(1, 3)", x=real(2, 3)),
]  # fmt: skip

JOINING: list[Case] = [
    case("cat", "torch.cat([x, y])", x=real(2, 3), y=real(1, 3)),
    case("cat", "torch.cat((x, y), dim=1)", x=real(2, 3), y=real(2, 1).double),
    case("cat", "torch.cat([x, x, y], -1)", x=real(2, 2).transposed, y=real(2, 1)),
    case("cat", "torch.cat([x, torch.empty(0)])", x=real(3)),
    case("cat", "torch.concat([x, y])", x=real(2), y=integers(2)),
    case("stack", "torch.stack([x, y])", x=real(2, 3), y=real(2, 3)),
    case("stack", "torch.stack((x, y, x), dim=-1)", x=real(2), y=real(2)),
    case("stack", "torch.stack([x, y])", x=real(), y=real()),
    case("hstack", "torch.hstack([x, y])", x=real(2), y=real(3)),
    case("hstack", "torch.hstack([x, y])", x=real(2, 1), y=real(2, 2)),
    case("vstack", "torch.vstack([x, y])", x=real(2), y=real(2)),
    case("dstack", "torch.dstack([x, y])", x=real(2), y=real(2)),
    case("column_stack", "torch.column_stack([x, y])", x=real(2), y=real(2)),
    case("split", "torch.split(x, 2)", x=real(5, 2)),
    case("split", "x.split([1, 2], dim=1)", x=real(2, 3)),
    case("chunk", "torch.chunk(x, 2)", x=real(5)),
    case("chunk", "x.chunk(3, 1)", x=real(2, 3)),
    case("tensor_split", "torch.tensor_split(x, 2)", x=real(5)),
    case("unbind", "torch.unbind(x)", x=real(2, 3)),
    case("unbind", "x.unbind(1)", x=real(2, 3)),
    case("unbind", "tuple(x)", x=real(3)),
    case("meshgrid", "torch.meshgrid(x, y, indexing='ij')", x=real(2), y=real(3)),
    case("meshgrid", "torch.meshgrid(x, y, indexing='xy')", x=real(2), y=real(3)),
    case("broadcast_tensors", "torch.broadcast_tensors(x, y)", x=real(2, 1), y=real(3)),
    case("block_diag", "torch.block_diag(x, y)", x=real(2, 1), y=real(1, 2)),
    case("cartesian_prod", "torch.cartesian_prod(x, y)", x=real(2), y=real(3)),
    case("combinations", "torch.combinations(x)", x=real(3)),
    case("hsplit", "torch.hsplit(x, 2)", x=real(2, 4)),
    case("vsplit", "torch.vsplit(x, 2)", x=real(4, 2)),
]

FAULTS: list[Case] = [
    fault("getitem", "x[2]", x=real(2)),
    fault("getitem", "x[0, 0]", x=real(2)),
    fault("getitem", "x[torch.tensor([5])]", x=real(2)),
    fault("getitem", "x[torch.tensor([True, False, True])]", x=real(2)),
    fault("getitem", "x[0]", x=real()),
    fault("getitem", "x[1.5]", x=real(2)),
    fault("getitem", "x[::-1]", x=real(2)),
    fault("getitem", "x['a']", x=real(2)),
    fault("getitem", "x[torch.tensor([0.5])]", x=real(2)),
    fault("gather", "x.gather(1, i)", x=real(2, 3), i=index(0, 1)),
    fault("gather", "x.gather(1, i)", x=real(2, 3), i=index([5], [0])),
    fault("gather", "x.gather(1, torch.zeros(2, 1))", x=real(2, 3)),
    fault("view", "x.view(4)", x=real(2, 3)),
    fault("view", "x.view(6)", x=real(2, 3).transposed),
    fault("view", "x.view(-1, -1)", x=real(2, 3)),
    fault("reshape", "x.reshape(4, -1)", x=real(2, 3)),
    fault("cat", "torch.cat([x, y])", x=real(2, 3), y=real(2, 2)),
    fault("cat", "torch.cat([])"),
    fault("stack", "torch.stack([x, y])", x=real(2), y=real(3)),
    fault("stack", "torch.stack([])"),
    fault("expand", "x.expand(4)", x=real(3)),
    fault("expand", "x.expand(2)", x=real(2, 3)),
    fault("unsqueeze", "x.unsqueeze(3)", x=real(2)),
    fault("transpose", "x.transpose(0, 2)", x=real(2, 3)),
    fault("permute", "x.permute(0)", x=real(2, 3)),
    fault("permute", "x.permute(0, 0)", x=real(2, 3)),
    fault("t", "x.t()", x=real(2, 3, 4)),
    fault("split", "x.split([1, 1])", x=real(3)),
    fault("repeat", "x.repeat(2)", x=real(2, 3)),
    fault("squeeze", "x.squeeze(2)", x=real(2, 1)),
    fault("index_select", "x.index_select(0, torch.tensor([7]))", x=real(3)),
    fault("scatter_add", "x.scatter_add(0, torch.tensor([9]), y)", x=real(3), y=real(1)),
    fault("masked_fill", "x.masked_fill(x, 1.0)", x=real(3)),
    fault("setitem", "x.detach().clone().__setitem__(0, torch.ones(3))", x=real(2, 2)),
    fault("setitem", "x.__setitem__(0, 1.0)", x=real(2, 2)),
    fault("iter", "list(x)", x=real()),
    fault("len", "len(x)", x=real()),
    fault("bool", "bool(x)", x=real(2)),
    fault("item", "x.item()", x=real(2)),
    fault("narrow", "x.narrow(0, 2, 3)", x=real(3)),
    fault("flip", "x.flip(0, 0)", x=real(3)),
]

SHAPES: list[Case] = [*INDEXING, *WRITES, *SHAPING, *JOINING, *FAULTS]
