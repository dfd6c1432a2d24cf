"""What to do next, as a sentence and a link."""

from __future__ import annotations

import streamlit as st

from course import concepts, exam, mastery
from course.mastery import Mastery, NextThing
from course.store import Store
from ui import links


def find(store: Store, learner: str, known: dict[str, Mastery]) -> NextThing:
    """What helps this learner most now."""
    return mastery.next_thing(
        known,
        open_test=exam.current(store, learner) is not None,
        tests=len(exam.finished(store, learner)),
    )


def show(thing: NextThing) -> None:
    """The next thing to do."""
    title = concepts.get(thing.concept).title if thing.concept else ""
    text = {
        "first": f"Begin with the first card, **{title}**.",
        "continue-test": "Your test is open. Every answer so far is saved.",
        "repeat": f"**{title}** went worst so far. Its card and walk take a few minutes.",
        "next": f"The next card is **{title}**.",
        "test": "You know every card. Take the graded test.",
        "retake": "Every concept is learnt. A retake asks other questions.",
    }[thing.kind]
    st.markdown(text)
    if thing.concept:
        links.to_card(thing.concept, "Open the card")
    else:
        label = {"continue-test": "Continue the test"}.get(thing.kind, "Go to the test")
        links.to_page("test", label, ":material/checklist:")
