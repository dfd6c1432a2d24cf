"""What a teacher sees: learners, items, exports."""

from __future__ import annotations

import streamlit as st

from course import concepts, statistics
from course.exports import drawn, gift, moodle_xml, qti_package
from course.statistics import ENOUGH, ItemStatistics, LearnerOverview
from course.store import Store
from ui import plots


def overview(store: Store) -> None:
    """Every learner with attempts, scores and mastery by concept."""
    st.header("Class", anchor=False)
    lines = statistics.overview(store)
    if not lines:
        st.caption("Nobody has learnt here yet.")
        return
    st.table(
        {
            "Learner": [line.learner for line in lines],
            "Tests": [line.attempts for line in lines],
            "First": [_percent(line.first) for line in lines],
            "Best": [_percent(line.best) for line in lines],
            "Latest": [_percent(line.latest) for line in lines],
            "Learnt": [f"{line.learnt} of {len(concepts.SLUGS)}" for line in lines],
        }
    )
    if len(lines) > 1:
        with st.expander("Mastery of every learner by concept"):
            st.table(_matrix(lines))


def _matrix(lines: list[LearnerOverview]) -> dict[str, list[str]]:
    return {
        "Concept": [concepts.get(slug).title for slug in concepts.slugs()],
        **{line.learner: [_percent(line.mastery.get(slug)) for slug in concepts.slugs()] for line in lines},
    }


def items(store: Store) -> None:
    """How hard concepts and questions are, and how well they tell learners apart."""
    st.header("Questions, as answered", anchor=False)
    which = st.segmented_control(
        "Which answers",
        ["first", "all"],
        format_func=lambda one: "First attempts" if one == "first" else "All attempts",
        default="first",
        required=True,
        key="which-attempts",
    )
    answers = statistics.scored(store, first_only=which == "first")
    if not answers:
        st.caption("No test has been handed in yet. Uploaded attempts do not count here.")
        return
    by_concept = statistics.by_concept(answers)
    plots.facility_chart([(concepts.get(one.concept).title, one.facility, one.answers) for one in by_concept])
    if any(not one.enough for one in by_concept):
        st.warning(
            f"Some rows rest on fewer than {ENOUGH} answers; there facility and discrimination are mostly chance.",
            icon=":material/warning:",
        )
    st.caption(
        "Facility: mean score, hardest first. Discrimination: correlation of the score here with the score on the rest "
        "of the test (corrected point-biserial); below 0.2 a question tells little, below 0 look at its wording."
    )
    st.table(_table(by_concept, "Concept"))
    with st.expander("Question by question"):
        st.table(_table(statistics.by_question(answers), "Question"))


def _table(rows: list[ItemStatistics], heading: str) -> dict[str, list[str | int]]:
    return {
        heading: [concepts.get(one.concept).title if heading == "Concept" else one.name for one in rows],
        "Answers": [one.answers for one in rows],
        "Enough answers": ["yes" if one.enough else f"no, under {ENOUGH}" for one in rows],
        "Facility": [f"{one.facility:.0%}" for one in rows],
        "Discrimination": ["" if one.discrimination is None else f"{one.discrimination:.2f}" for one in rows],
        "Misconceptions seen": [
            ", ".join(f"{name} ({count})" for name, count in list(one.misconceptions.items())[:3]) for one in rows
        ],
    }


def export() -> None:
    """The questions for a learning management system."""
    st.header("Questions for your LMS", anchor=False)
    with st.container(key="reading-export"):
        st.markdown(
            "Every question with the explanation of every option as feedback. Computed questions come in several "
            "variants. Moodle XML and QTI 2.1 (Canvas, Brightspace, Blackboard, TAO) keep tolerances and orderings; "
            "GIFT is plain text that many systems read."
        )
        slugs = st.multiselect(
            "Concepts (none chosen: all)",
            concepts.slugs(),
            format_func=lambda slug: concepts.get(slug).title,
            key="export-concepts",
        )
        variants = st.number_input("Variants of each computed question", 1, 8, 3, key="export-variants", width=260)
        with st.container(horizontal=True):
            st.download_button(
                "Moodle XML",
                data=lambda: moodle_xml(drawn(variants=int(variants), only=slugs)).encode(),
                file_name="backstep-questions.xml",
                mime="application/xml",
                icon=":material/download:",
                on_click="ignore",
                key="export-moodle",
            )
            st.download_button(
                "QTI 2.1",
                data=lambda: qti_package(drawn(variants=int(variants), only=slugs)),
                file_name="backstep-questions.zip",
                mime="application/zip",
                icon=":material/download:",
                on_click="ignore",
                key="export-qti",
            )
            st.download_button(
                "GIFT",
                data=lambda: gift(drawn(variants=int(variants), only=slugs)).encode(),
                file_name="backstep-questions.gift.txt",
                mime="text/plain",
                icon=":material/download:",
                on_click="ignore",
                key="export-gift",
            )


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.0%}"
