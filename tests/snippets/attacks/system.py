# Plain attacks on the system, as if there were no first wall.
#### read a file
print("WON", open("{canary}").read())
#### read a file with os
import os
print("WON", os.read(os.open("{canary}", os.O_RDONLY), 10))
#### read the password file
print("WON", open("/etc/passwd").read())
#### list a directory
import os
print("WON", os.listdir("/"))
#### look whether a file is there
import os
print("WON") if os.path.exists("{canary}") else None
#### write a file
open("{target}", "w").write("x")
print("WON")
#### write into the temporary directory
import tempfile
tempfile.mkstemp()
print("WON")
#### make a directory
import os
os.mkdir("{target}")
print("WON")
#### delete a file
import os
os.remove("{canary}")
print("WON")
#### rename a file
import os
os.rename("{canary}", "{target}")
print("WON")
#### change the mode of a file
import os
os.chmod("{canary}", 0o777)
print("WON")
#### link
import os
os.symlink("{canary}", "{target}")
print("WON")
#### truncate
import os
os.truncate("{canary}", 0)
print("WON")
#### descriptors through proc
print("WON", open("/proc/self/environ").read())
#### memory through proc
print("WON", open("/proc/self/mem", "rb"))
#### command line of the app through proc
import os
print("WON", open(f"/proc/{os.getppid()}/cmdline").read())
#### secrets in the environment
import os
print("WON", os.environ["BACKSTEP_TEST_SECRET"])
#### any environment at all
import os
print("WON", dict(os.environ)) if os.environ else None
#### secrets in the C environment
import ctypes
ctypes.CDLL(None).getenv.restype = ctypes.c_char_p
found = ctypes.CDLL(None).getenv(b"BACKSTEP_TEST_SECRET")
print("WON", found) if found else None
#### start a process
import subprocess
print("WON", subprocess.check_output(["/bin/echo", "x"]))
#### os.system
import os
status = os.system("echo x > {target}")
print("WON") if status == 0 else None
#### fork
import os
os.fork()
print("WON")
#### exec
import os
os.execv("/bin/echo", ["echo", "WON"])
#### posix_spawn
import os
print("WON", os.posix_spawn("/bin/echo", ["echo", "x"], {}))
#### a thread
import _thread
_thread.start_new_thread(lambda: None, ())
print("WON")
#### clone by system call
import ctypes
result = ctypes.CDLL(None, use_errno=True).syscall(56, 17, 0, 0, 0, 0)
print("WON") if result >= 0 else None
#### a socket
import socket
socket.socket()
print("WON")
#### a connection
import socket
socket.create_connection(("127.0.0.1", {port}), timeout=1)
print("WON")
#### a socket pair
import socket
print("WON", socket.socketpair())
#### a socket of the system, by path
import socket
s = socket.socket(socket.AF_UNIX)
s.connect("/var/run/docker.sock")
print("WON")
#### kill the parent
import os, signal
os.kill(os.getppid(), signal.SIGKILL)
print("WON")
#### stop the parent
import os, signal
os.kill(os.getppid(), signal.SIGSTOP)
print("WON")
#### find out about a process
import os
os.kill(os.getppid(), 0)
print("WON")
#### trace the parent
import ctypes, os
result = ctypes.CDLL(None, use_errno=True).ptrace(16, os.getppid(), 0, 0)
print("WON") if result == 0 else None
#### read the parent's memory
import ctypes, os
buffer = ctypes.create_string_buffer(8)
class Vec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
local = Vec(ctypes.addressof(buffer), 8)
remote = Vec(0x400000, 8)
result = ctypes.CDLL(None, use_errno=True).process_vm_readv(os.getppid(), ctypes.byref(local), 1, ctypes.byref(remote), 1, 0)
print("WON") if result > 0 else None
#### raise the limits
import resource
resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
x = bytearray(2 * 1024 ** 3)
print("WON")
#### memory by mmap
import mmap
x = mmap.mmap(-1, 2 * 1024 ** 3)
print("WON")
#### memory by numpy
import numpy as np
x = np.ones(2 * 1024 ** 3 // 8)
print("WON")
#### shared memory
from multiprocessing import shared_memory
x = shared_memory.SharedMemory(create=True, size=10)
print("WON")
#### memory file
import os
print("WON", os.memfd_create("x"))
#### become root
import os
os.setuid(0)
print("WON")
#### change the root
import os
os.chroot("/")
print("WON")
#### new namespace
import ctypes
result = ctypes.CDLL(None, use_errno=True).unshare(0x10000000)
print("WON") if result == 0 else None
#### mount
import ctypes
result = ctypes.CDLL(None, use_errno=True).mount(b"none", b"/tmp", b"tmpfs", 0, None)
print("WON") if result == 0 else None
#### turn the clocks off
import signal
signal.setitimer(signal.ITIMER_PROF, 0)
signal.setitimer(signal.ITIMER_REAL, 0)
while True:
    pass
#### block the signals
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 64))
while True:
    pass
#### ignore the signals
import signal
for number in (signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU):
    signal.signal(number, signal.SIG_IGN)
while True:
    pass
#### crash
import ctypes
ctypes.string_at(0)
#### abort
import os
os.abort()
#### keyring
import ctypes
result = ctypes.CDLL(None, use_errno=True).syscall(248, b"user", b"x", b"y", 1, -3)
print("WON") if result > 0 else None
#### io_uring
import ctypes
buffer = ctypes.create_string_buffer(120)
result = ctypes.CDLL(None, use_errno=True).syscall(425, 4, buffer)
print("WON") if result >= 0 else None
#### bpf
import ctypes
buffer = ctypes.create_string_buffer(120)
result = ctypes.CDLL(None, use_errno=True).syscall(321, 0, buffer, 120)
print("WON") if result >= 0 else None
#### 32-bit system calls
import ctypes
result = ctypes.CDLL(None, use_errno=True).syscall(0x40000000 + 2, b"/etc/passwd", 0)
print("WON") if result >= 0 else None
#### terminal
import fcntl
fcntl.ioctl(0, 0x5412, b"x")
print("WON")
#### inherited descriptors
import os
found = []
for number in range(3, 256):
    try:
        os.read(number, 0)
        found.append(number)
    except OSError:
        pass
print("WON", found) if found else None
#### the app's modules in memory
import sys
print("WON") if any("streamlit" in name or "sqlalchemy" in name or "course" in name for name in sys.modules) else None
