"""Resizing images and sampling them at chosen places. Resizing is linear, and one matrix for each dimension."""

from __future__ import annotations

import itertools
import math
import warnings
from typing import Any

import numpy as np

from ..tensor import Tensor
from .antialias import KERNELS, smooth, smooth_line
from .namespaces import NEURAL, neural
from .one_node import one_node
from .pooling import _along_each
from .table import FUNCTIONS, op

NODES = {
    "nearest": "UpsampleNearest", "nearest-exact": "UpsampleNearestExact", "linear": "UpsampleLinear",
    "bilinear": "UpsampleBilinear", "trilinear": "UpsampleTrilinear", "bicubic": "UpsampleBicubic",
}  # fmt: skip


def _cubic(t: Any) -> Any:
    """The four weights of bicubic interpolation at distance t from the second point (A = -0.75)."""
    a = -0.75

    def near(x: Any) -> Any:
        return ((a + 2) * x - (a + 3)) * x * x + 1

    def far(x: Any) -> Any:
        return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a

    return far(t + 1), near(t), near(1 - t), far(2 - t)


def line(n: int, count: int, mode: str, align_corners: bool, scale: float | None) -> Any:
    """The matrix (count, n) by which one dimension is resized. ``scale`` is the factor the user gave, if it counts."""
    matrix, rows = np.zeros((count, n)), np.arange(count)
    ratio = 1 / scale if scale else n / count
    if mode.startswith("nearest"):
        step = np.float32(ratio)
        offset = np.float32(0.5 if mode == "nearest-exact" else 0.0)
        place = np.floor((rows.astype(np.float32) + offset) * step).astype(np.int64)
        matrix[rows, np.minimum(place, n - 1)] = 1
        return matrix
    if align_corners:
        at = rows * ((n - 1) / (count - 1) if count > 1 else 0.0)
    else:
        at = (rows + 0.5) * ratio - 0.5
    if mode == "bicubic":
        low = np.floor(at).astype(np.int64)
        for offset_, weight in zip((-1, 0, 1, 2), _cubic(at - low), strict=True):
            np.add.at(matrix, (rows, np.clip(low + offset_, 0, n - 1)), weight)
        return matrix
    at = np.maximum(at, 0)
    low = np.minimum(np.floor(at).astype(np.int64), n - 1)
    high = np.minimum(low + 1, n - 1)
    np.add.at(matrix, (rows, low), 1 - (at - low))
    np.add.at(matrix, (rows, high), at - low)
    return matrix


def _which(inputs: Any, params: Any) -> int:
    return list(NODES).index(params[0]) * 3 + inputs[0].ndim - 3  # type: ignore[no-any-return]


_names = " ".join(f"{node}{rank}DBackward0" for node in NODES.values() for rank in (1, 2, 3))
upsample = op(
    "upsample", _names, lambda input, mode, matrices: _along_each(input, list(matrices), False), inputs="input",
    vjp={"input": lambda g, m, mode, matrices: m.upsample_spread(g, mode, matrices)}, jvp="linear",
    local={"input": "its weight in each result"}, rule={"input": "Σ g by its weight in each result"},
    symbol="interpolate({input})", method=False, public=False,
    shown="interpolate",
    variant=_which,
)  # fmt: skip
upsample_spread = op(
    "upsample_spread", _names, lambda input, mode, matrices: _along_each(input, list(matrices), True), inputs="input",
    vjp={"input": lambda g, m, mode, matrices: m.upsample(g, mode, matrices)}, jvp="linear", method=False, public=False,
    variant=_which,
)  # fmt: skip


@neural
def interpolate(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None, antialias: bool = False,
) -> Tensor:  # fmt: skip
    """``input`` (N, C, *) resized to ``size``, or by ``scale_factor``."""
    if mode in ("nearest", "area", "nearest-exact") and align_corners is not None:
        raise ValueError(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | trilinear"
        )
    rank = input.ndim - 2
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is None and scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if input.ndim not in (3, 4, 5):
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.ndim}D) for the modes: nearest | "
            f"linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
        )
    if antialias and (mode not in KERNELS or rank != 2):
        raise ValueError(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as input"
        )
    spatial = tuple(input.shape[2:])
    factors: list[float | None] = [None] * rank
    if scale_factor is not None:
        listed = [
            float(s) for s in (scale_factor if isinstance(scale_factor, (tuple, list)) else [scale_factor] * rank)
        ]
        target = tuple(math.floor(n * s) for n, s in zip(spatial, listed, strict=True))
        if not recompute_scale_factor:
            factors = list(listed)
    else:
        if isinstance(size, Tensor):
            size = size.tolist()
        target = tuple(int(n) for n in size) if isinstance(size, (tuple, list)) else (int(size),) * rank
    if len(target) != rank:
        raise ValueError(
            "Input and output must have the same number of spatial dimensions, but got input with spatial "
            f"dimensions of {list(spatial)} and output size of {size}. Please provide input tensor in (N, C, "
            "d1, d2, ...,dK) format and output size in (o1, o2, ...,oK) format."
        )
    if mode == "area":
        return NEURAL[f"adaptive_avg_pool{rank}d"](input, target)  # type: ignore[no-any-return]
    if mode == "lanczos" and rank == 2 and not antialias:
        raise ValueError("Lanczos mode requires antialias=True")
    fitting = {"linear": (3, 1), "bilinear": (4, 2), "trilinear": (5, 3)}
    if mode in fitting and rank in (1, 2, 3) and fitting[mode][1] != rank:
        raise NotImplementedError(f"Got {input.ndim}D input, but {mode} mode needs {fitting[mode][0]}D input")
    ranks = {"linear": 1, "bilinear": 2, "bicubic": 2, "trilinear": 3}
    if (mode not in NODES and not antialias) or ranks.get(mode, rank) != rank:
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {input.ndim}D) for the modes: nearest | "
            f"linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
        )
    matrices = tuple(
        (smooth_line if antialias else line)(n, count, mode, bool(align_corners), factor)
        for n, count, factor in zip(spatial, target, factors, strict=True)
    )
    result: Tensor = (smooth if antialias else upsample).function(input, mode, matrices)
    return result


