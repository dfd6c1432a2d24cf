"""One symptom: its questions, and a program that has it beside the same program repaired."""

from __future__ import annotations

import streamlit as st

from course import concepts
from snippets import symptoms
from snippets.symptoms import Answer, Question, Symptom
from ui import doctor_report, doctor_runs, links
from ui.compare import side_by_side

#: A path that goes round would never end; none is longer than this.
LONGEST_PATH = 8


def overview() -> None:
    """The nine symptoms to choose from."""
    with st.container(key="symptom-grid"):
        for symptom in symptoms.all():
            with st.container(key=f"symptom-{symptom.slug}"):
                st.page_link(
                    "pages/doctor.py",
                    label=symptom.title,
                    icon=":material/chevron_right:",
                    query_params={"symptom": symptom.slug},
                )
                st.caption(symptom.short)


def show(symptom: Symptom) -> None:
    """The decision path, then the example."""
    st.page_link("pages/doctor.py", label="All symptoms", icon=":material/arrow_back:", query_params={"way": "symptom"})
    st.header(symptom.title, anchor=False)
    with st.container(key=f"reading-{symptom.slug}"):
        st.caption(symptom.short)
        st.markdown(symptom.means)
    with st.container(key="reading-path"):
        _path(symptom)
    st.header("A program that has it", anchor=False)
    broken, repaired = doctor_runs.of(symptom.broken), doctor_runs.of(symptom.repaired)
    code, said = st.columns(2, gap="medium")
    with code:
        st.code(symptom.broken, language="python", line_numbers=True, wrap_lines=True)
        if broken.stdout:
            st.caption("It prints")
            st.code(broken.stdout, language=None, wrap_lines=True)
    with said:
        doctor_report.reports(symptom.broken, broken, key=symptom.slug)
    st.header("Beside its repaired twin", anchor=False)
    st.caption("Both step together. What differs is dashed, marked ≠ and listed.")
    if broken.trace is not None and repaired.trace is not None:
        side_by_side(broken.trace, repaired.trace, key=f"twin-{symptom.slug}", titles=("Broken", "Repaired"))


def _path(symptom: Symptom) -> None:
    """The questions one after the other, as far as they have been answered."""
    question: Question | None = symptom.questions[0]
    for number in range(1, LONGEST_PATH + 1):
        if question is None:
            return
        answer = _ask(symptom, question, number)
        if answer is None:
            return
        _meaning(answer)
        question = symptom.question(answer.next) if answer.next else None


def _ask(symptom: Symptom, question: Question, number: int) -> Answer | None:
    st.markdown(f"**{number}. {question.ask}**")
    if question.how:
        st.code(question.how, language="python", wrap_lines=True)
    says = [answer.says for answer in question.answers]
    chosen = st.radio(question.ask, says, index=None, key=f"{symptom.slug}-{question.id}", label_visibility="collapsed")
    return question.answers[says.index(chosen)] if chosen in says else None


def _meaning(answer: Answer) -> None:
    with st.container(border=True):
        st.markdown(answer.means)
        if answer.fix:
            st.code(answer.fix, language="python", wrap_lines=True)
        if answer.concept in concepts.slugs():
            links.to_card(str(answer.concept))
