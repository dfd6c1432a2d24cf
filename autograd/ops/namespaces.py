"""The names that PyTorch keeps apart: ``torch.nn.functional``, ``torch.special`` and ``torch.linalg``.

A function is put there by a decorator; ``torch.exp`` and its like, which live at the top, are in ``table.FUNCTIONS``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..errors import tensor_first

F = TypeVar("F", bound=Callable[..., Any])

#: functions of ``torch.nn.functional`` by name
NEURAL: dict[str, Callable[..., Any]] = {}
#: functions of ``torch.special`` by name
SPECIAL: dict[str, Callable[..., Any]] = {}
#: functions of ``torch.linalg`` by name
LINALG: dict[str, Callable[..., Any]] = {}


def neural(function: F) -> F:
    """Puts ``function`` into ``torch.nn.functional`` under its own name."""
    NEURAL[function.__name__] = function
    return function


def neural_of_tensors(function: F) -> F:
    """:func:`neural`, for a function that says so when its first argument is no tensor."""
    return neural(tensor_first(function, function.__name__))  # type: ignore[return-value]


def special(function: F) -> F:
    """Puts ``function`` into ``torch.special`` under its own name."""
    SPECIAL[function.__name__] = function
    return function


def linalg(function: F) -> F:
    """Puts ``function`` into ``torch.linalg`` under its own name."""
    LINALG[function.__name__] = function
    return function
