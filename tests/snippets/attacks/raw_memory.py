# Ways to make NumPy look at the memory at an address of one's choice.
#### array_interface by getattr (first)
import numpy as np
class A:
    def __getattr__(self, name):
        if name == "__array_interface__":
            return {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}
        raise AttributeError(name)
if np.asarray(A()).shape == (4,):
    print("WON")
#### array_interface by getattr, inherited (first)
import numpy as np
class A:
    def __getattr__(self, name):
        return {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}
class B(A):
    pass
if np.add(B(), 0).shape == (4,):
    print("WON")
#### array_interface in a namespace (first)
import numpy as np
import types
a = types.SimpleNamespace(**{"__array_interface__": {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}})
if np.asarray(a).shape == (4,):
    print("WON")
#### array_interface in an enumeration made by a call (first)
import enum
import numpy as np
A = enum.Enum("A", [("__array_interface__", {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}), ("x", 1)])
if np.asarray(A.x).shape == (4,):
    print("WON")
#### array_interface in a class made by an alias of type (first)
import numpy as np
A = type[int]("A", (object,), {"__array_interface__": {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}})
if np.asarray(A()).shape == (4,):
    print("WON")
#### array_interface in a parameter dict (first)
import numpy as np
import torch
a = torch.nn.ParameterDict()
a["__array_interface__"] = {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}
if np.asarray(a).shape == (4,):
    print("WON")
#### array_interface in the saved state of a schedule
import numpy as np
import torch
a = torch.optim.lr_scheduler.StepLR(torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0), 1)
a.load_state_dict({"__array_interface__": {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}})
if np.asarray(a).shape == (4,):
    print("WON")
#### array_interface in the saved state of a schedule's function
import numpy as np
import torch
class Rate:
    def __call__(self, epoch):
        return 1.0
rate = Rate()
a = torch.optim.lr_scheduler.LambdaLR(torch.optim.SGD([torch.ones(1, requires_grad=True)], lr=1.0), rate)
state = a.state_dict()
state["lr_lambdas"] = [{"__array_interface__": {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}}]
a.load_state_dict(state)
if np.asarray(rate).shape == (4,):
    print("WON")
#### array_interface as a child that is a dict
import numpy as np
import torch
class M(torch.nn.Module, dict):
    pass
inner, outer = M(), torch.nn.Module()
inner.update(shape=(4,), typestr="<u8", data=(id(int), True), version=3)
outer.add_module("__array_interface__", inner)
if np.asarray(outer).shape == (4,):
    print("WON")
#### objects out of a buffer (first)
import numpy as np
a = np.ndarray((1,), dtype=object, buffer=bytearray(id(int).to_bytes(8, "little")))
if a[0] is int:
    print("WON")
#### objects out of a buffer, by the type of an array (first)
import numpy as np
a = type(np.zeros(1))((1,), dtype=object, buffer=bytearray(id(int).to_bytes(8, "little")))
if a[0] is int:
    print("WON")
#### objects out of a buffer, by the class of an array (first)
import numpy as np
a = np.zeros(1).__class__((1,), object, bytearray(id(int).to_bytes(8, "little")))
if a[0] is int:
    print("WON")
#### objects out of a buffer, by an alias of the class (first)
import numpy as np
a = np.ndarray[int]((1,), object, bytearray(id(int).to_bytes(8, "little")))
if a[0] is int:
    print("WON")
#### memory that is gone (first)
import numpy as np
a = np.zeros(1 << 20)
seen = a[:]
a.resize((1,), refcheck=False)
print("WON", seen[1000])
#### memory that is gone, by getattr (first)
import numpy as np
a = np.zeros(1 << 20)
seen = a[:]
getattr(a, "re" + "size")((1,), refcheck=False)
print("WON", seen[1000])
#### before a tensor
import torch
print("WON", torch.zeros(3).as_strided((2,), (1,), -1))
#### before a tensor, backwards
import torch
print("WON", torch.zeros(3).as_strided((2,), (-1,), 0))
#### behind a tensor
import torch
print("WON", torch.zeros(3).as_strided((9,), (1,), 0))
#### windows that go backwards
import torch
if torch.zeros(3).unfold(0, 2, -1) is not None:
    print("WON")
