"""Pasted error messages: known ones are explained, unknown ones are not guessed at."""

from __future__ import annotations

import re

import pytest

from course import concepts
from snippets import explain, run, symptoms
from snippets.explain import Explanation, Unknown

#: Programs and the title of what their error or warning is explained as.
RAISING = {
    "torch.tensor(1.0).backward()": "There is nothing to go back through",
    "x = torch.ones(2, requires_grad=True); y = x * x; y.sum().backward(); y.sum().backward()": "freed already",
    "x = torch.ones(2, requires_grad=True); y = x.exp(); y += 1; y.sum().backward()": "overwritten",
    "x = torch.ones(2, requires_grad=True); x += 1": "A leaf is changed",
    "x = torch.ones(2, requires_grad=True); x[0] = 1": "A part of a leaf",
    "x = torch.ones(2, requires_grad=True); (x * x).backward()": "backward from many numbers needs weights",
    "x = torch.ones(2, requires_grad=True); (x * x).backward(torch.ones(3))": "wrong shape",
    "x = torch.ones(2); x.grad.zero_()": "most likely a .grad",
    "x = torch.ones(2, requires_grad=True) * 2; x.requires_grad = False": "Only a leaf can be marked",
    "x = torch.ones(2, requires_grad=True); x.numpy()": "NumPy cannot hold the history",
    "torch.tensor([1, 2], requires_grad=True)": "Whole numbers have no derivative",
    "torch.optim.SGD([], lr=1)": "nothing to optimise",
    "torch.ones(2, 3) @ torch.ones(2, 3)": "The sizes of two layers do not meet",
    "torch.ones(3) + torch.ones(4)": "cannot be broadcast",
    "torch.ones(6).view(4, 2)": "Not that many entries",
    "torch.nn.functional.cross_entropy(torch.ones(2, 3), torch.tensor([0, 5]))": "A class number that does not exist",
    "torch.nn.functional.mse_loss(torch.ones(2, 1), torch.ones(2))": "The loss broadcasts",
    "torch.nn.BatchNorm1d(3)(torch.ones(1, 3))": "a batch of one",
    "torch.ones(3).item()": "item() needs exactly one number",
    "bool(torch.ones(3) > 0)": "if wants one yes or no",
    "sum([1.5]).backward()": "A plain Python value",
    "w = torch.ones(1, requires_grad=True); print((w * 2).grad)": "does not keep its gradient",
    "torch.tensor(2.0, require_grad=True)": "An argument of that name does not exist",
    "torch.nograd()": "The module has no such name",
    "torch.nn.parameter(torch.ones(2))": "A module is called as if it were a class",
    "torch.ones(3)[torch.tensor([0.0, 2.0])]": "An index must be a whole number",
    "torch.nn.Embedding(3, 2)(torch.tensor([0.0]))": "The argument has the wrong dtype",
    "torch.nn.functional.kl_div(torch.zeros(1, 2), torch.ones(1, 2))": "kl_div divides by too much",
    "torch.tensor(torch.ones(2))": "A tensor is made from a tensor",
    "torch.ones(1).std()": "A spread of a single value",
}

TRACEBACK = """Traceback (most recent call last):
  File "/home/ada/train.py", line 31, in <module>
    main()
  File "/home/ada/train.py", line 22, in main
    loss.backward()
  File "/usr/lib/python3.11/site-packages/torch/_tensor.py", line 647, in backward
    torch.autograd.backward(
  File "/usr/lib/python3.11/site-packages/torch/autograd/__init__.py", line 354, in backward
    _engine_run_backward(
RuntimeError: element 0 of tensors does not require grad and does not have a grad_fn
"""


@pytest.mark.parametrize(("program", "title"), RAISING.items())
def test_what_the_engine_says_is_explained(program: str, title: str) -> None:
    result = run(f"import torch\n{program}\n", trace=False, diagnose=False)
    said = f"{result.error['type']}: {result.error['message']}" if result.error else result.warnings[0]["message"]
    found = explain.explain(said)
    assert isinstance(found, Explanation), said
    assert title in found.title
    assert found.means
    assert found.causes
    assert found.look


def test_a_traceback_points_at_the_last_line_of_the_readers_own_file() -> None:
    found = explain.explain(TRACEBACK)
    assert isinstance(found, Explanation)
    assert found.where == ("train.py", 22, "loss.backward()")
    assert found.symptom == "does-not-require-grad"


def test_numbers_of_the_message_are_in_the_answer() -> None:
    found = explain.explain("RuntimeError: mat1 and mat2 shapes cannot be multiplied (32x784 and 512x10)")
    assert isinstance(found, Explanation)
    assert "784 columns" in found.means
    assert "512 rows" in found.means
    assert "{" not in found.means


def test_an_unknown_message_gets_an_honest_answer() -> None:
    found = explain.explain("FrobnicationError: the frobnicator has left the building")
    assert found == Unknown("FrobnicationError", None, None)
    general = explain.explain("NameError: name 'lss' is not defined")
    assert isinstance(general, Unknown)
    assert general.general is not None


def test_nothing_pasted_is_no_message() -> None:
    assert explain.explain("  \n ") is None


def test_a_message_broken_over_lines_is_recognised() -> None:
    found = explain.explain("Trying to backward through\n   the graph a second\ntime")
    assert isinstance(found, Explanation)


def test_every_entry_is_whole_and_points_somewhere_real() -> None:
    entries = [entry for _, entry in explain._table()]
    assert len(entries) > 60
    for entry in entries:
        groups = re.compile(entry["match"]).groupindex
        for text in (entry["title"], entry["means"], *entry["causes"], *entry["look"]):
            unknown = set(re.findall(r"\{(\w+)\}", text)) - set(groups) - {"0"}
            assert not unknown, (entry["title"], unknown)
        assert entry.get("concept") in (None, *concepts.slugs()), entry["title"]
        assert entry.get("symptom") in (None, *symptoms.slugs()), entry["title"]


def test_a_hostile_paste_is_answered_quickly() -> None:
    assert isinstance(explain.explain('File "' * 5000 + "Error: " * 2000), Unknown)
