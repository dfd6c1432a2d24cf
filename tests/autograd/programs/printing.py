"""What print shows."""

from __future__ import annotations

from typing import Any

_INF, _NAN = float("inf"), float("nan")


def numbers(torch: Any) -> Any:
    values: list[Any] = [
        1.0, 3, True, [], [1.0, 2.0], [1.5, 2.25], [1e-5, 1.0], [1e5, 1.0], [1e9], [123456789.0], [0.1, 1e5], [0.0],
        [-0.0],
        [1e-10], [1e10, 1e-10], [1.00001], [999.99995], [0.00012345], [1234.5678, 0.001], [1e38, 1e-38], [3.4e38], 1e-7,
        123456.789, [16777216.0], [-1, 10, 100], [True, False], [[]], [[1, 2], [3, 4]], [[1.0, -2.0], [3.0, 4.0]],
    ]  # fmt: skip
    return [torch.tensor(v) for v in values]


def not_finite(torch: Any) -> Any:
    values = [
        [_NAN, 1.0], [_INF, -_INF, 1.5], [_NAN], [_INF], [1.0, _NAN, _INF], [1000.0, 0.001, _NAN], [0.5, _NAN, -_INF],
        [_NAN, 1.0, 10.0], [_NAN, _NAN, 0.0], [-_INF, 1.0, 2.0], [[_NAN, 2.0], [3.0, 4.0]], [_NAN, 1e10],
    ]  # fmt: skip
    return [torch.tensor(v) for v in values]


def types(torch: Any) -> Any:
    kinds = [torch.float64, torch.float16, torch.int32, torch.int64, torch.uint8, torch.bool]
    return [torch.tensor([1, 2], dtype=k) for k in kinds], torch.tensor(0.1 + 0.2, dtype=torch.float64), kinds


def empty(torch: Any) -> Any:
    return (
        torch.zeros(2, 0),
        torch.zeros(0, 3),
        torch.zeros(0, dtype=torch.int64),
        torch.zeros(0, 2, requires_grad=True),
    )


def history(torch: Any) -> Any:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return x, x * 2, (x * 2).sum(), x[0], x.detach(), torch.arange(25.0, requires_grad=True)


def long_ones(torch: Any) -> Any:
    return torch.arange(1001.0), torch.arange(1000.0), torch.arange(2000).reshape(40, 50), torch.zeros(1001, 2)


def wide_ones(torch: Any) -> Any:
    return torch.arange(30.0) * 1.1, torch.zeros(3, 1001), torch.arange(60.0).reshape(3, 20) * 1e3


def many_dimensions(torch: Any) -> Any:
    return torch.zeros(2, 3, 4), torch.zeros(2, 2, 2, 2), torch.ones(5, 5, 5, dtype=torch.int64)


def formatted(torch: Any) -> Any:
    x = torch.tensor(1.23456)
    return f"{x}", f"{x:.3f}", f"{x:8.2f}", f"{torch.ones(2)}", str([x]), str({"a": x})


def named_results(torch: Any) -> Any:
    return torch.tensor([[1.0, 5.0], [7.0, 2.0]], requires_grad=True).max(1)


def options(torch: Any) -> Any:
    x, out = torch.tensor([1.23456, 2.0]), []
    try:
        for choice in (
            {"precision": 2},
            {"sci_mode": True},
            {"sci_mode": False},
            {"profile": "short"},
            {"linewidth": 40},
        ):
            torch.set_printoptions(profile="default")
            torch.set_printoptions(**choice)
            out += [repr(x), repr(torch.arange(30.0))]
        torch.set_printoptions(profile="full")
        out.append(len(repr(torch.arange(1100))))
    finally:
        torch.set_printoptions(profile="default")
    return out
