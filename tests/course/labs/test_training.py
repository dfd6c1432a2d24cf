"""Accumulation, the four lines, Iris, batches and the wrong sign; numbers by hand, or as PyTorch 2.13 gives them."""

from __future__ import annotations

import pytest

from course.labs import accumulation, batches, four_lines, iris, sign
from snippets import run


@pytest.mark.claim("C25", "C26")
def test_cleared_gradients_shrink_and_summed_ones_swing() -> None:
    cleared = accumulation.measure("to None", True)
    # w - 1 is multiplied by 0.8 in each step
    assert cleared.grads == pytest.approx([6 * 0.8**step for step in range(12)], rel=1e-5)
    summed = accumulation.measure("not at all", True)
    assert summed.grads == pytest.approx(
        [6, 10.8, 13.44, 13.392, 10.666, 5.806, -0.215, -6.192, -10.932, -13.485, -13.341, -10.529], abs=1e-3
    )
    assert accumulation.measure("not at all", False, 5).grads == (6, 12, 18, 24, 30)


@pytest.mark.claim("C26")
def test_what_the_slot_holds_after_clearing() -> None:
    assert accumulation.measure("to None", True).slot == "None"
    assert accumulation.measure("to zeros", True).slot == "0"
    assert accumulation.measure("to zeros", True).grads == accumulation.measure("to None", True).grads


@pytest.mark.claim("C27")
@pytest.mark.parametrize(
    ("order", "path", "verdict"),
    [
        ("zero forward backward step", [1.8, 1.96, 1.992], "same"),
        ("forward zero backward step", [1.8, 1.96, 1.992], "same"),
        ("forward backward step zero", [1.8, 1.96, 1.992], "same"),
        ("zero forward step backward", [1, 1, 1], "still"),
        ("forward backward zero step", [1, 1, 1], "still"),
        ("step zero forward backward", [1, 1.8, 1.96], "late"),
        ("forward step zero backward", [1, 1.8, 2.6], "different"),
    ],
)
def test_every_order_has_its_consequence(order: str, path: list[float], verdict: str) -> None:
    found = four_lines.measure(tuple(order.split()))
    assert [turn.w for turn in found.turns] == pytest.approx(path, abs=1e-4)
    assert found.verdict == verdict


@pytest.mark.claim("C27")
def test_backward_before_any_forward_stops() -> None:
    found = four_lines.measure(("zero", "backward", "forward", "step"))
    assert (found.verdict, found.turns) == ("error", ())
    result = run(four_lines.program(found.order), diagnose=False)
    assert result.error is not None
    assert f"{result.error['type']}: {result.error['message']}" == found.error


@pytest.mark.parametrize("order", four_lines.every_order(), ids=lambda one: "-".join(one.order))
def test_the_program_shown_does_what_was_measured(order: four_lines.Order) -> None:
    if order.error is None:
        result = run(four_lines.program(order.order), diagnose=False, trace=False)
        assert result.values["w"]["data"] == order.turns[-1].w
        assert result.values["w"]["grad"] == order.turns[-1].grad


@pytest.mark.claim("C28")
def test_each_line_changes_its_own_thing() -> None:
    assert four_lines.measure(four_lines.RIGHT).turns[0].changes == {
        "zero": "nothing",
        "forward": "nothing",
        "backward": "w.grad None → -8",
        "step": "w 1 → 1.8",
    }


@pytest.mark.claim("C29")
@pytest.mark.parametrize(
    ("setting", "last", "accuracy"),
    [
        (iris.Setting(), 0.20929, 0.9333),
        (iris.Setting(lr=0.01), 0.53161, 0.7333),
        (iris.Setting(batch=120), 0.43416, 0.9333),
    ],
)
def test_iris_trains_as_under_pytorch(setting: iris.Setting, last: float, accuracy: float) -> None:
    found = iris.trained(setting)
    assert found.points[-1].loss == pytest.approx(last, abs=2e-4)
    assert found.accuracy[-1] == pytest.approx(accuracy, abs=1e-3)
    assert len(found.points) == iris.EPOCHS * found.steps_an_epoch


@pytest.mark.claim("C29")
def test_the_first_and_last_gradient_norm_are_pytorchs() -> None:
    found = iris.trained(iris.Setting())
    assert (found.points[0].loss, found.points[0].norm) == pytest.approx((0.98862, 1.01848), abs=1e-4)
    assert found.points[-1].norm == pytest.approx(0.17065, abs=2e-4)


@pytest.mark.claim("C29")
@pytest.mark.parametrize("step", [0, 77, 159])
def test_any_step_opens_as_a_program(step: int) -> None:
    result = run(iris.trained(iris.Setting()).program(step), diagnose=False)
    assert result.error is None
    assert result.trace is not None
    assert {event.kind for event in result.trace.events} >= {"zero_grad", "leaf_grad", "step"}
    assert 0 < result.values["loss"]["data"] < 2


@pytest.mark.claim("C30")
def test_pieces_agree_with_the_batch_when_scaled_and_equal() -> None:
    found = batches.pieces(4)
    assert found.whole == found.scaled == (-1.607421875, -1.84375)
    assert found.unscaled == (4 * -1.607421875, 4 * -1.84375)
    uneven = batches.pieces(4, last_short=True)
    assert uneven.sizes == (8, 8, 8, 4)
    assert uneven.scaled == (-1.3203125, -1.6875)
    assert uneven.whole == pytest.approx((-1.08398, -1.21875), abs=1e-5)


@pytest.mark.claim("C31")
def test_a_sum_grows_with_the_batch_and_a_mean_does_not() -> None:
    assert batches.norms("sum") == pytest.approx((4.243, 3.406, 6.884, 16.539, 31.093, 78.274), abs=1e-3)
    assert batches.norms("mean") == pytest.approx((4.243, 1.703, 1.721, 2.067, 1.943, 2.446), abs=1e-3)


@pytest.mark.claim("C52")
def test_gradcheck_passes_for_either_sign_and_only_one_comes_nearer() -> None:
    right, wrong = sign.measure(False), sign.measure(True)
    assert right.gradcheck
    assert wrong.gradcheck
    assert right.weights[1] == pytest.approx(1.8)
    assert wrong.weights[1] == pytest.approx(0.2)
    assert right.distances[-1] < right.distances[0] < wrong.distances[-1]
    assert list(wrong.losses) == sorted(wrong.losses, reverse=True)  # the loss as written does go down
