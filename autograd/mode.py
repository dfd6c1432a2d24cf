"""Modes: is autograd recording, is this inference, is somebody watching?

Every thread has its own modes, as in PyTorch. So that an operation need not look them up, one process-wide number says
whether any thread differs from the defaults: ``switch.special`` is 0 nearly always, and then the fast path of an
operation runs without a further look. Only when it is not 0 do operations read the modes of their thread.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from .record import Recorder

F = TypeVar("F", bound=Callable[..., Any])


class Switch:
    """The one thing the fast path of an operation reads: how many threads are in a mode other than the default."""

    __slots__ = ("special",)

    def __init__(self) -> None:
        self.special = 0


class ThreadModes(threading.local):
    """The modes of one thread; the class attributes are the defaults."""

    def __init__(self) -> None:
        """Runs once in every thread: nan and inf are values here, as in PyTorch, and no reason for a warning."""
        np.seterr(all="ignore")

    grad: bool = True
    inference: bool = False
    recorder: Recorder | None = None
    observer: Any = None  # accounting: told of every operation
    dual_level: tuple[int, ...] = ()  # the tags of the open levels of forward mode, outermost first
    anomaly: bool = False
    check_nan: bool = True  # in anomaly mode: whether nan in a gradient is an error
    saved_hooks: tuple[tuple[Callable[..., Any], Callable[..., Any]], ...] = ()
    transforms: tuple[str, ...] = ()  # the transforms of torch.func that are under way, outermost first
    partial: bool = False  # inside a backward pass that goes only to some inputs
    counted: bool = False
    only_no_grad: bool = False  # grad is off, and nothing else is unusual
    only_recorder: bool = False  # a recorder is active, and nothing else that an operation would have to mind


switch = Switch()
modes = ThreadModes()
_lock = threading.Lock()


def sync() -> None:
    """Call after any change to ``modes``: keeps ``switch.special`` true to what this thread is doing."""
    other = (
        not modes.grad
        or modes.inference
        or modes.observer is not None
        or bool(modes.dual_level)
        or modes.anomaly
        or bool(modes.saved_hooks)
    )
    modes.only_no_grad = not modes.grad and not (
        modes.inference
        or modes.observer is not None
        or modes.recorder is not None
        or bool(modes.dual_level)
        or modes.anomaly
        or bool(modes.saved_hooks)
    )
    modes.only_recorder = modes.recorder is not None and not other
    special = other or modes.recorder is not None
    if special != modes.counted:
        with _lock:
            switch.special += 1 if special else -1
        modes.counted = special


def pause() -> None:
    """Turns recording off for a backward pass, where nothing else is unusual (``switch.special`` is 0): what
    :func:`sync` would find out is known.
    """
    modes.grad = False
    modes.only_no_grad = modes.counted = True
    with _lock:
        switch.special += 1


def is_grad_enabled() -> bool:
    """Whether operations of this thread are recorded for a backward pass."""
    return modes.grad


def is_inference_mode_enabled() -> bool:
    """Whether this thread is inside :class:`inference_mode`."""
    return modes.inference


class _Mode:
    """A context manager that is also a decorator of functions and generator functions."""

    def __enter__(self) -> Any:
        raise TypeError(type(self).__name__)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        raise TypeError(type(self).__name__)

    def clone(self) -> _Mode:
        """A fresh one with the same arguments, so that a decorated function may call itself."""
        return type(self)()

    def __call__(self, function: F) -> F:
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def generator(*args: Any, **kwargs: Any) -> Any:
                running = function(*args, **kwargs)
                reply: Any = None
                while True:
                    try:
                        with self.clone():
                            item = running.send(reply)
                    except StopIteration as stop:
                        return stop.value
                    reply = yield item

            return generator  # type: ignore[return-value]

        @functools.wraps(function)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return wrapped  # type: ignore[return-value]


class _GradMode(_Mode):
    enabled = True

    def __new__(cls, function: Any = None) -> Any:
        """``@no_grad`` without parentheses decorates as well."""
        self = object.__new__(cls)
        return self if function is None else self(function)

    def __enter__(self) -> None:
        self.before = modes.grad
        modes.grad = self.enabled
        sync()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        modes.grad = self.before
        sync()


class no_grad(_GradMode):
    """Inside, operations are not recorded: results do not require grad."""

    enabled = False


class enable_grad(_GradMode):
    """Inside, operations are recorded again, also within :class:`no_grad`."""


class set_grad_enabled(_Mode):
    """Sets recording at once; as a context manager or decorator, only for its extent."""

    def __init__(self, mode: bool) -> None:
        self.before = modes.grad
        self.mode = mode
        modes.grad = mode
        sync()

    def __call__(self, function: F) -> F:
        modes.grad = self.before
        sync()
        return super().__call__(function)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"

    def clone(self) -> set_grad_enabled:
        return type(self)(self.mode)

    def __enter__(self) -> None:
        modes.grad = self.mode
        sync()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        modes.grad = self.before
        sync()


class inference_mode(_Mode):
    """Like :class:`no_grad`, and what is made inside can never enter a graph: it has no version counter."""

    def __new__(cls, mode: Any = True) -> Any:
        self = object.__new__(cls)
        if callable(mode):
            self.mode = True
            return self(mode)
        return self

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode

    def clone(self) -> inference_mode:
        return type(self)(self.mode)

    def __enter__(self) -> None:
        self.before = (modes.grad, modes.inference)
        modes.inference = self.mode
        modes.grad = not self.mode
        sync()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        modes.grad, modes.inference = self.before
        sync()
