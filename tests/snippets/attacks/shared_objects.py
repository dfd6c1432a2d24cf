# Changes meant to outlive the run, or to reach the next person. The run after each of these must be clean.
#### patch a module
import math
math.sqrt = lambda x: "WON"
print(math.sqrt(4))
#### patch torch
import torch
torch.tensor = lambda *a, **k: "WON"
print(torch.tensor(1.0))
#### patch a class of the engine
import torch
torch.Tensor.backward = lambda self: print("WON")
torch.tensor(1.0, requires_grad=True).backward()
#### patch a class by setattr
import torch
setattr(torch.Tensor, "backward", lambda self: print("WON"))
torch.tensor(1.0, requires_grad=True).backward()
#### patch a module of layers
import torch.nn as nn
nn.Linear.forward = lambda self, x: "WON"
print(nn.Linear(1, 1)(1))
#### patch a function's attribute
import torch
torch.relu.secret = "WON"
print(torch.relu.secret)
#### delete a name
import math
del math.sqrt
print("WON")
#### patch a builtin type
str.upper = lambda self: "WON"
print("x".upper())
#### default dtype left behind
import torch
torch.set_default_dtype(torch.float64)
print("left", torch.tensor(1.0).dtype)
#### gradients left off
import torch
torch.set_grad_enabled(False)
#### seeds and state left behind
import random
import numpy as np
import torch
random.seed(123)
np.random.seed(123)
torch.manual_seed(123)
#### a default argument as a store
def keep(x=[]):
    x.append("secret")
    return x
keep()
print("left", keep())
#### warnings turned off
import warnings
warnings.simplefilter("ignore")
#### numpy print options
import numpy as np
np.set_printoptions(precision=1)
np.seterr(all="raise")
#### a registered abstract base
from abc import ABC
class A(ABC):
    pass
A.register(int)
print("left", isinstance(1, A))
#### a cache filled
import functools
@functools.lru_cache
def f(x):
    return x
f(1)
#### globals read back from the run before (first)
print("WON", secret_left_by_the_run_before)
