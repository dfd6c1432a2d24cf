"""The concept cards: an overview of all, or one of them."""

import streamlit as st

from course import concepts, mastery, practice
from course.store import StoreError
from ui import address, concept_card, concept_tiles, entry, session

entry.through_app()

chosen = address.read_one_of("concept", concepts.slugs(), "concept")
store = session.optional_store()
learner = session.learner()
if chosen is not None and store is not None and st.session_state.get("card-open") != chosen:
    st.session_state["card-open"] = chosen
    try:
        practice.saw(store, learner, chosen)
    except StoreError as error:
        st.warning(f"{error} {error.way_out}", icon=":material/save:")
known = mastery.of(store, learner) if store else {}

if chosen is None:
    st.session_state.pop("card-open", None)
    if not st.query_params:
        # A link from a card back to this page leaves the card in the browser's address; this takes it out.
        st.query_params.clear()
    st.title("Concepts", anchor=False)
    with st.container(key="reading-concepts"):
        st.markdown(
            "Each card has one idea, a walk opened at the step that shows it, something to try, and one question. "
            "They build on each other, so the order is a good way through."
        )
    if known:
        st.caption(concept_tiles.summary(known))
    concept_tiles.tiles(known)
else:
    concept_card.show(concepts.get(chosen), store, learner, concept_tiles.state_of(known, chosen))
