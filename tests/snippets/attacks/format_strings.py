# Attributes reached from inside a format string.
#### attribute walk (first)
print("WON", "{0.__class__.__base__}".format(()))
#### format_map (first)
class Box(dict):
    pass
print("WON", "{x.__class__}".format_map({"x": 1}))
#### unbound str.format (first)
print("WON", str.format("{0.__class__}", 1))
#### str.format by getattr (first)
print("WON", getattr("{0.__class__}", "format")(1))
#### str.format through map (first)
print("WON", list(map(str.format, ["{0.__init__.__globals__}"], [lambda: 0])))
#### format of a subclass by super (first)
class Text(str):
    def show(self, x):
        return super().format(x)
print("WON", Text("{0.__class__}").show(1))
#### type of a string, then format (first)
print("WON", type("")("{0.__class__}").format(1))
#### nested fields (first)
print("WON", "{0:{1.__class__}}".format(1, 2))
#### format from a match pattern (first)
match "{0.__class__}":
    case str(format=f):
        print("WON", f(1))
#### item then attribute (first)
print("WON", "{0[0].__class__}".format([1]))
#### private attribute (first)
import torch
print("WON", "{0._meta}".format(torch.tensor(1.0, requires_grad=True)))
#### globals of a function in a template (first)
def f():
    pass
text = "{f.__globals__[__builtins__][open]}".format(f=f)
print("WON", text) if "function" in text else None
#### format of a UserString (first)
import collections
def f():
    pass
print(collections.UserString("WON {0.__globals__}").format(f))
#### format_map of a UserString (first)
import collections
def f():
    pass
print(collections.UserString("WON {f.__globals__}").format_map({"f": f}))
#### format by methodcaller (first)
from operator import methodcaller
print("WON", methodcaller("format", 1)("{0.__class__}"))
#### format by a method made of a type (first)
class O:
    def m(self): pass
MT = type(O().m)
print("WON", MT(str, "{0.__class__.__base__}").format("{0.__class__.__base__}", 1))
