"""The labs in a real browser: controls move numbers, the address follows, links carry programs along."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.server import Server
from tests.browser.test_axe import objections, settle

#: How long a busy machine may take for anything here, in milliseconds.
PATIENCE = 60_000


def metric(page: Page, label: str) -> str:
    """The large number under ``label``."""
    return page.get_by_test_id("stMetric").filter(has_text=label).get_by_test_id("stMetricValue").inner_text()


def open_lab(page: Page, server: Server, address: str) -> None:
    """Open a lab and wait for its numbers."""
    page.goto(f"{server.url}/labs?{address}")
    expect(page.get_by_test_id("stMetric").first).to_be_visible(timeout=PATIENCE)


def test_a_lab_opens_from_the_overview_and_follows_the_keyboard(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/labs")
    page.get_by_role("link", name="Paths against nodes").click(timeout=PATIENCE)
    expect(page.get_by_role("heading", name="Paths against nodes", level=1)).to_be_visible(timeout=PATIENCE)
    expect(page).to_have_url(re.compile("lab=paths-and-nodes"), timeout=PATIENCE)
    slider = page.get_by_role("slider", name="Stacked diamonds")
    slider.focus()
    page.keyboard.press("ArrowRight")
    calls = page.get_by_test_id("stMetric").filter(has_text="calls, naive recursion").get_by_test_id("stMetricValue")
    expect(calls).to_have_text("63", timeout=PATIENCE)
    expect(page).to_have_url(re.compile("diamonds=5"), timeout=PATIENCE)
    page.reload()
    expect(calls).to_have_text("63", timeout=PATIENCE)
    page.get_by_role("link", name="All labs").first.click()
    expect(page.get_by_role("heading", name="Training", level=2)).to_be_visible(timeout=PATIENCE)
    expect(page).to_have_url(re.compile(r"/labs$"), timeout=PATIENCE)


def test_lines_are_ordered_by_buttons_and_the_order_is_run(server: Server, page: Page) -> None:
    page.goto(f"{server.url}/labs?lab=four-lines")
    page.get_by_role("button", name="Move opt.step() up").click(timeout=PATIENCE)
    expect(page.get_by_text("The weight never moves.")).to_be_visible(timeout=PATIENCE)
    expect(page).to_have_url(re.compile("order=zero-forward-step-backward"), timeout=PATIENCE)


def test_training_is_drawn_as_it_goes_and_a_step_opens_in_the_stepper(server: Server, page: Page) -> None:
    open_lab(page, server, "lab=iris&batch=120")
    page.get_by_role("button", name="Train again and watch").click()
    seen = set()
    for _ in range(200):
        seen.add(metric(page, "epoch"))
        if "40" in seen and len(seen) > 2:
            break
        page.wait_for_timeout(100)
    assert len(seen) > 2
    expect(page.get_by_role("heading", name="Walk through one step")).to_be_visible(timeout=PATIENCE)
    page.get_by_text("Step 1 as a program").click()
    page.get_by_role("link", name="Open in the stepper").click()
    expect(page).to_have_url(re.compile(r"/step\?.*code="), timeout=PATIENCE)
    expect(page.get_by_role("region", name="Backward pass stepper")).to_be_visible(timeout=PATIENCE)


def test_a_graph_is_drawn_with_the_largest_holders_marked(server: Server, page: Page) -> None:
    open_lab(page, server, "lab=activation-memory&memory-budget=64")
    expect(page.get_by_text("Out of budget at operation")).to_be_visible(timeout=PATIENCE)
    marked = page.locator(".picture .marked")
    expect(marked).to_have_count(3, timeout=PATIENCE)
    expect(page.get_by_role("img", name=re.compile("Marked: tanh of layer"))).to_be_visible()


def test_a_lab_fits_a_narrow_screen(server: Server, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    open_lab(page, server, "lab=detach")
    beyond = page.evaluate(
        "() => { const m = document.querySelector('[data-testid=stMain]'); return m.scrollWidth - m.clientWidth }"
    )
    assert beyond <= 0


@pytest.mark.parametrize("slug", ["rows-or-columns", "four-lines", "activation-memory"])
def test_no_violation_in_a_lab(server: Server, page: Page, slug: str) -> None:
    settle(page, f"{server.url}/labs?lab={slug}")
    assert objections(page) == ""
