"""The menu leads to the start of a page from anywhere in it, on a wide screen and on a phone."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.server import Server

pytestmark = pytest.mark.browser


def only_heading(page: Page, text: str) -> None:
    """The page's heading; for a moment that of the page before may stand below it."""
    expect(page.get_by_role("heading", level=1, name=text, exact=True)).to_be_visible()
    expect(page.locator("h1")).to_have_count(1)


@pytest.mark.parametrize(
    ("within", "name", "heading"),
    [
        ("concepts?concept=diamond", "Concepts", "Concepts"),
        ("labs?lab=depth", "Labs", "Labs"),
        ("doctor?symptom=nan", "Doctor", "The Doctor"),
    ],
)
def test_the_menu_leads_out_of_a_card_and_back_leads_in(
    page: Page, server: Server, within: str, name: str, heading: str
) -> None:
    page.goto(f"{server.url}/{within}")
    page.wait_for_function("window.backstepNavigation")
    page.get_by_test_id("stTopNav").get_by_role("link", name=name).click()
    only_heading(page, heading)
    expect(page).to_have_url(re.compile(rf"/{name.lower()}$"))
    page.go_back()
    expect(page).to_have_url(re.compile(re.escape(within)))


def test_the_menu_of_a_phone_does_too(browser: Browser, server: Server) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto(f"{server.url}/concepts?concept=diamond")
    expect(page.locator("h1")).to_have_text("Two paths, one sum")
    page.wait_for_function("window.backstepNavigation")
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stSidebarNav").get_by_role("link", name="Concepts").click()
    only_heading(page, "Concepts")
    expect(page.get_by_test_id("stExpandSidebarButton")).to_be_visible()
    context.close()


def test_enter_in_a_cards_number_field_answers(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/concepts?concept=accumulation")
    field = page.get_by_label("Your number")
    field.fill("soon")
    field.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="number")).to_be_visible()
    field.fill("-12345")
    field.press("Enter")
    expect(page.get_by_text("Not right.")).to_be_visible()
    page.get_by_role("button", name="Show the answer").click()
    expect(page.get_by_text("Numbers people arrive at")).to_be_visible()
