"""DataLoader: batches of a dataset, in the order a sampler gives.

Batches are made in this process whatever ``num_workers`` says; the numbers are the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograd.creation import tensor
from autograd.data.dataset import IterableDataset, TensorDataset
from autograd.data.sampler import BatchSampler, RandomSampler, SequentialSampler
from autograd.dispatch import make
from autograd.dtypes import float64
from autograd.mode import modes, switch
from autograd.nn import functional as F
from autograd.random import Generator
from autograd.tensor import Tensor


def default_collate(batch: Sequence[Any]) -> Any:
    """A list of items as one: tensors and arrays stacked, numbers as a tensor, tuples, lists and dicts entry by entry.

    Raises TypeError for items that cannot be stacked, RuntimeError for sequences of different lengths.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        if any(t.requires_grad for t in batch):
            return F.stack(list(batch), 0)
        return _stacked([t.array for t in batch])
    if isinstance(first, np.ndarray):
        if first.dtype.kind not in "biuf":
            raise TypeError(_cannot(first.dtype))
        return _stacked(list(batch))
    if isinstance(first, (np.bool_, np.number)):
        return _told(make(np.array(batch)))
    if isinstance(first, float):
        return tensor(list(batch), dtype=float64)
    if isinstance(first, int):
        return tensor(list(batch))
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return type(first)({key: default_collate([item[key] for item in batch]) for key in first})  # type: ignore[call-arg]
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(column) for column in zip(*batch, strict=True)))
    if isinstance(first, Sequence):
        if any(len(item) != len(first) for item in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        return [default_collate(column) for column in zip(*batch, strict=True)]
    raise TypeError(_cannot(type(first)))


def _cannot(kind: Any) -> str:
    return f"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {kind}"


def _stacked(arrays: list[Any]) -> Tensor:
    shapes = [np.shape(array) for array in arrays]
    for place, shape in enumerate(shapes):
        if shape != shapes[0]:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(shapes[0])} at entry 0 and {list(shape)} "
                f"at entry {place}"
            )
    return _told(make(np.stack(arrays)))


def _told(batch: Tensor) -> Tensor:
    if switch.special and modes.recorder is not None:
        modes.recorder.created(batch, None)
    return batch


def default_convert(data: Any) -> Any:
    """An item without batching: arrays and numbers inside it as tensors."""
    if isinstance(data, np.ndarray) and data.dtype.kind in "biuf":
        return _told(make(data))
    if isinstance(data, Mapping):
        return {key: default_convert(value) for key, value in data.items()}
    if isinstance(data, tuple):
        return [default_convert(value) for value in data]
    return data


#: what is decided once, when a loader is made
_FIXED = frozenset({"batch_size", "batch_sampler", "sampler", "drop_last", "dataset"})


class DataLoader:
    """Iterate over it to get batches of ``dataset``.

    ``shuffle`` takes the items in a new random order each time; ``drop_last`` leaves out a last shorter batch;
    ``batch_size=None`` gives single items; ``collate_fn`` makes a batch of a list of items. Raises ValueError for
    options that exclude each other.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Iterable[Any] | None = None,
        batch_sampler: Iterable[Sequence[Any]] | None = None,
        num_workers: int = 0,
        collate_fn: Callable[[list[Any]], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Callable[[int], None] | None = None,
        multiprocessing_context: Any = None,
        generator: Generator | None = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ValueError("num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.")
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing.let num_workers > 0 to enable "
                "multiprocessing, otherwise set prefetch_factor to None."
            )
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        self._iterable = isinstance(dataset, IterableDataset)
        if self._iterable:
            for name, given in (
                ("shuffle", shuffle or None),
                ("sampler", sampler),
                ("batch_sampler", batch_sampler),
            ):
                if given is not None:
                    raise ValueError(
                        f"DataLoader with IterableDataset: expected unspecified {name} option, but got {name}={given}"
                    )
        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last"
                )
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("batch_size=None option disables auto-batching and is mutually exclusive with drop_last")
        if sampler is None and not self._iterable:
            sampler = RandomSampler(dataset, generator=generator) if shuffle else SequentialSampler(dataset)
        if batch_sampler is None and batch_size is not None and not self._iterable:
            assert sampler is not None
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.dataset = dataset
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler: Any = sampler
        self.batch_sampler: Any = batch_sampler
        self.num_workers = num_workers
        self.generator = generator
        self.pin_memory = pin_memory
        batched = batch_size is not None or batch_sampler is not None
        self.collate_fn: Callable[[Any], Any] = collate_fn or (default_collate if batched else default_convert)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _FIXED and name in self.__dict__:
            raise ValueError(f"{name} attribute should not be set after {type(self).__name__} is initialized")
        super().__setattr__(name, value)

    def __iter__(self) -> Iterator[Any]:
        if self._iterable:
            yield from self._stream()
        elif self.batch_sampler is None:
            for index in self.sampler:
                yield self.collate_fn(self.dataset[index])
        else:
            for indices in self.batch_sampler:
                yield self._batch(list(indices))

    def _batch(self, indices: list[int]) -> Any:
        data = self.dataset
        plain = type(data) is TensorDataset and self.collate_fn is default_collate
        if plain and not any(t.requires_grad for t in data.tensors):
            # The rows at once: the same numbers as item by item, and no node of a trace for each of them.
            return [_told(make(t.array[indices])) for t in data.tensors]
        return self.collate_fn([data[i] for i in indices])

    def _stream(self) -> Iterator[Any]:
        items = iter(self.dataset)
        if self.batch_size is None:
            yield from (self.collate_fn(item) for item in items)
            return
        while batch := list(itertools.islice(items, self.batch_size)):
            if len(batch) == self.batch_size or not self.drop_last:
                yield self.collate_fn(batch)

    def __len__(self) -> int:
        if self._iterable:
            n = len(self.dataset)
            if self.batch_size is None:
                return n
            return n // self.batch_size if self.drop_last else -(-n // self.batch_size)
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)
