"""A pasted error message, explained."""

from __future__ import annotations

import streamlit as st

from course import concepts
from snippets import explain, symptoms
from snippets.explain import Explanation, Unknown
from ui import links
from ui.doctor_report import plain

EXAMPLE = "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation"


def show() -> None:
    """The field to paste into, and what the message means."""
    with st.container(key="reading-message"):
        text = st.text_area(
            "Paste the error, the warning or the whole traceback",
            key="doctor-message",
            height=150,
            placeholder=EXAMPLE,
            max_chars=explain.LONGEST,
        )
        st.button("Explain it", type="primary", icon=":material/search:", key="doctor-explain")
        found = explain.explain(text or "")
        if isinstance(found, Explanation):
            _explained(found)
        elif isinstance(found, Unknown):
            _unknown(found)


def _explained(found: Explanation) -> None:
    st.header(plain(found.title), anchor=False)
    st.code(found.said, language=None, wrap_lines=True)
    st.markdown(found.means)
    _place(found.where)
    st.markdown("**Usual causes**\n\n" + "\n".join(f"- {cause}" for cause in found.causes))
    st.markdown("**What to look at**\n\n" + "\n".join(f"- {look}" for look in found.look))
    with st.container(horizontal=True):
        if found.symptom in symptoms.slugs():
            st.page_link(
                "pages/doctor.py",
                label=f"Find the cause: {symptoms.get(str(found.symptom)).title}",
                icon=":material/route:",
                query_params={"symptom": str(found.symptom)},
            )
        if found.concept in concepts.slugs():
            links.to_card(str(found.concept))


def _unknown(found: Unknown) -> None:
    st.info("The Doctor does not know this message, and rather says so than guess.", icon=":material/help:")
    if found.general:
        st.markdown(f"All that can be said in general about a `{found.type}`: {found.general}")
    _place(found.where)
    st.markdown(
        "What helps: the last line of the traceback that is in your own file is where to begin. Print the shapes, the "
        "dtypes and `requires_grad` of what stands there. Or paste the program under **Your code**: then the Doctor "
        "runs it and looks for itself."
    )


def _place(where: tuple[str, int, str] | None) -> None:
    if where is not None:
        file, line, code = where
        st.markdown(f"The last place in your own code is line {line} of `{file.replace('`', '')}`:")
        st.code(code, language="python", wrap_lines=True)
