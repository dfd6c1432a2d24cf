"""The functions that modules call, under the names of ``torch.nn.functional``.

They are defined in the operation table (:mod:`autograd.ops`), each with its rules; here they only have a place to be
found. Functions of the top level (``cat``, ``stack``) can be reached too, for the modules' own use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd.ops import FUNCTIONS
from autograd.ops.namespaces import NEURAL
from autograd.tensor import Tensor

__all__ = ["NEURAL"]

# Into the namespace itself, so that a call costs no look-up beyond that of the name.
globals().update(NEURAL)


def __getattr__(name: str) -> Callable[..., Tensor]:
    """A function of the table. Raises AttributeError when there is none of this name."""
    function: Any = NEURAL.get(name) or FUNCTIONS.get(name)
    if function is None:
        raise AttributeError(f"module 'torch.nn.functional' has no attribute '{name}'")
    globals()[name] = function
    return function  # type: ignore[no-any-return]


def __dir__() -> list[str]:
    return sorted(NEURAL)
