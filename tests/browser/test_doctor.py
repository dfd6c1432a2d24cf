"""The Doctor in a browser: a pasted program and its report, a decision path, and two walks that step together."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from snippets import share
from tests.browser.server import Server

pytestmark = pytest.mark.browser

CUT = """\
import torch
x = torch.tensor(2.0, requires_grad=True)
h = (x * 3).detach()
y = h * 2 + x
y.backward()
print(x.grad)
"""


def pair(page: Page, server: Server) -> None:
    """Open the comparison of the program with and without its cut."""
    page.goto(
        f"{server.url}/step?code={share.pack(CUT)}&compare={share.pack(CUT.replace('.detach()', ''))}",
    )
    expect(page.get_by_role("button", name="Next step of both")).to_be_visible()


def test_paste_code_and_read_the_report(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/doctor?way=code")
    editor = page.get_by_role("textbox", name="Program")
    editor.click()
    page.keyboard.press("Control+A")
    page.keyboard.insert_text(CUT.replace(" + x", ""))
    page.keyboard.press("Control+Enter")
    report = page.locator(".st-key-report-fault-own-0")
    expect(report).to_contain_text("The path from y back to x ends at line 3")
    report.get_by_role("link", name="Open at this step").click()
    expect(page.get_by_role("region", name="Backward pass stepper")).to_be_visible()
    assert "/step?code=" in page.url


def test_a_decision_path_is_walked(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/doctor")
    page.get_by_role("link", name="nan", exact=True).click()
    page.get_by_text("The loss is finite, the gradient is nan").click()
    expect(page.get_by_text("2. Is there a", exact=False)).to_be_visible()
    assert "symptom=nan" in page.url


def test_both_walks_step_together(page: Page, server: Server) -> None:
    pair(page, server)
    left, right = (page.locator(f'[data-half="{side}"]') for side in ("left", "right"))
    where = [half.locator('[data-part="where"]') for half in (left, right)]
    expect(where[0]).to_contain_text("Step 1 of")
    expect(where[1]).to_contain_text("Step 1 of")
    # x * 3 without a name is a tensor of the first version alone: the second waits.
    page.get_by_role("button", name="Next step of both").click()
    expect(where[0]).to_contain_text("Step 2 of")
    expect(where[1]).to_contain_text("Step 1 of")
    expect(right.get_by_text("waits")).to_be_visible()
    page.get_by_role("button", name="Next step of both").click()
    expect(where[0]).to_contain_text("Step 3 of")
    expect(where[1]).to_contain_text("Step 2 of")
    expect(right.get_by_text("waits")).to_be_hidden()
    page.get_by_role("button", name="Last step of both").click()
    for place in where:
        text = place.inner_text().split(" · ")[0].split()
        assert text[1] == text[3], "both are at their last step"
    left.get_by_role("region").focus()
    page.keyboard.press("Home")
    for place in where:
        expect(place).to_contain_text("Step 1 of")


def test_a_half_moved_by_itself_takes_the_other_along_until_they_part(page: Page, server: Server) -> None:
    pair(page, server)
    left, right = (page.locator(f'[data-half="{side}"]') for side in ("left", "right"))
    left.get_by_role("button", name="Line 4 in the walk").click()
    expect(left.locator('[aria-current="true"].line')).to_have_attribute("data-line", "4")
    expect(right.locator('[aria-current="true"].line')).to_have_attribute("data-line", "4")
    page.get_by_label("Step together").uncheck()
    stood = right.locator('[data-part="where"]').inner_text()
    left.get_by_role("button", name="First step").click()
    expect(left.locator('[data-part="where"]')).to_contain_text("Step 1 of")
    assert right.locator('[data-part="where"]').inner_text() == stood


def test_differences_are_listed_marked_and_shown(page: Page, server: Server) -> None:
    pair(page, server)
    row = page.get_by_role("row").filter(has_text=".grad").filter(has_text="7").first
    expect(row).to_contain_text("x")
    row.get_by_role("button").click()
    left = page.locator('[data-half="left"]')
    expect(left.locator('[data-part="said"]')).to_contain_text("x.grad = 1")
    expect(page.locator('[data-half="right"] [data-part="said"]')).to_contain_text("x.grad = 7")
    assert left.locator(".line.changed").count() == 1
    assert left.locator(".node.differs").count() >= 2


def test_on_a_phone_the_halves_stand_one_above_the_other(page: Page, server: Server) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    pair(page, server)
    boxes = [page.locator(f'[data-half="{side}"]').bounding_box() for side in ("left", "right")]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
