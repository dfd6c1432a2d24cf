"""With login configured each person has progress of their own, and only teachers see the class."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from course import learners
from course.store import Store
from tests.pages.conftest import ROOT, refuse_faults, sent, visit

AUTH = {
    "redirect_uri": "http://localhost:8501/oauth2callback",
    "cookie_secret": "not-a-real-secret",
    "client_id": "x",
    "client_secret": "x",
    "server_metadata_url": "https://login.example.org/.well-known/openid-configuration",
}


def page(name: str, user: dict[str, object], teachers: list[str] | None = None) -> AppTest:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    app.secrets["auth"] = AUTH
    if teachers is not None:
        app.secrets["backstep"] = {"teachers": teachers}
    app.user = user
    return visit(app, name, concept="leaf")


ADA = {"is_logged_in": True, "email": "Ada@Example.org"}


@pytest.mark.usefixtures("database")
def test_who_is_not_logged_in_sees_the_login_and_nothing_else() -> None:
    app = refuse_faults(page("progress", {"is_logged_in": False}))
    assert [button.label for button in app.button] == ["Log in"]
    assert "Erase" not in sent(app)


def test_each_person_has_progress_of_their_own(store: Store) -> None:
    refuse_faults(page("concepts", ADA))
    refuse_faults(page("concepts", {"is_logged_in": True, "email": "bob@example.org"}))
    assert learners.everyone(store) == ["ada@example.org", "bob@example.org"]


@pytest.mark.usefixtures("database")
def test_a_login_without_an_address_is_refused() -> None:
    app = refuse_faults(page("progress", {"is_logged_in": True}))
    assert "without an e-mail address" in app.error[0].value


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize(
    ("teachers", "allowed"),
    [(["ada@example.org"], True), (["ADA@example.org "], True), (["bob@example.org"], False), (None, False)],
)
def test_only_named_teachers_see_the_class(teachers: list[str] | None, allowed: bool) -> None:
    app = refuse_faults(page("teach", ADA, teachers))
    assert ("This page is for teachers" in sent(app)) is not allowed
    assert bool(app.get("download_button")) is allowed


def test_the_secrets_can_name_the_database(store: Store, tmp_path: object) -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    other = f"sqlite:///{tmp_path}/other.db"
    app.secrets["connections"] = {"backstep": {"url": other}}
    refuse_faults(visit(app, "concepts", concept="leaf"))
    assert learners.everyone(store) == []
    from course.store import forget, shared

    assert learners.everyone(shared(other)) == ["local"]
    forget(other)


@pytest.mark.usefixtures("database")
def test_who_is_logged_in_sees_that_and_can_log_out() -> None:
    app = refuse_faults(page("progress", ADA))
    assert "You are logged in as ada@example.org." in [caption.value for caption in app.caption]
    assert app.button(key="log-out").label == "Log out"
