"""A NumPy autograd engine with PyTorch's semantics.

``autograd.tensor``, ``autograd.no_grad``, ``autograd.exp`` ... are what ``torch.tensor``, ``torch.no_grad``,
``torch.exp`` are there. Operations come from the table in :mod:`autograd.ops`; ``autograd.ops.FUNCTIONS`` lists all
public ones.
"""

from __future__ import annotations

from typing import Any

import numpy as _np

from .allocator import keep_memory

_np.seterr(all="ignore")  # nan and inf are values here, as in PyTorch, not events
keep_memory()

from . import (  # noqa: E402, F401
    attributes,
    creation,
    ops,
    plain_pass,
    sampling,
    unsupported,
)
from .anomaly import detect_anomaly, set_detect_anomaly  # noqa: E402
from .backward import backward, grad  # noqa: E402
from .creation import (  # noqa: E402
    Variable,
    arange,
    as_tensor,
    asarray,
    empty,
    empty_like,
    eye,
    from_numpy,
    full,
    full_like,
    linspace,
    logspace,
    ones,
    ones_like,
    tensor,
    zeros,
    zeros_like,
)
from .device import device  # noqa: E402
from .dtypes import (  # noqa: E402
    bool_,
    dtype,
    finfo,
    float16,
    float32,
    float64,
    get_default_dtype,
    iinfo,
    int8,
    int16,
    int32,
    int64,
    set_default_dtype,
    uint8,
)
from .mode import (  # noqa: E402
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .printing import set_printoptions  # noqa: E402
from .random import (  # noqa: E402
    Generator,
    fork_rng,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from .tensor import Size, Tensor  # noqa: E402

__all__ = [
    "Generator",
    "Size",
    "Tensor",
    "Variable",
    "arange",
    "as_tensor",
    "asarray",
    "backward",
    "bool_",
    "detect_anomaly",
    "device",
    "dtype",
    "empty",
    "empty_like",
    "enable_grad",
    "eye",
    "finfo",
    "float16",
    "float32",
    "float64",
    "fork_rng",
    "from_numpy",
    "full",
    "full_like",
    "get_default_dtype",
    "get_rng_state",
    "grad",
    "iinfo",
    "inference_mode",
    "initial_seed",
    "int8",
    "int16",
    "int32",
    "int64",
    "is_grad_enabled",
    "is_inference_mode_enabled",
    "linspace",
    "logspace",
    "manual_seed",
    "no_grad",
    "ones",
    "ones_like",
    "ops",
    "seed",
    "set_default_dtype",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_printoptions",
    "set_rng_state",
    "tensor",
    "uint8",
    "zeros",
    "zeros_like",
]  # fmt: skip


ops.install()


def __getattr__(name: str) -> Any:
    """The public functions of the operation table, and the old tensor types."""
    try:
        return ops.FUNCTIONS[name] if name in ops.FUNCTIONS else creation.TYPED[name]
    except KeyError:
        raise AttributeError(f"module 'autograd' has no attribute '{name}'") from None
