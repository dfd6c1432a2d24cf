"""Opening the database and talking to it in transactions."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, IntegrityError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.orm import Session

from course.store import migrate
from course.store.errors import StoreCorrupt, StoreError, StoreReadOnly, StoreUnavailable, translated

ENVIRONMENT = "BACKSTEP_DATABASE_URL"
DEFAULT_FILE = Path("data") / "backstep.db"

#: How long a write waits for another one, in seconds.
BUSY_TIMEOUT = 5.0


def default_url() -> str:
    """The address in BACKSTEP_DATABASE_URL, or the SQLite file ``data/backstep.db`` beside the app."""
    root = Path(__file__).resolve().parents[2]
    return os.environ.get(ENVIRONMENT) or f"sqlite:///{root / DEFAULT_FILE}"


class Store:
    """An open database whose tables are up to date. Safe to share between threads."""

    def __init__(self, engine: Engine, where: str) -> None:
        self._engine = engine
        self._writing = engine.execution_options(backstep_write=True)
        self.where = where

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session for looking things up. Raises StoreError."""
        with _translating(self.where), Session(self._engine, expire_on_commit=False) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose changes are all saved at the end, or none of them. Raises StoreError."""
        with _translating(self.where), Session(self._writing, expire_on_commit=False) as session, session.begin():
            yield session

    def close(self) -> None:
        """Let go of all connections."""
        self._engine.dispose()


def open_store(url: str | None = None) -> Store:
    """Open the database at ``url`` (default :func:`default_url`), creating or migrating its tables where needed.

    Raises StoreError; then the database has not been changed.
    """
    try:
        address = make_url(url or default_url())
    except ArgumentError:
        raise StoreUnavailable("The address of the progress database is not a database URL.") from None
    where = _described(address)
    _make_folder(address, where)
    try:
        engine = _engine(address)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise StoreUnavailable(f"The driver for the progress database {where} is not installed ({error}).") from None
    try:
        with _translating(where), engine.execution_options(backstep_write=True).begin() as connection:
            _must_be_sound(connection, where)
            migrate.to_newest(connection, where)
            connection.execute(text("UPDATE alembic_version SET version_num = version_num"))  # can it be written?
    except StoreError:
        engine.dispose()
        raise
    return Store(engine, where)


def set_aside(url: str | None = None) -> Path:
    """Rename a SQLite database that cannot be read (with its log files) so that a new one can begin; its new path.

    Raises StoreError when the database is no file or cannot be renamed.
    """
    address = make_url(url or default_url())
    if not _is_file(address):
        raise StoreUnavailable("Only a database file can be set aside.")
    path = Path(str(address.database))
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.damaged-{stamp}")
    try:
        path.rename(aside)
        for ending in ("-wal", "-shm"):
            log = path.with_name(path.name + ending)
            if log.exists():
                log.rename(aside.with_name(aside.name + ending))
    except OSError as error:
        raise StoreReadOnly(f"{path} cannot be renamed ({error.strerror}).") from None
    return aside


def _is_file(address: URL) -> bool:
    """Whether the database is a file named by its path (and not in memory, nor a ``file:`` URI of SQLite's own)."""
    database = address.database or ":memory:"
    return address.get_backend_name() == "sqlite" and database != ":memory:" and not database.startswith("file:")


def _described(address: URL) -> str:
    named = address.get_backend_name() == "sqlite" and address.database
    return str(address.database) if named else address.render_as_string(hide_password=True)


def _make_folder(address: URL, where: str) -> None:
    if not _is_file(address):
        return
    try:
        Path(str(address.database)).parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreReadOnly(f"The folder of the progress database {where} cannot be made ({error.strerror}).") from None


def _engine(address: URL) -> Engine:
    if address.get_backend_name() != "sqlite":
        return create_engine(address, pool_pre_ping=True)
    engine = create_engine(address, connect_args={"timeout": BUSY_TIMEOUT})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    """Own the transactions (so that table changes are in them too), and let readers go on while one writes."""
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = NORMAL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    """A writer takes its lock at once: a lock asked for in mid-transaction fails instead of waiting."""
    write = connection.get_execution_options().get("backstep_write", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _must_be_sound(connection: Connection, where: str) -> None:
    if connection.dialect.name == "sqlite":
        found = connection.execute(text("PRAGMA quick_check(1)")).scalar()
        if found != "ok":
            raise StoreCorrupt(f"The progress database {where} is damaged ({found}).")


@contextmanager
def _translating(where: str) -> Iterator[None]:
    try:
        yield
    except IntegrityError:  # a fault of ours, not of the database
        raise
    except SQLAlchemyError as error:
        raise translated(error, where) from error


_open_stores: dict[str, Store] = {}
_opening = threading.Lock()


def shared(url: str | None = None) -> Store:
    """The store of this process for ``url``, opened once. Raises StoreError (and tries anew on the next call)."""
    address = url or default_url()
    with _opening:
        if address not in _open_stores:
            _open_stores[address] = open_store(address)
        return _open_stores[address]


def forget(url: str | None = None) -> None:
    """Close the shared store for ``url``, so that the next call opens it again."""
    with _opening:
        store = _open_stores.pop(url or default_url(), None)
    if store is not None:
        store.close()
