"""Printing tensors as PyTorch prints them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .dtypes import OF_NUMPY, bool_, get_default_dtype, int64
from .mode import modes, switch

if TYPE_CHECKING:
    from .tensor import Tensor


@dataclass
class PrintOptions:
    """How tensors print (``torch.set_printoptions``)."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


OPTIONS = PrintOptions()


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Changes how tensors print; ``profile`` is ``default``, ``short`` or ``full``."""
    if profile is not None:
        OPTIONS.precision = 2 if profile == "short" else 4
        OPTIONS.threshold = math.inf if profile == "full" else 1000
        OPTIONS.edgeitems = 2 if profile == "short" else 3
        OPTIONS.linewidth = 80
    OPTIONS.precision = OPTIONS.precision if precision is None else precision
    OPTIONS.threshold = OPTIONS.threshold if threshold is None else threshold
    OPTIONS.edgeitems = OPTIONS.edgeitems if edgeitems is None else edgeitems
    OPTIONS.linewidth = OPTIONS.linewidth if linewidth is None else linewidth
    OPTIONS.sci_mode = sci_mode


class Formatter:
    """Formats the entries of one tensor alike: as integers, with fixed digits, or in scientific notation."""

    def __init__(self, array: Any) -> None:
        self.floating = array.dtype.kind == "f"
        self.integers = True
        self.scientific = False
        self.width = 1
        values = np.ravel(array)
        if not self.floating:
            for value in values.tolist():
                self.width = max(self.width, len(str(value)))
            return
        finite = values[np.isfinite(values) & (values != 0)].astype(np.float64)
        if finite.size == 0:
            return  # only zeros, nan and inf, which do not count
        size = np.abs(finite)
        largest, smallest = float(size.max()), float(size.min())
        self.integers = bool(np.all(finite == np.ceil(finite)))
        if self.integers:
            self.scientific = largest / smallest > 1000.0 or largest > 1.0e8
        else:
            self.scientific = largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4
        if OPTIONS.sci_mode is not None:
            self.scientific = OPTIONS.sci_mode
        for value in finite.tolist():
            self.width = max(self.width, len(self.format(value)))

    def format(self, value: Any) -> str:
        """One entry, not yet padded."""
        if not self.floating:
            return str(value)
        if not math.isfinite(value):
            return str(value)
        if self.scientific:
            return f"{value:.{OPTIONS.precision}e}"
        if self.integers:
            return f"{value:.0f}."
        return f"{value:.{OPTIONS.precision}f}"

    def __call__(self, value: Any) -> str:
        return self.format(value).rjust(self.width)


def _rows(array: Any, indent: int, formatter: Formatter, summarize: bool) -> str:
    edge = OPTIONS.edgeitems
    if array.ndim == 0:
        return str(formatter(array.item()))
    n = len(array)
    short = summarize and n > 2 * edge
    if array.ndim == 1:
        per_line = max(1, (OPTIONS.linewidth - indent) // (formatter.width + 2))
        values = array.tolist()
        if short:
            words = [formatter(v) for v in values[:edge]] + [" ..."] + [formatter(v) for v in values[n - edge :]]
        else:
            words = [formatter(v) for v in values]
        lines = [", ".join(words[i : i + per_line]) for i in range(0, len(words), per_line)]
        return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"
    if short:
        parts = [_rows(array[i], indent + 1, formatter, summarize) for i in range(edge)]
        parts.append("...")
        parts += [_rows(array[i], indent + 1, formatter, summarize) for i in range(n - edge, n)]
    else:
        parts = [_rows(array[i], indent + 1, formatter, summarize) for i in range(n)]
    joint: str = "," + "\n" * (array.ndim - 1) + " " * (indent + 1)
    return "[" + joint.join(parts) + "]"


def _seen(array: Any) -> Any:
    """The entries that a summary shows; they alone decide the format."""
    edge = OPTIONS.edgeitems
    for axis, n in enumerate(array.shape):
        if n > 2 * edge:
            array = np.take(array, [*range(edge), *range(n - edge, n)], axis=axis)
    return array


def tensor_repr(t: Tensor) -> str:
    """What ``print(t)`` shows."""
    array = np.asarray(t.array)
    kind = OF_NUMPY[array.dtype]
    prefix = "tensor("
    name = type(t).__name__
    if name == "Parameter":
        prefix = "tensor("
    suffixes = []
    default = kind in (get_default_dtype(), int64, bool_)
    if array.size == 0:
        body = "[]"
        if array.ndim != 1:
            suffixes.append(f"size={tuple(array.shape)}")
        if kind is not get_default_dtype():
            suffixes.append(f"dtype={kind!r}")
    else:
        summarize = array.size > OPTIONS.threshold
        formatter = Formatter(_seen(array) if summarize else array)
        body = _rows(array, len(prefix), formatter, summarize)
        if not default:
            suffixes.append(f"dtype={kind!r}")
    try:
        node = t.grad_fn
        maker = "" if node is None else type(node).__name__
    except RuntimeError:  # a view made without recording whose base was written since
        maker = "Invalid"
    if maker:
        suffixes.append(f"grad_fn=<{maker}>")
    elif t.requires_grad:
        suffixes.append("requires_grad=True")
    if switch.special and modes.dual_level:
        from .forward import tangent_at

        tangent = tangent_at(t, modes.dual_level[-1])
        if tangent is not None:
            suffixes.append(f"tangent={tangent}")
    text = prefix + body
    last = len(text) - text.rfind("\n") + 1  # so PyTorch counts
    for suffix in suffixes:
        if last + len(suffix) + 2 > OPTIONS.linewidth:
            text += ",\n" + " " * len(prefix) + suffix
            last = len(prefix) + len(suffix)
        else:
            text += ", " + suffix
            last += len(suffix) + 2
    text += ")"
    return f"Parameter containing:\n{text}" if name == "Parameter" else text
