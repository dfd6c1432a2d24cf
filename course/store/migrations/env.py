"""What alembic runs: the migrations, on the connection (and in the transaction) the store hands over."""

from __future__ import annotations

from alembic import context

from course.store.models import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
