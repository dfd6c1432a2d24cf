"""Very long walks: few steps, the same numbers."""

from __future__ import annotations

import json

import pytest

from autograd import frames as frames_module
from autograd.digest import digest
from autograd.frames import find, walk
from autograd.trace import Trace
from tests.autograd import sketch


def final(frames: list[frames_module.Frame]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for frame in frames:
        texts.update(frame.texts)
    return {slot: text for slot, text in texts.items() if not slot.startswith("e")}


@pytest.mark.parametrize("name", ["quadratic", "square", "diamonds", "cuts", "arrays"])
def test_ends_with_the_numbers_of_the_full_walk(name: str) -> None:
    trace = sketch.ALL[name]()
    full, short = final(list(walk(trace).frames)), final(list(digest(trace).frames))
    assert {slot: text for slot, text in short.items() if "version" not in slot} == full


def test_tells_forward_and_backward_apart_and_finds_its_events() -> None:
    done = digest(sketch.training())
    assert [p["part"] for p in done.passes] == ["forward", "backward", "update"] * 2
    assert done.frames[find(done.frames, "leaf_grad", "w", 2)].pass_ == 2
    assert done.frames[0].text == "4 tensors are computed. The last is loss = 9."
    assert json.dumps(done.to_dict())


def test_a_long_trace_is_walked_in_few_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    trace: Trace = sketch.diamonds(30)
    monkeypatch.setattr(frames_module, "LONGEST", 50)
    assert len(walk(trace).frames) <= 4
    monkeypatch.undo()
    assert len(walk(sketch.diamonds(30)).frames) > 60


def test_an_error_keeps_its_step() -> None:
    assert digest(sketch.broken()).frames[-1].text.startswith("The program stops here with RuntimeError")
