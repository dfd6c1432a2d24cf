"""Anomaly mode: every node remembers where its operation ran, and a failing backward pass says so."""

from __future__ import annotations

import traceback
import warnings
from typing import Any

import numpy as np

from .mode import modes, sync
from .node import Node, extra_of
from .tensor import Tensor


def remember(node: Node) -> None:
    """Keeps the stack of the operation that made ``node``."""
    extra_of(node).stack = "".join(traceback.format_stack()[:-3])


def check(node: Node, grads: tuple[Any, ...]) -> None:
    """RuntimeError if a gradient that ``node`` computed is nan; a warning shows where the operation ran."""
    for position, g in enumerate(grads):
        array = g.array if isinstance(g, Tensor) else g
        if array is not None and np.isnan(array).any():
            error = RuntimeError(f"Function '{node.name()}' returned nan values in its {position}th output.")
            tell(node)
            raise error


def tell(node: Node) -> None:
    """Warns where the operation of ``node`` ran, as PyTorch does when its backward rule fails."""
    stack = node.extra.stack if node.extra is not None else None
    if stack:
        warnings.warn(
            f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n{stack}",
            UserWarning,
            stacklevel=5,
        )
    else:
        warnings.warn(
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
            "forward pass for more information.",
            UserWarning,
            stacklevel=5,
        )


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is on."""
    return modes.anomaly


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode, when it is on, takes nan for an error."""
    return modes.check_nan


def set_anomaly_enabled(mode: bool, check_nan: bool = True) -> None:
    """Switches anomaly mode on or off."""
    set_detect_anomaly(mode, check_nan)


class set_detect_anomaly:
    """Switches anomaly mode on or off, at once or for the extent of a ``with``."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = modes.anomaly, modes.check_nan
        modes.anomaly, modes.check_nan = mode, check_nan
        sync()

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: Any) -> None:
        modes.anomaly, modes.check_nan = self.before
        sync()


class detect_anomaly(set_detect_anomaly):
    """``with detect_anomaly():``"""

    def __init__(self, check_nan: bool = True) -> None:
        super().__init__(True, check_nan)
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )
