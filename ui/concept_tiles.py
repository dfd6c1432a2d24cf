"""The 25 concepts at a glance: what is learnt, what is shaky, what is still new."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from course import concepts
from course.mastery import Mastery, State

ICONS: dict[State, str] = {
    "learnt": ":material/check_circle:",
    "shaky": ":material/error:",
    "seen": ":material/visibility:",
    "new": ":material/radio_button_unchecked:",
}
WORDS: dict[State, str] = {"learnt": "learnt", "shaky": "to look at again", "seen": "opened", "new": "new"}


def state_of(known: Mapping[str, Mastery], slug: str) -> State:
    """The state of one concept, ``new`` when nothing is known."""
    return known[slug].state if slug in known else "new"


def tiles(known: Mapping[str, Mastery]) -> None:
    """A grid of links to all cards, each with its state in icon and word."""
    with st.container(key="concept-grid"):
        for number, card in enumerate(concepts.all(), start=1):
            state = state_of(known, card.slug)
            with st.container(key=f"tile-{state}-{card.slug}"):
                st.page_link(
                    "pages/concepts.py",
                    label=f"{number}. {card.title}",
                    icon=ICONS[state],
                    query_params={"concept": card.slug},
                )
                value = known[card.slug].value if card.slug in known else None
                st.caption(WORDS[state] + (f", {value:.0%}" if value is not None else ""))


def summary(known: Mapping[str, Mastery]) -> str:
    """How many concepts are in which state, in words."""
    states = [one.state for one in known.values()]
    parts = [f"{states.count('learnt')} of {len(concepts.SLUGS)} learnt"]
    if shaky := states.count("shaky"):
        parts.append(f"{shaky} to look at again")
    if seen := states.count("seen"):
        parts.append(f"{seen} opened")
    return ", ".join(parts)
