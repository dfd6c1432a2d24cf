"""Which names of the engine stand in which module of torch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import autograd
from autograd import ops


@dataclass(frozen=True)
class Source:
    """Where the names of a module come from.

    ``whole``: modules of the engine all of whose ``__all__`` is taken, without the names in ``without``. ``some``: some
    names of a module, ``ours=theirs`` where they differ. ``values``: the rest.
    """

    whole: tuple[str, ...] = ()
    without: frozenset[str] = frozenset()
    some: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


def _functions() -> dict[str, Any]:
    return {name: function for name, function in ops.FUNCTIONS.items() if not name.startswith("_")}


_DTYPES = "bool=bool_ float=float32 double=float64 half=float16 long=int64 int=int32 short=int16"

MODULES: dict[str, Source] = {
    "torch": Source(
        whole=("autograd",),
        without=frozenset({"backward", "grad", "ops", "bool_"}),
        some={"autograd": _DTYPES},
        values={"__version__": "2.13.0", **_functions()},
    ),
}
