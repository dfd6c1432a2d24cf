"""Linux's own means, by ctypes: no new privileges, Landlock, seccomp, an unprivileged user.

Each is used when the kernel has it. The system calls that stay are those of computing, memory and time; all others
answer "operation not permitted", so that Python raises PermissionError instead of the process dying without a word.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct

from snippets.confine.syscalls import MACHINES

_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS, _PR_SET_MDWE = 1, 4, 22, 38, 65
_LANDLOCK_CREATE_RULESET, _LANDLOCK_RESTRICT_SELF = 444, 446
_NOBODY = 65534

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE, _KILL = 0x7FFF0000, 0x00050001, 0x80000000
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16


class _Filter(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]


def give_up_rights(die_with_parent: bool) -> list[str]:
    """Apply all measures the kernel has, in the order in which they allow each other; returns their names."""
    libc = ctypes.CDLL(None, use_errno=True)
    held = []
    if os.getpid() != os.getsid(0):
        os.setsid()
    if os.geteuid() == 0:
        held += _become_nobody()
    if die_with_parent:
        libc.prctl(_PR_SET_PDEATHSIG, 9, 0, 0, 0)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return held
    held.append("no-new-privileges")
    if _landlock(libc):
        held.append("landlock")
    if libc.prctl(_PR_SET_MDWE, 1, 0, 0, 0) == 0:
        held.append("no-new-code")
    if _seccomp(libc):
        held.append("seccomp")
    return held


def _become_nobody() -> list[str]:
    try:
        os.setgroups([])
        os.setresgid(_NOBODY, _NOBODY, _NOBODY)
        os.setresuid(_NOBODY, _NOBODY, _NOBODY)
    except OSError:
        return []
    return ["unprivileged-user"]


def _landlock(libc: ctypes.CDLL) -> bool:
    """Deny all access to the file system, to TCP, and to processes outside, as far as this kernel knows how."""
    version = libc.syscall(_LANDLOCK_CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    files = (1 << 13) - 1
    if version >= 2:
        files |= 1 << 13  # refer
    if version >= 3:
        files |= 1 << 14  # truncate
    if version >= 5:
        files |= 1 << 15  # ioctl on devices
    network = 3 if version >= 4 else 0
    scoped = 3 if version >= 6 else 0
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    attributes = struct.pack("=QQQ", files, network, scoped)[:size]
    ruleset = libc.syscall(_LANDLOCK_CREATE_RULESET, attributes, ctypes.c_size_t(size), 0)
    if ruleset < 0:
        return False
    done = libc.syscall(_LANDLOCK_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return bool(done)


def _seccomp(libc: ctypes.CDLL) -> bool:
    """Allow the system calls of computing only; a call for another architecture ends the process."""
    known = MACHINES.get(platform.machine())
    if known is None or struct.calcsize("P") != 8:
        return False
    architecture, numbers = known
    program = _program(architecture, numbers, os.getpid())
    filter_ = _Filter(len(program) // 8, program)
    return bool(libc.prctl(_PR_SET_SECCOMP, 2, ctypes.byref(filter_), 0, 0) == 0)


def _program(architecture: int, numbers: dict[str, int], process: int) -> bytes:
    def instruction(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
        return struct.pack("=HBBI", code, then, otherwise, value)

    others = sorted(number for name, number in numbers.items() if name != "tgkill")
    body = [
        instruction(_LOAD, _ARCHITECTURE_AT),
        instruction(_JUMP_EQUAL, architecture, 1, 0),
        instruction(_RETURN, _KILL),
    ]
    body += [
        instruction(_LOAD, _NUMBER_AT),
        instruction(_JUMP_AT_LEAST, 0x40000000, 0, 1),
        instruction(_RETURN, _REFUSE),
    ]
    # A signal only to this very process: tgkill(own pid, ...), which raise() uses.
    body += [
        instruction(_JUMP_EQUAL, numbers["tgkill"], 0, 4),
        instruction(_LOAD, _FIRST_ARGUMENT_AT),
        instruction(_JUMP_EQUAL, process, 0, 1),
        instruction(_RETURN, _ALLOW),
        instruction(_RETURN, _REFUSE),
    ]
    for position, number in enumerate(others):
        to_allow = len(others) - position
        body.append(instruction(_JUMP_EQUAL, number, to_allow, 0))
    body += [instruction(_RETURN, _REFUSE), instruction(_RETURN, _ALLOW)]
    return b"".join(body)
