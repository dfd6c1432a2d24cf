"""Bringing the tables to the newest version, with alembic, whenever the database is opened."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from course.store.errors import StoreNewer

#: Two servers that start together must not both migrate; PostgreSQL waits on this number, SQLite on its write lock.
_POSTGRES_LOCK = 0x6261636B


def to_newest(connection: Connection, where: str) -> None:
    """Create or migrate the tables inside the transaction ``connection`` is in.

    Raises StoreNewer when the database has a version this program does not know.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _POSTGRES_LOCK})
    scripts = _scripts()
    current = MigrationContext.configure(connection).get_current_revision()
    if current == scripts.get_current_head():
        return
    known = {script.revision for script in scripts.walk_revisions()}
    if current is not None and current not in known:
        raise StoreNewer(f"The progress database {where} has version {current}, which this Backstep does not know.")
    config = _config()
    config.attributes["connection"] = connection
    command.upgrade(config, "head")


def newest() -> str:
    """The version of the tables this program works with."""
    return str(_scripts().get_current_head())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    return config


@cache
def _scripts() -> ScriptDirectory:
    return ScriptDirectory.from_config(_config())
