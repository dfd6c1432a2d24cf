"""The errors of a run as plain data: type, message in plain words, and the line of the learner's own source."""

from __future__ import annotations

from types import TracebackType
from typing import Any

FILENAME = "<snippet>"
MESSAGE_LENGTH = 4000


class LimitReached(BaseException):
    """A bound of the run was met. Not an ``Exception``, so that ``except Exception`` lets it pass."""

    def __init__(self, limit: str, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.limit = limit
        self.line = line


class NotAllowed(Exception):
    """The program asks for something that a snippet cannot have; the message says what to do instead."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


def line_of(traceback: TracebackType | None, filename: str = FILENAME) -> int | None:
    """The line of the innermost frame of the program itself, or None when none of its frames is on the traceback."""
    line = None
    while traceback is not None:
        if traceback.tb_frame.f_code.co_filename == filename:
            line = traceback.tb_lineno
        traceback = traceback.tb_next
    return line


def describe(error: BaseException) -> dict[str, Any]:
    """``{"type", "message", "line"}`` of an exception that ended a program."""
    line = line_of(error.__traceback__)
    if isinstance(error, SyntaxError) and line is None:
        return {"type": type(error).__name__, "message": _syntax_message(error), "line": error.lineno}
    if isinstance(error, (LimitReached, NotAllowed)) and error.line is not None:
        line = error.line
    return {"type": _type_name(error), "message": _message(error)[:MESSAGE_LENGTH], "line": line}


def _type_name(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return "MemoryError"
    return type(error).__name__


def _message(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return f"{error}: the calls go deeper than Python allows; is there a function that calls itself without end?"
    try:
        return str(error)
    except LimitReached:
        raise
    except BaseException as inner:
        return f"(its message could not be made: {type(inner).__name__})"


def _syntax_message(error: SyntaxError) -> str:
    message = str(error.msg)
    if error.text and error.text.strip() and "\n" not in error.text.strip():
        return f"{message}: {error.text.strip()[:200]}"
    return message
