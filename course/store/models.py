"""The tables: who learns, what they looked at, practised and answered in tests."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    TypeDecorator,
    text,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Moment(TypeDecorator[datetime]):
    """A point in time, always UTC: SQLite keeps no time zone, so it is put back on reading."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return value.astimezone(UTC) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """All tables of the store."""


class Learner(Base):
    """Somebody who learns: ``local`` on one's own machine, the e-mail address where people log in."""

    __tablename__ = "learner"

    id: Mapped[str] = mapped_column(String(320), primary_key=True)
    since: Mapped[datetime] = mapped_column(Moment)


class Seen(Base):
    """A learner opened a concept's card."""

    __tablename__ = "seen"

    learner_id: Mapped[str] = mapped_column(ForeignKey("learner.id", ondelete="CASCADE"), primary_key=True)
    concept: Mapped[str] = mapped_column(String(64), primary_key=True)
    first: Mapped[datetime] = mapped_column(Moment)
    last: Mapped[datetime] = mapped_column(Moment)


class Practice(Base):
    """One answer to the question on a card."""

    __tablename__ = "practice"

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    learner_id: Mapped[str] = mapped_column(ForeignKey("learner.id", ondelete="CASCADE"), index=True)
    concept: Mapped[str] = mapped_column(String(64))
    question: Mapped[str] = mapped_column(String(80))
    seed: Mapped[int] = mapped_column(BigInteger)
    answer: Mapped[Any] = mapped_column(JSON)
    score: Mapped[float] = mapped_column(Float)
    misconceptions: Mapped[list[str]] = mapped_column(JSON)
    at: Mapped[datetime] = mapped_column(Moment)


class Attempt(Base):
    """One go at the graded test. While ``finished`` is None it is open; a learner has at most one open attempt.

    ``imported`` marks attempts that came in with an uploaded file; item statistics leave them out.
    """

    __tablename__ = "attempt"
    __table_args__ = (
        Index(
            "one_open_attempt",
            "learner_id",
            unique=True,
            sqlite_where=text("finished IS NULL"),
            postgresql_where=text("finished IS NULL"),
        ),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    learner_id: Mapped[str] = mapped_column(ForeignKey("learner.id", ondelete="CASCADE"), index=True)
    seed: Mapped[int] = mapped_column(BigInteger)
    started: Mapped[datetime] = mapped_column(Moment)
    finished: Mapped[datetime | None] = mapped_column(Moment, default=None)
    score: Mapped[float | None] = mapped_column(Float, default=None)
    imported: Mapped[bool] = mapped_column(Boolean, default=False)
    items: Mapped[list[Item]] = relationship(
        order_by="Item.position", cascade="all, delete-orphan", passive_deletes=True, lazy="selectin"
    )


class Item(Base):
    """One question of an attempt: the variant as shown, its key (never sent before the end) and the answer so far.

    Variant and key are kept as they were drawn, so that an attempt stays the same when the content is edited.
    """

    __tablename__ = "item"

    attempt_id: Mapped[str] = mapped_column(ForeignKey("attempt.id", ondelete="CASCADE"), primary_key=True)
    position: Mapped[int] = mapped_column(Integer, primary_key=True)
    concept: Mapped[str] = mapped_column(String(64))
    question: Mapped[str] = mapped_column(String(80), index=True)
    variant: Mapped[dict[str, Any]] = mapped_column(JSON)
    key: Mapped[dict[str, Any]] = mapped_column(JSON)
    answer: Mapped[Any] = mapped_column(JSON(none_as_null=True), nullable=True, default=None)
    answered: Mapped[datetime | None] = mapped_column(Moment, default=None)
    score: Mapped[float | None] = mapped_column(Float, default=None)
    misconceptions: Mapped[list[str]] = mapped_column(JSON, default=list)
