"""Every lab opens, shows numbers, and follows its controls."""

from __future__ import annotations

import pytest

from course import concepts
from course.labs import catalogue
from tests.pages.conftest import Opened, refuse_faults
from ui.labs import room


def test_the_overview_links_to_every_lab_and_computes_nothing(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise AssertionError("a lab ran on the overview")

    for slug in room.BODIES:
        monkeypatch.setitem(room.BODIES, slug, refuse)
    app = refuse_faults(opened("labs"))
    assert app.title[0].value == "Labs"
    links = {link.proto.query_string for link in app.get("page_link")}
    assert {f"lab={slug}" for slug in catalogue.slugs()} <= links


def test_every_lab_has_a_body_a_theme_and_a_card() -> None:
    assert set(room.BODIES) == set(catalogue.slugs())
    assert {lab.theme for lab in catalogue.LABS} == set(catalogue.THEMES)
    assert {concept for lab in catalogue.LABS for concept in lab.concepts} <= set(concepts.SLUGS)


@pytest.mark.parametrize("slug", catalogue.slugs())
def test_every_lab_opens_with_charts_that_have_words(opened: Opened, slug: str) -> None:
    app = refuse_faults(opened("labs", lab=slug))
    lab = catalogue.get(slug)
    assert app.title[0].value == lab.title
    assert lab.watch in [markdown.value for markdown in app.markdown]
    assert f"concept={lab.concepts[0]}" in {link.proto.query_string for link in app.get("page_link")}
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))
    assert app.table or app.metric
