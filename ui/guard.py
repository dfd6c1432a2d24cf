"""Nothing unexpected reaches the browser as a stack trace."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

log = logging.getLogger("backstep")


@contextmanager
def guarded() -> Iterator[None]:
    """Turn an unexpected error of a page into a short message, and log it in full under a number both can name.

    Streamlit's own signals (rerun, stop, switch page) are not ``Exception`` and pass through.
    """
    try:
        yield
    except Exception:
        number = secrets.token_hex(3)
        log.exception("page failed, reference %s", number)
        st.error(
            "Something went wrong on this page. What you saved is safe. Reload the page; if it happens again, "
            f"the server's log has the details under **{number}**.",
            icon=":material/error:",
        )
