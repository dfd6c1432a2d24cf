"""What travels between the app and a worker: JSON in frames of known length, over pipes that nothing else uses.

A request is one frame. An answer is one frame of facts about the run (how the process ended), followed by one frame
with what the process said: lines of JSON, believed only as far as :func:`checked_result` finds them well formed.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

from autograd.trace import Trace

_HEADER = 8
#: The first frame of a worker that is ready to run; anything else is why it is not.
READY = b'{"ready": true}'
KNOWN_LIMITS = frozenset({"cpu", "wall", "memory", "output", "nodes", "operations", "source"})


class BrokenProtocol(Exception):
    """The other side did not say what it had to say."""


def frame(data: bytes) -> bytes:
    """``data`` with its length in front."""
    return len(data).to_bytes(_HEADER, "little") + data


def read_frame(read: Callable[[int], bytes], largest: int) -> bytes | None:
    """The next frame, or None at the end of the stream; BrokenProtocol when it is cut off or too large.

    ``read(n)`` gives up to ``n`` bytes, and none at the end.
    """
    header = _exactly(read, _HEADER, may_end=True)
    if header is None:
        return None
    length = int.from_bytes(header, "little")
    if length > largest:
        raise BrokenProtocol(f"a message of {length} bytes")
    return _exactly(read, length, may_end=False)


def _exactly(read: Callable[[int], bytes], count: int, may_end: bool) -> bytes | None:
    parts = []
    missing = count
    while missing:
        part = read(min(missing, 1 << 20))
        if not part:
            if may_end and missing == count:
                return None
            raise BrokenProtocol("the stream ended in the middle of a message")
        parts.append(part)
        missing -= len(part)
    return b"".join(parts)


def to_line(message: dict[str, Any]) -> bytes:
    """One line of JSON; numbers that JSON does not have become strings."""
    try:
        text = json.dumps(message, separators=(",", ":"), allow_nan=False)
    except (ValueError, TypeError):
        text = json.dumps(_plain(message), separators=(",", ":"), allow_nan=False)
    return text.encode("ascii") + b"\n"


def _plain(item: Any) -> Any:
    if isinstance(item, dict):
        return {str(key): _plain(value) for key, value in item.items()}
    if isinstance(item, (list, tuple)):
        return [_plain(value) for value in item]
    if item is None or isinstance(item, (bool, str, int)):
        return item
    if isinstance(item, float):
        return item if math.isfinite(item) else "nan" if math.isnan(item) else "inf" if item > 0 else "-inf"
    if hasattr(item, "item"):
        return _plain(item.item())
    return repr(item)


def messages(data: bytes) -> list[dict[str, Any]]:
    """The JSON objects that a process wrote, one a line; what is none is dropped."""
    found = []
    for line in data.split(b"\n"):
        if line:
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(message, dict):
                found.append(message)
    return found


def checked_result(message: dict[str, Any], output_bytes: int) -> dict[str, Any]:
    """The fields of a result that a worker sent; BrokenProtocol when one has not the shape it must have."""
    try:
        stdout = _need(message["stdout"], str)
        if len(stdout) > output_bytes:
            raise BrokenProtocol("more output than was allowed")
        trace = message["trace"]
        limit = message["limit"]
        if limit is not None and limit not in KNOWN_LIMITS:
            raise BrokenProtocol("an unknown limit")
        return {
            "stdout": stdout,
            "values": _need(message["values"], dict),
            "error": None if message["error"] is None else _located(message["error"], "type"),
            "warnings": [_located(warning, "category") for warning in _need(message["warnings"], list)],
            "trace": None if trace is None else Trace.from_dict(trace),
            "limit": limit,
            "facts": _need(message["facts"], dict),
            "truncated": _need(message["truncated"], bool),
        }
    except BrokenProtocol:
        raise
    except Exception as error:  # a forged trace can fail in as many ways as there are fields
        raise BrokenProtocol(f"{type(error).__name__}: {error}") from None


def checked_diagnosis(message: dict[str, Any]) -> list[dict[str, Any]]:
    """The findings of the Doctor that a worker sent; those not well formed are dropped."""
    found = []
    findings = message.get("diagnosis")
    for item in findings if isinstance(findings, list) else []:
        if isinstance(item, dict) and all(isinstance(item.get(key), str) for key in ("category", "severity", "title")):
            found.append({key: item.get(key) for key in _FINDING})
    return found


_FINDING = ("category", "severity", "line", "node", "title", "evidence", "fix", "event", "concept")


def _need(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise BrokenProtocol(f"a {type(value).__name__} where a {kind.__name__} belongs")
    return value


def _located(item: Any, first: str) -> dict[str, Any]:
    line = item["line"]
    if line is not None:
        _need(line, int)
    return {first: _need(item[first], str), "message": _need(item["message"], str), "line": line}
