"""Arguments that say where a tensor lies: there is one place, main memory, so they are taken and change nothing."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

PLACEMENT = frozenset({"device", "layout", "pin_memory", "memory_format", "non_blocking", "size"})


def placed(function: F) -> F:
    """For a function that ends in ``**_``: the keywords above are taken, any other is a TypeError, as a misspelt
    ``require_grad`` should be.
    """
    known = PLACEMENT | set(inspect.signature(function).parameters)

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        for name in kwargs:
            if name not in known:
                raise TypeError(f"{function.__name__}() got an unexpected keyword argument '{name}'")
        return function(*args, **kwargs)

    return checked  # type: ignore[return-value]


def combined(function: F) -> F:
    """:func:`placed` for functions that PyTorch has in several forms, whose message names the types that were given."""
    known = PLACEMENT | set(inspect.signature(function).parameters)

    bound = int(next(iter(inspect.signature(function).parameters)) == "self")

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if not known.issuperset(kwargs):
            given = [type(each).__name__ for each in args[bound:]]
            named = [f"{name}={type(value).__name__}" for name, value in kwargs.items()]
            got = ", ".join(given + named) + ("" if given else ", ")
            raise TypeError(
                f"{function.__name__}() received an invalid combination of arguments - got ({got}), but expected one "
                f"of:\n * {_form(function)}\n"
            )
        return function(*args, **kwargs)

    return checked  # type: ignore[return-value]


def _form(function: Callable[..., Any]) -> str:
    """The parameters of ``function`` without their types."""
    parameters = [
        each.replace(annotation=each.empty)
        for each in inspect.signature(function).parameters.values()
        if each.kind is not each.VAR_KEYWORD
    ]
    return str(inspect.Signature(parameters))
