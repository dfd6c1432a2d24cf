"""The one device there is."""

from __future__ import annotations

import re
from typing import Any

#: the kinds of device that PyTorch knows, in the order of its message
KINDS = (
    "cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy",
    "vulkan", "mps", "meta", "hpu", "mtia", "privateuseone",
)  # fmt: skip


class device:
    """A device by PyTorch's name. Only ``cpu`` exists here; RuntimeError for any other."""

    __module__ = "torch"
    type: str
    index: int | None

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, device):
            type, index = type.type, type.index
        text = str(type)
        if not text:
            raise RuntimeError("Device string must not be empty")
        parts = re.fullmatch(r"([a-zA-Z_]+)(?::(0|[1-9][0-9]*))?", text)
        if parts is None:
            raise RuntimeError(f"Invalid device string: '{text}'")
        name = parts[1]
        if name not in KINDS:
            raise RuntimeError(f"Expected one of {', '.join(KINDS)} device type at start of device string: {name}")
        if name == "cuda":
            raise AssertionError("Torch not compiled with CUDA enabled: this engine runs on the CPU; use 'cpu'")
        if name != "cpu":
            raise RuntimeError(f"device '{name}' is not available here: this engine runs on the CPU; use 'cpu'")
        self.type = "cpu"
        self.index = int(parts[2]) if parts[2] is not None else index

    def __repr__(self) -> str:
        return "device(type='cpu')" if self.index is None else f"device(type='cpu', index={self.index})"

    def __str__(self) -> str:
        return "cpu" if self.index is None else f"cpu:{self.index}"

    def __eq__(self, other: Any) -> bool:
        return str(self) == str(other) if isinstance(other, (device, str)) else NotImplemented

    def __hash__(self) -> int:
        return hash("cpu")


CPU = device()
