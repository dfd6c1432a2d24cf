"""Frames: one a thing that happens, with its words, its numbers and what changes in the picture."""

from __future__ import annotations

import json
import time

import pytest

import autograd
from autograd.frames import Frame, find, frames, walk
from autograd.record import recording
from autograd.trace import Contribute, Forward, Free, LeafGrad, Trace, Visit
from tests.autograd import sketch


def kinds(trace: Trace) -> list[str]:
    return [frame.kind for frame in frames(trace)]


def test_quadratic_is_thirteen_steps() -> None:
    assert kinds(sketch.quadratic()) == ["forward"] * 5 + ["backward_start"] + ["contribute"] * 5 + [
        "leaf_grad",
        "backward_end",
    ]


@pytest.mark.claim("C17", "C18")
def test_the_ledger_of_x_is_6_then_2_then_8() -> None:
    walked = walk(sketch.quadratic())
    first = walked.frames[find(walked.frames, "accumulate", "x")]
    second = walked.frames[find(walked.frames, "accumulate", "x", 2)]
    assert first.ledger == ("1:n0", 1, 1)
    assert second.ledger == ("1:n0", 2, 0)
    assert [(e["via"], e["added"], e["after"]) for e in walked.ledgers["1:n0"]] == [
        ("u = x²", "6", "6"),
        ("v = 2·x", "2", "8"),
    ]
    assert first.texts["n0-grad"] == "6"
    assert second.texts["n0-grad"] == "6 + 2 = 8"


def test_a_contribution_and_its_arrival_are_one_step() -> None:
    frame = frames(sketch.quadratic())[9]
    assert frame.text.startswith("u passes 1 × 2·x = 1 × 6 = 6 to x.")
    assert frame.product is not None
    assert (frame.product["upstream"], frame.product["local"], frame.product["value"]) == ("1", "6", "6")
    assert frame.product["symbol"] == "2·x"
    assert frame.focus == ("n0", "e0", "n1")
    assert frame.texts["e0-label"] == "1 × 2·x = 6"


def test_x_times_x_counts_both_edges() -> None:
    walked = walk(sketch.square())
    assert [e["added"] for e in walked.ledgers["1:n0"]] == ["3", "3"]
    assert "3 + 3 = 6" in walked.frames[find(walked.frames, "accumulate", "x", 2)].text


def test_sums_settle_at_the_next_step() -> None:
    done = frames(sketch.quadratic())
    assert done[10].texts["n0-grad"] == "6 + 2 = 8"
    assert done[11].texts["n0-grad"] == "8"


def test_passes_are_numbered_and_a_new_pass_clears_the_picture() -> None:
    walked = walk(sketch.training())
    assert [p["title"] for p in walked.passes] == [
        "forward 1",
        "backward 1",
        "update 1",
        "forward 2",
        "backward 2",
        "update 2",
    ]
    start = walked.frames[find(walked.frames, "backward_start", occurrence=2)]
    assert start.texts["e0-label"] == ""
    assert start.texts["n0-grad"] == "–"
    assert [(p["first"], p["last"]) for p in walked.passes][-1][1] == len(walked.frames) - 1


def test_grad_adds_up_over_two_passes() -> None:
    done = frames(sketch.twice())
    frame = done[find(done, "leaf_grad", "x", 2)]
    assert frame.texts["n0-dotgrad"] == "6 + 6 = 12"
    assert "added, not put in its place: 6 + 6 = 12" in frame.text
    assert done[find(done, "backward_end", occurrence=2)].texts["n0-dotgrad"] == "12"


def test_every_event_is_shown_by_some_step() -> None:
    for name, make in sketch.ALL.items():
        trace = make()
        marks = [mark for frame in frames(trace) for mark in frame.marks]
        for event in trace.events:
            node = getattr(event, "node", None)
            if isinstance(event, Contribute):
                node = next(edge.src for edge in trace.edges if edge.id == event.edge)
            assert any(m[0] == event.kind and (node is None or m[1] == node) for m in marks), (name, event)


def test_free_is_told_with_the_last_contribution_of_its_node() -> None:
    done = frames(sketch.quadratic())
    frame = done[find(done, "free", "u")]
    assert frame.kind == "contribute"
    assert frame.states["n1"] == "freed"
    assert frame.text.endswith("u lets go of the 4 bytes it had saved.")


def test_optimizer_steps_and_cleared_gradients() -> None:
    done = frames(sketch.training())
    step = done[find(done, "step")]
    assert step.texts["n0-value"] == "1.6"
    assert step.text == "SGD steps: w goes from 1 to 1.6 (.grad -6)."
    cleared = done[find(done, "zero_grad", "w")]
    assert cleared.texts["n0-dotgrad"] == "None"
    assert "w.grad goes from -6 to None" in cleared.text


def test_mutation_and_error() -> None:
    done = frames(sketch.broken())
    mutate = done[find(done, "mutate", "x")]
    assert mutate.texts == {"n0-value": "4", "n0-version": "1"}
    assert done[-1].kind == "error"
    assert done[-1].text.startswith("The program stops here with RuntimeError:")


