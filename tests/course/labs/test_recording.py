"""no_grad, eval, detach, a second backward, writing in place."""

from __future__ import annotations

import math

import pytest

from course.labs import cutting, evaluating, lifetime, overwriting, unrecorded


@pytest.mark.claim("C37")
def test_the_block_has_the_same_value_and_nothing_is_kept() -> None:
    recorded, no_grad = unrecorded.measure("recorded"), unrecorded.measure("no_grad")
    assert recorded.value == no_grad.value == pytest.approx(math.tanh(math.exp(0.5) ** 2))
    assert (len(recorded.recorded), len(no_grad.recorded)) == (3, 0)
    assert (recorded.held > 0, no_grad.held) == (True, 0)
    assert no_grad.grad == no_grad.value  # d(w z)/dw = z
    assert unrecorded.seconds("no_grad", turns=2) > 0


@pytest.mark.claim("C38")
def test_an_inference_tensor_is_refused_later() -> None:
    found = unrecorded.measure("inference_mode")
    assert found.grad is None
    assert "Inference tensors cannot be saved for backward" in found.later


@pytest.mark.claim("C39")
@pytest.mark.parametrize("recorded", [True, False])
def test_eval_changes_the_output_and_no_grad_the_recording(recorded: bool) -> None:
    train, evaluated = evaluating.measure("train", recorded), evaluating.measure("eval", recorded)
    assert train.output == pytest.approx((-1, 1), abs=1e-4)
    assert evaluated.output == pytest.approx((1, 3), abs=1e-4)
    assert (train.running_mean, evaluated.running_mean) == pytest.approx((0.2, 0))
    assert train.recorded is evaluated.recorded is recorded
    for cell in (train, evaluated):
        assert cell.weight_before == cell.weight_after == 1


@pytest.mark.claim("C39")
def test_dropout_drops_in_train_only() -> None:
    assert 60 < evaluating.dropout("train", 0.5).zeros < 140
    assert (evaluating.dropout("eval", 0.5).zeros, evaluating.dropout("eval", 0.5).mean) == (0, 1)


@pytest.mark.claim("C40", "C42", "C43")
@pytest.mark.parametrize(
    ("way", "teacher", "recorded", "held"),
    [("neither", 16, 1, 4), ("detach", None, 1, 4), ("no_grad", None, 0, 0)],
)
def test_two_ways_to_cut_the_teacher_off(way: str, teacher: float | None, recorded: int, held: int) -> None:
    found = cutting.measure(way)
    # loss = (student x - teacher x)² at student 1, teacher 3, x 2
    assert (found.loss, found.student, found.teacher) == (16, -16, teacher)
    assert (len(found.teacher_recorded), found.held) == (recorded, held)
    assert found.missing == (None if way == "neither" else 16)


@pytest.mark.claim("C41")
@pytest.mark.parametrize(
    ("alias", "x", "version"), [("detach", (10, 2, 3), 1), ("view", (1, 10, 3), 1), ("clone", (1, 2, 3), 0)]
)
def test_who_shares_storage(alias: str, x: tuple[float, ...], version: int) -> None:
    found = cutting.write(alias)
    assert (found.x, found.version, found.shares) == (x, version, alias != "clone")


@pytest.mark.claim("C45", "C46")
def test_each_repair_and_what_it_holds() -> None:
    slope = 2 * math.e  # d/dx exp(x)² = 2 exp(2x), at one half
    none, retain, again = (lifetime.measure(repair) for repair in ("none", "retain", "again"))
    assert none.grad == pytest.approx(slope)
    assert "a second time" in str(none.error)
    assert retain.error is again.error is None
    assert retain.grad == pytest.approx(2 * slope)
    assert again.grad == pytest.approx(2 * slope)
    assert (none.held[-1], retain.held[-1], again.held[-1]) == (0, 8, 0)
    assert max(retain.held) == max(again.held) == 8


@pytest.mark.claim("C47", "C48")
@pytest.mark.parametrize("operation", list(overwriting.OPERATIONS))
@pytest.mark.parametrize("write", list(overwriting.WRITES))
def test_a_rule_objects_exactly_when_what_it_kept_was_written_to(operation: str, write: str) -> None:
    found = overwriting.measure(operation, write)
    wrote = write in ("itself", "view", "detach")
    assert found.version == int(wrote)
    if wrote and overwriting.KEEPS[operation] == "its result":
        assert "modified by an inplace operation" in str(found.error)
        assert found.grad is None
        assert found.line == 5
    else:
        slopes = {
            "exp": lambda x: math.exp(x),
            "tanh": lambda x: 1 - math.tanh(x) ** 2,
            "square": lambda x: 2 * x,
            "sin": lambda x: math.cos(x),
            "double": lambda x: 2,
        }
        assert found.error is None
        assert found.grad == pytest.approx([slopes[operation](x) for x in (0.0, 1.0)], rel=1e-5)
