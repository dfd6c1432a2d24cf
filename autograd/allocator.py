"""Keeping freed memory for the next step.

A training step allocates arrays of the same sizes again and again. glibc gives the pages of large freed blocks back to
the kernel and has to ask for them, cleared, in the next step, which can cost as much as the arithmetic.
:func:`keep_memory` asks it to keep up to 64 MB. Elsewhere than on glibc nothing happens.
"""

from __future__ import annotations

import ctypes
import sys

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
KEPT = 64 << 20


def keep_memory(kept: int = KEPT) -> bool:
    """Asks the C library to keep freed memory up to ``kept`` bytes; whether it could be asked."""
    if not sys.platform.startswith("linux"):
        return False
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    # blocks above the second threshold are mapped one by one; glibc allows at most 32 MB for it
    return bool(mallopt(M_TRIM_THRESHOLD, kept)) and bool(mallopt(M_MMAP_THRESHOLD, min(kept, 32 << 20)))
