"""What public names reach from what a snippet is given: no module of Python's or ours, no frame, no code."""

from __future__ import annotations

import types
from collections import Counter, deque
from typing import Any

import numpy as np
import pytest

from snippets.modules import Importer, Surface
from snippets.policy import ASKED_AT_RUN_TIME, INTERPRETER
from snippets.torch_api import torch
from snippets.torch_api.module import TorchModule

DEEPEST = 4
PLAIN = (int, float, str, bytes, complex, type(None))
ENDS = (
    types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType, types.MethodDescriptorType,
    types.WrapperDescriptorType, types.ClassMethodDescriptorType, types.GetSetDescriptorType,
    types.MemberDescriptorType,
)  # fmt: skip
INSIDE = (types.FrameType, types.CodeType, types.TracebackType)


def roots() -> list[tuple[str, Any]]:
    """The modules, and one object of each kind that programs hold."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).sum()
    net = torch.nn.Sequential(torch.nn.Linear(2, 1), torch.nn.BatchNorm1d(1))
    contexts: list[Any] = []

    class Double(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            contexts.append(ctx)
            return a * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2

    made = {
        "tensor": x,
        "node": y.grad_fn,
        "result of a function": Double.apply(x),
        "net": net,
        "optimizer": torch.optim.Adam(net.parameters()),
        "hook": x.register_hook(lambda g: g),
        "device": torch.device("cpu"),
        "loader": torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x)),
        "generator": torch.Generator(),
        "numpy's generator": np.random.default_rng(0),
        "exception": AttributeError("x"),
        "array": np.ones(2),
    }
    return [*Importer()._surfaces.items(), *made.items(), ("context", contexts[0])]


def children(thing: Any) -> list[tuple[str, Any]]:
    """What a program gets from ``thing`` by an index or a public attribute."""
    found: list[tuple[str, Any]] = []
    if isinstance(thing, (list, tuple, set, frozenset)):
        found += [(f"[{i}]", item) for i, item in enumerate(list(thing)[:50])]
    elif isinstance(thing, dict):
        found += [(f"[{key!r}]", item) for key, item in list(thing.items())[:300]]
    for name in dir(thing):
        if name.startswith("_") or name in INTERPRETER or name in ASKED_AT_RUN_TIME:
            continue
        try:
            found.append((f".{name}", getattr(thing, name)))
        except Exception:
            continue
    return found


@pytest.mark.filterwarnings("ignore")
def test_nothing_of_the_interpreter_is_within_reach() -> None:
    waiting = deque((name, thing, 0) for name, thing in roots())
    seen: dict[int, Any] = {}
    kinds: Counter[type] = Counter()
    while waiting:
        path, thing, depth = waiting.popleft()
        if id(thing) in seen or isinstance(thing, (*PLAIN, *ENDS)):
            continue
        seen[id(thing)] = thing  # kept, so that no other object gets its id
        assert not isinstance(thing, INSIDE), path
        assert not isinstance(thing, types.ModuleType) or isinstance(thing, (Surface, TorchModule)), path
        assert not (isinstance(thing, dict) and {"__builtins__", "__loader__"} & thing.keys()), path
        kinds[type(thing)] += 1
        made_anew = not isinstance(thing, (type, types.FunctionType, types.ModuleType))
        if depth < DEEPEST and not (made_anew and kinds[type(thing)] > 40):
            waiting.extend((path + step, inner, depth + 1) for step, inner in children(thing))
    assert len(seen) > 2_000
