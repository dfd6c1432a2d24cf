"""A Windows job object: bounded memory, no child processes, gone when the app goes."""

from __future__ import annotations

import ctypes
from typing import Any

from snippets.limits import Limits

_EXTENDED_LIMITS = 9
_ACTIVE_PROCESS, _PROCESS_MEMORY, _DIE_ON_EXCEPTION = 0x8, 0x100, 0x400
_kept: list[Any] = []


class _Basic(ctypes.Structure):
    _fields_ = [
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    ]


class _Extended(ctypes.Structure):
    _fields_ = [
        ("basic", _Basic),
        ("io", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    ]


_COUNTER_NAMES = "peak_working_set working_set peak_paged paged peak_nonpaged nonpaged pagefile peak_pagefile"


class _Counters(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_uint32),
        ("faults", ctypes.c_uint32),
        *((name, ctypes.c_size_t) for name in _COUNTER_NAMES.split()),
    ]


def confine_process(limits: Limits) -> list[str]:
    """Put this process into a job of its own; returns the measures that hold."""
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined]
    kernel.GetCurrentProcess.restype = ctypes.c_void_p
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    process = ctypes.c_void_p(kernel.GetCurrentProcess())
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    if not job:
        return ["environment"]
    extended = _Extended()
    extended.basic.flags = _ACTIVE_PROCESS | _PROCESS_MEMORY | _DIE_ON_EXCEPTION
    extended.basic.active_processes = 1
    extended.process_memory = _committed(kernel, process) + limits.memory_bytes
    held = ["environment"]
    done = kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(extended), ctypes.sizeof(extended))
    if done and kernel.AssignProcessToJobObject(job, process):
        held += ["memory", "no-child-processes"]
    _kept.append(job)
    return held


def _committed(kernel: Any, process: ctypes.c_void_p) -> int:
    counters = _Counters(size=ctypes.sizeof(_Counters))
    if kernel.K32GetProcessMemoryInfo(process, ctypes.byref(counters), counters.size):
        return int(counters.pagefile)
    return 256 * 1024 * 1024
