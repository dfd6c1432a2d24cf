"""Resizing without aliasing: when an image gets smaller, each new point is a weighted mean of all it stands for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..tensor import Tensor
from .aten import aten
from .pooling import _along_each
from .table import op


def _triangle(x: Any) -> Any:
    return np.maximum(1 - np.abs(x), 0)


def _cubic(x: Any) -> Any:
    """The cubic convolution kernel with A = -0.5, as Pillow has it."""
    a, x = -0.5, np.abs(x)
    near = ((a + 2) * x - (a + 3)) * x * x + 1
    far = (((x - 5) * x + 8) * x - 4) * a
    return np.where(x < 1, near, np.where(x < 2, far, 0))


def _lanczos(x: Any) -> Any:
    """The sinc function under its own widest bump, three points to each side."""
    return np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)


#: the kernel of each mode, and how far it reaches
KERNELS: dict[str, tuple[Callable[[Any], Any], float]] = {
    "bilinear": (_triangle, 1.0),
    "bicubic": (_cubic, 2.0),
    "lanczos": (_lanczos, 3.0),
}


def smooth_line(n: int, count: int, mode: str, align_corners: bool, scale: float | None) -> Any:
    """The matrix (count, n) by which one dimension is resized. ``scale`` is the factor the user gave, if it counts."""
    kernel, reach = KERNELS[mode]
    if align_corners:
        step = (n - 1) / (count - 1) if count > 1 else 0.0
    else:
        step = 1 / scale if scale else n / count
    wide = max(step, 1.0)
    centre = (step * (np.arange(count) + 0.5))[:, None]
    points = np.arange(n)
    low = np.maximum((centre - reach * wide + 0.5).astype(np.int64), 0)
    high = np.minimum((centre + reach * wide + 0.5).astype(np.int64), n)
    weights = np.where((points >= low) & (points < high), kernel((points - centre + 0.5) / wide), 0.0)
    return weights / weights.sum(1, keepdims=True)


_nodes = "UpsampleBilinear2DAaBackward0 UpsampleBicubic2DAaBackward0 UpsampleLanczos2DAaBackward0"


def _which(inputs: Any, params: Any) -> int:
    return list(KERNELS).index(params[0])


smooth = op(
    "smooth", _nodes, lambda input, mode, matrices: _along_each(input, list(matrices), False), inputs="input",
    vjp={"input": lambda g, m, mode, matrices: m.smooth_spread(g, mode, matrices)}, jvp="linear",
    local={"input": "its weight in each result"}, rule={"input": "Σ g by its weight in each result"},
    symbol="interpolate({input})", method=False, public=False, shown="interpolate", variant=_which,
)  # fmt: skip
smooth_spread = op(
    "smooth_spread", _nodes, lambda input, mode, matrices: _along_each(input, list(matrices), True), inputs="input",
    vjp={"input": lambda g, m, mode, matrices: m.smooth(g, mode, matrices)}, jvp="linear", method=False, public=False,
    variant=_which,
)  # fmt: skip


@aten
def _upsample_bilinear2d_aa(
    input: Tensor, output_size: Any, align_corners: bool, scales_h: Any = None, scales_w: Any = None,
    *, scale_factors: Any = None,
) -> Tensor:  # fmt: skip
    """``input`` (N, C, H, W) resized to ``output_size``, or by ``scale_factors``."""
    size = tuple(input.shape[2:])
    scales = (scales_h, scales_w) if scale_factors is None else scale_factors
    if output_size is None:
        output_size = [int(n * scale) for n, scale in zip(size, scale_factors, strict=True)]
    lines = [
        smooth_line(n, int(count), "bilinear", align_corners, scale)
        for n, count, scale in zip(size, output_size, scales, strict=True)
    ]
    return smooth.function(input, "bilinear", tuple(lines))  # type: ignore[no-any-return]
