"""Making tensors: the types that are inferred, shared memory, and bad input."""

from __future__ import annotations

from typing import Any


def inferred_types(torch: Any) -> Any:
    values = [1, 1.0, True, [1, 2], [1, 2.0], [True, False], [], [[1], [2]], (1, 2), [True, 2], [1.5, True]]
    return [torch.tensor(v).dtype for v in values]


def from_numpy_keeps_the_type(torch: Any) -> Any:
    import numpy as np

    return [torch.tensor(np.ones(2, d)).dtype for d in ("float64", "float32", "int32", "bool", "uint8")]


def from_numpy_shares(torch: Any) -> Any:
    import numpy as np

    a = np.ones(2)
    t = torch.from_numpy(a)
    a[0] = 5
    return t


def as_tensor_of_a_tensor(torch: Any) -> Any:
    x = torch.ones(2)
    return torch.as_tensor(x) is x, torch.as_tensor([1, 2]), torch.as_tensor(x, dtype=torch.float64)


def of_tensors_loses_the_history(torch: Any) -> Any:
    a = torch.tensor(1.0, requires_grad=True)
    return torch.tensor([a, a]).requires_grad


def of_a_tensor_warns(torch: Any) -> Any:
    return torch.tensor(torch.ones(2))


def ragged(torch: Any) -> Any:
    return torch.tensor([[1, 2], [3]])


def of_a_string(torch: Any) -> Any:
    return torch.tensor("a")


def of_nothing(torch: Any) -> Any:
    return torch.tensor(None)


def shapes(torch: Any) -> Any:
    return torch.zeros(2, 3).shape, torch.zeros((2, 3)).shape, torch.ones([2]).shape, torch.zeros(()).shape


def negative_shape(torch: Any) -> Any:
    return torch.zeros(-1)


def ranges(torch: Any) -> Any:
    return torch.arange(5), torch.arange(1.0, 2.0, 0.25), torch.arange(5, 0, -2), torch.linspace(0, 1, 5), torch.eye(2)


def full_types(torch: Any) -> Any:
    return torch.full((2,), 1), torch.full((2,), 1.5), torch.full((2,), True), torch.full((), 3.0)


def like(torch: Any) -> Any:
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    return torch.zeros_like(x), torch.ones_like(x, dtype=torch.int64), torch.full_like(x, 7), x.new_zeros(3)


def the_old_constructor(torch: Any) -> Any:
    return torch.Tensor([1, 2]), torch.Tensor(2, 3).shape, torch.FloatTensor([1, 2]), torch.LongTensor([1, 2])


def types_of_the_old_kind(torch: Any) -> Any:
    x = torch.ones(2)
    return x.type(), isinstance(x, torch.FloatTensor), x.type(torch.int64), x.double().type()


def promotion(torch: Any) -> Any:
    i, f, d, h = torch.tensor([1]), torch.tensor([1.0]), torch.tensor([1.0]).double(), torch.tensor([1.0]).half()
    b, s = torch.tensor([True]), torch.tensor(2.0, dtype=torch.float64)
    pairs = [(i, f), (i, 2), (i, 2.0), (f, d), (f, s), (i, s), (b, i), (b, 1), (h, f), (h, i), (h, 2.0), (b, b)]
    return [(x + y).dtype for x, y in pairs]


def numpy_on_the_right(torch: Any) -> Any:
    import numpy as np

    return torch.ones(2) * np.ones(2), torch.ones(2) * np.float64(2.0), np.float64(2.0) * torch.ones(2)


def sizes(torch: Any) -> Any:
    x = torch.zeros(2, 3)
    return x.shape, x.size(), x.size(1), x.size(-1), x.dim(), x.numel(), len(x), x.shape.numel(), (*x.shape, 4)


def iteration(torch: Any) -> Any:
    return [row.tolist() for row in torch.tensor([[1, 2], [3, 4]])]


def iteration_of_a_scalar(torch: Any) -> Any:
    return list(torch.tensor(1.0))


def length_of_a_scalar(torch: Any) -> Any:
    return len(torch.tensor(1.0))


def unknown_device(torch: Any) -> Any:
    return torch.ones(2).cuda()
