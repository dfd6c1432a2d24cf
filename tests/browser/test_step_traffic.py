"""What travels between the Step page and the server: the walk first, the rest after it, nothing for a step."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from benchmarks.editing import loop
from snippets.share import pack
from tests.browser.server import Server
from tests.browser.test_step import open_step

pytestmark = pytest.mark.browser


def test_what_stands_below_the_walk_follows_an_edit(page: Page, server: Server) -> None:
    open_step(page, server, "example=quadratic")
    printed = page.locator(".st-key-findings-report").get_by_test_id("stCode")
    expect(printed).to_contain_text("tensor(8.)")
    field = page.get_by_label("x", exact=True)
    field.fill("4")
    field.press("Enter")
    expect(printed).to_contain_text("tensor(10.)")
    chart = page.get_by_role("figure", name=re.compile("largest 10 at x"))
    expect(chart).to_be_visible()


def test_a_failing_program_takes_the_walk_s_place_and_gives_it_back(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/step?code={pack('print(1 + 1)')}")
    editor = page.get_by_role("textbox", name="Program")
    expect(page.locator(".st-key-findings-report").get_by_test_id("stCode")).to_have_text("2")
    editor.fill("import torch\nw = torch.tensor(3.0, requires_grad=True)\n(w * w).backward()\nprint(w.grad)")
    editor.press("Control+Enter")
    expect(page.get_by_role("region", name="Backward pass stepper")).to_be_visible()
    expect(page.locator(".st-key-findings-report").get_by_test_id("stCode")).to_have_text("tensor(6.)")


def test_a_step_sends_no_walk(page: Page, server: Server) -> None:
    received: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: received.append(len(data))))
    region = open_step(page, server, "example=quadratic&step=3")
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached()
    page.wait_for_timeout(500)
    received.clear()
    region.get_by_role("button", name="Next step").click()
    page.wait_for_timeout(1500)
    assert received, "the server is told of the step"
    assert sum(received) < 10_000


def test_a_large_walk_comes_packed_and_the_last_one_asked_for_is_shown(page: Page, server: Server) -> None:
    region = open_step(page, server, f"code={pack(loop(200).replace('START', '0.5'))}")
    expect(page.get_by_text("Step 1 of", exact=False)).to_be_visible()
    expect(region.locator("[data-node=n0]").first).to_be_attached()
    editor = page.get_by_role("textbox", name="Program")
    for start in ("0.625", "0.75"):
        editor.fill(loop(200).replace("START", start))
        editor.press("Control+Enter")
    expect(region.locator("tr:has([data-node=n0]) td").first).to_have_text("0.75")


def test_what_is_typed_while_a_program_runs_stays(page: Page, server: Server) -> None:
    region = open_step(page, server, f"code={pack(loop(200).replace('START', '0.5'))}")
    expect(page.get_by_text("Step 1 of", exact=False)).to_be_visible()
    editor = page.get_by_role("textbox", name="Program")
    editor.fill(loop(200).replace("START", "0.625"))
    editor.press("Control+Enter")
    later = loop(200).replace("START", "0.875")
    editor.fill(later)
    expect(region.locator("tr:has([data-node=n0]) td").first).to_have_text("0.625")
    expect(editor).to_have_value(later)
