"""Cases of tensors made from nothing, of type conversion and of what can be asked of a tensor."""

from __future__ import annotations

from .inputs import Case, case, fault, integers, real, values

CREATION: list[Case] = [
    case("creation", expression)
    for expression in (
        "torch.zeros(2, 3)", "torch.zeros((2,))", "torch.zeros(2, dtype=torch.int64)", "torch.ones(2, 1)",
        "torch.ones([])", "torch.full((2,), 3)",
        "torch.full((2,), 3.5)", "torch.full((), True)", "torch.full((2,), 3, dtype=torch.float64)", "torch.eye(3)",
        "torch.eye(2, 3)",
        "torch.arange(4)", "torch.arange(1, 7, 2)", "torch.arange(0, 1, 0.25)", "torch.arange(3.)",
        "torch.arange(3, dtype=torch.float32)",
        "torch.linspace(0, 1, 5)", "torch.linspace(0, 10, steps=4)", "torch.logspace(0, 2, 3)", "torch.tensor(3)",
        "torch.tensor(3.5)", "torch.tensor(True)",
        "torch.tensor([1, 2.5])", "torch.tensor([[1, 2], [3, 4]])", "torch.tensor([])", "torch.tensor([True, False])",
        "torch.tensor([1], dtype=torch.float16)",
        "torch.tensor([torch.tensor(1.), torch.tensor(2.)])", "torch.Tensor([1, 2])", "torch.FloatTensor([1, 2])",
        "torch.LongTensor([1, 2])",
        "torch.zeros_like(torch.ones(2, dtype=torch.int64))", "torch.ones_like(torch.zeros(2))",
        "torch.full_like(torch.zeros(2), 7)",
        "torch.ones_like(torch.zeros(2), dtype=torch.float64)", "torch.tril_indices(3, 3)",
        "torch.triu_indices(2, 3, 1)", "torch.as_tensor([1., 2.])",
        "torch.ones(2).new_tensor([1, 2])", "torch.ones(2).new_zeros(3)", "torch.ones(2).new_ones((1, 2))",
        "torch.ones(2).new_full((2,), 4)",
        "torch.scalar_tensor(2)", "torch.hann_window(4)", "torch.vander(torch.tensor([1., 2., 3.]))",
        "torch.bucketize(torch.tensor([1., 4.]), torch.tensor([2., 3.]))",
        "torch.result_type(torch.ones(1), 1) == torch.float32",
        "torch.promote_types(torch.int64, torch.float32) == torch.float32", "torch.ones(2, 3).shape == (2, 3)",
        "torch.ones(2, 3).size(1)", "torch.ones(2, 3).numel()", "torch.ones(2, 3).dim()", "torch.ones(2, 3).stride()",
        "torch.ones(2).is_floating_point()",
        "torch.is_tensor(3)", "torch.ones(2, 3).t().is_contiguous()", "torch.tensor(2.5).item()",
        "torch.tensor([1, 2]).tolist()", "float(torch.tensor(2))",
        "int(torch.tensor(2.7))", "bool(torch.tensor(0.))", "len(torch.ones(3, 2))", "3 in torch.tensor([1, 3])",
        "torch.ones(2, 3).nelement()",
        "torch.tensor([1., 2.]).element_size()", "[t.item() for t in torch.tensor([1, 2])]",
        "torch.isin(torch.tensor([1, 2]), torch.tensor([2]))",
        "torch.finfo(torch.float32).eps", "torch.iinfo(torch.int64).max", "torch.numel(torch.ones(3))",
        "torch.is_floating_point(torch.ones(1))",
    )
]  # fmt: skip

ASKING: list[Case] = [
    case("numpy", "x.detach().numpy().sum().item()", x=integers(3)),
    case("to", "x.to(torch.int64)", x=values([1.7, -2.2])),
    case("to", "x.to('cpu')", x=real(2)),
    case("to", "x.cpu()", x=real(2)),
    case("to", "x.to(torch.zeros(1).double())", x=real(2)),
    case("detach", "x.detach()", x=real(2)),
    case("data", "x.data", x=real(2)),
    case("astype", "x.float() + x.double()", x=real(2)),
    case("short", "x.short()", x=values([1.7])),
    case("byte", "x.byte()", x=values([1.7])),
    case("char", "x.char()", x=values([1.7])),
    fault("arange", "torch.arange(0, 5, 0)"),
    fault("arange", "torch.arange(5, 0)"),
    fault("zeros", "torch.zeros(-1)"),
    fault("tensor", "torch.tensor([[1, 2], [3]])"),
    fault("tensor", "torch.tensor('a')"),
    fault("item", "torch.tensor([]).item()"),
    fault("numpy", "x.numpy()", x=real(2)),
    fault("float", "float(x)", x=real(2)),
    fault("index", "[1, 2][x]", "only integer tensors of a single element can be converted to an index", x=real()),
    fault("eye", "torch.eye(-1)"),
    fault("requires_grad", "torch.tensor([1, 2], requires_grad=True)"),
    fault("sum", "x.nosuchmethod()", "'Tensor' object has no attribute 'nosuchmethod'", x=real(2)),
]

CREATIONS: list[Case] = [*CREATION, *ASKING]
