"""The process in which snippets run. Started by :mod:`snippets.pool`, never imported by the app.

``fork`` (Linux): one process, warm and with a single thread, forks an attendant for each run, which forks the child
that runs, watches over it and tells how it ended. Runs share nothing with each other. ``once`` (everywhere else): the
process itself runs one snippet and is gone; the app watches over it.

What the app and the worker say to each other goes over copies of standard input and output made here at the start. The
numbers 0, 1 and 2 then lead nowhere, so nothing that a snippet prints can be taken for an answer.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from snippets.limits import Limits
from snippets.protocol import READY, frame, read_frame, to_line
from snippets.supervise import supervise
from snippets.watch import Watch

LARGEST_REQUEST = 16 * 1024 * 1024
_WARM_UP = """
import torch
import torch.nn as nn
import torch.nn.functional as F
import numpy as np
import math, copy, random
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.one = nn.Linear(2, 2)
    def forward(self, x):
        return torch.tanh(self.one(x)).sum()
net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(2):
    optimizer.zero_grad()
    loss = net(torch.tensor([[1.0, 2.0]], requires_grad=True)) ** 2
    loss.backward()
    optimizer.step()
print(f"{loss.item():.3f}", net.one.weight, [np.arange(3).sum()])
"""


def main() -> None:
    """Serve until the app closes the pipe (``fork``) or one run is done (``once``)."""
    mode = sys.argv[1]
    requests, answers, side = _take_pipes()
    try:
        worker = _Worker()
        worker.warm_up()
    except BaseException:
        _write_all(answers, frame(traceback.format_exc().encode()))
        raise
    _write_all(answers, frame(READY))
    if mode == "fork":
        _serve(worker, requests, answers)
    else:
        data = read_frame(lambda count: os.read(requests, count), LARGEST_REQUEST)
        if data is not None:
            worker.run(json.loads(data), answers, side, die_with_parent=False)


def _take_pipes() -> tuple[int, int, int]:
    """Copies of standard input, output and error; then those three lead to the null device."""
    pipes = os.dup(0), os.dup(1), os.dup(2)
    if sys.platform == "win32":
        import msvcrt

        for number in pipes:
            msvcrt.setmode(number, os.O_BINARY)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(nowhere, number)
    os.close(nowhere)
    return pipes


class _Worker:
    """Everything that is worth loading once."""

    def __init__(self) -> None:
        from snippets.confine import prepare
        from snippets.modules import Importer, preload

        preload()
        prepare()
        self._importer = Importer()

    def warm_up(self) -> None:
        """Run a small program, so that whatever Python or NumPy sets up at first use is set up."""
        from snippets.execute import execute, message_of

        fields = execute(
            _WARM_UP,
            Limits(),
            watch=_NoWatch(),
            importer=self._importer,
            want_trace=True,
            record=True,
        )
        if fields["error"] is not None:
            raise RuntimeError(f"a program that must run does not: {fields['error']}")
        to_line(message_of(fields, True))
        self._findings(fields)
        gc.collect()
        gc.freeze()

    def run(self, request: dict[str, Any], answers: int, side: int, die_with_parent: bool) -> None:
        """Run the program of ``request`` in this process, confined, and write what came of it to ``answers``."""
        from snippets.confine import confine
        from snippets.execute import execute, message_of
        from snippets.modules import begin_anew

        limits = Limits(**request["limits"])
        confine(limits, (0, 1, 2, answers, side), request["after_run"], die_with_parent)
        begin_anew()  # here, since Python seeds its generator anew in a forked child
        fields = execute(
            request["source"],
            limits,
            watch=Watch(limits, side),
            importer=self._importer,
            want_trace=request["trace"],
            record=request["trace"] or request["diagnose"],
            policy=request["policy"],
        )
        gc.disable()  # what follows only adds to the heap, and then the process ends
        _write_all(answers, to_line(message_of(fields, request["trace"])))
        if request["diagnose"]:
            _write_all(answers, to_line(self._findings(fields)))

    def _findings(self, fields: dict[str, Any]) -> dict[str, Any]:
        from snippets.diagnose import diagnose

        if fields["trace"] is None or fields["truncated"]:
            return {"diagnosis": []}
        known = {key: fields[key] for key in ("values", "error", "warnings", "facts")}
        try:
            return {"diagnosis": diagnose(fields["trace"], **known)}
        except Exception as error:
            return {"diagnosis": [], "problem": f"{type(error).__name__}: {error}"}


class _NoWatch(Watch):
    """Stands in for the clocks while the worker warms up."""

    def __init__(self) -> None:
        self.reached = None

    def start(self) -> None:
        """Nothing to start."""

    def stop(self) -> None:
        """Nothing to stop."""

    @contextmanager
    def briefly(self) -> Iterator[None]:
        """Nothing to start or stop."""
        yield


def _serve(worker: _Worker, requests: int, answers: int) -> None:
    """Keep an attendant ready for the next request; this process never holds a word of what is run, so no run can
    find it.
    """
    while True:
        attendant = os.fork()
        if attendant == 0:
            try:
                os._exit(_attend(worker, requests, answers))
            finally:
                os._exit(1)
        if os.waitpid(attendant, 0)[1] != 0:
            return


def _attend(worker: _Worker, requests: int, answers: int) -> int:
    """Read one request, have it run in a child, write the answer; 0 when that is done."""
    data = read_frame(lambda count: os.read(requests, count), LARGEST_REQUEST)
    if data is None:
        return 1
    outcome, said = _run_in_child(worker, json.loads(data))
    _write_all(answers, frame(json.dumps(outcome).encode()) + frame(said))
    return 0


def _run_in_child(worker: _Worker, request: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    said_read, said_write = os.pipe()
    side_read, side_write = os.pipe()
    begin = time.monotonic()
    child = os.fork()
    if child == 0:
        _be_child(worker, request, said_write, side_write)
    os.close(said_write)
    os.close(side_write)
    poll = select.poll()
    poll.register(said_read, select.POLLIN)
    poll.register(side_read, select.POLLIN)
    open_ = {said_read, side_read}

    def next_piece(seconds: float) -> tuple[str, bytes] | None:
        if not open_:
            time.sleep(min(seconds, 0.0005))
            return None
        ready = poll.poll(seconds * 1000)
        if not ready:
            return None
        number = ready[0][0]
        data = os.read(number, 1 << 20)
        if not data:
            poll.unregister(number)
            open_.discard(number)
        return ("said" if number == said_read else "side"), data

    status: list[Any] = []

    def ended() -> bool:
        if not status:
            pid, how, usage = os.wait4(child, os.WNOHANG)
            if pid:
                status.extend((how, usage))
        return bool(status)

    def kill() -> None:
        for end in (os.killpg, os.kill):  # the child leads a group of its own, once it has come that far
            with suppress(ProcessLookupError, PermissionError):
                end(child, signal.SIGKILL)

    watched = supervise(Limits(**request["limits"]), request["after_run"], next_piece, ended, kill)
    os.close(said_read)
    os.close(side_read)
    how, usage = status
    return {
        "exit": os.waitstatus_to_exitcode(how),
        "killed": watched.killed,
        "side": watched.side.decode("utf-8", "replace")[:20_000],
        "seconds": time.monotonic() - begin,
        "cpu": usage.ru_utime + usage.ru_stime,
    }, watched.said


def _be_child(worker: _Worker, request: dict[str, Any], said: int, side: int) -> None:
    try:
        worker.run(request, said, side, die_with_parent=True)
        os._exit(0)
    except MemoryError:
        os._exit(72)
    except BaseException as error:
        try:
            os.write(side, f"\x02{type(error).__name__}: {error}".encode("utf-8", "replace")[:2000])
        finally:
            os._exit(71)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view[: 1 << 20]) :]
