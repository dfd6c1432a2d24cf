# Generators, iterators and deferred code.
#### gi_code by getattr (first)
g = (x for x in [1])
print("WON", getattr(g, "gi_code"))
#### gi_yieldfrom (first)
def f():
    yield from g
g = (x for x in [1])
print("WON", f().gi_yieldfrom)
#### generator in a context manager
from contextlib import contextmanager
@contextmanager
def manager():
    yield 1
print("WON", manager().gen.gi_frame.f_back.f_builtins["open"]("{canary}").read())
#### default argument that runs at definition
def f(x=__import__("os")):
    print("WON", x.listdir("/"))
f()
#### annotation that runs at definition
def f(x: __import__("os").listdir("/")):
    return 1
print("WON", f.__annotations__)
#### decorator that is not a function of the program
@exec
def f():
    pass
print("WON")
#### lambda with a builtin
f = lambda: open("{canary}").read()
print("WON", f())
#### comprehension over builtins
print("WON", [b for b in __builtins__][0], open("{canary}").read())
#### a generator that outlives a limit (first)
def forever():
    while True:
        try:
            yield 1
        except GeneratorExit:
            continue
g = forever()
next(g)
try:
    g.close()
except RuntimeError:
    pass
while True:
    next(g)
