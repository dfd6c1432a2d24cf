"""Error messages, worded as PyTorch words them, so that what is learnt here is recognised at work."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from .dtypes import OF_NUMPY


def freed() -> RuntimeError:
    """A backward pass met values that an earlier pass had freed."""
    return RuntimeError(
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
        "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
        "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
        "saved tensors after calling backward."
    )


def modified(array: Any, source: str, version: int, expected: int, anomaly: bool = False) -> RuntimeError:
    """A saved tensor was written in place before its backward rule could read it."""
    kind = "CPUBoolType" if array.dtype == np.bool_ else OF_NUMPY[array.dtype].tensor_type
    shape = ", ".join(map(str, array.shape))
    hint = (
        "Hint: the backtrace further above shows the operation that failed to compute its gradient. The variable in "
        "question was changed in there or anywhere later. Good luck!"
        if anomaly
        else "Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    return RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{kind} [{shape}]]{source} is at version {version}; expected version {expected} instead. {hint}"
    )


class Unsupported(TypeError):
    """An argument that no operation takes; operators answer it with ``NotImplemented``."""


Unsupported.__name__ = Unsupported.__qualname__ = "TypeError"  # to whoever catches it, it is nothing else
Unsupported.__module__ = "builtins"


def argument(op: Any, position: int, value: Any) -> Unsupported:
    """An argument that should have been a tensor."""
    return argument_of(op.shown, op.input_names[min(position, len(op.input_names)) - 1], position, value)


def argument_of(function: str, name: str, position: int, value: Any) -> Unsupported:
    """:func:`argument` for a function that is no operation of the table."""
    return Unsupported(f"{function}(): argument '{name}' (position {position}) must be Tensor, not {type_name(value)}")


def tensor_first(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """``function``, whose failures on something else than a tensor say that the first argument must be one."""

    @functools.wraps(function)
    def checked(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (AttributeError, TypeError, RuntimeError, ValueError):
            if not args or hasattr(args[0], "_edge"):
                raise
            raise argument_of(name, "input", 1, args[0]) from None

    return checked


def no_form(name: str, args: Any, kwargs: dict[str, Any] | None = None, *, forms: str) -> Unsupported:
    """Arguments that fit none of the ``forms`` (a line each) of a function that PyTorch has in several."""
    given = [type_name(each) for each in args]
    named = [f"{key}={type_name(value)}" for key, value in (kwargs or {}).items()]
    got = ", ".join(given + named) + ("" if given or not named else ", ")
    lines = "".join(f" * ({form})\n" for form in forms.splitlines())
    return Unsupported(
        f"{name}() received an invalid combination of arguments - got ({got}), but expected one of:\n{lines}"
    )


def type_name(value: Any) -> str:
    """The type of ``value`` as messages name it: NumPy's with their module."""
    kind = type(value)
    return f"numpy.{kind.__name__}" if isinstance(value, (np.ndarray, np.generic)) else kind.__name__


def whole(name: str, value: Any) -> int:
    """``value`` as an int; TypeError for what is no whole number, as 1.0 is not."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"argument '{name}' must be int, not {type_name(value)}") from None


def only_floats(name: str, array: Any) -> None:
    """NotImplementedError for a kernel that PyTorch has for float types alone (``array`` may be just a type)."""
    kind = getattr(array, "dtype", array)
    if kind.kind != "f":
        raise NotImplementedError(f"\"{name}\" not implemented for '{OF_NUMPY[kind].word}'")


def not_with_truths(values: list[Any]) -> None:
    """RuntimeError where a bool tensor is subtracted from an integer, or the other way round."""
    if any(getattr(value, "dtype", None) == np.bool_ for value in values):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
            "use the `~` or `logical_not()` operator instead."
        )


def wrong_type(op: Any, values: list[Any], error: TypeError) -> Exception:
    """What PyTorch says where NumPy refuses to compute with these types."""
    kinds = [value.dtype for value in values if hasattr(value, "dtype")]
    if op.name in ("sub", "rsub") and all(kind.kind == "b" for kind in kinds):
        return RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )
    if op.name == "neg" and kinds and kinds[0].kind == "b":
        return RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use "
            "the `~` or `logical_not()` operator instead."
        )
    if kinds and "not supported for the input types" in str(error):
        return NotImplementedError(f"\"{op.shown}_cpu\" not implemented for '{OF_NUMPY[kinds[0]].word}'")
    return error


def broadcast(shapes: list[tuple[int, ...]]) -> RuntimeError | None:
    """The message for the first pair of ``shapes`` that do not broadcast together, or None if all do."""
    result: tuple[int, ...] = ()
    for shape in shapes:
        rank = max(len(result), len(shape))
        a = (1,) * (rank - len(result)) + result
        b = (1,) * (rank - len(shape)) + shape
        for axis in reversed(range(rank)):
            if a[axis] != b[axis] and 1 not in (a[axis], b[axis]):
                return RuntimeError(
                    f"The size of tensor a ({a[axis]}) must match the size of tensor b ({b[axis]}) at non-singleton "
                    f"dimension {axis}"
                )
        result = tuple(y if x == 1 else x for x, y in zip(a, b, strict=True))
    return None


LEAF_IN_PLACE = "a leaf Variable that requires grad is being used in an in-place operation."
VIEW_OF_LEAF_IN_PLACE = "a view of a leaf Variable that requires grad is being used in an in-place operation."
OVERLAP = (
    "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
    "Please clone() the tensor before performing the operation."
)
PARTIAL_OVERLAP = (
    "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
    "location. Please clone() the tensor before performing the operation."
)
INFERENCE_IN_PLACE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
    "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
)
INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
    "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in "
    "autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."
)
REQUIRES_GRAD_DTYPE = "Only Tensors of floating point and complex dtype can require gradients"
NON_LEAF_FLAG = "you can only change requires_grad flags of leaf variables."
