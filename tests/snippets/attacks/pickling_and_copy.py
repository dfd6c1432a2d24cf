# Hooks that copying and pickling call.
#### reduce that opens a file
import copy
class A:
    def __reduce__(self):
        return open, ("{canary}",)
print("WON", copy.copy(A()).read())
#### reduce_ex that imports
import copy
class A:
    def __reduce_ex__(self, protocol):
        return __import__, ("os",)
print("WON", copy.deepcopy(A()).listdir("/"))
#### setstate (first)
import copy
class A:
    def __setstate__(self, state):
        print("WON")
copy.copy(A())
#### getstate (first)
import copy
class A:
    def __getstate__(self):
        print("WON")
copy.copy(A())
#### deepcopy hook (first)
import copy
class A:
    def __deepcopy__(self, memo):
        print("WON", memo)
copy.deepcopy(A())
#### pickle
import pickle
print("WON", pickle.loads(b"cos\nlistdir\n(S'/'\ntR."))
#### copyreg
import copyreg
print("WON", copyreg.sys.modules["os"].listdir("/"))
#### marshal
import marshal
print("WON", marshal.loads(b""))
#### the module behind copy
import copy
print("WON", copy.types.sys, copy.copyreg.sys.modules["os"].listdir("/"))
#### deepcopy of a builtin guard (first)
import copy
look = copy.deepcopy(getattr)
print("WON", look((), "__class__").__base__)
#### partial with a state
from functools import partial
p = partial(print)
p.__setstate__((open, ("{canary}",), {}, {}))
print("WON", p().read())
#### update_wrapper that copies globals
from functools import update_wrapper
import torch
def f():
    return 1
update_wrapper(f, torch.tensor, assigned=(), updated=("__globals__",))
print("WON", f)
#### wraps that copies hidden attributes (first)
from functools import wraps
class Box:
    pass
box = wraps(print, assigned=("__self__",))(Box())
print("WON", box)
#### dataclasses.asdict of a library object (first)
from dataclasses import asdict
import torch
print("WON", asdict(torch))
