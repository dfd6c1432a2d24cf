"""The list of labs."""

from __future__ import annotations

from course import concepts
from course.labs import catalogue

#: Claims whose `show` is a walk, the Doctor or a card, not something a lab measures.
SHOWN_ELSEWHERE = {"C01", "C02", "C07", "C08", "C11", "C12", "C13", "C14", "C15", "C17", "C44", "C51"}


def test_slugs_are_unique_and_every_lab_belongs_to_cards_that_exist() -> None:
    assert len(set(catalogue.slugs())) == len(catalogue.LABS)
    for lab in catalogue.LABS:
        assert lab.concepts
        assert set(lab.concepts) <= set(concepts.SLUGS)
        assert lab.theme in catalogue.THEMES


def test_the_labs_show_every_claim_that_is_not_shown_elsewhere() -> None:
    shown = {claim for lab in catalogue.LABS for claim in lab.claims}
    assert shown == {f"C{number:02}" for number in range(1, 55)} - SHOWN_ELSEWHERE


def test_what_to_watch_is_at_most_two_sentences() -> None:
    for lab in catalogue.LABS:
        assert 1 <= lab.watch.count(". ") + 1 <= 3, lab.slug
        assert lab.watch.endswith(".")


def test_labs_are_found_by_their_card() -> None:
    assert [lab.slug for lab in catalogue.of_concept("train-step")] == ["four-lines", "iris"]
    assert catalogue.of_concept("recording") == ()
