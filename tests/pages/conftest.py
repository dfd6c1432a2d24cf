"""The app under AppTest, with a progress database of its own for each test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from course.store import Store, forget, shared

ROOT = Path(__file__).resolve().parents[2]

#: Opens a page with query parameters and runs it.
Opened = Callable[..., AppTest]


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file the app keeps progress in during this test."""
    path = tmp_path / "progress.db"
    url = f"sqlite:///{path}"
    monkeypatch.setenv("BACKSTEP_DATABASE_URL", url)
    yield path
    forget(url)


@pytest.fixture
def store(database: Path) -> Store:
    """The store the app uses."""
    return shared()


@pytest.fixture
def opened(database: Path) -> Opened:
    """A function that opens a page by the name of its file."""

    def open_page(page: str, **query: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
        return visit(app, page, **query)

    return open_page


def visit(app: AppTest, page: str, **query: str) -> AppTest:
    """Go to a page of the app as the browser does: app.py first, then the page inside it."""
    app.run()
    if page != "start":
        app.switch_page(f"pages/{page}.py")
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def sent(app: AppTest) -> str:
    """Everything that goes to the browser: the text in the protobuf messages of every element on the page."""
    messages = [_proto(element) for element in _every(app._tree)]
    return "\n".join(
        message.SerializeToString().decode("utf-8", "ignore")
        for message in messages
        if hasattr(message, "SerializeToString")
    )


def steppers(app: AppTest) -> list[Any]:
    """The steppers on the page."""
    return [one.proto for one in app.get("bidi_component") if one.proto.component_name == "backstep_stepper"]


def _every(block: Any) -> Iterator[Any]:
    children = getattr(block, "children", None)
    if children is None:
        yield block
        return
    yield block
    for child in children.values():
        yield from _every(child)


def _proto(element: Any) -> Any:
    return getattr(element, "proto", None)


def refuse_faults(app: AppTest) -> AppTest:
    """The page, after making sure that it raised nothing and shows no "something went wrong"."""
    assert not app.exception, [exception.value for exception in app.exception]
    assert not [error.value for error in app.error if "Something went wrong" in error.value]
    return app
