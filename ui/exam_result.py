"""A test that was handed in: score, mastery, and every answer explained."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import streamlit as st

from course import concepts, exam, mastery, walks
from course.exam import Paper, Reviewed
from course.store import Store
from ui import links, plots, quiz


def show(store: Store, learner: str, paper: Paper, retake: Callable[[], None]) -> None:
    """The whole result."""
    reviewed = exam.review(store, learner, paper.id)
    right = sum(one.grade.correct for one in reviewed)
    st.title("Your result", anchor=False)
    with st.container(horizontal=True, gap="large", key="result-numbers"):
        st.metric("Score", f"{paper.score or 0.0:.0%}", width="content")
        st.metric("Right", f"{right} of {len(reviewed)}", width="content")
        st.metric("Handed in", f"{paper.finished:%d %b %Y}" if paper.finished else "", width="content")
    with st.container(horizontal=True, vertical_alignment="center"):
        if exam.current(store, learner) is None:
            st.button("Take it again, with other questions", icon=":material/refresh:", on_click=retake, key="retake")
        else:
            st.page_link("pages/test.py", label="Continue the open test", icon=":material/checklist:")
        links.to_page("progress", "Progress", ":material/trending_up:")

    st.header("Mastery by concept", anchor=False)
    st.caption(
        "Bars: what all your answers say, newer ones counting more. Diamonds: this test. "
        f"From {mastery.LEARNT:.0%} on a concept counts as learnt."
    )
    known = mastery.of(store, learner)
    plots.mastery_chart(known, {one.concept: one.grade.score for one in reviewed})
    with st.expander("The same as a table"):
        st.table(
            {
                "Concept": [concepts.get(one.concept).title for one in reviewed],
                "This test": [f"{one.grade.score:.0%}" for one in reviewed],
                "Mastery": [f"{known[one.concept].value or 0.0:.0%}" for one in reviewed],
            }
        )

    st.header("Every answer, explained", anchor=False)
    missed = [one for one in reviewed if not one.grade.correct]
    which = st.segmented_control(
        "Show",
        ["all", "missed"],
        format_func=lambda one: f"All {len(reviewed)}" if one == "all" else f"Not right ({len(missed)})",
        default="missed" if missed else "all",
        required=True,
        key=f"which-{paper.id}",
    )
    for one in missed if which == "missed" else reviewed:
        _answer(one)


def _answer(one: Reviewed) -> None:
    card = concepts.get(one.concept)
    word, icon = quiz.verdict(one.grade)
    kind = one.variant.kind
    with st.expander(f"{one.position + 1}. {card.title}: {word.lower()}", icon=icon):
        quiz.pose(one.variant)
        given = quiz.shown(one.grade.given, "node" if kind == "number" else kind) if one.grade.given else "nothing"
        st.markdown(f"**Your answer:** {given}  \n**Right answer:** {quiz.shown(one.grade.right, kind)}")
        if one.grade.given and not one.grade.correct:
            quiz.explain_pick(one.grade, kind)
        quiz.explain_all(one.grade, kind)
        with st.container(horizontal=True):
            links.to_card(one.concept, "Open the card")
            try:
                links.to_walk(card.walk.example, walks.step_of(card), "Open the step that shows it")
            except LookupError:
                links.to_walk(card.walk.example)


def list_of(papers: Iterable[Paper]) -> None:
    """Links to tests that were handed in."""
    for paper in papers:
        st.page_link(
            "pages/test.py",
            label=f"{paper.finished:%d %b %Y, %H:%M} UTC: {paper.score or 0.0:.0%}",
            icon=":material/assignment_turned_in:",
            query_params={"attempt": paper.id},
        )
