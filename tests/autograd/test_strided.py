"""Views with strides: NumPy's own within an array, refused beyond it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograd.strided import strided

NUMBERS = np.arange(12.0)
small = st.integers(-3, 6)


@given(
    shape=st.lists(st.integers(0, 5), max_size=3),
    steps=st.lists(small, min_size=3, max_size=3),
    start=st.integers(0, 11),
)
def test_exactly_the_views_that_stay_inside(shape: list[int], steps: list[int], start: int) -> None:
    steps = steps[: len(shape)]
    array = NUMBERS[start:]
    places = sum(np.ogrid[tuple(slice(n) for n in shape)][axis] * step for axis, step in enumerate(steps))
    places = np.broadcast_to(np.asarray(places, int), shape)
    if places.size and (places.min() < 0 or places.max() >= array.size):
        with pytest.raises(RuntimeError, match="beyond its tensor"):
            strided(array, shape, [step * 8 for step in steps])
    else:
        view = strided(array, shape, [step * 8 for step in steps])
        np.testing.assert_array_equal(view, array[places] if places.size else np.zeros(shape))


def test_a_number_that_changes_when_it_is_asked_again_is_asked_once() -> None:
    class Growing:
        asked = 0

        def __index__(self) -> int:
            self.asked += 1
            return 10**self.asked

    assert strided(NUMBERS, (Growing(),), (8,)).shape == (10,)


def test_a_negative_extent_is_refused() -> None:
    with pytest.raises(RuntimeError, match="negative dimension -2"):
        strided(NUMBERS, (-2,), (8,))
