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
INFERENCE_IN_PLACE = (
    "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal tensor "
    "before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."
)
INFERENCE_SAVED = (
    "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in computation "
    "tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it in autograd, or "
    "use `torch.no_grad()` instead of `torch.inference_mode()`."
)
REQUIRES_GRAD_DTYPE = "Only Tensors of floating point and complex dtype can require gradients"
NON_LEAF_FLAG = (
    "you can only change requires_grad flags of leaf variables."
)
