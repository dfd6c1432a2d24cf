"""The first tables: learners, cards seen, practice, test attempts and their items."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "learner",
        sa.Column("id", sa.String(320), primary_key=True),
        sa.Column("since", moment, nullable=False),
    )
    op.create_table(
        "seen",
        sa.Column("learner_id", sa.String(320), sa.ForeignKey("learner.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("concept", sa.String(64), primary_key=True),
        sa.Column("first", moment, nullable=False),
        sa.Column("last", moment, nullable=False),
    )
    op.create_table(
        "practice",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("learner_id", sa.String(320), sa.ForeignKey("learner.id", ondelete="CASCADE"), nullable=False),
        sa.Column("concept", sa.String(64), nullable=False),
        sa.Column("question", sa.String(80), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("answer", sa.JSON, nullable=False),
        sa.Column("score", sa.Float, nullable=False),
        sa.Column("misconceptions", sa.JSON, nullable=False),
        sa.Column("at", moment, nullable=False),
    )
    op.create_index("ix_practice_learner_id", "practice", ["learner_id"])
    op.create_table(
        "attempt",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("learner_id", sa.String(320), sa.ForeignKey("learner.id", ondelete="CASCADE"), nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("started", moment, nullable=False),
        sa.Column("finished", moment),
        sa.Column("score", sa.Float),
        sa.Column("imported", sa.Boolean, nullable=False),
    )
    op.create_index("ix_attempt_learner_id", "attempt", ["learner_id"])
    open_only = sa.text("finished IS NULL")
    op.create_index(
        "one_open_attempt",
        "attempt",
        ["learner_id"],
        unique=True,
        sqlite_where=open_only,
        postgresql_where=open_only,
    )
    op.create_table(
        "item",
        sa.Column("attempt_id", sa.String(32), sa.ForeignKey("attempt.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("position", sa.Integer, primary_key=True),
        sa.Column("concept", sa.String(64), nullable=False),
        sa.Column("question", sa.String(80), nullable=False),
        sa.Column("variant", sa.JSON, nullable=False),
        sa.Column("key", sa.JSON, nullable=False),
        sa.Column("answer", sa.JSON),
        sa.Column("answered", moment),
        sa.Column("score", sa.Float),
        sa.Column("misconceptions", sa.JSON, nullable=False),
    )
    op.create_index("ix_item_question", "item", ["question"])


def downgrade() -> None:
    """Drop the tables."""
    for table in ("item", "attempt", "practice", "seen", "learner"):
        op.drop_table(table)
