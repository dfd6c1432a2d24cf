"""What the address bar says: read, checked, and kept in step with the page."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st


def read(name: str) -> str | None:
    """The value of a query parameter, None when it is not there or empty."""
    value = st.query_params.get(name)
    return value.strip()[:200] if isinstance(value, str) and value.strip() else None


def read_one_of(name: str, allowed: Collection[str], what: str) -> str | None:
    """The value of a query parameter when it is one of ``allowed``.

    For anything else a message says so on the page (``what`` is the thing in words) and None is returned.
    """
    value = read(name)
    _hold(name, value)
    if value is None or value in allowed:
        return value
    st.warning(f"There is no {what} “{_plain(value)}”. Choose one below.", icon=":material/link_off:")
    return None


def _hold(name: str, value: str | None) -> None:
    """Put into the address bar what the page was opened with.

    A link from a page to itself reaches the server but not the address bar, so that the next click of any kind would
    lead back to where the link was. What a session begins with stands there already.
    """
    begins = "address-held" not in st.session_state
    held: dict[str, str | None] = st.session_state.setdefault("address-held", {})
    if held.get(name) != value:
        held[name] = value
        if not begins:
            st.query_params.from_dict(st.query_params.to_dict())


def read_number(name: str, first: int, last: int) -> int | None:
    """The whole number in a query parameter, None when it is missing, no number, or outside ``first`` to ``last``."""
    value = read(name)
    if value is None or not value.isascii() or not value.isdigit() or not first <= int(value[:9]) <= last:
        return None
    return int(value)


def write(**parameters: str | int | None) -> None:
    """Put the parameters into the address bar; None takes one out. Others stay."""
    for name, value in parameters.items():
        if value is None:
            if name in st.query_params:
                del st.query_params[name]
        elif st.query_params.get(name) != str(value):
            st.query_params[name] = str(value)


def _plain(text: str) -> str:
    """Text of a stranger inside Markdown: only what cannot be markup."""
    return "".join(letter for letter in text[:60] if letter.isalnum() or letter in "-_. ")
