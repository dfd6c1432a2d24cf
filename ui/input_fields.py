"""Fields for the numbers at the top of a program: change one and the walk changes."""

from __future__ import annotations

from typing import Any

import streamlit as st

from snippets import inputs
from ui import program
from ui.program import Program


def fields(shown: Program) -> None:
    """One field an input, each with its message when what it holds is no number it can take."""
    found = inputs.find(shown.given)
    if not found:
        return
    faults: dict[str, str] = st.session_state.setdefault("input-faults", {})
    known: dict[str, str | None] = st.session_state.setdefault("inputs-known", {})
    for item in found:
        key = f"in-{shown.place}-{item.name}"
        asked = shown.changed.get(item.name)
        if key not in st.session_state or known.get(key) != asked:
            # A new program, or the address was changed behind the field's back (a link, the back button).
            st.session_state[key] = asked or _written(item.value)
            known[key] = asked
            faults.pop(key, None)
        with st.container(width=max(120, min(320, 60 + 9 * len(_written(item.value)))), gap="xsmall"):
            st.text_input(item.name, key=key, on_change=_changed, args=(shown, item.name, key))
            fault = faults.get(key)
            if fault:
                st.markdown(f":red[{fault}]")
    if shown.changed:
        with st.container(width="content"):
            st.space("small")
            st.button("Reset", on_click=_reset, args=(shown,), icon=":material/undo:", help="The program's own numbers")


def _changed(shown: Program, name: str, key: str) -> None:
    """Take a new number, or say beside the field why it cannot be taken; the walk then stays as it is."""
    text = str(st.session_state[key]).strip()
    faults: dict[str, str] = st.session_state.setdefault("input-faults", {})
    try:
        program.replaced(shown.given, {name: text})
    except ValueError as error:
        faults[key] = _sentence(str(error))
        return
    faults.pop(key, None)
    own = next(item for item in inputs.find(shown.given) if item.name == name)
    asked = None if _same(text, own.value) else text
    st.session_state["inputs-known"][key] = asked
    program.put(name, asked, st.session_state.get("at"))


def _reset(shown: Program) -> None:
    for item in inputs.find(shown.given):
        program.put(item.name, None, st.session_state.get("at"))
        key = f"in-{shown.place}-{item.name}"
        st.session_state[key] = _written(item.value)
        st.session_state["inputs-known"][key] = None
        st.session_state.get("input-faults", {}).pop(key, None)


def _same(text: str, value: Any) -> bool:
    return bool(inputs.parse(text) == value)


def _written(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_written(item) for item in value) + "]"
    return (
        f"{value:g}" if isinstance(value, float) and abs(value) < 1e5 and float(f"{value:g}") == value else repr(value)
    )


def _sentence(text: str) -> str:
    """A message as a sentence, with nothing in it that Markdown would take as markup."""
    plain = "".join(letter for letter in text[:160] if letter.isalnum() or letter in " -.,'()×:;=<>")
    return plain + ("" if plain.endswith(".") else ".")
