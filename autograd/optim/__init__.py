"""Optimizers and learning-rate schedules, under the names of ``torch.optim``."""

from autograd.nn.names import print_as_in_pytorch
from autograd.optim import lr_scheduler
from autograd.optim.adadelta import Adadelta
from autograd.optim.adafactor import Adafactor
from autograd.optim.adagrad import Adagrad
from autograd.optim.adam import Adam
from autograd.optim.adam_variants import Adamax, NAdam, RAdam
from autograd.optim.adamw import AdamW
from autograd.optim.asgd import ASGD
from autograd.optim.lbfgs import LBFGS
from autograd.optim.optimizer import Optimizer
from autograd.optim.rmsprop import RMSprop
from autograd.optim.rprop import Rprop
from autograd.optim.sgd import SGD

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adafactor",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
    "lr_scheduler",
]

print_as_in_pytorch([globals()[name] for name in __all__])
