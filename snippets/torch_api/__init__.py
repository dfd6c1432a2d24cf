"""The engine under PyTorch's names: ``from snippets.torch_api import torch``.

``torch`` can stand in for the real module (``sys.modules["torch"] = torch``): ``import torch.nn as nn`` and ``from
torch.utils.data import DataLoader`` then find the engine too.
"""

from __future__ import annotations

from snippets.torch_api.importing import install
from snippets.torch_api.module import TorchModule, build
from snippets.torch_api.names import MODULES

torch: TorchModule = build(MODULES)
install(torch)

__all__ = ["torch"]
