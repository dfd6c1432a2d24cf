"""Kinks, integers, and the way through NumPy."""

from __future__ import annotations

import pytest

from course.labs import kinks, outside
from snippets import run

INF = float("inf")

#: slope from the left (None: not defined), from the right, autograd's number; as PyTorch 2.13 has them
BY_HAND: dict[str, tuple[float | None, float, float]] = {
    "relu": (0, 1, 0),
    "abs": (-1, 1, 0),
    "sqrt": (None, INF, INF),
    "clamp-upper": (1, 0, 1),
    "clamp-lower": (0, 1, 1),
    "maximum": (0, 1, 0.5),
    "minimum": (1, 0, 0.5),
    "max": (0, 1, 0.5),
    "max-dim": (0, 1, 1),
    "norm": (-1, 1, 0),
    "leaky-relu": (0.1, 1, 0.1),
    "hardtanh": (1, 0, 0),
    "relu6": (1, 0, 0),
}


@pytest.mark.claim("C49")
@pytest.mark.parametrize("slug", list(BY_HAND))
def test_slopes_on_both_sides_and_the_convention(slug: str) -> None:
    found = kinks.measure(slug)
    assert (found.left, found.right, found.autograd) == BY_HAND[slug]
    assert not found.left_jumps
    assert not found.right_jumps


@pytest.mark.claim("C49")
@pytest.mark.parametrize(
    ("slug", "left", "right"), [("round", False, True), ("floor", True, False), ("sign", True, True)]
)
def test_jumps_have_no_slope_and_autograd_says_zero(slug: str, left: bool, right: bool) -> None:
    found = kinks.measure(slug)
    assert (found.left_jumps, found.right_jumps, found.autograd) == (left, right, 0)


@pytest.mark.claim("C49")
@pytest.mark.parametrize("kink", kinks.KINKS, ids=lambda kink: kink.slug)
def test_the_program_shown_gives_the_number_measured(kink: kinks.Kink) -> None:
    result = run(kinks.program(kink.slug), diagnose=False, trace=False)
    got = result.values["x"]["grad"]
    assert float(got) == pytest.approx(kinks.measure(kink.slug).autograd)


@pytest.mark.claim("C50")
def test_integers_and_numpy_stop_gradients_and_a_function_carries_them() -> None:
    assert "floating point" in str(outside.measure("integers").error)
    assert "Can't call numpy() on Tensor that requires grad" in str(outside.measure("refused").error)
    cut = outside.measure("round-trip")
    assert "does not require grad" in str(cut.error)
    assert cut.line == 8
    assert outside.measure("function").grad == (8, 16, 24)
