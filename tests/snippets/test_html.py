"""The walk as one HTML file: self-contained, safe, and with the stepper in it."""

from __future__ import annotations

import json
import re

import pytest

from snippets.html import notebook, page
from tests.autograd import sketch


def test_nothing_is_fetched_from_anywhere() -> None:
    text = page(sketch.quadratic(), "y = x² + 2x + 1")
    assert "default-src 'none'" in text
    assert not re.search(r"""(?:src|href)\s*=\s*["']?(?:https?:)?//""", text)
    assert "@import" not in text
    assert "fetch(" not in text
    assert "export default" not in text


def test_the_walk_is_inside() -> None:
    text = page(sketch.quadratic(), "Title", step=10)
    data = json.loads(re.search(r"data: (\{.*\}), parentElement", text)[1])  # type: ignore[index]
    assert data["step"] == 10
    assert json.loads(data["walk"])["frames"][10]["texts"]["n0-grad"] == "6 + 2 = 8"
    assert "digraph walk" in data["dot"]


@pytest.mark.parametrize("title", ["</title><script>alert(1)</script>", "a & b <i>"])
def test_titles_and_names_cannot_end_their_element(title: str) -> None:
    text = page(sketch.broken(), title)
    assert text.count("<script") == 1
    assert text.count("</script>") == 1
    assert "<img src=x" not in text
    assert "<i>" not in text


def test_reports_of_the_doctor_travel_along() -> None:
    report = {
        "category": "graph-cut",
        "severity": "fault",
        "line": 3,
        "node": "n1",
        "title": "A cut",
        "evidence": "",
        "fix": "",
    }
    assert "graph-cut" in page(sketch.cuts(), diagnosis=[report])


def test_a_trace_shows_itself_in_a_notebook() -> None:
    shown = sketch.quadratic()._repr_html_()
    assert shown == notebook(sketch.quadratic())
    assert shown.startswith("<iframe ")
    assert 'sandbox="allow-scripts' in shown
    assert "<script" not in shown
