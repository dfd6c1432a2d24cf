"""Anomaly mode: every node remembers where its operation ran, and a failing backward pass says so."""

from __future__ import annotations

import traceback
from typing import Any

from .mode import modes, sync
from .node import Node, extra_of


def remember(node: Node) -> None:
    """Keeps the stack of the operation that made ``node``."""
    extra_of(node).stack = "".join(traceback.format_stack()[:-3])


class set_detect_anomaly:
    """Switches anomaly mode on or off, at once or for the extent of a ``with``."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = modes.anomaly
        modes.anomaly = mode
        sync()

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: Any) -> None:
        modes.anomaly = self.before
        sync()


class detect_anomaly(set_detect_anomaly):
    """``with detect_anomaly():``"""

    def __init__(self, check_nan: bool = True) -> None:
        super().__init__(True, check_nan)
