"""LRScheduler: sets the learning rate of every parameter group, once an epoch."""

from __future__ import annotations

import functools
import warnings
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograd.nn.names import restore
from autograd.optim.optimizer import Optimizer

_HOW_TO = "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
EPOCH_DEPRECATED = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed "
    "form is used instead of the new chainable form, where available. Please open an issue if you are unable to "
    "replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose."
)


def rates(optimizer: Optimizer, key: str = "lr") -> list[Any]:
    """The value of ``key`` in every parameter group."""
    return [group[key] for group in optimizer.param_groups]


def one_each(name: str, optimizer: Optimizer, value: Any) -> list[Any]:
    """``value`` for every parameter group: as given if it is a list, repeated otherwise. Raises ValueError."""
    groups = len(optimizer.param_groups)
    if not isinstance(value, (list, tuple)):
        return [value] * groups
    if len(value) != groups:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} values, "
            f"param_groups has {groups}."
        )
    return list(value)


class LRScheduler:
    """The class every scheduler is derived from; a subclass defines :meth:`get_lr`.

    Making one takes the first step (epoch 0). Call ``step()`` once an epoch, after ``optimizer.step()``; a warning says
    so when the order is wrong. Raises TypeError for what is no optimizer.
    """

    _get_lr_called_within_step = False
    _is_initial = False
    last_epoch: int
    base_lrs: list[Any]
    _last_lr: list[Any]

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        check_optimizer(optimizer)
        self.optimizer = optimizer
        if last_epoch == -1:
            for group in optimizer.param_groups:
                group.setdefault("initial_lr", group["lr"])
        else:
            for number, group in enumerate(optimizer.param_groups):
                if "initial_lr" not in group:
                    raise KeyError(
                        f"param 'initial_lr' is not specified in param_groups[{number}] when resuming scheduler with "
                        "last_epoch >= 0.\nThis typically happens when:\n"
                        "1. You're trying to resume training from a checkpoint but haven't properly loaded the "
                        "optimizer state\n"
                        "2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
                    )
        self.base_lrs = rates(optimizer, "initial_lr")
        self.last_epoch = last_epoch
        notice_steps(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def get_lr(self) -> list[Any]:
        """The rates of the epoch that ``last_epoch`` now says; called by :meth:`step`."""
        raise NotImplementedError

    def get_last_lr(self) -> list[Any]:
        """The rates that were set last, one for each parameter group."""
        return self._last_lr

    def step(self, epoch: int | None = None) -> None:
        """Go to the next epoch and set its rates."""
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warnings.warn(
                    "Seems like `optimizer.step()` has been overridden after learning rate scheduler initialization. "
                    f"Please, make sure to call `optimizer.step()` before `lr_scheduler.step()`. {_HOW_TO}",
                    UserWarning,
                    stacklevel=2,
                )
            elif not getattr(self.optimizer, "_opt_called", False):
                warnings.warn(
                    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, "
                    "you should call them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  "
                    "Failure to do this will result in PyTorch skipping the first value of the learning rate "
                    f"schedule. {_HOW_TO}",
                    UserWarning,
                    stacklevel=2,
                )
        self._step_count += 1
        if epoch is not None:
            warnings.warn(EPOCH_DEPRECATED, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        with self._inside_step():
            if epoch is None:
                self.last_epoch += 1
                values = self.get_lr()
            else:
                self.last_epoch = epoch
                values = self._get_closed_form_lr() if hasattr(self, "_get_closed_form_lr") else self.get_lr()
        for group, lr in zip(self.optimizer.param_groups, values, strict=True):
            group["lr"] = lr
        self._last_lr = rates(self.optimizer)

    @contextmanager
    def _inside_step(self) -> Iterator[None]:
        self._get_lr_called_within_step = True
        try:
            yield
        finally:
            self._get_lr_called_within_step = False

    def _warn_outside_step(self) -> None:
        if not self._get_lr_called_within_step:
            warnings.warn(
                "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
                UserWarning,
                stacklevel=3,
            )

    def state_dict(self) -> dict[str, Any]:
        """Everything but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a saved state."""
        restore(self, state_dict)


def check_optimizer(optimizer: Any) -> None:
    """Raises TypeError for what is no optimizer."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def notice_steps(optimizer: Optimizer) -> None:
    """Let ``optimizer`` note that it has stepped, so that a scheduler can tell the wrong order."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    reference = weakref.ref(optimizer)
    method: Any = optimizer.step
    function: Callable[..., Any] = method.__func__

    @functools.wraps(function)
    def step(*args: Any, **kwargs: Any) -> Any:
        stepping: Any = reference()
        stepping._opt_called = True
        return function(stepping, *args, **kwargs)

    step._wrapped_by_lr_sched = True  # type: ignore[attr-defined]
    optimizer.step = step  # type: ignore[method-assign]


def one_function_each(optimizer: Optimizer, given: Any) -> list[Callable[[int], float]]:
    """A function for every parameter group. Raises ValueError when a list has another length."""
    groups = len(optimizer.param_groups)
    if not isinstance(given, (list, tuple)):
        return [given] * groups
    if len(given) != groups:
        raise ValueError(f"Expected {groups} lr_lambdas, but got {len(given)}")
    return list(given)


def saved_functions(functions: Sequence[Any]) -> list[Any]:
    """What can be saved of ``functions``: the attributes of callable objects, None for plain functions."""
    return [None if hasattr(one, "__code__") else dict(one.__dict__) for one in functions]
