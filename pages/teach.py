"""For teachers: the class at a glance, what each question tells, and the questions for an LMS."""

import streamlit as st

from course.store import StoreError
from ui import entry, session, teaching

entry.through_app()

if not session.may_teach():
    st.title("Teach", anchor=False)
    st.info(
        "This page is for teachers. Whoever runs this server names them by e-mail in the secrets: "
        "`teachers` in the section `[backstep]`.",
        icon=":material/lock:",
    )
    st.stop()
store = session.store("Teach")
st.title("Teach", anchor=False)
try:
    teaching.overview(store)
    teaching.items(store)
    teaching.export()
except StoreError as error:
    session.show_store_error(error)
