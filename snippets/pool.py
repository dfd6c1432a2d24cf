"""Warm worker processes, shared by everybody who runs snippets in this app."""

from __future__ import annotations

import atexit
import json
import logging
import os
import queue
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from snippets.limits import Limits, workers_from_environment
from snippets.protocol import READY, BrokenProtocol, frame, read_frame
from snippets.result import Result
from snippets.supervise import GRACE, supervise
from snippets.verdict import verdict

#: Processor and wall-clock time for describing a run that has ended: its trace, its values, its diagnosis.
AFTER_RUN = 8.0
_START = 60.0  # seconds a worker may take to become ready on a busy machine
_ROOT = Path(__file__).resolve().parent.parent
_BOOT = """
import os, sys
sys.path.insert(0, sys.argv.pop(2))
try:
    from snippets.worker import main
except BaseException:
    import traceback
    text = traceback.format_exc().encode()
    os.write(1, len(text).to_bytes(8, "little") + text)
    raise SystemExit(1)
main()
"""
_log = logging.getLogger("snippets")


class WorkerLost(Exception):
    """A worker process is not there any more, or does not answer."""


class _Worker(Protocol):
    def run(self, request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]: ...

    def close(self) -> None: ...

    reusable: bool


def default_mode() -> str:
    """``fork`` on Linux, where a process with one thread forks safely; ``once`` elsewhere (BACKSTEP_WORKER_MODE)."""
    mode = os.environ.get("BACKSTEP_WORKER_MODE", "").strip() or ("fork" if sys.platform == "linux" else "once")
    if mode not in ("fork", "once"):
        raise ValueError(f"BACKSTEP_WORKER_MODE must be fork or once, not {mode!r}")
    return mode


