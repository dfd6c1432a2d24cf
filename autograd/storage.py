"""Storage: what tensors that share memory have in common.

Tensors over the same memory (views, ``detach()``) share one :class:`Storage`, and with it one version number, which
every in-place write raises by one. A tensor that never shared and was never written to has none: the number is zero
then.
"""

from __future__ import annotations


class Storage:
    """The version of a piece of memory: how often it was written in place."""

    __slots__ = ("__weakref__", "version")

    def __init__(self) -> None:
        self.version = 0
