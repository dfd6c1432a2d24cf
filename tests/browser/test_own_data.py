"""Downloading, uploading and erasing one's progress in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.server import Server

pytestmark = pytest.mark.browser


def test_progress_is_downloaded_erased_and_uploaded_again(server: Server, page: Page, tmp_path: Path) -> None:
    page.goto(f"{server.url}/progress")  # other tests may have left some
    page.get_by_text("Erase all my progress").click()
    page.get_by_role("button", name="Erase everything").click()
    expect(page.get_by_text("Your progress is erased.")).to_be_visible()
    page.goto(f"{server.url}/concepts?concept=leaf")
    expect(page.get_by_text("Concept 4 of 25")).to_be_visible()
    page.goto(f"{server.url}/progress")
    expect(page.get_by_text("1 opened")).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download progress (JSON)").click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)
    assert '"backstep-progress"' in file.read_text(encoding="utf-8")
    page.get_by_text("Erase all my progress").click()
    page.get_by_role("button", name="Erase everything").click()
    expect(page.get_by_text("Your progress is erased.")).to_be_visible()
    expect(page.get_by_text("1 opened")).to_have_count(0)
    page.get_by_label("Upload progress (JSON)").set_input_files(file)
    page.get_by_role("button", name="Add this file to my progress").click()
    expect(page.get_by_text("1 opened cards")).to_be_visible()
    expect(page.get_by_text("0 of 25 learnt, 1 opened")).to_be_visible()
