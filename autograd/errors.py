"""Error messages, worded as PyTorch words them, so that what is learnt here is recognised at work."""

from __future__ import annotations

from typing import Any

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
    kind = OF_NUMPY[array.dtype].tensor_type
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
    name = op.input_names[min(position, len(op.input_names)) - 1]
    return Unsupported(
        f"{op.shown}(): argument '{name}' (position {position}) must be Tensor, not {type(value).__name__}"
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
