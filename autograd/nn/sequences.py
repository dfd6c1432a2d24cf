"""Sequences of different lengths as one tensor."""

from __future__ import annotations

from collections.abc import Sequence

from autograd import creation
from autograd.nn import functional as F
from autograd.tensor import Tensor


def pad_sequence(
    sequences: Sequence[Tensor], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Sequences (L_i, ...) as one tensor (longest, N, ...), or (N, longest, ...) with ``batch_first``, padded.

    Raises ValueError for a padding side other than left and right.
    """
    if padding_side not in ("left", "right"):
        raise ValueError(f"padding_side should be one of 'right' or 'left', but got {padding_side}")
    longest = max(len(one) for one in sequences)
    padded = []
    for one in sequences:
        missing = longest - len(one)
        sides = (missing, 0) if padding_side == "left" else (0, missing)
        padded.append(F.pad(one, (0, 0) * (one.ndim - 1) + sides, "constant", padding_value))
    return F.stack(padded, 0 if batch_first else 1)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """The inverse of :func:`pad_sequence` (padded on the right): the sequences of these ``lengths``."""
    rows = padded_sequences if batch_first else padded_sequences.transpose(0, 1)
    places = creation.arange(rows.shape[1])
    return [row[places.lt(length)] for row, length in zip(rows, lengths, strict=True)]
