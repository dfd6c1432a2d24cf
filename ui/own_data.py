"""A learner's own data: download, upload, erase."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from course import portable
from course.portable import ImportRefused
from course.store import Store, StoreError
from ui import session
from ui.text_upload import text_upload


def show(store: Store, learner: str) -> None:
    """The three things one can do with one's progress."""
    st.header("Your data", anchor=False)
    if message := st.session_state.pop("own-data-message", None):
        st.success(message, icon=":material/task_alt:")
    if trouble := st.session_state.pop("own-data-trouble", None):
        st.error(trouble, icon=":material/error:")
    with st.container(key="reading-data"):
        if session.login_configured():
            st.caption(f"You are logged in as {learner}.")
            st.button("Log out", icon=":material/logout:", on_click=st.logout, key="log-out")
        st.markdown(
            "Download your progress to keep it or to take it to another machine; an upload adds to what is here."
        )
        st.download_button(
            "Download progress (JSON)",
            data=lambda: portable.download(store, learner).encode(),
            file_name=f"backstep-progress-{datetime.now(UTC):%Y-%m-%d}.json",
            mime="application/json",
            icon=":material/download:",
            on_click="ignore",
            key="download-progress",
        )
        round_ = st.session_state.setdefault("upload-round", 0)
        uploaded = text_upload(
            "Upload progress (JSON)", key=f"upload-{round_}", accept=".json,application/json", largest=portable.LARGEST
        )
        if uploaded is not None:
            st.button(
                "Add this file to my progress",
                type="primary",
                key="upload-progress",
                on_click=_upload,
                args=(store, learner, uploaded),
            )
        st.markdown("**Erase**")
        sure = st.checkbox("Erase all my progress: cards, answers and tests. This cannot be undone.", key="erase-sure")
        st.button(
            "Erase everything",
            disabled=not sure,
            icon=":material/delete_forever:",
            key="erase-progress",
            on_click=_erase,
            args=(store, learner),
        )


def _upload(store: Store, learner: str, content: str) -> None:
    try:
        st.session_state["own-data-message"] = str(portable.upload(store, learner, content))
        st.session_state["upload-round"] += 1  # empties the uploader
    except ImportRefused as error:
        st.session_state["own-data-trouble"] = str(error)
    except StoreError as error:
        st.session_state["own-data-trouble"] = f"Nothing was added. {error} {error.way_out}"


def _erase(store: Store, learner: str) -> None:
    try:
        portable.erase(store, learner)
    except StoreError as error:
        st.session_state["own-data-trouble"] = f"Nothing was erased. {error} {error.way_out}"
        return
    st.session_state.clear()
    st.session_state["own-data-message"] = "Your progress is erased."