def _start(mode: str) -> subprocess.Popen[bytes]:
    """A new worker process, with none of the app's environment, descriptors or directory."""
    environment = {
        "PYTHONHASHSEED": "0",
        "PYTHONUTF8": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
        "VECLIB_MAXIMUM_THREADS": "1",
    }
    for name in ("SYSTEMROOT", "WINDIR"):  # Windows cannot load its libraries without
        if name in os.environ:
            environment[name] = os.environ[name]
    return subprocess.Popen(
        [sys.executable, "-s", "-P", "-B", "-c", _BOOT, mode, str(_ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if mode == "once" else subprocess.DEVNULL,
        cwd=os.path.abspath(os.sep),
        env=environment,
        close_fds=True,
        bufsize=0,
    )


class _ForkServer:
    """A worker that forks a child for each run."""

    reusable = True

    def __init__(self) -> None:
        self._process = _start("fork")
        assert self._process.stdout is not None
        self._poll = select.poll()
        self._poll.register(self._process.stdout.fileno(), select.POLLIN)
        try:
            _check_ready(self._frame(time.monotonic() + _START, 1 << 16))
        except WorkerLost:
            self.close()
            raise

    def _frame(self, deadline: float, largest: int) -> bytes:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()

        def read(count: int) -> bytes:
            if not self._poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
                raise WorkerLost("a worker does not answer")
            return os.read(descriptor, count)

        try:
            data = read_frame(read, largest)
        except BrokenProtocol as error:
            raise WorkerLost(str(error)) from None
        if data is None:
            raise WorkerLost("a worker has ended")
        return data

    def run(self, request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]:
        assert self._process.stdin is not None
        _write_all(self._process.stdin.fileno(), frame(json.dumps(request).encode()))
        deadline = time.monotonic() + limits.wall_seconds + AFTER_RUN + 3 * GRACE + 30
        outcome = json.loads(self._frame(deadline, 1 << 20))
        return outcome, self._frame(deadline, limits.result_bytes + (1 << 22))

    def close(self) -> None:
        _end(self._process)


class _OneShot:
    """A worker that runs one snippet and is gone; threads read its pipes, since Windows cannot poll them."""

    reusable = False

    def __init__(self) -> None:
        self._process = _start("once")
        self._pieces: queue.Queue[tuple[str, bytes]] = queue.Queue()
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        output = self._process.stdout.fileno()
        try:
            _check_ready(read_frame(lambda count: os.read(output, count), 1 << 16))
        except (WorkerLost, BrokenProtocol) as error:
            self.close()
            raise WorkerLost(str(error)) from None
        for channel, stream in (("said", self._process.stdout), ("side", self._process.stderr)):
            threading.Thread(target=self._read, args=(channel, stream.fileno()), daemon=True).start()

    def _read(self, channel: str, descriptor: int) -> None:
        data = b"-"
        while data:
            try:
                data = os.read(descriptor, 1 << 20)
            except OSError:
                data = b""
            self._pieces.put((channel, data))

    def _next_piece(self, seconds: float) -> tuple[str, bytes] | None:
        try:
            return self._pieces.get(timeout=seconds) if seconds > 0 else self._pieces.get_nowait()
        except queue.Empty:
            return None

    def run(self, request: dict[str, Any], limits: Limits) -> tuple[dict[str, Any], bytes]:
        assert self._process.stdin is not None
        if self._process.poll() is not None:
            raise WorkerLost("a worker has ended")
        begin = time.monotonic()
        _write_all(self._process.stdin.fileno(), frame(json.dumps(request).encode()))
        watched = supervise(
            limits, AFTER_RUN, self._next_piece, lambda: self._process.poll() is not None, self._process.kill
        )
        code = self._process.wait()
        if code != 0 and not watched.said and not watched.side and watched.killed is None:
            raise WorkerLost(f"a worker has ended without a word (exit status {code})")
        return {
            "exit": code,
            "killed": watched.killed,
            "side": watched.side.decode("utf-8", "replace"),
            "seconds": time.monotonic() - begin,
            "cpu": None,
        }, watched.said

    def close(self) -> None:
        _end(self._process)


def _check_ready(said: bytes | None) -> None:
    if said != READY:
        raise WorkerLost(f"a worker could not start: {(said or b'it ended').decode('utf-8', 'replace')}")


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            stream.close()


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


class Pool:
    """Runs snippets in worker processes, some at once; safe to use from many threads.

    Workers start when they are first needed, stay warm, and are replaced when they are lost. Whoever comes when all are
    busy waits for the next free one.
    """

    def __init__(self, workers: int | None = None, mode: str | None = None) -> None:
        self._most = workers_from_environment() if workers is None else workers
        self._make: Callable[[], _Worker] = _ForkServer if (mode or default_mode()) == "fork" else _OneShot
        self._idle: list[_Worker] = []
        self._alive = 0
        self._waiting = 0
        self._free = threading.Condition()
        self._closed = False

    def run(
        self, source: str, limits: Limits, *, trace: bool = True, diagnose: bool = True, policy: bool = True
    ) -> Result:
        """Run ``source`` and wait for its result. Nothing that the program does makes this raise."""
        begin = time.monotonic()
        refused = _unfit(source, limits)
        if refused is not None:
            return refused
        request = {
            "source": source,
            "limits": asdict(limits),
            "trace": trace,
            "diagnose": diagnose,
            "policy": policy,
            "after_run": AFTER_RUN,
        }
        for attempt in (1, 2):
            worker = self._take()
            started = time.monotonic()
            try:
                outcome, said = worker.run(request, limits)
            except (WorkerLost, OSError, ValueError) as error:
                self._drop(worker)
                # A worker that had died while it was idle is no fault of this program: once more, with another.
                if attempt == 1 and time.monotonic() - started < 0.5:
                    continue
                outcome, said = {"exit": None, "killed": None, "side": str(error), "seconds": 0.0, "cpu": None}, b""
            except BaseException:
                self._drop(worker)
                raise
            else:
                self._give_back(worker)
            break
        return verdict(outcome, said, limits, time.monotonic() - begin)

    def warm(self, count: int = 1) -> None:
        """Start workers until ``count`` are there, so that the first run need not wait."""
        taken = [self._take() for _ in range(min(count, self._most))]
        for worker in taken:
            self._hand_in(worker)

    def close(self) -> None:
        """End all workers."""
        with self._free:
            self._closed = True
            idle, self._idle = self._idle, []
            self._free.notify_all()
        for worker in idle:
            worker.close()

    def _take(self) -> _Worker:
        with self._free:
            while True:
                if self._closed:
                    raise RuntimeError("the pool is closed")
                if self._idle:
                    return self._idle.pop()
                if self._alive < self._most:
                    self._alive += 1
                    break
                self._waiting += 1
                self._free.wait()
                self._waiting -= 1
        return self._started()

    def _started(self) -> _Worker:
        """A new worker, already counted."""
        try:
            return self._make()
        except BaseException:
            with self._free:
                self._alive -= 1
                self._free.notify()
            raise

    def _hand_in(self, worker: _Worker) -> None:
        with self._free:
            if not self._closed:
                self._idle.append(worker)
                self._free.notify()
                return
        worker.close()

    def _give_back(self, worker: _Worker) -> None:
        if worker.reusable:
            self._hand_in(worker)
        else:
            self._drop(worker)

    def _drop(self, worker: _Worker) -> None:
        """Do without ``worker``; a one-shot worker is replaced in the background, ready for the next run."""
        worker.close()
        if worker.reusable or self._closed:
            with self._free:
                self._alive -= 1
                self._free.notify()
            return
        threading.Thread(target=self._replace, daemon=True).start()

    def _replace(self) -> None:
        try:
            self._hand_in(self._started())
        except WorkerLost as error:
            _log.warning("%s", error)


def _unfit(source: str, limits: Limits) -> Result | None:
    """The answer to a program that is not even sent to a worker: too long, or no text."""
    try:
        size = len(source.encode())
    except UnicodeEncodeError as error:
        line = source.count("\n", 0, error.start) + 1
        message = "the program holds half of a character, which is no text; type it again"
        return Result(error={"type": "SyntaxError", "message": message, "line": line})
    if size <= limits.source_bytes:
        return None
    message = f"the program has {size:,} bytes; at most {limits.source_bytes:,} can be run"
    return Result(error={"type": "LimitReached", "message": message, "line": None}, limit="source")


_shared: Pool | None = None
_lock = threading.Lock()


def shared() -> Pool:
    """The pool of this process; made at first use, ended at exit."""
    global _shared
    with _lock:
        if _shared is None:
            _shared = Pool()
            atexit.register(_shared.close)
        return _shared


__all__ = ["AFTER_RUN", "Pool", "WorkerLost", "default_mode", "shared"]
