"""The walk as one HTML file, opened from the disk without a network."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from snippets.html import notebook, page
from tests.autograd import sketch

pytestmark = pytest.mark.browser


def opened(browser: Browser, path: Path) -> tuple[Page, list[str]]:
    """The file in a browser without a network, and what it asked for or complained of."""
    context = browser.new_context()
    context.set_offline(True)
    tab = context.new_page()
    noted: list[str] = []
    tab.on("request", lambda request: noted.append(request.url) if not request.url.startswith("file:") else None)
    tab.on("pageerror", lambda error: noted.append(str(error)))
    tab.on("console", lambda message: noted.append(message.text) if message.type == "error" else None)
    tab.goto(path.as_uri())
    return tab, noted


def test_steps_without_a_network(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "walk.html"
    path.write_text(page(sketch.quadratic(), "y = x² + 2x + 1", step=9), encoding="utf-8")
    tab, noted = opened(browser, path)
    region = tab.get_by_role("region", name="Backward pass stepper")
    region.focus()
    expect(region.locator("#n0-grad")).to_have_text("6")
    tab.keyboard.press("ArrowRight")
    expect(region.locator("#n0-grad")).to_have_text("6 + 2 = 8")
    expect(region.get_by_role("status")).to_contain_text("6 + 2 = 8")
    assert noted == []


def test_hostile_names_stay_text(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "walk.html"
    path.write_text(page(sketch.broken(), "<script>document.title='broken'</script>"), encoding="utf-8")
    tab, noted = opened(browser, path)
    region = tab.get_by_role("region", name="Backward pass stepper")
    region.focus()
    tab.keyboard.press("End")
    region.locator("#n1").click()
    expect(region.get_by_role("tabpanel", name="Tensor")).to_contain_text("</text><script>")
    assert region.locator("img, script").count() == 0
    assert noted == []


def test_a_notebook_cell_steps_inside_its_frame(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "cell.html"
    path.write_text(f"<!doctype html><meta charset='utf-8'>{notebook(sketch.quadratic())}", encoding="utf-8")
    tab, noted = opened(browser, path)
    frame = tab.frame_locator("iframe")
    frame.get_by_role("button", name="Next step").click()
    expect(frame.get_by_role("status")).to_contain_text("u = x² gives 9.")
    assert noted == []