def test_the_result_of_an_in_place_operation_has_the_version_just_written() -> None:
    with recording("y = exp(x)") as recorder:
        x = autograd.tensor(2.0, requires_grad=True)
        y = autograd.exp(x)
        y.add_(1)
    done = frames(recorder.trace())
    assert done[find(done, "mutate", "n1")].texts["n1-version"] == "1"
    assert done[find(done, "forward", "n2")].texts["n2-version"] == "1"
    assert "n1-version" not in done[find(done, "forward", "n1")].texts


def test_arrays_show_rule_shapes_and_keep_their_entries() -> None:
    done = frames(sketch.arrays())
    frame = done[find(done, "accumulate", "weight")]
    assert frame.product is not None
    assert frame.product["rule"] == "gᵀ @ x"
    assert frame.product["shapes"] == ["1×2", "2×3"]
    assert frame.arrays["n1-grad"] == [["1", "2", "3"], ["0", "0", "0"]]


def test_a_visit_nothing_follows_gets_its_own_step() -> None:
    """torch.autograd.grad ends at a leaf without filling .grad."""
    full = sketch.twice()
    kept = [e for e in full.events if not isinstance(e, LeafGrad)]
    done = frames(Trace(full.source, full.nodes, full.edges, tuple(kept)))
    frame = done[find(done, "visit", "x")]
    assert frame.kind == "visit"
    assert frame.text == "The gradient of x is complete: 6."


def test_find_says_what_there_is() -> None:
    done = frames(sketch.quadratic())
    assert find(done, "accumulate", "x", -1) == 10
    assert find(done, "accumulate", "n0", 1) == 9
    assert find(done, "forward", "u") == 1
    assert find(done, "visit", "u") == 9
    assert find(done, "backward_start", pass_=1) == 5
    with pytest.raises(LookupError, match="accumulate of x 2 times; there is no occurrence 3"):
        find(done, "accumulate", "x", 3)
    with pytest.raises(LookupError):
        find(done, "accumulate", "x", 0)
    with pytest.raises(LookupError):
        find(done, "backward_start", pass_=2)


def test_the_same_name_twice_is_told_apart() -> None:
    done = frames(sketch.diamonds(3))
    assert "h₃ passes 1 × 1 = 1 to h₂." in done[5].text
    assert find(done, "forward", "h", 3) == 3


def test_predictions_ask_for_the_number_that_is_shown() -> None:
    done = frames(sketch.quadratic())
    assert done[1].predict is not None
    assert done[1].predict["answer"] == 9.0
    ask = done[10].predict
    assert ask is not None
    assert ask["question"] == "What does v pass to x? Upstream 1, local derivative 2."
    assert ask["answer"] == 2.0


def test_nan_and_infinity_are_shown() -> None:
    s = sketch.Sketch()
    x = s.leaf("x", "nan")
    s.op("y", "x / 0", "DivBackward0", "-inf", (x, 0, ""))
    done = frames(s.trace())
    assert done[0].texts["n0-value"] == "nan"
    assert done[1].texts["n1-value"] == "-inf"
    assert done[1].predict is None


def test_large_arrays_are_summarised() -> None:
    summary = {"shape": [100, 200], "min": -1.0, "max": 1.0, "mean": 0.25, "norm": 141.4, "sample": [0.0, 1.0]}
    s = sketch.Sketch()
    s.leaf("w", summary, shape=(100, 200))
    frame = frames(s.trace())[0]
    assert frame.texts["n0-value"] == "100×200 ‖141‖"
    assert "mean 0.25, norm 141.4" in frame.text


@pytest.mark.parametrize("name", sketch.ALL)
def test_frames_are_json_and_leave_out_what_is_empty(name: str) -> None:
    data = walk(sketch.ALL[name]()).to_dict()
    assert json.loads(json.dumps(data, allow_nan=False)) == data
    assert all(value not in (None, [], {}) for frame in data["frames"] for key, value in frame.items() if key != "line")


def test_a_thousand_nodes_stay_small_and_quick() -> None:
    nodes, edges = [], []
    base = sketch.quadratic().nodes
    events = []
    for i in range(1000):
        nodes.append(base[1].__class__(**{**_fields(base[1]), "id": f"n{i}", "name": f"h{i}"}))
        events.append(Forward(len(events), 1, f"n{i}", 1.0))
        if i:
            edges.append(sketch.TraceEdge(f"e{i}", f"n{i - 1}", f"n{i}", 0, True))
    for i in range(999, 0, -1):
        events.append(Visit(len(events), 1, 1, f"n{i}", 1.0))
        events.append(Contribute(len(events), 1, 1, f"e{i}", 1.0, 1.0, 1.0, "1"))
        events.append(sketch.Accumulate(len(events), 1, 1, f"n{i - 1}", None, 1.0, 1.0, 0))
        events.append(Free(len(events), 1, 1, f"n{i}", 4))
    trace = Trace("", tuple(nodes), tuple(edges), tuple(events))
    start = time.process_time()
    data = walk(trace).to_dict()
    assert time.process_time() - start < 5  # far above what it takes; catches quadratic growth
    assert len(json.dumps(data)) < 1_200_000


def _fields(node: sketch.TraceNode) -> dict[str, object]:
    return {name: getattr(node, name) for name in node.__slots__}


def test_frames_are_immutable() -> None:
    with pytest.raises(AttributeError):
        Frame("forward", 1, "").kind = "x"  # type: ignore[misc]
