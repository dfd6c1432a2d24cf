"""All labs at a glance, by theme."""

from __future__ import annotations

import streamlit as st

from course.labs import catalogue


def grid() -> None:
    """A tile for each lab. Nothing is computed."""
    for number, theme in enumerate(catalogue.THEMES):
        st.header(theme, anchor=False)
        with st.container(key=f"labs-of-{number}"):
            for lab in catalogue.of_theme(theme):
                with st.container(key=f"to-lab-{lab.slug}"):
                    st.page_link(
                        "pages/labs.py", label=lab.title, icon=":material/science:", query_params={"lab": lab.slug}
                    )
                    st.caption(lab.measures)
