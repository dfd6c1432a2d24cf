"""Sequences of different lengths without padding: all first entries, then all second entries, and so on.

The sequences stand in order of length, the longest first, so that step t concerns the first ``batch_sizes[t]`` of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

import numpy as np

from autograd import creation
from autograd.dispatch import make
from autograd.dtypes import int64
from autograd.nn import functional as F
from autograd.nn.sequences import pad_sequence, unpad_sequence
from autograd.ops.one_node import one_node
from autograd.tensor import Tensor


class _Parts(NamedTuple):
    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_Parts):
    """Sequences one step after the other: ``data`` (all entries, *) and ``batch_sizes`` (longest,).

    ``sorted_indices`` says which sequence stands where, ``unsorted_indices`` where each went; None if they came sorted.
    Made by :func:`pack_padded_sequence` and :func:`pack_sequence`.
    """

    def __new__(
        cls,
        data: Any,
        batch_sizes: Tensor | None = None,
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> PackedSequence:
        if batch_sizes is None:
            data, batch_sizes = data
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The same sequences with ``data`` converted."""
        data = self.data.to(*args, **kwargs)
        return self if data is self.data else type(self)(data, *self[1:])

    def cpu(self) -> PackedSequence:
        """The same: everything is there already."""
        return self

    @property
    def is_cuda(self) -> bool:
        """False."""
        return False

    def is_pinned(self) -> bool:
        """False."""
        return False


PackedSequence.__module__ = "torch.nn.utils.rnn"  # how the class prints


def _converting(name: str) -> Callable[[PackedSequence], PackedSequence]:
    def convert(self: PackedSequence) -> PackedSequence:
        """The same sequences with ``data`` converted."""
        return self.to(getattr(self.data, name)().dtype)

    convert.__name__ = name
    return convert


for _name in ("double", "float", "half", "long", "int", "short", "char", "byte"):
    setattr(PackedSequence, _name, _converting(_name))


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """Where each index stands in ``permutation``."""
    return None if permutation is None else make(np.argsort(permutation.array, kind="stable"))


@one_node("PackPaddedSequenceBackward0", "input", linear=True, shown="pack_padded_sequence")
def packed_rows(input: Tensor, lengths: Any, batch_first: bool) -> Tensor:
    """The entries of ``input`` (L, N, *) that are no padding, step by step."""
    rows = input.transpose(0, 1) if batch_first else input
    steps = np.arange(int(lengths[0]))
    time, sequence = np.nonzero(steps[:, None] < lengths[None, :])
    return rows[make(time), make(sequence)]


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Padded sequences (L, N, *), or (N, L, *) with ``batch_first``, without their padding.

    Raises RuntimeError for lengths that are not one positive number a sequence, or not in falling order while
    ``enforce_sorted``.
    """
    counts = lengths.to(int64) if isinstance(lengths, Tensor) else creation.tensor(list(lengths))
    if counts.ndim != 1:
        raise RuntimeError(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {counts.ndim}D cpu Long tensor"
        )
    order = None
    if not enforce_sorted:
        counts, order = counts.sort(descending=True)
        input = input.index_select(0 if batch_first else 1, order)
    numbers = np.asarray(counts.array)
    batch = input.size(0 if batch_first else 1)
    if len(numbers) != batch:
        raise RuntimeError(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(numbers)} (batch_size={batch})"
        )
    if numbers.min(initial=1) <= 0:
        raise RuntimeError(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0"
        )
    if (np.diff(numbers) > 0).any():
        raise RuntimeError(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
            "do not need ONNX exportability."
        )
    sizes = (np.arange(numbers[0])[:, None] < numbers).sum(1)
    return PackedSequence(packed_rows(input, numbers, batch_first), make(sizes), order)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """The inverse of :func:`pack_padded_sequence`: the padded sequences, and their lengths.

    ValueError for a ``total_length`` below the longest of them.
    """
    sizes = np.asarray(sequence.batch_sizes.array)
    longest = len(sizes)
    if total_length is not None and total_length < longest:
        raise ValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {longest}"
        )
    time, place = np.nonzero(np.arange(sizes[0]) < sizes[:, None])
    shape = (total_length or longest, int(sizes[0]), *sequence.data.shape[1:])
    padded = creation.full(shape, padding_value, dtype=sequence.data.dtype)
    padded[make(time), make(place)] = sequence.data
    if batch_first:
        padded = padded.transpose(0, 1)
    lengths = make((np.arange(sizes[0]) < sizes[:, None]).sum(0))
    back = sequence.unsorted_indices
    if back is not None:
        return padded.index_select(0 if batch_first else 1, back), lengths[back]
    return padded, lengths


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Sequences (L_i, *) packed; in falling order of length while ``enforce_sorted``."""
    lengths = creation.tensor([one.size(0) for one in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The inverse of :func:`pack_sequence`."""
    padded, lengths = pad_packed_sequence(packed_sequences, batch_first=True)
    return unpad_sequence(padded, lengths, batch_first=True)


# -- recurrent networks over packed sequences ------------------------------------------------------------------------

State = tuple[Tensor, ...]


def packed_steps(
    step: Callable[[Tensor, State], State], data: Tensor, sizes: list[int], start: State, backwards: bool
) -> tuple[Tensor, State]:
    """``step`` along the sequences, from ``start`` (N, hidden): all outputs as ``data`` stands, and the last states.

    A sequence that has ended keeps its state; from the end backwards it joins when its last entry's turn comes.
    """
    parts = [data[low:high] for low, high in pairwise(accumulate(sizes, initial=0))]
    outputs: list[Tensor] = []
    ended: list[State] = []
    count = sizes[-1] if backwards else sizes[0]
    state = tuple(each[:count] for each in start)
    for part in reversed(parts) if backwards else parts:
        size = part.shape[0]
        if size < count:
            ended.append(tuple(each[size:] for each in state))
            state = tuple(each[:size] for each in state)
        elif size > count:
            state = tuple(F.cat([each, fresh[count:size]]) for each, fresh in zip(state, start, strict=True))
        count = size
        state = step(part, state)
        outputs.append(state[0])
    # who ended later stands before who ended earlier
    last = tuple(F.cat(list(each)) for each in zip(state, *reversed(ended), strict=True)) if ended else state
    return F.cat(outputs[::-1] if backwards else outputs), last
