"""A program as part of a link: deflated and written in the letters an address may hold."""

from __future__ import annotations

import base64
import binascii
import zlib

#: Programs longer than this (in UTF-8 bytes) do not travel in a link.
LONGEST = 64 * 1024


class BadCode(ValueError):
    """The code in a link cannot be read."""


def pack(source: str) -> str:
    """``source`` as text for a link. ValueError when it is longer than :data:`LONGEST` bytes."""
    data = source.encode("utf-8")
    if len(data) > LONGEST:
        raise ValueError(f"this program is too long for a link ({len(data):,} bytes; the limit is {LONGEST:,})")
    return base64.urlsafe_b64encode(zlib.compress(data, 9)).rstrip(b"=").decode("ascii")


def unpack(text: str) -> str:
    """The program in a link. :class:`BadCode`, with a message for the reader, when there is none in it."""
    try:
        packed = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        reader = zlib.decompressobj()
        data = reader.decompress(packed, LONGEST + 1)
        if len(data) > LONGEST:
            raise BadCode(f"The program in this link is longer than {LONGEST:,} bytes.")
        if not reader.eof:
            raise BadCode("The program in this link is cut off. Copy the whole link.")
        source = data.decode("utf-8")
    except BadCode:
        raise
    except (UnicodeError, ValueError, binascii.Error, zlib.error):
        raise BadCode(
            "The program in this link cannot be read. Copy the whole link, or paste the program itself."
        ) from None
    if "\x00" in source:
        raise BadCode("The program in this link holds characters no program has.")
    return source
