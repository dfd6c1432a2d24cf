"""The labs: an overview of all, or one of them, opened by its name in the address."""

import streamlit as st

from course.labs import catalogue
from ui import address, entry
from ui.labs import overview, room

entry.through_app()

chosen = address.read_one_of("lab", catalogue.slugs(), "lab")
room.style()
if chosen is None:
    st.title("Labs")
    with st.container(key="reading-labs"):
        st.markdown(
            "Each lab measures one thing on the engine while you change it. Every number is computed when you ask for "
            "it; nothing is stored and nothing is drawn by hand."
        )
    overview.grid()
else:
    room.show(catalogue.get(chosen))
