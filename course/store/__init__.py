"""The progress store: each learner's cards, practice and test attempts, in SQLite or PostgreSQL."""

from course.store.engine import Store, default_url, forget, open_store, set_aside, shared
from course.store.errors import (
    StoreCorrupt,
    StoreError,
    StoreLocked,
    StoreNewer,
    StoreReadOnly,
    StoreUnavailable,
)
from course.store.models import Attempt, Item, Learner, Practice, Seen

__all__ = [
    "Attempt",
    "Item",
    "Learner",
    "Practice",
    "Seen",
    "Store",
    "StoreCorrupt",
    "StoreError",
    "StoreLocked",
    "StoreNewer",
    "StoreReadOnly",
    "StoreUnavailable",
    "default_url",
    "forget",
    "open_store",
    "set_aside",
    "shared",
]
