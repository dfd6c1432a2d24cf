"""What can be wrong with the progress database, each with a way out. None of these loses anything."""

from __future__ import annotations

import sqlite3

from sqlalchemy.exc import DBAPIError, SQLAlchemyError


class StoreError(Exception):
    """Progress cannot be read or saved now. ``str(error)`` says why, :attr:`way_out` what to do about it."""

    way_out = "Try again; if it stays like this, look at the log of the server."


class StoreCorrupt(StoreError):
    """The database file is damaged or is not a database."""

    way_out = (
        "The file has not been touched. Put a backup in its place, or set it aside and begin a new one; "
        "progress you downloaded earlier can be uploaded again."
    )


class StoreLocked(StoreError):
    """Another program holds the database."""

    way_out = "Close the other program (or wait until it is done) and try again. Nothing is lost meanwhile."


class StoreReadOnly(StoreError):
    """The database, or the folder it is in, cannot be written."""

    way_out = (
        "Give this user the right to write the file and its folder, or set BACKSTEP_DATABASE_URL to another place."
    )


class StoreNewer(StoreError):
    """The database was written by a newer version of Backstep."""

    way_out = "Update Backstep, or set BACKSTEP_DATABASE_URL to another place. The newer database has not been touched."


class StoreUnavailable(StoreError):
    """The database cannot be reached at all."""

    way_out = "Check BACKSTEP_DATABASE_URL and that the database server runs and accepts this user."


def translated(error: SQLAlchemyError, where: str) -> StoreError:
    """The typed error behind what the database driver reported about the database ``where``."""
    cause = getattr(error, "orig", None) if isinstance(error, DBAPIError) else None
    text = str(cause or error)
    low = text.lower()
    if "malformed" in low or "not a database" in low or "disk image" in low:
        return StoreCorrupt(f"The progress database {where} is damaged ({text}).")
    if "locked" in low or "busy" in low:
        return StoreLocked(f"The progress database {where} is locked by another program.")
    if "readonly" in low or "read-only" in low or "permission denied" in low:
        return StoreReadOnly(f"The progress database {where} cannot be written ({text}).")
    if "disk is full" in low or "no space" in low:
        return StoreReadOnly(f"The disk with the progress database {where} is full.")
    if isinstance(cause, sqlite3.OperationalError) and "unable to open" in low:
        return StoreReadOnly(f"The progress database {where} cannot be opened ({text}).")
    return StoreUnavailable(
        f"The progress database {where} cannot be used ({text.splitlines()[0] if text else error})."
    )
