"""The content that ships: complete, sound and varied."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from course import concepts, paths, questions
from course.__main__ import main
from course.check import check
from course.stats import stats

EVERY = [question for group in questions.bank().values() for question in group]


def test_the_content_has_no_fault() -> None:
    assert [str(fault) for fault in check()] == []


def test_there_are_25_cards_in_the_order_of_the_design() -> None:
    assert len(concepts.SLUGS) == 25
    assert [card.slug for card in concepts.all()] == list(concepts.SLUGS)
    assert [card.order for card in concepts.all()] == list(range(1, 26))


def test_the_bank_is_large_computed_and_explained_enough() -> None:
    counted = stats()
    assert counted["concepts"] == 25
    assert min(counted["questions_by_concept"].values()) >= 4
    assert counted["computed_questions"] * 3 >= counted["questions"]
    assert counted["options_without_explanation"] == 0


def test_every_kind_is_used_several_times() -> None:
    assert all(count >= 5 for count in Counter(question.kind for question in EVERY).values())
    assert len({question.kind for question in EVERY}) == 5


def test_every_claim_of_the_course_is_on_a_card() -> None:
    claimed = [claim for card in concepts.all() for claim in card.claims]
    assert sorted(claimed) == [f"C{number:02d}" for number in range(1, 55)]


def test_prompts_do_not_repeat() -> None:
    texts = Counter((question.prompt, question.code) for question in EVERY)
    assert [text for text, count in texts.items() if count > 1] == []


def test_stats_is_json_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == stats()


def test_stats_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats"]) == 0
    assert "concepts: 25" in capsys.readouterr().out


def test_check_names_file_and_field_and_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    original = (paths.CONCEPTS / "dag.toml").read_text(encoding="utf-8")
    (tmp_path / "dag.toml").write_text(original.replace("order = 2", "order = 3"), encoding="utf-8")
    (tmp_path / "stranger.toml").write_text("", encoding="utf-8")
    monkeypatch.setattr(paths, "CONCEPTS", tmp_path)
    concepts.get.cache_clear()
    try:
        assert main(["check", "dag"]) == 1
    finally:
        concepts.get.cache_clear()
    out = capsys.readouterr().out
    assert "concepts/dag.toml: order: is 3, this concept is number 2" in out
    assert "stranger.toml: is not named after one of the 25 concepts" in out


def test_an_unknown_slug_is_bad_usage() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "course", "check", "nonsense"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "no such concept: nonsense" in done.stderr
