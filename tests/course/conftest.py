"""A store of its own for each test, and a small course whose programs are plain Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from course import concepts, paths, questions, variants
from course.store import Store, open_store

BANK = '''
[[question]]
id = "{slug}-1"
kind = "single"
prompt = "What is {a} + {b}?"
code = """
x = {a} + {b}
"""
explanation = "{a} + {b} = {answer}"
[question.parameters]
a = [2, 3, 5]
b = [1, 4]
[question.compute]
answer = "x"
product = "{a} * {b}"
[[question.option]]
text = "{answer}"
correct = true
why = "right-single: it is the sum {answer}"
[[question.option]]
text = "{product}"
correct = false
misconception = "multiplied"
why = "wrong-single: this multiplies"
[[question.option]]
text = "none of these"
correct = false
misconception = "gave-up"
why = "none-single: one of them is right"

[[question]]
id = "{slug}-2"
kind = "several"
prompt = "Which are even?"
explanation = "Even numbers are multiples of two."
[[question.option]]
text = "two"
correct = true
why = "why-two"
[[question.option]]
text = "four"
correct = true
why = "why-four"
[[question.option]]
text = "five"
correct = false
why = "why-five"

[[question]]
id = "{slug}-3"
kind = "number"
prompt = "Half of {a}?"
code = "x = {a} / 2"
explanation = "{a} / 2 = {answer}"
answer = "answer"
tolerance = 0.01
[question.parameters]
a = [3, 5, 7]
[question.compute]
answer = "x"
double = "{a} * 2"
[[question.option]]
text = "{answer}"
correct = true
why = "why-half"
[[question.option]]
text = "{double}"
correct = false
misconception = "doubled"
why = "why-double"

[[question]]
id = "{slug}-4"
kind = "order"
prompt = "In order, please."
explanation = "One comes before two."
lines = ["one()", "two()", "three()"]
[[question.option]]
text = "one()"
correct = true
why = "why-one"
[[question.option]]
text = "two()"
correct = true
why = "why-two"
[[question.option]]
text = "three()"
correct = true
why = "why-three"

[[question]]
id = "{slug}-5"
kind = "node"
prompt = "Click u."
code = "u = 1"
explanation = "It is u."
[[question.option]]
text = "u"
correct = true
why = "why-u"
[[question.option]]
text = "v"
correct = false
why = "why-v"
'''


@dataclass(frozen=True)
class FakeNode:
    """A node of a fake graph."""

    id: str
    name: str


@dataclass(frozen=True)
class FakeTrace:
    """A graph of two nodes."""

    nodes: tuple[FakeNode, ...] = (FakeNode("n0", "u"), FakeNode("n1", "v"))


@dataclass(frozen=True)
class FakeRun:
    """What running plain Python gave."""

    values: dict[str, Any]
    error: dict[str, Any] | None = None
    trace: FakeTrace = field(default_factory=FakeTrace)


def run_python(source: str, *, trace: bool = False) -> FakeRun:
    """Run plain Python in place of the engine."""
    namespace: dict[str, Any] = {}
    try:
        exec(source, namespace)
    except Exception as error:
        return FakeRun({}, {"type": type(error).__name__, "message": str(error), "line": 1})
    return FakeRun({name: value for name, value in namespace.items() if not name.startswith("_")})


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """An empty progress database in a file of its own."""
    opened = open_store(f"sqlite:///{tmp_path / 'progress.db'}")
    yield opened
    opened.close()


@pytest.fixture
def small_course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Three concepts with five questions each, one of every kind; the folder of their files."""
    folder = tmp_path / "questions"
    folder.mkdir()
    monkeypatch.setattr(paths, "QUESTIONS", folder)
    monkeypatch.setattr(variants, "run", run_python)
    for slug in concepts.SLUGS[:3]:
        (folder / f"{slug}.toml").write_text(BANK.replace("{slug}", slug), encoding="utf-8")
    clear_caches()
    yield folder
    clear_caches()


def clear_caches() -> None:
    """Forget content that was read."""
    questions.of.cache_clear()
    variants.fill.cache_clear()
    variants.draw_with_key.cache_clear()
