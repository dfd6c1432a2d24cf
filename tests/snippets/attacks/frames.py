# Frames, tracebacks and code objects.
#### traceback of an exception
try:
    1 / 0
except ZeroDivisionError as error:
    frame = error.__traceback__.tb_frame
    while frame.f_back:
        frame = frame.f_back
    print("WON", frame.f_globals["sys"].modules["os"].listdir("/"))
#### traceback given to __exit__
class Catch:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, traceback):
        frame = traceback.tb_frame.f_back
        print("WON", frame.f_builtins["open"]("{canary}").read())
        return True
with Catch():
    1 / 0
#### tb_frame by getattr
class Catch:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, traceback):
        print("WON", getattr(traceback, "tb_" + "frame").f_back.f_builtins["open"]("{canary}").read())
        return True
with Catch():
    1 / 0
#### tb_frame by a match pattern
class Catch:
    def __enter__(self):
        return self
    def __exit__(self, kind, error, traceback):
        match traceback:
            case object(tb_frame=frame):
                print("WON", frame.f_back.f_builtins["open"]("{canary}").read())
        return True
with Catch():
    1 / 0
#### frame of a generator
g = (x for x in [1])
print("WON", g.gi_frame.f_back.f_builtins["open"]("{canary}").read())
#### frame of a running generator
def walk():
    yield g.gi_frame.f_back.f_back.f_builtins["open"]("{canary}").read()
g = walk()
print("WON", next(g))
#### code of a function (first)
def f():
    pass
print("WON", f.__code__.co_code)
#### new function from a code object (first)
def f():
    pass
Function = type(f)
print("WON", Function(f.__code__, {"__builtins__": __builtins__})())
#### frame by match_args (first)
class Frame:
    __match_args__ = ("tb_frame",)
print("WON")
#### context of an exception (first)
try:
    try:
        1 / 0
    except ZeroDivisionError:
        raise ValueError
except ValueError as error:
    print("WON", error.__context__.__traceback__)
#### coroutine (first)
async def f():
    pass
print("WON", f().cr_frame)
#### await in a comprehension (first)
print("WON", [x async for x in []])
