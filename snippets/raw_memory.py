"""The names under which NumPy asks any object for the memory at an address: no object of a snippet may answer."""

from __future__ import annotations

RAW_MEMORY = frozenset({"__array_interface__", "__array_struct__"})
