"""DataParallel, for programs written for several GPUs: on the CPU it only passes on what it is given."""

from __future__ import annotations

from typing import Any

from autograd.nn.module import Module


class DataParallel(Module):
    """``module`` under one more name; its state's keys begin with ``module.``, as in PyTorch."""

    def __init__(self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0) -> None:
        super().__init__()
        self.module = module
        self.device_ids: list[int] = []

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        return self.module(*inputs, **kwargs)
