"""Run somebody's PyTorch-style program safely, and tell what it did.

>>> from snippets import run
>>> run("import torch\\nx = torch.tensor(3.0)\\nprint(x * 2)").stdout
'tensor(6.)\\n'
"""

from __future__ import annotations

import threading
from contextlib import suppress

from snippets.limits import Limits
from snippets.result import Result

__all__ = ["Limits", "Result", "run", "warm"]


def run(
    source: str,
    *,
    trace: bool = True,
    diagnose: bool = True,
    experiments: bool = False,
    limits: Limits | None = None,
) -> Result:
    """Run ``source`` in a worker process and describe what came of it.

    Never raises for the program's faults: its exceptions, limits met and crashes are in the result. ``limits`` defaults
    to :meth:`Limits.from_environment`. With ``experiments`` the Doctor may run changed versions of the program too and
    adds to its reports what came of them. Safe to call from several threads at once.
    """
    from snippets.pool import shared

    bounds = Limits.from_environment() if limits is None else limits
    result = shared().run(source, bounds, trace=trace or experiments, diagnose=diagnose or experiments)
    if not experiments or not result.diagnosis:
        return result
    from snippets.diagnose.experiments import with_experiments

    return with_experiments(source, result, lambda changed, bounds: run(changed, diagnose=False, limits=bounds))


def warm() -> None:
    """Start a worker in the background, so that whoever runs the first program need not wait for it."""
    from snippets.pool import WorkerLost, shared

    def start() -> None:
        with suppress(WorkerLost, RuntimeError):  # the first run will say what is wrong
            shared().warm()

    threading.Thread(target=start, name="snippets-warm", daemon=True).start()
