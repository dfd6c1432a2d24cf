"""Where in the network an operation runs, for a trace: ``net``, ``net.0``, ``net.layers.1``.

The outermost module goes by the name of the learner's variable that holds it (or by its class); a module called by
another goes by its path in there. Its parameters and buffers are named after it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any

from autograd.record import Recorder, scope

if TYPE_CHECKING:
    from autograd.nn.module import Module


@contextmanager
def inside(module: Module, recorder: Recorder) -> Iterator[None]:
    """While the block runs, operations belong to ``module``."""
    calling: list[Module] = recorder.__dict__.setdefault("calling_modules", [])
    name = _path_in(calling[-1], module) if calling else variable_of(module, recorder.filename)
    calling.append(module)
    try:
        with scope(name):
            try:
                yield
            finally:
                path = ".".join(recorder.scopes)
                for own, held in (*module._parameters.items(), *module._buffers.items()):
                    if held is not None:
                        recorder.name(held, f"{path}.{own}")
    finally:
        calling.pop()


def variable_of(thing: object, filename: str) -> str:
    """The name of the variable of the learner's program that holds ``thing``, else the name of its class."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_filename == filename:
            for names in (frame.f_locals, frame.f_globals):
                for name, value in list(names.items()):
                    if value is thing and name != "self":
                        return name
        frame = frame.f_back
    return type(thing).__name__


def _path_in(parent: Module, module: Module) -> str:
    """The path of ``module`` below ``parent``; modules that were not registered are found in attributes and lists."""
    for path, child in parent.named_modules():
        if child is module and path:
            return path
    for name, value in parent.__dict__.items():
        if value is module:
            return name
        if isinstance(value, (list, tuple, dict)):
            items: Any = value.items() if isinstance(value, dict) else enumerate(value)
            for key, item in items:
                if item is module:
                    return f"{name}.{key}"
    return type(module).__name__
