"""Makes a Result of what a worker said and of how its process ended."""

from __future__ import annotations

import logging
import re
from typing import Any

from snippets.errors import FILENAME
from snippets.limits import MEBIBYTE, Limits
from snippets.protocol import BrokenProtocol, checked_diagnosis, checked_result, messages
from snippets.result import Result
from snippets.watch import time_message

_STACK_LINE = re.compile(rf'File "{re.escape(FILENAME)}", line (\d+)')
#: how a process ends that its own guard, or the system, stopped for the time it took
_TIME_CODES = (70, -24, 152)
#: a crash while the guard writes down where the program stood at a time limit: the frames may be half made just then
_CRASHES = (-11, 139)
_STACK = "Stack (most recent call first)"
_log = logging.getLogger("snippets")


def verdict(outcome: dict[str, Any], said: bytes, limits: Limits, seconds: float) -> Result:
    """The result of a run.

    ``outcome``: how the process ended (``exit``, ``killed``, ``side``, ``cpu``); ``said``: what it wrote.
    """
    found = messages(said)
    fields: dict[str, Any] | None = None
    if found:
        try:
            fields = checked_result(found[0], limits.output_bytes)
        except BrokenProtocol as error:
            _log.warning("a worker gave no proper answer: %s", error)
    if fields is None:
        return _without_answer(outcome, limits, seconds)
    diagnosis: list[dict[str, Any]] = []
    for message in found[1:2]:
        diagnosis = checked_diagnosis(message)
        if message.get("problem"):
            _log.error("the diagnosis failed: %s", message["problem"])
    return Result(**fields, diagnosis=diagnosis, seconds=seconds)


def _without_answer(outcome: dict[str, Any], limits: Limits, seconds: float) -> Result:
    side = outcome.get("side") or ""
    line = _STACK_LINE.search(side)
    where = int(line.group(1)) if line else None
    killed, code = outcome.get("killed"), outcome.get("exit")
    limit: str | None = None
    if killed == "size":
        message = (
            f"stopped: what there is to show takes more than {limits.result_bytes // MEBIBYTE} MiB; run less of it"
        )
        limit = "output"
    elif killed == "late":
        message = "the program ended, but describing what it did took too long; run less of it"
        limit = "wall"
    elif killed == "wall" or code in _TIME_CODES or (code in _CRASHES and side.startswith(_STACK)):
        cpu = outcome.get("cpu")
        limit = "cpu" if cpu is not None and cpu >= 0.95 * limits.cpu_seconds else "wall"
        if cpu is None and seconds < limits.wall_seconds:
            limit = "cpu"
        message = time_message(limit, limits.cpu_seconds if limit == "cpu" else limits.wall_seconds)
    elif code == 72 or "MemoryError" in side:
        limit = "memory"
        message = (
            f"stopped: a run may use {limits.memory_bytes / MEBIBYTE:g} MiB more than an idle one, and this needs more"
        )
    else:
        _log.warning("a worker ended without an answer (%s): %s", _how(code), side[:2000])
        message = f"the process that ran the program ended without an answer ({_how(code)}); the app is unharmed"
        if code == -11:
            message += ". Is something nested thousands of levels deep?"
        return Result(error={"type": "Crashed", "message": message, "line": where}, seconds=seconds)
    return Result(error={"type": "LimitReached", "message": message, "line": where}, limit=limit, seconds=seconds)


def _how(code: Any) -> str:
    if not isinstance(code, int):
        return "it was lost"
    return f"signal {-code}" if code < 0 else f"exit status {code}"
