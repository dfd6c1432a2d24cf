"""Every page is entered through app.py."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager


def through_app() -> None:
    """Make sure that this page runs inside app.py; to be called first on every page.

    A server that has not run app.py yet takes the folder pages/ for an app of the old kind, and runs the page of a deep
    link alone: without its settings, style, navigation and login. ``st.navigation`` ends that, but only once the start
    page was opened; this ends it at the first page whatever it is.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()
