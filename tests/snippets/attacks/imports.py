# Ways to a module that is not on the list.
#### os
import os
print("WON", os.listdir("/"))
#### sys.modules
import sys
print("WON", sys.modules["os"].listdir("/"))
#### subprocess
import subprocess
print("WON", subprocess.check_output(["id"]))
#### __import__
print("WON", __import__("os").listdir("/"))
#### importlib
import importlib
print("WON", importlib.import_module("os").listdir("/"))
#### importlib behind an allowed module
import functools
print("WON", functools.sys.modules["os"].listdir("/"))
#### os behind random
import random
print("WON", random._os.listdir("/"))
#### os behind random by from
from random import _os
print("WON", _os.listdir("/"))
#### sys behind warnings
import warnings
print("WON", warnings.sys.modules["os"].listdir("/"))
#### module behind catch_warnings
import warnings
print("WON", warnings.catch_warnings()._module.sys.modules["os"].listdir("/"))
#### module behind a class derived from catch_warnings
import warnings
class A(warnings.catch_warnings):
    def look(self):
        return self._module.sys
print("WON", A().look().modules["os"].listdir("/"))
#### star import
from os import *
print("WON", listdir("/"))
#### relative import
from . import os
print("WON", os.listdir("/"))
#### submodule of an allowed module
import collections.abc.sys
print("WON", collections.abc.sys)
#### snippets itself
import snippets.worker
print("WON", snippets.worker.os.listdir("/"))
#### the engine itself
import autograd
print("WON", autograd.tensor.np.fromfile("{canary}"))
#### numpy through the engine
import torch
print("WON", torch.np.fromfile("{canary}", dtype="uint8"))
#### torch internals
import torch
print("WON", torch._C, torch.utils.data.os.listdir("/"))
#### torch.hub
import torch
print("WON", torch.hub.load_state_dict_from_url("http://127.0.0.1/"))
#### torch.ops.load_library
import torch
print("WON", torch.ops.load_library("{canary}"))
#### ctypes (first)
import ctypes
print("WON", ctypes.CDLL(None).getpid())
#### module name with a lying string
class Name(str):
    def split(self, *a):
        return ["math"]
print("WON", __import__(Name("os")).listdir("/"))
#### SystemRandom reads the system's randomness (first)
import random
print("WON", random.SystemRandom().random())
#### time.tzset and files behind time (first)
import time
print("WON", time.tzset())
#### future as a back door
from __future__ import annotations
print("WON", annotations.compiler_flag.__class__.__base__.__subclasses__()[-1].__init__.__globals__["sys"].modules["os"].listdir("/"))
