"""Each kind of fault is found in snippets written for it, and sound look-alikes raise no fault."""

import pytest

from snippets import run
from tests.snippets.diagnose import faults_inplace, faults_recording, faults_training

MODULES = (faults_recording, faults_inplace, faults_training)
FAULTY = [
    pytest.param(category, code, id=f"{category}-{number}")
    for module in MODULES
    for category, snippets in module.FAULTY.items()
    for number, code in enumerate(snippets, 1)
]
SOUND = [
    pytest.param(code, id=f"{kind}-{number}")
    for module in MODULES
    for kind, snippets in module.SOUND.items()
    for number, code in enumerate(snippets, 1)
]


@pytest.mark.parametrize(("category", "code"), FAULTY)
def test_fault_is_among_the_first_three_reports(category: str, code: str, caplog: pytest.LogCaptureFixture) -> None:
    result = run(code.strip() + "\n")
    found = [report["category"] for report in result.diagnosis[:3]]
    assert category in found, (result.error, result.stdout, result.diagnosis)
    assert "failed" not in caplog.text


@pytest.mark.parametrize("code", SOUND)
def test_sound_program_raises_no_fault(code: str, caplog: pytest.LogCaptureFixture) -> None:
    result = run(code.strip() + "\n")
    assert result.error is None, result.error
    faults = [report for report in result.diagnosis if report["severity"] == "fault"]
    assert not faults
    assert "failed" not in caplog.text
