"""Which of equal entries is chosen where PyTorch leaves that to a selection algorithm: ``topk`` and ``kthvalue``.

The values are the same whichever is taken; the indices, and with them the gradients, are not. PyTorch selects with the
C++ library's introselect and with a quickselect of its own, both written here as they are described: median of three as
the pivot, insertion sort for a few. Entries are compared by their numbers; what is moved about are their places.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Before = Callable[[int, int], bool]
#: longer rows keep the first of equal entries: going through them entry by entry would take too long
LONGEST = 4096


def _partition(places: list[int], first: int, last: int, before: Before) -> int:
    """Moves what comes before the median of three to the front of ``places[first:last]``; returns where it ends."""
    a, b, c = first + 1, first + (last - first) // 2, last - 1
    if before(places[a], places[b]):
        pivot = b if before(places[b], places[c]) else c if before(places[a], places[c]) else a
    else:
        pivot = a if before(places[a], places[c]) else c if before(places[b], places[c]) else b
    places[first], places[pivot] = places[pivot], places[first]
    low, high = first + 1, last
    while True:
        while before(places[low], places[first]):
            low += 1
        high -= 1
        while before(places[first], places[high]):
            high -= 1
        if low >= high:
            return low
        places[low], places[high] = places[high], places[low]
        low += 1


def _insertion(places: list[int], first: int, last: int, before: Before) -> None:
    for i in range(first + 1, last):
        place, j = places[i], i
        if before(place, places[first]):
            j = first
            places[first + 1 : i + 1] = places[first:i]
        else:
            while before(place, places[j - 1]):
                places[j] = places[j - 1]
                j -= 1
        places[j] = place


def nth_element(places: list[int], nth: int, before: Before) -> None:
    """Puts the entry that belongs to position ``nth`` there, with what comes before it in front."""
    first, last = 0, len(places)
    while last - first > 3:
        cut = _partition(places, first, last, before)
        first, last = (cut, last) if cut <= nth else (first, cut)
    _insertion(places, first, last, before)


def _sort(places: list[int], last: int, before: Before) -> None:
    """Sorts the first ``last`` places: parts of more than sixteen by partition, the rest by insertion."""
    parts = [(0, last)]
    while parts:
        first, end = parts.pop()
        while end - first > 16:
            cut = _partition(places, first, end, before)
            parts.append((cut, end))
            end = cut
    _insertion(places, 0, last, before)


def largest_or_smallest(row: Any, k: int, largest: bool, ordered: bool) -> list[int]:
    """The places of the ``k`` largest (or smallest) entries of ``row``."""
    numbers, strange = row.tolist(), np.isnan(row).tolist() if row.dtype.kind == "f" else [False] * len(row)

    def more(i: int, j: int) -> bool:
        return (strange[i] and not strange[j]) or numbers[i] > numbers[j]

    def less(i: int, j: int) -> bool:
        return (not strange[i] and strange[j]) or numbers[i] < numbers[j]

    before = more if largest else less
    places = list(range(len(numbers)))
    nth_element(places, k - 1, before)
    if ordered:
        _sort(places, k - 1, before)
    return places[:k]


def kth_smallest(row: Any, k: int) -> int:
    """The place of the entry that would be at position ``k`` if ``row`` were sorted."""
    numbers = row.tolist()

    def more(x: Any, y: Any) -> bool:
        return bool((x != x and y == y) or x > y)  # nan counts as the largest

    places = list(range(len(numbers)))

    def swap(i: int, j: int) -> None:
        numbers[i], numbers[j] = numbers[j], numbers[i]
        places[i], places[j] = places[j], places[i]

    low, high = 0, len(numbers) - 1
    while high > low:
        if high == low + 1:
            if more(numbers[low], numbers[high]):
                swap(low, high)
            break
        swap(low + (high - low) // 2, low + 1)
        for i, j in ((low + 1, high), (low, high), (low + 1, low)):
            if more(numbers[i], numbers[j]):
                swap(i, j)
        i, j, pivot = low + 1, high, numbers[low]
        while True:
            i, j = i + 1, j - 1
            while more(pivot, numbers[i]):
                i += 1
            while more(numbers[j], pivot):
                j -= 1
            if j < i:
                break
            swap(i, j)
        swap(low, j)
        low, high = i if j <= k else low, j - 1 if j >= k else high
    return places[k]
