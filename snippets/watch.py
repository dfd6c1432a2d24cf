"""Stops a program at its time limits, from inside the process that runs it.

On POSIX two timers send signals. The signal first writes the stack to a pipe, in C, so that the line is known even when
Python never gets its turn again; then Python raises :class:`LimitReached` in the program. On Windows a thread does it.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

from snippets.errors import FILENAME, LimitReached
from snippets.limits import Limits

#: Written to the side pipe when the program has ended and the answer is being made.
ENDED = b"\x01ended\n"
_AGAIN = 0.05  # seconds between two attempts to stop a program that swallowed the first
_ATTEMPTS = 20
_BRIEFLY = (1.0, 2.0)  # seconds of processor time and in all


class Watch:
    """Armed while the program runs: ``start()``, the program, ``stop()``."""

    def __init__(self, limits: Limits, side: int) -> None:
        self._limits = limits
        self._side = side
        self._active = False
        self._attempts = 0
        self._describing = False
        self._round = 0
        self.reached: LimitReached | None = None

    def start(self) -> None:
        """Start the clocks."""
        self._arm(self._limits.cpu_seconds, self._limits.wall_seconds)

    @contextmanager
    def briefly(self) -> Iterator[None]:
        """A little more time, for describing what is left of a program: its own methods may run once more."""
        self._attempts = 0
        self._describing = True
        self._arm(*_BRIEFLY)
        try:
            yield
        finally:
            self._disarm()

    def _arm(self, cpu_seconds: float, wall_seconds: float) -> None:
        self._active = True
        faulthandler.enable(self._side, all_threads=False)
        if hasattr(signal, "setitimer"):
            for number in (signal.SIGPROF, signal.SIGALRM):
                signal.signal(number, self._on_signal)
                faulthandler.register(number, self._side, all_threads=False, chain=True)
            signal.setitimer(signal.ITIMER_PROF, cpu_seconds, _AGAIN)
            signal.setitimer(signal.ITIMER_REAL, wall_seconds, _AGAIN)
        else:
            bounds = (time.process_time() + cpu_seconds, time.monotonic() + wall_seconds)
            self._round += 1
            threading.Thread(target=self._guard, args=(threading.get_ident(), bounds, self._round), daemon=True).start()

    def stop(self) -> None:
        """Stop the clocks; from now on nothing is raised."""
        self._disarm()
        with suppress(OSError):
            os.write(self._side, ENDED)

    def _disarm(self) -> None:
        self._active = False
        if hasattr(signal, "setitimer"):
            for number, timer in ((signal.SIGPROF, signal.ITIMER_PROF), (signal.SIGALRM, signal.ITIMER_REAL)):
                signal.setitimer(timer, 0)
                faulthandler.unregister(number)
                signal.signal(number, signal.SIG_IGN)

    def _reach(self, which: str, frame: FrameType | None) -> LimitReached:
        seconds = self._limits.cpu_seconds if which == "cpu" else self._limits.wall_seconds
        line = line_of_frame(frame)
        reached = LimitReached(which, time_message(which, seconds), line)
        if self.reached is None and not self._describing:
            self.reached = reached
        return reached

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if not self._active:
            return
        self._attempts += 1
        if self._attempts > _ATTEMPTS:
            os._exit(70)
        raise self._reach("cpu" if number == signal.SIGPROF else "wall", frame)

    def _guard(self, thread: int, bounds: tuple[float, float], round_: int) -> None:
        while self._active and self._round == round_:
            time.sleep(_AGAIN)
            which = None
            if time.process_time() > bounds[0]:
                which = "cpu"
            elif time.monotonic() > bounds[1]:
                which = "wall"
            if which is None or not self._active or self._round != round_:
                continue
            self._attempts += 1
            faulthandler.dump_traceback(self._side, all_threads=True)
            if self._attempts > _ATTEMPTS:
                os._exit(70)
            self._reach(which, sys._current_frames().get(thread))
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(_AsyncLimit))


class _AsyncLimit(LimitReached):
    """Raised from another thread, which can only name the class."""

    def __init__(self) -> None:
        super().__init__("cpu", "stopped at a time limit")


def time_message(which: str, seconds: float) -> str:
    """What is told of a program that ran too long."""
    kind = "of processor time" if which == "cpu" else "in all"
    return f"stopped after {seconds:g} seconds {kind}: is there a loop that never ends, or a computation too large?"


def line_of_frame(frame: Any, filename: str = FILENAME) -> int | None:
    """The line at which the program stands, from its innermost frame."""
    while frame is not None:
        if frame.f_code.co_filename == filename:
            return int(frame.f_lineno)
        frame = frame.f_back
    return None