def _older(name: str, mode: str, align: bool | None) -> None:
    def function(input: Tensor, size: Any = None, scale_factor: Any = None) -> Tensor:
        """The older spelling of :func:`interpolate`."""
        warnings.warn(
            f"`nn.functional.{name}` is deprecated. Use `nn.functional.interpolate` instead.", UserWarning, stacklevel=2
        )
        chosen = {3: "linear", 4: "bilinear", 5: "trilinear"}[input.ndim] if mode == "linear" else mode
        return interpolate(input, size, scale_factor, chosen, align)

    function.__name__ = name
    neural(function)


_older("upsample_nearest", "nearest", None)
_older("upsample_bilinear", "linear", True)


@neural
def upsample_any(
    input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: Any = None
) -> Tensor:
    """``F.upsample``: the oldest spelling of :func:`interpolate`."""
    return interpolate(input, size, scale_factor, mode, align_corners)


NEURAL["upsample"] = NEURAL.pop("upsample_any")

# -- sampling at chosen places ---------------------------------------------------------------------------------------


def _unnormalised(grid: Tensor, n: int, align_corners: bool) -> Tensor:
    return (grid + 1) * ((n - 1) / 2) if align_corners else ((grid + 1) * n - 1) / 2


def _folded(at: Tensor, n: int, padding_mode: str, align_corners: bool) -> Tensor:
    """Places outside the image brought back in, as ``padding_mode`` says."""
    if padding_mode == "zeros":
        return at
    if padding_mode == "reflection":
        low, high = (0, 2 * (n - 1)) if align_corners else (-1, 2 * n - 1)
        if low == high:
            at = at * 0
        else:
            start, span = low / 2, (high - low) / 2
            away = (at - start).abs()
            rest = away - (away / span).floor().detach() * span
            flips = (away / span).floor().detach()
            odd = flips - (flips / 2).floor() * 2
            at = odd * (span - rest) + (1 - odd) * rest + start
    return at.clamp(0, n - 1)  # type: ignore[no-any-return]


def _taps(gap: Tensor, mode: str) -> list[tuple[int, Any]]:
    """The neighbours that are read, and how much of each, at the share ``gap`` of the way to the next."""
    if mode == "nearest":
        return [(0, None)]
    if mode == "bilinear":
        return [(0, 1 - gap), (1, gap)]
    # cubic convolution with the constant -0.75: one polynomial for the two near neighbours, one for the two far ones
    near = [((1.25 * t - 2.25) * t) * t + 1 for t in (gap, 1 - gap)]
    far = [((-0.75 * t + 3.75) * t - 6) * t + 3 for t in (gap + 1, 2 - gap)]
    return [(-1, far[0]), (0, near[0]), (1, near[1]), (2, far[1])]


@neural
def grid_sample(
    input: Tensor, grid: Tensor, mode: str = "bilinear", padding_mode: str = "zeros", align_corners: bool | None = None
) -> Tensor:
    """The values of images (N, C, *size) at the places ``grid`` (N, *out, d) names, from -1 to 1 across."""
    rank, aligned = input.ndim - 2, bool(align_corners)
    if mode not in ("bilinear", "nearest", "bicubic"):
        raise ValueError(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'"
        )
    if padding_mode not in ("zeros", "border", "reflection"):
        raise ValueError(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'"
        )
    if mode == "bicubic" and rank != 2:
        raise RuntimeError("grid_sampler(): bicubic interpolation only supports 4D input")
    spread, wanted = list(input.shape), list(grid.shape)
    if input.ndim != grid.ndim or rank not in (2, 3):
        raise RuntimeError(
            "grid_sampler(): expected 4D or 5D input and grid with same number of dimensions, but got input with "
            f"sizes {spread} and grid with sizes {wanted}"
        )
    if spread[0] != wanted[0]:
        raise RuntimeError(
            f"grid_sampler(): expected grid and input to have same batch size, but got input with sizes {spread} and "
            f"grid with sizes {wanted}"
        )
    if wanted[-1] != rank:
        raise RuntimeError(
            f"grid_sampler(): expected grid to have size {rank} in last dimension, but got grid with sizes {wanted}"
        )
    if 0 in spread[1:]:
        raise RuntimeError(
            f"grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {spread} with "
            f"dimension {spread.index(0, 1)} being empty"
        )
    return _grid_samples(input, grid, mode, padding_mode, aligned)  # type: ignore[no-any-return]


