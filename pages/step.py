"""The Step page: choose or write a program, change its numbers, and walk through what it does."""

import streamlit as st

from ui import compare_page, entry, step_page

entry.through_app()

if compare_page.asked():
    st.title("Compare two versions", anchor=False)
    compare_page.workbench()
else:
    st.title("Step through it", anchor=False)
    step_page.workbench()
    compare_page.offer()
