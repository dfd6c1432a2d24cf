"""axe-core finds nothing to object to on any page, in the light and the dark theme."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from course import exam
from course.store import open_store
from tests.browser.server import ROOT, Server

pytestmark = pytest.mark.browser

PAGES = {
    "start": "/",
    "step": "/step?example=quadratic",
    "concepts": "/concepts",
    "card": "/concepts?concept=diamond",
    "labs": "/labs",
    "doctor": "/doctor",
    "test-question": "/test?question=1",
    "progress": "/progress",
    "teach": "/teach",
}


@pytest.fixture(scope="module")
def class_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where one test was handed in and another is open."""
    server = Server(tmp_path_factory.mktemp("axe"))
    store = open_store(f"sqlite:///{server.database}")
    for _ in range(2):
        exam.finish(store, "local", exam.start(store, "local").id)
    exam.finish(store, "ada@example.org", exam.start(store, "ada@example.org").id)
    exam.start(store, "local")
    store.close()
    server.start()
    yield server
    server.kill()


@pytest.fixture(params=["light", "dark"])
def themed(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """A tab whose system prefers this theme."""
    context = browser.new_context(color_scheme=request.param, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(60_000)
    yield context.new_page()
    context.close()


def settle(page: Page, address: str) -> None:
    """Open a page and wait until Streamlit has nothing left to do."""
    page.goto(address)
    expect(page.get_by_test_id("stMainBlockContainer").locator("h1").first).to_be_visible(timeout=60_000)
    page.wait_for_timeout(400)
    expect(page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')).to_be_visible(timeout=60_000)
    expect(page.locator('[data-stale="true"]')).to_have_count(0, timeout=60_000)
    page.wait_for_timeout(400)


def objections(page: Page, tries: int = 6) -> str:
    """What axe-core objects to, with the places.

    Streamlit fades elements in and out around a rerun, and a faded text has too little contrast for a moment: only what
    is still there after ``tries`` looks counts.
    """
    said = ""
    for _ in range(tries):
        result = Axe().run(page)
        said = "\n".join(
            f"{violation['id']} ({violation['impact']}): {violation['help']}\n"
            + "\n".join(f"    {node['target']}: {node['html'][:300]}" for node in violation["nodes"][:4])
            for violation in result.response["violations"]
        )
        if not said:
            break
        page.wait_for_timeout(1500)
    return said


@pytest.mark.parametrize("name", list(PAGES))
def test_no_violation_on_any_page(class_server: Server, themed: Page, name: str) -> None:
    settle(themed, class_server.url + PAGES[name])
    assert objections(themed) == ""


def test_no_violation_on_any_kind_of_question(class_server: Server, themed: Page) -> None:
    store = open_store(f"sqlite:///{class_server.database}")
    paper = exam.current(store, "local")
    store.close()
    assert paper is not None
    kinds = {asked.variant.kind: asked.position + 1 for asked in paper.questions}
    for kind, number in kinds.items():
        settle(themed, f"{class_server.url}/test?question={number}")
        assert objections(themed) == "", kind


def test_no_violation_on_a_result(class_server: Server, themed: Page) -> None:
    store = open_store(f"sqlite:///{class_server.database}")
    paper = exam.finished(store, "local")[0]
    store.close()
    settle(themed, f"{class_server.url}/test?attempt={paper.id}")
    themed.get_by_test_id("stExpander").first.locator("summary").click()
    themed.wait_for_timeout(500)
    assert objections(themed) == ""


def test_every_page_file_is_looked_at() -> None:
    files = {path.stem for path in Path(ROOT / "pages").glob("*.py")} - {"__init__"}
    looked_at = {address.strip("/").split("?")[0] or "start" for address in PAGES.values()}
    assert files <= looked_at
