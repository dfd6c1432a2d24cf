"""What programs ask about the machine: there is one processor, no accelerator, and nothing to choose."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from autograd.device import device


def is_available() -> bool:
    """There is no accelerator."""
    return False


def device_count() -> int:
    """There is no accelerator."""
    return 0


def ignored(*arguments: Any, **keywords: Any) -> None:
    """Accepted, and without effect here."""


def get_num_threads() -> int:
    """Snippets run in one thread."""
    return 1


def answering(value: Any) -> Callable[[], Any]:
    """A function that always gives ``value``."""
    return lambda: value


CUDA = {
    "is_available": is_available,
    "device_count": device_count,
    "manual_seed": ignored,
    "manual_seed_all": ignored,
    "empty_cache": ignored,
}

BACKENDS: dict[str, Any] = {
    "cudnn": SimpleNamespace(deterministic=True, benchmark=False, enabled=False, is_available=is_available),
    "mps": SimpleNamespace(is_available=is_available, is_built=is_available),
}

MACHINE = {
    "set_num_threads": ignored,
    "get_num_threads": get_num_threads,
    "use_deterministic_algorithms": ignored,
    "set_float32_matmul_precision": ignored,
    "get_float32_matmul_precision": answering("highest"),
    "are_deterministic_algorithms_enabled": answering(True),
    "set_num_interop_threads": ignored,
    "get_num_interop_threads": get_num_threads,
    "set_flush_denormal": ignored,
    "set_warn_always": ignored,
    "is_warn_always_enabled": answering(False),
    "get_default_device": lambda: device("cpu"),
}
