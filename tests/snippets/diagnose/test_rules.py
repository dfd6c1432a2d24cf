"""Every category: its faults are found, on their line, and the doctor is silent on what only looks like them."""

import importlib
import pkgutil
from collections import Counter
from types import ModuleType

import pytest

from snippets import run
from snippets.diagnose import rules
from snippets.diagnose.report import CONCEPT, FAULT
from tests.snippets.diagnose import programs

MARK = "  # fault"
FILES: list[ModuleType] = [
    importlib.import_module(f"{programs.__name__}.{found.name}") for found in pkgutil.iter_modules(programs.__path__)
]


def collected(table: str) -> list[tuple[str, str, str]]:
    """(category, program, its name in the tests) of every program of FAULTY or SOUND."""
    return [
        (category, code.strip() + "\n", f"{category}-{number}")
        for file in FILES
        for category, codes in getattr(file, table).items()
        for number, code in enumerate(codes, 1)
    ]


FAULTY, SOUND = collected("FAULTY"), collected("SOUND")


@pytest.mark.parametrize(("category", "code"), [one[:2] for one in FAULTY], ids=[one[2] for one in FAULTY])
def test_a_fault_is_found_on_its_line(category: str, code: str, caplog: pytest.LogCaptureFixture) -> None:
    result = run(code)
    found = {report["category"]: report["line"] for report in result.diagnosis[:3]}
    marked = [number for number, line in enumerate(code.splitlines(), 1) if line.endswith(MARK)]
    assert category in found, (result.error, result.stdout, result.diagnosis)
    assert [found[category]] == marked
    assert "failed" not in caplog.text


@pytest.mark.parametrize(("category", "code"), [one[:2] for one in SOUND], ids=[one[2] for one in SOUND])
def test_a_sound_program_raises_no_fault(category: str, code: str, caplog: pytest.LogCaptureFixture) -> None:
    result = run(code)
    assert result.error is None, result.error
    assert not [r for r in result.diagnosis if r["severity"] == FAULT or r["category"] == category]
    assert "failed" not in caplog.text


def test_every_category_has_three_faults_and_three_sound_programs() -> None:
    faults, sound = (Counter(one[0] for one in table) for table in (FAULTY, SOUND))
    assert {name for name in CONCEPT if faults[name] < 3} == {"not-a-fault"}
    assert not {name for name in CONCEPT if sound[name] < 3}
    assert set(faults) | set(sound) == set(CONCEPT)


def test_the_programs_are_in_files_named_after_the_rules() -> None:
    named_so = {found.name for found in pkgutil.iter_modules(rules.__path__)}
    assert {file.__name__.rpartition(".")[2] for file in FILES} == named_so | {"suspicious"}


def test_no_program_stands_there_twice() -> None:
    codes = [one[1] for one in FAULTY + SOUND]
    assert len(set(codes)) == len(codes)
