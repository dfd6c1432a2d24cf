"""The 25 concepts in their order, and the cards that explain them."""

from __future__ import annotations

from functools import cache

from course import paths
from course.schema import Concept, read_concept

#: The order in which the concepts are taught.
SLUGS = (
    "recording",
    "dag",
    "requires-grad",
    "leaf",
    "numbers-not-symbols",
    "local-derivative",
    "chain-rule",
    "reverse-walk",
    "diamond",
    "define-by-run",
    "forward-vs-reverse",
    "vjp",
    "vector-output",
    "accumulation",
    "train-step",
    "micro-batches",
    "cost",
    "activation-memory",
    "checkpointing",
    "no-grad",
    "eval-mode",
    "detach",
    "graph-lifetime",
    "in-place",
    "boundary",
)


def slugs() -> tuple[str, ...]:
    """The concepts that have a card, in order."""
    return tuple(slug for slug in SLUGS if (paths.CONCEPTS / f"{slug}.toml").exists())


@cache
def get(slug: str) -> Concept:
    """The card of ``slug``.

    Raises KeyError for a slug that is not one of :data:`SLUGS`, ContentError when its file cannot be used.
    """
    if slug not in SLUGS:
        raise KeyError(slug)
    return read_concept(paths.CONCEPTS / f"{slug}.toml")


def all() -> tuple[Concept, ...]:
    """Every card, in order. Raises ContentError."""
    return tuple(get(slug) for slug in slugs())


def neighbours(slug: str) -> tuple[str | None, str | None]:
    """The slugs before and after ``slug`` (None at the ends)."""
    present = slugs()
    at = present.index(slug)
    return (present[at - 1] if at else None, present[at + 1] if at + 1 < len(present) else None)
