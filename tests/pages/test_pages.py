"""Every page opens, with good and with bad addresses, and shows what it is for."""

from __future__ import annotations

from pathlib import Path

import pytest

from course import concepts, exam, mastery, practice, questions, walks
from course.store import Store, forget
from course.variants import draw_with_key
from tests.pages.conftest import Opened, refuse_faults, sent, steppers
from ui import concept_tiles


def test_the_start_page_shows_a_walk_and_what_to_do_next(opened: Opened) -> None:
    app = refuse_faults(opened("start"))
    assert app.title[0].value == "Watch a backward pass happen"
    assert len(steppers(app)) == 1
    assert "AccumulateGrad" in sent(app) or "PowBackward0" in sent(app)
    assert "Begin with the first card" in sent(app)


def test_the_overview_links_to_every_card(opened: Opened) -> None:
    app = refuse_faults(opened("concepts"))
    links = [link.proto for link in app.get("page_link")]
    assert {f"concept={slug}" for slug in concepts.SLUGS} <= {link.query_string for link in links}


def test_learnt_states_show_on_the_overview(opened: Opened, store: Store) -> None:
    variant, key = draw_with_key(questions.get("diamond-1"), 1)
    practice.answered(store, "local", variant, next(one.id for one in key.options if one.correct))
    app = refuse_faults(opened("concepts"))
    assert any(caption.value == "learnt, 100%" for caption in app.caption)
    assert any(caption.value.startswith("1 of 25 learnt") for caption in app.caption)


@pytest.mark.parametrize("slug", concepts.SLUGS)
def test_every_card_has_idea_walk_experiment_and_question(opened: Opened, slug: str) -> None:
    app = refuse_faults(opened("concepts", concept=slug))
    card = concepts.get(slug)
    shown = [markdown.value for markdown in app.markdown]
    assert app.title[0].value == card.title
    assert card.idea in shown
    assert any(card.experiment in text for text in shown)
    assert len(steppers(app)) == 1
    assert not app.warning, [warning.value for warning in app.warning]


def test_opening_a_card_is_remembered(opened: Opened, store: Store) -> None:
    refuse_faults(opened("concepts", concept="leaf"))
    assert mastery.of(store, "local")["leaf"].state == "seen"


@pytest.mark.parametrize("slug", ["nonsense", "<script>alert(1)</script>", "x" * 5000, "../../etc/passwd", "diamond/"])
def test_an_unknown_concept_is_said_and_the_overview_shown(opened: Opened, slug: str) -> None:
    app = refuse_faults(opened("concepts", concept=slug))
    assert "There is no concept" in app.warning[0].value
    assert "<script>" not in app.warning[0].value
    assert app.title[0].value == "Concepts"


def test_the_progress_page_of_a_beginner(opened: Opened) -> None:
    app = refuse_faults(opened("progress"))
    assert "No test taken yet." in [caption.value for caption in app.caption]


def test_the_progress_page_shows_history_weakest_and_next(opened: Opened, store: Store) -> None:
    for _ in range(2):
        exam.finish(store, "local", exam.start(store, "local").id)
    app = refuse_faults(opened("progress"))
    headings = [heading.value for heading in app.header]
    assert "Weakest concepts" in headings
    assert len(app.get("plotly_chart")) == 2
    assert "went worst so far" in sent(app)
    assert all(chart.proto.alt for chart in app.get("plotly_chart"))


def test_progress_can_be_erased_after_confirmation(opened: Opened, store: Store) -> None:
    practice.saw(store, "local", "leaf")
    app = refuse_faults(opened("progress"))
    assert app.button(key="erase-progress").disabled
    app.checkbox(key="erase-sure").check().run()
    app.button(key="erase-progress").click().run()
    assert mastery.of(store, "local")["leaf"].state == "new"
    assert app.success[0].value == "Your progress is erased."


def test_progress_can_be_uploaded(opened: Opened, store: Store) -> None:
    practice.saw(store, "ada", "leaf")
    from course import portable

    text = portable.download(store, "ada")
    app = refuse_faults(opened("progress"))
    app.session_state["upload-0"] = {"file": {"name": "progress.json", "text": text}}
    app.run()
    app.button(key="upload-progress").click().run()
    assert "1 opened cards" in app.success[0].value
    assert mastery.of(store, "local")["leaf"].state == "seen"


def test_a_wrong_upload_is_refused_in_words(opened: Opened) -> None:
    app = refuse_faults(opened("progress"))
    app.session_state["upload-0"] = {"file": {"name": "x.json", "text": "[1, 2]"}}
    app.run()
    app.button(key="upload-progress").click().run()
    assert "not a Backstep progress file" in app.error[0].value


def test_the_teach_page_of_an_empty_class(opened: Opened) -> None:
    app = refuse_faults(opened("teach"))
    assert "Nobody has learnt here yet." in [caption.value for caption in app.caption]
    assert len(app.get("download_button")) == 3


def test_the_teach_page_shows_items_and_warns_of_few_answers(opened: Opened, store: Store) -> None:
    for learner in ("ada@example.org", "bob@example.org"):
        exam.finish(store, learner, exam.start(store, learner).id)
    app = refuse_faults(opened("teach"))
    assert "fewer than 30 answers" in app.warning[0].value
    assert "ada@example.org" in sent(app)


@pytest.mark.parametrize("page", ["test", "progress", "teach"])
def test_a_damaged_database_is_said_and_can_be_set_aside(opened: Opened, database: Path, page: str) -> None:
    database.write_bytes(b"this is no database " * 500)
    app = refuse_faults(opened(page))
    assert "damaged" in app.error[0].value
    assert database.read_bytes() == b"this is no database " * 500
    app.button(key="store-aside").click().run()
    assert "kept as" in " ".join(info.value for info in app.info)
    refuse_faults(app)
    assert not app.error
    assert len(list(database.parent.glob("progress.db.damaged-*"))) == 1


@pytest.mark.parametrize("page", ["start", "concepts"])
def test_pages_that_need_no_database_work_without_one(opened: Opened, database: Path, page: str) -> None:
    database.write_bytes(b"this is no database " * 500)
    app = refuse_faults(opened(page))
    assert "not saved at the moment" in app.warning[0].value
    assert len(app.get("page_link")) >= len(concepts.SLUGS)


def test_a_newer_database_is_said(opened: Opened, store: Store, database: Path) -> None:
    import sqlite3

    forget()
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE alembic_version SET version_num = 'from-the-future'")
    connection.close()
    app = refuse_faults(opened("progress"))
    assert "from-the-future" in app.error[0].value
    assert not [button for button in app.button if button.key == "store-aside"]


def test_an_unexpected_error_shows_a_message_and_no_trace(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError("the secret inside")

    monkeypatch.setattr(concept_tiles, "tiles", fail)
    app = opened("concepts")
    assert not app.exception
    assert "Something went wrong on this page" in app.error[0].value
    assert "the secret inside" not in sent(app)


def test_a_result_links_to_the_card_and_to_the_very_step(opened: Opened, store: Store) -> None:
    paper = exam.start(store, "local")
    exam.finish(store, "local", paper.id)
    app = refuse_faults(opened("test", attempt=paper.id))
    links = {(link.proto.page, link.proto.query_string) for link in app.get("page_link")}
    for slug in concepts.SLUGS:
        card = concepts.get(slug)
        step = walks.step_of(card) + 1
        assert any(page == "concepts" and query == f"concept={slug}" for page, query in links)
        assert any(page == "step" and query == f"example={card.walk.example}&step={step}" for page, query in links), (
            slug
        )
