"""Small programs, one for each feature of the language that a snippet may use."""

# ruff: noqa: E501 - a table reads best with one entry a line

from __future__ import annotations

FEATURES = {
    "class with super().__init__": """
class A:
    def __init__(self, x):
        self.x = x
class B(A):
    def __init__(self, x):
        super().__init__(x)
        self.y = 2
b = B(1)
print(b.x + b.y, type(b).__name__, b.__class__.__name__, isinstance(b, A))
""",
    "super with arguments": """
class A:
    def f(self):
        return 1
class B(A):
    def f(self):
        return super(B, self).f() + 1
print(B().f())
""",
    "class attributes, properties, static and class methods": """
class A:
    count = 0
    @property
    def double(self):
        return self._x * 2
    @double.setter
    def double(self, value):
        self._x = value / 2
    @staticmethod
    def s(x):
        return x + 1
    @classmethod
    def c(cls):
        cls.count += 1
        return cls.count
a = A()
a.double = 10
print(a.double, a._x, A.s(1), A.c(), A.c())
""",
    "operators of a class": """
class V:
    def __init__(self, x):
        self.x = x
    def __add__(self, other):
        return V(self.x + (other.x if isinstance(other, V) else other))
    __radd__ = __add__
    def __mul__(self, other):
        return V(self.x * other)
    def __matmul__(self, other):
        return self.x @ other if hasattr(self.x, "__matmul__x") else "matmul"
    def __neg__(self):
        return V(-self.x)
    def __getitem__(self, i):
        return i
    def __setitem__(self, i, v):
        self.x = v
    def __len__(self):
        return 3
    def __iter__(self):
        yield from (1, 2)
    def __contains__(self, i):
        return i == 1
    def __call__(self, *a, **k):
        return a, k
    def __bool__(self):
        return False
    def __eq__(self, other):
        return self.x == other.x
    def __hash__(self):
        return 1
    def __repr__(self):
        return f"V({self.x})"
v = V(1)
w = 1 + v + V(2)
v[0] = 5
v += 1
print(w, -w, w * 3, w @ 1, v[1:2], len(v), list(v), 1 in v, v(1, a=2), bool(v), v == V(6), {v: 1})
""",
    "private attributes": """
class A:
    def __init__(self):
        self._cache = {}
        self.__hidden = 3
    def get(self):
        self._cache["x"] = self.__hidden
        self._cache["x"] += 1
        return self._cache
print(A().get())
""",
    "missing attributes": """
class A:
    def __getattr__(self, name):
        return name + "!"
print(A().hello)
""",
    "closures and nonlocal": """
def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step
c = counter()
c()
print(c())
""",
    "global": """
n = 0
def step():
    global n
    n += 1
step()
print(n)
""",
    "comprehensions": """
print([i * j for i in range(3) for j in range(2) if i], {i for i in "aab"} == {"a", "b"}, {k: v for k, v in [(1, 2)]})
print([[x for x in row] for row in [[1], [2]]], sum(x ** 2 for x in (1, 2)))
""",
    "generators": """
def g(n):
    got = yield n
    yield from [got, n + 1]
it = g(1)
print(next(it), it.send("sent"), list(it))
""",
    "f-strings": """
x, w = 3.14159, 8
print(f"{x:.2f}|{x:{w}.1f}|{x!r:>10}|{'a' 'b'}|{x=:.1f}|{{}}")
""",
    "str.format and %": """
print("{} {} {x:.1f}".format(1, 2, x=3.0), "{1} {0}".format(1, 2), "{0[1]}".format([1, 2]), "%d %.2f" % (1, 2.0))
print("{:>5}|{:^5}|{:<5}".format("a", "b", "c"), "{a.real}".format_map({"a": 1}), str.format("{}", 5), format(3.14159, ".2f"))
print(list(map("{}!".format, [1, 2])))
""",
    "with": """
class M:
    def __enter__(self):
        print("in")
        return 1, 2
    def __exit__(self, kind, value, traceback):
        print("out", kind.__name__ if kind else None)
        return True
with M() as (a, b), M() as m:
    print(a, b, m)
    raise ValueError
""",
    "contextmanager": """
from contextlib import contextmanager, nullcontext, suppress
@contextmanager
def m():
    print("in")
    try:
        yield 5
    finally:
        print("out")
with m() as x:
    print(x)
with suppress(ZeroDivisionError):
    1 / 0
with nullcontext():
    pass
""",
    "try, except, else, finally": """
def f(x):
    try:
        return 1 / x
    except ZeroDivisionError as e:
        print("caught", e)
        raise ValueError("again") from e
    else:
        print("fine")
    finally:
        print("finally")
try:
    f(0)
except (TypeError, ValueError) as e:
    print(type(e).__name__, e)
try:
    raise RuntimeError("x")
except:
    print("bare")
class Mine(Exception):
    pass
try:
    raise Mine("own", 3)
except Mine as e:
    print(e.args)
""",
    "match": """
from dataclasses import dataclass
@dataclass
class P:
    x: int
    y: int
class Q:
    __match_args__ = ("a",)
    def __init__(self, a):
        self.a = a
def f(v):
    match v:
        case 0 | 1:
            return "small"
        case [a, *rest] if len(rest) > 1:
            return a, rest
        case {"k": k, **others}:
            return k, others
        case P(x=0, y=y) | P(x=y, y=0):
            return "P", y
        case P(1, b):
            return b
        case Q(a):
            return "Q", a
        case str() as s:
            return s
        case None:
            return "none"
        case -1.5:
            return "minus"
        case _:
            return "other"
for v in [1, [1, 2, 3], {"k": 1, "z": 2}, P(0, 5), P(1, 7), Q(3), "text", None, -1.5, 9]:
    print(f(v))
""",
    "dataclasses": """
from dataclasses import dataclass, field, asdict, replace
@dataclass(order=True)
class C:
    a: int
    b: list = field(default_factory=list)
    c: float = 1.5
    def __post_init__(self):
        self.a *= 2
c = C(1)
print(c, asdict(c), replace(c, c=2.0), C(1) < C(2), c == C(1))
@dataclass(frozen=True)
class F:
    x: int
try:
    F(1).x = 2
except Exception as e:
    print(type(e).__name__)
""",
    "decorators": """
from functools import wraps
def twice(f):
    @wraps(f)
    def inner(*a, **k):
        return f(*a, **k) * 2
    return inner
def times(n):
    def decorate(f):
        return lambda *a: f(*a) * n
    return decorate
@times(3)
@twice
def f(x):
    "doc"
    return x
print(f(1), twice(lambda x: x)(4), twice(f).__name__)
""",
    "annotations": """
from typing import Optional, List, Callable
x: int = 3
y: Optional[List[int]]
def f(a: int, *b: float, c: "str" = "s", **d: Callable) -> Optional[int]:
    z: float = a
    return z
class A:
    n: int = 1
    m: "later"
print(x, f(2), A.n)
""",
    "from __future__ import annotations": """
from __future__ import annotations
from dataclasses import dataclass
@dataclass
class A:
    x: Unknown
    def f(self) -> A:
        return self
print(A(1).f())
""",
    "walrus": """
values = iter([1, 2, 0])
while (v := next(values)):
    print(v)
print([y for x in [1, 2] if (y := x * 2) > 2])
""",
    "star-arguments and unpacking": """
def f(a, /, b, *args, c=3, **kw):
    return a, b, args, c, kw
print(f(1, *[2, 3], **{"c": 4, "d": 5}), f(*(1, 2)))
a, *b, (c, d) = 1, 2, 3, (4, 5)
[e, f2] = {6: 1, 7: 2}
print(a, b, c, d, e, f2, [*b, *range(2)], {**{"x": 1}, "y": 2}, (*b, 1))
for i, (j, k) in enumerate([(1, 2)]):
    print(i, j, k)
x = y = 0
x, y = y + 1, x
print(x, y)
""",
    "augmented assignment": """
import numpy as np
class A:
    pass
a = A()
a.x = 1
a.x += 2
a.x **= 2
d = {"k": [1]}
d["k"] += [2]
d["k"][0] *= 5
n = 7
n //= 2
n <<= 2
n |= 1
n ^= 3
m = np.eye(2)
m @= np.ones((2, 2))
m[0, :] -= 1
s = {1}
s |= {2}
print(a.x, d, n, m.tolist(), s)
def f():
    x = 1
    x -= 3
    return x
print(f())
""",
    "lambda and conditional": """
print((lambda x, y=2, *z, **k: x if x > y else y)(1), sorted([3, 1], key=lambda v: -v), max([1, 5], key=lambda v: v % 5))
""",
    "loops with else, break, continue": """
for i in range(5):
    if i == 1:
        continue
    if i == 3:
        break
    print(i)
else:
    print("never")
while False:
    pass
else:
    print("else")
""",
    "del, assert, pass, chained comparison": """
x = [1, 2, 3]
del x[0], x[-1]
class A:
    pass
a = A()
a.y = 1
del a.y
assert x == [2], "no"
print(1 < 2 <= 2 != 3, hasattr(a, "y"), getattr(a, "y", "none"))
setattr(a, "z", 4)
delattr(a, "z")
print(hasattr(a, "z"))
""",
    "slices and ellipsis": """
import numpy as np
x = np.arange(24).reshape(2, 3, 4)
print(x[..., ::2][:, -1].tolist(), x[0, 1:, None, [0, 1]].shape, "hello"[::-1], ...)
""",
    "builtins": """
print(abs(-1), all([1]), any([0]), bin(5), callable(len), chr(65), divmod(7, 2), hex(255), id(1) == id(1), oct(8), ord("A"))
print(list(reversed([1, 2])), list(zip([1], [2])), round(2.567, 1), isinstance(True, int), issubclass(bool, int), pow(2, 3, 5))
print(list(filter(None, [0, 1])), list(map(str, [1])), sum([1, 2], 3), tuple([1]), frozenset([1]), complex(1, 2), slice(1, 2))
print(type(1) is int, type(1) == int, isinstance(int, type), isinstance(1, type), type(None).__name__, repr("a"), ascii("é"))
print(bytes(2), bytearray(b"x"), next(iter([1])), float("inf"), int("7", 8), iter([]) is not None, hash("a") == hash("a"))
print(1, 2, sep="-", end="!\\n")
""",
    "name is main": """
def main():
    print("main", __name__)
if __name__ == "__main__":
    main()
""",
    "docstrings and __doc__": """
def f():
    \"\"\"What f does.\"\"\"
print(f.__doc__, f.__name__, f.__qualname__)
""",
    "modules": """
import math, copy, random, functools, itertools, collections, dataclasses, typing, time, warnings, enum, operator, heapq
import collections.abc
import numpy as np
from math import *
from collections import defaultdict, Counter, deque, namedtuple, OrderedDict
from itertools import product, chain
P = namedtuple("P", "x y")
p = P(1, 2)
print(sqrt(4), math.pi, copy.deepcopy([[1]]), functools.reduce(lambda a, b: a + b, [1, 2]), p, p._replace(x=5), p._asdict())
print(list(product("ab", [1])), Counter("aab")["a"], list(chain([1], [2])), np.mean([1, 2]), isinstance([], collections.abc.Sequence))
class Color(enum.Enum):
    RED = 1
    BLUE = enum.auto()
print(Color.RED, Color(2).name, [c.value for c in Color], operator.add(1, 2), heapq.nsmallest(1, [3, 1]))
random.seed(0)
print(random.random() == random.random(), time.time() > 0, defaultdict(list)["x"], deque([1, 2], maxlen=1))
""",
    "numpy": """
import numpy as np
from numpy import linalg
from numpy.random import default_rng
x = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
print(x @ x, np.linalg.inv(x).round(3), linalg.norm(x), x.T.sum(axis=0), x[x > 2], np.exp(0), default_rng(0).integers(5) >= 0)
x += 1
x[0] = 0
print(x.dtype, x.shape, np.allclose(x, x), np.where(x > 1, x, 0).tolist(), np.random.rand(2).shape, x.astype(int), np.float64(1.5))
np.random.seed(1)
print(np.median(x), np.unique([2, 1, 2]), np.percentile(x, 50), np.union1d([1], [2]), np.polyfit([0, 1], [0, 1], 1).round(3))
print(np.random.randn(1) is not None, np.concatenate([x, x]).shape, np.pi, isinstance(x, np.ndarray), np.einsum("ij->i", x))
""",
    "abstract classes, generics, protocols": """
from abc import ABC, abstractmethod
from typing import Generic, TypeVar, NamedTuple, Protocol
T = TypeVar("T")
class Base(ABC):
    @abstractmethod
    def f(self):
        pass
class Box(Generic[T]):
    def __init__(self, x: T):
        self.x = x
class N(NamedTuple):
    a: int
    b: str = "b"
class Has(Protocol):
    x: int
class D(Base):
    def f(self):
        return Box[int](3).x
try:
    Base()
except TypeError as e:
    print("abstract" in str(e))
print(D().f(), N(1), N(1).b)
""",
    "cached functions": """
import functools
@functools.lru_cache(maxsize=None)
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
class A:
    @functools.cached_property
    def x(self):
        print("once")
        return 1
a = A()
print(fib(50), a.x, a.x, functools.partial(pow, 2)(3))
""",
    "slots": """
class A:
    __slots__ = ("x",)
    def __init__(self):
        self.x = 1
try:
    A().y = 2
except AttributeError:
    print("slots", A().x)
""",
    "exceptions with notes of their own": """
class E(Exception):
    def __init__(self, code):
        super().__init__(f"code {code}")
        self.code = code
    def __str__(self):
        return f"E{self.code}"
try:
    raise E(3)
except E as e:
    print(e, e.code)
""",
    "no_grad as a decorator and optimizers by augmented assignment": """
import torch
@torch.no_grad()
def step(w):
    w -= 0.1 * w.grad
    w.grad = None
w = torch.tensor([1.0, 2.0], requires_grad=True)
(w * w).sum().backward()
step(w)
print(w.tolist(), w.grad)
""",
    "the type of an array": """
import numpy as np
x = np.arange(6.0)
def twice(a: np.ndarray) -> np.ndarray:
    return a * 2
match x:
    case np.ndarray():
        print("array")
print(isinstance(x, np.ndarray), isinstance(3, np.ndarray), type(x) is np.ndarray, type(x) == np.ndarray, type(x).__name__)
print(type(x), np.ndarray, isinstance(x, (list, np.ndarray)), issubclass(type(x), np.ndarray), isinstance(x, np.ndarray | list))
print(twice(x), np.ndarray.sum(x), np.ndarray((2, 0)).shape, {np.ndarray: 1}[type(x)])
x.resize((2, 3))
print(x)
""",
    "enumerations made by a call, and namespaces": """
import enum
import types
Color = enum.Enum("Color", "RED GREEN")
Level = enum.IntEnum("Level", {"LOW": 1, "HIGH": 3})
n = types.SimpleNamespace(lr=0.1, steps=[1, 2])
n.lr = 0.2
print(list(Color), Color.RED.value, Level.HIGH + 1, n.lr, n.steps)
""",
    "a class that hands attributes on": """
class Proxy:
    def __init__(self, inner):
        self.inner = inner
    def __getattr__(self, name):
        return getattr(self.inner, name)
print(Proxy([3, 1, 2]).index(1))
""",
}
