"""The graded test: begin or go on, one question at a time, hand in, and the result explained."""

import streamlit as st

from course import exam
from course.exam import ExamError
from course.store import StoreError
from course.variants import VariantError
from snippets.pool import WorkerLost
from ui import address, entry, exam_paper, exam_result, session

entry.through_app()

store = session.store("The graded test")
learner = session.learner()


def begin() -> None:
    """Open a new attempt."""
    try:
        with st.spinner("Drawing 25 questions"):
            exam.start(store, learner)
        st.session_state.pop("handed-in", None)
        address.write(attempt=None, question=1)
    except (StoreError, VariantError, ExamError, WorkerLost) as error:
        st.session_state["begin-failed"] = str(error)


def introduce() -> None:
    """What the test is, and the button that starts it."""
    st.title("The graded test", anchor=False)
    with st.container(key="reading-test"):
        st.markdown(
            "One question on each of the 25 concepts. The numbers are drawn anew for every test and the engine works "
            "out the answers, so no two tests are alike.\n\n"
            "- Every answer is **saved as you give it**. Close the window and come back whenever you like.\n"
            "- Move between questions freely, change answers, leave some open.\n"
            "- After you hand it in, **every option of every question is explained**."
        )
        if message := st.session_state.pop("begin-failed", None):
            st.error(f"The test could not be started: {message}", icon=":material/error:")
        st.button("Start the test", type="primary", icon=":material/play_arrow:", on_click=begin, key="start-test")
    earlier = exam.finished(store, learner)
    if earlier:
        st.header("Your tests so far", anchor=False)
        exam_result.list_of(earlier)


try:
    wanted = address.read("attempt")
    paper = exam.load(store, learner, wanted) if wanted else exam.current(store, learner)
    if paper is None:
        introduce()
    elif paper.finished is None:
        exam_paper.show(store, learner, paper)
    else:
        exam_result.show(store, learner, paper, begin)
except ExamError as error:
    st.warning(str(error), icon=":material/link_off:")
    address.write(attempt=None)
    introduce()
except StoreError as error:
    session.show_store_error(error)