@one_node("GridSampler2DBackward0 GridSampler3DBackward0", "input grid", variant=lambda inputs, _: inputs[0].ndim - 4)
def _grid_samples(input: Tensor, grid: Tensor, mode: str, padding_mode: str, aligned: bool) -> Tensor:
    from ..creation import tensor

    rank = input.ndim - 2
    sizes = tuple(input.shape[2:])
    places = [_unnormalised(grid[..., rank - 1 - d], sizes[d], aligned) for d in range(rank)]
    if mode != "bicubic":  # which brings each neighbour back in instead
        places = [_folded(p, n, padding_mode, aligned) for p, n in zip(places, sizes, strict=True)]
    lows = [np.rint(p.array) if mode == "nearest" else np.floor(p.array) for p in places]
    taps = [_taps(p - tensor(low.astype(input.array.dtype)), mode) for p, low in zip(places, lows, strict=True)]
    flat = input.reshape(*input.shape[:2], -1)
    total: Tensor | None = None
    for corner in itertools.product(*taps):
        index: Any = 0
        inside: Any = True
        weight: Tensor | None = None
        for low, n, (offset, part) in zip(lows, sizes, corner, strict=True):
            at = low + offset
            if mode == "bicubic":
                at = np.rint(_folded(tensor(at), n, padding_mode, aligned).array)
            inside = inside & (at >= 0) & (at < n)
            index = index * n + np.clip(np.nan_to_num(at), 0, n - 1).astype(np.int64)
            if part is not None:
                weight = part if weight is None else weight * part
        spread = np.broadcast_to(index.reshape(index.shape[0], 1, -1), (*input.shape[:2], index[0].size))
        values = flat.gather(2, tensor(np.ascontiguousarray(spread))).reshape(*input.shape[:2], *index.shape[1:])
        values = values * tensor(inside.astype(input.array.dtype)).unsqueeze(1)
        if weight is not None:
            values = values * weight.unsqueeze(1)
        total = values if total is None else total + values
    assert total is not None
    if mode == "nearest":  # the choice does not move with the grid: a gradient of zero
        total = total + grid.sum() * 0
    return total


# -- places from affine maps -----------------------------------------------------------------------------------------


@one_node("AffineGridGeneratorBackward0", "theta", linear=True)
def affine_grid_generator(theta: Tensor, size: Any, align_corners: bool) -> Tensor:
    """The places (N, *size, d) to which the maps ``theta`` (N, d, d + 1) take the points of a grid from -1 to 1."""
    from ..dispatch import make

    spatial, kind = tuple(size)[2:], theta.array.dtype
    lines = [np.linspace(-1, 1, n) if n > 1 else np.zeros(1) for n in spatial]
    if not align_corners:
        lines = [line * ((n - 1) / n) for line, n in zip(lines, spatial, strict=True)]
    points = np.stack([*np.meshgrid(*lines, indexing="ij")[::-1], np.ones(spatial)], -1).astype(kind)
    flat = make(points.reshape(1, -1, len(spatial) + 1))
    return (flat @ theta.mT).reshape(theta.shape[0], *spatial, len(spatial))  # type: ignore[no-any-return]


FUNCTIONS["affine_grid_generator"] = affine_grid_generator


@neural
def affine_grid(theta: Tensor, size: Any, align_corners: bool | None = None) -> Tensor:
    """The grid for :func:`grid_sample` that maps images of ``size`` (N, C, *) affinely by ``theta`` (N, d, d + 1).

    ValueError if ``theta`` is no float tensor of that shape, or something of ``size`` is not positive.
    """
    if align_corners is None:
        warnings.warn(
            "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please "
            "specify align_corners=True if the old behavior is desired. See the documentation of grid_sample for "
            "details.",
            UserWarning, stacklevel=2,
        )  # fmt: skip
        align_corners = False
    if not theta.is_floating_point():
        raise ValueError(f"Expected theta to have floating point type, but got {theta.dtype}")
    rank = len(size) - 2
    if rank not in (2, 3):
        raise NotImplementedError(
            f"affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size "
            f"{size}."
        )
    if theta.ndim != 3 or tuple(theta.shape[1:]) != (rank, rank + 1):
        raise ValueError(
            f"Expected a batch of {rank}D affine matrices of shape Nx{rank}x{rank + 1} for size {size}. Got "
            f"{theta.shape}."
        )
    if align_corners and min(size[2:]) == 1:
        warnings.warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This "
            "is not an intended use case of affine_grid. See the documentation of affine_grid for details.",
            UserWarning, stacklevel=2,
        )  # fmt: skip
    elif min(size) <= 0:
        raise ValueError(f"Expected non-zero, positive output size. Got {size}")
    return affine_grid_generator(theta, tuple(size), bool(align_corners))  # type: ignore[no-any-return]
