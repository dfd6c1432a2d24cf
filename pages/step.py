"""The Step page: choose or write a program, change its numbers, and walk through what it does."""

import streamlit as st

from ui import entry, step_page

entry.through_app()

st.title("Step through it")
step_page.workbench()
