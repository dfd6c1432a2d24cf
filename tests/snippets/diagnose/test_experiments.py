"""Experiments: the program changed in one place, run again, and what came of it in the report's evidence."""

from __future__ import annotations

import time
from typing import Any

import pytest

from snippets import Limits, Result, examples, run
from snippets.diagnose.experiments import outcome, with_experiments
from snippets.diagnose.proposals import proposals


def changed(source: str, limits: Limits) -> Result:
    """A run without a diagnosis, as experiments use it."""
    return run(source, diagnose=False, limits=limits)


def tried(source: str) -> dict[str, Any]:
    """The first report of a program, with its experiment. Time is no object here: the machine may be busy."""
    source = source.lstrip()
    result = with_experiments(source, run(source), changed, seconds=5, wall_seconds=30)
    return result.diagnosis[0]


TRAIN = """
import torch
w = torch.tensor(3.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
for i in range(5):
    opt.zero_grad()
    loss = (w - 1) ** 2
    loss.backward()
    opt.step()
"""

CASES = {
    "graph-cut": (
        """
import torch
x = torch.tensor(2.0, requires_grad=True)
w = torch.tensor(1.75)
h = 2 * (x + 1.5).detach()
y = h * w
y.backward()
""",
        "Tried: without .detach() on line 4, the program runs to its end and x.grad is 3.5.",
        "h = 2 * (x + 1.5)",
    ),
    "nothing-requires-grad": (
        """
import torch
x = torch.tensor([1.0, 2.0])
loss = (x * x).sum()
loss.backward()
""",
        "Tried: with requires_grad=True on line 2, the program runs to its end and x.grad is [2, 4].",
        "x = torch.tensor([1.0, 2.0], requires_grad=True)",
    ),
    "accumulation": (
        TRAIN.replace("    opt.zero_grad()\n", ""),
        "Tried: with opt.zero_grad() before the backward of line 6, w.grad is 1.6384 instead of 7.1104.",
        "opt.zero_grad(); loss.backward()",
    ),
    "sign": (
        TRAIN.replace("loss = (w - 1) ** 2", "loss = -(w - 1) ** 2"),
        "Tried: with the sign turned on line 7, loss goes from -4 to -0.67109 instead of from -4 to -17.199.",
        "(-(loss)).backward()",
    ),
    "optimizer-order": (
        TRAIN.replace("    opt.zero_grad()\n", "").replace("    opt.step()", "    opt.zero_grad()\n    opt.step()"),
        "Tried: with opt.zero_grad() before the backward of line 6, loss goes from 4 to 0.67109 instead of nowhere "
        "(it stays 4).",
        "opt.zero_grad(); loss.backward()\npass",
    ),
    "reduction-scale": (
        """
import torch
x = torch.arange(8.0)
w = torch.tensor(0.0, requires_grad=True)
opt = torch.optim.SGD([w], lr=0.02)
for i in range(4):
    opt.zero_grad()
    loss = ((w * x - 3 * x) ** 2).sum()
    loss.backward()
    opt.step()
""",
        "Tried: with mean() in place of sum() on line 7, loss goes from 157.5 to 0.11482 instead of from 1260 to "
        "1.1938e7.",
        "loss = ((w * x - 3 * x) ** 2).mean()",
    ),
    "inplace-modified-saved": (
        """
import torch
x = torch.tensor([0.0, 1.0], requires_grad=True)
y = torch.exp(x)
y *= 2
y.sum().backward()
""",
        "Tried: with y = y * 2 on line 4, the program runs to its end and x.grad is [2, 5.4366].",
        "y = y * 2",
    ),
    "missing-detach": (
        """
import torch
w = torch.tensor(1.0, requires_grad=True)
pred = w * 2
target = w * 3 + 1
loss = (pred - target) ** 2
loss.backward()
""",
        "Tried: with .detach() on line 4, w.grad is -8 instead of 4.",
        "target = (w * 3 + 1).detach()",
    ),
}


@pytest.mark.parametrize(("category", "case"), CASES.items(), ids=CASES)
def test_the_report_says_what_was_tried_and_what_came_of_it(category: str, case: tuple[str, str, str]) -> None:
    source, said, code = case
    report = tried(source)
    assert report["category"] == category
    assert report["evidence"].endswith(said)
    assert report["experiment"]["said"] == said
    assert report["experiment"]["code"] == code


def test_the_changed_program_keeps_its_lines() -> None:
    for source, _, _ in CASES.values():
        source = source.lstrip()
        result = run(source)
        assert result.trace is not None
        for experiment in proposals(source, result.trace, result.diagnosis[0]):
            assert len(experiment.source.splitlines()) == len(source.splitlines())
            compile(experiment.source, "<changed>", "exec")


def test_letters_of_several_bytes_before_the_place_do_not_shift_it() -> None:
    report = tried(
        "import torch\nπ = torch.tensor(2.0, requires_grad=True)\n"
        'é = "ü"; y = (π * π).detach(); z = y * 2\nz.backward()\n'
    )
    assert report["experiment"]["code"] == 'é = "ü"; y = (π * π); z = y * 2'


def test_run_asks_for_experiments() -> None:
    source = CASES["graph-cut"][0].lstrip()
    assert "Tried" not in run(source).diagnosis[0]["evidence"]
    reports = run(source, experiments=True).diagnosis
    assert reports[0]["category"] == "graph-cut"


def test_no_time_means_no_experiment() -> None:
    source = CASES["graph-cut"][0].lstrip()
    result = run(source)
    begin = time.monotonic()
    assert with_experiments(source, result, changed, wall_seconds=0.0) is result
    assert time.monotonic() - begin < 0.2


def test_a_change_that_makes_no_difference_says_nothing() -> None:
    result = run("import torch\nx = torch.tensor(1.0, requires_grad=True)\n(x * 2).backward()\n")
    assert outcome(result, result) == ""


def test_a_change_that_fails_says_nothing() -> None:
    good = run("import torch\nx = torch.tensor(1.0, requires_grad=True)\n(x * 2).backward()\n")
    bad = run("import torch\nx = torch.tensor(1.0)\n(x * 2).backward()\n")
    assert outcome(good, bad) == ""


def test_chance_that_differs_from_run_to_run_is_not_tried() -> None:
    source = (
        "import torch\nimport random\nx = torch.tensor(random.random(), requires_grad=True)\n"
        "y = (x * 2).detach()\ny.backward()\n"
    )
    result = run(source)
    assert with_experiments(source, result, changed) is result


def test_sound_programs_are_not_run_again() -> None:
    def never(source: str, limits: Limits) -> Result:
        raise AssertionError("nothing to try")

    for name in ("quadratic", "mlp", "training-step"):
        source = examples.load(name).source
        with_experiments(source, run(source), never)
