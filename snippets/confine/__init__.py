"""The second wall: what the operating system keeps from the process that runs a snippet.

It does not rely on the first. On Linux: resource limits, no files (Landlock), only the system calls that computing
needs (seccomp), no new privileges, an unprivileged user when started by root. On other POSIX systems: resource
limits. On Windows: a job object bounds memory and forbids child processes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable

from snippets.limits import Limits


def prepare() -> None:
    """Load what :func:`confine` will need, so that a forked process need not."""
    if sys.platform == "win32":
        import snippets.confine.windows
    else:
        import snippets.confine.linux
        import snippets.confine.posix  # noqa: F401


def confine(limits: Limits, keep: Iterable[int], after_run: float, die_with_parent: bool) -> list[str]:
    """Give up everything that computing does not need; ``keep`` are the descriptors that stay open.

    ``after_run`` is the processor time, in seconds, that is left for writing the answer once the program has ended.
    ``die_with_parent`` is for a process whose parent has one thread only: Linux means the thread, not the process.
    Returns the names of the measures that hold, for the record.
    """
    os.environ.clear()
    if sys.platform == "win32":
        from snippets.confine.windows import confine_process

        return confine_process(limits)
    from snippets.confine.posix import close_descriptors, limit_resources

    held = ["environment"]
    close_descriptors(keep)
    held += ["descriptors", *limit_resources(limits, after_run)]
    if sys.platform == "linux":
        from snippets.confine.linux import give_up_rights

        held += give_up_rights(die_with_parent)
    return held
