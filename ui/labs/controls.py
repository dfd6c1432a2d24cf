"""What a learner moves in a lab. Every control keeps its value in the address, under its key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import streamlit as st


@contextmanager
def row(slug: str) -> Iterator[None]:
    """A row of controls; on a narrow screen they stand below each other."""
    with st.container(horizontal=True, key=f"controls-{slug}"):
        yield


def slider(label: str, key: str, first: int, last: int, default: int, step: int = 1) -> int:
    """A whole number from ``first`` to ``last``."""
    with st.container(width=260):
        return int(st.slider(label, first, last, default, step, key=key, bind="query-params"))


def point(label: str, key: str, first: float, last: float, default: float, step: float) -> float:
    """A number from ``first`` to ``last``."""
    with st.container(width=260):
        return float(st.slider(label, first, last, default, step, key=key, bind="query-params"))


def among(label: str, key: str, values: Sequence[float], default: float) -> float:
    """One of a few numbers, on a slider."""
    words = [f"{value:g}" for value in values]
    with st.container(width=260):
        return float(st.select_slider(label, words, f"{default:g}", key=key, bind="query-params"))


def choice(label: str, key: str, options: Mapping[str, str], default: str) -> str:
    """One of a few names; ``options`` maps what is returned to what is read."""
    names = {word: name for name, word in options.items()}
    with st.container(width="content"):
        picked = st.segmented_control(
            label, list(names), default=options[default], required=True, key=key, bind="query-params"
        )
    return names.get(str(picked), default)


def one_of(label: str, key: str, options: Mapping[str, str], default: str) -> str:
    """One of many names, in a list that folds out."""
    names = {word: name for name, word in options.items()}
    words = list(names)
    with st.container(width=320):
        picked = st.selectbox(label, words, words.index(options[default]), key=key, bind="query-params")
    return names[str(picked)]


def switch(label: str, key: str, default: bool = False) -> bool:
    """On or off."""
    with st.container(width="content"):
        return bool(st.toggle(label, default, key=key, bind="query-params"))
