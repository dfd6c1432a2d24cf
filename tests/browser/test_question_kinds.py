"""The two components of the quiz in a real browser: clicking a node, and putting lines in order by keyboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from course import exam
from course.store import open_store
from tests.browser.server import Server

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, exam.Paper]]:
    """A server with an open test that has a node and an order question."""
    server = Server(tmp_path_factory.mktemp("kinds"))
    store = open_store(f"sqlite:///{server.database}")
    paper = exam.start(store, "local")
    while not {"node", "order"} <= {asked.variant.kind for asked in paper.questions}:
        exam.finish(store, "local", paper.id)
        paper = exam.start(store, "local")
    store.close()
    server.start()
    yield server, paper
    server.kill()


def asked_of(paper: exam.Paper, kind: str) -> exam.Asked:
    return next(asked for asked in paper.questions if asked.variant.kind == kind)


def saved(server: Server, position: int) -> object:
    store = open_store(f"sqlite:///{server.database}")
    try:
        paper = exam.current(store, "local")
        assert paper is not None
        return paper.questions[position].answer
    finally:
        store.close()


def test_a_click_on_a_node_answers_and_checks_its_radio_button(opened: tuple[Server, exam.Paper], page: Page) -> None:
    server, paper = opened
    asked = asked_of(paper, "node")
    page.goto(f"{server.url}/test?question={asked.position + 1}")
    for choice in asked.variant.choices[:2]:
        page.locator(f'.graph [id="{choice.id}"]').click()
        expect(page.locator(f'.graph [id="{choice.id}"].picked')).to_be_visible()
        expect(page.get_by_text("Saved. You can change it")).to_be_visible()
        expect(page.locator(".st-key-paper").get_by_role("radio", checked=True)).to_have_count(1)
        assert saved(server, asked.position) == choice.id
    page.reload()
    expect(page.locator(f'.graph [id="{asked.variant.choices[1].id}"].picked')).to_be_visible()


def test_lines_are_moved_by_keyboard_and_the_move_is_said(opened: tuple[Server, exam.Paper], page: Page) -> None:
    server, paper = opened
    asked = asked_of(paper, "order")
    first, second = asked.variant.choices[:2]
    page.goto(f"{server.url}/test?question={asked.position + 1}")
    down = page.get_by_role("button", name=f"Move {first.text} down", exact=True)
    down.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".order li").first).to_have_attribute("data-id", second.id)
    expect(page.locator(".said")).to_have_text(f"{first.text} is now line 2 of {len(asked.variant.choices)}.")
    expect(down).to_be_focused()
    expect(page.get_by_text("Saved. You can change it")).to_be_visible()
    wanted = [second.id, first.id, *(choice.id for choice in asked.variant.choices[2:])]
    assert saved(server, asked.position) == wanted
    page.reload()
    expect(page.locator(".order li").first).to_have_attribute("data-id", second.id)


def test_quick_moves_all_count(opened: tuple[Server, exam.Paper], page: Page) -> None:
    server, paper = opened
    asked = asked_of(paper, "order")
    page.goto(f"{server.url}/test?question={asked.position + 1}")
    lines = page.locator(".order li")
    expect(lines).to_have_count(len(asked.variant.choices))
    name = lines.first.get_attribute("data-id")
    down = page.locator(f'.order li[data-id="{name}"] button').nth(1)
    for _ in asked.variant.choices[1:]:
        down.click()
    expect(lines.last).to_have_attribute("data-id", str(name))
    page.wait_for_timeout(2000)
    expect(lines.last).to_have_attribute("data-id", str(name))
    assert saved(server, asked.position)[-1] == name  # type: ignore[index]
