"""The Doctor page: three ways to begin."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import streamlit as st

from snippets import symptoms
from ui import address, doctor_code, doctor_message, doctor_symptom

#: Ways by their word in the address.
WAYS = {"symptom": "A symptom", "message": "An error message", "code": "Your code"}


_STYLE = Path(__file__).resolve().parent.parent / "assets" / "doctor" / "doctor.css"


@cache
def _style() -> str:
    return f"<style>\n{_STYLE.read_text(encoding='utf-8')}</style>"


def show() -> None:
    """What the address asks for: a symptom, a program, or one of the ways to begin."""
    st.html(_style())
    st.title("The Doctor", anchor=False)
    with st.container(key="reading-doctor"):
        st.markdown(
            "Something is wrong with your gradients? Begin with what you see, with the message you got, or with the "
            "program itself. Every report names the line and the numbers that show it."
        )
    symptom = address.read_one_of("symptom", symptoms.slugs(), "symptom")
    asked = address.read("way")
    way = "symptom" if symptom else "code" if st.query_params.get("code") else asked if asked in WAYS else "symptom"
    if st.session_state.get("doctor-way-shown") != way:
        st.session_state["doctor-way-shown"] = way
        st.session_state["doctor-way"] = way
    st.segmented_control(
        "Begin with", list(WAYS), key="doctor-way", format_func=WAYS.__getitem__, on_change=_chosen, required=True
    )
    if way == "symptom":
        if symptom is None:
            doctor_symptom.overview()
        else:
            doctor_symptom.show(symptoms.get(symptom))
    elif way == "message":
        doctor_message.show()
    else:
        doctor_code.show()


def _chosen() -> None:
    way = st.session_state["doctor-way"]
    kept = {"code": str(st.query_params["code"])} if way == "code" and "code" in st.query_params else {}
    st.query_params.from_dict({"way": way} | kept)
