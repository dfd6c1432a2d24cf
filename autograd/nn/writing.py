"""Writing into a tensor's memory from outside what is recorded: initialisation, optimizers, running statistics.

What PyTorch does here by in-place operations under no_grad is done on arrays: no nodes appear, the version is raised
by one for each operation, and a trace that knows the tensor is told that it changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from autograd.dispatch import storage_of
from autograd.mode import modes, switch
from autograd.tensor import Tensor

Array = npt.NDArray[Any]


def memory(t: Tensor) -> Array:
    """The array behind ``t``, to be written to; it stays the same array. Follow each write by :func:`wrote`."""
    storage_of(t)  # also turns a NumPy scalar into an array that can be written to
    array: Array = t.array
    return array


def wrote(t: Tensor) -> None:
    """Note that the memory of ``t`` was written to, once."""
    storage_of(t).version += 1


@contextmanager
def told(t: Tensor) -> Iterator[Array]:
    """The array behind ``t`` for one write that counts as one operation; a trace that knows ``t`` is told."""
    array = memory(t)
    recorder = modes.recorder if switch.special else None
    if recorder is None or recorder.index_if_known(t) is None:
        yield array
        wrote(t)
        return
    before = recorder.before_write(t)
    yield array
    wrote(t)
    recorder.after_write(t, None, (t,), (), before, None)


def fill(t: Tensor, value: npt.ArrayLike) -> None:
    """Set ``t`` to ``value`` (broadcast), as one in-place operation."""
    with told(t) as array:
        array[...] = value


def values(t: Tensor) -> Array:
    """The numbers of ``t`` as an array, for reading only."""
    return np.asarray(t.array)