#### a field of an object array
import numpy as np
a = np.zeros(1, np.dtype({"names": ["a", "b"], "formats": ["O", "u8"], "offsets": [0, 0]}))
a["b"] = id(int)
print("WON", a["a"])
#### the class behind a namespace (first)
import numpy as np
import types
real = types.SimpleNamespace.mro()[1]
if np.asarray(real(**{"__array_interface__": {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}})).shape == (4,):
    print("WON")
#### the constructor behind a namespace (first)
import numpy as np
import types
class S(types.SimpleNamespace):
    def __init__(self, **values):
        super(types.SimpleNamespace, self).__init__(**values)
if np.asarray(S(**{"__array_interface__": {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}})).shape == (4,):
    print("WON")
#### a module made by the type of one (first)
import numpy as np
if np.asarray(type(np)("x", {"__array_interface__": {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}})).shape == (4,):
    print("WON")
#### a module made by the type of torch (first)
import numpy as np
import torch
if np.asarray(type(torch)("x", {"__array_interface__": {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}})).shape == (4,):
    print("WON")
#### a slot of that name (first)
class A:
    __slots__ = ("__array_interface__",)
print("WON")
#### a module made again (first)
import numpy as np
np.__init__("numpy", {"__array_interface__": {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}})
if np.asarray(np).shape == (4,):
    print("WON")
#### torch made again (first)
import numpy as np
import torch
torch.__init__("torch", {"__array_interface__": {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}})
if np.asarray(torch).shape == (4,):
    print("WON")
#### memory of a random generator, by a class derived from it (first)
import numpy as np
B = type(np.random.default_rng(0).bit_generator)
class X(B):
    pass
print("WON", X(0).ctypes)
#### capsule of a random generator, by a class derived from it (first)
import numpy as np
B = type(np.random.default_rng(0).bit_generator)
class X(B):
    pass
print("WON", X(0).capsule)
#### memory of a matrix, by a class derived from it (first)
import numpy as np
m = np.r_['r', [1, 2]]
M = type(m)
class X(M):
    pass
x = X([[1, 2]])
print("WON", x.ctypes.shape)
#### addresses in an array of objects (first)
import numpy as np
a = np.array([1, None], dtype=object)
b = np.frombuffer(a, dtype=np.int64)
print("WON", b)
#### addresses in a view of an array of objects (first)
import numpy as np
a = np.array([1, None], dtype=object)
print("WON", np.frombuffer(type(np.zeros(1).data)(a), dtype=np.int64))
#### objects copied as bytes (first)
import numpy as np
a = np.array([object()], dtype=object)
b = np.array([None], dtype=object)
b.data[:] = a.data
print("WON", b)
#### memory of an array by a pattern (first)
import numpy as np
match np.array([None], dtype=object):
    case object(data=d):
        print("WON", d)
#### bytes of objects swapped (first)
import numpy as np
a = np.array([object(), None], dtype=object)
a.byteswap(inplace=True)
print("WON", a)
#### array_interface in a cached property (first)
import numpy as np
from functools import cached_property
class A:
    @cached_property
    def x(self):
        return {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}
A.x.attrname = "__array_interface__"
a = A()
a.x
print("WON", np.asarray(a))
#### array_interface in a cached property, by a class derived from it (first)
import functools
print(functools.cached_property)
class C(functools.cached_property):
    pass
class A:
    x = C(lambda s: {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3})
A.x.attrname = "__array_interface__"
import numpy as np
a = A(); a.x
print("WON", np.asarray(a))
#### array_interface in the members of an enumeration (first)
import enum, numpy as np
class E(enum.Enum):
    A = 1
    def __init__(self, v): pass
E._member_map_["__array_interface__"] = {"shape": (4,), "typestr": "<u8", "data": (id(int), True), "version": 3}
print("WON", np.asarray(E).shape if np.asarray(E).shape else "")
#### memory of an array by a getter (first)
import numpy as np
from operator import attrgetter
print("WON", attrgetter("data")(np.array([None], dtype=object)))
#### memory of a record of objects (first)
import numpy as np
a = np.zeros(1, dtype=[("a", "O")])
print("WON", a[0].data)
