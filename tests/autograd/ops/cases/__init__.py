"""The table of cases: every operation with the inputs it is tried on. The golden values beside it are PyTorch's."""

from __future__ import annotations

from .creation import CREATIONS
from .elementwise import ELEMENTWISE
from .inputs import Case, Input
from .layers import LAYERS
from .networks import NETWORKS
from .reductions import REDUCTIONS
from .shapes import SHAPES
from .specials import SPECIALS

FAMILIES: dict[str, list[Case]] = {
    "elementwise": ELEMENTWISE,
    "reductions": REDUCTIONS,
    "shapes": SHAPES,
    "networks": NETWORKS,
    "layers": LAYERS,
    "creation": CREATIONS,
    "specials": SPECIALS,
}

__all__ = ["FAMILIES", "Case", "Input"]
