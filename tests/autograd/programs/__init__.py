"""Small programs of which PyTorch's answer is known: each function takes ``torch`` and returns something, or raises.

``tests/golden/make_programs.py`` runs them on PyTorch and stores the answers; ``tests/autograd/test_programs.py`` runs
them on the engine and compares.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable
from types import ModuleType
from typing import Any

from tests.autograd.programs import (
    backward,
    checkpointing,
    creation,
    forward_mode,
    functional,
    functions,
    gradients,
    hooks,
    in_place,
    leaves,
    modes,
    printing,
    versions,
    views,
)

MODULES: tuple[ModuleType, ...] = (
    leaves, backward, gradients, views, in_place, versions, modes, hooks, functions, forward_mode, functional,
    checkpointing, creation, printing,
)  # fmt: skip

Program = Callable[[Any], Any]


def programs() -> dict[str, Program]:
    """Every program by its name, ``views.select_of_a_base``."""
    found: dict[str, Program] = {}
    for module in MODULES:
        family = module.__name__.rsplit(".", 1)[-1]
        for name, function in vars(module).items():
            if inspect.isfunction(function) and function.__module__ == module.__name__ and not name.startswith("_"):
                found[f"{family}.{name}"] = function
    return found


def describe(value: Any) -> Any:
    """``value`` as JSON-ready text: tensors as they print, nodes by name, numbers and nests as they are."""
    if isinstance(value, dict):
        return {str(key): describe(each) for key, each in value.items()}
    if isinstance(value, (tuple, list)) and not hasattr(value, "numel"):
        return [describe(each) for each in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value if not isinstance(value, float) or value == value else "nan"
    if hasattr(value, "next_functions"):
        return type(value).__name__
    return re.sub(r"0x[0-9a-f]+", "0x", repr(value))


def outcome(torch: Any, program: Program) -> dict[str, Any]:
    """What ``program`` gives on ``torch``: its result or its error, and the warnings on the way."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            answer: dict[str, Any] = {"result": describe(program(torch))}
        except Exception as error:
            answer = {"error": type(error).__name__, "message": re.sub(r"0x[0-9a-f]+", "0x", str(error))}
    own = [w for w in caught if w.category is UserWarning]
    texts = dict.fromkeys(re.sub(r" \(Triggered internally at .*", "", str(w.message)) for w in own)
    if texts:
        answer["warnings"] = list(texts)
    return answer
