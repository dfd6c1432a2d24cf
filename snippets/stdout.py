"""What a snippet prints: caught, counted, and cut off at a limit."""

from __future__ import annotations

from typing import Any

from snippets.errors import LimitReached, NotAllowed


class Output:
    """Collects what ``print`` writes, up to ``limit`` bytes of UTF-8."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._parts: list[str] = []

    def print(
        self, *values: Any, sep: str | None = None, end: str | None = None, file: Any = None, flush: Any = False
    ) -> None:
        """Python's ``print``, without files."""
        if file is not None:
            raise NotAllowed("print cannot write to a file in a snippet; leave file= out")
        for name, value in (("sep", sep), ("end", end)):
            if value is not None and not isinstance(value, str):
                raise TypeError(f"{name} must be None or a string, not {type(value).__name__}")
        sep = " " if sep is None else str.__str__(sep)
        end = "\n" if end is None else str.__str__(end)
        for number, value in enumerate(values):
            if number:
                self.write(sep)
            self.write(value if type(value) is str else str.__str__(str(value)))
        self.write(end)

    def write(self, text: str) -> None:
        """Add ``text``; raises :class:`LimitReached` when the limit is passed, keeping what still fits."""
        size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
        self._size += size
        if self._size > self._limit:
            room = self._limit - (self._size - size)
            if room > 0:
                self._parts.append(text.encode("utf-8", "replace")[:room].decode("utf-8", "ignore"))
            self._size = self._limit
            raise LimitReached("output", f"stopped: the program printed more than {_amount(self._limit)}")
        self._parts.append(text)

    def text(self) -> str:
        """Everything printed so far."""
        return "".join(self._parts).encode("utf-8", "backslashreplace").decode("utf-8")


def _amount(count: int) -> str:
    if count % (1024 * 1024) == 0:
        return f"{count // (1024 * 1024)} MiB"
    return f"{count:,} bytes"
