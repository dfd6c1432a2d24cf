"""What follows from a trace alone is computed once, and kept for as long as the trace lives."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Hashable
from typing import Any, Concatenate, ParamSpec, TypeVar

from autograd.trace import Trace

P = ParamSpec("P")
T = TypeVar("T")


def kept(function: Callable[Concatenate[Trace, P], T]) -> Callable[Concatenate[Trace, P], T]:
    """Decorates a function of a trace and hashable arguments. Its result must not hold the trace."""
    results: dict[int, dict[Hashable, T]] = {}
    alive: dict[int, weakref.ref[Trace]] = {}

    def wrapper(trace: Trace, /, *args: P.args, **kwargs: P.kwargs) -> T:
        number = id(trace)
        if number not in alive:

            def forget(_: Any) -> None:
                del alive[number], results[number]

            results[number] = {}
            alive[number] = weakref.ref(trace, forget)
        known, key = results[number], (args, tuple(kwargs.items()))
        if key not in known:
            known[key] = function(trace, *args, **kwargs)
        return known[key]

    functools.update_wrapper(wrapper, function)
    return wrapper
