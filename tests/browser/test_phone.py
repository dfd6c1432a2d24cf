"""At the width of a phone every page fits, and nothing is wider than the screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.server import Server
from tests.browser.test_axe import PAGES, objections, settle

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("name", list(PAGES))
def test_no_page_scrolls_sideways_at_390_px(server: Server, browser: Browser, name: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(server.url + PAGES[name])
    expect(page.get_by_test_id("stMainBlockContainer").locator("h1").first).to_be_visible(timeout=60_000)
    page.wait_for_timeout(1500)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") <= 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


@pytest.mark.parametrize("address", ["/step?example=training-step&step=20", "/doctor?symptom=nan"])
def test_nothing_to_object_to_where_programs_and_output_are_narrow(
    server: Server, browser: Browser, address: str
) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, reduced_motion="reduce")
    page = context.new_page()
    settle(page, server.url + address)
    assert objections(page, tries=3) == ""
    context.close()
