# Classes made in ways that run code or hide names.
#### type with three arguments (first)
T = type("T", (), {"__getattribute__": lambda self, name: "WON"})
print(T().x)
#### the type of a type (first)
T = type(type(1))("T", (), {"x": "WON"})
print(T.x)
#### metaclass keyword (first)
class Meta(type):
    def __call__(cls):
        return "WON"
class A(metaclass=Meta):
    pass
print(A())
#### metaclass through a star
class A(**{"metaclass": type}):
    x = "WON"
print(A.x) if type(A) is not type else None
#### class derived from type (first)
class M(type):
    x = 1
print("WON", M)
#### class derived from the type of a type (first)
class M(type(int)):
    x = 1
print("WON", M)
#### getattribute (first)
class A:
    def __getattribute__(self, name):
        return "WON"
print(A().x)
#### del that runs later (first)
class A:
    def __del__(self):
        print("WON")
A()
#### init_subclass (first)
class A:
    def __init_subclass__(cls):
        print("WON")
class B(A):
    pass
#### class_getitem (first)
class A:
    def __class_getitem__(cls, item):
        return "WON"
print(A[1])
#### changing the class of an object (first)
class A:
    pass
class B:
    x = "WON"
a = A()
a.__class__ = B
print(a.x)
#### changing the bases of a class (first)
class A:
    pass
A.__bases__ = (dict,)
print("WON")
#### set_name hook (first)
class Hook:
    def __set_name__(self, owner, name):
        print("WON")
class A:
    x = Hook()
#### instancecheck (first)
class A:
    def __instancecheck__(self, x):
        return True
print("WON")
#### mro_entries (first)
class A:
    def __mro_entries__(self, bases):
        print("WON")
        return ()
class B(A()):
    pass
#### module type (first)
import math
M = type(math)
m = M("os")
print("WON", m.__loader__.load_module)
#### types.FunctionType by the type of a lambda (first)
F = type(lambda: 0)
print("WON", F(F.__code__, {}))
#### make_dataclass with a namespace (first)
from dataclasses import make_dataclass
T = make_dataclass("T", ["x"], namespace={"__getattribute__": lambda s, n: "WON"})
print(T(1).y)
#### namedtuple with a name that is code
from collections import namedtuple
T = namedtuple("T", "a b); print('WON'")
#### string annotations evaluated
from typing import get_type_hints
class A:
    x: "__import__('os').listdir('/')"
print("WON", get_type_hints(A))
#### singledispatch evaluates annotations
from functools import singledispatch
@singledispatch
def f(x):
    pass
@f.register
def g(x: "__import__('os').listdir('/')"):
    pass
print("WON")
#### forward reference
from typing import ForwardRef
print("WON", ForwardRef("open('{canary}').read()")._evaluate(globals(), {}, frozenset()))
#### the type behind type (first)
real = type.mro(type)[1]
print("WON", real("A", (), {}))
#### the type behind type, by getattr (first)
print("WON", getattr(type, "m" + "ro")(type))
#### the classes behind an array (first)
import numpy as np
print("WON", np.ndarray.mro())
#### a class made by the call behind type (first)
print("WON", type.__call__(type, "A", (), {}))
#### code in the annotations of a dataclass (first)
import dataclasses
import functools
class W:
    def __getattr__(self, name):
        if name == "__annotations__":
            return {"x=print('W' + 'ON', open)): pass\n#": int}
        raise AttributeError(name)
class C:
    pass
functools.update_wrapper(C, W())
dataclasses.dataclass(C)
#### code in the annotations of a dataclass, by wraps (first)
import dataclasses
import functools
class W:
    def __getattr__(self, name):
        if name == "__annotations__":
            return {"x=print('W' + 'ON', open)): pass\n#": int}
        raise AttributeError(name)
@dataclasses.dataclass
@functools.wraps(W())
class C:
    pass
#### code as the name of a field (first)
from dataclasses import dataclass, fields
@dataclass
class A:
    x: int = 0
fields(A)[0].name = "x=print('W'+'ON', ().__class__.__base__.__subclasses__()[:2])):pass\n#"
@dataclass
class B(A):
    pass
#### code in the annotations of a dataclass, by a TypedDict (first)
from typing import TypedDict
from dataclasses import dataclass
T = TypedDict("T", {"x=print('W'+'ON', ().__class__)):pass\n#": int})
dataclass(T)
#### a field that names a hidden attribute (first)
from dataclasses import dataclass, fields, asdict, astuple
@dataclass
class A:
    x: int = 0
a = A()
fields(A)[0].name = "__dict__"
print("WON", astuple(a), asdict(a))
#### names of a module by an enumeration (first)
from enum import Enum, IntEnum
class Color(Enum):
    RED = 1
X = IntEnum("Z","a b")
C = Color._convert_("X", "os", lambda n: n in ("system", "listdir"))
print("WON", C.listdir.value("/"))
#### modules by an enumeration (first)
from enum import Enum
class Base(Enum):
    pass
C = Base._convert_("X", "sys", lambda n: n in ("modules",))
print("WON", C.modules.value)
#### builtins by a flag (first)
from enum import Flag
class F(Flag):
    A = 1
print("WON", F._convert_("Q", "builtins", lambda n: n in ("open", "eval")))
#### the maker of enumerations (first)
from enum import Enum
class Base(Enum):
    pass
print("WON", Base._create_)
#### private attributes through a class derived from an alias (first)
import torch
from typing import List
G = type(List[int])
class H(G, _root=True):
    pass
h = H(torch.tensor(1.0), (int,))
print("WON", h._meta)
#### an alias of anything (first)
import torch
G = type(list[int])
try:
    torch.nothing
except AttributeError as e:
    print("WON", G(e, (int,)).obj)
#### the classes behind a class, by an alias (first)
import typing
print("WON", typing.Type[int].mro)
#### the classes behind a class, by an alias of it (first)
print("WON", list[int].mro())
#### the classes behind a class, by a method (first)
class O:
    def m(self): pass
MT = type(O().m)
print("WON", MT(int, 0).mro())
#### subclasses by the type of a method caller (first)
from operator import methodcaller
A = type(methodcaller("x"))
print("WON", A("__subclasses__")(object))
#### hidden attributes by the type of a getter (first)
from operator import attrgetter
A = type(attrgetter("x"))
print("WON", A("__class__")(1))
