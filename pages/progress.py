"""Progress: what is learnt, how the tests went, what is weak, what comes next; and the learner's own data."""

import streamlit as st

from course import concepts, exam, mastery
from course.store import StoreError
from ui import concept_tiles, entry, exam_result, links, next_step, own_data, plots, session

entry.through_app()

store = session.store("Progress")
learner = session.learner()

st.title("Progress", anchor=False)
try:
    known = mastery.of(store, learner)
    tests = exam.finished(store, learner)
    learnt = sum(one.state == "learnt" for one in known.values())
    st.progress(learnt / len(known), text=concept_tiles.summary(known))

    following, weakest = st.columns(2, gap="large")
    with following:
        st.header("Next", anchor=False)
        with st.container(border=True, key="reading-next"):
            next_step.show(next_step.find(store, learner, known))
    if weak := mastery.weakest(known, 5):
        with weakest:
            st.header("Weakest concepts", anchor=False)
            for one in weak:
                links.to_card(one.concept, f"{concepts.get(one.concept).title}: {one.value or 0.0:.0%}")

    st.header("Mastery by concept", anchor=False)
    if any(one.value is not None for one in known.values()):
        plots.mastery_chart(known)
        with st.expander("The same as a table"):
            st.table(
                {
                    "Concept": [concepts.get(slug).title for slug in concepts.slugs()],
                    "State": [concept_tiles.WORDS[known[slug].state] for slug in concepts.slugs()],
                    "Mastery": [
                        "" if (value := known[slug].value) is None else f"{value:.0%}" for slug in concepts.slugs()
                    ],
                    "Answers": [known[slug].answers for slug in concepts.slugs()],
                }
            )
    else:
        st.caption("Nothing to show yet: answer a card's question or take the test.")

    st.header("Tests", anchor=False)
    if tests:
        if len(tests) > 1:
            plots.history_chart([(paper.finished, paper.score or 0.0) for paper in reversed(tests) if paper.finished])
        exam_result.list_of(tests)
    else:
        st.caption("No test taken yet.")

    own_data.show(store, learner)
except StoreError as error:
    session.show_store_error(error)
