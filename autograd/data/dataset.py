"""Datasets: things with a length and items by number, or things one iterates over."""

from __future__ import annotations

import bisect
import itertools
import math
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from autograd.random import Generator, numpy_generator
from autograd.tensor import Tensor

T = TypeVar("T", covariant=True)


class Dataset(Generic[T]):
    """Derive from it and define ``__getitem__`` and ``__len__``."""

    def __getitem__(self, index: Any) -> T:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset[T]) -> ConcatDataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[T]):
    """Derive from it and define ``__iter__``."""

    def __iter__(self) -> Iterator[T]:
        raise NotImplementedError("Subclasses of IterableDataset should implement __iter__.")


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Item i is the tuple of row i of every tensor. Raises AssertionError when they have different lengths."""

    tensors: tuple[Tensor, ...]

    def __init__(self, *tensors: Tensor) -> None:
        if any(t.size(0) != tensors[0].size(0) for t in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class ConcatDataset(Dataset[Any]):
    """Several datasets, one after the other."""

    def __init__(self, datasets: Iterable[Dataset[Any]]) -> None:
        self.datasets = list(datasets)
        if not self.datasets:
            raise AssertionError("datasets should not be an empty iterable")
        for one in self.datasets:
            if isinstance(one, IterableDataset):
                raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = list(itertools.accumulate(_length(one) for one in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> Any:
        if index < 0:
            if -index > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            index += len(self)
        place = bisect.bisect_right(self.cumulative_sizes, index)
        return self.datasets[place][index - (self.cumulative_sizes[place - 1] if place else 0)]


class Subset(Dataset[Any]):
    """The items of ``dataset`` with these ``indices``."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def _length(dataset: Any) -> int:
    return len(dataset)


def random_split(dataset: Any, lengths: Sequence[float], generator: Generator | None = None) -> list[Subset]:
    """Parts of these lengths (or of these fractions, when they sum to 1), items drawn at random without repetition.

    Raises ValueError when the lengths do not sum to that of ``dataset``.
    """
    total = len(dataset)
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        for place, fraction in enumerate(lengths):
            if fraction < 0 or fraction > 1:
                raise ValueError(f"Fraction at index {place} is not between 0 and 1")
        sizes = [math.floor(total * fraction) for fraction in lengths]
        for place in range(total - sum(sizes)):
            sizes[place % len(sizes)] += 1
        for place, size in enumerate(sizes):
            if size == 0:
                warnings.warn(
                    f"Length of split at index {place} is 0. This might result in an empty dataset.", stacklevel=2
                )
    else:
        sizes = [int(size) for size in lengths]
    if sum(sizes) != total:
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    order = numpy_generator(generator).permutation(total).tolist()
    return [
        Subset(dataset, order[stop - size : stop])
        for stop, size in zip(itertools.accumulate(sizes), sizes, strict=True)
    ]
