"""The graded test in a real browser: answered whole, with the server killed in the middle, and in two tabs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, WebSocket, expect

from course import exam
from course.store import Attempt, Store, open_store
from course.variants import Key
from tests.browser.server import Server

pytestmark = pytest.mark.browser

SLOW = 60_000


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server nobody else uses, so that it can be killed."""
    server = Server(tmp_path)
    server.start()
    yield server
    server.kill()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """A tab of its own session."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(SLOW)
    yield context.new_page()
    context.close()


def paper_and_keys(server: Server) -> tuple[exam.Paper, list[Key]]:
    """What the database holds now, read as another program would."""
    store: Store = open_store(f"sqlite:///{server.database}")
    try:
        paper = exam.current(store, "local")
        assert paper is not None
        with store.reading() as session:
            attempt = session.get(Attempt, paper.id)
            assert attempt is not None
            return paper, [Key.from_dict(item.key) for item in attempt.items]
    finally:
        store.close()


def begin(page: Page, server: Server) -> None:
    page.goto(f"{server.url}/test")
    page.get_by_role("button", name="Start the test").click()
    expect(page.get_by_text(re.compile(r"Question 1 of 25"))).to_be_visible(timeout=SLOW)


def answer_right(page: Page, asked: exam.Asked, key: Key) -> None:
    """Answer the question on the page as somebody who knows."""
    right = [option for option in key.options if option.correct]
    box = page.locator(".st-key-paper")
    ids = [choice.id for choice in asked.variant.choices]
    match asked.variant.kind:
        case "number":
            field = box.get_by_label("Your number")
            field.fill(repr(right[0].number))
            field.press("Enter")
        case "several":
            for option in right:
                box.get_by_test_id("stCheckbox").nth(ids.index(option.id)).locator("label").click()
                expect(box.get_by_role("checkbox").nth(ids.index(option.id))).to_be_checked()
        case "order":
            put_in_order(page, asked, key)
        case _:
            box.get_by_test_id("stRadio").locator("label[data-baseweb=radio], [role=radiogroup] label").nth(
                ids.index(right[0].id)
            ).click()
    expect(box.get_by_text("Saved. You can change it")).to_be_visible()


def put_in_order(page: Page, asked: exam.Asked, key: Key) -> None:
    """Move each line up to its place with its own button."""
    lines = page.locator(".order li")
    expect(lines).to_have_count(len(key.order))
    texts = {choice.id: choice.text for choice in asked.variant.choices}
    for place, name in enumerate(key.order):
        row = page.locator(f'.order li[data-id="{name}"]')
        while True:
            shown = [line.get_attribute("data-id") for line in lines.all()]
            if shown.index(name) <= place:
                break
            row.get_by_role("button", name=f"Move {texts[name]} up", exact=True).click()
    assert [line.get_attribute("data-id") for line in lines.all()] == list(key.order)


def go_on(page: Page, number: int) -> None:
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text(f"Question {number} of 25")).to_be_visible()
    settled(page)


def settled(page: Page) -> None:
    """Wait until the page shows the end of its last run: until then the question before may still be there in part."""
    expect(page.locator('[data-testid="stApp"][data-test-script-state="notRunning"]')).to_be_visible()


def test_the_whole_test_with_the_server_killed_in_the_middle(own_server: Server, tab: Page) -> None:
    begin(tab, own_server)
    paper, keys = paper_and_keys(own_server)
    for asked, key in zip(paper.questions, keys, strict=True):
        number = asked.position + 1
        answer_right(tab, asked, key)
        if number == 12:
            own_server.kill()
            own_server.start()
            tab.reload()
            expect(tab.get_by_text("Question 12 of 25")).to_be_visible()
            expect(tab.get_by_text("12 of 25 answered")).to_be_visible()
        if number < 25:
            go_on(tab, number + 1)
    expect(tab.get_by_text("25 of 25 answered")).to_be_visible()
    tab.get_by_role("button", name="Hand in", exact=True).click()
    tab.get_by_role("button", name="Hand in now").click()
    expect(tab.get_by_role("heading", name="Your result")).to_be_visible()
    expect(tab.get_by_test_id("stMetricValue").first).to_have_text("100%")
    expect(tab.locator(".js-plotly-plot")).to_be_visible()
    expect(tab.get_by_test_id("stExpander").nth(24)).to_be_attached()
    address = tab.url
    assert f"attempt={paper.id}" in address
    tab.reload()
    expect(tab.get_by_test_id("stMetricValue").first).to_have_text("100%")
    tab.get_by_role("button", name="Take it again, with other questions").click()
    expect(tab.get_by_text("Question 1 of 25")).to_be_visible()
    again, _ = paper_and_keys(own_server)
    assert not {one.variant for one in again.questions} & {one.variant for one in paper.questions}


def test_a_second_tab_shows_the_answers_of_the_first(own_server: Server, tab: Page, browser: Browser) -> None:
    begin(tab, own_server)
    paper, keys = paper_and_keys(own_server)
    answer_right(tab, paper.questions[0], keys[0])
    second = browser.new_context().new_page()
    second.set_default_timeout(SLOW)
    second.goto(f"{own_server.url}/test?question=1")
    expect(second.get_by_text("1 of 25 answered")).to_be_visible(timeout=SLOW)
    expect(second.get_by_text("Saved. You can change it")).to_be_visible()
    go_on(second, 2)
    answer_right(second, paper.questions[1], keys[1])
    tab.reload()
    expect(tab.get_by_text("2 of 25 answered")).to_be_visible()
    second.get_by_role("button", name="Hand in", exact=True).click()
    second.get_by_role("button", name="Hand in now").click()
    expect(second.get_by_role("heading", name="Your result")).to_be_visible()
    go_to_result = tab.get_by_role("button", name="Hand in", exact=True)
    go_to_result.click()
    expect(tab.get_by_role("heading", name=re.compile("Your result|The graded test"))).to_be_visible()
    second.context.close()


def test_no_key_is_in_what_the_server_sends(own_server: Server, tab: Page) -> None:
    frames: list[bytes] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: frames.append(data if isinstance(data, bytes) else data.encode()))

    tab.on("websocket", listen)
    begin(tab, own_server)
    paper, keys = paper_and_keys(own_server)
    for number in range(2, 26):
        go_on(tab, number)
    sent = b"".join(frames)
    assert paper.questions[3].variant.prompt.splitlines()[0][:30].encode() in sent, "the frames are read at all"
    for key in keys:
        assert key.explanation.encode() not in sent
        for option in key.options:
            assert option.why.encode() not in sent


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_button_that_waits_for_an_answer_can_be_read(server: Server, browser: Browser, scheme: str) -> None:
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{server.url}/concepts?concept=no-grad")
    button = page.get_by_role("button", name="Check", exact=True)
    expect(button).to_be_disabled(timeout=SLOW)
    shown = "b => getComputedStyle(b.querySelector('p') || b).color"
    ground = "b => getComputedStyle(b.closest('[data-testid=stApp]')).backgroundColor"
    written, behind = button.evaluate(shown), button.evaluate(ground)
    assert max(abs(a - b) for a, b in zip(_channels(written), _channels(behind), strict=True)) > 60
    context.close()


def _channels(colour: str) -> list[float]:
    """The red, green and blue of a CSS colour."""
    return [float(number) for number in re.findall(r"[\d.]+", colour)][:3]
