"""Who is learning, and where their progress is kept."""

from __future__ import annotations

from typing import Any

import streamlit as st

from course import store as stores
from course.learners import LOCAL
from course.store import Store, StoreCorrupt, StoreError


def _secret(*path: str) -> Any:
    """A value from the secrets, None when there is no such value or no secrets file."""
    if not st.secrets.load_if_toml_exists():
        return None
    here: Any = st.secrets
    for name in path:
        here = here.get(name) if hasattr(here, "get") else None
        if here is None:
            return None
    return here


def login_configured() -> bool:
    """Whether people log in here (an ``[auth]`` section in the secrets)."""
    return _secret("auth") is not None


def log_in() -> None:
    """Where login is configured and nobody is logged in, offer that and nothing else."""
    if not login_configured():
        return
    if st.user.is_logged_in:
        return
    st.title("Backstep", anchor=False)
    st.write("Log in to keep your progress: the cards you opened, your answers and your tests.")
    st.button("Log in", on_click=st.login, type="primary", icon=":material/login:")
    st.stop()


def learner() -> str:
    """The id of the current learner: ``local``, or the e-mail address of who is logged in."""
    if not login_configured():
        return LOCAL
    email = str(st.user.get("email") or "").strip().lower()
    if not email:
        st.error("Your login came without an e-mail address, so your progress cannot be told from others'.")
        st.button("Log out", on_click=st.logout)
        st.stop()
    return email


def may_teach() -> bool:
    """Whether the current learner may see the class: on one's own machine always, otherwise named in the secrets."""
    if not login_configured():
        return True
    named = _secret("backstep", "teachers") or []
    return learner() in {str(email).strip().lower() for email in named}


def database_url() -> str:
    """The database: ``[connections.backstep] url`` in the secrets, or what the course says."""
    url = _secret("connections", "backstep", "url")
    return str(url) if url else stores.default_url()


def store(title: str) -> Store:
    """The progress store. When it cannot be used the page, under its ``title``, says why and what to do, and ends."""
    try:
        opened = stores.shared(database_url())
    except StoreError as error:
        st.title(title, anchor=False)
        show_store_error(error)
        st.stop()
    _show_store_message()
    return opened


def optional_store() -> Store | None:
    """The progress store, or None (with a short notice) on pages that work without it."""
    try:
        return stores.shared(database_url())
    except StoreError as error:
        st.warning(
            f"Your progress is not saved at the moment: {error} The [Progress](/progress) page says what to do.",
            icon=":material/save:",
        )
        return None


def show_store_error(error: StoreError) -> None:
    """Say what is wrong with the database and what to do, with buttons for what can be done from here."""
    st.error(f"**Your progress cannot be used at the moment.** {error}", icon=":material/database:")
    st.write(error.way_out)
    with st.container(horizontal=True):
        st.button("Try again", icon=":material/refresh:", key="store-again")
        if isinstance(error, StoreCorrupt):
            st.button(
                "Set the damaged file aside and begin a new one",
                icon=":material/inventory_2:",
                key="store-aside",
                on_click=_set_aside,
            )
    _show_store_message()


def _show_store_message() -> None:
    """What the last button did to the database."""
    if message := st.session_state.pop("store-message", None):
        st.info(message, icon=":material/inventory_2:")


def _set_aside() -> None:
    try:
        aside = stores.set_aside(database_url())
        st.session_state["store-message"] = f"The damaged file is kept as {aside}."
    except StoreError as error:
        st.session_state["store-message"] = str(error)
