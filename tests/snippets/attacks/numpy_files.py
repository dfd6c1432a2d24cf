# NumPy's ways to files, memory and the interpreter.
#### fromfile
import numpy as np
print("WON", np.fromfile("{canary}", dtype=np.uint8))
#### loadtxt
import numpy as np
print("WON", np.loadtxt("{canary}", dtype=str))
#### genfromtxt
import numpy as np
print("WON", np.genfromtxt("{canary}", dtype=str))
#### memmap
import numpy as np
print("WON", np.memmap("{canary}", dtype=np.uint8, mode="r")[:5])
#### load with pickle
import numpy as np
print("WON", np.load("{canary}", allow_pickle=True))
#### save
import numpy as np
np.save("{target}", np.zeros(3))
print("WON")
#### savetxt
import numpy as np
np.savetxt("{target}", np.zeros(3))
print("WON")
#### tofile
import numpy as np
np.zeros(3).tofile("{target}")
print("WON")
#### tofile by getattr
import numpy as np
getattr(np.zeros(3), "to" + "file")("{target}")
print("WON")
#### tofile of a subclass by super
import numpy as np
class A(np.ndarray):
    def write(self):
        super().tofile("{target}")
A((3,)).write()
print("WON")
#### tofile by a match pattern
import numpy as np
match np.zeros(3):
    case np.ndarray(tofile=write):
        write("{target}")
        print("WON")
#### unbound tofile
import numpy as np
np.ndarray.tofile(np.zeros(3), "{target}")
print("WON")
#### tofile of a scalar
import numpy as np
np.float64(3).tofile("{target}")
print("WON")
#### dump
import numpy as np
np.zeros(3).dump("{target}")
print("WON")
#### dumps (first)
import numpy as np
print("WON", np.zeros(3).dumps())
#### ctypes of an array (first)
import numpy as np
print("WON", np.zeros(3).ctypes.data)
#### ctypes of a random generator (first)
import numpy as np
print("WON", np.random.default_rng(0).bit_generator.ctypes)
#### DataSource
import numpy as np
print("WON", np.lib.npyio.DataSource().open("{canary}").read())
#### f2py
import numpy as np
print("WON", np.f2py.subprocess.check_output("id"))
#### os behind numpy
import numpy as np
print("WON", np.os.listdir("/"))
#### sys behind numpy.testing
import numpy as np
print("WON", np.testing.os.listdir("/"))
#### as_strided out of bounds (first)
import numpy as np
print("WON", np.lib.stride_tricks.as_strided(np.zeros(1), shape=(1000000,))[-1])
#### strides set out of bounds (first)
import numpy as np
x = np.zeros(4)
x.strides = (1 << 20,)
print("WON", x.sum())
#### object array from raw bytes
import numpy as np
x = np.frombuffer(b"\x10" * 8, dtype=object)
print("WON", x[0])
#### object view of integers
import numpy as np
x = np.zeros(1, dtype=np.int64).view(object)
print("WON", x[0])
#### ndarray over a buffer with objects
import numpy as np
x = np.ndarray((1,), dtype=object, buffer=bytearray(b"\x10" * 8))
print("WON", x[0])
#### array_interface with an address
import numpy as np
class A:
    __array_interface__ = {"data": (4096, False), "shape": (4,), "typestr": "|u1", "version": 3}
print("WON", np.asarray(A())[0])
#### torch.from_file
import torch
print("WON", torch.from_file("{canary}", size=4))
#### torch.load
import torch
print("WON", torch.load("{canary}", weights_only=False))
#### torch.save
import torch
torch.save(torch.zeros(3), "{target}")
print("WON")
#### errors that name the file (first)
import torch
try:
    torch.nothing
except AttributeError as error:
    print("WON", error.obj.__dict__)
#### tofile by a method made of a type (first)
import numpy as np
class O:
    def m(self): pass
MT = type(O().m)
MT(np.float64, 0).tofile(np.float64(1), "{target}")
print("WON")
#### tofile by a method made of the type of arrays (first)
import numpy as np
class O:
    def m(self): pass
MT = type(O().m)
MT(np.ndarray, 0).tofile(np.zeros(3), "{target}")
print("WON")
#### dumps by a method made of a type (first)
import numpy as np
class O:
    def m(self): pass
MT = type(O().m)
print("WON", MT(np.float64, 0).dumps(np.float64(1)))
