"""What the cards tell the learner to change, and what they say will happen then."""

from __future__ import annotations

import pytest

from snippets import run
from tests.claims.programs import data, events, example, grad, ran, traced


@pytest.mark.claim("C27", "C28")
def test_a_large_learning_rate_overshoots_and_an_eighth_lands_on_the_target() -> None:
    def losses(lr: float) -> list[float]:
        result = ran(example("training-step", lr=lr))
        ids = [node.id for node in traced(result).nodes if node.name == "loss"]
        return [event.value for event in traced(result).events if event.kind == "forward" and event.node in ids]

    assert losses(0.1) == pytest.approx([4, 0.16])
    assert losses(0.3) == pytest.approx([4, 7.84])
    assert losses(0.125) == pytest.approx([4, 0])
    first = events(traced(ran(example("training-step", lr=0.3))), "step")[0]
    assert first.parameters[0]["after"][0][0] == pytest.approx(3.4)


@pytest.mark.claim("C39")
def test_half_a_dropout_masks_or_doubles_in_training_mode_only() -> None:
    seen = set()
    for seed in range(12):
        result = ran(f"import torch\ntorch.manual_seed({seed})\n" + example("eval-mode", p=0.5), trace=False)
        seen.add(data(result, "train_out"))
        assert data(result, "eval_out") == 6
    assert seen == {0, 12}


@pytest.mark.claim("C45")
def test_each_pass_over_a_retained_graph_adds_the_same_again() -> None:
    result = run(example("second-backward", x=5.0), trace=True)
    assert [event.after for event in events(traced(result), "leaf_grad", "x")] == [10, 20]
    assert traced(result).events[-1].kind == "error"
    assert grad(result, "x") == 20


@pytest.mark.claim("C32")
@pytest.mark.parametrize(("result", "contributions"), [("h", 1), ("out", 2)])
def test_one_product_goes_on_from_h_and_two_from_out(result: str, contributions: int) -> None:
    trace = traced(ran(example("two-matmuls", batch=8)))
    node = next(one.id for one in trace.nodes if one.name == result)
    into = {edge.id for edge in trace.edges if edge.dst == node}
    assert sum(event.kind == "contribute" and event.edge in into for event in trace.events) == contributions


@pytest.mark.claim("C36")
def test_a_checkpointed_segment_is_computed_again_once() -> None:
    def exponentials(saving: int) -> int:
        trace = traced(ran(example("checkpoint-segment", saving=saving)))
        return sum(node.op == "exp" for node in trace.nodes)

    assert exponentials(saving=0) == 1
    assert exponentials(saving=1) == 2


@pytest.mark.claim("C49")
def test_a_central_difference_at_the_kink_is_the_mean_of_both_slopes() -> None:
    h = 0.001
    ends = [data(ran(example("kink-at-zero", x=x), trace=False), "y") for x in (h, -h)]
    assert (ends[0] - ends[1]) / (2 * h) == pytest.approx(0.5)
