"""Padding by a constant, by reflection, by repeating the border, or round a circle."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..tensor import Tensor
from .arrangement import constant_pad_nd
from .namespaces import neural
from .table import op

NUMPY_MODES = {"reflect": "reflect", "replicate": "edge", "circular": "wrap"}
NODES = {"reflect": "ReflectionPad", "replicate": "ReplicationPad", "circular": "CircularPad"}


def source(size: tuple[int, ...], pad: tuple[int, ...], mode: str) -> tuple[Any, ...]:
    """For each padded dimension, where each entry of the result comes from."""
    rank = len(pad) // 2
    lines = []
    for i in range(rank):
        n = size[len(size) - 1 - i]
        before, after = pad[2 * i], pad[2 * i + 1]
        kept = np.arange(n)[max(-before, 0) : n - max(-after, 0)] if mode == "circular" else np.arange(n)
        line = np.pad(kept, (max(before, 0), max(after, 0)), mode=NUMPY_MODES[mode])  # type: ignore[call-overload]
        lines.append(line if mode == "circular" else line[max(-before, 0) : len(line) - max(-after, 0)])
    return tuple(reversed(lines))


def _index(size: tuple[int, ...], pad: tuple[int, ...], mode: str) -> tuple[Any, ...]:
    lines = source(size, pad, mode)
    return (slice(None),) * (len(size) - len(lines)) + np.ix_(*lines)


def _pad_rule(g: Any, m: Any, input: Any, pad: tuple[int, ...], mode: str) -> Any:
    """The gradients of all copies of an entry, summed."""
    shape = tuple(input.shape)
    return m.index_put_zeros(g, shape, _full(shape, pad, mode))


def _full(size: tuple[int, ...], pad: tuple[int, ...], mode: str) -> tuple[Any, ...]:
    lines = source(size, pad, mode)
    lead = [np.arange(n) for n in size[: len(size) - len(lines)]]
    return np.ix_(*lead, *lines)


pad_with = op(
    "pad_with", " ".join(f"{node}{rank}DBackward0" for node in NODES.values() for rank in (1, 2, 3)),
    lambda input, pad, mode: input[_index(input.shape, pad, mode)], inputs="input", vjp={"input": _pad_rule},
    jvp="linear",
    local={"input": "how often each entry is copied"}, rule={"input": "Σ g over the copies"},
    symbol="pad({input}, {mode})", method=False, public=False,
    shown="pad",
    variant=lambda inputs, params: 3 * list(NODES).index(params[1]) + len(params[0]) // 2 - 1,
)  # fmt: skip


@neural
def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """``input`` with so many entries more (or fewer) before and after each of the last dimensions."""
    widths = tuple(int(n) for n in (pad.tolist() if isinstance(pad, Tensor) else pad))
    result: Tensor
    if len(widths) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(widths) > 2 * input.ndim:
        raise RuntimeError(
            f"Padding length should be less than or equal to two times the input dimension but got padding length "
            f"{len(widths)} and input of dimension {input.ndim}"
        )
    if mode == "constant":
        result = constant_pad_nd.function(input, widths, 0 if value is None else value)
        return result
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    if mode not in NUMPY_MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    rank = len(widths) // 2
    if input.ndim not in (rank + 1, rank + 2):
        raise NotImplementedError(
            f"Padding size {len(widths)} is not supported for {input.ndim}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    for i in range(rank):
        n = input.shape[input.ndim - 1 - i]
        limit = n if mode == "circular" else n - 1
        if mode != "replicate" and max(widths[2 * i], widths[2 * i + 1]) > limit:
            kind = "Padding size should be less than the corresponding input dimension" if mode == "reflect" else (
                "Padding value causes wrapping around more than once.")  # fmt: skip
            extra = (
                f", but got: padding ({widths[2 * i]}, {widths[2 * i + 1]}) at dimension {input.ndim - 1 - i} of "
                f"input {list(input.shape)}"
            )
            raise RuntimeError(("Argument #4: " + kind + extra) if mode == "reflect" else kind)
    result = pad_with.function(input, widths, mode)
    return result
