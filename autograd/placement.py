"""Arguments that say where a tensor lies: there is one place, main memory, so they are taken and change nothing."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from .errors import tensor_first

F = TypeVar("F", bound=Callable[..., Any])

PLACEMENT = frozenset({"device", "layout", "pin_memory", "memory_format", "non_blocking", "size"})


def placed(function: F) -> F:
    """For a function that ends in ``**_``: the keywords above are taken, any other is a TypeError, as a misspelt
    ``require_grad`` should be.
    """
    return _refusing(function, _unexpected)


def combined(function: F) -> F:
    """:func:`placed` for functions that PyTorch has in several forms, whose message names the types that were given."""
    return _refusing(function, _no_such_form)


def _refusing(function: F, message: Callable[..., str]) -> F:
    known = PLACEMENT | set(inspect.signature(function).parameters)
    plain = named(function)

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        if not known.issuperset(kwargs):
            raise TypeError(message(function, args, kwargs, known))
        return plain(*args, **kwargs)

    return checked  # type: ignore[return-value]


def named(function: F) -> F:
    """``function``, whose complaints about an argument begin with its name, and about no tensor where one should be."""

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if not str(error).startswith("argument "):
                raise
            raise TypeError(f"{function.__name__}(): {error}") from None

    takes_a_tensor = next(iter(inspect.signature(function).parameters)) == "input"
    return tensor_first(checked, function.__name__) if takes_a_tensor else checked  # type: ignore[return-value]


def _unexpected(function: Callable[..., Any], args: Any, kwargs: dict[str, Any], known: set[str]) -> str:
    unknown = next(name for name in kwargs if name not in known)
    return f"{function.__name__}() got an unexpected keyword argument '{unknown}'"


def _no_such_form(function: Callable[..., Any], args: Any, kwargs: dict[str, Any], known: set[str]) -> str:
    bound = next(iter(inspect.signature(function).parameters)) == "self"
    given = [type(each).__name__ for each in args[bound:]]
    named = [f"{name}={type(value).__name__}" for name, value in kwargs.items()]
    got = ", ".join(given + named) + ("" if given else ", ")
    return (
        f"{function.__name__}() received an invalid combination of arguments - got ({got}), but expected one of:\n"
        f" * {_form(function)}\n"
    )


def _form(function: Callable[..., Any]) -> str:
    """The parameters of ``function`` without their types."""
    parameters = [
        each.replace(annotation=each.empty)
        for each in inspect.signature(function).parameters.values()
        if each.kind is not each.VAR_KEYWORD
    ]
    return str(inspect.Signature(parameters))
