"""Watches over a running snippet from outside its process, and ends it when it does not end by itself."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from snippets.limits import Limits
from snippets.watch import ENDED

#: How long a program that has met a time limit may take to be stopped from inside.
GRACE = 1.0


@dataclass
class Watched:
    """What a process wrote, and why it was killed (``cpu``, ``wall``, ``size``, ``late``), or None."""

    said: bytes = b""
    side: bytes = b""
    killed: str | None = None


def supervise(
    limits: Limits,
    after_run: float,
    next_piece: Callable[[float], tuple[str, bytes] | None],
    ended: Callable[[], bool],
    kill: Callable[[], None],
) -> Watched:
    """Collect what the process writes until it has ended; kill it when it is over time or writes too much.

    ``next_piece(seconds)`` waits for the next (channel, data), data being empty at its end; None when there is none.
    """
    begin = time.monotonic()
    deadline = begin + limits.wall_seconds + GRACE
    watched = Watched()
    said: list[bytes] = []
    size = 0
    stage = "running"
    closed = 0
    while True:
        piece = next_piece(max(0.0, min(deadline - time.monotonic(), 0.002 if closed == 2 else 0.25)))
        if piece is not None:
            channel, data = piece
            closed += not data
            if channel == "said":
                said.append(data)
                size += len(data)
            elif data and len(watched.side) < 65_536:
                watched.side += data
        if stage == "running" and ENDED in watched.side:
            stage, deadline = "answering", time.monotonic() + after_run + GRACE
        elif stage == "running" and watched.side:
            stage, deadline = "stopping", min(deadline, time.monotonic() + GRACE)
        elif stage == "stopping" and ENDED in watched.side:
            stage, deadline = "answering", time.monotonic() + after_run + GRACE
        if closed == 2 and ended():
            break
        if size > limits.result_bytes:
            watched.killed = "size"
        elif time.monotonic() >= deadline:
            watched.killed = "late" if stage == "answering" else "wall"
        if watched.killed:
            kill()
            _wait(ended)
            while (piece := next_piece(0.0)) is not None and closed < 2:  # what it had written before
                closed += not piece[1]
                if piece[0] == "side" and len(watched.side) < 65_536:
                    watched.side += piece[1]
                elif piece[0] == "said" and size <= limits.result_bytes:
                    said.append(piece[1])
            break
    watched.said = b"".join(said)
    return watched


def _wait(ended: Callable[[], bool]) -> None:
    until = time.monotonic() + 5
    while not ended() and time.monotonic() < until:
        time.sleep(0.001)
