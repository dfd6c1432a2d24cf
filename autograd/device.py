"""The one device there is."""

from __future__ import annotations

from typing import Any


class device:
    """A device by PyTorch's name. Only ``cpu`` exists here; RuntimeError for any other."""

    __module__ = "torch"
    type: str
    index: int | None

    def __init__(self, type: Any = "cpu", index: int | None = None) -> None:
        if isinstance(type, device):
            type = type.type
        name = str(type).split(":")[0]
        if name != "cpu":
            if name == "cuda":
                raise AssertionError("Torch not compiled with CUDA enabled: this engine runs on the CPU; use 'cpu'")
            if name in ("mps", "xpu", "meta"):
                raise RuntimeError(f"device '{name}' is not available here: this engine runs on the CPU; use 'cpu'")
            raise RuntimeError(
                f"Expected one of cpu, cuda, mps, xpu, meta device type at start of device string: {name}"
            )
        self.type = "cpu"
        self.index = index

    def __repr__(self) -> str:
        return "device(type='cpu')"

    def __str__(self) -> str:
        return "cpu"

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, device) or other == "cpu"

    def __hash__(self) -> int:
        return hash("cpu")


CPU = device()
