"""Checkpointing: forget what a part of the forward pass saved, and compute it again when backward needs it.

The random state of the first run is restored for the second, so that dropout drops the same entries. There are two
kinds, as in PyTorch. The reentrant kind runs the part without recording and, in backward, runs it again and starts a
backward pass inside the pass. The other kind records as usual but saves nothing: the first value that backward asks for
triggers the second run, which fills in everything the part had saved.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from . import backward as _backward
from .function import Function
from .graph import saved_tensors_hooks
from .mode import enable_grad, is_grad_enabled, modes
from .random import get_rng_state, set_rng_state
from .tensor import Tensor

_early_stop = True


class CheckpointError(RuntimeError):
    """The second run of a checkpointed part did not do what the first did."""


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Iterator[None]:
    """Whether the second run stops as soon as it has what is needed (the default) or goes on to its end."""
    global _early_stop
    before = _early_stop
    _early_stop = enable
    try:
        yield
    finally:
        _early_stop = before


@contextmanager
def _random_state(state: Tensor | None) -> Iterator[None]:
    """Inside, the random stream is at ``state``; afterwards where it was."""
    if state is None:
        yield
        return
    now = get_rng_state()
    set_rng_state(state)
    try:
        yield
    finally:
        set_rng_state(now)


class CheckpointFunction(Function):
    """The reentrant kind, as a custom function."""

    @staticmethod
    def forward(ctx: Any, run: Callable[..., Any], preserve_rng_state: bool, *args: Any) -> Any:
        """Runs ``run`` without recording; keeps only its arguments."""
        ctx.run = run
        ctx.state = get_rng_state() if preserve_rng_state else None
        ctx.places = [i for i, x in enumerate(args) if isinstance(x, Tensor)]
        ctx.others = [None if isinstance(x, Tensor) else x for x in args]
        ctx.save_for_backward(*(args[i] for i in ctx.places))
        return run(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Runs the part again, recorded this time, and a backward pass through it."""
        if modes.partial:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call "
                ".backward() without passing the `inputs` argument."
            )
        args = list(ctx.others)
        for place, x in zip(ctx.places, ctx.saved_tensors, strict=True):
            args[place] = x.detach()
            args[place].requires_grad = x.requires_grad
        with enable_grad(), _random_state(ctx.state):
            outputs = ctx.run(*args)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = [(o, g) for o, g in zip(outputs, grads, strict=True) if isinstance(o, Tensor) and o.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        _backward([o for o, _ in pairs], [g for _, g in pairs])
        return (None, None, *(x.grad if isinstance(x, Tensor) else None for x in args))


class _Enough(Exception):
    """The second run has recomputed everything that was asked for."""


class _Frame:
    """One checkpointed call: what its first run would have saved, and the second run that makes it anew."""

    def __init__(self, rerun: Callable[[], Any]) -> None:
        self.rerun = rerun
        self.holders: list[weakref.ref[_Holder]] = []
        self.metadata: list[tuple[Any, Any]] = []
        self.values: dict[int, Tensor] = {}

    def pack(self, t: Tensor) -> _Holder:
        """First run: keep a place instead of the tensor."""
        holder = _Holder(len(self.holders))
        self.holders.append(weakref.ref(holder))
        self.metadata.append((t.array.shape, t.array.dtype))
        return holder

    def unpack(self, holder: _Holder) -> Tensor:
        """Backward: run the part again, once, and give the tensor that belongs to the place."""
        if holder.number not in self.values:
            self.recompute()
        value = self.values.pop(holder.number)  # asked for again, it is computed again
        if (value.array.shape, value.array.dtype) != self.metadata[holder.number]:
            raise CheckpointError(
                "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than "
                f"during the forward pass.\ntensor at position {holder.number}:\nsaved metadata: "
                f"{_metadata(self.metadata[holder.number])}\nrecomputed metadata: "
                f"{_metadata((value.array.shape, value.array.dtype))}"
            )
        return value

    def recompute(self) -> None:
        """The second run."""
        found: list[Tensor] = []
        expected = len(self.holders)

        def keep(t: Tensor) -> Tensor:
            recorder, modes.recorder = modes.recorder, None  # keeping a value is no step of the program
            try:
                found.append(t.detach())
            finally:
                modes.recorder = recorder
            if _early_stop and len(found) == expected:
                raise _Enough
            return t

        try:
            with saved_tensors_hooks(keep, lambda t: t), enable_grad():
                self.rerun()
        except _Enough:
            pass
        if len(found) != expected:
            raise CheckpointError(
                "torch.utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation.\nNumber of tensors saved during forward: {expected}\nNumber of tensors saved during "
                f"recomputation: {len(found)}."
            )
        self.values = dict(enumerate(found))


class _Holder:
    """The place of a saved tensor."""

    __slots__ = ("__weakref__", "number")

    def __init__(self, number: int) -> None:
        self.number = number


def _metadata(data: tuple[Any, Any]) -> str:
    from .dtypes import OF_NUMPY
    from .tensor import Size

    shape, kind = data
    return f"{{'shape': {Size(shape)}, 'dtype': {OF_NUMPY[kind]!r}, 'device': device(type='cpu')}}"


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], Any] | None = None,
    determinism_check: str = "default",
    debug: bool = False,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """``function(*args)``, whose intermediate values are not kept but computed again in backward."""
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, "
            "calling checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but "
            "if you need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for "
            "more details on the differences between the two variants.",
            UserWarning,
            stacklevel=2,
        )
        use_reentrant = True
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if is_grad_enabled() and not any(isinstance(x, Tensor) and x.requires_grad for x in args):
            warnings.warn(
                "None of the inputs have requires_grad=True. Gradients will be None", UserWarning, stacklevel=2
            )
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    if not is_grad_enabled():
        return function(*args, **kwargs)
    state = get_rng_state() if preserve_rng_state else None
    first, second = context_fn() if context_fn is not None else (nullcontext(), nullcontext())

    def rerun() -> Any:
        with _random_state(state), second:
            return function(*args, **kwargs)

    frame = _Frame(rerun)
    with saved_tensors_hooks(frame.pack, frame.unpack), first:
        return function(*args, **kwargs)


def checkpoint_sequential(
    functions: Any, segments: int, input: Any, use_reentrant: bool | None = None, preserve_rng_state: bool = True
) -> Any:
    """``functions`` (a Sequential or a list) one after the other, in ``segments`` parts, all but the last
    checkpointed.
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. "
            "use_reentrant=False is recommended, but if you need to preserve the current default behavior, you can "
            "pass use_reentrant=True. Refer to docs for more details on the differences between the two variants.",
            UserWarning,
            stacklevel=2,
        )
        use_reentrant = True
    steps = list(functions)

    def part(start: int, stop: int) -> Callable[[Any], Any]:
        def forward(x: Any) -> Any:
            for step in steps[start:stop]:
                x = step(x)
            return x

        return forward

    size = len(steps) // segments
    end = 0
    for segment in range(segments - 1):
        end = (segment + 1) * size
        input = checkpoint(
            part(segment * size, end), input, use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state
        )
    return part(end, len(steps))(input)
