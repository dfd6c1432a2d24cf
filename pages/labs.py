"""The labs: an overview of all, or one of them, opened by its name in the address."""

import streamlit as st

from course.labs import catalogue
from ui import address, entry
from ui.labs import overview, room

entry.through_app()

chosen = address.read_one_of("lab", catalogue.slugs(), "lab")
room.style()
if chosen is None:
    if not st.query_params:
        # A link from a lab back to this page leaves the lab in the browser's address; this takes it out.
        st.query_params.clear()
    st.title("Labs", anchor=False)
    with st.container(key="reading-labs"):
        st.markdown(
            "Each lab measures one thing while you change it. Every number comes from the engine, for the setting you "
            "chose; none is written by hand."
        )
    overview.grid()
else:
    # Said again on every run: after a link here the browser forgets it as soon as a control writes its own value.
    st.query_params["lab"] = chosen
    room.show(catalogue.get(chosen))
