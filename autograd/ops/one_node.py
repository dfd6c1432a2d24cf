"""Operations that are written with other operations, and yet are one step: one node in the graph, as in PyTorch.

Their derivative is that of the operations inside, which run again for it; nothing but the arguments is kept.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..mode import enable_grad, modes, sync
from ..tensor import Tensor
from .table import op


@contextmanager
def _apart(recording: bool) -> Iterator[None]:
    """Inside, operations are nobody's business but the kernel's: no trace, no tangents, and a graph if asked for."""
    before = {name: getattr(modes, name) for name in ("grad", "recorder", "observer", "dual_level", "saved_hooks")}
    modes.grad, modes.recorder, modes.observer, modes.dual_level, modes.saved_hooks = recording, None, None, (), ()
    sync()
    try:
        yield
    finally:
        for name, value in before.items():
            setattr(modes, name, value)
        sync()


def one_node(
    grad_fn: str, tensors: str, wrt: str | None = None, *, linear: bool = False, result: bool = False, **entry: Any
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: the function of tensors becomes one operation whose node is ``grad_fn``.

    ``tensors`` names the arguments that are tensors (or None), which come first, ``wrt`` those that get a gradient.
    ``linear``: of the first only the shape is kept, since the gradient does not depend on what is in it. ``result``:
    the result is kept too, as in PyTorch, whose rule reads it.
    """

    def make_operation(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)
        names, wanted = tensors.split(), (wrt or tensors).split()
        count, places = len(names), [tensors.split().index(name) for name in wanted]

        def forward(*given: Any) -> Any:
            from ..dispatch import make

            with _apart(False):
                array = function(*[None if x is None else make(x) for x in given[:count]], *given[count:]).array
            return np.array(array) if isinstance(array, np.ndarray) and array.base is not None else array

        def rule(g: Any, m: Any, needs: tuple[bool, ...], *given: Any) -> Any:
            from ..backward import grad
            from ..dispatch import make
            from ..func import fresh

            again = isinstance(g, Tensor)
            if linear:
                given = (np.zeros(given[0], (g.array if again else g).dtype), *given[1:])
            inputs: list[Any] = [x if x is None or isinstance(x, Tensor) else make(x) for x in given[:count]]
            record = modes.grad
            chosen = [i for i, need in zip(places, needs, strict=True) if need]
            with enable_grad() if again else _apart(True):
                for i in chosen:
                    inputs[i] = fresh(inputs[i]) if again else inputs[i].requires_grad_()
                outcome = function(*inputs, *given[count : len(parameters)])
                grads = grad(
                    outcome, [inputs[i] for i in chosen], g if again else make(g), create_graph=again and record,
                    allow_unused=True, materialize_grads=True,
                )  # fmt: skip
            found = dict(zip(chosen, grads if again else [each.array for each in grads], strict=True))
            return tuple(found.get(i) for i in places) if len(places) > 1 else found.get(places[0])

        def parse(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            given = tuple(bound.arguments.values())
            return given[:count], given[count:]

        forward.__signature__ = signature  # type: ignore[attr-defined]
        parse.__signature__ = signature  # type: ignore[attr-defined]
        parameters = list(signature.parameters.values())
        first = [inspect.Parameter(each, inspect.Parameter.POSITIONAL_OR_KEYWORD) for each in ("g", "m", "needs")]
        plain = [each.replace(default=inspect.Parameter.empty) for each in parameters]
        if linear:
            plain[0] = plain[0].replace(name=f"{names[0]}_shape")
        if result:
            plain.append(inspect.Parameter("result", inspect.Parameter.POSITIONAL_OR_KEYWORD))
        rule.__signature__ = inspect.Signature(first + plain)  # type: ignore[attr-defined]
        made = op(
            function.__name__, grad_fn, forward, inputs=tensors, vjp={" ".join(wanted): rule}, parse=parse,
            symbol=f"{function.__name__}({{{names[0]}}})", method=False, public=False, **entry,
        )  # fmt: skip
        made.function.__doc__ = function.__doc__
        return made.function

    return make_operation
