"""Memory formats and layouts: names that PyTorch programs pass on. Only the plain one exists; they change nothing."""

from __future__ import annotations


class memory_format:
    """A way tensors may lie in memory; prints as ``torch.contiguous_format``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return f"torch.{self.name}"


class layout(memory_format):
    """How a tensor is stored: ``torch.strided``, the only one there is."""


contiguous_format = memory_format("contiguous_format")
preserve_format = memory_format("preserve_format")
channels_last = memory_format("channels_last")
channels_last_3d = memory_format("channels_last_3d")
strided = layout("strided")

__all__ = [
    "channels_last",
    "channels_last_3d",
    "contiguous_format",
    "layout",
    "memory_format",
    "preserve_format",
    "strided",
]
