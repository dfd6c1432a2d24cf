"""Who is learning: one person on their own machine, or everybody who logs in."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from course.store import Learner, Store

#: The learner on a machine without login.
LOCAL = "local"


def ensure(session: Session, learner: str) -> Learner:
    """The row of ``learner``, made if it is new, and locked until the transaction ends where the database can."""
    insert = postgresql.insert if session.get_bind().dialect.name == "postgresql" else sqlite.insert
    new = insert(Learner).values(id=learner, since=datetime.now(UTC))
    session.execute(new.on_conflict_do_nothing(index_elements=[Learner.id]))
    return session.get_one(Learner, learner, with_for_update=True)


def everyone(store: Store) -> list[str]:
    """The ids of all learners, in alphabetical order."""
    with store.reading() as session:
        return list(session.scalars(select(Learner.id).order_by(Learner.id)))


def erase(store: Store, learner: str) -> None:
    """Remove everything that is stored about ``learner``."""
    with store.writing() as session:
        found = session.get(Learner, learner)
        if found is not None:
            session.delete(found)
