# Exceptions and patterns that hand out more than they should.
#### obj of an attribute error
import torch
try:
    torch.nothing_of_that_name
except AttributeError as error:
    print("WON", error.obj.sys.modules["os"].listdir("/"))
#### obj of an attribute error by a pattern
import torch
try:
    torch.nothing_of_that_name
except AttributeError as error:
    match error:
        case AttributeError(obj=thing):
            print("WON", thing.sys.modules["os"].listdir("/"))
#### obj by augmented assignment
import math
class Take:
    def __radd__(self, other):
        print("WON", other.sys.modules["os"].listdir("/"))
try:
    math.nothing
except AttributeError as error:
    error.obj += Take()
#### attribute with underscores in a pattern
match ():
    case object(__class__=kind):
        print("WON", kind.__base__.__subclasses__()[-1].__init__.__globals__["sys"].modules["os"].listdir("/"))
#### private attribute in a pattern (first)
import torch
match torch.tensor(1.0, requires_grad=True):
    case torch.Tensor(_meta=meta):
        print("WON", meta)
#### match_args with underscores
class A:
    __match_args__ = ("__class__",)
match A():
    case A(kind):
        print("WON", kind.__base__.__subclasses__()[-1].__init__.__globals__["sys"].modules["os"].listdir("/"))
#### match_args put together (first)
class A:
    __match_args__ = ("__cl" + "ass__",)
print("WON")
#### match_args by setattr (first)
class A:
    pass
setattr(A, "__match_args__", ("__class__",))
print("WON")
#### exception group (first)
try:
    1 / 0
except* ZeroDivisionError as group:
    print("WON", group.exceptions)
#### exception group made by hand (first)
print("WON", ExceptionGroup("x", [ValueError()]))
#### exception that swallows the time limit
while True:
    try:
        while True:
            pass
    except BaseException:
        print("WON")
#### context manager that swallows the time limit
class Swallow:
    def __enter__(self):
        return self
    def __exit__(self, *a):
        return True
while True:
    with Swallow():
        while True:
            pass
    if False:
        print("WON")
#### finally that never ends
try:
    while True:
        pass
finally:
    while True:
        try:
            pass
        finally:
            continue
#### except with a class that runs code (first)
class Meta:
    def __subclasscheck__(self, kind):
        print("WON")
        return True
try:
    1 / 0
except Meta():
    pass
#### error message that fails
class Bad(Exception):
    def __str__(self):
        raise ValueError("WON")
raise Bad
#### error message that never ends
class Bad(Exception):
    def __str__(self):
        while True:
            pass
raise Bad
#### error of an endless type name
class E(Exception):
    pass
E.__name__ = "WON" * 10**6
raise E
#### with_traceback
try:
    1 / 0
except ZeroDivisionError as error:
    print("WON", error.with_traceback(None).__reduce__()[0].__subclasses__)
