"""Databases that cannot be used: a clear typed error each, and nothing lost."""

from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import create_engine

from course import learners, practice
from course.store import (
    Learner,
    Store,
    StoreCorrupt,
    StoreError,
    StoreLocked,
    StoreNewer,
    StoreReadOnly,
    StoreUnavailable,
    default_url,
    engine,
    forget,
    open_store,
    set_aside,
    shared,
)
from course.store.models import Base


def url(path: Path) -> str:
    return f"sqlite:///{path}"


def fill(path: Path) -> None:
    store = open_store(url(path))
    practice.saw(store, "local", "diamond")
    store.close()


def test_the_migrations_make_exactly_the_tables_of_the_models(store: Store) -> None:
    with create_engine(url(Path(store.where))).connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []


def test_opening_twice_keeps_what_is_there(tmp_path: Path) -> None:
    fill(tmp_path / "a.db")
    fill(tmp_path / "a.db")
    store = open_store(url(tmp_path / "a.db"))
    assert learners.everyone(store) == ["local"]
    store.close()


def test_readers_go_on_while_one_writes(tmp_path: Path) -> None:
    store = open_store(url(tmp_path / "a.db"))
    with store.writing() as writer:
        learners.ensure(writer, "ada")
        writer.flush()
        assert learners.everyone(store) == []
    assert learners.everyone(store) == ["ada"]
    store.close()


@pytest.mark.parametrize("damage", ["text", "header", "middle"])
def test_a_damaged_file_is_reported_and_left_as_it_is(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "a.db"
    fill(path)
    content = bytearray(path.read_bytes())
    if damage == "text":
        content = bytearray(b"this is not a database, it is a shopping list\n" * 40)
    elif damage == "header":
        content[:100] = b"\xff" * 100
    else:
        for start in range(4096, len(content), 4096):
            content[start : start + 200] = b"\xee" * 200
    path.write_bytes(bytes(content))
    with pytest.raises(StoreCorrupt) as caught:
        open_store(url(path))
    assert str(path) in str(caught.value)
    assert "set it aside" in caught.value.way_out
    assert path.read_bytes() == bytes(content)


def test_a_damaged_file_can_be_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"rubbish " * 1000)
    aside = set_aside(url(path))
    assert aside.read_bytes() == b"rubbish " * 1000
    assert aside.name.startswith("a.db.damaged-")
    open_store(url(path)).close()


def test_a_locked_database_is_reported_after_the_timeout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT", 0.1)
    path = tmp_path / "a.db"
    fill(path)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StoreLocked, match="locked by another program"):
        open_store(url(path))
    other.execute("ROLLBACK")
    open_store(url(path)).close()


def test_a_write_that_meets_a_lock_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "BUSY_TIMEOUT", 0.1)
    path = tmp_path / "a.db"
    store = open_store(url(path))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreLocked):
        practice.saw(store, "local", "diamond")
    other.execute("ROLLBACK")
    practice.saw(store, "local", "diamond")
    store.close()


def test_a_newer_database_is_refused_untouched(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    fill(path)
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    connection.close()
    with pytest.raises(StoreNewer, match="9999") as caught:
        open_store(url(path))
    assert "Update Backstep" in caught.value.way_out
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT concept FROM seen").fetchall() == [("diamond",)]
    connection.close()


def test_a_database_that_cannot_be_written_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.db"
    fill(path)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(StoreReadOnly) as caught:
        open_store(f"sqlite:///file:{path}?mode=ro&uri=true")
    assert "BACKSTEP_DATABASE_URL" in caught.value.way_out
    assert not (tmp_path / "file:").exists(), "an address is not a folder to make"


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("attempt to write a readonly database", StoreReadOnly),
        ("database or disk is full", StoreReadOnly),
        ("unable to open database file", StoreReadOnly),
        ("database disk image is malformed", StoreCorrupt),
        ("file is not a database", StoreCorrupt),
        ("database is locked", StoreLocked),
        ("something else", StoreUnavailable),
    ],
)
def test_what_the_driver_says_becomes_a_typed_error(message: str, kind: type[StoreError]) -> None:
    from sqlalchemy.exc import OperationalError

    from course.store.errors import translated

    error = translated(OperationalError("SELECT 1", {}, sqlite3.OperationalError(message)), "a.db")
    assert type(error) is kind
    assert error.way_out


def test_the_path_may_not_be_a_folder_or_under_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreReadOnly):
        open_store(url(tmp_path / "file" / "a.db"))
    with pytest.raises(StoreReadOnly):
        open_store(url(tmp_path))


@pytest.mark.parametrize("address", ["no url at all", "nosuchdatabase://x/y"])
def test_an_address_that_is_none_is_reported_without_secrets(address: str) -> None:
    with pytest.raises(StoreUnavailable):
        open_store(address)


def test_a_server_that_does_not_answer_hides_the_password() -> None:
    with pytest.raises(StoreUnavailable) as caught:
        open_store("postgresql://teacher:secret-word@localhost:1/backstep")
    assert "secret-word" not in str(caught.value)


def test_the_environment_names_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BACKSTEP_DATABASE_URL", raising=False)
    assert default_url().startswith("sqlite:///")
    assert default_url().endswith("data/backstep.db")
    monkeypatch.setenv("BACKSTEP_DATABASE_URL", url(tmp_path / "b.db"))
    assert shared() is shared()
    forget()
    assert (tmp_path / "b.db").exists()


def test_moments_come_back_in_utc(store: Store) -> None:
    east = datetime(2026, 1, 1, 5, tzinfo=timezone(timedelta(hours=5)))
    with store.writing() as session:
        session.add(Learner(id="ada", since=east))
    with store.reading() as session:
        found = session.get(Learner, "ada")
        assert found is not None
        assert found.since == east
        assert found.since.tzinfo is UTC
