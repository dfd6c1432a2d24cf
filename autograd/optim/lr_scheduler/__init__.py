"""Schedules for the learning rate, under the names of ``torch.optim.lr_scheduler``."""

from autograd.nn.names import print_as_in_pytorch
from autograd.optim.lr_scheduler.combine import ChainedScheduler, SequentialLR
from autograd.optim.lr_scheduler.cycle import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
from autograd.optim.lr_scheduler.decay import (
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)
from autograd.optim.lr_scheduler.plateau import ReduceLROnPlateau
from autograd.optim.lr_scheduler.schedule import LRScheduler

#: The name of LRScheduler before PyTorch 2.0.
_LRScheduler = LRScheduler

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
    "_LRScheduler",
]

print_as_in_pytorch([globals()[name] for name in __all__])
