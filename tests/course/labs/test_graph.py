"""Tracking, depth, paths and the small engine, against numbers worked out by hand."""

from __future__ import annotations

import pytest

from course.labs import depth, diamonds, path, small_engine, tracking


@pytest.mark.claim("C05")
@pytest.mark.parametrize(
    ("asking", "recorded", "grads"),
    [
        # y = a b c + c at (2, 3, 4)
        ("a", {"mixed", "y"}, {"a": 12, "b": None, "c": None}),
        ("b", {"plain", "mixed", "y"}, {"a": None, "b": 8, "c": None}),
        ("abc", {"plain", "mixed", "y"}, {"a": 12, "b": 8, "c": 7}),
    ],
)
def test_what_is_recorded_follows_from_who_asks(asking: str, recorded: set[str], grads: dict[str, object]) -> None:
    found = tracking.measure(frozenset(asking))
    assert {name for name, kept in found.tensors.items() if kept} == recorded
    assert found.grads == grads
    assert found.held > 0


@pytest.mark.claim("C06")
def test_nothing_is_recorded_or_held_when_nobody_asks() -> None:
    found = tracking.measure(frozenset())
    assert set(found.tensors.values()) == {False}
    assert set(found.functions.values()) == {"none"}
    assert found.held == 0
    assert found.grads is None


@pytest.mark.claim("C04")
@pytest.mark.parametrize("layers", [1, 3, 25])
def test_depth_changes_counts_and_nothing_else(layers: int) -> None:
    found = depth.measure(layers)
    # A layer is a transposed weight, a product with bias, a tanh; the last Linear has no tanh, and a mean ends it.
    assert found.functions == {
        "TBackward0": layers + 1,
        "AddmmBackward0": layers + 1,
        "TanhBackward0": layers,
        "MeanBackward0": 1,
    }
    assert found.operations == 3 * layers + 3
    assert found.leaves == 2 * (layers + 1)
    # from the first weight: its transpose, then product and tanh for each layer, the last product, the mean
    assert found.longest == 1 + 2 * layers + 1 + 1


@pytest.mark.claim("C19")
@pytest.mark.parametrize(
    ("x", "rounds", "turns", "value", "slope"),
    [
        (2.0, 3, ["x * x", "y * x", "y - 3"], 5, 12),
        (1.0, 3, ["x * x", "y * x", "y * x"], 1, 4),
        (3.0, 3, ["x * x", "y - 3", "y - 3"], 3, 6),
    ],
)
def test_the_path_that_ran(x: float, rounds: int, turns: list[str], value: float, slope: float) -> None:
    found = path.measure(x, rounds)
    assert (found.turns, found.value, found.slope) == (turns, value, slope)


@pytest.mark.claim("C16")
@pytest.mark.parametrize("count", [1, 3, 10, diamonds.DEEPEST])
def test_visits_are_linear_and_calls_double(count: int) -> None:
    found = diamonds.measure(count)
    assert found.visits == count + 1
    assert found.calls == 2 ** (count + 1) - 1
    assert found.grad == 2**count


@pytest.mark.claim("C16")
def test_the_calls_make_a_tree_whose_leaves_are_the_paths() -> None:
    calls = diamonds.calls(3)
    assert len(calls) == diamonds.measure(3).calls == 15
    assert [sum(call.depth == depth for call in calls) for depth in range(4)] == [1, 2, 4, 8]
    assert calls[0].caller is None
    assert all(calls[call.caller].depth == call.depth - 1 for call in calls if call.caller is not None)


@pytest.mark.claim("C18")
@pytest.mark.parametrize(
    ("adds", "swapped", "small"), [(True, False, 8), (True, True, 8), (False, False, 2), (False, True, 6)]
)
def test_overwriting_keeps_only_the_path_that_came_last(adds: bool, swapped: bool, small: float) -> None:
    found = small_engine.measure(adds, swapped)
    assert (found.small, found.full) == (small, 8)
    assert sum(line.split()[0] == "x" for line in found.said) == 2


@pytest.mark.claim("C53")
@pytest.mark.parametrize("slug", [one.slug for one in small_engine.FEATURES])
def test_every_feature_tells_the_engines_apart(slug: str) -> None:
    found = small_engine.compare(slug)
    assert found.small != found.full
    wrong = {
        "schedule": "2047 visits",
        "freed": "b.grad 2.0",
        "in-place": "a.grad 6.0",
        "memory": "still linked: 6",
    }
    if slug in wrong:
        assert (found.small.error, found.small.said) == (None, wrong[slug])
    else:
        assert found.small.error is not None
        assert found.small.error.startswith(("TypeError", "RecursionError"))
    refused = {"freed": "a second time", "in-place": "modified by an inplace operation"}
    if slug in refused:
        assert refused[slug] in str(found.full.error)
    else:
        assert found.full.error is None
